package tui

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// measuredHere are real measurements in testdata, made by sigview logp and
// sigview bandwidth.
var measuredHere, _ = filepath.Abs(filepath.Join("testdata", "measured"))

// measuredAt reads one of them by its name.
func measuredAt(dir string) (*data.Measured, error) {
	m, err := data.ReadMeasured(filepath.Join(measuredHere, dir))
	if err != nil {
		return nil, err
	}
	m.Dir = dir
	for _, x := range m.Series {
		x.Dir = dir
	}
	return m, nil
}

// measurements is a state with some of them open, looked at in mono.
func measurements(t testing.TB, dirs ...string) *State {
	t.Helper()
	s := NewState(look(t, "mono", cell.Braille, cell.NoColour))
	s.Hint = false
	for _, dir := range dirs {
		m, err := measuredAt(dir)
		require.NoError(t, err)
		s.AddMeasured(m)
	}
	s.showMeasured(false)
	require.Equal(t, views.AMeasurement, s.Subject())
	return s
}

// logpAt is the number of the view of measurements.
var logpAt, _ = views.ViewOf("LogP")

// logp is the state of that view.
func (s *State) logp() *views.LogpView { return s.views[logpAt].(*views.LogpView) }

// Second are the series laid over.
func (r *rig) Second() []int { return r.state.logp().Second(&r.state.Scene) }

func TestLogPPictures(t *testing.T) {
	draw := func(name string, s *State) {
		golden(t, "LogP-"+name+".txt", Draw(s, 80, 24).String())
		golden(t, "LogP-"+name+"-wide.txt", Draw(s, 140, 44).String())
	}
	draw("signature", measurements(t, "gam"))
	draw("sweep", measurements(t, "sweep"))
	s := measurements(t, "bandwidth", "bulk")
	draw("bandwidth", s)
	s.logp().Metric = views.PlotOneWay
	draw("one-way", s)
	v := s.logp()
	v.Series.Row, v.Metric, v.X, s.Sel.Intervals = 2, views.PlotSizes, 65536, true
	draw("bulk", s)
	require.Equal(t, "gam on ppro, 1KB", views.Name(s.Series()[3]), "bulk transfers with a signature of their own")
	require.NoError(t, s.selectAfresh("series=3 curve=1"))
	draw("bulk-signature", s)
	s = measurements(t, "gam", "sweep")
	s.logp().Series.Row, s.logp().Metric = 2, views.PlotCost
	draw("nothing", s)
	s.Findings = true
	draw("doubts", s)
	golden(t, "LogP-unmeasured.txt", func() string { s := two(t, s.Look); s.show(logpAt); return Draw(s, 80, 24).String() }())
}

// TestLogPEverySize: no size and no selection makes a picture fail.
func TestLogPEverySize(t *testing.T) {
	if testing.Short() {
		t.Skip("drawing only")
	}
	s := measurements(t, "gam", "meiko", "sweep", "bandwidth", "bulk")
	for series := range s.Series() {
		for metric := range views.LogpMetrics {
			v := s.logp()
			v.Series.Row, v.Metric = series, views.Choice(metric)
			for curve := range 8 {
				v.Curve, v.X, v.LogScale = curve, int64(curve*curve*100), curve%2 == 0
				for w := 55; w < 210; w += 50 {
					for h := 15; h < 70; h += 13 {
						Draw(s, w, h)
					}
				}
			}
		}
	}
}

func TestLogPKeys(t *testing.T) {
	r := newRig(t, newShell(t), "gam", "meiko", "sweep")
	require.Equal(t, logpAt, r.state.View, "nothing else is open")
	require.Len(t, r.state.Series(), 5)
	v := r.state.logp()
	x := v.X
	r.Keys("right", "right", "right")
	require.Greater(t, v.X, x)
	require.Contains(t, r.Text(), "M 8")
	r.Keys("down")
	require.Contains(t, r.Text(), "Δ 3.6 µs, M 8")
	require.Contains(t, r.Text(), "knee 8 to 16")
	r.Keys("s", "s", "s", "s")
	require.Equal(t, 0, v.Curve)
	require.Contains(t, r.Text(), "b gam on meiko")
	r.Keys("v")
	require.Equal(t, []int{1}, r.Second())
	r.Keys("v", "v", "v", "v")
	require.Empty(t, r.Second(), "none after the last")
	r.Keys("v")
	require.Len(t, r.Second(), 4)
	r.Keys("]")
	require.Contains(t, strings.Split(r.Text(), "\n")[0], "gam on meiko")
	r.Keys("[", "[")
	require.Contains(t, strings.Split(r.Text(), "\n")[0], "fm on ppro")
	fm, _ := v.At(&r.state.Scene)
	require.Equal(t, views.PlotSizes, v.Plot(fm))
	r.Keys("m")
	require.Contains(t, r.Text(), "--method signature", "what to run for it")
	r.Keys("b")
	require.Contains(t, r.state.Note, "no baseline")
	r.Keys("-")
	require.True(t, v.LogScale)
	r.Keys("w")
	require.Contains(t, r.Text(), "doubtful")
	r.Keys("esc", "1")
	require.Contains(t, r.Text(), "7          look at the measurement")
	r.Keys("K", "t", "a", "enter")
}

