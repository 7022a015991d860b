package judge

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview"
)

const header = "id,paper,where,platform,layer,quantity,conditions,value_lo,value_hi,unit,kind,note\n"

// TestReferenceTablesAreWellFormed reads what the binary carries.
func TestReferenceTablesAreWellFormed(t *testing.T) {
	table, err := ParseTable("published.csv", strings.NewReader(sigview.Published()))
	require.NoError(t, err)
	require.Len(t, table.Rows, 713)
	numeric := 0
	for _, r := range table.Rows {
		if r.Numeric {
			numeric++
		}
	}
	require.Equal(t, 347, numeric)
	r, ok := table.Row("sh-os-add")
	require.True(t, ok)
	require.Equal(t, Row{
		ID: "sh-os-add", Paper: "shrimp", Where: "3.3, Fig 10", Platform: r.Platform, Layer: r.Layer,
		Quantity: "increase of O_s by monitoring", Unit: "us", Kind: Output, Numeric: true, Lo: 0, Hi: 1.5,
		Note: "BOUND: < 1.5 us", Line: r.Line,
	}, r)
	open, ok := table.Row("logp-bulk-negT0")
	require.True(t, ok)
	require.True(t, math.IsInf(open.Lo, -1))

	_, err = ParseGaps("known_gaps.csv", strings.NewReader(sigview.KnownGaps()), table)
	require.NoError(t, err)
	require.Len(t, table.Only("sh-").Rows, 103)
	require.Empty(t, table.Only("nothing").Rows)
}

func TestFlawsAreNamedWithTheirPlace(t *testing.T) {
	good := "a-1,p,1,x,y,q,c,1,2,us,output,n\n"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", `t.csv:1: empty file, want the header id,paper`},
		{"header only", header, "t.csv:1: no rows, want at least one"},
		{"foreign header", "id,value\nx,1\n", "12 well-formed fields"},
		{"wrong header", strings.Replace(header, "kind", "sort", 1) + good, "header is"},
		{"short line", header + good + "b,p,1\n", "t.csv:3: wrong number of fields"},
		{"open quote", header + "\"a,p\n", "t.csv:2"},
		{"same id twice", header + good + good, `t.csv:3: id is "a-1", want an id not used before (line 2 has it)`},
		{"id with a blank", header + "a b,p,1,x,y,q,c,1,2,us,output,n\n", `id is "a b"`},
		{"no id", header + ",p,1,x,y,q,c,1,2,us,output,n\n", `id is ""`},
		{"unknown kind", header + "a,p,1,x,y,q,c,1,2,us,guess,n\n", `kind is "guess", want one of input, output, behaviour, design`},
		{"no unit", header + "a,p,1,x,y,q,c,1,2,,output,n\n", `unit is "", want some text`},
		{"word for number", header + "a,p,1,x,y,q,c,few,2,us,output,n\n", `t.csv:2: value_lo is "few", want a number`},
		{"not a number", header + "a,p,1,x,y,q,c,NaN,2,us,output,n\n", `value_lo is "NaN"`},
		{"one end missing", header + "a,p,1,x,y,q,c,1,,us,output,n\n", `value_hi is "", want a number`},
		{"ends swapped", header + "a,p,1,x,y,q,c,3,2,us,output,n\n", `value_hi is "2", want at least value_lo 3`},
		{"number in words row", header + "a,p,1,x,y,q,c,1,2,predicate,output,n\n", `unit is "predicate"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseTable("t.csv", strings.NewReader(c.in))
			require.ErrorContains(t, err, c.want)
			var flaw *SyntaxError
			require.True(t, errors.As(err, &flaw))
		})
	}
}

func TestGapFlawsAreNamedWithTheirPlace(t *testing.T) {
	table := parse(t, "a,p,1,x,y,q,c,1,2,us,output,n", "w,p,1,x,y,q,c,,,predicate,output,n")
	const head = "id,expected,unit,cause\n"
	for _, c := range []struct{ name, in, want string }{
		{"unknown row", head + "b,1,us,why\n", `g.csv:2: id is "b", want the id of a row of t.csv`},
		{"twice", head + "a,1,us,why\na,1,us,why\n", `g.csv:3: id is "a"`},
		{"no cause", head + "a,1,us,\n", `cause is ""`},
		{"other unit", head + "a,1,ms,why\n", `unit is "ms", want the row's unit us`},
		{"no number", head + "a,,us,why\n", `expected is "", want a number`},
		{"number for words", head + "w,1,predicate,why\n", `expected is "1", want nothing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseGaps("g.csv", strings.NewReader(c.in), table)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add(header + "a,p,1,x,y,q,c,1,2,us,output,n\n")
	f.Add(header + "a,p,1,x,y,\"q\nr\",c,-inf,2,us,design,BOUND\n")
	f.Fuzz(func(t *testing.T, in string) {
		table, err := ParseTable("t.csv", strings.NewReader(in))
		if err != nil {
			return
		}
		for _, r := range table.Rows {
			got, ok := table.Row(r.ID)
			require.True(t, ok)
			require.Equal(t, r.Line, got.Line)
			if r.Numeric {
				b := r.band(0)
				require.False(t, math.IsNaN(b.Lo) || math.IsNaN(b.Hi))
				require.LessOrEqual(t, b.Lo, b.Hi)
			}
		}
	})
}

func parse(t *testing.T, lines ...string) *Table {
	t.Helper()
	table, err := ParseTable("t.csv", strings.NewReader(header+strings.Join(lines, "\n")+"\n"))
	require.NoError(t, err)
	return table
}
