package sigview

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownReaders are files of the program that open files which no user names.
var ownReaders = []string{
	"internal/inputfile/inputfile.go",
	"internal/largeheap/addresses_linux.go", "internal/largeheap/ask_linux.go", // the program's memory map
	"internal/usercache/usercache.go",                  // the program's file
	"live/host_linux.go", "live/watch/cgroup_linux.go", // what the kernel says of the host
	// Directories, to flush and to lock them.
	"trace/rundir/lock_unix.go", "trace/rundir/run.go",
}

var opening = regexp.MustCompile(`\bos\.(Open|ReadFile)\(`)

// TestInputsAreOpenedByInputfile: any other way to open a file that a user names would wait
// for a pipe and read a device for ever.
func TestInputsAreOpenedByInputfile(t *testing.T) {
	imports := map[string][]string{}
	for _, u := range readUnits(t, ".") {
		imports[u.path] = u.imports
	}
	var found []string
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if seen[path] {
			return
		}
		seen[path] = true
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if opening.Match(text) && !strings.HasSuffix(file, "_test.go") {
				found = append(found, filepath.ToSlash(file))
			}
		}
		for _, i := range imports[path] {
			if in, ok := strings.CutPrefix(i, module+"/"); ok {
				visit(in)
			}
		}
	}
	visit("cmd/sigview")
	slices.Sort(found)
	require.Equal(t, ownReaders, found, "open files that users name with inputfile")
}
