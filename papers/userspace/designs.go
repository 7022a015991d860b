package userspace

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
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
	r.Versus("us-fm-overlap", "the receiving host when the send of 4 KB returns", r.on("fm", unchanged, overlap), string(wholeFirst), r.on("fm", wholeFirst, overlap))
	r.Versus("us-pm-dma", "host DMAs and copies for 4 B", r.on("pm", unchanged, onlyDMA), "the same on VMMC-2", r.on("vmmc", unchanged, onlyDMA))
	r.Versus("us-pm-immediate", "the engines as the injection of 4 KB begins", r.on("pm", unchanged, immediate), string(notAtOnce), r.on("pm", notAtOnce, immediate))
	r.Versus("us-pm-copy", "stream of 8 KB from and in pinned buffers", r.on("pm", unchanged, inPlace(true)),
		"from and into memory of the program", r.on("pm", unchanged, inPlace(false)), "nothing copied, 95 to 125 MB/s")
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
func message(b *testbed.Bed, n int, during func()) {
	from, to := b.Mail(0, n), b.Mail(1, n)
	b.Play(
		func(c *host.Context) {
			c.Sleep(sim.Millisecond)
			b.Keep(from.Send(c, n, 1))
			during()
		},
		func(c *host.Context) {
			if number, err := to.Receive(c, n); b.Keep(err) && number != 1 {
				b.Fail("message %d", number)
			}
		})
}

// overlap tells whether FM's receiver has taken part of a message when its
// send returns.
func overlap(b *testbed.Bed) judge.Measured {
	var copied uint64
	message(b, 4096, func() { copied = b.Nodes[1].Host.Stats().Copied })
	return holds(copied > 0 && copied < 4096, "%d of 4096 B copied by the handler", copied)
}

// onlyDMA tells whether a short message goes by DMA at both ends, and stays
// where it is at both.
func onlyDMA(b *testbed.Bed) judge.Measured {
	message(b, 4, func() {})
	out, in := stateOf(b.Nodes[0]), stateOf(b.Nodes[1])
	return holds(out.dmas > 0 && in.dmas > 0 && out.copied+in.copied == 0, "%d host DMAs at the sender, %d at the receiver, %d B copied",
		out.dmas, in.dmas, out.copied+in.copied)
}

// immediate tells whether the interface still fetches a message as it begins
// to send it.
func immediate(b *testbed.Bed) judge.Measured {
	fetching, seen := false, 0
	b.Tap(func(k *fabric.Packet) {
		if k.Src == 0 && k.Header.Meta.Kind == trace.Message {
			fetching = b.Nodes[0].NIC.HostBusy()
			seen++
		}
	})
	message(b, 4096, func() {})
	return holds(fetching && seen == 1, "the H engine is %s", map[bool]string{true: "busy", false: "idle"}[fetching])
}

// inPlace tells whether a stream of PM's copies nothing and is as fast as those
// of the layers without a copy.
func inPlace(pinned bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		const n, messages = 8192, 200
		from, to := b.Process(0), b.Process(1)
		out, in := from.Endpoint.Buffer(n), host.Addr(0)
		if !pinned {
			out, in = from.Space.Alloc(n), to.Space.Alloc(n)
		}
		var began, ended sim.Time
		b.Play(
			func(c *host.Context) {
				began = c.Now()
				for range messages {
					b.Keep(from.Endpoint.Send(c, 1, out, n, trace.Meta{Kind: trace.Message}))
				}
			},
			func(c *host.Context) {
				for range messages {
					_, err := to.Endpoint.Receive(c, 0, in, n)
					b.Keep(err)
				}
				ended = c.Now()
			})
		copied := b.Nodes[0].Host.Stats().Copied + b.Nodes[1].Host.Stats().Copied
		mb := n * messages / ended.Sub(began).Us()
		return holds(copied == 0 && mb >= 95 && mb <= 125, "%.1f MB/s, %d B copied for %d", mb, copied, n*messages)
	}
}
