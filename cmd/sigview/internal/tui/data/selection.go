package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

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
		Kind: trace.AllKinds, Sender: Everyone, Receiver: Everyone, Stage: trace.Net, Class: trace.AllSizes,
		SizeBytes: MaxBytes, FromBytes: MinBytes, ToBytes: MaxBytes,
	}
}

func (s *Selection) Group() trace.Group {
	return trace.Group{Tag: s.Tag, Kind: s.Kind, First: s.First}
}

// Lists reports whether a row of a list contains all words of the filter.
func (s *Selection) Lists(row string) bool { return lists.Holds(row, s.Filter) }

// Columns returns the selected packets by size: in the bins of the signature, or in
// four classes for one sender or receiver. The note names what is not kept apart.
func (s *Selection) Columns(d *Data) (cols []analysis.Packets, note string) {
	if s.Sender == Everyone && s.Receiver == Everyone && !s.Timed(d) {
		return d.Bins[s.Group()], ""
	}
	if made, _ := s.FromTrace(d); made {
		return s.Slice(d).Cols, s.SliceNote(d) + ", with intervals for independent packets"
	}
	return s.OfPairs(d), "by size class over all kinds, as recorded for pairs of nodes"
}

// OfPairs returns the packets of the selected senders and receivers by size class, over all
// kinds.
func (s *Selection) OfPairs(d *Data) []analysis.Packets {
	var list []analysis.Packets
	for from := range int64(d.Nodes) {
		for to := range int64(d.Nodes) {
			if (s.Sender != Everyone && int64(s.Sender) != from) || (s.Receiver != Everyone && int64(s.Receiver) != to) {
				continue
			}
			for _, p := range d.Pairs[PairKey{s.Tag, from, to}] {
				if p.Class != trace.AllSizes {
					list = append(list, p)
				}
			}
		}
	}
	return pool(list)
}

// FromTrace reports whether columns are made from the trace, and whether they are those
// of the selected kind: for pairs of nodes interfaces record classes over all kinds.
func (s *Selection) FromTrace(d *Data) (made, kind bool) {
	made = s.Timed(d) || s.Sliced(d) && (d.Packets.Whole() || s.Kind != trace.AllKinds || len(d.Pairs) == 0)
	return made, made || s.Sender == Everyone && s.Receiver == Everyone
}

// OfPair returns the packets of the selected class from one node to another. Some stages of
// many pairs take less time than all do.
func (s *Selection) OfPair(d *Data, from, to int, stages ...trace.Stage) (analysis.Packets, bool) {
	if s.Timed(d) {
		if stages == nil {
			stages = trace.Stages()
		}
		return s.ofTimedPair(d, from, to, stages)
	}
	for _, c := range d.Pairs[PairKey{s.Tag, int64(from), int64(to)}] {
		if c.Class == s.Class {
			return c, true
		}
	}
	return analysis.Packets{}, false
}

// Shown returns the columns within the visible part of the size axis.
func (s *Selection) Shown(cols []analysis.Packets) []analysis.Packets {
	return lists.Filter(cols, func(c analysis.Packets) bool { return c.SizeHiBytes >= s.FromBytes && c.SizeHiBytes <= s.ToBytes })
}

// Cursor returns the index of the column at or nearest to the cursor, -1 of none.
func (s *Selection) Cursor(cols []analysis.Packets) int {
	return lists.Nearest(cols, func(c *analysis.Packets) float64 { return math.Abs(float64(c.SizeHiBytes - s.SizeBytes)) })
}

// Binned returns the columns of the packets that bins counts.
func (s *Selection) Binned(d *Data) []analysis.Packets {
	of := *s
	if !s.Sliced(d) {
		of.Sender, of.Receiver = Everyone, Everyone
	}
	cols, _ := of.Columns(d)
	return cols
}

// StatOf returns the selected latency of the packets of these sizes that bins counts: as
// recorded of a size bin or class, else pooled from the size bins within.
func (s *Selection) StatOf(d *Data, sizes trace.Sizes) trace.Stat {
	cols := s.Binned(d)
	if !s.Sliced(d) {
		cols = slices.Concat(cols, lists.Filter(d.Signature.ByClass(), func(p analysis.Packets) bool { return p.Group == s.Group() }))
	}
	var pooled []trace.Stat
	for _, p := range cols {
		if p.Sizes == sizes {
			return p.Stat(s.HistStage())
		}
		if p.Class == "" && p.SizeLoBytes >= sizes.SizeLoBytes && p.SizeHiBytes <= sizes.SizeHiBytes {
			pooled = analysis.Pool(pooled, p.Stats)
		}
	}
	return analysis.Packets{Stats: pooled}.Stat(s.HistStage())
}

