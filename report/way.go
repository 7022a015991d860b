package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/trace"
)

// WayCharts returns a chart for each size class that has many packets, those with most
// packets first, or without a baseline those that take most time in all: their mean way through the four
// stages. What an idle machine takes is hollow, the rest is filled.
func WayCharts(s analysis.Signature, tag trace.Tag) (all []chart.Chart) {
	classes := analysis.Whole(s.ByClass(), tag)
	weight := analysis.Packets.TakenNs
	if slices.ContainsFunc(classes, func(p analysis.Packets) bool { return p.Stat(trace.Source).BaselineNs.OK }) {
		weight = func(p analysis.Packets) float64 { return float64(p.Count()) }
	}
	slices.SortStableFunc(classes, func(a, b analysis.Packets) int { return cmp.Compare(weight(b), weight(a)) })
	const share = 100 // of the largest class, to be shown
	for _, p := range classes {
		if weight(p)*share >= weight(classes[0]) && p.Stat(trace.Source).MeanNs.OK {
			all = append(all, wayChart(p))
		}
	}
	return all
}

// wayChart draws the stages one below the other, over the time since the request was seen.
// T5 is as long after T4 as Net−LANai says, or an idle machine where that has no meaning.
func wayChart(p analysis.Packets) chart.Chart {
	const room = 1.6 // for texts beside the bars
	c := chart.Chart{
		Name: "way-" + p.Class, Title: fmt.Sprintf("The way of %s %s", analysis.Digits(p.Count()), analysis.ClassNames[p.Class]),
		X: chart.Axis{Name: "time since T1, µs"}, Y: chart.Axis{Lo: 0, Hi: 4, Marks: []chart.Tick{}}, Tall: 120, Room: 30, Lanes: 4,
	}
	source, lanai, net, dest := p.Stat(trace.Source), p.Stat(trace.LANai), p.Stat(trace.Net), p.Stat(trace.Dest)
	if source.BaselineNs.OK {
		c.Notes = []string{"hollow or small: idle machine"}
	}
	beyond := p.Stat(trace.NetMinusLANai)
	gap := beyond.MeanNs.Value
	if !p.Meaningful(trace.NetMinusLANai) || !beyond.MeanNs.OK {
		gap = beyond.BaselineNs.Value
	}
	t2 := source.MeanNs.Value
	t4 := t2 + lanai.MeanNs.Value
	t5 := t4 + max(gap, 0)
	c.X.Hi = room * (t5 + dest.MeanNs.Value) / 1000
	for i, x := range []struct {
		trace.Stat
		from float64
	}{{source, 0}, {lanai, t2}, {net, max(t5-net.MeanNs.Value, 0)}, {dest, t5}} {
		c.Boxes = append(c.Boxes, wayBoxes(p.Real, x.Stat, x.from/1000, float64(3-i))...)
	}
	return c
}

// wayBoxes draws a stage that begins at a time in µs: the part of an idle machine, and
// the rest with the text.
func wayBoxes(real bool, s trace.Stat, from, lane float64) []chart.Box {
	if !s.MeanNs.OK {
		return nil
	}
	mean := s.MeanNs.Value / 1000
	idle := min(s.BaselineNs.Value/1000, mean)
	text := fmt.Sprintf("%s %.1f", analysis.StageName(s.Stage, real), mean)
	if s.BaselineNs.OK {
		text += fmt.Sprintf(" (idle %.1f)", s.BaselineNs.Value/1000)
	}
	box := chart.Box{Y0: lane + 0.15, Y1: lane + 0.85, Look: StageLook(s.Stage, real), Hint: strings.TrimSpace(text + " µs")}
	first, rest := box, box
	first.X0, first.X1, first.Hollow = from, from+idle, true
	rest.X0, rest.X1, rest.Text = from+idle, from+mean, text
	return []chart.Box{first, rest}
}
