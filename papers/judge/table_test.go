package judge

import (
	"encoding/csv"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview"
)

const header = "id,paper,where,platform,layer,quantity,conditions,value_lo,value_hi,unit,kind,note," +
	"text,reading,status,evidence,because,why,sets,expected,within_pct,within_why\n"

// TestReferenceTableIsWellFormed reads what the binary carries: a row of each line, with what is in its columns.
func TestReferenceTableIsWellFormed(t *testing.T) {
	table, err := ParseTable("published.csv", strings.NewReader(sigview.Published()))
	require.NoError(t, err)
	lines, err := csv.NewReader(strings.NewReader(sigview.Published())).ReadAll()
	require.NoError(t, err)
	require.Equal(t, len(lines)-1, len(table.Rows), "rows of the lines below the header")
	column := func(name string) int { return slices.Index(lines[0], name) }
	shrimp := 0
	for i, line := range lines[1:] {
		r := table.Rows[i]
		require.Equal(t, line[column("id")], r.ID, "line %d", r.Line)
		require.Equal(t, line[column("value_lo")] != "", r.Numeric, "row %s: is it a number", r.ID)
		require.Equal(t, line[column("status")], string(r.Status), "row %s", r.ID)
		if strings.HasPrefix(r.ID, "sh-") {
			shrimp++
		}
	}
	r, ok := table.Row("sh-os-add")
	require.True(t, ok)
	require.Equal(t, Row{
		ID: "sh-os-add", Paper: "shrimp", Where: "3.3, Fig 10", Platform: r.Platform, Layer: r.Layer,
		Quantity: "increase of O_s by monitoring", Unit: "us", Kind: Output, Numeric: true, Lo: 0, Hi: 1.5, Reading: Range,
		Evidence: r.Evidence, Because: r.Because, Line: r.Line,
	}, r)
	open, ok := table.Row("logp-bulk-negT0")
	require.True(t, ok)
	require.True(t, math.IsInf(open.Lo, -1))

	require.Equal(t, shrimp, len(table.Only("sh-")))
	word, ok := table.Row("us-t1-multi-pm12")
	require.True(t, ok)
	require.Equal(t, "Yes", word.Text)
	require.Empty(t, table.Only("nothing"))
}

// TestDerivedRowsNameTheirSources: a derived row names rows of the table as
// its sources, and following these never leads back to it.
func TestDerivedRowsNameTheirSources(t *testing.T) {
	table, err := ParseTable("published.csv", strings.NewReader(sigview.Published()))
	require.NoError(t, err)
	names := regexp.MustCompile(`\b(sh|us|logp|grim|pl|rd)-[a-z0-9][A-Za-z0-9-]*`)
	var from func(row Row, path []string)
	from = func(row Row, path []string) {
		require.NotContains(t, path, row.ID)
		if row.Evidence != Derivation {
			return
		}
		sources := names.FindAllString(row.Because, -1)
		require.NotEmpty(t, sources, row.ID)
		for _, id := range sources {
			source, ok := table.Row(id)
			require.True(t, ok, "%s names %s", row.ID, id)
			from(source, append(path, row.ID))
		}
	}
	for _, row := range table.Rows {
		from(row, nil)
	}
}

// TestReferenceTableIsInCanonicalForm keeps the quoting of encoding/csv, so
// that programs can change the table without touching other lines.
func TestReferenceTableIsInCanonicalForm(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(sigview.Published())).ReadAll()
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, csv.NewWriter(&out).WriteAll(records))
	lines, want := strings.Split(sigview.Published(), "\n"), strings.Split(out.String(), "\n")
	for i := range min(len(lines), len(want)) {
		require.Equal(t, want[i], lines[i], "published.csv:%d: want the quoting of encoding/csv: only of fields with a comma, a quote or a line break", i+1)
	}
	require.Len(t, lines, len(want), "published.csv: want one line break at the end")
}

