package tui

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// What the right side of the percentiles shows.
var percentileMetrics = []string{"the selected size at the cursor", "all sizes together"}

// step is one point of a distribution from its bins: this share of the packets
// has at most this latency.
type step struct {
	share float64
	us    float64
	open  bool // the latency is at least this
}

// steps sums the bins of a stage up.
func (s *Selection) steps(d *Data, stage trace.Stage) []step {
	sel := *s
	sel.Stage = stage
	rows, bySize, _ := sel.bins(d)
	if len(rows) == 0 {
		return nil
	}
	if bySize && s.Metric == 0 {
		rows = s.ofSize(rows)
	}
	counts := map[int64]int64{}
	ends := map[int64]trace.Opt[int64]{}
	var order []int64
	var total int64
	for _, r := range rows {
		if _, ok := counts[r.LatencyLoNs]; !ok {
			order = append(order, r.LatencyLoNs)
		}
		counts[r.LatencyLoNs] += r.Count
		ends[r.LatencyLoNs] = r.LatencyHiNs
		total += r.Count
	}
	sortInts(order)
	var out []step
	var sum int64
	for _, lo := range order {
		sum += counts[lo]
		st := step{share: float64(sum) / float64(total), us: float64(lo) / 1000, open: true}
		if e := ends[lo]; e.OK {
			st.us, st.open = float64(e.Value)/1000, false
		}
		out = append(out, st)
	}
	return out
}

// nines puts a share on an axis that gives each further nine the same room.
func nines(share, most float64) float64 { return -math.Log10(max(1-share, 1-most)) }

func drawPercentiles(c *cell.Canvas, s *State, d *Data) {
	cols, note := s.Sel.columns(d)
	if len(cols) == 0 {
		c.Para(1, 1, "No packets are recorded for this selection. "+noSignature(d), cell.Warn)
		return
	}
	table := 8
	plot := c.H - table
	left := c.W / 2
	drawTails(c.Sub(0, 0, left, plot), s, d)
	drawBySize(c.Sub(left+1, 0, c.W-left-1, plot), s, s.Sel.shown(cols))
	legend(c, 1, plot, s.Sel.Stage)
	drawPercentileTable(c.Sub(0, plot+1, c.W, table-1), s, cols, note)
}

// drawTails draws latency against percentile for the four latencies.
func drawTails(c *cell.Canvas, s *State, d *Data) {
	e := extent{log: true}
	second := s.secondSteps()
	for _, q := range second {
		e.add(trace.Some(q.us))
	}
	base := trace.Opt[float64]{}
	if !s.Sel.NoBaseline && s.Sel.Metric == 0 {
		base = inUs(statAt(s, d).BaselineNs)
		e.add(base)
	}
	var all [trace.NumStages][]step
	most := 0.9
	for st := range trace.NumStages {
		all[st] = s.Sel.steps(d, st)
		for i, p := range all[st] {
			e.add(trace.Some(p.us))
			if i < len(all[st])-1 {
				most = max(most, p.share)
			}
		}
	}
	most = 1 - (1-most)/2
	x := axis{lo: 0, hi: nines(most, most)}
	y := e.axis(0)
	what := "all sizes"
	if rows, bySize, _ := s.Sel.bins(d); bySize && s.Sel.Metric == 0 && len(rows) > 0 {
		one := s.Sel.ofSize(rows)[0]
		what = fmt.Sprintf("%d-%d B", one.SizeLoBytes+1, one.SizeHiBytes)
	}
	p := newPanel(c, "latency, µs, by percentile, "+what, x, y, nil)
	for k, label := range []string{"50", "90", "99", "99.9", "99.99", "99.999"} {
		share := []float64{0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999}[k]
		if at, ok := p.x.at(nines(share, 1)); ok && share < most {
			c.Set(axisWidth+at, c.H-2, '┴', cell.Axis, 0)
			c.Text(min(axisWidth+at-len(label)/2, c.W-len(label)), c.H-1, label, cell.Axis, 0)
		}
	}
	dots := cell.NewDots(p.field)
	for st := range trace.NumStages {
		stairs(dots, p, all[st], most, stageLooks[st].ink)
	}
	stairs(dots, p, second, most, cell.Second)
	dots.Paint(p.field)
	drawBaselineLevel(p, base)
	for st := range trace.NumStages {
		tailMarks(p, all[st], most, stageLooks[st].strong, stageLooks[st].ink)
	}
	tailMarks(p, second, most, secondMark, cell.Second)
}

