package modern

import (
	"strings"

	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/papers/judge"
)

// swarm adds the row of a rate of rc-swarm, through a switch as there. The note says what it is with a change.
func (r *rows) swarm(id, on string, op perftest.Operation, bytes, pairs, threads, window int64, changes ...string) {
	r.rateOf(id, card{name: on, switched: true}, stream{op: op, bytes: bytes, pairs: pairs, threads: threads, outstanding: window, swarm: true}, changes)
}

// rateOf adds the row of a rate, 10⁶/s.
func (r *rows) rateOf(id string, on card, x stream, changes []string) {
	r.Of(id, x.String(), judge.Run(func(s *judge.Session) judge.Measured {
		return with(changes, func(overlay string) float64 {
			changed := on
			changed.overlay = overlay
			return r.rate(s, changed, x)
		})
	}))
}

// swarms adds the rows of rc-swarm: eight threads of a machine with ConnectX-3 (11 and 6 machines), and threads of one
// with Connect-IB.
func (r *rows) swarms() {
	const cx3, cib = "cx3", "cib"
	r.swarm("rd-qp-48", cx3, perftest.Read, 8, 48, 8, 24)
	r.swarm("rd-qp-48-w8", cx3, perftest.Read, 8, 48, 8, 8)
	r.swarm("rd-qp-48-232", cx3, perftest.Read, 232, 48, 8, 24)
	r.swarm("rd-qp-48-264", cx3, perftest.Read, 264, 48, 8, 24, smallTLP, "the MTU is 1024 B")
	for id, pairs := range map[string]int64{"rd-qp-88": 88, "rd-qp-144": 144, "rd-qp-176": 176, "rd-qp-240": 240, "rd-qp-352": 352, "rd-qp-720": 720, "rd-qp-792": 792} {
		r.swarm(id, cx3, perftest.Read, 32, pairs, 8, 8, allContexts)
	}
	r.swarm("rd-qp-88-w32", cx3, perftest.Read, 32, 88, 8, 32, fetched, allContexts)
	r.swarm("rd-qp-176-w32", cx3, perftest.Read, 32, 176, 8, 32)
	r.swarm("rd-qp-792-w32", cx3, perftest.Read, 32, 792, 8, 32)
	for pairs, id := range map[int64]string{154: "rd-ib-154", 308: "rd-ib-308", 616: "rd-ib-616", 1386: "rd-ib-1386"} {
		r.swarm(id+"-w8", cib, perftest.Read, 32, pairs, 14, 8)
		r.swarm(id+"-w32", cib, perftest.Read, 32, pairs, 14, 32, allContexts)
	}
	for id, bytes := range map[string]int64{"8": 8, "104": 104, "200": 200, "392": 392} {
		r.swarm("rd-ib-"+id, cib, perftest.Read, bytes, 84, 14, 24, smallTLP)
	}
	for id, op := range map[string]perftest.Operation{"rd-ib-r": perftest.Read, "rd-ib-w": perftest.Write} {
		r.swarm(id+"2-w8", cib, op, 32, 12, 2, 8)
		r.swarm(id+"2-w64", cib, op, 32, 12, 2, 64)
		r.swarm(id+"4-w64", cib, op, 32, 24, 4, 64)
	}
	r.swarm("rd-ib-w4-w8", cib, perftest.Write, 32, 24, 4, 8)
	r.swarm("rd-ib-w14-w16", cib, perftest.Write, 32, 84, 14, 16)
}

// threads adds the rows of streams of one side with many threads.
func (r *rows) threads() {
	r.rateOf("rd-ib-one", card{name: "cib", switched: true}, stream{op: perftest.Read, bytes: 32, pairs: 140, threads: 14, outstanding: 16}, nil)
	for id, pairs := range map[string]int64{"32": 32, "64": 64, "512": 512, "4096": 4096} {
		for _, op := range []perftest.Operation{perftest.Write, perftest.Read} {
			var changes []string
			if op == perftest.Read && pairs > 32 && pairs < 4096 {
				changes = []string{fewContexts}
			}
			r.rateOf("rd-x6-"+strings.ToLower(string(op)[:1])+id, card{name: "cx6"}, stream{op: op, bytes: 64, pairs: pairs, threads: 32, outstanding: 32}, changes)
		}
	}
}
