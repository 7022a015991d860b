package sigview

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRecipesForProgramsOutside runs the Go files of CONTRIBUTING.md in a module of their own. So
// sigview can be used as a module, and its program installed by those who use it.
func TestRecipesForProgramsOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("it links two programs")
	}
	dir := t.TempDir()
	for name, text := range recipes(t, "go") {
		write(t, filepath.Join(dir, name), text)
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	_, requirements, _ := strings.Cut(contents(t, "go.mod"), "\n\n")
	requirements, _, _ = strings.Cut(requirements, "\ntool ")
	write(t, filepath.Join(dir, "go.mod"), "module example.org/mine\n\n"+requirements+"\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+here+"\n")
	write(t, filepath.Join(dir, "go.sum"), contents(t, "go.sum"))
	out := command(t, dir, "go", "run", "-pgo=off", "-mod=mod", ".")
	require.Equal(t, "vmmc on slow: 49 MB/s\ngam-short on ppro: 39 MB/s\ncounter: the number is the sum of all turns\n", out)

	command(t, dir, "go", "build", "-pgo=off", "-mod=mod", "-o", "sigview", module+"/cmd/sigview")
	require.Regexp(t, `^sigview \S+ \(go`, command(t, dir, "./sigview", "version"))
}

// TestRecipesInTheTree applies the changes of CONTRIBUTING.md to a copy of the files that they
// change, builds sigview with these, and looks for what was added.
func TestRecipesInTheTree(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds sigview")
	}
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	for name, text := range changes(t, recipes(t, "diff")) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		write(t, file, text)
		path, err := filepath.Abs(name)
		require.NoError(t, err)
		overlay["Replace"][path] = file
	}
	require.Len(t, overlay["Replace"], 5)
	list, err := json.Marshal(overlay)
	require.NoError(t, err)
	write(t, filepath.Join(dir, "overlay.json"), string(list))
	sigview := filepath.Join(dir, "sigview")
	command(t, ".", "go", "build", "-pgo=off", "-overlay", filepath.Join(dir, "overlay.json"), "-o", sigview, "./cmd/sigview")

	require.Regexp(t, `pl-mine.*2`, command(t, dir, sigview, "validate", "--quiet", "--only", "pl-mine"))
	command(t, dir, sigview, "run", "alltoall", "--quiet", "--nodes", "2", "--mine", "hello", "-o", "run")
	require.Regexp(t, `"mine": *"hello"`, contents(t, filepath.Join(dir, "run", "run.json")))
	command(t, dir, sigview, "view", "--quiet", "run", "--view", "mine", "--export", "mine.txt")
	require.Contains(t, contents(t, filepath.Join(dir, "mine.txt")), "mine")
}

// fence is a block of code with its language, and the name of its file if it has one.
var fence = regexp.MustCompile("(?ms)^```(go|diff)(?: (\\S+))?\n(.*?)^```$")

// recipes returns the blocks of CONTRIBUTING.md in a language by the names of their files; those
// without a name are joined.
func recipes(t *testing.T, language string) map[string]string {
	out := map[string]string{}
	for _, m := range fence.FindAllStringSubmatch(contents(t, "CONTRIBUTING.md"), -1) {
		if m[1] == language {
			out[m[2]] += m[3]
		}
	}
	require.NotEmpty(t, out)
	return out
}

// changes returns the files that recipes change, changed: lines follow the line before them in the
// recipe, and without one end the file.
func changes(t *testing.T, recipes map[string]string) map[string]string {
	out := map[string]string{}
	for _, part := range strings.Split(recipes[""], "+++ ")[1:] {
		name, lines, _ := strings.Cut(part, "\n")
		text, _ := os.ReadFile(name) // there is none of a new file
		before, after := string(text), ""
		var added strings.Builder
		for line := range strings.Lines(lines) {
			if new, ok := strings.CutPrefix(line, "+"); ok {
				added.WriteString(new)
				continue
			}
			anchor := line[1:]
			require.Equal(t, 1, strings.Count(before, anchor), "CONTRIBUTING.md: lines %q of %s", anchor, name)
			before, after, _ = strings.Cut(before, anchor)
			before += anchor
		}
		out[name] = before + added.String() + after
	}
	return out
}

func contents(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

// command runs a program and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	var complaint strings.Builder
	c.Stderr = &complaint
	out, err := c.Output()
	require.NoError(t, err, "%s: %s%s", c, out, &complaint)
	return string(out)
}
