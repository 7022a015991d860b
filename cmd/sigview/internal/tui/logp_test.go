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

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
)

// measuredHere are real measurements in testdata, made by sigview logp and
// sigview bandwidth.
var measuredHere, _ = filepath.Abs(filepath.Join("testdata", "measured"))

// measuredAt reads one of them by its name.
func measuredAt(dir string) (*Measured, error) {
	m, err := readMeasured(filepath.Join(measuredHere, dir))
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
		s.addMeasured(m)
	}
	s.showMeasured(false)
	require.Equal(t, aMeasurement, s.subject())
	return s
}

// logpAt is the number of the view of measurements.
var logpAt, _ = ViewOf("LogP")

// logp is the state of that view.
func (s *State) logp() *logpView { return s.views[logpAt].(*logpView) }

// over are the series laid over.
func (r *rig) over() []int { return r.state.logp().over(&r.state.Scene) }

func TestLogPPictures(t *testing.T) {
	draw := func(name string, s *State) {
		golden(t, "LogP-"+name+".txt", Draw(s, 80, 24).String())
		golden(t, "LogP-"+name+"-wide.txt", Draw(s, 140, 44).String())
	}
	draw("signature", measurements(t, "gam"))
	draw("sweep", measurements(t, "sweep"))
	s := measurements(t, "bandwidth", "bulk")
	draw("bandwidth", s)
	s.logp().metric = plotOneWay
	draw("one-way", s)
	v := s.logp()
	v.series.row, v.metric, v.x, s.Sel.Intervals = 2, plotSizes, 65536, true
	draw("bulk", s)
	require.Equal(t, "gam on ppro, 1KB", s.series()[3].name(), "bulk transfers with a signature of their own")
	require.NoError(t, s.selectAfresh("series=3 curve=1"))
	draw("bulk-signature", s)
	s = measurements(t, "gam", "sweep")
	s.logp().series.row, s.logp().metric = 2, plotCost
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
	for series := range s.series() {
		for metric := range logpMetrics {
			v := s.logp()
			v.series.row, v.metric = series, choice(metric)
			for curve := range 8 {
				v.curve, v.x, v.logScale = curve, int64(curve*curve*100), curve%2 == 0
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
	require.Len(t, r.state.series(), 5)
	v := r.state.logp()
	x := v.x
	r.keys("right", "right", "right")
	require.Greater(t, v.x, x)
	require.Contains(t, r.text(), "M 8")
	r.keys("down")
	require.Contains(t, r.text(), "Δ 3.6 µs, M 8")
	require.Contains(t, r.text(), "knee 8 to 16")
	r.keys("s", "s", "s", "s")
	require.Equal(t, 0, v.curve)
	require.Contains(t, r.text(), "b gam on meiko")
	r.keys("v")
	require.Equal(t, []int{1}, r.over())
	r.keys("v", "v", "v", "v")
	require.Empty(t, r.over(), "none after the last")
	r.keys("v")
	require.Len(t, r.over(), 4)
	r.keys("]")
	require.Contains(t, strings.Split(r.text(), "\n")[0], "gam on meiko")
	r.keys("[", "[")
	require.Contains(t, strings.Split(r.text(), "\n")[0], "fm on ppro")
	fm, _ := v.at(&r.state.Scene)
	require.Equal(t, plotSizes, v.plot(fm))
	r.keys("m")
	require.Contains(t, r.text(), "--method signature", "what to run for it")
	r.keys("b")
	require.Contains(t, r.state.Note, "no baseline")
	r.keys("-")
	require.True(t, v.logScale)
	r.keys("w")
	require.Contains(t, r.text(), "doubtful")
	r.keys("esc", "1")
	require.Contains(t, r.text(), "7          look at the measurement")
	r.keys("K", "t", "a", "enter")
}

// TestOpeningAMeasurement goes to its view; opening a run goes back from it.
func TestOpeningAMeasurement(t *testing.T) {
	r := newRig(t, newShell(t), "before", "gam")
	require.Equal(t, 0, r.state.View, "the run is looked at")
	require.Len(t, r.state.Measured, 1)
	r.keys(":open meiko", "enter")
	require.Equal(t, logpAt, r.state.View)
	require.Equal(t, "meiko", r.state.series()[r.state.logp().series.row].Dir)
	r.keys(":open after", "enter")
	require.Equal(t, 0, r.state.View)
	r.keys(":open gam", "enter")
	require.Len(t, r.state.Measured, 2, "once each")
	r.keys("r", "enter")
	require.Equal(t, 0, r.state.View, "a run that begins is seen")
	r.keys("7")
	r.keys(":open nowhere", "enter")
	require.Contains(t, r.text(), "nowhere")
	r.keys(":baseline gam", "enter")
	require.Contains(t, r.state.Problems[len(r.state.Problems)-1], "baseline")
	r.send(tea.MouseMsg{X: 40, Y: 8, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	require.Greater(t, r.state.logp().x, int64(1))
}

// TestLogPExports writes what is seen, and the command line that makes it again.
func TestLogPExports(t *testing.T) {
	r := newRig(t, newShell(t), "gam", "meiko")
	r.keys("down", "right", "right", "i", "v")
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
		r.keys(":export "+name, "enter")
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
	x := s.series()[0]
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
	x, at := v.at(&s.Scene)
	p := logpPlot{view: v, s: &s.Scene, x: x, at: at, kind: plotCost, of: x.curves(plotCost)}
	p.over, p.places = v.overlaid(&s.Scene, x, p.of[0], plotCost)
	svg := chart.SVG(p.chart())
	for _, want := range []string{">message cost<", ">µs<", ">M<", ">Δ 0<", ">gam on meiko<", "Δ 0: 1 at 1, "} {
		require.Contains(t, svg, want)
	}
	s = two(t, look(t, "mono", cell.Braille, cell.NoColour))
	svg = chart.SVG((&clockView{}).chart(&s.Scene, 1))
	for _, want := range []string{">true error and bound<", ">ns<", ">node 1<", ">before<", ">bound<", "bound: 350 at "} {
		require.Contains(t, svg, want)
	}
	rows, _, _ := s.Sel.bins(s.data())
	svg = chart.SVG(heatMap(&s.Scene, rows, latencyAxis(rows)))
	require.Contains(t, svg, ">Net latency<")
	require.Equal(t, len(rows), strings.Count(svg, "</title>")-len(s.overColumns())-len(s.overColumns()), "a shape for each bin, baseline and other mean")
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
		_, err := readMeasured(dir)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, logpFile)
	}
	_, err = readMeasured(t.TempDir())
	require.ErrorIs(t, err, bench.ErrNotMeasured)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, logpFile), 0o755))
	_, err = readMeasured(dir)
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
		m, err := readMeasured(dir)
		if err != nil {
			return
		}
		s.addMeasured(m)
		for i := range s.series() {
			s.logp().series.row = i
			Draw(s, 90, 30)
			Draw(s, 200, 60)
		}
		s.logp().table(&s.Scene)
	})
}
