package tui

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/cell"
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
	drawPercentileTable(c.Sub(0, plot+1, c.W, table-1), s, d, cols, note)
}

// drawTails draws latency against percentile for the four latencies.
func drawTails(c *cell.Canvas, s *State, d *Data) {
	e := extent{log: true}
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
	w, h := dots.Size()
	for st := range trace.NumStages {
		lastX, lastY := 0, -1
		for _, q := range all[st] {
			x1, y1 := p.x.fine(w).clamp(nines(q.share, most)), p.y.fine(h).clamp(q.us)
			if lastY < 0 {
				lastY = y1
			}
			dots.Line(lastX, y1, x1, y1, 1, stageLooks[st].ink, 0)
			dots.Line(lastX, lastY, lastX, y1, 1, stageLooks[st].ink, 0)
			lastX, lastY = x1, y1
		}
	}
	dots.Paint(p.field)
	for st := range trace.NumStages {
		for _, share := range []float64{0.5, 0.9, 0.99, 0.999} {
			for _, q := range all[st] {
				if q.share >= share && share < most {
					p.put(nines(share, 1), q.us, stageLooks[st].strong, stageLooks[st].ink, cell.Bold)
					break
				}
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
	x := axis{lo: float64(s.Sel.FromBytes), hi: float64(s.Sel.ToBytes), log: true}
	p := newPanel(c, analysis.StageName(s.Sel.Stage)+" by size: 5 p50, 9 p90, x p99", x, e.axis(0), doubles(s.Sel.FromBytes, s.Sel.ToBytes))
	if !e.some {
		p.field.Sub(1, 1, p.field.W-2, 6).Para(0, 0, reason(cols, s.Sel.Stage), cell.Warn)
	}
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

func drawPercentileTable(c *cell.Canvas, s *State, d *Data, cols []column, note string) {
	i := s.Sel.cursor(cols)
	col := cols[i]
	where := fmt.Sprintf("%d-%d B", col.SizeLoBytes+1, col.SizeHiBytes)
	if col.class != "" {
		where = col.class
	}
	c.Text(0, 0, fmt.Sprintf("%-23s %8s %8s %8s %8s %8s %8s", where+", µs", "min", "p50", "p90", "p99", "max", "mean"), cell.Faint, 0)
	for st := range trace.NumStages {
		t := col.stats[st]
		attr := cell.Attr(0)
		if st == s.Sel.Stage {
			attr = cell.Bold
		}
		c.Text(0, 1+int(st), fmt.Sprintf("%-23s %8s %8s %8s %8s %8s %8s", fmt.Sprintf("%s, %s packets", analysis.StageName(st), analysis.Digits(t.Count)),
			analysis.TenthUs(t.MinNs), analysis.PercentileUs(t.P50), analysis.PercentileUs(t.P90), analysis.PercentileUs(t.P99), analysis.TenthUs(t.MaxNs), analysis.Us(t.MeanNs)), stageLooks[st].ink, attr)
		if t.P50.Reason != "" && t.Count > 0 {
			c.Text(80, 1+int(st), t.P50.Reason, cell.Faint, 0)
		}
	}
	text := "> at least, < at most; m: one size or all. "
	if note != "" {
		text += note + ". "
	}
	c.Para(0, 5, text, cell.Faint)
}

func percentilesTable(s *State, d *Data) table {
	t := table{head: []string{"stage", "share", "latency_ns", "at_least"}}
	for st := range trace.NumStages {
		for _, p := range s.Sel.steps(d, st) {
			t.rows = append(t.rows, []string{st.String(), strconv.FormatFloat(p.share, 'g', -1, 64), strconv.FormatFloat(p.us*1000, 'f', 0, 64), strconv.FormatBool(p.open)})
		}
	}
	return t
}
