package measure

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// observed is a cluster whose monitors record from now on.
type observed struct {
	c       *cluster.Cluster
	profile *platform.Profile
	on      bool
	packets int64
	bytes   int64 // of them on the wire
}

// start starts the monitors: all that is measured pays for them.
func (s *Subject) start(c *cluster.Cluster) {
	if s.Monitor != monitor.Off {
		c.Record()
	}
}

// observe looks at what the monitors see from now on, if the build has all of
// one.
func (s *Subject) observe(c *cluster.Cluster) *observed {
	s.start(c)
	o := &observed{c: c, profile: s.Profile, on: s.Monitor == monitor.Full}
	if o.on {
		c.Net.DropWhen(func(p *fabric.Packet) bool {
			if p.Header.Meta.Kind.CarriesRequest() {
				o.packets++
				o.bytes += int64(p.WireBytes)
			}
			return false
		})
	}
	return o
}

// stages ends the observation and returns what was seen, or nil.
func (o *observed) stages() (*stages, error) {
	if !o.on {
		return nil, nil
	}
	packets, bytes := o.packets, o.bytes
	o.c.Net.DropWhen(func(*fabric.Packet) bool { return false })
	snap, err := o.c.Peek()
	if err != nil {
		return nil, err
	}
	sig, err := analysis.Summarize(snap)
	if err != nil {
		return nil, err
	}
	var out stages
	sums := map[trace.Stage]*float64{trace.Source: &out.source, trace.LANai: &out.lanai, trace.Net: &out.net, trace.Dest: &out.dest}
	counts := map[trace.Stage]int64{}
	for _, r := range sig.Classes {
		if r.Kind != trace.AllKinds || r.First.OK || !r.MeanNs.OK || sums[r.Stage] == nil {
			continue
		}
		*sums[r.Stage] += r.MeanNs.Value / 1000 * float64(r.Count)
		counts[r.Stage] += r.Count
	}
	for stage, sum := range sums {
		if counts[stage] == 0 {
			return nil, fmt.Errorf("the monitor saw no %s of %d packets", stage, packets)
		}
		*sum /= float64(counts[stage])
	}
	out.packets = counts[trace.Source]
	out.insertion = o.insertion(float64(bytes) / float64(packets))
	return &out, nil
}

// insertion is the time that so many bytes take into the network, µs.
func (o *observed) insertion(bytes float64) float64 {
	rate := min(o.profile.Network.LinkRate, sim.MBps(o.profile.NI.NetDMAMBps))
	return rate.Time(int(bytes + 0.5)).Us()
}

// agree compares LogP's figures with what was seen inside in the same run: L
// is the way through interfaces and network, and what the way leaves of half a
// round trip is the hosts'. The way is longer by what the interface's main loop
// takes to notice that a DMA has ended, while the host sees the data at once.
func (s *Subject) agree(out *bench.LogP) {
	if s.seen == nil {
		return
	}
	p, way := out.Parameters, s.seen.way()
	from := fmt.Sprintf("Source %.2f + LANai %.2f + Net %.2f + Dest %.2f - insertion %.2f, %d packets",
		s.seen.source, s.seen.lanai, s.seen.net, s.seen.dest, s.seen.insertion, s.seen.packets)
	if p.L.OK() {
		out.Consistency = append(out.Consistency, bench.NewAgreement("L", p.L.Value, way, from))
	}
	if p.Os.OK() && p.Or.OK() && p.RTT.OK() {
		out.Consistency = append(out.Consistency,
			bench.NewAgreement("o_s + o_r", p.Os.Value+p.Or.Value, p.RTT.Value/2-way, "half of the round trip less these stages: the hosts' part, with noticing arrivals"))
	}
	if len(out.Consistency) == 0 {
		out.Warnings = append(out.Warnings, "nothing to compare with the monitor's stages: L is not identifiable")
	}
}
