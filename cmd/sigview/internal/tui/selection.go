package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// everyone stands for all senders or all receivers.
const everyone = -1

// Selection says which packets are looked at and how. It can be written as
// text and read back, so that a picture can be made again.
type Selection struct {
	Tag              trace.Tag
	Kind             string
	First            trace.Opt[bool]
	Sender, Receiver int
	Stage            trace.Stage
	Class            string // of the matrix
	SizeBytes        int64  // where the cursor is: upper end of a size bin
	LatencyNs        int64  // lower end of a latency bin
	FromBytes        int64  // the part of the size axis that is shown
	ToBytes          int64
	FromNs, ToNs     int64 // the part of the run that the timeline shows; all when equal
	AtNs             int64 // where its cursor is
	Metric           int   // what a view shows, where it can show several things
	Row              int   // of a list
	NoBaseline       bool
	Intervals        bool
	Words            string // what else a list is narrowed down by

	// Of measurements of layers.
	Series   int   // which
	Against  int   // which are laid over it: againstAll, againstNone, or one counted from 1
	Curve    int   // of the plot
	X        int64 // where the cursor is: a burst length or message size
	LogScale bool  // of costs
}

const (
	minBytes = 32
	maxBytes = 4096
)

// NewSelection looks at all packets.
func NewSelection() Selection {
	return Selection{
		Kind: trace.AllKinds, Sender: everyone, Receiver: everyone, Stage: trace.Net, Class: trace.AllSizes,
		SizeBytes: maxBytes, FromBytes: minBytes, ToBytes: maxBytes,
	}
}

// term is one word of a selection's text.
type term struct {
	name, want string
	get        func(s *Selection) string // "" when it is as in a new selection
	set        func(s *Selection, v string) error
}

func (s *Selection) kindName() string {
	if !s.First.OK {
		return s.Kind
	}
	return s.Kind + map[bool]string{true: "/first", false: "/later"}[s.First.Value]
}

