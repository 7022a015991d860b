package spill

import (
	"cmp"
	"fmt"
	"os"

	"github.com/sigview/sigview/internal/inputfile"
)

// largeFiles is where Unix systems keep temporary files that are too large for /tmp,
// which may be memory.
const largeFiles = "/var/tmp"

// temporary creates a file in $TMPDIR, else in /var/tmp, without a name where the system
// can: it is gone when the program ends, however it ends.
func temporary() (*os.File, error) {
	dir := os.Getenv("TMPDIR")
	if info, err := os.Stat(largeFiles); dir == "" && err == nil && info.IsDir() {
		dir = largeFiles
	}
	dir = cmp.Or(dir, os.TempDir())
	f, err := os.CreateTemp(dir, "sigview-*")
	if err != nil {
		return nil, failed(dir, err)
	}
	_ = os.Remove(f.Name()) // a system that cannot remove an open file keeps it
	return f, nil
}

// failed names the folder of the temporary file in its error, and not the file, which the
// user has never seen.
func failed(dir string, err error) error {
	return fmt.Errorf("temporary file for a long trace in %s: %w", dir, inputfile.Cause(err))
}
