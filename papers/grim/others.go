package grim

import (
	"fmt"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
)

// other is a layer that the study compares with, on the machine of its figures.
type other struct {
	platform, layer string
	whole           bool // GM on a LANai 4 with the optimizations that it disables there
}

// reported are the layers whose authors' figures the study quotes (Table 5.5).
var reported = map[string]other{
	"am":      {platform: "ultrasparc-sbus", layer: "gam"},
	"amii":    {platform: "ultrasparc-sbus", layer: "amii"},
	"bip":     {platform: "ppro", layer: "bip"},
	"fm":      {platform: "ppro", layer: "fm"},
	"gm":      {platform: "gm-p3", layer: "gm"},
	"lfc":     {platform: "das-myrinet", layer: "lfc"},
	"trapeze": {platform: "trapeze-p3", layer: "trapeze"},
}

// others adds the figures of the layers that the study compares with.
func (r *rows) others() {
	for id, o := range reported {
		r.compared("grim-t55-%s-"+id, o)
	}
	for id, on := range map[string]string{"p3l4": p3L4, "p3l9": p3L9, "p4l4": p4L4} {
		r.compared("grim-t56-%s-"+id+"-gm", other{platform: on, layer: "gm"})
	}
	r.Of("grim-lim-reported", "one layer on two machines", judge.Run(func(s *judge.Session) judge.Measured {
		slow, fast := other{platform: p3L4, layer: "gm"}, other{platform: "gm-p3", layer: "gm"}
		return judge.All(
			judge.Above(judge.Fig("GM's latency on "+p3L4, r.latency(s, slow)), judge.Fig("on gm-p3", r.latency(s, fast)), 100),
			judge.Above(judge.Fig("its bandwidth on gm-p3", r.bandwidth(s, fast)), judge.Fig("on "+p3L4, r.bandwidth(s, slow)), 100))
	}))
}

// compared adds a layer's latency and its bandwidth.
func (r *rows) compared(id string, o other) {
	number := func(f func(*judge.Session, other) float64) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured { return judge.Measured{Value: f(s, o)} })
	}
	r.Of(fmt.Sprintf(id, "lat"), "round trips", number(r.latency))
	r.Of(fmt.Sprintf(id, "bw"), "round trips of long messages", number(r.bandwidth))
}

// latency returns half of the round trip of a short message, µs; in a layer of requests,
// of a request and its reply.
func (r *rows) latency(s *judge.Session, o other) float64 {
	return judge.Recall(r.known, func() float64 {
		const rounds = 200
		return testbeds.Use(s, o.spec(r.seed, 4), func(b *testbed.Testbed) float64 {
			if b.OK() && b.Nodes[0].Layer.Traits().Model == comm.RPC {
				return b.Calls().RoundTrip(0, 1, rounds) / 2
			}
			return b.Pair(0, 1, 4).PingPong(4, rounds).OneWay().Us()
		})
	}, "latency of", o)
}

// bandwidth returns the highest ratio of a message's length to half of its round trip,
// MB/s.
func (r *rows) bandwidth(s *judge.Session, o other) float64 {
	return judge.Recall(r.known, func() float64 {
		const longest = 1 << 20
		return testbeds.Use(s, o.spec(r.seed, longest), func(b *testbed.Testbed) (most float64) {
			p := b.Pair(0, 1, longest)
			for n := 4096; n <= longest && b.OK(); n *= 2 {
				most = max(most, float64(n)/p.PingPong(n, 4).OneWay().Us())
			}
			return most
		})
	}, "bandwidth of", o)
}

func (o other) spec(seed uint64, bytes int) testbed.Spec {
	s := testbed.Spec{Platform: o.platform, Layer: o.layer, Nodes: 2, Seed: seed, Bytes: bytes, Monitor: "off"}
	if o.whole {
		s.Profile = func(p *platform.Profile) {
			g := *p.GM
			g.FastBytes, g.Firmware.SendPackets = 128, 16
			p.GM = &g
		}
	}
	return s
}
