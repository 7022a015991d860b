package sigview

import (
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/sigview/sigview"

// level of each folder: a package may import lower levels, and its own folder
// tree. The picture is explained in docs/architecture.md.
var level = map[string]int{
	"":         0, // the embedded reference tables
	"internal": 0,
	// The record vocabulary stands below histo, whose axes are named in it.
	"sim": 0, "clock": 0, "trace": 0, "docs": 0, "report/chart": 0,
	"histo": 1, "sim/fabric": 1, "sim/host": 1, "live/stamps": 1,
	"ni": 2, "comm/fast": 2,
	"monitor": 3, "comm": 3, "trace/rundir": 3,
	"comm/nx": 4, "comm/sockets": 4, "svm": 4,
	"workloads":        5,
	"cluster/platform": 6,
	"cluster":          7,
	// Offline analysis imports no model (see forbidden), though it stands high.
	"analysis": 8,
	"report":   9, "report/export": 9, "papers/judge": 9,
	// What measures real hosts makes records as a model does, and imports none.
	"live":            9,
	"cluster/testbed": 10, "experiment": 10,
	"papers": 11,
	"check":  12, // what hunts for faults stands apart: no product package imports it
	"cmd":    13,
}

// arrow is a forbidden import: from a folder tree to a folder tree. A star
// stands for one path element; the target "*" is any package of the module.
type arrow struct{ from, to, why string }

// kernel is the kernel of the simulator; folders below it hold hardware that runs on it.
const kernel = "sim"

var forbidden = []arrow{
	{"clock", "*", "oscillators and estimators also serve real hosts"},
	{"sim/fabric", "sim/host", "the network and the host meet in ni"},
	{"sim/host", "sim/fabric", "the network and the host meet in ni"},
	{"monitor", "comm", "the monitor attaches to any layer"},
	{"comm", "monitor", "a layer runs with and without the monitor"},
	{"svm", "monitor", "upper layers see only trace.Spans"},
	{"comm/nx", "svm", "upper layers are independent"},
	{"svm", "comm/nx", "upper layers are independent"},
	{"trace/rundir", "analysis", "files know nothing of what is made of them"},
	{"cluster/testbed", "experiment", "a testbed stands beside what users ask for"},
	{"cluster/testbed", "papers", "a testbed knows nothing of rows"},
	{"experiment", "cluster/testbed", "what users ask for needs no testbed"},
	{"experiment", "papers", "experiments know nothing of rows"},
	{"sim", "trace/rundir", "a model knows no files"},
	{"ni", "trace/rundir", "a model knows no files"},
	{"comm", "trace/rundir", "a model knows no files"},
	{"monitor", "trace/rundir", "a model knows no files"},
	{"svm", "trace/rundir", "a model knows no files"},
	{"workloads", "trace/rundir", "a model knows no files"},
	{"cluster", "trace/rundir", "a model knows no files"},
	{"cmd", "check", "what hunts for faults is no part of the product"},
}

// offline are the trees that read records, and models the ones that make them:
// records may come from real hosts.
var (
	offline = []string{"trace", "histo", "analysis", "report", "papers/judge", "live"}
	models  = []string{"sim", "ni", "comm", "monitor", "svm", "workloads", "cluster", "experiment"}
)

// notLayers are the folders of comm that are no communication layers: what layers share, what
// programs see of them, the library that injects data, what runs over every layer, a coarser model, and what
// carries programs over a layer and that.
var notLayers = []string{"comm/internal", "comm/deposit", "comm/tpil", "comm/nx", "comm/sockets", "comm/fast", "comm/sampled"}

// notRows are the folders of papers that hold no rows of a paper.
var notRows = []string{"papers/testbeds", "papers/judge"}

// folders returns the folders of a folder, apart from some.
func folders(in string, apartFrom []string) []string {
	entries, err := os.ReadDir(in)
	if err != nil {
		panic(err)
	}
	var out []string
	for _, e := range entries {
		path := in + "/" + e.Name()
		if e.IsDir() && e.Name() != "testdata" && !slices.Contains(apartFrom, path) {
			out = append(out, path)
		}
	}
	return out
}

func init() {
	rows, layers := folders("papers", notRows), folders("comm", notLayers)
	for _, from := range rows {
		for _, to := range rows {
			if from != to {
				forbidden = append(forbidden, arrow{from, to, "papers are independent"})
			}
		}
	}
	for _, from := range []string{"comm/nx", "comm/sockets", "svm", "workloads"} {
		for _, to := range layers {
			forbidden = append(forbidden, arrow{from, to, "programs run on every layer, by comm/deposit"})
		}
	}
	for _, from := range offline {
		for _, to := range models {
			forbidden = append(forbidden, arrow{from, to, from + " is offline and imports no model"})
		}
	}
}

// owner of an outside module: the folder trees that alone may import it.
var owner = map[string][]string{
	"github.com/apache/arrow":        {"trace/rundir"},
	"github.com/parquet-go":          {"trace/rundir"},
	"github.com/gopacket":            {"live/capture"},
	"github.com/cilium":              {"live/watch"},
	"github.com/charmbracelet":       {"cmd/sigview/internal/tui"},
	"github.com/HdrHistogram":        {"histo"},
	"google.golang.org/protobuf":     {"report/export/perfetto"},
	"github.com/chromedp":            {"report/page"},
	"github.com/spf13/cobra":         {"cmd/sigview"},
	"github.com/spf13/pflag":         {"cmd/sigview", "experiment/flags"},
	"github.com/schollz/progressbar": {"cmd/sigview"},
	"github.com/pelletier/go-toml":   {"cluster/platform", "internal/tomlfile", "check/reliability"},
	"github.com/BurntSushi/toml":     {"cluster/platform", "internal/tomlfile"},
	"gonum.org/v1/gonum":             {"papers", "experiment/selftest", "experiment/calibrate", "workloads"}, // its digits depend on the processor; calibrate rounds them
}

// standardOnly are packages that import nothing but the standard library.
var standardOnly = []string{kernel, "clock"}

// unit is one package as the checker sees it: paths inside the module are
// relative to it, "" for its root.
type unit struct {
	path    string
	imports []string // import paths of its non-test files
}

func TestImportTable(t *testing.T) {
	units := readUnits(t, ".")
	require.Greater(t, len(units), 3, "packages found")
	for _, v := range violations(units) {
		t.Error(v)
	}
}

// TestImportTableNoticesViolations plants one violation of each sort.
func TestImportTableNoticesViolations(t *testing.T) {
	for _, c := range []struct {
		name, path, imports, want string
	}{
		{"upward", "sim", module + "/ni", "stands alone"},
		{"same level", "comm/nx", module + "/svm", "independent"},
		{"hardware to hardware", "sim/host", module + "/sim/fabric", "meet in ni"},
		{"kernel to hardware", "sim", module + "/sim/host", "stands alone"},
		{"paper to paper", "papers/shrimp", module + "/papers/plogp", "papers are independent"},
		{"product to what hunts for faults", "cmd/sigview", module + "/check/hunt", "no part of the product"},
		{"model to analysis", "monitor", module + "/analysis", "level"},
		{"model to files", "svm", module + "/trace/rundir", "knows no files"},
		{"files to analysis", "trace/rundir", module + "/analysis/explain", "nothing of what is made of them"},
		{"model to command", "cluster", module + "/cmd/sigview", "level"},
		{"interface to monitor", "ni", module + "/monitor", "level"},
		{"layer to layer", "comm/vmmc", module + "/comm/gam", "no layer imports another"},
		{"layer to monitor", "comm/vmmc", module + "/monitor", "with and without the monitor"},
		{"analysis to model", "report", module + "/cluster", "no model"},
		{"analysis to kernel", "analysis", module + "/sim", "offline"},
		{"upper layer to monitor", "svm", module + "/monitor", "trace.Spans"},
		{"program to layer", "comm/nx", module + "/comm/vmmc", "on every layer"},
		{"records to kernel", "trace", module + "/sim", "no model"},
		{"second arrow importer", "analysis", "github.com/apache/arrow/go/v15/arrow", "only trace/rundir"},
		{"second terminal importer", "cmd/sigview", "github.com/charmbracelet/bubbletea", "only cmd/sigview/internal/tui"},
		{"second gonum importer", "analysis", "gonum.org/v1/gonum/stat", "only papers"},
		{"kernel to outside", "sim", "gonum.org/v1/gonum/mat", "standard library"},
		{"unknown folder", "util", "fmt", "not in the import table"},
		{"real hosts to model", "live/agent", module + "/ni", "no model"},
		{"row logic to experiments", "papers/judge", module + "/experiment", "no model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := violations([]unit{{c.path, []string{"fmt", c.imports}}})
			require.NotEmpty(t, got)
			require.Contains(t, strings.Join(got, "\n"), c.want)
		})
	}
	allowed := []unit{
		{"comm/vmmc", []string{module + "/comm", module + "/ni", module + "/trace"}},
		{"trace/rundir", []string{module + "/trace", "github.com/apache/arrow/go/v15/arrow"}},
		{"report", []string{module + "/analysis", module + "/trace", module + "/histo"}},
		{"papers", []string{module + "/papers/judge", module + "/cluster/testbed", module + "/cluster", module}},
	}
	require.Empty(t, violations(allowed))
}

