package userspace

import (
	"context"
	"math"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// vmmc holds the rows of VMMC-2 alone.
func (r *rows) vmmc() {
	points := judge.Once(r.pairPoints)
	r.Of("us-vmmc-lat", "pingpong", judge.Read(points, shortest))
	r.Of("us-vmmc-bw-d", "stream", judge.Read(points, fastest))
	r.Of("us-knee-vmmc-lat", "pingpong", judge.Read(points, knee))
	r.Versus("us-or-vmmc", "computing while messages arrive", r.bed(bare, receiver(false)), "messages with notification", r.bed(bare, receiver(true)))
}

// pairPoint is what the programs of the study measure between the two nodes at
// one size.
type pairPoint struct {
	bytes        int
	oneWayUs, mb float64
}

// pairPoints measures word by word up to 128 B and doubling up to 4 MB.
func (r *rows) pairPoints(ctx context.Context) (out []pairPoint, err error) {
	var sizes []int
	for n := 4; n <= 128; n += 4 {
		sizes = append(sizes, n)
	}
	for n := 256; n <= 4<<20; n *= 2 {
		sizes = append(sizes, n)
	}
	s := bare
	s.Platform, s.Seed = pairPlatform, r.seed
	for _, n := range sizes {
		x := pairPoint{bytes: n}
		x.oneWayUs, err = testbed.With(ctx, s, func(b *testbed.Bed) float64 {
			return b.Pair(0, 1, n).PingPong(n, min(60, max(4, (4<<20)/n))).OneWay().Us()
		})
		if err != nil {
			return nil, err
		}
		x.mb, err = testbed.With(ctx, s, func(b *testbed.Bed) float64 {
			return b.Pair(0, 1, n).Stream(n, min(600, max(6, (8<<20)/n))).BytesPerSecond() / 1e6
		})
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func shortest(points []pairPoint) (judge.Measured, error) {
	best := points[0]
	for _, p := range points {
		if p.oneWayUs < best.oneWayUs {
			best = p
		}
	}
	return value(best.oneWayUs, "half a round trip at %d B", best.bytes), nil
}

func fastest(points []pairPoint) (judge.Measured, error) {
	best := points[0]
	for _, p := range points {
		if p.mb > best.mb {
			best = p
		}
	}
	return value(best.mb, "one way, at %d KB", best.bytes>>10), nil
}

// knee is the size after which a few bytes more cost the most.
func knee(points []pairPoint) (judge.Measured, error) {
	at, step, usual := 0, 0.0, math.Inf(1)
	for i := 1; i < len(points) && points[i].bytes <= 128; i++ {
		d := points[i].oneWayUs - points[i-1].oneWayUs
		if d > step {
			at, step = points[i-1].bytes, d
		}
		if points[i].bytes > 100 {
			usual = min(usual, d)
		}
	}
	return value(float64(at), "%+.1f µs for the next word, %+.2f µs elsewhere", step, usual), nil
}

// receiver is what the arrival of a message takes from a computing host, in µs.
func receiver(notify bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		const messages = 100
		to := b.Interrupting(0, 1, func(*host.Context) {})
		taken := beds.Taken(b, 1, 20*sim.Millisecond, testbed.On(0, func(c *host.Context) {
			for i := range messages {
				b.Depositor(0).Deposit(c, to, []int{4, 64, 1024, 4096}[i%4], notify)
				c.Sleep(100 * sim.Microsecond)
			}
		}))
		if got := b.Nodes[1].VMMC.Stats().Delivered; got != messages {
			b.Fail("%d of %d messages arrived", got, messages)
		}
		return value(taken.Us()/messages, "per message of 4 B to 4 KB")
	}
}
