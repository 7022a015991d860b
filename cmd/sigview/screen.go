package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// screen describes the terminals behind the output streams.
type screen struct {
	outColor    bool // standard output is a terminal
	errTerminal bool // standard error is one, so progress may be shown
	width       int  // columns of standard output, 0 when it is no terminal
	ascii       bool // standard output is a terminal that shows no more than ASCII
}

func terminalScreen(stdout, stderr io.Writer) screen {
	var s screen
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.outColor = os.Getenv("TERM") != "dumb"
		s.ascii = !utf8Locale(os.Getenv)
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.width = w
		}
	}
	if f, ok := stderr.(*os.File); ok {
		s.errTerminal = term.IsTerminal(int(f.Fd()))
	}
	return s
}

// utf8Locale reports whether the environment's locale has characters beyond
// ASCII. Without a locale the answer is yes.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(env(name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return true
}
