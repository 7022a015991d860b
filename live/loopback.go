package live

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// Loopback runs two ends in this process, which exchange messages over the host's loopback interface. In an
// open loop, round trips of the same sizes after it are the baseline. It returns an error if the specification
// is wrong, if a socket fails or if ctx ends.
func Loopback(ctx context.Context, spec Spec, watch Watch) (*trace.Run, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec, err := spec.filled(2)
	if err != nil {
		return nil, err
	}
	return besideIdle(ctx, spec, 1, watch, func(spec Spec, _ int, watch Watch) (*trace.Run, error) {
		return loopback(ctx, spec, watch)
	})
}

// besideIdle makes a run with measure, which is told how many peers to take. It adds what stamps
// cost and, in an open loop, sets the run beside round trips of the same sizes with the first peer.
func besideIdle(ctx context.Context, spec Spec, peers int, watch Watch, measure func(Spec, int, Watch) (*trace.Run, error)) (*trace.Run, error) {
	run, err := measure(spec, peers, watch)
	if err != nil {
		return nil, err
	}
	// Round trips one after the other need no baseline: they are one.
	if run.Manifest.Cost, err = measureCost(ctx, spec); err != nil || spec.Pattern == PingPong {
		return run, err
	}
	idle, err := measure(spec.idle(), 1, nil)
	if err != nil {
		return nil, err
	}
	base, err := analysis.BaselineOf(*idle)
	if err == nil {
		analysis.SetBaseline(run, base)
	}
	return run, err
}

// loopback makes one run of two ends in this process.
func loopback(ctx context.Context, spec Spec, watch Watch) (*trace.Run, error) {
	links, err := connectLoopback(spec.Protocol, newToken(), spec.options())
	if err != nil {
		return nil, err
	}
	return onThisHost(ctx, spec, links, watch)
}

// onThisHost runs two ends in this process over links with one clock.
func onThisHost(ctx context.Context, spec Spec, links [2]*link, watch Watch) (*trace.Run, error) {
	began := time.Now()
	c, err := newCollector(2, int(slices.Max(spec.Sizes)), oneClock{}, began.UnixNano())
	if err != nil {
		return nil, err
	}
	r := result{spec: spec, nodes: 2, collector: c, hosts: []Host{ThisHost(loopbackAddress)}, oneHost: true}
	ctx, fail, end := failing(ctx)
	defer end()
	// Links are by the node at the other end.
	r.counts, err = exchange(ctx, fail, spec, []Node{
		newEnd(0, spec, []*link{nil, links[0]}, c.Take), newEnd(1, spec, []*link{links[1], nil}, c.Take),
	}, r.watched(watch, began))
	r.spoilt, r.took = stepped(r.counts), time.Since(began)
	if err != nil {
		return nil, err
	}
	return tables(r)
}

// loopbackAddress is the address of both ends of a measurement on one host.
var loopbackAddress = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// connectLoopback connects two links of this host.
func connectLoopback(p stamps.Protocol, token uint64, o stamps.Options) (pair [2]*link, err error) {
	a, b, err := loopbackPair(p)
	if err != nil {
		return pair, err
	}
	return linked(a, b, p, token, o)
}

// linked makes links of two connections to each other.
func linked(a, b stamps.Connection, p stamps.Protocol, token uint64, o stamps.Options) (pair [2]*link, err error) {
	for i, c := range []stamps.Connection{a, b} {
		s, err := stamps.New(c, p, o)
		if err != nil {
			if i == 1 {
				_ = pair[0].Close()
			}
			_ = b.Close() // unless it is closed
			return pair, err
		}
		pair[i] = newLink(s, 1-i, token, p)
	}
	return pair, nil
}

// loopbackPair returns two connections of this host to each other.
func loopbackPair(p stamps.Protocol) (a, b stamps.Connection, err error) {
	here := net.IP(loopbackAddress.AsSlice())
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
	// Each of the two accepts datagrams of the other one only.
	d, err := net.DialUDP("udp", &net.UDPAddr{IP: here}, c.LocalAddr().(*net.UDPAddr))
	if err != nil {
		return nil, nil, err
	}
	return c, d, stamps.Connect(c, d.LocalAddr().(*net.UDPAddr).AddrPort())
}
