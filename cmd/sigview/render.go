package main

import (
	"fmt"
	"io"

	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
)

// report is how the report package is to lay text out.
func (s style) report() report.Style {
	return report.Style{Width: s.Width, Colour: s.Color, ASCII: s.ASCII, Full: s.Full}
}

// printRun writes a run in one of the formats.
func printRun(w io.Writer, run *trace.Run, format string, s style) error {
	r := report.Of(*run)
	switch format {
	case formatText:
		return text(w, report.Text(r, s.report()))
	case formatMarkdown:
		return text(w, report.Markdown(r))
	case formatHTML:
		return text(w, report.HTML(r))
	case formatJSON:
		return document(w)(report.JSON(r))
	}
	panic(fmt.Sprintf("sigview: format %q", format))
}

// printDiff writes a comparison in one of the formats.
func printDiff(w io.Writer, d report.Diff, format string, s style) error {
	switch format {
	case formatText:
		return text(w, report.DiffText(d, s.report()))
	case formatMarkdown:
		return text(w, report.DiffMarkdown(d))
	case formatHTML:
		return text(w, report.DiffHTML(d))
	case formatJSON:
		return document(w)(report.DiffJSON(d, version.Tool()))
	}
	panic(fmt.Sprintf("sigview: format %q", format))
}

func text(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}

func document(w io.Writer) func([]byte, error) error {
	return func(data []byte, err error) error {
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
}