// TestOpeningAMeasurement goes to its view; opening a run goes back from it.
func TestOpeningAMeasurement(t *testing.T) {
	r := newRig(t, newShell(t), "before", "gam")
	require.Equal(t, 0, r.state.View, "the run is looked at")
	require.Len(t, r.state.Measured, 1)
	r.Keys(":open meiko", "enter")
	require.Equal(t, logpAt, r.state.View)
	require.Equal(t, "meiko", r.state.Series()[r.state.logp().Series.Row].Dir)
	r.Keys(":open after", "enter")
	require.Equal(t, 0, r.state.View)
	r.Keys(":open gam", "enter")
	require.Len(t, r.state.Measured, 2, "once each")
	r.Keys("r", "enter")
	require.Equal(t, 0, r.state.View, "a run that begins is seen")
	r.Keys("7")
	r.Keys(":open nowhere", "enter")
	require.Contains(t, r.Text(), "nowhere")
	r.Keys(":baseline gam", "enter")
	require.Contains(t, r.state.Problems[len(r.state.Problems)-1], "baseline")
	r.send(tea.MouseMsg{X: 40, Y: 8, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	require.Greater(t, r.state.logp().X, int64(1))
}

// TestLogPExports writes what is seen, and the command line that makes it again.
func TestLogPExports(t *testing.T) {
	r := newRig(t, newShell(t), "gam", "meiko")
	r.Keys("down", "right", "right", "i", "v")
	line := r.commandLine("")
	require.Contains(t, line, "sigview view gam meiko --view LogP")
	_, text, ok := strings.Cut(line, "--select '")
	require.True(t, ok, line)
	text, _, _ = strings.Cut(text, "'")
	inRuns(t)
	o := Options{Dirs: []string{"gam", "meiko"}, Select: text, Theme: "dark", Glyphs: "braille"}
	again, err := o.State(os.Stdout)
	require.NoError(t, err)
	require.NoError(t, Load(o, again))
	require.Equal(t, Draw(Still(r.state), 100, 30).String(), Draw(Still(again), 100, 30).String(), line)

	t.Chdir(t.TempDir())
	for _, name := range []string{"a.svg", "a.png", "a.csv", "a.txt"} {
		r.Keys(":export "+name, "enter")
		require.Contains(t, r.state.Note, "wrote "+name)
	}
	data, err := os.ReadFile("a.csv")
	require.NoError(t, err)
	lines := strings.Split(string(data), "\n")
	require.Contains(t, lines[0], "m_or_size_bytes")
	require.Contains(t, lines[1], "gam,ppro,gam,signature,Δ 0,1,1,")
	require.Contains(t, string(data), "meiko,meiko,gam,signature")
}

// TestParametersAreDrawnWhereTheyAre: the label of g stands on the line of g,
// that of the knee between the two bursts that hold it.
func TestParametersAreDrawnWhereTheyAre(t *testing.T) {
	s := measurements(t, "gam")
	text := Draw(s, 160, 60).String()
	for _, want := range []string{"o_s 1.000", "idle 7.0", "g 8.6", "knee ▼", "send-only to M 8, knee 8 to 9, steady from 13"} {
		require.Contains(t, text, want)
	}
	lines := strings.Split(text, "\n")
	row := func(what string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, what) })
	}
	require.Less(t, row("g 8.6"), row("idle 7.0"))
	require.Less(t, row("idle 7.0"), row("o_s 1.000"))
	x := s.Series()[0]
	x.LogP.Parameters.G = logp.Estimate{Reason: "the cost still rises"}
	x.LogP.Curves = nil
	text = Draw(s, 160, 60).String()
	require.NotContains(t, text, "knee ▼")
	require.Contains(t, text, "g: the cost still rises")
}

