package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/hunt"
	"github.com/sigview/sigview/check/testlong"
)

// programs are every program, on cards of both eras; traced says of which kinds of runs.
var programs = []struct{ args, traced string }{
	{"pingpong --platform cx7 --count 50", "both"}, {"kv --platform cx6-hdr --size 100", "both"}, {"hotspot --platform cx5-roce --count 50", "both"},
	{"allreduce --platform mlx4 --size 3K", "both"}, {"random --platform smartnic --count 50", "both"}, {"fft --platform shrimp --size 4K", "both"},
	{"gauss --platform ppro --size 64", "both"}, {"random --platform grim-p3-lanai4 --count 50", "both"}, {"radix --platform paragon --size 20K", "both"},
	{"paramserver --platform cx7 --size 2K", "yes"}, {"blocks --platform cx5-ex --size 40", "no"}, {"incast --platform cx3 --count 50", "yes"},
	{"stream --platform linux-udp --count 50", "no"}, {"lu --platform myrinet --size 64", "yes"}, {"ocean --platform meiko --size 32", "no"},
	{"water --platform das-myrinet --size 32", "yes"}, {"queue --platform gm-p3 --count 50", "no"}, {"broadcast --platform myrinet10 --count 50", "yes"},
	{"prodcons --platform ultrasparc-sbus --count 50", "no"}, {"alltoall --platform grim-p4-lanai4 --count 50", "yes"},
	{"dfs --platform ppro --size 40", "no"}, {"goal --platform shrimp --schedule SAMPLE", "yes"},
}

// TestEverySurfaceSaysTheSame: of every program and of random runs, what is shown (reports as text, Markdown and
// pages, views and their CSV), JSON, every table as Arrow, Parquet and CSV, and the HdrHistograms are the same
// numbers, within the digits that are shown. They contradict neither one another nor the packets of a trace.
func TestEverySurfaceSaysTheSame(t *testing.T) {
	sample, err := filepath.Abs("../../docs/samples/ring.goal")
	require.NoError(t, err)
	for _, p := range programs {
		for _, traced := range []bool{false, true} {
			if p.traced == map[bool]string{false: "yes", true: "no"}[traced] && !testlong.On() {
				continue
			}
			t.Run(fmt.Sprintf("%s, traced %v", p.args, traced), func(t *testing.T) {
				args := append(strings.Fields("run "+strings.Replace(p.args, "SAMPLE", sample, 1)), "--nodes", "4")
				if traced {
					args = append(args, "--trace")
				}
				everySurface(t, args)
			})
		}
	}
	for seed := range uint64(testlong.Pick(8, 2000)) {
		c := hunt.Random(seed + 20)
		args, _ := c.Command()
		t.Run(fmt.Sprintf("seed %d", c.Seed), func(t *testing.T) {
			t.Log(args)
			everySurface(t, args, c.Schedule)
		})
	}
}

// everySurface makes a run and compares its surfaces. One that is refused or comes to no end leaves none.
func everySurface(t *testing.T, args []string, random ...string) {
	t.Chdir(t.TempDir())
	for _, schedule := range random {
		require.NoError(t, os.WriteFile("schedule.goal", []byte(schedule), 0o600))
	}
	a, _, stderr := realApp()
	a.run(t.Context(), append(args, "-o", "run", "-q"))
	if _, err := os.Stat("run"); err != nil {
		require.NotEmpty(t, random, stderr)
		return
	}
	s := surfaces{viewed: viewed{t: t}, tables: map[string][]record{}}
	require.NoError(t, json.Unmarshal([]byte(s.command("report", "run", "--format", "json")), &s.report))
	s.files()
	s.sound()
	s.packetsOfATrace()
	s.document()
	s.printed()
	s.views()
	s.histograms()
}

// surfaces are those of a run in the directory "run".
type surfaces struct {
	viewed
	tables map[string][]record // of the directory
}

