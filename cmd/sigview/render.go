package main

import (
	"fmt"
	"io"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/page"
	"github.com/sigview/sigview/trace"
)

// Formats of a report.
const (
	formatText     = "text"
	formatMarkdown = "md"
	formatHTML     = "html"
	formatPage     = "page"
	formatJSON     = "json"
)

// Formats of a figure.
const (
	formatSVG = "svg"
	formatPNG = "png"
	formatPDF = "pdf"
)

var figureFormats = []string{formatSVG, formatPNG, formatPDF}

type formats struct{}

func (formats) Words() names.Words {
	return names.NewWords("format", formatText, formatMarkdown, formatHTML, formatPage, formatJSON)
}

// reportFormats are those of report, which writes figures too.
type reportFormats struct{ formats }

func (f reportFormats) Words() names.Words {
	return names.NewWords("format", append(f.formats.Words().Names(), figureFormats...)...)
}

// printRun writes a run in one of the formats.
func printRun(w io.Writer, run *trace.Run, format string, s report.Style) error {
	if format == formatPage {
		return page.Write(w, run)
	}
	r, err := report.OfStored(run, format == formatHTML)
	if err != nil {
		return err
	}
	if s.Lines > 0 && run.Dir != "" {
		s.Lines, s.All, s.Next = report.ScreenLines, "sigview report "+run.Dir, goOn(run)
	}
	return print(w, r, format, s, func() ([]byte, error) { return report.JSON(r) })
}

// goOn lists the commands that go on from a run.
func goOn(run *trace.Run) []string {
	causes := "sigview why " + run.Dir + "     which resource they wait for, by experiment"
	if run.Manifest.Rows(trace.WaitRow{}) > 0 {
		causes = "sigview trace " + run.Dir + "   who waited for whom"
	}
	if run.Manifest.Real() || run.Manifest.Detail == trace.DetailSampled {
		causes = "sigview diff " + run.Dir + " OTHER   what changed"
	}
	return []string{causes, "sigview view " + run.Dir + "    all views in the terminal"}
}

// printDiff writes a comparison in one of the formats.
func printDiff(w io.Writer, d report.Diff, format string, s report.Style) error {
	switch format {
	case formatJUnit:
		data, err := report.JUnit(d)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	case formatGitHub:
		return text(w, report.Annotations(d))
	}
	return print(w, d, format, s, func() ([]byte, error) { return report.DiffJSON(d, version.Tool()) })
}

// printSweep writes the results of a sweep in one of the formats.
func printSweep(w io.Writer, s report.Sweep, format string, style report.Style) error {
	return print(w, s, format, style, func() ([]byte, error) { return report.SweepJSON(s) })
}

// printWhy writes an explanation in one of the formats.
func printWhy(w io.Writer, x why.Explanation, format string, s report.Style) error {
	r := report.Why{Explanation: x}
	return print(w, r, format, s, func() ([]byte, error) { return report.WhyJSON(r, version.Tool()) })
}

func print(w io.Writer, d report.Document, format string, s report.Style, json func() ([]byte, error)) error {
	switch format {
	case formatText:
		return text(w, report.Text(d, s))
	case formatMarkdown:
		return text(w, report.Markdown(d))
	case formatHTML:
		return text(w, report.HTML(d))
	case formatPage:
		return page.WriteDocument(w, d)
	case formatJSON:
		data, err := json()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	panic(fmt.Sprintf("sigview: format %q", format))
}

func text(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}

// styleFor returns the style of a file, or of standard output for "".
func (a *app) styleFor(file string) report.Style {
	if file == "" {
		return a.style()
	}
	return report.Style{Colour: a.color == "always"}
}
