package bip_test

import (
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var data = trace.Meta{Kind: trace.Message}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// send sends a message whose bytes are the number's pattern.
func send(c *host.Context, p *testbed.Process, to, n int, number uint64) {
	at := p.Endpoint.Buffer(max(n, 1))
	p.Space.WriteAt(at, testbed.Pattern(number, n))
	must(p.Endpoint.Send(c, to, at, n, data))
}

// post announces a receive into a new buffer, which it returns.
func post(c *host.Context, p *testbed.Process, from, n int) host.Addr {
	at := p.Endpoint.Buffer(max(n, 1))
	must(p.Endpoint.Post(c, from, at, n))
	return at
}

// receive takes a message, announced at into or into a new buffer.
func receive(c *host.Context, p *testbed.Process, from int, into host.Addr, n int) (comm.Message, []byte) {
	if into == 0 {
		into = p.Endpoint.Buffer(max(n, 1))
	}
	m, err := p.Endpoint.Receive(c, from, into, n)
	must(err)
	b := make([]byte, m.Bytes)
	p.Space.ReadAt(m.At, b)
	return m, b
}

// pingPong returns RTT/2 of messages of n bytes with receives announced ahead
// (userspace §4.1, fragment a).
func pingPong(t testbed.T, n, rounds int) sim.Duration {
	const warm = 2
	r := testbed.New(t, "ppro", "bip", 2, n)
	var begin, end sim.Time
	side := func(c *host.Context, p *testbed.Process) {
		peer := 1 - p.Number
		out, in := p.Endpoint.Buffer(max(n, 1)), post(c, p, peer, n)
		for i := range rounds + warm {
			if i == warm && p.Number == 0 {
				begin = c.Now()
			}
			if p.Number == 0 {
				must(p.Endpoint.Send(c, peer, out, n, data))
			}
			receive(c, p, peer, in, n)
			if i < rounds+warm-1 {
				must(p.Endpoint.Post(c, peer, in, n))
			}
			if p.Number == 1 {
				must(p.Endpoint.Send(c, peer, out, n, data))
			} else {
				end = c.Now()
			}
		}
	}
	r.Go(side, side)
	return end.Sub(begin) / sim.Duration(2*rounds)
}

// overhead returns the time inside a send to a receiver that is ready.
func overhead(t testbed.T, n int) (d sim.Duration) {
	r := testbed.New(t, "ppro", "bip", 2, n)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(2 * sim.Millisecond)
			at := p.Endpoint.Buffer(max(n, 1))
			begin := c.Now()
			must(p.Endpoint.Send(c, 1, at, n, data))
			d = c.Now().Sub(begin)
		},
		func(c *host.Context, p *testbed.Process) {
			receive(c, p, 0, post(c, p, 0, n), n)
		})
	return d
}

// simultaneous returns the bandwidth of one direction while both nodes send
// and then receive, bytes per µs; every receive is announced before the other
// side sends (userspace §4.2, Figure 9).
func simultaneous(t testbed.T, n, rounds int) float64 {
	r := testbed.New(t, "ppro", "bip", 2, n)
	var begin, end sim.Time
	side := func(c *host.Context, p *testbed.Process) {
		peer := 1 - p.Number
		out, word := p.Endpoint.Buffer(max(n, 1)), p.Endpoint.Buffer(4)
		for i := range rounds + 1 {
			if i == 1 {
				begin = c.Now()
			}
			in := post(c, p, peer, n)
			must(p.Endpoint.Send(c, peer, word, 4, data)) // ready
			receive(c, p, peer, word, 4)
			must(p.Endpoint.Send(c, peer, out, n, data))
			receive(c, p, peer, in, n)
		}
		end = c.Now()
	}
	r.Go(side, side)
	return float64(n*rounds) / (float64(end.Sub(begin)) / float64(sim.Microsecond))
}

// stream returns the bandwidth of one direction alone, with the receiver's
// word that it is ready before every long message.
func stream(t testbed.T, n, rounds int) float64 {
	r := testbed.New(t, "ppro", "bip", 2, n)
	long := n >= r.Procs[0].Endpoint.Traits().PostFrom
	var begin, end sim.Time
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			out, word := p.Endpoint.Buffer(max(n, 1)), p.Endpoint.Buffer(4)
			begin = c.Now()
			for range rounds {
				if long {
					receive(c, p, 1, word, 4)
				}
				must(p.Endpoint.Send(c, 1, out, n, data))
			}
		},
		func(c *host.Context, p *testbed.Process) {
			in, word := p.Endpoint.Buffer(max(n, 1)), p.Endpoint.Buffer(4)
			for range rounds {
				if long {
					must(p.Endpoint.Post(c, 0, in, n))
					must(p.Endpoint.Send(c, 0, word, 4, data))
				}
				receive(c, p, 0, in, n)
			}
			end = c.Now()
		})
	return float64(n*rounds) / (float64(end.Sub(begin)) / float64(sim.Microsecond))
}

// transfer returns the time from a send to the end of its receive.
func transfer(r *testbed.Test, n int) (d sim.Duration) {
	var begin sim.Time
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(2 * sim.Millisecond)
			begin = c.Now()
			send(c, p, 1, n, 1)
		},
		func(c *host.Context, p *testbed.Process) {
			receive(c, p, 0, post(c, p, 0, n), n)
			d = c.Now().Sub(begin)
		})
	return d
}