func setKind(s *Selection, v string) error {
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

func number(to *int64, lo, hi int64) func(string) error {
	return func(v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < lo || n > hi {
			return fmt.Errorf("%q, want a number from %d to %d", v, lo, hi)
		}
		*to = n
		return nil
	}
}

func node(to *int) func(string) error {
	return func(v string) error {
		if v == "all" {
			*to = everyone
			return nil
		}
		var n int64
		if err := number(&n, 0, 1<<16)(v); err != nil {
			return err
		}
		*to = int(n)
		return nil
	}
}

func onOff(to *bool, on string) func(string) error {
	return func(v string) error {
		if v != "on" && v != "off" {
			return fmt.Errorf("%q, want on or off", v)
		}
		*to = v == on
		return nil
	}
}

func unless(same bool, text string) string {
	if same {
		return ""
	}
	return text
}

// terms lists what a selection's text can say.
func terms() []term {
	fresh := NewSelection()
	return []term{
		{"tag", "a tag", func(s *Selection) string { return unless(s.Tag == 0, strconv.Itoa(int(s.Tag))) }, func(s *Selection, v string) error {
			var n int64
			err := number(&n, 0, 255)(v)
			s.Tag = trace.Tag(n)
			return err
		}},
		{"kind", "a packet kind, with /first or /later", func(s *Selection) string { return unless(s.kindName() == fresh.kindName(), s.kindName()) }, setKind},
		{"sender", "a node or all", func(s *Selection) string { return unless(s.Sender == everyone, strconv.Itoa(s.Sender)) },
			func(s *Selection, v string) error { return node(&s.Sender)(v) }},
		{"receiver", "a node or all", func(s *Selection) string { return unless(s.Receiver == everyone, strconv.Itoa(s.Receiver)) },
			func(s *Selection, v string) error { return node(&s.Receiver)(v) }},
		{"stage", "a latency", func(s *Selection) string { return unless(s.Stage == fresh.Stage, s.Stage.String()) },
			func(s *Selection, v string) (err error) { s.Stage, err = trace.ParseStage(v); return err }},
		{"class", "a size class or all", func(s *Selection) string { return unless(s.Class == fresh.Class, s.Class) }, setClass},
		{"size", "bytes", func(s *Selection) string { return unless(s.SizeBytes == fresh.SizeBytes, fmt.Sprint(s.SizeBytes)) },
			func(s *Selection, v string) error { return number(&s.SizeBytes, 1, 1<<20)(v) }},
		{"latency", "nanoseconds", func(s *Selection) string { return unless(s.LatencyNs == 0, fmt.Sprint(s.LatencyNs)) },
			func(s *Selection, v string) error { return number(&s.LatencyNs, 0, 1<<60)(v) }},
		{"zoom", "two sizes", func(s *Selection) string {
			return unless(s.FromBytes == minBytes && s.ToBytes == maxBytes, fmt.Sprintf("%d-%d", s.FromBytes, s.ToBytes))
		}, setZoom},
		{"at", "nanoseconds", func(s *Selection) string { return unless(s.AtNs == 0, fmt.Sprint(s.AtNs)) },
			func(s *Selection, v string) error { return number(&s.AtNs, 0, 1<<60)(v) }},
		{"from", "nanoseconds", func(s *Selection) string { return unless(s.FromNs == 0, fmt.Sprint(s.FromNs)) },
			func(s *Selection, v string) error { return number(&s.FromNs, 0, 1<<60)(v) }},
		{"to", "nanoseconds", func(s *Selection) string { return unless(s.ToNs == 0, fmt.Sprint(s.ToNs)) },
			func(s *Selection, v string) error { return number(&s.ToNs, 0, 1<<60)(v) }},
		{"metric", "a number", func(s *Selection) string { return unless(s.Metric == 0, strconv.Itoa(s.Metric)) }, small(func(s *Selection) *int { return &s.Metric })},
		{"row", "a number", func(s *Selection) string { return unless(s.Row == 0, strconv.Itoa(s.Row)) }, small(func(s *Selection) *int { return &s.Row })},
		{"series", "a number", func(s *Selection) string { return unless(s.Series == 0, strconv.Itoa(s.Series)) }, small(func(s *Selection) *int { return &s.Series })},
		{"against", "all, none, or the number of one", againstText, setAgainst},
		{"curve", "a number", func(s *Selection) string { return unless(s.Curve == 0, strconv.Itoa(s.Curve)) }, small(func(s *Selection) *int { return &s.Curve })},
		{"point", "a burst length or bytes", func(s *Selection) string { return unless(s.X == 0, fmt.Sprint(s.X)) },
			func(s *Selection, v string) error { return number(&s.X, 0, 1<<40)(v) }},
		{"scale", "log or linear", func(s *Selection) string { return unless(!s.LogScale, "log") }, setScale},
		{"baseline", "on or off", func(s *Selection) string { return unless(!s.NoBaseline, "off") },
			func(s *Selection, v string) error { return onOff(&s.NoBaseline, "off")(v) }},
		{"intervals", "on or off", func(s *Selection) string { return unless(!s.Intervals, "on") },
			func(s *Selection, v string) error { return onOff(&s.Intervals, "on")(v) }},
	}
}

func small(at func(*Selection) *int) func(*Selection, string) error {
	return func(s *Selection, v string) error {
		var n int64
		err := number(&n, 0, 1<<30)(v)
		*at(s) = int(n)
		return err
	}
}

func againstText(s *Selection) string {
	switch s.Against {
	case againstAll:
		return ""
	case againstNone:
		return "none"
	}
	return strconv.Itoa(s.Against - 1)
}

func setAgainst(s *Selection, v string) error {
	switch v {
	case "all":
		s.Against = againstAll
		return nil
	case "none":
		s.Against = againstNone
		return nil
	}
	var n int64
	err := number(&n, 0, 1<<16)(v)
	if err == nil {
		s.Against = int(n) + 1
	}
	return err
}

func setScale(s *Selection, v string) error {
	if v != "log" && v != "linear" {
		return fmt.Errorf("%q", v)
	}
	s.LogScale = v == "log"
	return nil
}

func setClass(s *Selection, v string) error {
	for _, c := range append(trace.Classes(), trace.AllSizes) {
		if c == v {
			s.Class = v
			return nil
		}
	}
	return fmt.Errorf("%q, want one of %v", v, append(trace.Classes(), trace.AllSizes))
}

func setZoom(s *Selection, v string) error {
	lo, hi, ok := strings.Cut(v, "-")
	var from, to int64
	if !ok {
		return fmt.Errorf("%q, want FROM-TO in bytes", v)
	}
	if err := number(&from, 1, 1<<20)(lo); err != nil {
		return err
	}
	if err := number(&to, from+1, 1<<20)(hi); err != nil {
		return err
	}
	s.FromBytes, s.ToBytes = from, to
	return nil
}

// Text writes what differs from a new selection.
func (s Selection) Text() string {
	var words []string
	for _, t := range terms() {
		if v := t.get(&s); v != "" {
			words = append(words, t.name+"="+v)
		}
	}
	if s.Words != "" {
		words = append(words, s.Words)
	}
	return strings.Join(words, " ")
}

// Narrow changes the selection by a text such as "kind=diff sender=3". Words
// without a "=" narrow lists down.
func (s Selection) Narrow(text string) (Selection, error) {
	out := s
	out.Words = ""
	for _, word := range strings.Fields(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			out.Words = strings.TrimSpace(out.Words + " " + word)
			continue
		}
		if err := out.set(name, value); err != nil {
			return s, err
		}
	}
	return out, nil
}

