package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// TestMutantsApply: the code that every mutant changes is still there, and so are its tests.
func TestMutantsApply(t *testing.T) {
	all, err := read(filepath.Join(root, "testdata", "mutants"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 100)
	for _, m := range all {
		_, err := m.apply(root)
		require.NoError(t, err)
		require.NotEmpty(t, m.Tests, m.Name)
		for _, p := range m.Tests {
			require.DirExists(t, filepath.Join(root, p), m.Name)
		}
	}
}

// TestTry plants defects in a small module: one that a test notices, one that none does, and
// one that does not compile.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module small\n\ngo 1.24\n",
		"sum.go":    "package small\n\nfunc sum(a, b int) int { return a + b + 0 }\n",
		"s_test.go": "package small\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tt.Run(\"two\", func(t *testing.T) {\n\t\tif sum(2, 3) != 5 {\n\t\t\tt.Fatal()\n\t\t}\n\t})\n}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	m := Mutant{Name: "sum", File: "sum.go", Old: "a + b", New: "a - b", Tests: []string{"."}}
	outcome, by, err := m.try(dir)
	require.NoError(t, err)
	require.Equal(t, []string{killed, ". TestSum"}, []string{outcome, by})

	m.Old, m.New = "+ 0", "- 0"
	outcome, by, err = m.try(dir)
	require.NoError(t, err)
	require.Equal(t, []string{survived, ""}, []string{outcome, by})
	m.Why = "nothing is nothing"
	outcome, _, err = m.try(dir)
	require.NoError(t, err)
	require.Equal(t, equivalent, outcome)

	m.New = "+ c"
	_, _, err = m.try(dir)
	require.ErrorContains(t, err, "undefined: c")
	m.Old = "a"
	_, _, err = m.try(dir)
	require.ErrorContains(t, err, "want once")
}
