package userspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// designs holds the rows of what makes a layer what it is.
func (r *rows) designs() {
	l := r.comparison
	r.Versus("us-fm-design", "FM provoked", l.shows("fm", fmDesign), "PM provoked", l.shows("pm", fmDesign))
	r.Versus("us-pm-design", "PM provoked", l.shows("pm", pmDesign), "FM provoked", l.shows("fm", pmDesign))
	r.Versus("us-vmmc-design", "VMMC-2 provoked", l.shows("vmmc", vmmcDesign), "PM provoked", l.shows("pm", vmmcDesign))
	r.Versus("us-bip-design", "BIP provoked", l.shows("bip", bipDesign), "FM provoked", l.shows("fm", bipDesign))
	firmware := map[string]string{"reliability": "Firmware"}
	r.Versus("us-vmmc-rel", "a packet damaged on the way of VMMC-2", l.shows("vmmc", firmware), "on the way of AM-II", l.shows("amii", firmware))
	deposit := map[string]string{"model": "Direct Deposit"}
	r.Versus("us-vmmc-sync", "a second message before the first is read", l.shows("vmmc", deposit), "the same on PM", l.shows("pm", deposit))
	r.Versus("us-fm-overlap", "the receiving host when the send of 4 KB returns", l.overlap(unchanged), string(wholeFirst), l.overlap(wholeFirst))
	r.Versus("us-pm-dma", "host DMAs and copies for 4 B", l.onlyDMA("pm"), "the same on VMMC-2", l.onlyDMA("vmmc"))
	r.Versus("us-pm-immediate", "the engines as the injection of 4 KB begins", l.immediate(unchanged), string(notAtOnce), l.immediate(notAtOnce))
	r.Versus("us-pm-copy", "stream of 8 KB from and in pinned buffers", l.inPlace(true), "from and into memory of the program", l.inPlace(false))
}

// What the designs consist of, in the words of the two tables.
var (
	fmDesign = map[string]string{
		"model": "Send/Recv", "overflow": "Prevented", "damage": "Catastrophic", "multiprogramming": "No", "control": "Combined",
	}
	pmDesign = map[string]string{
		"model": "Send/Recv", "overflow": "Tolerated", "damage": "Catastrophic", "multiprogramming": "Yes",
	}
	vmmcDesign = map[string]string{
		"model": "Direct Deposit", "overflow": "Impossible", "damage": "Tolerated", "multiprogramming": "Yes",
		"internode": "Yes", "reliability": "Firmware",
	}
	bipDesign = map[string]string{
		"model": "Send/Recv", "overflow": "Data Loss", "damage": "Catastrophic", "multiprogramming": "No",
		"internode": "No", "control": "Data Only",
	}
)

// shows tells whether a layer, provoked, shows each of these words.
func (l *comparison) shows(layer string, words map[string]string) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		b := lab{l.seed, layer}
		ok := true
		var said []string
		for _, x := range []struct {
			name string
			find func() (finding, error)
		}{
			{"model", b.model}, {"control", b.control}, {"internode", b.internode}, {"multiprogramming", b.multiprogramming},
			{"overflow", b.overflow}, {"damage", b.damage}, {"reliability", b.reliability},
		} {
			want, asked := words[x.name]
			if !asked {
				continue
			}
			f, err := x.find()
			if err != nil {
				return judge.Measured{}, fmt.Errorf("%s of %s: %w", x.name, layer, err)
			}
			ok = ok && f.word == want
			said = append(said, x.name+" "+f.word)
		}
		return holds(ok, "%s", strings.Join(said, ", ")), nil
	})
}

// message sends one message of n bytes to a process that waits for it; during
// looks on when the send has returned.
func (p *livePair) message(n int, during func()) error {
	a, b := newMail(p.procs[0], n), newMail(p.procs[1], n)
	var failed error
	_, err := p.try(
		func(c *host.Context) {
			c.Sleep(sim.Millisecond)
			failed = a.send(c, n, 1)
			during()
		},
		func(c *host.Context) {
			number, e := b.receive(c, n)
			if failed = errors.Join(failed, e); number != 1 {
				failed = errors.Join(failed, fmt.Errorf("message %d", number))
			}
		})
	return errors.Join(err, failed)
}

// overlap tells whether FM's receiver has taken part of a message when its
// send returns.
func (l *comparison) overlap(v change) judge.Measure {
	return l.live("fm", v, func(p *livePair) (judge.Measured, error) {
		var copied uint64
		err := p.message(4096, func() { copied = p.Nodes[1].Host.Stats().Copied })
		return holds(copied > 0 && copied < 4096, "%d of 4096 B copied by the handler", copied), err
	})
}

// onlyDMA tells whether a short message goes by DMA at both ends, and stays
// where it is at both.
func (l *comparison) onlyDMA(layer string) judge.Measure {
	return l.live(layer, unchanged, func(p *livePair) (judge.Measured, error) {
		if err := p.message(4, func() {}); err != nil {
			return judge.Measured{}, err
		}
		out, in := stateOf(p.Nodes[0]), stateOf(p.Nodes[1])
		return holds(out.dmas > 0 && in.dmas > 0 && out.copied+in.copied == 0, "%d host DMAs at the sender, %d at the receiver, %d B copied",
			out.dmas, in.dmas, out.copied+in.copied), nil
	})
}

// immediate tells whether the interface still fetches a message as it begins
// to send it.
func (l *comparison) immediate(v change) judge.Measure {
	return l.live("pm", v, func(p *livePair) (judge.Measured, error) {
		fetching, seen := false, 0
		p.Net.DropWhen(func(k *fabric.Packet) bool {
			if k.Src == 0 && k.Header.Meta.Kind == trace.Message {
				fetching = p.Nodes[0].NIC.HostBusy()
				seen++
			}
			return false
		})
		err := p.message(4096, func() {})
		return holds(fetching && seen == 1, "the H engine is %s", map[bool]string{true: "busy", false: "idle"}[fetching]), err
	})
}

// inPlace tells whether a stream of PM's copies nothing and is as fast as those
// of the layers without a copy.
func (l *comparison) inPlace(pinned bool) judge.Measure {
	return func(context.Context) (judge.Measured, error) {
		p, err := l.pair("pm", unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		defer p.Engine.Close()
		const n, messages = 8192, 200
		a, b := p.procs[0], p.procs[1]
		from, into := a.Endpoint.Buffer(n), host.Addr(0)
		if !pinned {
			from, into = a.Space.Alloc(n), b.Space.Alloc(n)
		}
		var failed error
		var began, ended sim.Time
		_, err = p.try(
			func(c *host.Context) {
				began = c.Now()
				for range messages {
					failed = errors.Join(failed, a.Endpoint.Send(c, 1, from, n, trace.Meta{Kind: trace.Message}))
				}
			},
			func(c *host.Context) {
				for range messages {
					_, e := b.Endpoint.Receive(c, 0, into, n)
					failed = errors.Join(failed, e)
				}
				ended = c.Now()
			})
		copied := p.Nodes[0].Host.Stats().Copied + p.Nodes[1].Host.Stats().Copied
		mb := n * messages / ended.Sub(began).Us()
		return holds(copied == 0 && mb >= 95 && mb <= 125, "%.1f MB/s, %d B copied for %d", mb, copied, n*messages), errors.Join(err, failed)
	}
}
