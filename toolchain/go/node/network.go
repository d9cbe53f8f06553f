package main

import (
	"fmt"
	"hash/fnv"
	"net"
	"os"
	"runtime"
	"sync"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
)

// Last numbers of the addresses of pods.
const firstPod, lastPod = 2, 250

// thread is one thread of the system that enters network namespaces: whatever is started on it is in the one that it has entered. It
// lives as long as the program, because the system ends processes with the thread that started them.
type thread struct{ work chan func() }

func newThread() *thread {
	t := &thread{work: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for work := range t.work {
			work()
		}
	}()
	return t
}

func (t *thread) do(work func() error) error {
	done := make(chan error)
	t.work <- func() { done <- work() }
	return <-done
}

// network is a namespace with a bridge to which all pods are connected, and a link to this machine. Pods have real addresses,
// because the API server accepts no loopback addresses of endpoints.
type network struct {
	// thread enters namespaces; hostThread is always in the machine's own.
	thread, hostThread *thread
	own, node          netns.NsHandle
	host, gateway      net.IP
	link               string
	number             byte

	mutex sync.Mutex
	used  map[byte]bool
	next  byte
}

// in does work in a namespace.
func (n *network) in(namespace netns.NsHandle, work func() error) error {
	return n.thread.do(func() error {
		if err := netns.Set(namespace); err != nil {
			return err
		}
		err := work()
		if back := netns.Set(n.own); back != nil {
			panic(back)
		}
		return err
	})
}

// create returns a new namespace whose loopback device is up.
func (n *network) create() (created netns.NsHandle, err error) {
	err = n.thread.do(func() error {
		created, err = netns.New()
		if err == nil {
			err = up("lo")
		}
		if back := netns.Set(n.own); back != nil {
			panic(back)
		}
		return err
	})
	return created, err
}

func up(name string, addresses ...*net.IPNet) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	for _, address := range addresses {
		if err := netlink.AddrAdd(link, &netlink.Addr{IPNet: address}); err != nil {
			return err
		}
	}
	return netlink.LinkSetUp(link)
}

func subnet(bits int, parts ...byte) *net.IPNet {
	return &net.IPNet{IP: net.IPv4(parts[0], parts[1], parts[2], parts[3]).To4(), Mask: net.CIDRMask(bits, 32)}
}

// freeNumber finds a number that no other yard on this machine has. The name of the folder determines where the search starts. The
// addresses are from 198.18.0.0/15, which is for tests of networks and used by none.
func freeNumber(directory string) (byte, error) {
	taken, err := netlink.AddrList(nil, netlink.FAMILY_V4)
	if err != nil {
		return 0, err
	}
	hash := fnv.New32a()
	hash.Write([]byte(directory))
	for step := range 256 {
		number := byte(hash.Sum32()) + byte(step)
		free := true
		for _, address := range taken {
			free = free && !address.IP.Equal(net.IPv4(198, 18, number, 1))
		}
		if free {
			return number, nil
		}
	}
	return 0, fmt.Errorf("all of 198.18.0.0/16 is in use; end the yards that you do not need")
}

func newNetwork(directory string) (*network, error) {
	n := &network{thread: newThread(), hostThread: newThread(), used: map[byte]bool{}, next: firstPod}
	var err error
	if n.own, err = netns.Get(); err != nil {
		return nil, err
	}
	if n.number, err = freeNumber(directory); err != nil {
		return nil, err
	}
	if n.node, err = n.create(); err != nil {
		return nil, err
	}
	n.link = fmt.Sprintf("yard%d", n.number)
	n.host, n.gateway = net.IPv4(198, 18, n.number, 1), net.IPv4(198, 19, n.number, 1)
	veth := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: n.link}, PeerName: "uplink", PeerNamespace: netlink.NsFd(n.node)}
	if err := netlink.LinkAdd(veth); err != nil {
		return nil, err
	}
	if err := up(n.link, subnet(30, 198, 18, n.number, 1)); err != nil {
		return nil, err
	}
	err = n.in(n.node, func() error {
		if err := netlink.LinkAdd(&netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: "pods"}}); err != nil {
			return err
		}
		if err := up("pods", subnet(24, 198, 19, n.number, 1)); err != nil {
			return err
		}
		if err := up("uplink", subnet(30, 198, 18, n.number, 2)); err != nil {
			return err
		}
		return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o644)
	})
	if err != nil {
		return nil, err
	}
	return n, netlink.RouteAdd(&netlink.Route{Dst: subnet(24, 198, 19, n.number, 0), Gw: net.IPv4(198, 18, n.number, 2)})
}

func (n *network) close() {
	if link, err := netlink.LinkByName(n.link); err == nil {
		_ = netlink.LinkDel(link)
	}
}

// addPod returns the namespace of a new pod and its address.
func (n *network) addPod() (namespace netns.NsHandle, address net.IP, err error) {
	number, err := n.take()
	if err != nil {
		return 0, nil, err
	}
	if namespace, err = n.create(); err != nil {
		return 0, nil, err
	}
	err = n.in(n.node, func() error {
		name := fmt.Sprintf("pod%d", number)
		veth := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: name}, PeerName: "eth0", PeerNamespace: netlink.NsFd(namespace)}
		if err := netlink.LinkAdd(veth); err != nil {
			return err
		}
		bridge, err := netlink.LinkByName("pods")
		if err != nil {
			return err
		}
		end, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		if err := netlink.LinkSetMaster(end, bridge); err != nil {
			return err
		}
		return netlink.LinkSetUp(end)
	})
	if err != nil {
		return 0, nil, err
	}
	return namespace, net.IPv4(198, 19, n.number, number), n.in(namespace, func() error {
		if err := up("eth0", subnet(24, 198, 19, n.number, number)); err != nil {
			return err
		}
		return netlink.RouteAdd(&netlink.Route{Gw: n.gateway})
	})
}

// removePod ends the link of a pod; its namespace ends with the last process in it.
func (n *network) removePod(namespace netns.NsHandle, address net.IP) error {
	number := address.To4()[3]
	err := n.in(n.node, func() error {
		link, err := netlink.LinkByName(fmt.Sprintf("pod%d", number))
		if err != nil {
			return err
		}
		return netlink.LinkDel(link)
	})
	n.mutex.Lock()
	defer n.mutex.Unlock()
	delete(n.used, number)
	namespace.Close()
	return err
}

// take returns the number of an address that was not in use for as long as possible, because clients may still know it.
func (n *network) take() (byte, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for range lastPod - firstPod + 1 {
		number := n.next
		if n.next++; n.next > lastPod {
			n.next = firstPod
		}
		if !n.used[number] {
			n.used[number] = true
			return number, nil
		}
	}
	return 0, fmt.Errorf("all %d addresses of pods are in use", lastPod-firstPod+1)
}
