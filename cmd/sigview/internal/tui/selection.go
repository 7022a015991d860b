package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// everyone stands for all senders or all receivers.
const everyone = -1

// Selection says what all views show: which packets, which latency, which part of
// the run, and where the cursor is.
type Selection struct {
	Tag              trace.Tag
	Kind             string
	First            trace.Opt[bool]
	Sender, Receiver int
	Stage            trace.Stage
	Class            string // of pairs of nodes
	SizeBytes        int64  // of the cursor: upper end of a size bin
	LatencyNs        int64  // of the cursor: lower end of a latency bin
	FromBytes        int64  // the part of the size axis that is shown
	ToBytes          int64
	FromNs, ToNs     int64 // the part of the run that is shown; all when equal
	AtNs             int64 // of the cursor: time in the run
	NoBaseline       bool
	Intervals        bool
	Filter           string // a list shows only the rows that contain these words
}

// NewSelection selects all packets.
func NewSelection() Selection {
	return Selection{
		Kind: trace.AllKinds, Sender: everyone, Receiver: everyone, Stage: trace.Net, Class: trace.AllSizes,
		SizeBytes: maxBytes, FromBytes: minBytes, ToBytes: maxBytes,
	}
}

func (s *Selection) group() trace.Group {
	return trace.Group{Tag: s.Tag, Kind: s.Kind, First: s.First}
}

// lists reports whether a row of a list contains all words of the filter.
func (s *Selection) lists(row string) bool {
	row = strings.ToLower(row)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(s.Filter)), func(w string) bool { return !strings.Contains(row, w) })
}

// columns returns the selected packets by size: in the bins of the signature, or in
// four classes for one sender or receiver. The note names what is not kept apart.
func (s *Selection) columns(d *Data) (cols []analysis.Packets, note string) {
	if s.Sender == everyone && s.Receiver == everyone && !s.timed(d) {
		return d.bins[s.group()], ""
	}
	if made, _ := s.fromTrace(d); made {
		return s.slice(d).cols, s.sliceNote(d) + ", with intervals for independent packets"
	}
	return s.ofPairs(d), "by size class over all kinds, as recorded for pairs of nodes"
}

// ofPairs returns the packets of the selected senders and receivers by size class, over all
// kinds.
func (s *Selection) ofPairs(d *Data) []analysis.Packets {
	var list []analysis.Packets
	for from := range int64(d.nodes) {
		for to := range int64(d.nodes) {
			if (s.Sender != everyone && int64(s.Sender) != from) || (s.Receiver != everyone && int64(s.Receiver) != to) {
				continue
			}
			for _, p := range d.pairs[pairKey{s.Tag, from, to}] {
				if p.Class != trace.AllSizes {
					list = append(list, p)
				}
			}
		}
	}
	return pool(list)
}

// fromTrace reports whether columns are made from the trace, and whether they are those
// of the selected kind: for pairs of nodes interfaces record classes over all kinds.
func (s *Selection) fromTrace(d *Data) (made, kind bool) {
	made = s.timed(d) || s.sliced(d) && (d.Packets.whole() || s.Kind != trace.AllKinds || len(d.pairs) == 0)
	return made, made || s.Sender == everyone && s.Receiver == everyone
}

// ofPair returns the packets of the selected class from one node to another. Some stages of
// many pairs take less time than all do.
func (s *Selection) ofPair(d *Data, from, to int, stages ...trace.Stage) (analysis.Packets, bool) {
	if s.timed(d) {
		if stages == nil {
			stages = trace.Stages()
		}
		return s.ofTimedPair(d, from, to, stages)
	}
	for _, c := range d.pairs[pairKey{s.Tag, int64(from), int64(to)}] {
		if c.Class == s.Class {
			return c, true
		}
	}
	return analysis.Packets{}, false
}

// shown returns the columns within the visible part of the size axis.
func (s *Selection) shown(cols []analysis.Packets) []analysis.Packets {
	return filter(cols, func(c analysis.Packets) bool { return c.SizeHiBytes >= s.FromBytes && c.SizeHiBytes <= s.ToBytes })
}

// cursor returns the index of the column at or nearest to the cursor, -1 of none.
func (s *Selection) cursor(cols []analysis.Packets) int {
	return nearest(cols, func(c *analysis.Packets) float64 { return far(c.SizeHiBytes, s.SizeBytes) })
}

// binned returns the columns of the packets that bins counts.
func (s *Selection) binned(d *Data) []analysis.Packets {
	of := *s
	if !s.sliced(d) {
		of.Sender, of.Receiver = everyone, everyone
	}
	cols, _ := of.columns(d)
	return cols
}

// statOf returns the selected latency of the packets of these sizes that bins counts: as
// recorded of a size bin or class, else pooled from the size bins within.
func (s *Selection) statOf(d *Data, sizes trace.Sizes) trace.Stat {
	cols := s.binned(d)
	if !s.sliced(d) {
		cols = slices.Concat(cols, filter(d.Signature.ByClass(), func(p analysis.Packets) bool { return p.Group == s.group() }))
	}
	var pooled []trace.Stat
	for _, p := range cols {
		if p.Sizes == sizes {
			return p.Stat(s.histStage())
		}
		if p.Class == "" && p.SizeLoBytes >= sizes.SizeLoBytes && p.SizeHiBytes <= sizes.SizeHiBytes {
			pooled = analysis.Pool(pooled, p.Stats)
		}
	}
	return analysis.Packets{Stats: pooled}.Stat(s.histStage())
}

