package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// native is this machine's processor.
const native = runtime.GOARCH

// commands are run one after the other in one folder. The first has nearly all tables of a run.
var commands = [][]string{
	{"run", "fft", "--nodes", "4", "--size", "16K", "--trace=waits", "-o", "fft"},
	{"run", "fft", "--nodes", "4", "--size", "16K", "--seed", "2", "--uncontended", "pci", "-o", "free"},
	{"diff", "fft", "free", "--format", "json"},
	{"report", "fft", "--format", "html", "-o", "fft.html"},
	{"trace", "fft"},
	{"run", "fft", "--nodes", "4", "--size", "16K", "--detail", "fast", "-o", "fast"},
	{"run", "water", "--nodes", "4", "--seeds", "2", "--variance", "--clock-oscillators", "harsh", "-o", "water"},
	{"run", "lu", "--nodes", "4", "--clock-estimator", "published", "-o", "lu"},
	{"run", "ocean", "--nodes", "4", "--homes", "single", "--policy", "homes", "-o", "ocean"},
	{"run", "gauss", "--nodes", "4", "--trace", "-o", "gauss"},
	{"run", "random", "--nodes", "8", "--skew", "0.7", "--fault-bit-error", "1e-5", "--bins", "50ns", "-o", "random"},
	{"logp", "--json"},
	{"bandwidth", "--json"},
}

// program is the file of sigview for a processor.
func program(dir, processor string) string { return filepath.Join(dir, "sigview-"+processor) }

// cheap are flags of a build, by processor, that save a third of its time. Bytes do not depend on them.
// For arm64 the compiler still optimizes sigview's packages, and those whose arithmetic it may copy
// into them: they have the fused instructions of a program that is optimized as a whole.
var cheap = map[string][]string{
	"386":   {"-gcflags=all=-N -l -dwarf=false"},
	"arm64": {"-gcflags=all=-N -l -dwarf=false", "-gcflags=math/...=-dwarf=false", "-gcflags=gonum.org/...=-dwarf=false", "-gcflags=" + module + "/...=-dwarf=false"},
}

// run builds sigview for a processor, and returns what commands print and the files that they leave.
func run(dir, processor string, flags []string, list [][]string) (map[string][]byte, error) {
	build := exec.Command("go", append(append([]string{"build", "-o", program(dir, processor)}, flags...), "./cmd/sigview")...)
	build.Env = append(os.Environ(), "GOARCH="+processor)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s for %s: %w\n%s", build, processor, err, out)
	}
	// All processors have the same folder, as runs name it, and each its own cache of results.
	work := filepath.Join(dir, "work")
	if err := os.RemoveAll(work); err != nil {
		return nil, err
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, c := range list {
		args := append([]string{program(dir, processor), "--quiet"}, c...)
		if processor == "arm64" && native != "arm64" {
			args = append([]string{"qemu-aarch64-static"}, args...)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache-"+processor))
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", cmd, err, &complaint)
		}
		found["the output of "+strings.Join(c, " ")] = out
	}
	return found, files(work, found)
}

// files enters the files of a folder.
func files(dir string, found map[string][]byte) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			found[name], err = os.ReadFile(path)
		}
		return err
	})
}

// differing returns the names of files that only one side has, or that are not the same.
func differing(a, b map[string][]byte) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	maps.DeleteFunc(all, func(name string, _ []byte) bool {
		x, inA := a[name]
		y, inB := b[name]
		return inA && inB && bytes.Equal(x, y)
	})
	return slices.Sorted(maps.Keys(all))
}
