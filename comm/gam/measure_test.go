package gam_test

import (
	"testing"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Measurements by messages, as the user-space study makes them (userspace §4).

// send sends a message of any length in pieces, receive takes one.
func send(c *host.Context, p *testbed.Process, to int, from host.Addr, n int) {
	for o := 0; o < n; o += 4096 {
		if err := p.Endpoint.Send(c, to, from+host.Addr(o), min(4096, n-o), trace.Meta{Kind: trace.Message}); err != nil {
			panic(err)
		}
	}
}

func receive(c *host.Context, p *testbed.Process, from int, into host.Addr, n int) {
	for o := 0; o < n; o += 4096 {
		if _, err := p.Endpoint.Receive(c, from, into+host.Addr(o), min(4096, n-o)); err != nil {
			panic(err)
		}
	}
}

// oneWay is RTT/2 of messages of n bytes, µs.
func oneWay(t *testing.T, platform string, n, rounds int) (us float64) {
	r := testbed.New(t, platform, "gam", 2, 4096)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			a := p.Space.Alloc(int64(n))
			for i := range rounds + 2 {
				begin := c.Now()
				send(c, p, 1, a, n)
				receive(c, p, 1, a, n)
				if i >= 2 {
					us += c.Now().Sub(begin).Us() / float64(2*rounds)
				}
			}
		},
		func(c *host.Context, p *testbed.Process) {
			a := p.Space.Alloc(int64(n))
			for range rounds + 2 {
				receive(c, p, 0, a, n)
				send(c, p, 0, a, n)
			}
		})
	return us
}

// stream is the bandwidth of a sequence of messages of n bytes, MB/s.
func stream(t *testing.T, platform string, n, count int, changes ...testbed.Change) (mbps float64) {
	r := testbed.New(t, platform, "gam", 2, 4096, changes...)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			a := p.Space.Alloc(int64(n))
			for range count + 2 {
				send(c, p, 1, a, n)
			}
		},
		func(c *host.Context, p *testbed.Process) {
			a := p.Space.Alloc(int64(n))
			receive(c, p, 0, a, n)
			receive(c, p, 0, a, n)
			begin := c.Now()
			for range count {
				receive(c, p, 0, a, n)
			}
			mbps = float64(n*count) / c.Now().Sub(begin).Us()
		})
	return mbps
}
