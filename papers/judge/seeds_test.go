package judge

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	latency = "a,p,1,x,y,q,c,9,10,us,output,n,,range,,predicted,so,,,,,"
	open9   = "a,p,1,x,y,q,c,9,10,us,output,n,,range,gap,predicted,so,cause,,12,,"
	set9    = "a,p,1,x,y,q,c,9,10,us,output,n,,range,calibrated,,,,clock,,,"
	stated  = "a,p,1,x,y,q,c,,,predicate,behaviour,n,,,,provoked,so,,,,,"
)

// judgedBy judges the row of a line by a value for each seed: the measured one, or 1
// for a statement that is true.
func judgedBy(t require.TestingT, line string, values ...float64) Result {
	table, err := ParseTable("t.csv", strings.NewReader(header+line+"\n"))
	require.NoError(t, err)
	var trials []Trial
	for i, v := range values {
		m := Measured{Value: v, Holds: v == 1}
		trials = append(trials, Trial{uint64(i + 1), map[string]Outcome{"a": {Measured: m, Met: table.Rows[0].met(m)}}})
	}
	return Judge(table, "", trials)[0]
}

// with returns n values, as given and then the last one.
func with(n int, v ...float64) []float64 {
	for len(v) < n {
		v = append(v, v[len(v)-1])
	}
	return v
}

func TestVerdictsOverSeeds(t *testing.T) {
	for _, c := range []struct {
		name   string
		line   string
		values []float64
		want   Verdict
		share  float64
	}{
		{"one seed", latency, []float64{9.5}, Predicted, 1},
		{"one of one fails", latency, []float64{11}, Miss, 0},
		{"all of five", latency, with(5, 9, 10, 9.5), Predicted, 1},
		{"four of five", latency, with(5, 11, 9.5), Miss, 0.8},
		{"the median is met, a seed is not", latency, []float64{9.5, 9.5, 8}, Miss, 2. / 3},
		{"eight of nine", latency, with(9, 11, 9.5), Miss, 8. / 9},
		{"nine of ten", latency, with(10, 11, 9.5), Predicted, 0.9},
		{"eight of ten", latency, with(10, 11, 11, 9.5), Miss, 0.8},
		{"eighteen of twenty", latency, with(20, 11, 11, 9.5), Predicted, 0.9},
		{"seventeen of nineteen", latency, with(19, 11, 11, 9.5), Miss, 17. / 19},
		{"a gap everywhere", open9, with(5, 12), KnownGap, 0},
		{"a gap with all seeds but one", open9, with(5, 9.5, 12), KnownGap, 0.2},
		{"a gap that closes", open9, with(5, 10), Miss, 1},
		{"a gap whose median moves", open9, with(5, 12, 12, 20), Miss, 0},
		{"calibrated", set9, with(5, 9), Calibrated, 1},
		{"calibrated, one seed fails", set9, with(5, 8, 9), Miss, 0.8},
		{"a statement", stated, with(5, 1), Provoked, 1},
		{"a statement that fails once", stated, with(5, 0, 1), Miss, 0.8},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgedBy(t, c.line, c.values...)
			require.Equal(t, c.want, r.Verdict)
			require.InDelta(t, c.share, *r.HeldShare, 1e-12)
			require.Len(t, r.BySeed, len(c.values))
			doc := NewDocument(Stamp{}, 5, []Result{r})
			require.Equal(t, c.share > 0 && c.share < 1, len(doc.Flips) == 1)
		})
	}
}

func TestMedianAndRange(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{9}, []float64{9, 9, 9}},
		{[]float64{10, 9}, []float64{9, 9.5, 10}},
		{[]float64{9.9, 9, 30}, []float64{9, 9.9, 30}},
	} {
		r := judgedBy(t, latency, c.values...)
		require.Equal(t, c.want, []float64{*r.ModelledLo, *r.Modelled.(*float64), *r.ModelledHi})
	}
	r := judgedBy(t, latency, 9, math.NaN(), 9)
	require.Equal(t, Miss, r.Verdict, "no number is no figure")
}

// TestNotesAreOfASeedThatShowsTheVerdict: the note of a missed row tells how it missed.
func TestNotesAreOfASeedThatShowsTheVerdict(t *testing.T) {
	table := parse(t, latency)
	var trials []Trial
	for i, note := range []string{"first", "fails", "third"} {
		trials = append(trials, Trial{uint64(i), map[string]Outcome{"a": {Measured: Measured{Value: 9, Note: note}, Met: note != "fails"}}})
	}
	require.Equal(t, "fails", Judge(table, "", trials)[0].Note)
	require.Equal(t, "first", Judge(table, "", []Trial{trials[2], trials[0]})[0].Note)
}

// TestTheOrderOfTrialsDoesNotMatter: seeds run side by side.
func TestTheOrderOfTrialsDoesNotMatter(t *testing.T) {
	table, _ := sample(t)
	rapid.Check(t, func(t *rapid.T) {
		var trials []Trial
		for seed := range rapid.IntRange(1, 12).Draw(t, "seeds") {
			trial := Trial{uint64(seed), map[string]Outcome{}}
			for _, row := range table.Rows {
				if row.Status != Absent {
					m := Measured{Value: rapid.Float64Range(0, 100).Draw(t, "v"), Holds: rapid.Bool().Draw(t, "holds"), Note: rapid.StringN(0, 3, 9).Draw(t, "note")}
					trial.Outcomes[row.ID] = Outcome{Measured: m, Met: row.met(m)}
				}
			}
			trials = append(trials, trial)
		}
		want := Judge(table, "", trials)
		mixed := append([]Trial{}, trials...)
		rand.New(rand.NewPCG(1, uint64(len(trials)))).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		require.Equal(t, want, Judge(table, "", mixed))
	})
}
