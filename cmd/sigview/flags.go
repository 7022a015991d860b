package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// flagError turns what the flag parser says into one line that names the
// flag, the value and what was wanted.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, "--"+f.Name)
			}
		})
		return names.Check("flag", "--"+unknown.GetSpecifiedName(), known)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		return usagef("--%s is %q, want %s", f.Name, invalid.GetValue(), wanted(f, invalid.Unwrap()))
	}
	return usagef("%s", err)
}

// wantError is what a flag's value has to be, in words.
type wantError string

func (e wantError) Error() string { return string(e) }

func wanted(f *pflag.Flag, err error) string {
	var want wantError
	if errors.As(err, &want) {
		return string(want)
	}
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "uint", "uint64":
		return "a whole number from 0"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "a " + f.Value.Type()
}

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

// count is a flag that takes a positive whole number with an optional K, M or
// G for powers of 1024. Zero means that it was not given.
type count int64

func (c *count) String() string {
	if *c == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}
func (c *count) Type() string { return "number" }

func (c *count) Set(s string) error {
	n, err := parseCount(s)
	if err != nil {
		return err
	}
	*c = count(n)
	return nil
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

// exactly asks for arguments by name.
func exactly(want ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(want):
			return usagef("%s is missing", want[len(args)])
		case len(args) > len(want) && len(want) == 0:
			return usagef("argument %q is one too many, want none", args[0])
		case len(args) > len(want):
			return usagef("argument %q is one too many, want %s", args[len(want)], strings.Join(want, " "))
		}
		return nil
	}
}

// atMostOne allows one argument.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("argument %q is one too many, want at most one %s", args[1], name)
		}
		return nil
	}
}
