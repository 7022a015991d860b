package flags

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Want is an error that says in words what the value of a flag must be.
type Want string

func (w Want) Error() string { return string(w) }

// ListType is the type of flags that take words separated by commas.
const ListType = "stringSlice"

// Enumeration is a pointer to a value that has a name.
type Enumeration interface {
	names.Enumeration
	encoding.TextUnmarshaler
	fmt.Stringer
}

// OneOf takes one of a few words.
func OneOf(to Enumeration) pflag.Value { return choice{to} }

type choice struct{ Enumeration }

func (choice) Type() string { return "string" }

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
		return Want(o.want)
	}
	*o.to = v
	return nil
}

// Own makes a flag of a kind of its own: want says in errors what it takes.
func Own[T comparable](to *T, name, want string, parse func(string) (T, error), show func(T) string) pflag.Value {
	return one[T]{to, kind[T]{name, want, parse, show}}
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
			return errors.Join(err, Want(l.want))
		}
		*l.to = append(*l.to, v)
	}
	return nil
}

// Words takes names of an Enumeration.
func Words[E names.Enumeration](to *[]names.Word[E]) pflag.Value {
	parse := func(s string) (names.Word[E], error) { return names.Word[E](s), names.Word[E](s).Check() }
	return several[names.Word[E]]{to, kind[names.Word[E]]{ListType, "", parse, names.Word[E].String}}
}

// Count takes a positive whole number with an optional K, M or G for powers of
// 1024.
func Count[N int | int64](to *N) pflag.Value {
	return one[N]{to, kind[N]{"number", experiment.CountForm, parseCount[N], decimal[N]}}
}

func Counts(to *[]int64) pflag.Value {
	const want = "positive whole numbers separated by commas, K, M and G allowed"
	return several[int64]{to, kind[int64]{"number,…", want, parseCount[int64], decimal[int64]}}
}

// ByteSizes takes message sizes; a message may be empty.
func ByteSizes(to *[]int64) pflag.Value {
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

// Span takes a length of simulated time.
func Span(to *sim.Duration) pflag.Value {
	return one[sim.Duration]{to, kind[sim.Duration]{"time", wantSpan, aboveZero, SpanText}}
}

// Microseconds takes a length of simulated time as a number of microseconds.
func Microseconds(to *float64) pflag.Value {
	return one[float64]{to, kind[float64]{
		"time", wantSpan,
		func(s string) (float64, error) {
			d, err := aboveZero(s)
			return d.Us(), err
		},
		func(us float64) string { return SpanText(sim.Microseconds(us) + sim.Nanosecond/2) },
	}}
}

// SpanText writes a length of simulated time as flags take it.
func SpanText(d sim.Duration) string { return time.Duration(d / sim.Nanosecond).String() }

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

// Stalls takes NODE:START:FOR.
func Stalls(to *[]experiment.Stall) pflag.Value {
	return several[experiment.Stall]{to, kind[experiment.Stall]{
		"node:start:for", "NODE:START:FOR, as 3:10ms:60ms", parseStall,
		func(x experiment.Stall) string {
			return fmt.Sprintf("%d:%s:%s", x.Node, SpanText(sim.Duration(x.At)), SpanText(x.For))
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

// Pair takes two nodes.
func Pair(to *experiment.Pair) pflag.Value {
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

// Nodes takes a number of nodes.
func Nodes(to *int) pflag.Value {
	want := fmt.Sprintf("%d to %d", experiment.MinNodes, experiment.MaxNodes)
	return one[int]{to, kind[int]{"number", want, func(s string) (int, error) {
		v, err := strconv.Atoi(s)
		if v < experiment.MinNodes || v > experiment.MaxNodes {
			err = errValue
		}
		return v, err
	}, strconv.Itoa}}
}

// Seeds takes a number N of seeds, 1 to N, or FIRST..LAST.
func Seeds(to *experiment.Seeds) pflag.Value {
	return one[experiment.Seeds]{to, kind[experiment.Seeds]{"number|first..last", experiment.SeedsForm, experiment.ParseSeeds, experiment.Seeds.String}}
}

// Settings takes some fields of a specification, by their names in JSON. Others keep their
// values.
type Settings[T any] struct{ To *T }

func (Settings[T]) Type() string { return "field=value,…" }

func (Settings[T]) String() string { return "" }

func (s Settings[T]) Set(text string) error {
	var known []string
	if err := bounds.Walk("", s.To, func(f bounds.Field) error {
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
		if err := json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), s.To); err != nil || strings.TrimSpace(value) == "null" {
			return Want("FIELD=VALUE separated by commas, as " + known[0] + "=0.02")
		}
	}
	return nil
}
