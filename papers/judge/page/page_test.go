package page

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/papers/judge"
)

var update = flag.Bool("update", false, "rewrite golden files")

const rows = `id,paper,where,platform,layer,quantity,conditions,value_lo,value_hi,unit,kind,note,text,reading,status,evidence,because,why,sets,expected,within_pct,within_why
hit,a,1,box: 8 nodes,l,latency,4 B,13,13,us,output,,,approx,,predicted,nothing set it,,,,,
wide,a,1,box: 8 nodes,m,loss,,0,4,%,output,,,range,,provoked,not without load,,,,,
off,a,1,box: 8 nodes,m,bandwidth,,95,100,MB/s,output,,,range,,predicted,nothing set it,,,,,
far,a,1,box: 8 nodes,l,knee,,256,256,B,behaviour,,,approx,gap,provoked,nothing set it,a cache of 64 us | no other,,2048,,
zero,a,1,box: 8 nodes,l,O_r,,0,0,us,output,,,exact,,predicted,nothing set it,,,,,
said,a,1,box: 8 nodes,l,order,,,,predicate,behaviour,,,,,provoked,not with free buses,,,,,
set,a,1,box: 8 nodes,l,clock,,33,33,MHz,input,,,approx,calibrated,,,,ni.clock_mhz,,,
gone,a,1,box: 8 nodes,l,disk,,9,9,GB,input,,,approx,absent,,,no disk,,,,
later,b,1,other,l,gap,,9,9,us,output,,,approx,absent,,,no such layer,,,,
`

// document is a validation with two seeds: the values of a row with each.
func document(t *testing.T) *judge.Document {
	table, err := judge.ParseTable("t.csv", strings.NewReader(rows))
	require.NoError(t, err)
	table.Rows[0].HingesOn = []string{"host.flop_ns of box"}
	var trials []judge.Trial
	for seed := range 2 {
		trial := judge.Trial{Seed: uint64(seed + 1), Outcomes: map[string]judge.Outcome{}}
		for id, v := range map[string][2]float64{"hit": {13.5, 12.5}, "wide": {3, 2}, "off": {80, 96}, "far": {2048, 2048}, "zero": {0, 0}, "said": {1, 1}, "set": {33, 33}} {
			m := judge.Measured{Value: v[seed], Holds: v[seed] == 1, Note: "seen", Criterion: "rises"}
			trial.Outcomes[id] = judge.Outcome{Measured: m, Experiment: "run", Counter: "free buses", Met: id != "far" && v[seed] != 80}
		}
		trials = append(trials, trial)
	}
	doc := judge.NewDocument(judge.Stamp{Seed: 1}, 2, judge.Judge(table, "", trials))
	return &doc
}

var papers = []judge.Paper{
	{Name: "a", Authors: "A. Author", Title: "A Network", Year: "1998", Venue: "Journal"},
	{Name: "b", Authors: "B. Author", Title: "Another", Year: "2002", Venue: "Workshop"},
	{Name: "c", Authors: "C. Author", Title: "Not in the table", Year: "2003", Venue: "Workshop"},
}

func TestPages(t *testing.T) {
	files, err := Files(document(t), papers, []Link{{"more.md", "further results"}})
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Path)
		path := filepath.Join("testdata", filepath.Base(f.Path))
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, f.Data, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err, "run the test with -update to write it")
		require.Equal(t, string(want), string(f.Data), f.Path)
		if filepath.Ext(f.Path) == ".md" {
			require.NotRegexp(t, `\d us\b`, string(f.Data), "people read µs")
		}
	}
	require.Equal(t, []string{"validation.md", "validation/rows.csv", "validation/a.md", "validation/a.svg"}, names)
}

// TestEveryTableIsRectangular counts the cells of Markdown tables.
func TestEveryTableIsRectangular(t *testing.T) {
	files, err := Files(document(t), papers, nil)
	require.NoError(t, err)
	tables := 0
	for _, f := range files {
		if filepath.Ext(f.Path) != ".md" {
			continue
		}
		width := 0
		for line := range strings.Lines(string(f.Data)) {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			switch {
			case n == 0:
				width = 0
			case width == 0:
				width = n
				tables++
			default:
				require.Equal(t, width, n, "%s: %s", f.Path, line)
			}
		}
	}
	require.Equal(t, 8, tables)
}

func TestRowsHaveAllColumns(t *testing.T) {
	doc := document(t)
	data, err := csvFile(doc)
	require.NoError(t, err)
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, len(doc.Rows)+1)
	require.Equal(t, Columns, records[0])
}

// TestFiguresAreSorted by the model's share of the published value; without a scale last.
func TestFiguresAreSorted(t *testing.T) {
	var ids []string
	for _, f := range (part{rows: document(t).Rows}).figures() {
		ids = append(ids, f.ID)
	}
	require.Equal(t, []string{"far", "hit", "off", "wide", "zero"}, ids)
}
