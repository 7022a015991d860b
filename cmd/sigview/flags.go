package main

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// enumeration is a pointer to a value that has a name.
type enumeration interface {
	names.Enumeration
	encoding.TextUnmarshaler
	fmt.Stringer
}

// choice is a flag that takes one of a few words.
type choice struct{ enumeration }

func (c choice) Type() string { return "string" }

func (c choice) Set(s string) error { return c.UnmarshalText([]byte(s)) }

// kind is a kind of value that flags take.
type kind[T any] struct {
	name  string // for help
	want  string // for errors
	parse func(string) (T, error)
	show  func(T) string
}

// one is a flag that takes one value. The zero value stands for a flag that is not given.
type one[T comparable] struct {
	to *T
	kind[T]
}

func (o one[T]) Type() string { return o.name }

func (o one[T]) String() string {
	if *o.to == *new(T) {
		return ""
	}
	return o.show(*o.to)
}

func (o one[T]) Set(s string) error {
	v, err := o.parse(s)
	if err != nil {
		return wantError(o.want)
	}
	*o.to = v
	return nil
}

// several is a flag that takes values separated by commas, and may be repeated.
type several[T any] struct {
	to *[]T
	kind[T]
}

func (l several[T]) Type() string { return l.name }

func (l several[T]) String() string {
	var parts []string
	for _, v := range *l.to {
		parts = append(parts, l.show(v))
	}
	return strings.Join(parts, ",")
}

func (l several[T]) Set(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		v, err := l.parse(part)
		if err != nil {
			return errors.Join(err, wantError(l.want))
		}
		*l.to = append(*l.to, v)
	}
	return nil
}

// words takes names of an enumeration.
func words[E names.Enumeration](to *[]names.Word[E]) several[names.Word[E]] {
	parse := func(s string) (names.Word[E], error) { return names.Word[E](s), names.Word[E](s).Check() }
	return several[names.Word[E]]{to, kind[names.Word[E]]{listType, "", parse, names.Word[E].String}}
}

// count takes a positive whole number with an optional K, M or G for powers of
// 1024.
func count[N int | int64](to *N) one[N] {
	return one[N]{to, kind[N]{"number", experiment.CountForm, parseCount[N], decimal[N]}}
}

func counts(to *[]int64) several[int64] {
	const want = "positive whole numbers separated by commas, K, M and G allowed"
	return several[int64]{to, kind[int64]{"number,…", want, parseCount[int64], decimal[int64]}}
}

// byteSizes takes message sizes; a message may be empty.
func byteSizes(to *[]int64) several[int64] {
	want := fmt.Sprintf("whole numbers from 0 to %dM separated by commas, K and M allowed", experiment.MaxMessage>>20)
	return several[int64]{to, kind[int64]{"bytes,...", want, func(s string) (int64, error) {
		if s == "0" {
			return 0, nil
		}
		n, err := parseCount[int64](s)
		if n > experiment.MaxMessage {
			err = errValue
		}
		return n, err
	}, decimal[int64]}}
}

func decimal[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

var errValue = errors.New("not allowed")

func parseCount[N int | int64](s string) (N, error) {
	n, err := experiment.ParseCount(s)
	return N(n), err
}

const wantSpan = "a time above 0 and up to 240h with its unit, as 250us, 60ms, 300s or 24h"

// longest is so short that a time in microseconds is exact to a nanosecond.
const longest = 240 * time.Hour

// span takes a length of simulated time.
func span(to *sim.Duration) one[sim.Duration] {
	return one[sim.Duration]{to, kind[sim.Duration]{"time", wantSpan, aboveZero, spanText}}
}

// microseconds takes a length of simulated time as a number of microseconds.
func microseconds(to *float64) one[float64] {
	return one[float64]{to, kind[float64]{
		"time", wantSpan,
		func(s string) (float64, error) {
			d, err := aboveZero(s)
			return d.Us(), err
		},
		func(us float64) string { return spanText(sim.Microseconds(us) + sim.Nanosecond/2) },
	}}
}

func spanText(d sim.Duration) string { return time.Duration(d / sim.Nanosecond).String() }

func aboveZero(text string) (sim.Duration, error) {
	d, err := parseSpan(text)
	if d == 0 {
		err = errValue
	}
	return d, err
}

func parseSpan(text string) (sim.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > longest {
		return 0, errValue
	}
	return sim.Duration(d) * sim.Nanosecond, nil
}

// stalls takes NODE:START:FOR.
func stalls(to *[]experiment.Stall) several[experiment.Stall] {
	return several[experiment.Stall]{to, kind[experiment.Stall]{
		"node:start:for", "NODE:START:FOR, as 3:10ms:60ms", parseStall,
		func(x experiment.Stall) string {
			return fmt.Sprintf("%d:%s:%s", x.Node, spanText(sim.Duration(x.At)), spanText(x.For))
		},
	}}
}

func parseStall(text string) (experiment.Stall, error) {
	node, rest, _ := strings.Cut(text, ":")
	start, length, _ := strings.Cut(rest, ":")
	n, err := strconv.Atoi(node)
	from, err1 := parseSpan(start)
	long, err2 := aboveZero(length)
	if n < 0 {
		err = errValue
	}
	return experiment.Stall{Node: n, At: sim.Time(from), For: long}, cmp.Or(err, err1, err2)
}

// pair takes two nodes.
func pair(to *experiment.Pair) one[experiment.Pair] {
	return one[experiment.Pair]{to, kind[experiment.Pair]{"node,node", "two different nodes, as 0,15", parsePair, experiment.Pair.String}}
}

func parsePair(text string) (p experiment.Pair, err error) {
	from, to, _ := strings.Cut(text, ",")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if min(a, b) < 0 || a == b {
		err = errValue
	}
	return experiment.Pair{a, b}, cmp.Or(err, err1, err2)
}

// nodes takes a number of nodes.
func nodes(to *int) one[int] {
	want := fmt.Sprintf("%d to %d", experiment.MinNodes, experiment.MaxNodes)
	return one[int]{to, kind[int]{"number", want, func(s string) (int, error) {
		v, err := strconv.Atoi(s)
		if v < experiment.MinNodes || v > experiment.MaxNodes {
			err = errValue
		}
		return v, err
	}, strconv.Itoa}}
}

// seeds takes a number N of seeds, 1 to N, or FIRST..LAST.
func seeds(to *experiment.Seeds) one[experiment.Seeds] {
	return one[experiment.Seeds]{to, kind[experiment.Seeds]{"number|first..last", experiment.SeedsForm, experiment.ParseSeeds, experiment.Seeds.String}}
}

// settings takes some fields of a specification, by their names in JSON. Others keep their
// values.
type settings[T any] struct{ to *T }

func (settings[T]) Type() string { return "field=value,…" }

func (settings[T]) String() string { return "" }

func (s settings[T]) Set(text string) error {
	var known []string
	if err := bounds.Walk("", s.to, func(f bounds.Field) error {
		known = append(known, f.Path)
		return nil
	}); err != nil {
		return err
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		if err := names.Check("field", name, known); err != nil {
			return err
		}
		if err := json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), s.to); err != nil || strings.TrimSpace(value) == "null" {
			return wantError("FIELD=VALUE separated by commas, as " + known[0] + "=0.02")
		}
	}
	return nil
}
