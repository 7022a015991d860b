// Package silent keeps Bubble Tea from asking the terminal for its background colour when
// the program starts: on a terminal that does not answer, that is 5 s of silence, also in
// commands that show no views. Bubble Tea asks no terminal that is called dumb. Its own
// initialization comes later than this package's: it waits for golang.org/x/sys, and packages
// whose imports are ready are initialized in the order of their paths.
package silent

import "os"

var term, known = os.LookupEnv("TERM")

func init() { _ = os.Setenv("TERM", "dumb") }

// Over gives the terminal its name back: all packages have been initialized.
func Over() {
	if known {
		_ = os.Setenv("TERM", term)
	} else {
		_ = os.Unsetenv("TERM")
	}
}
