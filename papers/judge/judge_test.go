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
		name      string
		row       Row
		withinPct float64
		v         float64
		ok        bool
		errorPct  float64
	}{
		{"single, at ten per cent", Row{Lo: 100, Hi: 100, Kind: Output}, 0, 110, true, 10},
		{"single, past it", Row{Lo: 100, Hi: 100, Kind: Output}, 0, 110.2, false, 10.2},
		{"single, below", Row{Lo: 100, Hi: 100, Kind: Output}, 0, 89, false, -11},
		{"negative single", Row{Lo: -10, Hi: -10, Kind: Output}, 0, -10.5, true, -5},
		{"negative single, past", Row{Lo: -10, Hi: -10, Kind: Output}, 0, -12, false, -20},
		{"zero", Row{Kind: Output}, 0, 0, true, 0},
		{"zero missed", Row{Kind: Output}, 0, 0.1, false, math.NaN()},
		{"range, inside", Row{Lo: 3, Hi: 4, Kind: Output}, 0, 3.9, true, 0},
		{"range has no slack", Row{Lo: 3, Hi: 4, Kind: Output}, 0, 4.2, false, 5},
		{"range, below", Row{Lo: 4, Hi: 5, Kind: Output}, 0, 3, false, -25},
		{"tens of microseconds", Row{Lo: 10, Hi: 99, Kind: Output, Note: "APPROX 'tens of microseconds'"}, 0, 55, true, 0},
		{"bound", Row{Lo: 0, Hi: 11, Kind: Output, Note: "BOUND: less than 11"}, 0, 11.5, false, 100 * 0.5 / 11},
		{"bound from zero excludes gains", Row{Lo: 0, Hi: 4, Kind: Output, Note: "BOUND: within 4 %"}, 0, -9, false, math.NaN()},
		{"bound as a single value", Row{Lo: 5, Hi: 5, Kind: Output, Note: "BOUND"}, 0, 1, true, -80},
		{"open end", Row{Lo: inf, Hi: 0, Kind: Behaviour}, 0, -1e6, true, 0},
		{"design is exact", Row{Lo: 4, Hi: 4, Kind: Design}, 0, 4.1, false, 2.5},
		{"design met", Row{Lo: 4, Hi: 4, Kind: Design}, 0, 4, true, 0},
		{"approximate design", Row{Lo: 180, Hi: 180, Kind: Design, Note: "APPROX"}, 0, 170, true, 100. * -10 / 180},
		{"own tolerance", Row{Lo: 5, Hi: 5, Kind: Output, Note: "APPROX"}, 20, 5.9, true, 18},
		{"own tolerance, past", Row{Lo: 5, Hi: 5, Kind: Output, Note: "APPROX"}, 20, 6.1, false, 22},
		{"no number", Row{Lo: 5, Hi: 5, Kind: Output}, 0, math.NaN(), false, math.NaN()},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.row.Numeric = true
			require.Equal(t, c.ok, c.row.band(c.withinPct).Contains(c.v))
			got := c.row.errorPct(c.v)
			if math.IsNaN(c.errorPct) {
				require.True(t, math.IsNaN(got), "error %g", got)
			} else {
				require.InDelta(t, c.errorPct, got, 1e-9)
			}
		})
	}
	require.Panics(t, func() { Row{ID: "words"}.band(0) })
}

