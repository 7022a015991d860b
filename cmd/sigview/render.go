package main

import (
	"fmt"
	"io"

	"github.com/sigview/sigview/analysis/report"
	"github.com/sigview/sigview/trace"
)

// reportStyle is how the report package is to lay text out.
func (s style) report() report.Style {
	return report.Style{Width: s.Width, Colour: s.Color, ASCII: s.ASCII, Full: s.Full}
}

// printRun writes a run in one of the formats.
func printRun(w io.Writer, run *trace.Run, format string, s style) error {
	r := report.Of(*run)
	switch format {
	case formatText:
		_, err := io.WriteString(w, report.Text(r, s.report()))
		return err
	case formatJSON:
		data, err := report.JSON(r)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	return fmt.Errorf("format %s is not part of this build", format)
}

// printDiff writes a comparison in one of the formats.
func printDiff(_ io.Writer, _ difference, format string, _ style) error {
	return fmt.Errorf("format %s is not part of this build", format)
}
