package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	known []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "word" }

func (c *choice) Set(s string) error {
	if err := names.Check("", s, c.known); err != nil {
		want := "one of " + strings.Join(c.known, ", ")
		if near := names.Nearest(s, c.known); near != "" {
			want += " (" + near + "?)"
		}
		return wantError(want)
	}
	c.value = s
	return nil
}

// words is a flag that takes words separated by commas.
type words[W ~string] struct{ to *[]W }

func (w *words[W]) String() string {
	if w.to == nil {
		return ""
	}
	var parts []string
	for _, x := range *w.to {
		parts = append(parts, string(x))
	}
	return strings.Join(parts, ",")
}
func (w *words[W]) Type() string { return listType }

func (w *words[W]) Set(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		*w.to = append(*w.to, W(part))
	}
	return nil
}

// count is a flag that takes a positive whole number with an optional K, M or
// G for powers of 1024. Zero means that it was not given.
type count[N int | int64] struct{ to *N }

func (c *count[N]) String() string {
	if c.to == nil || *c.to == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*c.to), 10)
}
func (c *count[N]) Type() string { return "number" }

func (c *count[N]) Set(s string) error {
	n, err := parseCount(s)
	if err == nil {
		*c.to = N(n)
	}
	return err
}

const wantCount = wantError("a positive whole number, K, M and G allowed")

func parseCount(s string) (int64, error) {
	digits, unit := s, int64(1)
	for suffix, u := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if d, ok := strings.CutSuffix(strings.ToUpper(s), suffix); ok {
			digits, unit = d, u
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return 0, wantCount
	}
	return n * unit, nil
}

// counts is a list of counts, separated by commas.
type counts []int64

func (c *counts) String() string {
	var parts []string
	for _, n := range *c {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	return strings.Join(parts, ",")
}
func (c *counts) Type() string { return "number,…" }

func (c *counts) Set(s string) error {
	*c = nil
	for part := range strings.SplitSeq(s, ",") {
		n, err := parseCount(part)
		if err != nil {
			return wantError("positive whole numbers separated by commas, K, M and G allowed")
		}
		*c = append(*c, n)
	}
	return nil
}

// byteSizes is a list of message sizes, separated by commas; a message may be
// empty.
type byteSizes []int64

func (s *byteSizes) String() string { return (*counts)(s).String() }
func (s *byteSizes) Type() string   { return "bytes,..." }

func (s *byteSizes) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		n, err := int64(0), error(nil)
		if part != "0" {
			n, err = parseCount(part)
		}
		if err != nil || n > experiment.MaxMessage {
			return wantError("whole numbers from 0 to " + strconv.Itoa(experiment.MaxMessage>>20) + "M separated by commas, K and M allowed")
		}
		*s = append(*s, n)
	}
	return nil
}

// span is a flag that takes a length of simulated time, as 250us or 24h.
type span sim.Duration

func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s / span(sim.Nanosecond)).String()
}
func (s *span) Type() string { return "time" }

func (s *span) Set(text string) error {
	d, err := parseSpan(text)
	if err != nil || d == 0 {
		return wantError("a time above 0 with its unit, as 250us, 60ms, 300s or 24h")
	}
	*s = span(d)
	return nil
}

// microseconds is a span in a number of microseconds.
type microseconds float64

func (m *microseconds) String() string {
	d := span(sim.Microseconds(float64(*m)))
	return d.String()
}
func (m *microseconds) Type() string { return "time" }

func (m *microseconds) Set(text string) error {
	var d span
	err := d.Set(text)
	*m = microseconds(sim.Duration(d).Us())
	return err
}

func parseSpan(text string) (sim.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || int64(d) > math.MaxInt64/int64(sim.Nanosecond) {
		return 0, errors.New("no time")
	}
	return sim.Duration(d) * sim.Nanosecond, nil
}

// stalls collects NODE:START:FOR.
type stalls []experiment.Stall

func (s *stalls) String() string {
	var parts []string
	for _, x := range *s {
		start, length := span(x.Start), span(x.For)
		parts = append(parts, fmt.Sprintf("%d:%s:%s", x.Node, &start, &length))
	}
	return strings.Join(parts, ",")
}
func (s *stalls) Type() string { return "node:start:for" }

func (s *stalls) Set(text string) error {
	const want = wantError("NODE:START:FOR, as 3:10ms:60ms")
	node, rest, ok1 := strings.Cut(text, ":")
	start, length, ok2 := strings.Cut(rest, ":")
	n, err := strconv.Atoi(node)
	if !ok1 || !ok2 || err != nil || n < 0 {
		return want
	}
	from, err1 := parseSpan(start)
	long, err2 := parseSpan(length)
	if err1 != nil || err2 != nil || long == 0 {
		return want
	}
	*s = append(*s, experiment.Stall{Node: n, Start: from, For: long})
	return nil
}

// nodes is a flag that takes a number of nodes. Zero means not given.
type nodes int

func (n *nodes) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}
func (n *nodes) Type() string { return "number" }

func (n *nodes) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < experiment.MinNodes || v > experiment.MaxNodes {
		return wantError(fmt.Sprintf("%d to %d", experiment.MinNodes, experiment.MaxNodes))
	}
	*n = nodes(v)
	return nil
}
