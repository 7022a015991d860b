package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
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

// TestViewsRunMeasurements: tpil and sweep are run from the views, are in the list of runs, and their
// curves have the figures of the reports.
func TestViewsRunMeasurements(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("small.toml", []byte(smallSweep), 0o644))
	a, _, _ := realApp()
	done := map[string]string{}
	for _, line := range []string{"tpil --platform=grim-p4-lanai9 --size=64,1K", "sweep small.toml"} {
		words := strings.Fields(line)
		task, err := a.prepare(words)
		require.NoError(t, err)
		dir, _, err := task.Do(t.Context(), nil)
		require.NoError(t, err)
		done[words[0]] = dir
	}
	list, err := a.shelf()
	require.NoError(t, err)
	require.Len(t, list, 2)

	s := viewed{t: t}
	curves := func(command, selection string) (out map[[2]string]float64, unit string) {
		s.command("view", done[command], "--select", selection, "--export", "x.csv")
		file, err := os.Open("x.csv")
		require.NoError(t, err)
		defer file.Close()
		lines, err := csv.NewReader(file).ReadAll()
		require.NoError(t, err)
		out = map[[2]string]float64{}
		for _, l := range lines[1:] {
			v, err := strconv.ParseFloat(l[6], 64)
			require.NoError(t, err)
			name, _, _ := strings.Cut(l[4], ",")
			out[[2]string{name, l[5]}], unit = v, l[9]
		}
		return out, unit
	}
	var injection object
	text, err := os.ReadFile(done["tpil"] + "/tpil.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &injection))
	for series, key := range []string{"bandwidth_MBps", "time_us"} {
		got, _ := curves("tpil", fmt.Sprint("against=none series=", series))
		points := s.list(injection, "points")
		require.Len(t, got, len(points))
		for _, p := range points {
			require.Equal(t, p[key], got[[2]string{p["mechanism"].(string), fmt.Sprint(p["size_bytes"])}], "%v", p)
		}
	}
	var all object
	require.NoError(t, json.Unmarshal([]byte(s.command("report", done["sweep"], "--format", "json")), &all))
	for series, bytes := range []int{64, 256} {
		got, unit := curves("sweep", fmt.Sprint("against=none series=", series))
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