// histStage returns the selected stage; Net for Net−LANai, which has no histogram.
func (s *Selection) histStage() trace.Stage {
	if s.Stage == trace.NetMinusLANai {
		return trace.Net
	}
	return s.Stage
}

// moveSize moves the cursor to the next size that has packets.
func (s *Selection) moveSize(d *Data, by int) {
	cols, _ := s.columns(d)
	i := s.cursor(cols)
	if i < 0 {
		return
	}
	s.goToSize(cols[min(max(i+by, 0), len(cols)-1)].SizeHiBytes)
}

// goToSize moves the cursor to a size. The visible part of the axis follows.
func (s *Selection) goToSize(size int64) {
	s.SizeBytes = size
	if s.SizeBytes < s.FromBytes {
		s.ToBytes = max(s.ToBytes*s.SizeBytes/s.FromBytes, s.SizeBytes+1)
		s.FromBytes = s.SizeBytes
	}
	if s.SizeBytes > s.ToBytes {
		s.FromBytes = max(s.FromBytes*s.SizeBytes/s.ToBytes, 1)
		s.ToBytes = s.SizeBytes
	}
}

// zoomSizes halves or doubles the visible part of the logarithmic size axis, around
// the cursor.
func (s *Selection) zoomSizes(in int) {
	if in < 0 && s.FromBytes <= minBytes && s.ToBytes >= maxBytes || in > 0 && s.ToBytes <= s.FromBytes*5/4 {
		return
	}
	lo, hi := portable.Log10(float64(s.FromBytes)), portable.Log10(float64(s.ToBytes))
	at := min(max(portable.Log10(float64(s.SizeBytes)), lo), hi)
	wider := float64((hi - lo) / 2)
	if in < 0 {
		wider = (hi - lo) * 2
	}
	from := lo + float64((at-lo)/(hi-lo)*(hi-lo-wider))
	s.FromBytes = max(int64(portable.Pow(10, from)+0.5), minBytes)
	s.ToBytes = min(max(int64(portable.Pow(10, from+wider)+0.5), s.FromBytes+1), maxBytes)
}

// timeRange returns the visible part of the run.
func (s *Selection) timeRange(p *Packets) (from, to int64) {
	from, to = s.FromNs, s.ToNs
	if to <= from {
		from, to = 0, p.endNs
	}
	return max(from, 0), min(to, p.endNs)
}

// timeCursor returns the time of the cursor.
func (s *Selection) timeCursor(p *Packets) int64 {
	from, to := s.timeRange(p)
	return min(max(s.AtNs, from), to)
}

// zoomTime halves or doubles the visible part of the run.
func (s *Selection) zoomTime(p *Packets, in bool) {
	from, to := s.timeRange(p)
	at := s.timeCursor(p)
	span := (to - from) / 2
	if !in {
		span = (to - from) * 2
	}
	if span >= p.endNs {
		s.FromNs, s.ToNs = 0, 0
		return
	}
	span = max(span, 1000)
	s.AtNs = at
	s.FromNs = min(max(at-span/2, 0), p.endNs-span)
	s.ToNs = s.FromNs + span
}

func (s *Selection) sizes(d *Data) []string {
	cols, _ := s.columns(d)
	return made(cols, func(p analysis.Packets) string { return strconv.FormatInt(p.SizeHiBytes, 10) })
}

func (s *Selection) kinds(d *Data) []string {
	return made(d.kinds(s.Tag), func(g trace.Group) string {
		k := Selection{Kind: g.Kind, First: g.First}
		return k.kindName()
	})
}

// kindName returns the kind, with /first or /later for a part of the messages.
func (s *Selection) kindName() string {
	if !s.First.OK {
		return s.Kind
	}
	return s.Kind + map[bool]string{true: "/first", false: "/later"}[s.First.Value]
}

func (s *Selection) setKind(v string) error {
	kind, part, split := strings.Cut(v, "/")
	first := trace.Opt[bool]{}
	if split {
		if part != "first" && part != "later" {
			return fmt.Errorf("part %q", part)
		}
		first = trace.Some(part == "first")
	}
	if kind != trace.AllKinds {
		if _, err := trace.ParseKind(kind); err != nil {
			return err
		}
	}
	s.Kind, s.First = kind, first
	return nil
}

func (s *Selection) setStage(v string) (err error) {
	s.Stage, err = trace.ParseStage(v)
	return err
}

func (s *Selection) setZoom(v string) error {
	lo, hi, ok := strings.Cut(v, "-")
	if !ok {
		return fmt.Errorf("%q is not FROM-TO in bytes", v)
	}
	from, err := parseNumber(lo, 1, 1<<20)
	if err != nil {
		return err
	}
	to, err := parseNumber(hi, from+1, 1<<20)
	if err == nil {
		s.FromBytes, s.ToBytes = from, to
	}
	return err
}