// files compares the tables of the directory with those that are exported.
func (s *surfaces) files() {
	s.t.Helper()
	names, err := filepath.Glob("run/*.arrow")
	require.NoError(s.t, err)
	if len(names) == 0 {
		return
	}
	for _, form := range []string{"csv", "parquet"} {
		s.command("export", "run", "--to", form, "-o", form)
	}
	for _, name := range names {
		name = strings.TrimSuffix(filepath.Base(name), ".arrow")
		columns, rows := arrowTable(s.t, "run/"+name+".arrow")
		s.tables[name] = rows
		if name == "packet_batches" { // an index of the other file
			continue
		}
		require.Equal(s.t, rows, parquetTable(s.t, "parquet/"+name+".parquet"), name)
		lines := csvTable(s.t, "csv/"+name+".csv")
		require.Len(s.t, lines, len(rows), name)
		for i, row := range rows {
			for _, c := range columns {
				require.Equal(s.t, row[c.Name], typed(s.t, lines[i][c.Name], c), "%s, row %d: %s", name, i, c.Name)
			}
		}
	}
}

// latencyTables are those whose rows have latencies.
var latencyTables = []string{"signature", "classes", "sequences", "pairs"}

// float returns a number of a table, and whether it is known.
func float(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

var shares = map[string]float64{"p50": 0.50, "p90": 0.90, "p99": 0.99}

// tick is how much a mean may differ from that of the instants, in ns: sums count ticks of a card's clock.
const tick = 62

// sound checks that the figures of each row agree with one another.
func (s *surfaces) sound() {
	negative := s.report["lost"].(object)["negative"].(float64) > 0 // latencies below 0, with which a mean sets no limit
	for _, table := range latencyTables {
		for _, r := range s.tables[table] {
			mean, known := float(r["mean_ns"])
			require.Equal(s.t, known, r["count"].(int64) > 0, "%s: %v", table, r)
			if !known || r["stage"] == "net_minus_lanai" {
				continue
			}
			least, hasLeast := float(r["min_ns"])
			most, hasMost := float(r["max_ns"])
			require.True(s.t, !hasLeast || least <= mean+tick, "min, mean: %v", r)
			require.True(s.t, !hasMost || most >= mean-tick, "mean, max: %v", r)
			for name, share := range shares {
				p, known := float(r[name+"_ns"])
				if !known {
					continue
				}
				require.True(s.t, r[name+"_upper_bound"] == true || negative || p <= (mean+tick)/(1-share), "%s, mean: %v", name, r)
				require.True(s.t, !hasLeast || p >= least, "min, %s: %v", name, r)
				require.True(s.t, !hasMost || p <= most, "%s, max: %v", name, r)
				require.False(s.t, r[name+"_lower_bound"] == true && r[name+"_upper_bound"] == true, "%v", r)
			}
		}
	}
}

// holds reports whether a row has packets of this size. The lowest range has the empty ones too.
func holds(r record, bytes int64) bool {
	lo, hi := r["size_lo_bytes"].(int64), r["size_hi_bytes"].(int64)
	return (bytes > lo || lo == 0) && bytes <= hi
}

// latenciesIn returns the latencies of a row's packets in a trace, sorted.
func (s *surfaces) latenciesIn(r record) (ns []int64) {
	for _, p := range s.tables["packets"] {
		v, known := p[r["stage"].(string)+"_ns"].(int64)
		if known && p["tag"] == r["tag"] && (r["kind"] == "all" || r["kind"] == p["kind"]) && (r["first"] == nil || r["first"] == p["first"]) && holds(r, p["size_bytes"].(int64)) {
			ns = append(ns, v)
		}
	}
	slices.Sort(ns)
	return ns
}

// packetsOfATrace checks that rows have the percentiles and extremes of their packets, if all are in the trace.
func (s *surfaces) packetsOfATrace() {
	if s.tables["packets"] == nil {
		return
	}
	for _, table := range []string{"signature", "classes"} {
		for _, r := range s.tables[table] {
			if r["stage"] == "net_minus_lanai" {
				continue
			}
			ns := s.latenciesIn(r)
			if len(ns) == 0 || int64(len(ns)) != r["count"] {
				continue
			}
			require.Equal(s.t, []any{ns[0], ns[len(ns)-1]}, []any{r["min_ns"], r["max_ns"]}, "%v", r)
			sum := 0.0
			for _, v := range ns {
				sum += float64(v)
			}
			require.InDelta(s.t, sum/float64(len(ns)), r["mean_ns"], tick, "%v", r)
			for name, share := range shares {
				if p, known := r[name+"_ns"].(int64); known {
					below, _ := slices.BinarySearch(ns, p)
					upTo, _ := slices.BinarySearch(ns, p+1)
					rank := share * float64(len(ns))
					require.True(s.t, float64(below) <= rank && rank <= float64(upTo), "%s of %d packets, %d are shorter, %d not longer: %v", name, len(ns), below, upTo, r)
				}
			}
		}
	}
}

// document compares the JSON document with the tables.
func (s *surfaces) document() {
	for _, table := range latencyTables {
		list, at := s.report[table].([]any), 0
		for _, r := range s.tables[table] {
			if table == "pairs" && r["class"] != "all" {
				continue
			}
			for at < len(list) && !sameGroup(list[at].(object), r) {
				at++
			}
			require.Less(s.t, at, len(list), "%s: not in JSON: %v", table, r)
			s.sameStat(list[at].(object)[r["stage"].(string)].(object), r)
		}
		require.True(s.t, at == len(list)-1 || len(list) == 0, "%s: only in JSON: %v", table, list)
	}
}

// sameGroup reports whether an object is about the packets of a row.
func sameGroup(of object, r record) bool {
	for _, key := range []string{"tag", "kind", "first", "after", "class", "size_lo_bytes", "size_hi_bytes", "sender", "receiver"} {
		if v, has := of[key]; has && fmt.Sprint(v) != fmt.Sprint(r[key]) {
			return false
		}
	}
	return true
}

// sameStat compares the latencies of an object with those of a row.
func (s *surfaces) sameStat(of object, r record) {
	s.t.Helper()
	require.EqualValues(s.t, r["count"], of["count"], "%v", r)
	for _, name := range []string{"mean", "p50", "p90", "p99", "baseline", "deviation", "ci_lo", "ci_hi"} {
		ns, known := float(r[name+"_ns"])
		us, has := of[name+"_us"].(float64)
		require.Equal(s.t, known, has, "%s: %v, %v", name, r, of)
		require.InDelta(s.t, ns/1000, us, 1e-12*math.Abs(ns), "%s: %v", name, r)
	}
	for name := range shares {
		var want any
		for _, bound := range []string{"lower", "upper"} {
			if r[name+"_"+bound+"_bound"] == true {
				want = bound
			}
		}
		require.Equal(s.t, want, of[name+"_bound"], "%s: %v", name, of)
	}
}

var shownTime = regexp.MustCompile(`^(~?)([<>]?)([+-]?\d+(?:\.(\d+))?)(?: (ms|s))?([▲▼=?]?)$`)

// says checks that a text shows a time of a row: nearest of all with as many digits, or a bound that holds.
func (s *surfaces) says(text string, r record, name string) {
	s.t.Helper()
	ns, known := float(r[name+"_ns"])
	if !known {
		require.Equal(s.t, "-", strings.TrimRight(text, "?"), "%s: %v", name, r)
		return
	}
	m := shownTime.FindStringSubmatch(text)
	require.NotNil(s.t, m, "%s %q: %v", name, text, r)
	shown, err := strconv.ParseFloat(m[3], 64)
	require.NoError(s.t, err)
	unit := map[string]float64{"": 1e3, "ms": 1e6, "s": 1e9}[m[5]]
	digit := unit * math.Pow10(-len(m[4]))
	bound, off := m[2], shown*unit-ns
	require.Equal(s.t, bound == ">", r[name+"_lower_bound"] == true, "%s %q: %v", name, text, r)
	require.Equal(s.t, bound == "<", r[name+"_upper_bound"] == true, "%s %q: %v", name, text, r)
	const slack = 1e-6 // ns
	switch bound {
	case ">":
		require.True(s.t, off <= slack && off > -digit, "%s %q is no bound: %v", name, text, r)
	case "<":
		require.True(s.t, off >= -slack && off < digit, "%s %q is no bound: %v", name, text, r)
	default:
		require.LessOrEqual(s.t, math.Abs(off), digit/2+slack, "%s %q: %v", name, text, r)
	}
}

// stagesShown are the names of stages in prose.
var stagesShown = map[string]string{"Source": "source", "LANai": "lanai", "Net": "net", "Dest": "dest", "Net−LANai": "net_minus_lanai", "Net-LANai": "net_minus_lanai"}

// wholeRows returns the rows of a table about all kinds, first and later packets together, for which ok holds.
func (s *surfaces) wholeRows(table string, ok func(record) bool) []record {
	return slices.DeleteFunc(slices.Clone(s.tables[table]), func(r record) bool { return r["kind"] != "all" || r["first"] != nil || !ok(r) })
}

// printed compares the tables of reports with those of the directory.
func (s *surfaces) printed() {
	for _, format := range []string{"text", "md", "html"} {
		counts := map[string]int{}
		for _, table := range printedTables(format, s.command("report", "run", "--full", "--format", format)) {
			counts[table.head[0]]++
			switch table.head[0] {
			case "class":
				s.printedClasses(table)
			case "size, B":
				s.printedMeans(table, s.sizesOf)
			case "kind":
				s.printedMeans(table, s.kindOf)
			}
		}
		tags := map[any]bool{}
		for _, r := range s.tables["signature"] {
			tags[r["tag"]] = true
		}
		for _, head := range []string{"class", "size, B", "kind"} {
			require.Equal(s.t, len(tags), counts[head], "%s: tables by %s", format, head)
		}
	}
}

// printedClasses compares a table with a line for each latency.
func (s *surfaces) printedClasses(table printedTable) {
	class, lines := "", 0
	for _, line := range table.rows {
		cell := map[string]string{}
		for i, name := range table.head {
			cell[name] = line[i]
		}
		if cell["class"] != "" {
			class = cell["class"]
		}
		rows := s.wholeRows("classes", func(r record) bool {
			return fmt.Sprint(r["tag"]) == table.tag && r["class"] == class && r["stage"] == stagesShown[cell["stage"]]
		})
		require.Len(s.t, rows, 1, "%q", line)
		lines++
		if cell["mean"] == "n.m." {
			require.Equal(s.t, "net_minus_lanai", rows[0]["stage"])
			continue
		}
		for shown, name := range map[string]string{"mean": "mean", "base": "baseline", "dev": "deviation", "p50": "p50", "p90": "p90", "p99": "p99", "max": "max", "dev from": "deviation_ci_lo", "to": "deviation_ci_hi"} {
			if text, has := cell[shown]; has {
				s.says(text, rows[0], name)
			}
		}
		require.Equal(s.t, rows[0]["weak"] == true, strings.HasSuffix(cell["mark"], "~"), "%q: %v", line, rows[0])
	}
	require.Len(s.t, s.wholeRows("classes", func(r record) bool { return fmt.Sprint(r["tag"]) == table.tag }), lines)
}

// sizesOf returns the rows of a range of sizes, as "1-32".
func (s *surfaces) sizesOf(tag, sizes string) []record {
	var lo, hi int64
	_, err := fmt.Sscanf(sizes, "%d-%d", &lo, &hi)
	require.NoError(s.t, err, "%q", sizes)
	return s.wholeRows("signature", func(r record) bool {
		return fmt.Sprint(r["tag"]) == tag && r["size_lo_bytes"].(int64) >= lo-1 && r["size_hi_bytes"].(int64) <= hi
	})
}

// kindOf returns the rows of a kind over all sizes, as "page-reply, first".
func (s *surfaces) kindOf(tag, kind string) (rows []record) {
	kind, part, _ := strings.Cut(kind, ", ")
	var first any
	if part != "" {
		first = part == "first"
	}
	for _, r := range s.tables["classes"] {
		if fmt.Sprint(r["tag"]) == tag && r["kind"] == kind && r["first"] == first {
			rows = append(rows, r)
		}
	}
	return rows
}

// printedMeans compares a table with a column for each stage. A line may be about several rows.
func (s *surfaces) printedMeans(table printedTable, of func(tag, name string) []record) {
	seen := int64(0)
	for _, line := range table.rows {
		rows, most := of(table.tag, line[0]), int64(0)
		require.NotEmpty(s.t, rows, "%q", line)
		for i, name := range table.head {
			stage := stagesShown[name]
			n, sum := int64(0), 0.0
			for _, r := range rows {
				if mean, known := float(r["mean_ns"]); known && r["stage"] == stage {
					n, sum = n+r["count"].(int64), sum+mean*float64(r["count"].(int64))
				}
			}
			if most = max(most, n); stage == "" || stage == "net_minus_lanai" {
				continue
			}
			pooled := record{}
			if n > 0 {
				pooled["mean_ns"] = sum / float64(n)
			}
			s.says(line[i], pooled, "mean")
		}
		require.Equal(s.t, fmt.Sprint(most), line[1], "packets of %q", line)
		seen++
	}
	require.Positive(s.t, seen)
}

// views compares the signature's and the percentiles' data and pictures with the tables.
func (s *surfaces) views() {
	if len(s.list(s.report, "signature", "tag", 0, "kind", "all", "first", nil)) > 0 {
		s.latencies()
	}
	groups := map[string]bool{}
	for _, r := range s.tables["signature"] {
		if r["first"] == nil {
			groups[fmt.Sprintf("tag=%v kind=%v", r["tag"], r["kind"])] = true
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		for _, line := range s.table("signature", group) {
			r := s.rowOf(group, line["size_lo_bytes"], line["size_hi_bytes"], line["stage"])
			require.Equal(s.t, fmt.Sprint(r["count"]), line["count"])
			if r["stage"] == "net_minus_lanai" && line["mean_us"] == "" {
				continue
			}
			for _, name := range []string{"mean", "p50", "p90", "p99", "min", "max", "baseline", "deviation", "ci_lo", "ci_hi", "deviation_ci_lo", "deviation_ci_hi"} {
				s.exactly(line[name+"_us"], r, name)
			}
		}
	}
}

// rowOf returns the row of the signature of a tag and kind, these sizes and this stage.
func (s *surfaces) rowOf(group, lo, hi, stage string) record {
	s.t.Helper()
	i := slices.IndexFunc(s.tables["signature"], func(r record) bool {
		return r["first"] == nil && fmt.Sprintf("tag=%v kind=%v", r["tag"], r["kind"]) == group && fmt.Sprint(r["size_lo_bytes"]) == lo && fmt.Sprint(r["size_hi_bytes"]) == hi && r["stage"] == stage
	})
	require.GreaterOrEqual(s.t, i, 0, "%s: %s to %s B, %s", group, lo, hi, stage)
	return s.tables["signature"][i]
}

// exactly checks that a text is a time of a row in µs with all digits, marked where it is a bound.
func (s *surfaces) exactly(text string, r record, name string) {
	s.t.Helper()
	ns, known := float(r[name+"_ns"])
	if !known {
		require.Empty(s.t, text, "%s: %v", name, r)
		return
	}
	mark := ""
	if r[name+"_lower_bound"] == true {
		mark = ">"
	} else if r[name+"_upper_bound"] == true {
		mark = "<"
	}
	number, marked := strings.CutPrefix(text, mark)
	require.True(s.t, marked, "%s %q: %v", name, text, r)
	us, err := strconv.ParseFloat(number, 64)
	require.NoError(s.t, err, "%s: %v", name, r)
	require.InDelta(s.t, ns/1000, us, 1e-12*math.Abs(ns), "%s: %v", name, r)
}

// histograms compares HdrHistograms with the bins and the operations of the tables, and their exports with them.
func (s *surfaces) histograms() {
	if len(s.tables["histograms"]) == 0 {
		return
	}
	counts := map[string]int64{}
	for _, r := range s.tables["histograms"] {
		counts[fmt.Sprintf("tag%v.%v.%v", r["tag"], r["kind"], r["stage"])] += r["count"].(int64)
	}
	negative := int64(s.report["lost"].(object)["negative"].(float64))
	kept := logs(s.t, "run/latency.hlog")
	require.ElementsMatch(s.t, slices.Collect(maps.Keys(counts)), slices.Collect(maps.Keys(kept)))
	for label, h := range kept {
		left := counts[label] - h.TotalCount()
		require.True(s.t, left >= 0 && left <= negative, "%s: %d packets in bins, %d in the log, %d negative", label, counts[label], h.TotalCount(), negative)
	}
	if _, err := os.Stat("run/operations.hlog"); err == nil {
		for label, h := range logs(s.t, "run/operations.hlog") {
			kept[label] = h
		}
	}
	s.command("export", "run", "--to", "hlog", "-o", "run.hlog")
	require.Equal(s.t, kept, logs(s.t, "run.hlog"))
	s.command("export", "run", "--to", "hgrm", "-o", "hgrm")
	for label, h := range kept {
		s.percentileFile(h, "hgrm/"+strings.ReplaceAll(label, "/", "-")+".hgrm")
	}
	s.operationsOf(kept)
}

var (
	hgrmMean = regexp.MustCompile(`Mean += +([\d.]+),`)
	hgrmMax  = regexp.MustCompile(`Max += +([\d.]+), Total count += +(\d+)\]`)
)

// percentileFile compares a file for the plotter with its histogram.
func (s *surfaces) percentileFile(h *hdrhistogram.Histogram, name string) {
	data, err := os.ReadFile(name)
	require.NoError(s.t, err)
	mean, most := hgrmMean.FindStringSubmatch(string(data)), hgrmMax.FindStringSubmatch(string(data))
	require.NotNil(s.t, mean, name)
	require.NotNil(s.t, most, name)
	require.Equal(s.t, fmt.Sprint(h.TotalCount()), most[2], name)
	for text, ns := range map[string]float64{mean[1]: h.Mean(), most[1]: float64(h.Max())} {
		us, err := strconv.ParseFloat(text, 64)
		require.NoError(s.t, err)
		require.InDelta(s.t, ns/1000, us, 0.0005001, name)
	}
}

// operationsOf compares the durations of operations in the tables with the report and with logs.
func (s *surfaces) operationsOf(kept map[string]*hdrhistogram.Histogram) {
	for _, v := range s.report["operations"].([]any) {
		of := v.(object)
		var ns []int64
		for _, r := range s.tables["spans"] {
			if fmt.Sprint(r["tag"]) == fmt.Sprint(of["tag"]) && r["operation"] == of["operation"] && (of["name"] == nil || r["name"] == of["name"]) {
				ns = append(ns, r["duration_ns"].(int64))
			}
		}
		require.EqualValues(s.t, len(ns), of["count"], "%v", of)
		require.EqualValues(s.t, float64(slices.Max(ns))/1000, of["max_us"], "%v", of)
		label := fmt.Sprintf("tag%v.%v", of["tag"], of["operation"])
		if of["name"] != nil {
			label += "." + strings.ReplaceAll(of["name"].(string), " ", "_")
		}
		h := kept[label]
		require.NotNil(s.t, h, label)
		require.EqualValues(s.t, len(ns), h.TotalCount(), label)
		require.InEpsilon(s.t, 1+of["mean_us"].(float64), 1+h.Mean()/1000, 2e-3, label)
	}
}
