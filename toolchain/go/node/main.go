// Command yard-node is a node of the local yard that runs its pods as processes of this machine: the real kubelet, over a container
// runtime of our own whose images are folders of this machine. It needs Linux and root.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
	"k8s.io/component-base/cli"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// config is what the toolchain writes for a node.
type config struct {
	// Directory holds all files of the node.
	Directory  string `json:"directory"`
	Name       string `json:"name"`
	Kubeconfig string `json:"kubeconfig"`
	// APIServer is the address at which the API server listens on this machine.
	APIServer string            `json:"apiserver"`
	ClientCA  string            `json:"clientCA"`
	Labels    map[string]string `json:"labels"`
	Taint     string            `json:"taint"`
	Images    []image           `json:"images"`
}

func main() {
	var err error
	switch mode := strings.Join(os.Args[1:2], ""); mode {
	case "kubelet":
		os.Args = append([]string{"kubelet"}, os.Args[2:]...)
		os.Exit(cli.Run(kubelet.NewKubeletCommand(context.Background())))
	case "init":
		err = initContainer(os.NewFile(3, "spec"))
	case "run":
		err = run(os.Args[2])
	default:
		err = fmt.Errorf("called with %q; expected run, with the path of a configuration", mode)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "yard-node:", err)
		os.Exit(1)
	}
}

// run serves a node until it is told to end. Everything that it started ends with it, even when it is killed: containers and kubelet
// by the signal of their parent's death, and mounts, addresses and routes with their namespaces.
func run(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	network, err := newNetwork(c.Directory)
	if err != nil {
		return fmt.Errorf("the network of the pods: %w", err)
	}
	defer network.close()
	if err := serveServices(c, network); err != nil {
		return fmt.Errorf("the addresses of Services: %w", err)
	}
	runtime, err := newRuntime(c, network)
	if err != nil {
		return fmt.Errorf("the container runtime: %w", err)
	}
	defer runtime.stopAll()
	if err := protectMachine(c.Directory); err != nil {
		return fmt.Errorf("mounts for the kubelet: %w", err)
	}
	ended, err := startKubelet(c, network)
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	select {
	case <-signals:
		return nil
	case err := <-ended:
		return fmt.Errorf("the kubelet ended: %w", err)
	}
}

// protectMachine keeps from this machine what the kubelet changes on one that is all its own, in the mount namespace that the toolchain
// has started this program in: the kubelet sets copies of the kernel's settings, and its links to logs are nobody else's.
func protectMachine(directory string) error {
	for _, name := range []string{"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops", "kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes"} {
		setting := filepath.Join("/proc/sys", name)
		value, err := os.ReadFile(setting)
		if err != nil {
			return err
		}
		replacement := filepath.Join(directory, strings.ReplaceAll(name, "/", "."))
		if err := os.WriteFile(replacement, value, 0o644); err != nil {
			return err
		}
		if err := unix.Mount(replacement, setting, "", unix.MS_BIND, ""); err != nil {
			return err
		}
	}
	return unix.Mount("tmpfs", "/var/log", "tmpfs", 0, "mode=755")
}

// startKubelet starts the real kubelet in a process of its own, and returns where its end is told.
func startKubelet(c config, network *network) (<-chan error, error) {
	at := func(name string) string { return filepath.Join(c.Directory, name) }
	settings, err := json.Marshal(map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1",
		"kind":       "KubeletConfiguration",
		"address":    network.host.String(),
		"authentication": map[string]any{
			"anonymous": map[string]any{"enabled": false},
			"x509":      map[string]any{"clientCAFile": c.ClientCA},
		},
		"clusterDNS":               []string{network.gateway.String()},
		"clusterDomain":            "cluster.local",
		"containerRuntimeEndpoint": "unix://" + at("runtime.sock"),
		"podLogsDir":               at("pod-logs"),
		"volumePluginDir":          at("plugins"),
		"makeIPTablesUtilChains":   false,
		"featureGates":             map[string]bool{"KubeletInUserNamespace": true},
		"registerWithTaints":       []map[string]string{{"key": c.Taint, "effect": "NoSchedule"}},
		"maxPods":                  lastPod - firstPod + 1,
		// The runtime limits memory and CPU itself, and nobody else may be on this machine's control groups.
		"cgroupsPerQOS":          false,
		"enforceNodeAllocatable": []string{},
		"cgroupDriver":           "cgroupfs",
		"failCgroupV1":           false,
		"failSwapOn":             false,
		// This machine belongs to somebody: a full disk is no reason to end pods or to remove images.
		"evictionHard":                              map[string]string{"memory.available": "0%", "nodefs.available": "0%", "imagefs.available": "0%", "nodefs.inodesFree": "0%", "imagefs.inodesFree": "0%"},
		"imageGCHighThresholdPercent":               100,
		"localStorageCapacityIsolation":             false,
		"healthzPort":                               0,
		"nodeStatusUpdateFrequency":                 "5s",
		"syncFrequency":                             "10s",
		"fileCheckFrequency":                        "0s",
		"shutdownGracePeriod":                       "0s",
		"configMapAndSecretChangeDetectionStrategy": "Watch",
	})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(at("kubelet.json"), settings, 0o600); err != nil {
		return nil, err
	}
	labels := []string{}
	for key, value := range c.Labels {
		labels = append(labels, key+"="+value)
	}
	command := exec.Command("/proc/self/exe", "kubelet",
		"--config", at("kubelet.json"), "--kubeconfig", c.Kubeconfig, "--root-dir", at("kubelet"), "--cert-dir", at("kubelet/pki"),
		"--hostname-override", c.Name, "--node-ip", network.host.String(), "--node-labels", strings.Join(labels, ","))
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	ended := make(chan error, 1)
	err = network.hostThread.do(func() error {
		command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		return command.Start()
	})
	if err == nil {
		go func() { ended <- command.Wait() }()
	}
	return ended, err
}
