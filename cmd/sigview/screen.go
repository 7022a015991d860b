package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// screen is what the output streams are connected to.
type screen struct {
	outColor    bool // standard output is a terminal
	errTerminal bool // standard error is one, so progress may be shown
	width       int  // columns of standard output, 0 when it is no terminal
}

// style says how text is laid out.
type style struct {
	Color bool
	Width int // columns, 0 when unlimited
}

func terminalScreen(stdout, stderr io.Writer) screen {
	var s screen
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.outColor = os.Getenv("TERM") != "dumb"
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.width = w
		}
	}
	if f, ok := stderr.(*os.File); ok {
		s.errTerminal = term.IsTerminal(int(f.Fd()))
	}
	return s
}
