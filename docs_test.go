package sigview

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// pages returns the hand-written and generated pages of the project.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	papers, err := filepath.Glob("docs/validation/*.md")
	require.NoError(t, err)
	return append(append(list, papers...), "README.md")
}

var link = regexp.MustCompile(`\]\(([^)#]+)\)`)

func TestLinksInDocumentationLeadSomewhere(t *testing.T) {
	found := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			found++
			_, err := os.Stat(filepath.Join(filepath.Dir(page), m[1]))
			require.NoError(t, err, "%s links to %s", page, m[1])
		}
	}
	require.Positive(t, found)
}

// TestEveryRoomIsInThePicture keeps docs/architecture.md complete, and free of folders that are
// gone. A folder is in the picture if it, or one that it is in, has a row.
func TestEveryRoomIsInThePicture(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(text), "| folder | holds |")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			rows = append(rows, name[1])
			_, err := os.Stat(name[1])
			require.NoError(t, err, "docs/architecture.md lists %s", name[1])
		}
	}
	for _, u := range readUnits(t, ".") {
		if u.path != "" {
			has := slices.ContainsFunc(rows, func(row string) bool { return top(row) == top(u.path) })
			require.True(t, has, "folder %s has no row in the table of docs/architecture.md", top(u.path))
		}
	}
	for path := range level {
		if path != "" && path != "cmd" && !within(path, "papers") && !within(path, "live") {
			require.Contains(t, rows, path, "folder %s has a level of its own and no row in docs/architecture.md", path)
		}
	}
}

// TestEveryColumnIsDocumented keeps docs/files.md complete.
func TestEveryColumnIsDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/files.md")
	require.NoError(t, err)
	for table, columns := range map[string][]trace.Column{
		"signature":  trace.Columns[trace.SignatureRow](),
		"classes":    trace.Columns[trace.ClassRow](),
		"pairs":      trace.Columns[trace.PairRow](),
		"histograms": trace.Columns[trace.HistogramRow](),
		"clock":      trace.Columns[trace.ClockRow](),
		"packets":    trace.Columns[trace.PacketRow](),

		"packet_windows": trace.Columns[trace.WindowRow](),
		"spans":          trace.Columns[trace.SpanRow](),
		"logp":           trace.Columns[trace.LogPRow](),
		"bandwidth":      trace.Columns[trace.BandwidthRow](),
		"perturb":        trace.Columns[trace.PerturbRow](),
		"stages":         trace.Columns[trace.StepRow](),
		"actors":         trace.Columns[trace.ActorRow](),
		"waits":          trace.Columns[trace.WaitRow](),
		"holds":          trace.Columns[trace.HoldRow](),
		"ports":          trace.Columns[trace.PortRow](),
		"pauses":         trace.Columns[trace.PauseRow](),
		"flows":          trace.Columns[trace.FlowRow](),
	} {
		require.Contains(t, string(text), "`"+table+".arrow`")
		for _, c := range columns {
			require.Contains(t, string(text), "`"+c.Name+"`", "column %s of %s.arrow is not in docs/files.md", c.Name, table)
		}
	}
	for _, c := range append(trace.Columns[trace.SweepRow](), trace.Columns[trace.SweepSignatureRow]()...) {
		require.Contains(t, string(text), "`"+c.Name+"`", "column %s of a sweep is not in docs/files.md", c.Name)
	}
	for _, keys := range []reflect.Type{reflect.TypeFor[trace.Manifest](), reflect.TypeFor[trace.Lost]()} {
		for i := range keys.NumField() {
			key, _, _ := strings.Cut(keys.Field(i).Tag.Get("json"), ",")
			if key == "-" {
				continue // in no file
			}
			require.Contains(t, string(text), "`"+key+"`", "key %s of run.json is not in docs/files.md", key)
		}
	}
}
