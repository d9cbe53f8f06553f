package main

import (
	"context"
	"errors"
	"net"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
	core "k8s.io/api/core/v1"
)

const domain = "svc.cluster.local"

// serveNames answers DNS queries of pods at the gateway: the names of Services, and all others as this machine does.
func serveNames(network *network, services *services) error {
	var socket net.PacketConn
	err := network.in(network.node, func() (err error) {
		socket, err = net.ListenPacket("udp4", net.JoinHostPort(network.gateway.String(), "53"))
		return err
	})
	if err != nil {
		return err
	}
	go func() {
		for {
			buffer := make([]byte, 4096)
			size, client, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			go func() {
				if answer, err := services.answer(buffer[:size]); err == nil {
					_, _ = socket.WriteTo(answer, client)
				}
			}()
		}
	}()
	return nil
}

func (s *services) answer(query []byte) ([]byte, error) {
	var message dnsmessage.Message
	if err := message.Unpack(query); err != nil || len(message.Questions) != 1 {
		return nil, errors.New("not a query")
	}
	question := message.Questions[0]
	addresses, known := s.lookUp(strings.ToLower(strings.TrimSuffix(question.Name.String(), ".")))
	answer := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: message.ID, Response: true, Authoritative: true, RecursionDesired: message.RecursionDesired, RecursionAvailable: true},
		Questions: message.Questions,
	}
	if !known {
		answer.RCode = dnsmessage.RCodeNameError
	}
	for _, address := range addresses {
		if four := address.To4(); four != nil && question.Type == dnsmessage.TypeA {
			header := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: 5}
			answer.Answers = append(answer.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: [4]byte(four)}})
		}
	}
	return answer.Pack()
}

// lookUp returns the addresses of a name, and whether the name exists.
func (s *services) lookUp(name string) ([]net.IP, bool) {
	inside, ours := strings.CutSuffix(name, "."+domain)
	if !ours {
		if strings.HasSuffix(name, ".cluster.local") {
			return nil, false
		}
		found, err := net.DefaultResolver.LookupIP(context.Background(), "ip4", name)
		return found, err == nil
	}
	parts := strings.Split(inside, ".")
	if len(parts) < 2 || len(parts) > 3 {
		return nil, false
	}
	namespace, service, host := parts[len(parts)-1], parts[len(parts)-2], strings.Join(parts[:len(parts)-2], "")
	found, err := s.services.Services(namespace).Get(service)
	if err != nil {
		return nil, false
	}
	switch {
	case found.Spec.Type == core.ServiceTypeExternalName:
		return s.lookUp(found.Spec.ExternalName)
	case found.Spec.ClusterIP != core.ClusterIPNone && host == "":
		return []net.IP{net.ParseIP(found.Spec.ClusterIP)}, true
	}
	var addresses []net.IP
	endpoints, _ := s.endpointsOf(namespace, service)
	for _, endpoint := range endpoints {
		if host == "" || endpoint.Hostname != nil && *endpoint.Hostname == host {
			addresses = append(addresses, net.ParseIP(endpoint.Addresses[0]))
		}
	}
	return addresses, len(addresses) > 0
}
