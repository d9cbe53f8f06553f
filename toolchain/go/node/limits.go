package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

const groups = "/sys/fs/cgroup"

// limits are the control groups of a container, by version 1 or 2. Without any where this process may not make them.
type limits struct {
	folders []string
	events  string
}

// newLimits makes control groups with the limits of memory and CPU that a container has.
func newLimits(id string, resources *cri.LinuxContainerResources) (limits, error) {
	memory, quota, period := resources.GetMemoryLimitInBytes(), resources.GetCpuQuota(), resources.GetCpuPeriod()
	if period == 0 {
		period = 100_000
	}
	_, err := os.Stat(filepath.Join(groups, "cgroup.controllers"))
	inTwo := err == nil
	wanted := map[string]string{}
	var l limits
	at := func(controller string) string {
		if inTwo {
			controller = ""
		}
		return filepath.Join(groups, controller, "stackyard-"+id)
	}
	if memory > 0 {
		name := "memory.limit_in_bytes"
		l.events = filepath.Join(at("memory"), "memory.oom_control")
		if inTwo {
			name, l.events = "memory.max", filepath.Join(at("memory"), "memory.events")
		}
		wanted[filepath.Join(at("memory"), name)] = fmt.Sprint(memory)
	}
	if quota > 0 {
		name, value := "cpu.cfs_quota_us", fmt.Sprint(quota)
		if inTwo {
			name, value = "cpu.max", fmt.Sprintf("%d %d", quota, period)
		}
		wanted[filepath.Join(at("cpu"), name)] = value
	}
	for file, value := range wanted {
		folder := filepath.Dir(file)
		err := os.MkdirAll(folder, 0o755)
		if err == nil {
			err = os.WriteFile(file, []byte(value), 0o644)
		}
		if err != nil {
			log.Println("a limit of", id, "is not enforced:", err)
			continue
		}
		l.folders = append(l.folders, folder)
	}
	return l, nil
}

// outOfMemory tells whether the system has ended a process for its memory.
func (l limits) outOfMemory() bool {
	text, err := os.ReadFile(l.events)
	if err != nil {
		return false
	}
	for _, line := range strings.Split(string(text), "\n") {
		if value, found := strings.CutPrefix(line, "oom_kill "); found && value != "0" {
			return true
		}
	}
	return false
}

func (l limits) remove() {
	for _, folder := range l.folders {
		_ = os.Remove(folder)
	}
}
