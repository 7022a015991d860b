package spill

import (
	"cmp"
	"fmt"
	"os"
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
	f, err := os.CreateTemp(cmp.Or(dir, os.TempDir()), "sigview-*")
	if err != nil {
		return nil, fmt.Errorf("temporary file for a long trace: %w", err)
	}
	_ = os.Remove(f.Name()) // a system that cannot remove an open file keeps it
	return f, nil
}