// secondSteps is the selected latency's distribution in the run laid over.
func (s *State) secondSteps() []step {
	if rows, _ := s.overBins(); len(rows) > 0 {
		return s.Sel.steps(s.over(), histStage(s))
	}
	return nil
}

// stairs draws a distribution.
func stairs(dots *cell.Dots, p panel, list []step, most float64, ink cell.Ink) {
	w, h := dots.Size()
	lastX, lastY := 0, -1
	for _, q := range list {
		x, y := p.x.fine(w).clamp(nines(q.share, most)), p.y.fine(h).clamp(q.us)
		if lastY < 0 {
			lastY = y
		}
		dots.Line(lastX, y, x, y, 1, ink, 0)
		dots.Line(lastX, lastY, lastX, y, 1, ink, 0)
		lastX, lastY = x, y
	}
}

// tailMarks marks the percentiles that have a label.
func tailMarks(p panel, list []step, most float64, r rune, ink cell.Ink) {
	for _, share := range []float64{0.5, 0.9, 0.99, 0.999} {
		for _, q := range list {
			if q.share >= share && share < most {
				p.put(nines(share, 1), q.us, r, ink, cell.Bold)
				break
			}
		}
	}
}

// drawBySize draws three percentiles of the selected latency against size.
func drawBySize(c *cell.Canvas, s *State, cols []column) {
	e := extent{log: true}
	get := []func(trace.Stat) trace.Percentile{
		func(t trace.Stat) trace.Percentile { return t.P50 },
		func(t trace.Stat) trace.Percentile { return t.P90 },
		func(t trace.Stat) trace.Percentile { return t.P99 },
	}
	value := func(col *column, k int) trace.Opt[float64] {
		p := get[k](col.stats[s.Sel.Stage])
		return trace.Opt[float64]{Value: float64(p.Ns.Value), OK: p.Ns.OK}
	}
	for i := range cols {
		for k := range get {
			e.add(inUs(value(&cols[i], k)))
		}
	}
	over := overColumns(s)
	for i := range over {
		for k := range get {
			e.add(inUs(value(&over[i], k)))
		}
	}
	x := axis{lo: float64(s.Sel.FromBytes), hi: float64(s.Sel.ToBytes), log: true}
	p := newPanel(c, analysis.StageName(s.Sel.Stage)+" by size: 5 p50, 9 p90, x p99", x, e.axis(0), doubles(s.Sel.FromBytes, s.Sel.ToBytes))
	if !e.some {
		p.field.Sub(1, 1, p.field.W-2, 6).Para(0, 0, reason(cols, s.Sel.Stage), cell.Warn)
	}
	dots := cell.NewDots(p.field)
	if !s.Sel.NoBaseline {
		curve(dots, p, cols, 3, cell.Plain, func(col *column) trace.Opt[float64] { return col.stats[s.Sel.Stage].BaselineNs })
	}
	for k := range get {
		curve(dots, p, over, 1+k/2, cell.Second, func(col *column) trace.Opt[float64] { return value(col, k) })
	}
	dots.Paint(p.field)
	inks := []cell.Ink{cell.Net, cell.LANai, cell.Source}
	for k := range get {
		for i := range cols {
			if v := value(&cols[i], k); v.OK {
				p.put(float64(cols[i].SizeHiBytes), v.Value/1000, []rune("59x")[k], inks[k], 0)
			}
		}
	}
	cursorLine(p, s)
	zone(c, p, "sizes")
}

func reason(cols []column, st trace.Stage) string {
	for _, c := range cols {
		if r := c.stats[st].P50.Reason; r != "" {
			return "No percentiles: " + r + "."
		}
	}
	return "No percentiles."
}

// percentileColumn is a column of the table under the plots.
type percentileColumn struct {
	head   string
	second bool // of the run laid over
	get    func(trace.Stat) string
}

