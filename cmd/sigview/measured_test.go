package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallSweep is run in a second.
const smallSweep = `programs = ["alltoall"]
platforms = ["ppro"]
layers = ["gam", "vmmc"]
nodes = [2, 4]
message_bytes = [64, 256]
seeds = "1..2"
[run]
pattern.count = 5
`

// curves exports the curves of a measurement: values by curve and place.
func (s viewed) curves(dir, selection string) (out map[[2]string]float64, unit string) {
	s.t.Helper()
	s.command("view", dir, "--select", selection, "--export", "x.csv")
	file, err := os.Open("x.csv")
	require.NoError(s.t, err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(s.t, err)
	out = map[[2]string]float64{}
	for _, l := range lines[1:] {
		v, err := strconv.ParseFloat(l[6], 64)
		require.NoError(s.t, err)
		name, _, _ := strings.Cut(l[4], ",")
		out[[2]string{name, l[5]}], unit = v, l[9]
	}
	return out, unit
}

// document reads the JSON document of a measurement.
func (s viewed) document(path string) (out object) {
	s.t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal(text, &out))
	return out
}

// TestLayersShowWhatReportsSay: every figure of three measurements of layers is that of their
// JSON documents.
func TestLayersShowWhatReportsSay(t *testing.T) {
	t.Chdir(t.TempDir())
	s := viewed{t: t}
	for dir, line := range map[string]string{"meiko": "logp --platform meiko", "gam": "logp --platform ppro --layer gam --seed 2"} {
		s.command(append(strings.Fields(line), "-q", "-o", dir)...)
		of := s.document(dir + "/logp.json")
		got, _ := s.curves(dir, "")
		points := s.list(of, "points")
		require.Len(t, got, len(points))
		for _, p := range points {
			require.Equal(t, p["cost_us"].(object)["value"], got[[2]string{fmt.Sprintf("Δ %v", p["delta_us"]), fmt.Sprint(p["m"])}], "%v", p)
		}
		s.command("view", dir, "--geometry", "120x40", "--export", "x.txt")
		picture, err := os.ReadFile("x.txt")
		require.NoError(t, err)
		for name, key := range map[string]string{"o_s": "os_us", "o_r": "or_us", "L": "L_us", "g": "g_us", "RTT": "rtt_us"} {
			m := regexp.MustCompile(`  ` + name + ` ([\d.]+)`).FindStringSubmatch(string(picture))
			require.NotNil(t, m, "%s: %s", name, picture)
			shown, err := strconv.ParseFloat(m[1], 64)
			require.NoError(t, err)
			require.InEpsilon(t, of["parameters"].(object)[key].(object)["value"], shown, 1e-3, name)
		}
	}
	s.command("bandwidth", "--platform", "ppro", "--layer", "gam", "--size", "64,1K,16K", "-q", "-o", "widths")
	got, unit := s.curves("widths", "")
	require.Equal(t, "MB/s", unit)
	points := s.list(s.document("widths/bandwidth.json"), "points")
	require.Len(t, got, len(points))
	for _, p := range points {
		require.Equal(t, p["bandwidth_MBps"], got[[2]string{"pingpong", fmt.Sprint(p["size_bytes"])}], "%v", p)
	}
}

// TestViewsRunMeasurements: tpil and sweep are run from the views, are in the list of runs, and their
// curves have the figures of the reports.
func TestViewsRunMeasurements(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("small.toml", []byte(smallSweep), 0o644))
	a, _, _ := realApp()
	done := map[string]string{}
	for _, line := range []string{"tpil --platform=grim-p4-lanai9 --size=64,1K", "sweep small.toml"} {
		words := strings.Fields(line)
		task, err := shell{a}.Prepare(words)
		require.NoError(t, err)
		dir, _, err := task.Do(t.Context(), nil)
		require.NoError(t, err)
		done[words[0]] = dir
	}
	list, err := shell{a}.Shelf()
	require.NoError(t, err)
	require.Len(t, list, 2)

	s := viewed{t: t}
	injection := s.document(done["tpil"] + "/tpil.json")
	for series, key := range []string{"bandwidth_MBps", "time_us"} {
		got, _ := s.curves(done["tpil"], fmt.Sprint("against=none series=", series))
		points := s.list(injection, "points")
		require.Len(t, got, len(points))
		for _, p := range points {
			require.Equal(t, p[key], got[[2]string{p["mechanism"].(string), fmt.Sprint(p["size_bytes"])}], "%v", p)
		}
	}
	var all object
	require.NoError(t, json.Unmarshal([]byte(s.command("report", done["sweep"], "--format", "json")), &all))
	for series, bytes := range []int{64, 256} {
		got, unit := s.curves(done["sweep"], fmt.Sprint("against=none series=", series))
		require.Equal(t, "ms", unit)
		cells := s.list(all, "combinations", "message_bytes", bytes)
		require.Len(t, got, len(cells))
		for _, c := range cells {
			require.InEpsilon(t, c["run_time_us"].(object)["mean"].(float64)/1000, got[[2]string{c["layer"].(string), fmt.Sprint(c["nodes"])}], 1e-9, "%v", c)
		}
	}
	s.command("view", done["sweep"], "--export", "x.txt")
	picture, err := os.ReadFile("x.txt")
	require.NoError(t, err)
	require.Contains(t, string(picture), "alltoall on ppro: run time over nodes, 64 B")
}
