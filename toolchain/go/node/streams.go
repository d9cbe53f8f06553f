package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os/exec"
	"time"

	"github.com/creack/pty"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// inside returns a command that runs in the namespaces of a container, with its files, environment and user.
func (r *containerRuntime) inside(ctx context.Context, id string, line []string) (*exec.Cmd, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c, err := r.get(id)
	if err != nil {
		return nil, err
	}
	if c.state() != cri.ContainerState_CONTAINER_RUNNING {
		return nil, status.Errorf(codes.FailedPrecondition, "container %s does not run", id)
	}
	user, group := c.user()
	enter, err := exec.LookPath("nsenter")
	if err != nil {
		return nil, err
	}
	args := []string{"--target", fmt.Sprint(c.command.Process.Pid), "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd",
		"--setuid", fmt.Sprint(user), "--setgid", fmt.Sprint(group), "--"}
	command := exec.CommandContext(ctx, enter, append(args, line...)...)
	command.Env = c.environment()
	command.WaitDelay = time.Second
	return command, nil
}

func (r *containerRuntime) ExecSync(ctx context.Context, request *cri.ExecSyncRequest) (*cri.ExecSyncResponse, error) {
	if request.Timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, time.Duration(request.Timeout)*time.Second)
		defer cancel()
		ctx = limited
	}
	command, err := r.inside(ctx, request.ContainerId, request.Cmd)
	if err != nil {
		return nil, err
	}
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	err = command.Run()
	if ctx.Err() != nil {
		return nil, status.Errorf(codes.DeadlineExceeded, "the command did not end within %d seconds", request.Timeout)
	}
	return &cri.ExecSyncResponse{Stdout: out.Bytes(), Stderr: errors.Bytes(), ExitCode: exitCodeOf(err)}, nil
}

func (r *containerRuntime) Exec(_ context.Context, request *cri.ExecRequest) (*cri.ExecResponse, error) {
	return r.streams.GetExec(request)
}

func (r *containerRuntime) Attach(_ context.Context, request *cri.AttachRequest) (*cri.AttachResponse, error) {
	return r.streams.GetAttach(request)
}

func (r *containerRuntime) PortForward(_ context.Context, request *cri.PortForwardRequest) (*cri.PortForwardResponse, error) {
	return r.streams.GetPortForward(request)
}

// streamed serves the streams that the API server opens.
type streamed struct{ *containerRuntime }

func (r streamed) Exec(ctx context.Context, id string, line []string, in io.Reader, out, errors io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	command, err := r.inside(ctx, id, line)
	if err != nil {
		return err
	}
	if tty {
		err = onTerminal(command, in, out, resize)
	} else {
		if out != nil {
			command.Stdout = out
		}
		if errors != nil {
			command.Stderr = errors
		}
		err = withInput(command, in)
	}
	if code := exitCodeOf(err); code != 0 {
		return utilexec.CodeExitError{Err: err, Code: int(code)}
	}
	return err
}

// withInput does not wait for input of a client after the command has ended.
func withInput(command *exec.Cmd, in io.Reader) error {
	if in == nil {
		return command.Run()
	}
	input, err := command.StdinPipe()
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(input, in)
		_ = input.Close()
	}()
	return command.Run()
}

func onTerminal(command *exec.Cmd, in io.Reader, out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	terminal, err := pty.Start(command)
	if err != nil {
		return err
	}
	defer terminal.Close()
	go func() {
		for size := range resize {
			_ = pty.Setsize(terminal, &pty.Winsize{Cols: size.Width, Rows: size.Height})
		}
	}()
	if in != nil {
		go func() { _, _ = io.Copy(terminal, in) }()
	}
	// It ends with an error when the last process has closed the terminal.
	_, _ = io.Copy(out, terminal)
	return command.Wait()
}

func (streamed) Attach(context.Context, string, io.Reader, io.WriteCloser, io.WriteCloser, bool, <-chan remotecommand.TerminalSize) error {
	return status.Error(codes.Unimplemented, "this node cannot attach to a running container; use kubectl exec or kubectl logs --follow")
}

// PortForward connects to the pod's own loopback device.
func (r streamed) PortForward(_ context.Context, id string, port int32, stream io.ReadWriteCloser) error {
	r.mutex.Lock()
	s := r.sandboxes[id]
	r.mutex.Unlock()
	if s == nil {
		return status.Errorf(codes.NotFound, "there is no pod sandbox %s", id)
	}
	var server net.Conn
	err := r.network.in(s.namespace, func() (err error) {
		server, err = net.DialTimeout("tcp4", fmt.Sprintf("127.0.0.1:%d", port), 3*time.Second)
		return err
	})
	if err != nil {
		return err
	}
	defer server.Close()
	defer stream.Close()
	connect(stream, server)
	return nil
}
