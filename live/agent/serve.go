package agent

import (
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/watch"
)

// watch prepares the watch that a setup asks for, which keeps apart the port of the probes. It returns an error if this host does not let the agent watch.
func (s *session) watch(m setup, probes uint16) (o opened, err error) {
	m.Watch.Apart = [2]uint16{uint16(s.c.tls.LocalAddr().(*net.TCPAddr).Port), probes}
	if there := s.c.way().There; !slices.Contains(m.Watch.Addresses, there) {
		m.Watch.Addresses = append(m.Watch.Addresses, there)
	}
	if s.there, err = watch.Serve(*m.Watch); err != nil {
		return o, err
	}
	return opened{Addresses: live.Addresses(), Boot: live.Boot(), Own: ends(s.c.tls.LocalAddr()), Node0: ends(s.c.tls.RemoteAddr())}, nil
}

// handEvery is how often halves of messages are sent.
const handEvery = 50 * time.Millisecond

// obey does what node 0 asks for until it asks for the end. Meanwhile a watch hands over what it sees.
func (s *session) obey() error {
	if s.there == nil {
		_, err := next[stop](s.c)
		return err
	}
	var handing sync.WaitGroup
	over := make(chan struct{})
	defer handing.Wait()
	defer close(over)
	handing.Go(func() {
		s.every(handEvery, over, func() error { return explain(s.handHalves(), s.c.silence) })
	})
	for {
		m, err := s.c.receive()
		if err != nil {
			return explain(err, s.c.silence)
		}
		switch m := m.(type) {
		case alive:
		case stop:
			return s.there.Follow(watch.Rests)
		case follow:
			if err := s.follow(m.Phase); err != nil {
				return err
			}
			if err := s.c.send(followed{}); err != nil {
				return explain(err, s.c.silence)
			}
		default:
			return fmt.Errorf("it has sent a frame of kind %d, want %d", m.kind(), isFollow)
		}
	}
}

// follow follows what is in a phase, or tells what there is.
func (s *session) follow(p watch.Phase) error {
	if p != watch.Tells {
		return s.there.Follow(p)
	}
	if err := s.handHalves(); err != nil {
		return err
	}
	all, err := s.there.Told(nil)
	if err != nil {
		return err
	}
	return s.count(all)
}

// count sends what was counted.
func (s *session) count(all watch.Told) error {
	for _, h := range all.Histograms {
		if err := s.c.send(counted{h}); err != nil {
			return err
		}
	}
	return s.c.send(told{all})
}

// sender returns what sends halves in frames, and what sends the rest.
func (s *session) sender() (add func(watch.Half), rest func() error) {
	var all []watch.Half
	var failed error
	rest = func() error {
		if len(all) > 0 && failed == nil {
			failed = s.c.send(halves{all})
		}
		all = all[:0]
		return failed
	}
	return func(h watch.Half) {
		if all = append(all, h); len(all) == mostHalves {
			_ = rest() // which keeps the error
		}
	}, rest
}

// handHalves sends the halves that there are, and names that they are the first to need.
func (s *session) handHalves() error {
	s.handing.Lock()
	defer s.handing.Unlock()
	add, rest := s.sender()
	fresh := false
	if err := s.there.Halves(func(h watch.Half) {
		add(h)
		fresh = fresh || h.Kind == watch.HalfSent && int(h.Program) >= s.names
	}); err != nil {
		return err
	}
	if fresh {
		names, err := s.there.Names()
		if err != nil {
			return err
		}
		s.names = len(names)
		if err := s.c.send(told{watch.Told{Names: names}}); err != nil {
			return err
		}
	}
	return rest()
}

// tell sends what is left and what was counted, if the session watches.
func (s *session) tell() error {
	if s.there == nil {
		return nil
	}
	if err := s.handHalves(); err != nil {
		return err
	}
	add, rest := s.sender()
	all, err := s.there.Told(add)
	if err != nil {
		return err
	}
	if err := rest(); err != nil {
		return err
	}
	return s.count(all)
}
