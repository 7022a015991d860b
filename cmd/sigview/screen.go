package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/sigview/sigview/report/chart/cell"
)

// screen describes the terminals of the output streams.
type screen struct {
	outColor    bool // standard output is a terminal
	errTerminal bool // standard error is one, so progress may be shown
	width       int  // columns of standard output, 0 if it is not a terminal
	ascii       bool // standard output is a terminal that shows ASCII only
}

func terminalScreen(stdout, stderr io.Writer) screen {
	var s screen
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.outColor = os.Getenv("TERM") != "dumb"
		s.ascii = !cell.UTF8(os.Getenv)
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.width = w
		}
	}
	if f, ok := stderr.(*os.File); ok {
		s.errTerminal = term.IsTerminal(int(f.Fd()))
	}
	return s
}