// percentileColumns are those that there is room for.
func percentileColumns(over, wide bool) (list []percentileColumn, width int) {
	lowest := percentileColumn{"min", false, func(t trace.Stat) string { return analysis.TenthUs(t.MinNs) }}
	highest := percentileColumn{"max", false, func(t trace.Stat) string { return analysis.TenthUs(t.MaxNs) }}
	p50 := percentileColumn{"p50", false, func(t trace.Stat) string { return analysis.PercentileUs(t.P50) }}
	p90 := percentileColumn{"p90", false, func(t trace.Stat) string { return analysis.PercentileUs(t.P90) }}
	p99 := percentileColumn{"p99", false, func(t trace.Stat) string { return analysis.PercentileUs(t.P99) }}
	mean := percentileColumn{"mean", false, func(t trace.Stat) string { return analysis.Us(t.MeanNs) }}
	of := func(c percentileColumn) percentileColumn {
		return percentileColumn{string(secondMark) + c.head, true, c.get}
	}
	switch {
	case !over:
		return []percentileColumn{lowest, p50, p90, p99, highest, mean}, 9
	case wide:
		return []percentileColumn{lowest, p50, p90, p99, highest, mean, of(lowest), of(p50), of(p90), of(p99), of(mean)}, 8
	}
	return []percentileColumn{p50, p90, p99, mean, of(p50), of(p99), of(mean)}, 8
}

func drawPercentileTable(c *cell.Canvas, s *State, cols []column, note string) {
	col := cols[s.Sel.cursor(cols)]
	there, _ := col.of(overColumns(s))
	where := fmt.Sprintf("%d-%d B", col.SizeLoBytes+1, col.SizeHiBytes)
	if col.class != "" {
		where = col.class
	}
	const first = 23
	list, width := percentileColumns(s.over() != nil, c.W >= first+8*11)
	c.Text(0, 0, where+", µs", cell.Faint, 0)
	for st := range trace.NumStages {
		attr := cell.Attr(0)
		if st == s.Sel.Stage {
			attr = cell.Bold
		}
		t, y := col.stats[st], 1+int(st)
		c.Text(0, y, fmt.Sprintf("%s, %s packets", analysis.StageName(st), analysis.Digits(t.Count)), stageLooks[st].ink, attr)
		for i, k := range list {
			x, of, ink := first+(i+1)*width, t, stageLooks[st].ink
			head := cell.Faint
			if k.second {
				of, ink, head = there.stats[st], cell.Second, cell.Second
			}
			c.Right(x, 0, k.head, head, 0)
			c.Right(x, y, k.get(of), ink, attr)
		}
		if x := first + len(list)*width + 2; t.P50.Reason != "" && t.Count > 0 {
			c.Text(x, y, t.P50.Reason, cell.Faint, 0)
		}
	}
	y := 5
	if o := s.over(); o != nil {
		a, b := there.stats[s.Sel.Stage], col.stats[s.Sel.Stage]
		c.Text(0, y, fmt.Sprintf("%c other run; %s differs by %s (p50) %s (p90) %s (p99) %s (mean)", secondMark, analysis.StageName(s.Sel.Stage),
			analysis.SignedUs(apart(b.P50, a.P50)), analysis.SignedUs(apart(b.P90, a.P90)), analysis.SignedUs(apart(b.P99, a.P99)), analysis.SignedUs(less(b.MeanNs, a.MeanNs))), cell.Second, 0)
		y++
	}
	text := "> at least, < at most; dots: baseline's mean; m: one size or all."
	if note != "" {
		text = note + ". " + text
	}
	if y == c.H-1 {
		c.Text(0, y, text, cell.Faint, 0)
		return
	}
	c.Para(0, y, text, cell.Faint)
}

// apart is the difference of two percentiles, unless one is only a bound.
func apart(b, a trace.Percentile) trace.Opt[float64] {
	known := func(p trace.Percentile) trace.Opt[float64] {
		return trace.Opt[float64]{Value: float64(p.Ns.Value), OK: p.Ns.OK && !p.LowerBound && !p.UpperBound}
	}
	return less(known(b), known(a))
}

func percentilesTable(s *State, d *Data) table {
	t := table{head: []string{"run", "stage", "share", "latency_ns", "at_least"}}
	for _, run := range s.shown(d) {
		for st := range trace.NumStages {
			for _, p := range s.Sel.steps(run, st) {
				t.rows = append(t.rows, []string{run.Dir, st.String(), strconv.FormatFloat(p.share, 'g', -1, 64), strconv.FormatFloat(p.us*1000, 'f', 0, 64), strconv.FormatBool(p.open)})
			}
		}
	}
	return t
}
