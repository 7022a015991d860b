package bounds

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/names"
)

type inner struct {
	X    float64 `toml:"x" range:"0..1.5"`
	Word string  `toml:"word" oneof:"a b c"`
}

type Embedded struct {
	Line int `toml:"line_bytes" range:"pow2 8..512 bytes"`
}

// span is measured in ticks of 10 ns.
type span int

func (s span) In(unit string) (float64, bool) { return float64(10 * s), unit == "ns" }

type outer struct {
	N     int `toml:"n" range:"1..64"`
	Part  int `toml:"part" range:"1..n"`
	Inner inner
	Embedded
	Share  float64 `json:"share,omitempty" range:"0..<1"`
	Rate   float64 `json:"rate" range:"0<..10"`
	Burst  uint64  `json:"burst" range:"0|4..16"`
	Count  int     `range:"2.."`
	Sizes  []int64 `json:"sizes" range:"0<.."`
	Wait   span    `json:"wait_ns" range:"10..1000"`
	Parts  []inner `json:"parts"`
	Maybe  *inner  `json:"maybe"`
	Free   float64
	hidden int
}

func good() outer {
	return outer{N: 2, Part: 1, Inner: inner{0, "a"}, Embedded: Embedded{8}, Rate: 1, Count: 2, Wait: 1}
}

func TestCheck(t *testing.T) {
	spec := good()
	require.NoError(t, Check("s", &spec))
	require.NoError(t, Check("s", spec))
	spec.N, spec.Part, spec.Line, spec.Burst, spec.Rate, spec.Wait = 64, 64, 512, 16, 10, 100
	spec.Free, spec.hidden = -1, -1
	require.NoError(t, Check("", &spec))

	for want, change := range map[string]func(*outer){
		"s.n is 0, want 1 to 64":                                         func(s *outer) { s.N = 0 },
		"s.n is 65, want 1 to 64":                                        func(s *outer) { s.N = 65 },
		"s.part is 3, want 1 to n = 2":                                   func(s *outer) { s.Part = 3 },
		"s.Inner.x is -0.5, want 0 to 1.5":                               func(s *outer) { s.Inner.X = -0.5 },
		"s.Inner.x is NaN, want 0 to 1.5":                                func(s *outer) { s.Inner.X = math.NaN() },
		`s.Inner.word is "d", want a, b or c`:                            func(s *outer) { s.Inner.Word = "d" },
		"s.line_bytes is 24, want a power of two from 8 to 512 bytes":    func(s *outer) { s.Line = 24 },
		"s.line_bytes is 4, want a power of two from 8 to 512 bytes":     func(s *outer) { s.Line = 4 },
		"s.share is 1, want 0 to below 1":                                func(s *outer) { s.Share = 1 },
		"s.rate is 0, want more than 0 and at most 10":                   func(s *outer) { s.Rate = 0 },
		"s.burst is 3, want 0 or 4 to 16":                                func(s *outer) { s.Burst = 3 },
		"s.Count is 1, want at least 2":                                  func(s *outer) { s.Count = 1 },
		"s.sizes[1] is 0, want more than 0":                              func(s *outer) { s.Sizes = []int64{1, 0} },
		"s.wait_ns is 1010, want 10 to 1000":                             func(s *outer) { s.Wait = 101 },
		"s.parts[1].x is 2, want 0 to 1.5":                               func(s *outer) { s.Parts = []inner{{0, "a"}, {2, "b"}} },
		"s.maybe.x is 3, want 0 to 1.5":                                  func(s *outer) { s.Maybe = &inner{X: 3} },
		fmt.Sprintf("s.n is %d, want 1 to 64", math.MinInt):              func(s *outer) { s.N = math.MinInt },
		fmt.Sprintf("s.burst is %d, want 0 or 4 to 16", uint64(1<<64-1)): func(s *outer) { s.Burst = 1<<64 - 1 },
	} {
		spec := good()
		change(&spec)
		err := Check("s", &spec)
		require.EqualError(t, err, want)
		var flaw *Error
		require.ErrorAs(t, err, &flaw)
		require.True(t, flaw.Usage())
	}
}

type fruit struct{}

func (fruit) Words() names.Words { return names.NewWords("fruit", "apple", "pear") }

type basket struct {
	One   names.Word[fruit]   `json:"one"`
	Maybe names.Word[fruit]   `json:"maybe" optional:"yes"`
	More  []names.Word[fruit] `json:"more"`
}

// TestWords: a name of an enumeration is checked without a tag.
func TestWords(t *testing.T) {
	require.NoError(t, Check("", basket{One: "pear", More: []names.Word[fruit]{"apple", "pear"}}))
	require.ErrorContains(t, Check("", basket{}), `unknown fruit ""`)
	require.ErrorContains(t, Check("", basket{One: "pear", Maybe: "per"}), `did you mean "pear"?`)
	require.ErrorContains(t, Check("", basket{One: "pear", More: []names.Word[fruit]{"plum"}}), `unknown fruit "plum"`)
}

func TestMalformedTagsPanic(t *testing.T) {
	require.Panics(t, func() {
		_ = Check("", struct {
			N int `range:"1..many"`
		}{})
	})
	require.Panics(t, func() {
		_ = Check("", struct {
			S string `range:"1..2"`
		}{})
	})
}

// TestLooseField checks a number that is not in its struct yet.
func TestLooseField(t *testing.T) {
	f := Field{Path: "s.n", Value: reflect.ValueOf(int64(7)), Tag: `range:"1..m"`}
	require.NoError(t, f.Check())
	f.Value = reflect.ValueOf(0.5)
	require.EqualError(t, f.Check(), "s.n is 0.5, want at least 1")
}

func TestRangesInWords(t *testing.T) {
	for tag, want := range map[string]string{"..5": "at most 5", "1..1": "1", "4|8 bytes": "4 or 8 bytes", "..<5": "below 5"} {
		r, err := parse(tag, nil)
		require.NoError(t, err)
		require.Equal(t, want, r.String())
	}
}
