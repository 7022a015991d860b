package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/watch"
)

// watching is the watch of an agent, which implements watch.Other.
type watching struct {
	r      *remote
	ctx    context.Context
	clocks *live.Clocks
	host   live.Host
	apart  [2]uint16

	mu      sync.Mutex
	halves  []watch.Half
	said    watch.Told
	counted []watch.ToldHistogram // of what it says next
	failed  error                 // the agent has ended
	end     sync.Once
}

// Watch lets an agent watch what a specification asks for, as far as the messages are between its host and this one. It returns an error if the
// agent cannot be reached, has another key, or may not watch. What it returns is ended by End.
func Watch(ctx context.Context, key *Key, host string, spec watch.Spec) (watch.Other, error) {
	r, err := dial(ctx, key, 1, host, thisSide(), silence)
	if err != nil {
		return nil, err
	}
	w := &watching{r: r, ctx: context.WithoutCancel(ctx)}
	// Whatever ends the watch, the agent is asked for what it has.
	r.ctx = w.ctx
	r.mu.Lock()
	r.heard = w.hear
	r.mu.Unlock()
	r.asked = &watch.Asked{Ports: spec.Ports, Every: spec.Joins(), Boot: live.Boot(), Addresses: live.Addresses()}
	control := uint16(r.c.tls.RemoteAddr().(*net.TCPAddr).Port)
	var ports [2]uint16
	if w.clocks, w.host, ports, err = live.CompareClocks(ctx, r, w.fail); err != nil {
		r.close()
		return nil, err
	}
	w.apart = [2]uint16{control, ports[0]}
	if err := r.Drive(w.ctx, func(int) {}); err != nil {
		_ = w.clocks.End() // the agent has failed
		r.close()
		return nil, err
	}
	return w, nil
}

// fail keeps why the agent has ended.
func (w *watching) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if gone := (*live.Gone)(nil); errors.As(err, &gone) {
		err = fmt.Errorf("agent %s has vanished: %w", gone.Name, gone.Err)
	}
	if w.failed == nil {
		w.failed = err
	}
}

// Names implements watch.Other.
func (w *watching) Names() map[int]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.Names
}

// Failed implements watch.Other.
func (w *watching) Failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// hear takes what the agent says of its watch.
func (w *watching) hear(m message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch m := m.(type) {
	case halves:
		w.halves = append(w.halves, m.all...)
	case counted:
		w.counted = append(w.counted, m.ToldHistogram)
	case told:
		if len(m.Counts) == 0 {
			w.said.Names = m.Names
			return
		}
		m.Told.Histograms, w.counted = w.counted, nil
		w.said = m.Told
	}
}

// Host implements watch.Other.
func (w *watching) Host() (live.Host, []netip.Addr, string) {
	return w.host, append(w.r.opened.Addresses, w.r.Way().There), w.r.opened.Boot
}

// Apart implements watch.Other.
func (w *watching) Apart() [2]uint16 { return w.apart }

// Follow implements watch.Other.
func (w *watching) Follow(p watch.Phase) {
	_ = w.r.c.send(follow{p}) // reply has what is wrong
	if _, err := reply[followed](w.ctx, w.r); err != nil {
		w.fail(err)
	}
}

// Tell implements watch.Other.
func (w *watching) Tell() (out watch.Told) {
	w.clocks.Cut()
	w.Follow(watch.Tells)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return out
	}
	return w.said
}

// Translated implements watch.Other.
func (w *watching) Translated() string {
	c, o := w.r.c.tls, &w.r.opened
	for own, seen := range map[netip.AddrPort]netip.AddrPort{ends(c.LocalAddr()): o.Node0, ends(c.RemoteAddr()): o.Own} {
		if own != seen {
			return fmt.Sprintf("%v is %v there", own, seen)
		}
	}
	return ""
}

// Take implements watch.Other.
func (w *watching) Take() (all []watch.Half) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, w.halves = w.halves, nil
	return all
}

// Convert implements watch.Other.
func (w *watching) Convert(at int64) (own, bound int64) { return w.clocks.Convert(at) }

// Ready implements watch.Other.
func (w *watching) Ready(at int64) bool { return w.clocks.Ready(at) }

// End implements watch.Other.
func (w *watching) End() (watch.Told, error) {
	w.end.Do(func() {
		own := w.clocks.End()
		counts, err := w.r.Stop()
		w.r.close()
		if err = cmp.Or(err, own, w.clocks.Stepped(counts)); err != nil {
			w.fail(err)
		}
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said, w.failed
}

// Enter implements watch.Other.
func (w *watching) Enter(to *collect.Records, origin int64) { w.clocks.Enter(to, origin) }
