package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	securejoin "github.com/cyphar/filepath-securejoin"
	"golang.org/x/sys/unix"
)

// containerSpec is what the first process of a container needs to become it.
type containerSpec struct {
	Folder        string
	Hostname      string
	Resolver      string
	Folders       []string
	Mounts        []bind
	Line          []string
	WorkingDir    string
	User, Group   int64
	Groups        []int64
	ControlGroups []string
	NoNewPrivs    bool
}

type bind struct {
	From, To string
	ReadOnly bool
}

func (c *container) spec() containerSpec {
	user, group := c.user()
	security := c.config.GetLinux().GetSecurityContext()
	spec := containerSpec{
		Folder: c.folder, Hostname: c.sandbox.config.Hostname, Resolver: c.sandbox.resolverFile(), Folders: c.image.Folders,
		Line: c.line(), WorkingDir: c.config.WorkingDir, User: user, Group: group, Groups: security.GetSupplementalGroups(),
		ControlGroups: c.limits.folders, NoNewPrivs: security.GetNoNewPrivs(),
	}
	if spec.WorkingDir == "" {
		spec.WorkingDir = c.image.WorkingDir
	}
	for _, mount := range c.config.Mounts {
		from := mount.HostPath
		if name, found := strings.CutPrefix(from, "/simulated/"); found {
			from = filepath.Join(c.folder, "../../volumes", name)
		}
		spec.Mounts = append(spec.Mounts, bind{from, mount.ContainerPath, mount.Readonly})
	}
	return spec
}

// initContainer turns this process, the first one of new namespaces, into a container: this machine's files, of which it changes only
// its own copies, with the volumes of the pod.
func initContainer(input io.ReadCloser) error {
	var spec containerSpec
	if err := json.NewDecoder(input).Decode(&spec); err != nil {
		return err
	}
	input.Close()
	for _, group := range spec.ControlGroups {
		if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte("0"), 0o644); err != nil {
			return err
		}
	}
	if err := unix.Sethostname([]byte(spec.Hostname)); err != nil {
		return err
	}
	root, err := mountRoot(spec)
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	// The old root is on top of the new one, until it is unmounted.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	directory := filepath.Join("/", spec.WorkingDir)
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	if err := os.Chdir(directory); err != nil {
		return err
	}
	if err := become(spec); err != nil {
		return err
	}
	if len(spec.Line) == 0 {
		return fmt.Errorf("neither the pod nor the image has a command")
	}
	program, err := exec.LookPath(spec.Line[0])
	if err != nil {
		return err
	}
	return unix.Exec(program, spec.Line, os.Environ())
}

func become(spec containerSpec) error {
	groups := []int{}
	for _, group := range spec.Groups {
		groups = append(groups, int(group))
	}
	if spec.NoNewPrivs {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
	}
	if err := unix.Setgroups(groups); err != nil {
		return err
	}
	if err := unix.Setresgid(int(spec.Group), int(spec.Group), int(spec.Group)); err != nil {
		return err
	}
	return unix.Setresuid(int(spec.User), int(spec.User), int(spec.User))
}

// mountRoot mounts the files of a container and returns where.
func mountRoot(spec containerSpec) (string, error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return "", err
	}
	at := func(name string) string { return filepath.Join(spec.Folder, name) }
	root := at("root")
	for _, name := range []string{"root", "changes", "work"} {
		if err := os.Mkdir(at(name), 0o755); err != nil {
			return "", err
		}
	}
	options := fmt.Sprintf("lowerdir=/,upperdir=%s,workdir=%s", at("changes"), at("work"))
	if err := unix.Mount("overlay", root, "overlay", 0, options); err != nil {
		return "", fmt.Errorf("an overlay over this machine's files in %s: %w", spec.Folder, err)
	}
	if err := mountSystem(root); err != nil {
		return "", err
	}
	resolver := filepath.Join(root, "etc/resolv.conf")
	if err := os.RemoveAll(resolver); err != nil {
		return "", err
	}
	if err := os.WriteFile(resolver, []byte(spec.Resolver), 0o644); err != nil {
		return "", err
	}
	for _, folder := range spec.Folders {
		if err := bindInto(root, bind{folder, folder, true}); err != nil {
			return "", err
		}
	}
	for _, mount := range spec.Mounts {
		if err := bindInto(root, mount); err != nil {
			return "", err
		}
	}
	return root, nil
}

// mountSystem mounts what is no file of this machine, and hides the homes of its users.
func mountSystem(root string) error {
	for _, mount := range []struct {
		kind, at, options string
		flags             uintptr
	}{
		{kind: "proc", at: "proc"},
		{at: "dev", flags: unix.MS_BIND | unix.MS_REC},
		{kind: "tmpfs", at: "dev/shm", options: "mode=1777"},
		{at: "sys", flags: unix.MS_BIND | unix.MS_REC},
		{kind: "tmpfs", at: "tmp", options: "mode=1777"},
		{kind: "tmpfs", at: "run", options: "mode=755"},
		{kind: "tmpfs", at: "root", options: "mode=755"},
		{kind: "tmpfs", at: "home", options: "mode=755"},
	} {
		target := filepath.Join(root, mount.at)
		if err := os.MkdirAll(target, 0o755); err != nil {
			return err
		}
		if err := unix.Mount("/"+mount.at, target, mount.kind, mount.flags, mount.options); err != nil {
			return fmt.Errorf("mount /%s: %w", mount.at, err)
		}
	}
	return nil
}

// bindInto makes a file or folder of this machine visible in a container.
func bindInto(root string, mount bind) error {
	from, err := os.Stat(mount.From)
	if os.IsNotExist(err) {
		// A new disk, on which every user may write.
		if err = os.MkdirAll(mount.From, 0o777); err == nil {
			err = os.Chmod(mount.From, 0o777)
		}
		if err != nil {
			return err
		}
		from, err = os.Stat(mount.From)
	}
	if err != nil {
		return err
	}
	target, err := securejoin.SecureJoin(root, mount.To)
	if err != nil {
		return err
	}
	if from.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		var file *os.File
		if file, err = os.OpenFile(target, os.O_CREATE, 0o644); err == nil {
			err = file.Close()
		}
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(mount.From, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount %s at %s: %w", mount.From, mount.To, err)
	}
	if !mount.ReadOnly {
		return nil
	}
	return unix.Mount("", target, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_REC, "")
}
