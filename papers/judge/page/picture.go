package page

import (
	"math"

	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
)

const (
	widest  = 200.0 // per cent of the published value at the right end
	lineGap = 22.0  // pixels between figures
)

// marks are the forms of the model's values.
var marks = []struct {
	judge.Verdict
	look chart.Look
}{
	{judge.Predicted, chart.Look{Form: chart.Circle, Ink: cell.Down}},
	{judge.Provoked, chart.Look{Form: chart.Diamond, Ink: cell.Net}},
	{judge.KnownGap, chart.Look{Form: chart.Cross, Ink: cell.Dest}},
	{judge.Miss, chart.Look{Form: chart.Up, Ink: cell.Difference}},
}

// picture draws figures line under line, relative to the published ones.
func picture(name string, figures []figure) string {
	c := chart.Chart{
		Name: name, Title: name + ": the model beside the paper", Room: 170,
		X: chart.Axis{Name: "per cent of the published value", Lo: 0, Hi: widest},
	}
	published := chart.Series{Name: "published", Look: chart.Look{Form: chart.Square, Ink: cell.Plain}, Draw: chart.Marks | chart.Line}
	modelled := make([]chart.Series, len(marks))
	for i, m := range marks {
		modelled[i] = chart.Series{Look: m.look, Draw: chart.Marks}
	}
	spans := chart.Series{Look: chart.Look{Ink: cell.Down}, Draw: chart.Line}
	end := chart.Point{Missing: true}
	var drawn []figure
	for _, f := range figures {
		if f.drawable() {
			drawn = append(drawn, f)
		}
	}
	for i, f := range drawn {
		y := float64(len(drawn) - i)
		at := func(part float64) chart.Point {
			return chart.Point{X: math.Min(100*part, widest), Y: y, Weak: 100*part > widest, Hint: f.ID + ": published " + f.PublishedText() + ", modelled " + f.ModelledText()}
		}
		c.Y.Marks = append([]chart.Tick{{Value: y, Text: f.ID}}, c.Y.Marks...)
		published.Points = append(published.Points, at(f.from))
		if f.till > f.from {
			published.Points = append(published.Points, at(f.till))
		}
		published.Points = append(published.Points, end)
		if f.hi > f.lo {
			spans.Points = append(spans.Points, at(f.lo), at(f.hi), end)
		}
		for k, m := range marks {
			if f.Verdict == m.Verdict {
				modelled[k].Name = "model, " + words(m.Verdict)
				modelled[k].Points = append(modelled[k].Points, at(f.v))
			}
		}
	}
	c.Y.Lo, c.Y.Hi = 0, float64(len(drawn)+1)
	c.Tall = lineGap * c.Y.Hi
	c.Notes = []string{"hollow: beyond the axis"}
	c.Series = append([]chart.Series{published, spans}, modelled...)
	return chart.SVG(c)
}