// HistStage returns the selected stage; Net for Net−LANai, which has no histogram.
func (s *Selection) HistStage() trace.Stage {
	if s.Stage == trace.NetMinusLANai {
		return trace.Net
	}
	return s.Stage
}

// MoveSize moves the cursor to the next size that has packets.
func (s *Selection) MoveSize(d *Data, by int) {
	cols, _ := s.Columns(d)
	i := s.Cursor(cols)
	if i < 0 {
		return
	}
	s.GoToSize(cols[min(max(i+by, 0), len(cols)-1)].SizeHiBytes)
}

// GoToSize moves the cursor to a size. The visible part of the axis follows.
func (s *Selection) GoToSize(size int64) {
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

// ZoomSizes halves or doubles the visible part of the logarithmic size axis, around
// the cursor.
func (s *Selection) ZoomSizes(in int) {
	if in < 0 && s.FromBytes <= MinBytes && s.ToBytes >= MaxBytes || in > 0 && s.ToBytes <= s.FromBytes*5/4 {
		return
	}
	lo, hi := portable.Log10(float64(s.FromBytes)), portable.Log10(float64(s.ToBytes))
	at := min(max(portable.Log10(float64(s.SizeBytes)), lo), hi)
	wider := float64((hi - lo) / 2)
	if in < 0 {
		wider = (hi - lo) * 2
	}
	from := lo + float64((at-lo)/(hi-lo)*(hi-lo-wider))
	s.FromBytes = max(int64(portable.Pow(10, from)+0.5), MinBytes)
	s.ToBytes = min(max(int64(portable.Pow(10, from+wider)+0.5), s.FromBytes+1), MaxBytes)
}

// TimeRange returns the visible part of the run.
func (s *Selection) TimeRange(p *Packets) (from, to int64) {
	from, to = s.FromNs, s.ToNs
	if to <= from {
		from, to = 0, p.EndNs
	}
	return max(from, 0), min(to, p.EndNs)
}

// Within cuts the selected part to the run.
func (s *Selection) Within(p *Packets) {
	if s.ToNs = min(s.ToNs, p.EndNs); s.ToNs <= s.FromNs {
		s.FromNs, s.ToNs = 0, 0
	}
}

// TimeCursor returns the time of the cursor.
func (s *Selection) TimeCursor(p *Packets) int64 {
	from, to := s.TimeRange(p)
	return min(max(s.AtNs, from), to)
}

// ZoomTime halves or doubles the visible part of the run.
func (s *Selection) ZoomTime(p *Packets, in bool) {
	from, to := s.TimeRange(p)
	at := s.TimeCursor(p)
	span := (to - from) / 2
	if !in {
		span = (to - from) * 2
	}
	if span >= p.EndNs {
		s.FromNs, s.ToNs = 0, 0
		return
	}
	span = max(span, 1000)
	s.AtNs = at
	s.FromNs = min(max(at-span/2, 0), p.EndNs-span)
	s.ToNs = s.FromNs + span
}

func (s *Selection) Sizes(d *Data) []string {
	cols, _ := s.Columns(d)
	return lists.Map(cols, func(p analysis.Packets) string { return strconv.FormatInt(p.SizeHiBytes, 10) })
}

func (s *Selection) Kinds(d *Data) []string {
	return lists.Map(d.Kinds(s.Tag), func(g trace.Group) string {
		k := Selection{Kind: g.Kind, First: g.First}
		return k.KindName()
	})
}

// KindName returns the kind, with /first or /later for a part of the messages.
func (s *Selection) KindName() string {
	if !s.First.OK {
		return s.Kind
	}
	return s.Kind + map[bool]string{true: "/first", false: "/later"}[s.First.Value]
}

func (s *Selection) SetKind(v string) error {
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

func (s *Selection) SetStage(v string) (err error) {
	s.Stage, err = trace.ParseStage(v)
	return err
}

func (s *Selection) SetZoom(v string) error {
	lo, hi, ok := strings.Cut(v, "-")
	if !ok {
		return fmt.Errorf("%q is not FROM-TO in bytes", v)
	}
	from, err := ParseNumber(lo, 1, 1<<20)
	if err != nil {
		return err
	}
	to, err := ParseNumber(hi, from+1, 1<<20)
	if err == nil {
		s.FromBytes, s.ToBytes = from, to
	}
	return err
}

// ParseNumber reads a whole number from lo to hi. The error names the text and the range.
func ParseNumber(v string, lo, hi int64) (int64, error) {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("%q is not a number from %d to %d", v, lo, hi)
	}
	return n, nil
}
