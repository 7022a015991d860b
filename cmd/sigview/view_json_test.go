package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// viewed is a run as a report writes it and as the views export it.
type viewed struct {
	t      *testing.T
	report map[string]any
}

// object is a part of a JSON document.
type object = map[string]any

// command runs sigview, and returns what it printed.
func (s viewed) command(words ...string) string {
	s.t.Helper()
	a, stdout, stderr := realApp()
	require.Equal(s.t, exitPass, a.run(s.t.Context(), words), "%v: %s", words, stderr)
	return stdout.String()
}

// table exports the data of a view of the run, by the names of columns.
func (s viewed) table(view, selection string) []map[string]string {
	s.t.Helper()
	s.command("view", "run", "--view", view, "--select", selection, "--export", "x.csv")
	file, err := os.Open("x.csv")
	require.NoError(s.t, err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(s.t, err)
	var out []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		out = append(out, row)
	}
	return out
}

// picture draws a view of the run, and returns its lines.
func (s viewed) picture(view, selection string) []string {
	s.t.Helper()
	s.command("view", "run", "--view", view, "--select", selection, "--geometry", "139x44", "--glyphs", "ascii", "--export", "x.txt")
	text, err := os.ReadFile("x.txt")
	require.NoError(s.t, err)
	return strings.Split(string(text), "\n")
}

// list returns the objects of a list of the report for which all pairs of a key and a value
// hold.
func (s viewed) list(of object, name string, where ...any) []object {
	var out []object
	for _, v := range of[name].([]any) {
		row, all := v.(object), true
		for i := 0; i < len(where); i += 2 {
			all = all && fmt.Sprint(row[where[i].(string)]) == fmt.Sprint(where[i+1])
		}
		if all {
			out = append(out, row)
		}
	}
	return out
}

// one is list of one object.
func (s viewed) one(of object, name string, where ...any) object {
	s.t.Helper()
	list := s.list(of, name, where...)
	require.Len(s.t, list, 1, "%s %v", name, where)
	return list[0]
}

// same compares the columns of a row that the object has, and returns how many are known.
func (s viewed) same(row map[string]string, of object, names map[string]string) (known int) {
	s.t.Helper()
	for name, text := range row {
		key := name
		if other, ok := names[name]; ok {
			key = other
		}
		value, has := of[key]
		number, isNumber := value.(float64)
		switch {
		case !has || text == "" && value == nil:
		case strings.HasPrefix(text, ">") || strings.HasPrefix(text, "<"):
			require.Equal(s.t, strconv.FormatFloat(number, 'f', -1, 64), text[1:], "%s: a bound", name)
			known++
		case isNumber:
			got, err := strconv.ParseFloat(text, 64)
			require.NoError(s.t, err, "%s %q, report %v", name, text, number)
			require.InDelta(s.t, number, got, 1e-9*math.Abs(number), name)
			known++
		}
	}
	return known
}

// written compares figures in a line with those of the report: mean, percentiles and
// deviation of a latency in µs.
func (s viewed) written(line []string, of object, keys ...string) {
	s.t.Helper()
	for i, key := range keys {
		want, format := "-", "%.2f"
		if strings.HasPrefix(key, "p") {
			format = "%.1f"
		} else if key == "deviation_us" {
			format = "%+.2f"
		}
		if v, ok := of[key].(float64); ok {
			if v < 1 && format == "%.1f" { // of a µs more digits are shown
				format = "%.2f"
			}
			want = fmt.Sprintf(format, v)
		}
		require.Equal(s.t, want, strings.TrimLeft(line[i], "<>"), "%s of %v", key, line)
	}
}

var stageKeys = map[string]string{"Source": "source", "LANai": "lanai", "Net": "net", "Dest": "dest", "Net-LANai": "net_minus_lanai"}

// TestViewsShowWhatReportsSay: every figure of every view of three runs is that of the
// report's JSON document.
func TestViewsShowWhatReportsSay(t *testing.T) {
	for name, words := range map[string][]string{
		"fft":   {"fft", "--nodes", "4", "--size", "4K", "--trace"},
		"radix": {"radix", "--nodes", "4", "--size", "4K", "--seed", "3"},
		"water": {"water", "--nodes", "4", "--size", "64", "--seed", "2", "--trace"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := viewed{t: t}
			s.command(append([]string{"run", "-o", "run", "-q"}, words...)...)
			require.NoError(t, json.Unmarshal([]byte(s.command("report", "run", "--format", "json")), &s.report))
			s.overview(slices.Contains(words, "--trace"))
			s.latencies()
			s.pairsAndFindings()
			s.bins()
			if slices.Contains(words, "--trace") {
				s.trace()
			}
			s.clock()
		})
	}
}

