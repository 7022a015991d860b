package measure

import (
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// start starts the monitors, whose cost is part of every measurement.
func (s *Subject) start(c *cluster.Cluster) {
	if s.Monitor != monitor.Off {
		c.Record()
	}
}

// observe starts the monitors. The function that it returns ends recording and returns
// the stages that they recorded, nil unless the build is the full monitor.
func (s *Subject) observe(c *cluster.Cluster) func() (*stages, error) {
	s.start(c)
	if s.Monitor != monitor.Full {
		return func() (*stages, error) { return nil, nil }
	}
	inserted := s.insertions(c, trace.Kind.CarriesRequest)
	return func() (*stages, error) {
		insertion, packets := inserted()
		snap, err := c.Peek()
		if err != nil {
			return nil, err
		}
		var out stages
		for stage, us := range map[trace.Stage]*float64{trace.Source: &out.source, trace.LANai: &out.lanai, trace.Net: &out.net, trace.Dest: &out.dest} {
			m, err := snap.Moments(histo.Query{Stage: stage})
			switch {
			case err != nil:
				return nil, err
			case m.Count == 0:
				return nil, fmt.Errorf("the monitor recorded no %s of %d packets", stage, packets)
			case stage == trace.Source:
				out.packets = int64(m.Count)
			}
			*us = m.MeanNs / 1000
		}
		out.insertion = insertion
		return &out, nil
	}
}

// insertions begins to note packets of some kinds. The function that it returns ends that,
// and returns the mean time that an interface takes to insert one, µs, and their number.
func (s *Subject) insertions(c *cluster.Cluster, of func(trace.Kind) bool) func() (us float64, packets int) {
	packets, bytes := 0, 0 // on the wire
	c.Net.DropWhen(func(p *fabric.Packet) bool {
		if of(p.Header.Meta.Kind) {
			packets++
			bytes += p.WireBytes
		}
		return false
	})
	return func() (float64, int) {
		c.Net.DropWhen(func(*fabric.Packet) bool { return false })
		rate := min(s.Profile.Network.LinkRate, sim.MBps(s.Profile.NI.NetDMAMBps))
		return rate.Time(int(float64(bytes)/float64(packets) + 0.5)).Us(), packets
	}
}

// agree compares the parameters with the monitor's stages in the same run: L is the
// time through interfaces and network, and the rest of half a round trip is the hosts'
// overhead. The monitor's time is longer: it includes the time in which the main loop
// notices the end of a DMA, while the host sees the data at once.
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
			bench.NewAgreement("o_s + o_r", p.Os.Value+p.Or.Value, float64(p.RTT.Value/2)-way, "half of the round trip less these stages: the hosts' part, with noticing arrivals"))
	}
	if len(out.Consistency) == 0 {
		out.Warnings = append(out.Warnings, "nothing to compare with the monitor's stages: L is not identifiable")
	}
}
