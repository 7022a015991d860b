package explain

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/rebuild"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// A window has about samplePackets, and sampleEach for each node at the least: far more than wait in one queue, so
// that what is cut off at its ends is little.
const samplePackets, sampleEach = 1 << 13, 1 << 6

// Sample is the part of a long trace of packets that tells for whom packets wait.
type Sample struct {
	Windows int
	Packets int64 // that are sent in the windows
	Of      int64 // in the time that is explained
	leftOut int   // in the windows, without a record of one end
}

// String says in a sentence what is looked at.
func (s Sample) String() string {
	return fmt.Sprintf("Of %d packets %d are looked at, in %d windows of time at equal distances. Sums are scaled to all.", s.Of, s.Packets, s.Windows)
}

// sampled tells from windows of about so many packets in the time between two instants, in ps, for whom packets wait. It
// returns nil if the trace has no index, as those of earlier versions, or no packets then.
func sampled(in *source, from, to int64, each float64) (*causal.Explanation, *Sample, error) {
	index, err := rundir.ReadIndex(in.dir)
	if err != nil {
		return nil, nil, err
	}
	windows, packets := spread(index, from/1000, to/1000, each)
	if err := in.learn(windows); err != nil {
		return nil, nil, err
	}
	sums, s := causal.NewWindows(in.run.Manifest.Nodes), &Sample{Windows: len(windows), Of: packets}
	for _, w := range windows { // one after another, as each takes memory
		p, err := in.rebuilt(w)
		if err != nil {
			return nil, nil, err
		}
		sums.Add(p.Account, 1000*w.FromNs, 1000*w.ToNs)
		s.Packets += p.packets
		s.leftOut += p.leftOut
	}
	if s.Packets == 0 {
		return nil, nil, nil
	}
	return sums.Explanation(from, to, float64(s.Of)/float64(s.Packets)), s, nil
}

// part is who waited for whom in a window.
type part struct {
	*account.Account
	packets int64 // that are sent in it
	leftOut int
}

// source is a long trace of packets, of which windows are read.
type source struct {
	dir   string
	run   *trace.Run
	cards bool           // interfaces are cards of pipelines
	rules *rebuild.Rules // learned from some windows, so that each window does not have its own; nil: it has
}

// learn learns the rules from the middles of windows.
func (s *source) learn(windows []rundir.Section) error {
	middles := slices.Clone(windows)
	if len(windows) > 1 {
		for i := range middles {
			quarter := (middles[i].ToNs - middles[i].FromNs) / 4
			middles[i].FromNs += quarter
			middles[i].ToNs -= quarter
		}
	}
	l := rebuild.NewLearner(s.run.Signature)
	err := s.scan(middles, func(r *trace.PacketRow, _ bool) { l.Add(r) })
	s.rules = l.Rules()
	return err
}

// rebuilt rebuilds who waited for whom from the records of the packets of a window, or of several.
func (s *source) rebuilt(windows ...rundir.Section) (p part, err error) {
	records := rebuild.Trace{Signature: s.run.Signature, Rules: s.rules, Cards: s.cards}
	err = s.scan(windows, func(r *trace.PacketRow, sent bool) {
		records.Packets = append(records.Packets, *r)
		if sent {
			p.packets++
		}
	})
	if err == nil {
		p.leftOut = records.Partial()
		p.Account, err = account.Resolve(rebuild.Log(records))
	}
	return p, err
}

// scan reads the records of the packets that are on their way in windows, which are in order of time. sent says whether
// one is sent in a window.
func (s *source) scan(windows []rundir.Section, take func(r *trace.PacketRow, sent bool)) (err error) {
	end := int64(math.MinInt64) // ns, of the windows before: a packet may be in several
	for _, in := range windows {
		err = errors.Join(err, ScanPackets(s.dir, in, func(rows []trace.PacketRow) error {
			for i := range rows {
				r := &rows[i]
				if from, _ := r.Extent(); from > end {
					take(r, in.FromNs <= r.T3Ns.Value && r.T3Ns.Value < in.ToNs)
				}
			}
			return nil
		}))
		end = in.ToNs
	}
	return err
}