// sample is a table and a plan with every verdict and every way to it.
func sample(t *testing.T) (*Table, Plan, map[string]Gap) {
	table := parse(t,
		"in,p,1,x,y,clock,c,33,33,MHz,input,n",
		"hit,p,1,x,y,latency,c,13,13,us,output,APPROX",
		"off,p,1,x,y,bandwidth,c,95,100,MB/s,output,n",
		"gap,p,1,x,y,loss,c,0,4,%,output,BOUND",
		"closed,p,1,x,y,loss,c,0,4,%,output,BOUND",
		"moved,p,1,x,y,loss,c,0,4,%,output,BOUND",
		"beh,p,1,x,y,contention,c,,,predicate,behaviour,PRED",
		"idle,p,1,x,y,a|b,c,,,predicate,behaviour,PRED",
		"false,p,1,x,y,claim,c,,,predicate,design,n",
		"wide,p,1,x,y,increase,c,5,5,us,output,APPROX",
		"open,p,1,x,y,fit,c,-inf,0,us,output,n",
		"drift,p,1,x,y,set-up,c,150,150,ns,input,n",
		"later,q,1,x,y,gap,c,9,9,us,output,n",
		"quiet,q,1,x,y,limit,c,,,predicate,behaviour,LIMIT",
	)
	plan := Plan{
		Checks: map[string]Check{
			"in":     {Experiment: "profile", Measure: gives(33)},
			"hit":    {Experiment: "pingpong", Measure: gives(13.9)},
			"off":    {Experiment: "stream", Measure: gives(80)},
			"gap":    {Experiment: "perturb", Measure: gives(9.2)},
			"closed": {Experiment: "perturb", Measure: gives(3)},
			"moved":  {Experiment: "perturb", Measure: gives(20)},
			"beh": {Experiment: "fft", Measure: says(true, "Source 31 µs against 9 µs"),
				Counter: "fft uncontended", CounterMeasure: says(false, "9 µs")},
			"idle": {Experiment: "fft", Measure: says(true, ""),
				Counter: "fft uncontended", CounterMeasure: says(true, "")},
			"false": {Experiment: "fft", Measure: says(false, ""),
				Counter: "fft off", CounterMeasure: says(false, "")},
			"wide":  {Experiment: "perturb", Measure: gives(5.9), WithinPct: 20, Why: "published as about 5"},
			"drift": {Experiment: "profile", Measure: gives(180)},
			"open":  {Experiment: "fit", Measure: gives(-3)},
		},
		Calibrated: map[string]string{"in": "ni.clock_mhz", "drift": "host.pio_ns"},
		NotModelled: func(r Row) (string, bool) {
			return "no such layer", r.ID == "later"
		},
	}
	gaps := map[string]Gap{
		"gap":    {ID: "gap", Numeric: true, Expected: 9.5, Cause: "handlers outlast the DMA", Line: 2},
		"closed": {ID: "closed", Numeric: true, Expected: 9.5, Cause: "same", Line: 3},
		"moved":  {ID: "moved", Numeric: true, Expected: 9.5, Cause: "same", Line: 4},
	}
	return table, plan, gaps
}

func TestVerdicts(t *testing.T) {
	table, plan, gaps := sample(t)
	results, err := plan.Judge(context.Background(), table, gaps)
	require.NoError(t, err)
	got := map[string]Verdict{}
	notes := map[string]string{}
	for _, r := range results {
		got[r.Row.ID], notes[r.Row.ID] = r.Verdict, r.Note
	}
	require.Equal(t, map[string]Verdict{
		"in": Calibrated, "hit": Pass, "off": Miss, "gap": KnownGap, "closed": Miss, "moved": Miss,
		"beh": Pass, "idle": Miss, "false": Miss, "wide": Pass, "open": Pass, "drift": Miss,
		"later": NotModelled, "quiet": NotChecked,
	}, got)
	require.Contains(t, notes["closed"], "the known gap has closed: remove it (line 3)")
	require.Contains(t, notes["moved"], "the known gap has moved")
	require.Contains(t, notes["idle"], "fft uncontended meets the row too")
	require.Equal(t, "expected 9.5; handlers outlast the DMA", notes["gap"])
	require.Equal(t, "sets ni.clock_mhz", notes["in"])
	require.Equal(t, "sets host.pio_ns, and is not met", notes["drift"])
	require.Equal(t, "no such layer", notes["later"])
}

