package userspace

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// designs holds the rows of what makes a layer what it is.
func (r *rows) designs() {
	for id, d := range map[string]struct{ layer, other, words string }{
		"us-fm-design":   {"fm", "pm", "model Send/Recv, ctl Combined, multi No, ovf Prevented, err Catastrophic"},
		"us-pm-design":   {"pm", "fm", "model Send/Recv, multi Yes, ovf Tolerated, err Catastrophic"},
		"us-vmmc-design": {"vmmc", "pm", "model Direct Deposit, inter Yes, multi Yes, ovf Impossible, err Tolerated, rel Firmware"},
		"us-bip-design":  {"bip", "fm", "model Send/Recv, ctl Data Only, inter No, multi No, ovf Data Loss, err Catastrophic"},
		"us-vmmc-rel":    {"vmmc", "amii", "rel Firmware"},
		"us-vmmc-sync":   {"vmmc", "pm", "model Direct Deposit"},
	} {
		r.versus(id, "what Tables 1 and 2 say of "+d.layer, shows(d.layer, d.words), "the same on "+d.other, shows(d.other, d.words))
	}
	r.changed("us-fm-overlap", "the receiving host when the send of 4 KB returns", overlap, wholeFirst)
	r.versus("us-pm-dma", "host DMAs and copies for 4 B", onlyDMA("pm"), "the same on VMMC-2", onlyDMA("vmmc"))
	r.changed("us-pm-immediate", "the engines as the injection of 4 KB begins", immediate, notAtOnce)
	r.versus("us-pm-copy", "stream of 8 KB from and in pinned buffers", inPlace(true), "from and into memory of the program", inPlace(false))
}

// shows tests that a layer shows the words of some columns of the two tables.
func shows(layer, words string) test {
	return test{words, func(x *study) judge.Measured {
		var said []string
		for _, word := range strings.Split(words, ", ") {
			name, _, _ := strings.Cut(word, " ")
			said = append(said, name+" "+x.find(name, layer).word)
		}
		got := strings.Join(said, ", ")
		return holds(got == words, "%s", got)
	}}
}

// overlap tests that FM's receiver has taken part of a message when its send
// returns.
var overlap = on("fm", "more than nothing and less than all is copied", func(b *testbed.Bed) judge.Measured {
	var copied uint64
	b.OneMessage(4096, func() { copied = moves(b, 1).copied })
	return holds(copied > 0 && copied < 4096, "%d of 4096 B copied by the handler", copied)
})

// onlyDMA tests that a short message goes by DMA at both ends, and stays where it
// is at both.
func onlyDMA(layer string) test {
	return on(layer, "host DMAs on both nodes, nothing copied", func(b *testbed.Bed) judge.Measured {
		b.OneMessage(4, nil)
		out, in := moves(b, 0), moves(b, 1)
		return holds(out.dmas > 0 && in.dmas > 0 && out.copied+in.copied == 0, "%d host DMAs at the sender, %d at the receiver, %d B copied",
			out.dmas, in.dmas, out.copied+in.copied)
	})
}

// immediate tests that the interface still fetches a message as it begins to send
// it.
var immediate = on("pm", "one packet, the H engine busy", func(b *testbed.Bed) judge.Measured {
	busy, seen := 0, 0
	b.Tap(func(k *fabric.Packet) {
		if k.Src == 0 && k.Header.Meta.Kind == trace.Message {
			if seen++; b.Nodes[0].NIC.HostBusy() {
				busy++
			}
		}
	})
	b.OneMessage(4096, nil)
	return holds(seen == 1 && busy == 1, "%d packets, the H engine busy at %d", seen, busy)
})

// inPlace tests that a stream of PM's copies nothing and is as fast as those of
// the layers without a copy.
func inPlace(pinned bool) test {
	const n, messages = 8192, 200
	wants := fmt.Sprintf("nothing copied, %d to %d MB/s", zeroCopyFrom, zeroCopyTo)
	return on("pm", wants, func(b *testbed.Bed) judge.Measured {
		out, in := b.Endpoint(0).Buffer(n), host.Addr(0)
		if !pinned {
			out, in = b.Process(0).Space.Alloc(n), b.Process(1).Space.Alloc(n)
		}
		_, took := stream(b, messages, n, out, in)
		copied := moves(b, 0).copied + moves(b, 1).copied
		mb := n * messages / took.Us()
		return holds(copied == 0 && mb >= zeroCopyFrom && mb <= zeroCopyTo, "%.1f MB/s, %d B copied for %d", mb, copied, n*messages)
	})
}
