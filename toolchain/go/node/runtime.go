package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/vishvananda/netns"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-streaming/pkg/streaming"
)

// containerRuntime is the kubelet's container runtime: a pod is a network namespace, a container is a process with its own files.
type containerRuntime struct {
	cri.UnimplementedRuntimeServiceServer
	images    *imageService
	network   *network
	directory string
	streams   streaming.Server

	mutex      sync.Mutex
	number     int
	sandboxes  map[string]*sandbox
	containers map[string]*container
}

type sandbox struct {
	id        string
	config    *cri.PodSandboxConfig
	created   int64
	namespace netns.NsHandle
	// address is nil for a pod with the network of the host.
	address net.IP
	ended   bool
}

func newRuntime(c config, network *network) (*containerRuntime, error) {
	r := &containerRuntime{
		images:     &imageService{images: c.Images, directory: c.Directory},
		network:    network,
		directory:  filepath.Join(c.Directory, "containers"),
		sandboxes:  map[string]*sandbox{},
		containers: map[string]*container{},
	}
	socket := filepath.Join(c.Directory, "runtime.sock")
	// The rest of a node that was killed.
	for _, path := range []string{r.directory, socket} {
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	streams, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	settings := streaming.DefaultConfig
	settings.Addr = streams.Addr().String()
	if r.streams, err = streaming.NewServer(settings, streamed{r}); err != nil {
		return nil, err
	}
	server := grpc.NewServer()
	cri.RegisterRuntimeServiceServer(server, r)
	cri.RegisterImageServiceServer(server, r.images)
	go func() { log.Fatalln(http.Serve(streams, r.streams)) }()
	go func() { log.Fatalln(server.Serve(listener)) }()
	return r, nil
}

// stopAll ends all containers.
func (r *containerRuntime) stopAll() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, c := range r.containers {
		c.kill()
	}
}

func (r *containerRuntime) newID(kind string) string {
	r.number++
	return fmt.Sprintf("%s-%d-%d", kind, time.Now().UnixMilli(), r.number)
}

func (r *containerRuntime) Version(context.Context, *cri.VersionRequest) (*cri.VersionResponse, error) {
	return &cri.VersionResponse{Version: "0.1.0", RuntimeName: "process", RuntimeVersion: "0.1.0", RuntimeApiVersion: "v1"}, nil
}

func (r *containerRuntime) Status(context.Context, *cri.StatusRequest) (*cri.StatusResponse, error) {
	conditions := []*cri.RuntimeCondition{{Type: "RuntimeReady", Status: true}, {Type: "NetworkReady", Status: true}}
	return &cri.StatusResponse{Status: &cri.RuntimeStatus{Conditions: conditions}}, nil
}

func (r *containerRuntime) UpdateRuntimeConfig(context.Context, *cri.UpdateRuntimeConfigRequest) (*cri.UpdateRuntimeConfigResponse, error) {
	return &cri.UpdateRuntimeConfigResponse{}, nil
}

func (r *containerRuntime) RunPodSandbox(_ context.Context, request *cri.RunPodSandboxRequest) (*cri.RunPodSandboxResponse, error) {
	s := &sandbox{config: request.Config, created: time.Now().UnixNano(), namespace: r.network.own}
	if request.Config.GetLinux().GetSecurityContext().GetNamespaceOptions().GetNetwork() != cri.NamespaceMode_NODE {
		namespace, address, err := r.network.addPod()
		if err != nil {
			return nil, err
		}
		s.namespace, s.address = namespace, address
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s.id = r.newID("pod")
	r.sandboxes[s.id] = s
	return &cri.RunPodSandboxResponse{PodSandboxId: s.id}, nil
}

// StopPodSandbox ends what still runs in the pod, and gives its address back.
func (r *containerRuntime) StopPodSandbox(_ context.Context, request *cri.StopPodSandboxRequest) (*cri.StopPodSandboxResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s := r.sandboxes[request.PodSandboxId]
	if s == nil || s.ended {
		return &cri.StopPodSandboxResponse{}, nil
	}
	s.ended = true
	for _, c := range r.containers {
		if c.sandbox == s {
			c.kill()
		}
	}
	if s.address == nil {
		return &cri.StopPodSandboxResponse{}, nil
	}
	return &cri.StopPodSandboxResponse{}, r.network.removePod(s.namespace, s.address)
}

func (r *containerRuntime) RemovePodSandbox(ctx context.Context, request *cri.RemovePodSandboxRequest) (*cri.RemovePodSandboxResponse, error) {
	if _, err := r.StopPodSandbox(ctx, &cri.StopPodSandboxRequest{PodSandboxId: request.PodSandboxId}); err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.sandboxes, request.PodSandboxId)
	return &cri.RemovePodSandboxResponse{}, nil
}

func (s *sandbox) state() cri.PodSandboxState {
	if s.ended {
		return cri.PodSandboxState_SANDBOX_NOTREADY
	}
	return cri.PodSandboxState_SANDBOX_READY
}

func (r *containerRuntime) PodSandboxStatus(_ context.Context, request *cri.PodSandboxStatusRequest) (*cri.PodSandboxStatusResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s := r.sandboxes[request.PodSandboxId]
	if s == nil {
		return nil, status.Errorf(codes.NotFound, "there is no pod sandbox %s", request.PodSandboxId)
	}
	described := &cri.PodSandboxStatus{
		Id: s.id, Metadata: s.config.Metadata, State: s.state(), CreatedAt: s.created,
		Labels: s.config.Labels, Annotations: s.config.Annotations, Network: &cri.PodSandboxNetworkStatus{},
		Linux: &cri.LinuxPodSandboxStatus{Namespaces: &cri.Namespace{Options: s.config.GetLinux().GetSecurityContext().GetNamespaceOptions()}},
	}
	if s.address != nil {
		described.Network.Ip = s.address.String()
	}
	return &cri.PodSandboxStatusResponse{Status: described}, nil
}

func (r *containerRuntime) ListPodSandbox(_ context.Context, request *cri.ListPodSandboxRequest) (*cri.ListPodSandboxResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	response, filter := &cri.ListPodSandboxResponse{}, request.GetFilter()
	for _, s := range r.sandboxes {
		state := filter.GetState()
		if matches(filter.GetId(), s.id) && (state == nil || state.State == s.state()) && selects(filter.GetLabelSelector(), s.config.Labels) {
			response.Items = append(response.Items, &cri.PodSandbox{
				Id: s.id, Metadata: s.config.Metadata, State: s.state(), CreatedAt: s.created, Labels: s.config.Labels, Annotations: s.config.Annotations,
			})
		}
	}
	return response, nil
}

func matches(wanted, id string) bool { return wanted == "" || wanted == id }

func selects(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// resolverFile returns the text of /etc/resolv.conf for a pod.
func (s *sandbox) resolverFile() string {
	var lines []string
	dns := s.config.GetDnsConfig()
	for _, server := range dns.GetServers() {
		lines = append(lines, "nameserver "+server)
	}
	if searches := dns.GetSearches(); len(searches) > 0 {
		lines = append(lines, "search "+strings.Join(searches, " "))
	}
	if options := dns.GetOptions(); len(options) > 0 {
		lines = append(lines, "options "+strings.Join(options, " "))
	}
	return strings.Join(lines, "\n") + "\n"
}
