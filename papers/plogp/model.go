package plogp

import (
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// model adds the rows of what the model predicts (plogp, section 2).
func (r rows) model() {
	r.Versus("pl-ge", "fast method over TCP", r.of(whole(wan), bounded), "over LFC, whose gap is short", r.of(whole(myrinet), bounded))
	r.Versus("pl-sm", "loops of sends over TCP, with a delay of half of g", r.free(0.5), "with a delay of twice g", r.free(2))
	r.Versus("pl-rm", "a stream of messages over TCP", r.series(false), "each sent when the one before is answered", r.series(true))
	r.Versus("pl-overlap", "messages of 256 KB over LFC", r.of(whole(myrinet), overlap(256<<10)), "messages of 64 B", r.of(whole(myrinet), overlap(64)))
}

// bounded states that no overhead exceeds the gap of its size.
func bounded(f measure.Fast) judge.Measured {
	var send, receive float64
	for _, s := range f.Sizes {
		send, receive = max(send, s.Os.Value/s.G.Value), max(receive, s.Or.Value/s.G.Value)
	}
	return judge.All(judge.Below(judge.Fig("largest o_s/g", send), judge.Limit(1), 0), judge.Below(judge.Fig("largest o_r/g", receive), judge.Limit(1), 0))
}

// freeBytes is the size of messages whose sender has time to spare.
const freeBytes = 16 << 10

// free states that a sender is free for the rest of g after o_s: a delay there does not
// change the time per message.
func (r rows) free(delay float64) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		f := judge.Get(s, r.fast(whole(wan)))
		g, os := at(f, freeBytes).G.Value, at(f, freeBytes).Os.Value
		gap := pair(s, r, wan, mpi, freeBytes, func(p *microbench.Pair) (float64, error) {
			d, err := p.SendGap(microbench.Loop{Bytes: freeBytes, Warm: 16, Messages: 16, Spin: sim.Microseconds(delay * g)})
			return d.Us(), err
		})
		return judge.All(judge.Near(judge.Fig("time per message with a delay", gap, "µs"), judge.Fig("g", g, "µs"), 5),
			judge.Below(judge.Fig("o_s", os, "µs"), judge.Fig("g", g, "µs"), 90))
	})
}

// series states that the last of several messages has been received after L and the sum
// of their gaps.
func (r rows) series(answered bool) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		const n, messages = 16 << 10, 20
		f := judge.Get(s, r.fast(whole(wan)))
		took := pair(s, r, wan, mpi, n, func(p *microbench.Pair) (float64, error) {
			if _, err := p.PingPong(n, 4); err != nil {
				return 0, err
			}
			if answered {
				x, err := p.PingPong(n, messages)
				return messages * x.RTT.Us(), err
			}
			x, err := p.Stream(n, messages)
			return x.Took.Us(), err
		})
		return judge.All(judge.Near(judge.Fig("time of 20 messages of 16 KB", took/1000, "ms"), judge.Fig("L + 20 g", (f.L.Value+float64(messages*at(f, n).G.Value))/1000, "ms"), 5))
	})
}

// overlap states that both overheads together take longer than the message and its reply,
// so that they overlap.
func overlap(bytes int) func(measure.Fast) judge.Measured {
	return func(f measure.Fast) judge.Measured {
		s := at(f, bytes)
		return judge.All(judge.Above(judge.Fig("o_s + o_r", s.Os.Value+s.Or.Value, "µs"), judge.Fig("RTT", s.RTT.Value, "µs"), 0))
	}
}