// violations returns one line for each import that the table does not allow.
func violations(units []unit) []string {
	var out []string
	for _, u := range units {
		if _, known := levelOf(u.path); !known {
			out = append(out, fmt.Sprintf("%s: folder is not in the import table of imports_test.go", u.path))
			continue
		}
		for _, imp := range u.imports {
			if why := verdict(u.path, imp); why != "" {
				out = append(out, fmt.Sprintf("%s imports %s: %s", u.path, imp, why))
			}
		}
	}
	return out
}

// verdict returns why from may not import imp, or "".
func verdict(from, imp string) string {
	to, inside := relative(imp)
	if !inside {
		return outside(from, imp)
	}
	if from == kernel {
		return "the kernel stands alone"
	}
	for _, a := range forbidden {
		if within(from, a.from) && !within(to, a.from) && (a.to == "*" || within(to, a.to)) {
			return a.why
		}
	}
	if a, b := layer(from), layer(to); a != "" && b != "" && a != b {
		return "no layer imports another"
	}
	lf, _ := levelOf(from)
	lt, known := levelOf(to)
	switch {
	case !known:
		return "target is not in the import table"
	case lt > lf, lt == lf && top(from) != top(to) && to != "" && top(to) != "internal":
		return fmt.Sprintf("level %d may not import level %d", lf, lt)
	}
	return ""
}

