package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const sums = `package main

import "os"

//go:noinline
func once(x, y, z float64) float64 { return x*y + z }

//go:noinline
func twice(x, y, z float64) float64 { return float64(x*y) + z }

func main() {
	x := float64(len(os.Args))
	println(once(x, x, x), twice(x, x, x))
}
`

func TestFusedInstructionsAreFound(t *testing.T) {
	source, built := filepath.Join(t.TempDir(), "sums.go"), filepath.Join(t.TempDir(), "sums")
	require.NoError(t, os.WriteFile(source, []byte(sums), 0o666))
	build := exec.Command("go", "build", "-pgo=off", "-o", built, source)
	build.Env = append(os.Environ(), "GOARCH=arm64")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	found, err := fused(built)
	require.NoError(t, err)
	require.Equal(t, []string{"main.once, sums.go:6"}, found)
}

func TestDifferencesHaveNames(t *testing.T) {
	a := map[string][]byte{"same": []byte("1"), "other": []byte("1"), "missing": nil}
	b := map[string][]byte{"same": []byte("1"), "other": []byte("2"), "new": nil}
	require.Equal(t, []string{"missing", "new", "other"}, differing(a, b))
}