// TestPicturesAreCharts: the LogP picture, the clock and the heat map are also drawn as SVG.
func TestPicturesAreCharts(t *testing.T) {
	s := measurements(t, "gam", "meiko")
	v := s.logp()
	x, at := v.At(&s.Scene)
	p := views.LogpPlot{View: v, S: &s.Scene, Series: x, At: at, Kind: views.PlotCost, Of: views.CurvesOf(x, views.PlotCost)}
	p.Second, p.Places = v.Overlaid(&s.Scene, x, p.Of[0], views.PlotCost)
	svg := chart.SVG(p.Chart())
	for _, want := range []string{">message cost<", ">µs<", ">M<", ">Δ 0<", ">gam on meiko<", "Δ 0: 1 at 1, "} {
		require.Contains(t, svg, want)
	}
	s = two(t, look(t, "mono", cell.Braille, cell.NoColour))
	svg = chart.SVG((&views.ClockView{}).Chart(&s.Scene, 1))
	for _, want := range []string{">true error and bound<", ">ns<", ">node 1<", ">before<", ">bound<", "bound: 350 at "} {
		require.Contains(t, svg, want)
	}
	rows, _, _ := scene.Bins(&s.Sel, s.Data())
	svg = chart.SVG(views.HeatMap(&s.Scene, rows, views.LatencyAxis(rows)))
	require.Contains(t, svg, ">Net latency<")
	require.Equal(t, len(rows), strings.Count(svg, "</title>")-len(s.OverColumns())-len(s.OverColumns()), "a shape for each bin, baseline and other mean")
}

const logpFile = "logp.json"

// TestDamagedMeasurements say what is wrong with them, as runs do.
func TestDamagedMeasurements(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(measuredHere, "gam", logpFile))
	require.NoError(t, err)
	for want, text := range map[string]string{
		"wanted a whole document":               string(good[:len(good)/2]),
		"schema_version: missing":               `{"name": "something else"}`,
		"schema_version: 99":                    `{"schema_version": 99}`,
		"platform: missing":                     `{"schema_version": 1, "layer": "gam"}`,
		"results: none":                         `{"schema_version": 1, "results": []}`,
		"result 2: layer: missing":              `{"schema_version": 1, "results": [{"platform": "a", "layer": "b", "method": "sweep"}, {"platform": "a"}]}`,
		"0 <= lo <= value <= hi":                strings.Replace(string(good), `"value":1,"lo":0.9994`, `"value":1,"lo":7`, 1),
		"cannot unmarshal":                      `[1]`,
		"json: cannot unmarshal string into Go": `{"schema_version": 1, "platform": "a", "layer": "b", "method": "sweep", "points": "none"}`,
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, logpFile), []byte(text), 0o644))
		_, err := data.ReadMeasured(dir)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, logpFile)
	}
	_, err = data.ReadMeasured(t.TempDir())
	require.ErrorIs(t, err, bench.ErrNotMeasured)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, logpFile), 0o755))
	_, err = data.ReadMeasured(dir)
	require.ErrorContains(t, err, "is a directory")
}

// TestStrangeMeasurementsAreDrawn: whatever numbers a document holds, there is
// a picture.
func TestStrangeMeasurementsAreDrawn(t *testing.T) {
	s := measurements(t, "gam", "sweep", "bandwidth")
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := func() float64 {
			return rapid.SampledFrom([]float64{-1, 0, 1e-300, 0.5, 1, 7.5, 1e9, 1e300}).Draw(t, "number")
		}
		var points []string
		for range rapid.IntRange(0, 5).Draw(t, "points") {
			points = append(points, fmt.Sprintf(`{"m": %d, "delta_us": %g, "cost_us": {"value": %g, "lo": %g, "hi": %g, "n": %d}}`,
				rapid.IntRange(-1, min(1<<40, math.MaxInt)).Draw(t, "m"), n(), n(), n(), n(), rapid.IntRange(0, 3).Draw(t, "n")))
		}
		text := fmt.Sprintf(`{"schema_version": 1, "platform": "p", "layer": "l", "method": "signature", "points": [%s], "curves": [{"delta_us": 0, "knee": {"from": %d, "to": %d}, "steady": {"from": 1, "to": %d}}]}`,
			strings.Join(points, ","), rapid.IntRange(-2, 9).Draw(t, "from"), rapid.IntRange(-2, 9).Draw(t, "to"), rapid.IntRange(-2, min(1<<50, math.MaxInt)).Draw(t, "end"))
		require.True(t, json.Valid([]byte(text)), text)
		require.NoError(t, os.WriteFile(filepath.Join(dir, logpFile), []byte(text), 0o644))
		m, err := data.ReadMeasured(dir)
		if err != nil {
			return
		}
		s.AddMeasured(m)
		for i := range s.Series() {
			s.logp().Series.Row = i
			Draw(s, 90, 30)
			Draw(s, 200, 60)
		}
		s.logp().Table(&s.Scene)
	})
}
