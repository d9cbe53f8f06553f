package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

type container struct {
	id      string
	sandbox *sandbox
	config  *cri.ContainerConfig
	image   image
	folder  string
	limits  limits
	log     *containerLog
	created int64

	command           *exec.Cmd
	started, finished int64
	exitCode          int32
	outOfMemory       bool
	// done is closed when the process has ended.
	done chan struct{}
}

func (r *containerRuntime) CreateContainer(_ context.Context, request *cri.CreateContainerRequest) (*cri.CreateContainerResponse, error) {
	found, err := r.images.find(request.Config.Image.Image)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c := &container{
		id: r.newID("container"), sandbox: r.sandboxes[request.PodSandboxId], config: request.Config, image: found,
		created: time.Now().UnixNano(), done: make(chan struct{}),
	}
	if c.sandbox == nil {
		return nil, status.Errorf(codes.NotFound, "there is no pod sandbox %s", request.PodSandboxId)
	}
	c.folder = filepath.Join(r.directory, c.id)
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return nil, err
	}
	c.log = &containerLog{path: filepath.Join(c.sandbox.config.LogDirectory, c.config.LogPath)}
	r.containers[c.id] = c
	return &cri.CreateContainerResponse{ContainerId: c.id}, c.log.open()
}

// get returns a container, with the mutex locked by the caller.
func (r *containerRuntime) get(id string) (*container, error) {
	if c := r.containers[id]; c != nil {
		return c, nil
	}
	return nil, status.Errorf(codes.NotFound, "there is no container %s", id)
}

// environment is that of the image, changed by that of the pod.
func (c *container) environment() []string {
	variables := map[string]string{"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME": c.sandbox.config.Hostname}
	for key, value := range c.image.Env {
		variables[key] = value
	}
	for _, variable := range c.config.Envs {
		variables[variable.Key] = string(variable.Value)
	}
	var list []string
	for key, value := range variables {
		list = append(list, key+"="+value)
	}
	slices.Sort(list)
	return list
}

// line is the command with its arguments: those of the pod before those of the image, by Kubernetes' rules.
func (c *container) line() []string {
	switch {
	case len(c.config.Command) > 0:
		return append(slices.Clone(c.config.Command), c.config.Args...)
	case len(c.config.Args) > 0:
		return append(slices.Clone(c.image.Command), c.config.Args...)
	}
	return append(slices.Clone(c.image.Command), c.image.Args...)
}

func (c *container) user() (user, group int64) {
	user = c.image.User
	security := c.config.GetLinux().GetSecurityContext()
	if wanted := security.GetRunAsUser(); wanted != nil {
		user = wanted.Value
	}
	return user, security.GetRunAsGroup().GetValue()
}

func (r *containerRuntime) StartContainer(_ context.Context, request *cri.StartContainerRequest) (*cri.StartContainerResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c, err := r.get(request.ContainerId)
	if err != nil {
		return nil, err
	}
	if c.limits, err = newLimits(c.id, c.config.GetLinux().GetResources()); err != nil {
		return nil, err
	}
	spec, err := json.Marshal(c.spec())
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	c.command = exec.Command("/proc/self/exe", "init")
	c.command.Env = c.environment()
	c.command.ExtraFiles = []*os.File{read}
	output, failures := c.log.stream("stdout"), c.log.stream("stderr")
	c.command.Stdout, c.command.Stderr = output, failures
	c.command.SysProcAttr = &syscall.SysProcAttr{
		Pdeathsig:  syscall.SIGKILL,
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Setsid:     true,
	}
	if err := r.network.in(c.sandbox.namespace, c.command.Start); err != nil {
		return nil, err
	}
	c.started = time.Now().UnixNano()
	go func() {
		_, _ = write.Write(spec)
		_ = write.Close()
	}()
	go r.wait(c, output, failures)
	return &cri.StartContainerResponse{}, nil
}

func (r *containerRuntime) wait(c *container, streams ...*io.PipeWriter) {
	err := c.command.Wait()
	for _, stream := range streams {
		_ = stream.Close() // The last line may have no end.
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c.finished = time.Now().UnixNano()
	c.exitCode = exitCodeOf(err)
	c.outOfMemory = c.limits.outOfMemory()
	c.limits.remove()
	close(c.done)
}

func exitCodeOf(err error) int32 {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return 0
	}
	if state, ok := failed.Sys().(syscall.WaitStatus); ok && state.Signaled() {
		return 128 + int32(state.Signal())
	}
	return int32(failed.ExitCode())
}

func (c *container) kill() {
	if c.started != 0 && c.finished == 0 {
		_ = c.command.Process.Kill()
	}
}

