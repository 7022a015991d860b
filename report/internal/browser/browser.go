// Package browser finds the browser in which tests try pages.
package browser

import (
	"os/exec"
	"testing"
)

// Path returns the program of a browser. It skips the test where there is none.
func Path(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Skip("chromium is not installed: the page is tried in no browser")
	return ""
}
