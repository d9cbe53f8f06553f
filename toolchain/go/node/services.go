package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/vishvananda/netlink"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	discoverylisters "k8s.io/client-go/listers/discovery/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// services forwards connections from the cluster IPs of Services to ready endpoints, as kube-proxy does, but in this process: kube-proxy
// needs programs that not every machine has. It forwards TCP only, and a pod sees the node as its client.
type services struct {
	network   *network
	apiServer string
	services  corelisters.ServiceLister
	slices    discoverylisters.EndpointSliceLister

	mutex     sync.Mutex
	listeners map[string]net.Listener
}

// serveServices starts to follow Services, and serves their addresses and names.
func serveServices(c config, network *network) error {
	rest, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(rest)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	s := &services{network: network, apiServer: c.APIServer, listeners: map[string]net.Listener{}}
	s.services, s.slices = factory.Core().V1().Services().Lister(), factory.Discovery().V1().EndpointSlices().Lister()
	changed := make(chan struct{}, 1)
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { note(changed) },
		UpdateFunc: func(_, _ any) { note(changed) },
		DeleteFunc: func(any) { note(changed) },
	}
	if _, err := factory.Core().V1().Services().Informer().AddEventHandler(handler); err != nil {
		return err
	}
	factory.Discovery().V1().EndpointSlices().Informer()
	if err := s.ownClusterIPs(client); err != nil {
		return err
	}
	factory.Start(nil)
	factory.WaitForCacheSync(nil)
	s.listen()
	go func() {
		for range changed {
			s.listen()
		}
	}()
	return serveNames(network, s)
}

func note(changed chan<- struct{}) {
	select {
	case changed <- struct{}{}:
	default: // Somebody will look already.
	}
}

// ownClusterIPs makes all cluster IPs addresses of the node.
func (s *services) ownClusterIPs(client kubernetes.Interface) error {
	ranges, err := client.NetworkingV1().ServiceCIDRs().List(context.Background(), meta.ListOptions{})
	if err != nil {
		return err
	}
	return s.network.in(s.network.node, func() error {
		lo, err := netlink.LinkByName("lo")
		if err != nil {
			return err
		}
		for _, item := range ranges.Items {
			for _, cidr := range item.Spec.CIDRs {
				_, parsed, err := net.ParseCIDR(cidr)
				if err != nil {
					return err
				}
				route := netlink.Route{Dst: parsed, LinkIndex: lo.Attrs().Index, Type: 2, Table: 255, Scope: netlink.SCOPE_HOST}
				if err := netlink.RouteAdd(&route); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// listen opens the ports of new Services and closes those of deleted ones.
func (s *services) listen() {
	all, err := s.services.List(labels.Everything())
	if err != nil {
		log.Println("the Services cannot be listed:", err)
		return
	}
	wanted := map[string]func() []string{}
	for _, service := range all {
		for _, port := range service.Spec.Ports {
			if service.Spec.ClusterIP != "" && service.Spec.ClusterIP != core.ClusterIPNone && port.Protocol == core.ProtocolTCP {
				address := net.JoinHostPort(service.Spec.ClusterIP, fmt.Sprint(port.Port))
				wanted[address] = func() []string { return s.targets(service.Namespace, service.Name, port.Name) }
			}
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for address, listener := range s.listeners {
		if wanted[address] == nil {
			listener.Close()
			delete(s.listeners, address)
		}
	}
	for address, targets := range wanted {
		if s.listeners[address] != nil {
			continue
		}
		err := s.network.in(s.network.node, func() error {
			listener, err := net.Listen("tcp4", address)
			if err == nil {
				s.listeners[address] = listener
				go accept(listener, targets)
			}
			return err
		})
		if err != nil {
			log.Println(err)
		}
	}
}

// endpointsOf returns the endpoints of a Service that are ready, with their ports.
func (s *services) endpointsOf(namespace, name string) (found []discovery.Endpoint, ports []discovery.EndpointPort) {
	slices, err := s.slices.EndpointSlices(namespace).List(labels.SelectorFromSet(labels.Set{discovery.LabelServiceName: name}))
	if err != nil {
		log.Println("the endpoints cannot be listed:", err)
	}
	for _, slice := range slices {
		for _, endpoint := range slice.Endpoints {
			if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
				found, ports = append(found, endpoint), slice.Ports
			}
		}
	}
	return found, ports
}

func (s *services) targets(namespace, name, port string) (targets []string) {
	if namespace == meta.NamespaceDefault && name == "kubernetes" {
		return []string{s.apiServer}
	}
	endpoints, ports := s.endpointsOf(namespace, name)
	for _, endpoint := range endpoints {
		for _, candidate := range ports {
			if candidate.Name != nil && candidate.Port != nil && *candidate.Name == port {
				targets = append(targets, net.JoinHostPort(endpoint.Addresses[0], fmt.Sprint(*candidate.Port)))
			}
		}
	}
	return targets
}

func accept(listener net.Listener, targets func() []string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return // The Service is gone.
		}
		go func() {
			defer client.Close()
			found := targets()
			if len(found) == 0 {
				return
			}
			server, err := net.DialTimeout("tcp4", found[rand.IntN(len(found))], 5*time.Second)
			if err != nil {
				return
			}
			defer server.Close()
			connect(client, server)
		}()
	}
}

type halfCloser interface{ CloseWrite() error }

// connect copies both ways until both sides have ended.
func connect(one, other io.ReadWriter) {
	var both sync.WaitGroup
	for from, to := range map[io.ReadWriter]io.ReadWriter{one: other, other: one} {
		both.Go(func() {
			_, _ = io.Copy(to, from)
			if closer, ok := to.(halfCloser); ok {
				_ = closer.CloseWrite()
			}
		})
	}
	both.Wait()
}