func TestFailedExperimentIsNoVerdict(t *testing.T) {
	table, plan, gaps := sample(t)
	broken := errors.New("deadlock")
	fails := func(context.Context) (Measured, error) { return Measured{}, broken }

	plan.Checks["hit"] = Check{Experiment: "pingpong", Measure: fails}
	_, err := plan.Judge(context.Background(), table, gaps)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "row hit: experiment pingpong")

	plan.Checks["hit"] = Check{Experiment: "pingpong", Measure: gives(13), Counter: "none", CounterMeasure: fails}
	_, err = plan.Judge(context.Background(), table, gaps)
	require.ErrorContains(t, err, "row hit: counter-experiment none")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = plan.Judge(ctx, table, gaps)
	require.ErrorIs(t, err, context.Canceled)

	delete(plan.Checks, "hit")
	gaps["hit"] = Gap{ID: "hit", Line: 9}
	_, err = plan.Judge(context.Background(), table, gaps)
	require.ErrorContains(t, err, "a known gap (line 9) needs a check")
}

func TestPlanFlaws(t *testing.T) {
	m := gives(1)
	for _, c := range []struct {
		name  string
		id    string
		check Check
		want  string
	}{
		{"unknown row", "none", Check{Experiment: "e", Measure: m}, "check none: no such row in t.csv"},
		{"no name", "hit", Check{Measure: m}, "needs a named experiment"},
		{"no measurement", "hit", Check{Experiment: "e"}, "needs a named experiment"},
		{"half a counter", "hit", Check{Experiment: "e", Measure: m, Counter: "c"}, "both a name and a measurement"},
		{"behaviour alone", "beh", Check{Experiment: "e", Measure: m}, "a behaviour row needs a counter-experiment"},
		{"design alone", "false", Check{Experiment: "e", Measure: m}, "a design row needs a counter-experiment"},
		{"tolerance without reason", "hit", Check{Experiment: "e", Measure: m, WithinPct: 20}, "needs a reason"},
		{"reason without tolerance", "hit", Check{Experiment: "e", Measure: m, Why: "so"}, "needs a reason"},
		{"negative tolerance", "hit", Check{Experiment: "e", Measure: m, WithinPct: -1, Why: "so"}, "want a positive number"},
		{"tolerance of a range", "off", Check{Experiment: "e", Measure: m, WithinPct: 20, Why: "so"}, "for single values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, plan, _ := sample(t)
			plan.Checks[c.id] = c.check
			require.ErrorContains(t, plan.Validate(table), c.want)
		})
	}
	table, plan, _ := sample(t)
	require.NoError(t, plan.Validate(table))
	plan.Calibrated["none"] = "x"
	require.ErrorContains(t, plan.Validate(table), "calibrated none: no such row")
	delete(plan.Calibrated, "none")
	plan.Calibrated["hit"] = ""
	require.ErrorContains(t, plan.Validate(table), "name the parameter")
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
	table, plan, gaps := sample(t)
	results, err := plan.Judge(context.Background(), table, gaps)
	require.NoError(t, err)
	doc := NewDocument(Stamp{ToolVersion: "test", Seed: 1, Platform: "shrimp"}, results)
	require.Equal(t, Totals{Pass: 4, Miss: 6, KnownGap: 1, Calibrated: 1, NotChecked: 1, NotModelled: 1, Rows: 14}, doc.Totals)

	var js, md, txt bytes.Buffer
	require.NoError(t, doc.WriteJSON(&js))
	require.NoError(t, doc.WriteMarkdown(&md))
	require.NoError(t, doc.WriteText(&txt))
	golden(t, "sample.json", js.Bytes())
	golden(t, "sample.md", md.Bytes())
	golden(t, "sample.txt", txt.Bytes())

	var back map[string]any
	require.NoError(t, json.Unmarshal(js.Bytes(), &back))
	rows := back["rows"].([]any)
	require.Nil(t, rows[10].(map[string]any)["published_lo"], "open end")
	require.Equal(t, true, rows[6].(map[string]any)["modelled"])
	require.Nil(t, rows[12].(map[string]any)["modelled"])
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