func (r *containerRuntime) StopContainer(ctx context.Context, request *cri.StopContainerRequest) (*cri.StopContainerResponse, error) {
	r.mutex.Lock()
	c, err := r.get(request.ContainerId)
	r.mutex.Unlock()
	if err != nil || c.started == 0 {
		return &cri.StopContainerResponse{}, nil
	}
	// A process that has ended meanwhile needs no signal.
	_ = c.command.Process.Signal(syscall.SIGTERM)
	for _, patience := range []time.Duration{time.Duration(request.Timeout) * time.Second, 10 * time.Second} {
		select {
		case <-c.done:
			return &cri.StopContainerResponse{}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(patience):
			_ = c.command.Process.Kill()
		}
	}
	return nil, status.Errorf(codes.DeadlineExceeded, "container %s does not end", c.id)
}

func (r *containerRuntime) RemoveContainer(_ context.Context, request *cri.RemoveContainerRequest) (*cri.RemoveContainerResponse, error) {
	r.mutex.Lock()
	c := r.containers[request.ContainerId]
	delete(r.containers, request.ContainerId)
	if c == nil {
		r.mutex.Unlock()
		return &cri.RemoveContainerResponse{}, nil
	}
	c.kill()
	r.mutex.Unlock()
	if c.started != 0 {
		<-c.done
	}
	c.log.close()
	return &cri.RemoveContainerResponse{}, os.RemoveAll(c.folder)
}

func (c *container) state() cri.ContainerState {
	switch {
	case c.started == 0:
		return cri.ContainerState_CONTAINER_CREATED
	case c.finished == 0:
		return cri.ContainerState_CONTAINER_RUNNING
	}
	return cri.ContainerState_CONTAINER_EXITED
}

func (r *containerRuntime) ListContainers(_ context.Context, request *cri.ListContainersRequest) (*cri.ListContainersResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	response, filter := &cri.ListContainersResponse{}, request.GetFilter()
	for _, c := range r.containers {
		state := filter.GetState()
		if matches(filter.GetId(), c.id) && matches(filter.GetPodSandboxId(), c.sandbox.id) &&
			(state == nil || state.State == c.state()) && selects(filter.GetLabelSelector(), c.config.Labels) {
			response.Containers = append(response.Containers, &cri.Container{
				Id: c.id, PodSandboxId: c.sandbox.id, Metadata: c.config.Metadata, Image: c.config.Image, ImageRef: c.config.Image.Image,
				State: c.state(), CreatedAt: c.created, Labels: c.config.Labels, Annotations: c.config.Annotations,
			})
		}
	}
	return response, nil
}

func (r *containerRuntime) ContainerStatus(_ context.Context, request *cri.ContainerStatusRequest) (*cri.ContainerStatusResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c, err := r.get(request.ContainerId)
	if err != nil {
		return nil, err
	}
	described := &cri.ContainerStatus{
		Id: c.id, Metadata: c.config.Metadata, State: c.state(), CreatedAt: c.created, StartedAt: c.started, FinishedAt: c.finished,
		ExitCode: c.exitCode, Image: c.config.Image, ImageRef: c.config.Image.Image, Labels: c.config.Labels,
		Annotations: c.config.Annotations, Mounts: c.config.Mounts, LogPath: c.log.path,
	}
	if c.finished != 0 {
		described.Reason = "Completed"
		if c.exitCode != 0 {
			described.Reason = "Error"
		}
		if c.outOfMemory {
			described.Reason = "OOMKilled"
		}
	}
	return &cri.ContainerStatusResponse{Status: described}, nil
}

func (r *containerRuntime) UpdateContainerResources(context.Context, *cri.UpdateContainerResourcesRequest) (*cri.UpdateContainerResourcesResponse, error) {
	return &cri.UpdateContainerResourcesResponse{}, nil
}

func (r *containerRuntime) ReopenContainerLog(_ context.Context, request *cri.ReopenContainerLogRequest) (*cri.ReopenContainerLogResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c, err := r.get(request.ContainerId)
	if err != nil {
		return nil, err
	}
	return &cri.ReopenContainerLogResponse{}, c.log.open()
}

// containerLog is a file in the format that the kubelet reads.
type containerLog struct {
	path  string
	mutex sync.Mutex
	file  *os.File
}

func (l *containerLog) open() error {
	l.close()
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var err error
	l.file, err = os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	return err
}

func (l *containerLog) close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}

// stream returns a writer whose lines go to the log.
func (l *containerLog) stream(name string) *io.PipeWriter {
	read, write := io.Pipe()
	go func() {
		reader := bufio.NewReaderSize(read, 16<<10)
		for {
			line, partial, err := reader.ReadLine()
			if err != nil {
				return
			}
			tag := map[bool]string{true: "P", false: "F"}[partial]
			l.mutex.Lock()
			if l.file != nil {
				_, _ = l.file.WriteString(strings.Join([]string{time.Now().UTC().Format(time.RFC3339Nano), name, tag, string(line)}, " ") + "\n")
			}
			l.mutex.Unlock()
		}
	}()
	return write
}