func outside(from, imp string) string {
	first, _, _ := strings.Cut(imp, "/")
	if !strings.Contains(first, ".") {
		return "" // standard library
	}
	for _, tree := range standardOnly {
		if from == tree {
			return tree + " imports the standard library only"
		}
	}
	for prefix, trees := range owner {
		if within(imp, prefix) && !slices.ContainsFunc(trees, func(t string) bool { return within(from, t) }) {
			return "only " + strings.Join(trees, ", ") + " may"
		}
	}
	return ""
}

// levelOf finds the longest prefix of path that the table names.
func levelOf(path string) (int, bool) {
	for p := path; p != "" && p != "."; p = filepath.ToSlash(filepath.Dir(p)) {
		if l, ok := level[p]; ok {
			return l, true
		}
	}
	return 0, path == ""
}

func within(path, tree string) bool {
	return path == tree || strings.HasPrefix(path, tree+"/")
}

func relative(imp string) (path string, inside bool) {
	if imp == module {
		return "", true
	}
	return strings.CutPrefix(imp, module+"/")
}

func top(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// layer returns the folder of a communication layer, "" for other packages.
func layer(path string) string {
	rest, ok := strings.CutPrefix(path, "comm/")
	if !ok || slices.ContainsFunc(notLayers, func(n string) bool { return within(path, n) }) {
		return ""
	}
	return "comm/" + top(rest)
}

// readUnits parses the imports of every package under root, testdata and
// hidden folders excepted.
func readUnits(t *testing.T, root string) []unit {
	t.Helper()
	var units []unit
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name := d.Name()
		if path != root && (name == "testdata" || name == "build" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return fs.SkipDir
		}
		p, err := build.Default.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.GoFiles) == 0 {
			return nil
		}
		rel := filepath.ToSlash(path)
		if rel == "." {
			rel = ""
		}
		units = append(units, unit{rel, p.Imports})
		return nil
	})
	require.NoError(t, err)
	return units
}
