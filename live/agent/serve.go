package agent

import (
	"net"
	"slices"
	"time"

	"github.com/sigview/sigview/live/watch"
)

// watch prepares the watch that a setup asks for. It returns an error if this host does not let the agent watch.
func (s *session) watch(m setup) (o opened, err error) {
	m.Watch.Control = uint16(s.c.tls.LocalAddr().(*net.TCPAddr).Port)
	if there := s.c.way().There; !slices.Contains(m.Watch.Addresses, there) {
		m.Watch.Addresses = append(m.Watch.Addresses, there)
	}
	if s.there, err = watch.Serve(*m.Watch); err != nil {
		return o, err
	}
	return opened{Addresses: watch.Addresses(), Boot: watch.Boot()}, nil
}

// handEvery is how often halves of messages are sent.
const handEvery = 50 * time.Millisecond

// obey does what node 0 asks for until it asks for the end.
func (s *session) obey() error {
	if s.there == nil {
		_, err := next[stop](s.c)
		return err
	}
	asked, wrong := make(chan message), make(chan error, 1)
	go func() {
		for {
			m, err := s.c.receive()
			if err != nil {
				wrong <- explain(err, s.c.silence)
				return
			}
			select {
			case asked <- m:
			case <-s.ctx.Done():
				return
			}
			if _, last := m.(stop); last {
				return
			}
		}
	}()
	tick := time.NewTicker(handEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-wrong:
			return err
		case <-tick.C:
			if err := s.handHalves(); err != nil {
				return err
			}
		case m := <-asked:
			switch m := m.(type) {
			case stop:
				return s.there.Follow(false)
			case follow:
				if err := s.there.Follow(m.On); err != nil {
					return err
				}
				if err := s.c.send(followed{}); err != nil {
					return explain(err, s.c.silence)
				}
			}
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
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

// handHalves sends the halves that there are.
func (s *session) handHalves() error {
	add, rest := s.sender()
	if err := s.there.Halves(add); err != nil {
		return err
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
	for _, h := range all.Histograms {
		if err := s.c.send(counted{h}); err != nil {
			return err
		}
	}
	return s.c.send(told{all})
}
