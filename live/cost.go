package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// The parts of stamping whose cost is measured, without stamps first.
var costModes = []struct {
	name    string
	options stamps.Options
	every   int // one message in so many is stamped by the sender; 0: none
}{
	{"off", stamps.Options{}, 0},
	{"arrivals", stamps.Options{Arriving: true}, 0},
	{"1 in 64", stamps.Options{Sending: true, Arriving: true}, 64},
	{"all", stamps.Options{Sending: true, Arriving: true}, 1},
}

const (
	costBytes  = 64
	costBlocks = 9
	costTrips  = 200 // of a block
)

// measureCost measures round trips between two ends of this process in alternating blocks.
func measureCost(ctx context.Context, spec Spec) (*trace.StampCost, error) {
	times := make([][]float64, len(costModes)) // of each block
	var pairs []*tripper
	defer func() {
		for _, p := range pairs {
			p.close()
		}
	}()
	for _, m := range costModes {
		o := m.options
		o.Spin, o.Congestion = spec.Wait == Spin, spec.Congestion
		links, err := connectLoopback(spec.Protocol, newToken(), o)
		if err != nil {
			return nil, fmt.Errorf("stamps %s: %w", m.name, err)
		}
		pairs = append(pairs, newTripper(spec, links, m.every))
	}
	for block := -1; block < costBlocks; block++ { // the first one warms up
		for i, p := range pairs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			median, err := p.block(ctx)
			if err != nil {
				return nil, err
			}
			if block >= 0 {
				times[i] = append(times[i], median)
			}
		}
	}
	c := &trace.StampCost{Bytes: costBytes, Blocks: costBlocks}
	for i, m := range costModes {
		var changes []float64
		for k, t := range times[i] {
			changes = append(changes, 100*(t/times[0][k]-1))
		}
		c.Modes = append(c.Modes, trace.StampUse{Mode: m.name, RoundNs: median(times[i]), PerCent: median(changes)})
	}
	return c, nil
}

// tripper makes round trips between two ends of this process.
type tripper struct {
	client, server *End
	every          int
	trips          []float64
}

func newTripper(spec Spec, links [2]*link, every int) *tripper {
	none := func(Batch) {}
	return &tripper{every: every, client: newEnd(0, spec, []*link{nil, links[0]}, none), server: newEnd(1, spec, []*link{links[1], nil}, none)}
}

// block makes round trips and returns their median in ns. Both ends have threads during a block only.
func (t *tripper) block(ctx context.Context) (float64, error) {
	t.trips = t.trips[:0]
	t.server.stop.Store(false)
	t.server.Receive()
	t.client.thread(func() error { return t.trip(ctx) })
	t.client.group.Wait()
	t.server.stop.Store(true)
	t.server.group.Wait()
	if err := errors.Join(t.client.Failed(), t.server.Failed()); err != nil {
		return 0, err
	}
	return median(t.trips), nil
}

func (t *tripper) trip(ctx context.Context) error {
	l := t.client.links[1]
	for i := range costTrips {
		begun := time.Now()
		if err := l.send(header{purpose: ping, bytes: costBytes, recorded: t.every > 0 && i%t.every == 0}, stamps.Now()); err != nil {
			return err
		}
		if err := l.answer(ctx); err != nil {
			return err
		}
		t.trips = append(t.trips, float64(time.Since(begun)))
		if err := l.drain(); err != nil {
			return err
		}
		l.sending, l.coming = l.sending[:0], l.coming[:0]
	}
	return nil
}

func (t *tripper) close() {
	_, _ = t.server.Stop()
	_, _ = t.client.Stop()
}

// median returns that of numbers, of which there is at least one.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