// overview checks the findings, the ways of packets and the run time of the nodes.
func (s viewed) overview(traced bool) {
	var told object
	if traced {
		require.NoError(s.t, json.Unmarshal([]byte(s.command("trace", "run", "--json")), &told))
	}
	grades := map[string]int{}
	for _, row := range s.table("overview", "") {
		grades[row["grade"]]++
		text := row["finding"]
		if row["grade"] == "attributed" {
			of := told["findings"].([]any)[grades["attributed"]-1].(object)
			require.Positive(s.t, s.same(map[string]string{"share_of_run_time": row["share_of_run_time"]}, of, nil))
			require.Contains(s.t, text, of["cause"])
			continue
		}
		waited, err := strconv.ParseFloat(row["waited_us"], 64)
		if err != nil {
			continue // below the baseline
		}
		require.True(s.t, slices.ContainsFunc(s.list(s.report, "findings", "level", "above"), func(of object) bool {
			all := of["deviation_us"].(float64) * of["packets"].(float64)
			return math.Abs(all-waited) <= 1e-9*all && strings.HasPrefix(strings.ToLower(text), of["stage"].(string))
		}), "%v", row)
	}
	moved := 0
	for _, of := range s.list(s.report, "findings") {
		if (of["level"] == "above" || of["level"] == "below") && of["stage"] != "net_minus_lanai" {
			moved++
		}
	}
	require.Equal(s.t, moved, grades["seen"])
	if told != nil {
		require.Len(s.t, told["findings"], grades["attributed"])
	}
	s.overviewPicture()
}

var (
	wayHead   = regexp.MustCompile(`^The way of ([\d,]+) `)
	wayStage  = regexp.MustCompile(` (Source|LANai|Net|Dest) ([\d.]+) \(idle ([\d.]+)\)`)
	shareText = regexp.MustCompile(`\b(comp\.|pages|locks|barriers|service|monitor) ([\d.]+) %`)
)

func (s viewed) overviewPicture() {
	var class object
	ways := 0
	shares := map[string]string{}
	for _, line := range s.picture("overview", "") {
		if m := wayHead.FindStringSubmatch(line); m != nil {
			class = s.one(s.report, "classes", "tag", 0, "kind", "all", "first", nil, "count", strings.ReplaceAll(m[1], ",", ""))
		}
		if m := wayStage.FindStringSubmatch(line); m != nil {
			of := class[strings.ToLower(m[1])].(object)
			require.Equal(s.t, []string{fmt.Sprintf("%.1f", of["mean_us"]), fmt.Sprintf("%.1f", of["baseline_us"])}, m[2:], "%s", line)
			ways++
		}
		for _, m := range shareText.FindAllStringSubmatch(line, -1) {
			shares[m[1]] = m[2]
		}
	}
	require.GreaterOrEqual(s.t, ways, 4)
	for name, key := range map[string]string{"comp.": "computing_s", "pages": "page_wait_s", "locks": "lock_s", "barriers": "barrier_s", "service": "service_s"} {
		part, whole := 0.0, 0.0
		for _, of := range s.list(s.report, "run_time_shares") {
			part, whole = part+of[key].(float64), whole+of["run_time_s"].(float64)
		}
		if text, ok := shares[name]; ok {
			require.Equal(s.t, fmt.Sprintf("%.1f", 100*part/whole), text, name)
		} else {
			require.Less(s.t, part/whole, 0.001, "%s is not shown", name)
		}
	}
}

// latencies checks the signature and the percentiles at every size and of a kind.
func (s viewed) latencies() {
	for _, kind := range []string{"all", s.report["signature"].([]any)[len(s.report["signature"].([]any))-1].(object)["kind"].(string)} {
		known := 0
		rows := s.table("signature", "kind="+kind)
		require.NotEmpty(s.t, rows)
		for _, row := range rows {
			if row["stage"] == "net_minus_lanai" && row["mean_us"] == "" {
				continue // shown as without meaning
			}
			of := s.one(s.report, "signature", "tag", 0, "kind", kind, "first", nil, "size_hi_bytes", row["size_hi_bytes"])
			known += s.same(row, of[row["stage"]].(object), nil)
		}
		require.Greater(s.t, known, len(rows))
		require.Len(s.t, rows, 5*len(s.list(s.report, "signature", "tag", 0, "kind", kind, "first", nil)))
	}
	all := s.list(s.report, "signature", "tag", 0, "kind", "all", "first", nil)
	for _, of := range []object{all[0], all[len(all)-1]} {
		stages := 0
		at := fmt.Sprintf("size=%v", of["size_hi_bytes"])
		for _, line := range s.picture("signature", at) {
			f := strings.Fields(line)
			if len(f) < 10 || stageKeys[f[0]] == "" || f[1] == "n.m." {
				continue
			}
			stage := of[stageKeys[f[0]]].(object)
			s.written([]string{f[1], f[3], f[4]}, stage, "mean_us", "baseline_us", "deviation_us")
			n := len(f)
			s.written(f[n-4:n-1], stage, "p50_us", "p90_us", "p99_us")
			stages++
		}
		require.GreaterOrEqual(s.t, stages, 4, at)
		for _, line := range s.picture("percentiles", at) {
			if f := strings.Fields(line); len(f) == 8 && stageKeys[f[0]] != "" {
				s.written([]string{f[3], f[4], f[5], f[7]}, of[stageKeys[f[0]]].(object), "p50_us", "p90_us", "p99_us", "mean_us")
				stages++
			}
		}
		require.GreaterOrEqual(s.t, stages, 8, at)
	}
}

