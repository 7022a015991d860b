package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite golden files")

func gives(v float64) Measure {
	return func(context.Context) (Measured, error) { return Measured{Value: v}, nil }
}

func says(holds bool, note string) Measure {
	return func(context.Context) (Measured, error) { return Measured{Holds: holds, Note: note}, nil }
}

func TestTolerance(t *testing.T) {
	inf := math.Inf(-1)
	for _, c := range []struct {
		name     string
		row      Row
		v        float64
		ok       bool
		errorPct float64
	}{
		{"single, at ten per cent", Row{Lo: 100, Hi: 100, Reading: Approx}, 110, true, 10},
		{"single, past it", Row{Lo: 100, Hi: 100, Reading: Approx}, 110.2, false, 10.2},
		{"single, below", Row{Lo: 100, Hi: 100, Reading: Approx}, 89, false, -11},
		{"negative single", Row{Lo: -10, Hi: -10, Reading: Approx}, -10.5, true, -5},
		{"negative single, past", Row{Lo: -10, Hi: -10, Reading: Approx}, -12, false, -20},
		{"zero", Row{Reading: Approx}, 0, true, 0},
		{"zero missed", Row{Reading: Approx}, 0.1, false, math.NaN()},
		{"range, inside", Row{Lo: 3, Hi: 4, Reading: Range}, 3.9, true, 0},
		{"range has no slack", Row{Lo: 3, Hi: 4, Reading: Range}, 4.2, false, 5},
		{"range, below", Row{Lo: 4, Hi: 5, Reading: Range}, 3, false, -25},
		{"tens of microseconds", Row{Lo: 10, Hi: 99, Reading: Range}, 55, true, 0},
		{"bound", Row{Lo: 0, Hi: 11, Reading: Range}, 11.5, false, 100 * 0.5 / 11},
		{"bound from zero excludes gains", Row{Lo: 0, Hi: 4, Reading: Range}, -9, false, math.NaN()},
		{"open end", Row{Lo: inf, Hi: 0, Reading: Range}, -1e6, true, 0},
		{"open end, past", Row{Lo: inf, Hi: 5, Reading: Range}, 6, false, 20},
		{"exact", Row{Lo: 4, Hi: 4, Reading: Exact}, 4.1, false, 2.5},
		{"exact, met", Row{Lo: 4, Hi: 4, Reading: Exact}, 4, true, 0},
		{"exact, but for rounding", Row{Lo: 0.3, Hi: 0.3, Reading: Exact}, 0.1 + 0.2, true, 0},
		{"own tolerance", Row{Lo: 5, Hi: 5, Reading: Approx, WithinPct: 20}, 5.9, true, 18},
		{"own tolerance, past", Row{Lo: 5, Hi: 5, Reading: Approx, WithinPct: 20}, 6.1, false, 22},
		{"own narrow tolerance", Row{Lo: 5, Hi: 5, Reading: Approx, WithinPct: 1}, 5.1, false, 2},
		{"no number", Row{Lo: 5, Hi: 5, Reading: Approx}, math.NaN(), false, math.NaN()},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.row.Numeric = true
			require.Equal(t, c.ok, c.row.band().Contains(c.v))
			got := c.row.errorPct(c.v)
			if math.IsNaN(c.errorPct) {
				require.True(t, math.IsNaN(got), "error %g", got)
			} else {
				require.InDelta(t, c.errorPct, got, 1e-9)
			}
		})
	}
	require.Panics(t, func() { Row{ID: "words"}.band() })
}

