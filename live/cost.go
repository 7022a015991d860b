package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// The parts of stamping whose cost is measured, without stamps first.
var costModes = []struct {
	name    string
	options stamps.Options
	every   int // one message in so many has a record; 0: none, but all arrivals have stamps
}{
	{"off", stamps.Options{}, 0},
	{"arrivals", stamps.Options{Arriving: true}, 0},
	{"1 in 64", stamps.Options{Sending: true, Arriving: true}, 64},
	{"all", stamps.Options{Sending: true, Arriving: true}, 1},
}

// costOrder are the orders of the modes, in turn: each mode comes once after each other one, so that what a
// block leaves behind falls on all alike.
var costOrder = [][]int{{0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}}

// Blocks are short, so that what else the machine does falls on all modes of a round, and hold one message
// of those that are stamped 1 in 64.
const (
	costBytes  = 64
	costBlocks = 120 // of each mode
	costTrips  = 64  // of a block
	costFirst  = 4   // round trips before them, which are not timed
)

// measureCost measures round trips between two ends of this process in alternating blocks, and returns for each
// mode by how much they take longer than without stamps. It returns an error if sockets with these stamps
// cannot be had, or if ctx ends.
func measureCost(ctx context.Context, spec Spec) (*trace.StampCost, error) {
	var c costs
	defer c.close()
	for _, m := range costModes {
		o := m.options
		o.Spin, o.Congestion = spec.Wait == waitSpin, spec.Congestion
		links, err := connectLoopback(spec.Protocol, newToken(), o)
		if err != nil {
			return nil, fmt.Errorf("stamps %s: %w", m.name, err)
		}
		// Records are made as in a run, and thrown away.
		none := func(Batch) {}
		c.clients = append(c.clients, newEnd(0, spec, []*link{nil, links[0]}, none))
		c.servers = append(c.servers, newEnd(1, spec, []*link{links[1], nil}, none))
	}
	for range costBlocks / len(costOrder) {
		c.order = append(c.order, slices.Concat(costOrder...)...)
	}
	return c.measure(ctx)
}

// costs measures with a thread at each end, which take the sockets of the modes in the same order.
type costs struct {
	clients, servers []*End // by mode
	order            []int  // of modes
	// Number of the block in which the client is; serve leaves a block that is over.
	turn  atomic.Int64
	times [4][]float64 // of the blocks of each mode, ns a round trip
}

// measure makes the blocks with a thread at each end, and compares those of each mode with the blocks without
// stamps of the same round.
func (c *costs) measure(ctx context.Context) (*trace.StampCost, error) {
	client, server := c.clients[0], c.servers[0]
	server.thread(c.serve)
	client.thread(func() error {
		defer c.turn.Store(math.MaxInt64) // the server ends
		return c.drive(ctx)
	})
	client.group.Wait()
	server.group.Wait()
	if err := cmp.Or(ctx.Err(), client.Failed(), server.Failed()); err != nil {
		return nil, err
	}
	out := &trace.StampCost{Bytes: costBytes, Blocks: costBlocks}
	for i, m := range costModes {
		var changes []float64
		// The k-th blocks of all modes are of one round, and next to each other in time.
		for k, t := range c.times[i] {
			changes = append(changes, portable.Log(t/c.times[0][k])) // so that disturbed blocks count alike, whichever it is
		}
		perCent := func(log float64) float64 { return 100 * (portable.Exp(log) - 1) }
		// The shift of logarithms is a factor.
		change, low, high := shift(changes)
		use := trace.StampUse{Mode: m.name, RoundNs: median(c.times[i]), PerCent: perCent(change), LowPerCent: perCent(low), HighPerCent: perCent(high)}
		out.Modes = append(out.Modes, use)
	}
	return out, nil
}

// drive makes the round trips of all blocks.
func (c *costs) drive(ctx context.Context) error {
	for turn, mode := range c.order {
		c.turn.Store(int64(turn))
		client := c.clients[mode]
		// The patterns of recorded and quiet are those of a run with so many messages.
		l, sampled := client.links[1], Spec{Every: costModes[mode].every, Count: costTrips, Protocol: client.spec.Protocol}
		var sum time.Duration
		for i := -costFirst; i < costTrips; i++ {
			h := header{purpose: ping, bytes: costBytes}
			if sampled.Every > 0 {
				h.recorded, h.quiet = sampled.recorded(i), sampled.quiet(i)
			}
			begun := time.Now()
			if err := l.send(h, begun.UnixNano()); err != nil {
				return err
			}
			if err := l.answer(ctx); err != nil {
				return err
			}
			if i >= 0 {
				// The first ones find cold caches.
				sum += time.Since(begun)
			}
			if err := l.drain(); err != nil {
				return err
			}
			l.sending, l.receipts = l.sending[:0], l.receipts[:0]
		}
		c.times[mode] = append(c.times[mode], float64(sum)/costTrips)
	}
	return nil
}

// serve answers the messages of all blocks. It leaves a block of which messages were lost when the other
// end does.
func (c *costs) serve() error {
	for turn, mode := range c.order {
		e := c.servers[mode]
		l := e.links[0]
		for n := 0; n < costFirst+costTrips && c.turn.Load() <= int64(turn); {
			h, err := l.receive()
			switch {
			case errors.Is(err, stamps.ErrNothing), errors.Is(err, errForeign) && !l.tcp:
				continue
			case err != nil:
				return err
			}
			if err := e.react(l, h); err != nil {
				return err
			}
			l.receipts = l.receipts[:0]
			n++
		}
	}
	return nil
}

// close stops all ends. What goes wrong then is in no figure.
func (c *costs) close() {
	for i := range c.servers {
		_, _ = c.clients[i].Stop()
		_, _ = c.servers[i].Stop()
	}
}

// median returns that of numbers in any order.
func median(x []float64) float64 { return portable.Median(slices.Sorted(slices.Values(x))) }

// shift returns by how much paired values differ, from their differences, with the interval of 95 % of
// Wilcoxon's signed ranks: the median of the means of all pairs of differences (Hodges and Lehmann).
// Blocks that something else has disturbed count little.
func shift(differences []float64) (estimate, low, high float64) {
	var means []float64
	for i, x := range differences {
		for _, y := range differences[:i+1] {
			means = append(means, (x+y)/2)
		}
	}
	slices.Sort(means)
	n := float64(len(differences))
	// Rank of the limit in the normal approximation: n(n+1)/4 - 1.96 sqrt(n(n+1)(2n+1)/24).
	outside := float64(n*(n+1)/4) - float64(1.96*math.Sqrt(n*(n+1)*(float64(2*n)+1)/24))
	k := int(max(0, outside))
	return portable.Median(means), means[k], means[len(means)-1-k]
}
