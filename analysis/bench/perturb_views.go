package bench

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
)

// BuildsView returns the table of one figure: a row for each size, a column for each build. It is empty if the
// figure was not measured.
func BuildsView(p *Perturb, f PerturbFigure) analysis.View {
	cols := []analysis.Col[int64]{analysis.Text("size, B", func(n int64) string { return strconv.FormatInt(n, 10) })}
	for _, with := range p.Firmwares() {
		cols = append(cols, analysis.Text(with.String(), func(n int64) string {
			if v := p.At(f, with, n); v != nil {
				return strconv.FormatFloat(*v, 'f', 3, 64)
			}
			return analysis.None
		}))
	}
	cols = append(cols, analysis.Text("full-off", func(n int64) string {
		off, full := p.At(f, Firmware{Build: "off"}, n), p.At(f, Firmware{Build: "full"}, n)
		if off == nil || full == nil || *off == 0 {
			return analysis.None
		}
		return fmt.Sprintf("%+.2f%%", 100*(*full-*off) / *off)
	}))
	v := analysis.Tabulate(p.Sizes(f), cols...)
	v.Title = f.Title + ", " + f.Unit
	return v
}

// ApplicationsView returns the table of run times under each build, with their parts in per cent.
func ApplicationsView(apps []Application) analysis.View {
	cols := []analysis.Col[Application]{
		analysis.Text("<build", func(a Application) string { return a.Workload + " " + a.Firmware.String() }),
		analysis.Text("time, s", func(a Application) string { return strconv.FormatFloat(a.RunTimeS, 'f', 4, 64) }),
	}
	var names []string
	for _, a := range apps {
		for _, s := range a.Shares {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	for _, name := range names {
		cols = append(cols, analysis.Text(name, func(a Application) string {
			for _, s := range a.Shares {
				if s.Name == name && a.RunTimeS > 0 {
					return strconv.FormatFloat(100*s.S/a.RunTimeS, 'f', 1, 64)
				}
			}
			return analysis.None
		}))
	}
	note := "The named parts are in percent of the run time."
	if slices.ContainsFunc(apps, func(a Application) bool { return a.NotRecorded > 0 }) {
		cols = append(cols, analysis.Text("not recorded", func(a Application) string { return strconv.FormatInt(a.NotRecorded, 10) }))
		note += " Not recorded are samples that the monitor had no time for: the card does not wait for it."
	}
	v := analysis.Tabulate(apps, cols...).Noted(note)
	v.Title, v.Fold = "run time of applications", true
	return v
}