// sample is a table and its rows with every verdict and every way to it.
func sample(t *testing.T) (*Table, Rows) {
	table := parse(t,
		"in,p,1,x,y,clock,c,33,33,MHz,input,n,,approx,calibrated,,,,ni.clock_mhz,,,",
		"hit,p,1,x,y,latency,c,13,13,us,output,n,,approx,,predicted,nothing set it,,,,,",
		"off,p,1,x,y,bandwidth,c,95,100,MB/s,output,n,,range,,predicted,nothing set it,,,,,",
		"gap,p,1,x,y,loss,c,0,4,%,output,n,,range,gap,predicted,nothing set it,handlers outlast the DMA,,9.5,,",
		"closed,p,1,x,y,loss,c,0,4,%,output,n,,range,gap,predicted,nothing set it,same,,9.5,,",
		"moved,p,1,x,y,loss,c,0,4,%,output,n,,range,gap,predicted,nothing set it,same,,9.5,,",
		"beh,p,1,x,y,contention,c,,,predicate,behaviour,n,,,,provoked,the cause is removed,,,,,",
		"idle,p,1,x,y,a|b,c,,,predicate,behaviour,n,,,,provoked,the cause is removed,,,,,",
		"false,p,1,x,y,claim,c,,,text,design,n,at most once,,,by_construction,a constant,,,,,",
		"wide,p,1,x,y,increase,c,5,5,us,output,n,,approx,,derived,twice a calibrated figure,,,,20,published as about 5",
		"open,p,1,x,y,fit,c,-inf,0,us,output,n,,range,,provoked,not without its cause,,,,,",
		"drift,p,1,x,y,set-up,c,150,150,ns,input,n,,approx,calibrated,,,,host.pio_ns,,,",
		"later,q,1,x,y,gap,c,9,9,us,output,n,,approx,absent,,,no such layer,,,,",
		"words,q,1,x,y,order,c,,,predicate,behaviour,n,,,gap,provoked,the cause is removed,the other way round,,,,",
		"follows,q,1,x,y,sum,c,,,predicate,design,n,,,,by_construction,a field of the profile,,,,,",
	)
	rows := Rows{
		"in":     {Experiment: "profile", Measure: gives(33)},
		"hit":    {Experiment: "pingpong", Measure: gives(13.9), Criterion: "median of 100 rounds"},
		"off":    {Experiment: "stream", Measure: gives(80)},
		"gap":    {Experiment: "perturb", Measure: gives(9.2)},
		"closed": {Experiment: "perturb", Measure: gives(3)},
		"moved":  {Experiment: "perturb", Measure: gives(20)},
		"beh": {Experiment: "fft", Measure: says(true, "Source 31 µs, alone 9 µs"), Criterion: "Source is over 3 times its baseline",
			Counter: "fft uncontended", CounterMeasure: says(false, "9 µs")},
		"idle": {Experiment: "fft", Measure: says(true, ""),
			Counter: "fft uncontended", CounterMeasure: says(true, "")},
		"false": {Experiment: "fft", Measure: says(false, ""),
			Counter: "fft off", CounterMeasure: says(false, "")},
		"wide":  {Experiment: "perturb", Measure: gives(5.9)},
		"drift": {Experiment: "profile", Measure: gives(180)},
		"open":  {Experiment: "fit", Measure: gives(-3), Counter: "no slope", CounterMeasure: gives(2)},
		"words": {Experiment: "fft", Measure: says(false, ""),
			Counter: "fft off", CounterMeasure: says(false, "")},
		"follows": {Experiment: "profile", Measure: says(true, "")},
	}
	return table, rows
}

func TestVerdicts(t *testing.T) {
	table, rows := sample(t)
	results := judged(t, table, rows)
	got := map[string]Verdict{}
	notes := map[string]string{}
	for _, r := range results {
		got[r.Row.ID], notes[r.Row.ID] = r.Verdict, r.Note
	}
	require.Equal(t, map[string]Verdict{
		"in": Calibrated, "hit": Predicted, "off": Miss, "gap": KnownGap, "closed": Miss, "moved": Miss,
		"beh": Provoked, "idle": Miss, "false": Miss, "wide": Derived, "open": Provoked, "drift": Miss,
		"later": NotModelled, "words": KnownGap, "follows": ByConstruction,
	}, got)
	require.Contains(t, notes["closed"], "the known gap has closed: remove its status (line 6)")
	require.Contains(t, notes["moved"], "the known gap has moved: 9.5 was expected (line 7)")
	require.Contains(t, notes["idle"], "fft uncontended meets the row too")
	require.Equal(t, "expected 9.5; handlers outlast the DMA", notes["gap"])
	require.Equal(t, "fft off: does not hold; the other way round", notes["words"])
	require.Equal(t, "sets ni.clock_mhz", notes["in"])
	require.Equal(t, "sets host.pio_ns; not met", notes["drift"])
	require.Equal(t, "20 % allowed: published as about 5", notes["wide"])
	require.Equal(t, "no such layer", notes["later"])
}

// judged measures a table with one seed.
func judged(t *testing.T, table *Table, rows Rows) []Result {
	trial, err := rows.Try(t.Context(), table, "", 1, nil)
	require.NoError(t, err)
	return Judge(table, "", []Trial{trial})
}

func TestOnlyAPrefixIsMeasured(t *testing.T) {
	table, rows := sample(t)
	var seen []string
	trial, err := rows.Try(t.Context(), table, "o", 1, func(row Row) { seen = append(seen, row.ID) })
	require.NoError(t, err)
	require.Equal(t, []string{"off", "open"}, seen)
	require.Len(t, trial.Outcomes, 2)
	require.Len(t, Judge(table, "o", []Trial{trial}), 2)
	trial, err = rows.Try(t.Context(), table, "none", 1, nil)
	require.NoError(t, err)
	require.Empty(t, trial.Outcomes)
	require.Empty(t, Judge(table, "none", []Trial{trial}))
}