// pairsAndFindings checks the matrix, and the run beside its baseline.
func (s viewed) pairsAndFindings() {
	for _, row := range s.table("matrix", "stage=source") {
		of := s.one(s.report, "pairs", "tag", 0, "sender", row["sender"], "receiver", row["receiver"])
		require.Positive(s.t, s.same(row, of["source"].(object), nil))
	}
	findings := s.table("compare", "")
	require.Len(s.t, findings, len(s.list(s.report, "findings")))
	for _, row := range findings {
		of := s.one(s.report, "findings", "tag", row["tag"], "class", row["class"], "stage", row["stage"])
		s.same(row, of, map[string]string{"difference_us": "deviation_us", "ci_lo_us": "deviation_ci_lo_us", "ci_hi_us": "deviation_ci_hi_us", "count_b": "packets"})
		require.Equal(s.t, of["level"], row["level"])
		if of["deviation_us"] != nil {
			class := s.one(s.report, "classes", "tag", row["tag"], "kind", "all", "first", nil, "class", row["class"])
			require.Positive(s.t, s.same(map[string]string{"mean_us": row["mean_b_us"]}, class[row["stage"]].(object), nil))
		}
	}
}

// bins checks the histogram and the distribution of the largest size.
func (s viewed) bins() {
	count := map[[2]string]float64{}
	for _, row := range s.table("histogram", "") {
		n, err := strconv.ParseFloat(row["count"], 64)
		require.NoError(s.t, err)
		count[[2]string{row["size_lo_bytes"], row["size_hi_bytes"]}] += n
	}
	compared := 0
	for _, name := range []string{"signature", "classes"} {
		for _, of := range s.list(s.report, name, "tag", 0, "kind", "all", "first", nil) {
			if n, ok := count[[2]string{fmt.Sprint(of["size_lo_bytes"]), fmt.Sprint(of["size_hi_bytes"])}]; ok {
				require.Equal(s.t, of["net"].(object)["count"], n, "%v B", of["size_hi_bytes"])
				compared++
			}
		}
	}
	require.Positive(s.t, compared)
	largest := s.list(s.report, "classes", "tag", 0, "kind", "all", "first", nil, "class", "4096")
	if len(largest) == 0 {
		return
	}
	net := largest[0]["net"].(object)
	text := strings.Join(s.picture("histogram", "size=4096"), "\n")
	require.Contains(s.t, text, fmt.Sprintf("mean %.2f us, baseline %.2f", net["mean_us"], net["baseline_us"]))
	p50, ok := net["p50_us"].(float64)
	if !ok {
		return
	}
	require.Contains(s.t, text, fmt.Sprintf("p50 %.1f", p50))
	before := 0.0
	for _, row := range s.table("percentiles", "size=4096") {
		if share, _ := strconv.ParseFloat(row["share"], 64); row["stage"] == "net" {
			us, _ := strconv.ParseFloat(row["latency_us"], 64)
			if share >= 0.5 {
				require.True(s.t, before <= p50 && (p50 <= us || row["at_least"] == "true"), "p50 %v in the step to %v", p50, us)
				break
			}
			before = us
		}
	}
}

// trace checks operations with their steps, and the packets over time.
func (s viewed) trace() {
	var of object
	rows := s.table("spans", "")
	require.NotEmpty(s.t, rows)
	for _, row := range rows {
		if row["step"] != "whole" {
			require.Positive(s.t, s.same(row, s.one(of, "stages", "stage", row["step"]), nil))
			continue
		}
		kind, name, named := strings.Cut(row["operation"], " ")
		where := []any{"tag", row["tag"], "operation", kind}
		if named {
			where = append(where, "name", name)
		}
		of = s.one(s.report, "operations", where...)
		require.GreaterOrEqual(s.t, s.same(row, of, nil), 5)
	}
	require.Len(s.t, s.table("timeline", ""), int(s.report["packets"].(float64)))
}

// clock checks the largest error, which the rounds alone do not give.
func (s viewed) clock() {
	most := s.report["clock"].(object)["max_error_ns"].(float64)
	require.Contains(s.t, strings.Join(s.picture("clock", ""), " "), fmt.Sprintf("largest error %.2f us", most/1000))
}