func (s *Selection) set(name, value string) error {
	var known []string
	for _, t := range terms() {
		if t.name != name {
			known = append(known, t.name)
			continue
		}
		if err := t.set(s, value); err != nil {
			return fmt.Errorf("%s: %w; want %s", name, err, t.want)
		}
		return nil
	}
	return fmt.Errorf("%q is nothing to select by, want one of %s", name, strings.Join(known, " "))
}

// columns are the selected packets by size: in the bins of the signature, or
// in the four classes for packets of one sender or receiver. The note says
// what could not be told apart.
func (s *Selection) columns(d *Data) (cols []column, note string) {
	if s.Sender == everyone && s.Receiver == everyone {
		return d.bins[trace.Group{Tag: s.Tag, Kind: s.Kind, First: s.First}], ""
	}
	// What interfaces keep is of all packets, but over all kinds and in classes.
	if s.sliced(d) && (d.Packets.whole() || s.Kind != trace.AllKinds || len(d.pairs) == 0) {
		return s.slice(d).cols, d.sliceNote() + ", intervals as if these were independent"
	}
	var lists [][]column
	for _, p := range s.selectedPairs(d) {
		var classes []column
		for _, c := range d.pairs[p] {
			if c.class != trace.AllSizes {
				classes = append(classes, c)
			}
		}
		lists = append(lists, classes)
	}
	note = "by size class, as kept for pairs of nodes"
	if s.Kind != trace.AllKinds {
		note += "; over all kinds, which are not kept apart for pairs"
	}
	return merge(lists...), note
}

func (s *Selection) selectedPairs(d *Data) []pairKey {
	var out []pairKey
	for from := range int64(d.nodes) {
		for to := range int64(d.nodes) {
			if (s.Sender == everyone || int64(s.Sender) == from) && (s.Receiver == everyone || int64(s.Receiver) == to) {
				out = append(out, pairKey{s.Tag, from, to})
			}
		}
	}
	return out
}

// shown are the columns within the part of the axis that is shown.
func (s *Selection) shown(cols []column) []column {
	var out []column
	for _, c := range cols {
		if c.SizeHiBytes >= s.FromBytes && c.SizeHiBytes <= s.ToBytes {
			out = append(out, c)
		}
	}
	return out
}

// cursor is the index of the column that the cursor is at or next to.
func (s *Selection) cursor(cols []column) int {
	best := -1
	for i, c := range cols {
		if best < 0 || far(c.SizeHiBytes, s.SizeBytes) < far(cols[best].SizeHiBytes, s.SizeBytes) {
			best = i
		}
	}
	return best
}

func far(a, b int64) int64 { return max(a-b, b-a) }

// describe is the selection in words.
func (s *Selection) describe(d *Data) string {
	who := func(n int) string {
		if n == everyone {
			return "all"
		}
		return strconv.Itoa(n)
	}
	text := fmt.Sprintf("tag %d %s · kind %s · sender %s · receiver %s · stage %s",
		s.Tag, d.program(s.Tag), s.kindName(), who(s.Sender), who(s.Receiver), analysis.StageName(s.Stage))
	if s.NoBaseline {
		text += " · no baseline"
	}
	if s.Words != "" {
		text += " · /" + s.Words
	}
	return text
}