// TestEveryPaperIsNamed finds each paper of the table in papers.csv.
func TestEveryPaperIsNamed(t *testing.T) {
	papers, err := Papers()
	require.NoError(t, err)
	titles := map[string]string{}
	for _, p := range papers {
		titles[p.Name] = p.Title
	}
	table, err := ParseTable("published.csv", strings.NewReader(sigview.Published()))
	require.NoError(t, err)
	for _, r := range table.Rows {
		require.NotEmpty(t, titles[r.Paper], "row %s", r.ID)
	}
}

func TestFlawsAreNamedWithTheirPlace(t *testing.T) {
	single := func(columns string) string { return header + "a,p,1,x,y,q,c,4,4,us,output,n," + columns + "\n" }
	words := func(unit, columns string) string {
		return header + "a,p,1,x,y,q,c,,," + unit + ",output,n," + columns + "\n"
	}
	good := "a-1,p,1,x,y,q,c,1,2,us,output,n,,range,,predicted,nothing set it,,,,,\n"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", `t.csv:1: empty file, want the header id,paper`},
		{"header only", header, "t.csv:1: no rows, want at least one"},
		{"foreign header", "id,value\nx,1\n", "22 well-formed fields"},
		{"wrong header", strings.Replace(header, "kind", "sort", 1) + good, "header is"},
		{"short line", header + good + "b,p,1\n", "t.csv:3: wrong number of fields"},
		{"open quote", header + "\"a,p\n", "t.csv:2"},
		{"same id twice", header + good + good, `t.csv:3: id is "a-1", want an id not used before (line 2 has it)`},
		{"id with a blank", header + "a b,p,1,x,y,q,c,1,2,us,output,n,,range,,predicted,nothing set it,,,,,\n", `id is "a b"`},
		{"no id", header + ",p,1,x,y,q,c,1,2,us,output,n,,range,,predicted,nothing set it,,,,,\n", `id is ""`},
		{"unknown kind", header + "a,p,1,x,y,q,c,1,2,us,guess,n,,range,,predicted,nothing set it,,,,,\n", `kind is "guess", want one of ["input" "output" "behaviour" "design"]`},
		{"no unit", header + "a,p,1,x,y,q,c,1,2,,output,n,,range,,predicted,nothing set it,,,,,\n", `unit is "", want some text: every row has one`},
		{"word for number", header + "a,p,1,x,y,q,c,few,2,us,output,n,,range,,predicted,nothing set it,,,,,\n", `t.csv:2: value_lo is "few", want a number`},
		{"not a number", header + "a,p,1,x,y,q,c,NaN,2,us,output,n,,range,,predicted,nothing set it,,,,,\n", `value_lo is "NaN"`},
		{"one end missing", header + "a,p,1,x,y,q,c,1,,us,output,n,,range,,predicted,nothing set it,,,,,\n", `value_hi is "", want some text: a number has both ends`},
		{"ends swapped", header + "a,p,1,x,y,q,c,3,2,us,output,n,,range,,predicted,nothing set it,,,,,\n", `value_hi is "2", want at least value_lo 3`},
		{"number in words row", header + "a,p,1,x,y,q,c,1,2,predicate,output,n,,,,predicted,nothing set it,,,,,\n", `value_lo is "1", want nothing: a number has both ends and a statement in words none`},
		{"text missing", words("text", ",,,predicted,nothing set it,,,,,"), `t.csv:2: text is "", want some text: a row has one if its unit is text`},
		{"text of a statement", words("predicate", "RPC,,,predicted,nothing set it,,,,,"), `text is "RPC", want nothing: a row has one if its unit is text`},
		{"reading of words", words("predicate", ",range,,predicted,nothing set it,,,,,"), `reading is "range", want nothing: a number has one and a statement in words none`},
		{"no reading", single(",,,predicted,nothing set it,,,,,"), `reading is "", want some text: a number has one`},
		{"single value as a range", single(",range,,predicted,nothing set it,,,,,"), `reading is "range", want range if value_lo and value_hi differ, and exact or approx if not`},
		{"range as a single value", strings.Replace(header+good, "range", "approx", 1), `reading is "approx", want range if value_lo and value_hi differ`},
		{"unknown status", single(",approx,known,predicted,nothing set it,,,,,"), `status is "known", want one of ["" "calibrated" "gap" "absent"]`},
		{"absent without a reason", single(",approx,absent,,,,,,,"), `why is "", want some text: a gap or an absent row`},
		{"reason without a status", single(",approx,,predicted,nothing set it,so,,,,"), `why is "so", want nothing: a gap or an absent row`},
		{"calibrated without a parameter", single(",approx,calibrated,,,,,,,"), `sets is "", want some text: a calibrated row has one`},
		{"calibrated with a reason", single(",approx,calibrated,,,so,clock,,,"), `why is "so", want nothing: a gap or an absent row`},
		{"unknown reading", single(",roughly,,predicted,nothing set it,,,,,"), `reading is "roughly", want one of ["range" "exact" "approx"]`},
		{"zero tolerance", single(",approx,,predicted,nothing set it,,,,0,so"), `within_pct is "0", want a positive number`},
		{"tolerance of words", words("predicate", ",,,predicted,nothing set it,,,,20,so"), `within_pct is "20", want nothing`},
		{"parameter of another row", single(",approx,gap,predicted,nothing set it,so,clock,5,,"), `sets is "clock", want nothing: a calibrated row`},
		{"gap without a reason", single(",approx,gap,predicted,nothing set it,,,5,,"), `why is "", want some text: a gap`},
		{"gap without a number", single(",approx,gap,predicted,nothing set it,so,,,,"), `expected is "", want some text: a gap with a number has one`},
		{"gap of infinity", single(",approx,gap,predicted,nothing set it,so,,inf,,"), `expected is "inf", want a number`},
		{"gap in words with a number", words("predicate", ",,gap,predicted,nothing set it,so,,5,,"), `expected is "5", want nothing`},
		{"expected without a gap", single(",approx,,predicted,nothing set it,,,5,,"), `expected is "5", want nothing`},
		{"no evidence", single(",approx,,,nothing set it,,,,,"), `evidence is "", want some text: a row without a status and a gap have one`},
		{"evidence without a reason", single(",approx,,predicted,,,,,,"), `because is "", want some text: evidence has a reason`},
		{"reason without evidence", single(",approx,calibrated,,so,,clock,,,"), `because is "so", want nothing: evidence has a reason`},
		{"unknown evidence", single(",approx,,guessed,so,,,,,"), `evidence is "guessed", want one of ["predicted" "provoked" "derived" "by_construction"]`},
		{"evidence of what sets a parameter", single(",approx,calibrated,predicted,,,clock,,,"), `evidence is "predicted", want nothing`},
		{"evidence of an absent row", single(",approx,absent,predicted,so,why,,,,"), `evidence is "predicted", want nothing`},
		{"gap without evidence", single(",approx,gap,,so,why,,5,,"), `evidence is "", want some text`},
		{"tolerance without a reason", single(",approx,,predicted,nothing set it,,,,20,"), `within_why is "", want some text: a tolerance has a reason`},
		{"reason without a tolerance", single(",approx,,predicted,nothing set it,,,,,so"), `within_why is "so", want nothing: a tolerance has a reason`},
		{"negative tolerance", single(",approx,,predicted,nothing set it,,,,-1,so"), `within_pct is "-1", want a positive number`},
		{"tolerance of an exact value", single(",exact,,predicted,nothing set it,,,,20,so"), `within_pct is "20", want a positive number, and only for a value read as approx`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseTable("t.csv", strings.NewReader(c.in))
			require.ErrorContains(t, err, c.want)
			var flaw *SyntaxError
			require.True(t, errors.As(err, &flaw))
		})
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add(header + "a,p,1,x,y,q,c,1,2,us,output,n,,range,gap,predicted,nothing set it,so,,3,,\n")
	f.Add(header + "a,p,1,x,y,\"q\nr\",c,-inf,2,us,design,n,,range,,predicted,nothing set it,,,,,\n")
	f.Add(header + "a,p,1,x,y,q,c,4,4,us,output,n,,approx,calibrated,,,,clock,,20,so\n")
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
				b := r.band()
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
