package live

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// Progress is how far a run is.
type Progress struct {
	Done, Total int64 // messages that senders have sent of their own accord
	// Look makes the tables of what has been recorded so far.
	Look func() (*trace.Run, error)
}

// Watch is called from time to time while a run goes on. The run does not wait for it.
type Watch func(Progress)

// Loopback runs two ends in this process, which exchange messages over the host's loopback interface.
// In an open loop, round trips of the same sizes after it are the baseline.
func Loopback(ctx context.Context, spec Spec, watch Watch) (*trace.Run, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.filled()
	cost, err := measureCost(ctx, spec)
	if err != nil {
		return nil, err
	}
	run, err := loopback(ctx, spec, watch)
	if err != nil {
		return nil, err
	}
	run.Manifest.Cost = cost
	if spec.Pattern == PingPong {
		return run, nil
	}
	idle, err := loopback(ctx, spec.idle(), nil)
	if err != nil {
		return nil, err
	}
	base, err := analysis.BaselineOf(*idle)
	if err == nil {
		analysis.Of(*run).Against(base).Store(run)
	}
	return run, err
}

func loopback(ctx context.Context, spec Spec, watch Watch) (*trace.Run, error) {
	links, err := connectLoopback(spec.Protocol, newToken(), spec.options())
	if err != nil {
		return nil, err
	}
	began, clock := time.Now(), watchSteps()
	c, err := newCollector(2, int(slices.Max(spec.Sizes)), oneClock{}, began.UnixNano(), true)
	if err != nil {
		return nil, err
	}
	ends := []*End{newEnd(0, spec, []*link{nil, links[0]}, c.Take), newEnd(1, spec, []*link{links[1], nil}, c.Take)}
	r := result{spec: spec, nodes: 2, collector: c, hosts: []Host{ThisHost(links[0].local)}, oneHost: true}
	r.counts, err = runEnds(ctx, spec, ends, func(p Progress) {
		p.Look = func() (*trace.Run, error) {
			so := r
			so.took, so.underWay = time.Since(began), true
			return tables(so)
		}
		watch.report(p)
	})
	r.spoilt, r.took = clock.stop(), time.Since(began)
	if err != nil {
		return nil, err
	}
	return tables(r)
}

func (w Watch) report(p Progress) {
	if w != nil {
		w(p)
	}
}

// lookAtProgress is how often a Watch is called.
const lookAtProgress = 100 * time.Millisecond

// runEnds lets ends of this process exchange messages, and stops them.
func runEnds(ctx context.Context, spec Spec, ends []*End, watch Watch) (counts []Counts, err error) {
	for _, e := range ends {
		e.Receive()
	}
	var total int64
	for i := range ends {
		total += int64(len(spec.Sizes) * (spec.Count + spec.Warm) * len(spec.receivers(i, len(ends))))
	}
	var sent atomic.Int64
	failures := make(chan error, len(ends))
	for _, e := range ends {
		go func() { failures <- e.Drive(ctx, func(n int) { sent.Add(int64(n)) }) }()
	}
	tick := time.NewTicker(lookAtProgress)
	defer tick.Stop()
	for left := len(ends); left > 0; {
		select {
		case <-tick.C:
			watch.report(Progress{Done: min(sent.Load(), total), Total: total})
		case failed := <-failures:
			left--
			err = cmp.Or(err, failed)
		}
	}
	time.Sleep(settle)
	for _, e := range ends {
		c, failed := e.Stop()
		err = cmp.Or(err, failed)
		counts = append(counts, c)
	}
	return counts, err
}

// settle is the time in which the last messages arrive.
const settle = 100 * time.Millisecond

// connectLoopback connects two links of this host.
func connectLoopback(p stamps.Protocol, token uint64, o stamps.Options) (pair [2]*link, err error) {
	a, b, err := loopbackPair(p)
	if err != nil {
		return pair, err
	}
	for i, c := range []stamps.Connection{a, b} {
		s, err := stamps.New(c, p, o)
		if err != nil {
			return pair, err
		}
		pair[i] = newLink(s, 1-i, token, p)
		pair[i].local = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return pair, nil
}

func loopbackPair(p stamps.Protocol) (a, b stamps.Connection, err error) {
	here := net.IPv4(127, 0, 0, 1)
	if p == stamps.TCP {
		l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: here})
		if err != nil {
			return nil, nil, err
		}
		defer l.Close()
		c, err := net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr))
		if err != nil {
			return nil, nil, err
		}
		d, err := l.AcceptTCP()
		return c, d, err
	}
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: here})
	if err != nil {
		return nil, nil, err
	}
	d, err := net.DialUDP("udp", &net.UDPAddr{IP: here}, c.LocalAddr().(*net.UDPAddr))
	if err != nil {
		return nil, nil, err
	}
	return c, d, stamps.Connect(c, d.LocalAddr().(*net.UDPAddr).AddrPort())
}

func newToken() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint64(b[:])
}
