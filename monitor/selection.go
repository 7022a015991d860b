package monitor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace"
)

// Selection says which packets are traced: those that match one entry of each list that is
// not empty, and of these one in Every. The sender decides; the receiver sees by the
// packet's number whether it is traced.
type Selection struct {
	Tags    []Range  `json:"tags,omitempty"`
	Kinds   []string `json:"kinds,omitempty"`
	Nodes   []Range  `json:"nodes,omitempty"` // sender or receiver
	Spans   []Range  `json:"spans,omitempty"` // numbers of operations; 0 is none
	Sizes   []Range  `json:"sizes_bytes,omitempty"`
	Windows []Range  `json:"windows_ns,omitempty"` // of T3, in global time since recording began
	Every   int64    `json:"every,omitempty" range:"0..1000000000"`
}

// Range is numbers from Lo to Hi, both included.
type Range struct {
	Lo int64 `json:"lo" range:"0.."`
	Hi int64 `json:"hi" range:"0.."`
}

// SelectionKeys returns the keys of a selection as text.
func SelectionKeys() []string {
	return []string{"tag", "kind", "node", "span", "size", "window", "every"}
}

// SelectionForm is what a selection as text looks like.
const SelectionForm = "KEY=VALUE or KEY=FROM..TO separated by commas, keys tag, kind, node, span, size (bytes), window (times) and every, " +
	"as kind=page-reply,node=0..3,size=128..4096,window=10ms..20ms,every=16"

// Any reports whether packets are selected at all, not all of them traced.
func (s *Selection) Any() bool {
	return len(s.Tags)+len(s.Kinds)+len(s.Nodes)+len(s.Spans)+len(s.Sizes)+len(s.Windows) > 0 || s.Every > 1
}

// Add adds one KEY=VALUE of a selection as text. An error says what is wrong.
func (s *Selection) Add(text string) error {
	key, value, found := strings.Cut(text, "=")
	if !found {
		return bounds.Wrong("trace selection", strconv.Quote(text), "%s", SelectionForm)
	}
	number := func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }
	list, parse := s.list(key), number
	switch {
	case key == "kind":
		k, err := trace.ParseKind(value)
		if err == nil && !k.CarriesRequest() {
			err = bounds.Wrong("kind", value, "a packet kind that carries a host request")
		}
		s.Kinds = append(s.Kinds, value)
		return err
	case key == "every":
		n, err := number(value)
		if err != nil || n < 1 {
			return bounds.Wrong(key, strconv.Quote(value), "every=N with a whole number of at least 1: one packet in N is traced")
		}
		s.Every = n
		return bounds.Check("", s)
	case key == "window":
		parse = func(text string) (int64, error) {
			d, err := time.ParseDuration(text)
			return int64(d), err
		}
	case list == nil:
		return bounds.Wrong("trace selection", strconv.Quote(key), "%s", bounds.List(SelectionKeys()))
	}
	r, err := parseRange(value, parse)
	if err != nil || r.Lo < 0 || r.Hi < r.Lo {
		want := key + "=NUMBER or FROM..TO, as 3 or 0..7"
		if key == "window" {
			want = "window=FROM..TO, times with their units, as 10ms..20ms"
		}
		return bounds.Wrong(key, strconv.Quote(value), "%s", want)
	}
	*list = append(*list, r)
	return nil
}

func parseRange(text string, parse func(string) (int64, error)) (r Range, err error) {
	from, to, both := strings.Cut(text, "..")
	if !both {
		to = from
	}
	if r.Lo, err = parse(from); err != nil {
		return r, err
	}
	r.Hi, err = parse(to)
	return r, err
}

// list returns the ranges of a key, or nil if there is no such key.
func (s *Selection) list(key string) *[]Range {
	return map[string]*[]Range{"tag": &s.Tags, "node": &s.Nodes, "span": &s.Spans, "size": &s.Sizes, "window": &s.Windows}[key]
}

// String returns the selection as text.
func (s Selection) String() string {
	var parts []string
	for _, key := range SelectionKeys() {
		switch list := s.list(key); {
		case key == "kind":
			for _, k := range s.Kinds {
				parts = append(parts, "kind="+k)
			}
		case key == "every" && s.Every > 0:
			parts = append(parts, fmt.Sprintf("every=%d", s.Every))
		case list != nil:
			for _, r := range *list {
				parts = append(parts, key+"="+r.text(key == "window"))
			}
		}
	}
	return strings.Join(parts, ",")
}

func (r Range) text(time bool) string {
	show := func(n int64) string { return strconv.FormatInt(n, 10) }
	if time {
		show = durationText
	}
	if r.Lo == r.Hi {
		return show(r.Lo)
	}
	return show(r.Lo) + ".." + show(r.Hi)
}

func durationText(ns int64) string { return time.Duration(ns).String() }

// Check returns an error for a selection that no packet of a run with so many nodes and
// programs can match.
func (s *Selection) Check(nodes, programs int) error {
	for _, c := range []struct {
		field string
		list  []Range
		below int
	}{{"trace_only.nodes", s.Nodes, nodes}, {"trace_only.tags", s.Tags, programs}} {
		for _, r := range c.list {
			if r.Hi >= int64(c.below) {
				return bounds.Wrong(c.field, r.text(false), "0 to %d", c.below-1)
			}
		}
	}
	for _, k := range s.Kinds {
		if _, err := trace.ParseKind(k); err != nil {
			return err
		}
	}
	return nil
}

// sent is what the sender's interface knows of a packet when it decides whether to trace it.
type sent struct {
	meta     trace.Meta
	from, to int
	bytes    int32
	atNs     int64
}

// matches reports whether a packet matches all lists.
func (s *Selection) matches(p sent) bool {
	return among(s.Tags, int64(p.meta.Tag)) && among(s.Spans, int64(p.meta.Span)) && among(s.Sizes, int64(p.bytes)) && among(s.Windows, p.atNs) &&
		(len(s.Nodes) == 0 || among(s.Nodes, int64(p.from)) || among(s.Nodes, int64(p.to))) &&
		(len(s.Kinds) == 0 || slices.Contains(s.Kinds, p.meta.Kind.String()))
}

func among(list []Range, n int64) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(r Range) bool { return r.Lo <= n && n <= r.Hi })
}
