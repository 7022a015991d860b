// Package testlong tells tests whether they may take long: with SIGVIEW_LONG=1,
// as `make test-long` sets it. Packages that import it draw a thousand cases per
// property test then, instead of a hundred.
package testlong

import (
	"flag"
	"os"
	"testing"

	_ "pgregory.net/rapid" // registers the flag that init sets
)

// On reports whether long tests run.
func On() bool { return os.Getenv("SIGVIEW_LONG") == "1" }

// Only skips a test that takes long, unless long tests run.
func Only(t testing.TB, what string) {
	t.Helper()
	if !On() {
		t.Skipf("%s: only with SIGVIEW_LONG=1, as in make test-long", what)
	}
}

// Pick returns little or, when long tests run, much.
func Pick[T any](little, much T) T {
	if On() {
		return much
	}
	return little
}

func init() {
	if !On() {
		return
	}
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
}