func TestFailedExperimentIsNoVerdict(t *testing.T) {
	table, rows := sample(t)
	broken := errors.New("deadlock")
	fails := func(context.Context) (Measured, error) { return Measured{}, broken }

	rows["hit"] = Check{Experiment: "pingpong", Measure: fails}
	_, err := rows.Try(t.Context(), table, "", 4, nil)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "row hit: seed 4: experiment pingpong")

	rows["hit"] = Check{Experiment: "pingpong", Measure: gives(13), Counter: "none", CounterMeasure: fails}
	_, err = rows.Try(t.Context(), table, "", 4, nil)
	require.ErrorContains(t, err, "row hit: seed 4: counter-experiment none")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = rows.Try(ctx, table, "", 4, nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestFlawsOfRows(t *testing.T) {
	m := gives(1)
	for _, c := range []struct {
		name  string
		id    string
		check Check
		want  string
	}{
		{"unknown row", "none", Check{Experiment: "e", Measure: m}, "check none: no such row in t.csv"},
		{"absent row", "later", Check{Experiment: "e", Measure: m}, `t.csv:14: status is "absent", want another status, because experiment e measures the row`},
		{"no name", "hit", Check{Measure: m}, "needs a named experiment"},
		{"no measurement", "hit", Check{Experiment: "e"}, "needs a named experiment"},
		{"half a counter", "hit", Check{Experiment: "e", Measure: m, Counter: "c"}, "both a name and a measurement"},
		{"provoked alone", "open", Check{Experiment: "e", Measure: m}, "a row that is provoked needs a counter-experiment"},
		{"gap alone", "words", Check{Experiment: "e", Measure: m}, "a row that is provoked needs a counter-experiment"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, rows := sample(t)
			rows[c.id] = c.check
			require.ErrorContains(t, rows.Validate(table), c.want)
			_, err := rows.Try(t.Context(), table, "", 4, nil)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestEveryRowNeedsACheckOrIsAbsent(t *testing.T) {
	table, rows := sample(t)
	require.NoError(t, rows.Validate(table))
	require.NoError(t, rows.Complete(table))
	for _, id := range []string{"gap", "in", "beh"} {
		table, rows := sample(t)
		delete(rows, id)
		require.ErrorContains(t, rows.Complete(table), "want absent with the reason, because nothing measures row "+id)
	}
}

func TestRowsAreMeasuredOnce(t *testing.T) {
	_, rows := sample(t)
	all := Rows{"other": {Experiment: "e"}}
	all.Merge(rows)
	require.Len(t, all, len(rows)+1)
	require.PanicsWithValue(t, "judge: row hit is measured twice", func() { all.Add("hit", Check{}) })
	require.PanicsWithValue(t, "judge: row other is measured twice", func() { all.Merge(Rows{"other": {}}) })
}

func TestOnceSharesAnExperiment(t *testing.T) {
	runs := 0
	f := Once(func(context.Context) (int, error) { runs++; return runs, nil })
	for range 3 {
		v, err := f(context.Background())
		require.NoError(t, err)
		require.Equal(t, 1, v)
	}
	require.Equal(t, 1, runs)
}

func TestOutputs(t *testing.T) {
	table, rows := sample(t)
	require.NoError(t, table.readHinges("h.csv", strings.NewReader("row,number\nhit,host.flop_ns of shrimp\noff,host.int_ns of shrimp\n")))
	require.EqualError(t, table.readHinges("h.csv", strings.NewReader("row,number\nnone,host.int_ns of shrimp\n")), `h.csv:2: row is "none", want the id of a row`)
	doc := NewDocument(Stamp{ToolVersion: "test", Seed: 1, Platform: "shrimp"}, 1, judged(t, table, rows))
	require.Equal(t, Totals{Predicted: 1, Provoked: 2, Derived: 1, Miss: 6, KnownGap: 2, ByConstruction: 1, Calibrated: 1, NotModelled: 1, Rows: 15}, doc.Totals)

	var js, txt bytes.Buffer
	require.NoError(t, doc.WriteJSON(&js))
	require.NoError(t, doc.WriteText(&txt))
	golden(t, "sample.json", js.Bytes())
	golden(t, "sample.txt", txt.Bytes())

	var back map[string]any
	require.NoError(t, json.Unmarshal(js.Bytes(), &back))
	lines := back["rows"].([]any)
	require.Nil(t, lines[10].(map[string]any)["published_lo"], "open end")
	require.Equal(t, true, lines[6].(map[string]any)["modelled"])
	require.Nil(t, lines[12].(map[string]any)["modelled"])
	require.Equal(t, "Source is over 3 times its baseline", lines[6].(map[string]any)["criterion"])
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update to write it")
	require.Equal(t, string(want), string(got))
}
