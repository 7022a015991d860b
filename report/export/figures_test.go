package export

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const measuredBandwidth = `{"schema_version": 1, "tool_version": "1.2", "seed": 7, "results": [
 {"platform": "ppro", "platform_digest": "ab", "layer": "gam", "test": "pingpong", "points": [{"size_bytes": 4, "bandwidth_MBps": 0.5, "one_way_us": 8}], "warnings": []},
 {"platform": "ppro", "platform_digest": "ab", "layer": "fm", "test": "stream", "points": [{"size_bytes": 64, "bandwidth_MBps": 1.5, "one_way_us": null}], "warnings": []}]}`

const measuredCost = `{"schema_version": 1, "tool_version": "1.2", "seed": 3, "platform": "shrimp",
 "points": [{"build": "off", "test": "stream", "size_bytes": 4, "one_way_us": null, "bandwidth_MBps": 1, "os_us": 2}],
 "applications": [{"workload": "fft", "build": "full", "run_time_s": 0.5}]}`

// TestFigures exports measurements of layers as text; the notebook tests read Parquet.
func TestFigures(t *testing.T) {
	for _, c := range []struct{ name, document, rows, about string }{
		{"bandwidth", measuredBandwidth, "platform,layer,test,size_bytes,bandwidth_mbps,one_way_ns\nppro,gam,pingpong,4,0.5,8000\nppro,fm,stream,64,1.5,\n",
			"sigview.tool_version=1.2 sigview.platform=ppro sigview.platform_digest=ab sigview.layer=gam,fm sigview.seed=7"},
		{"perturb", measuredCost, "platform,build,trace,test,size_bytes,one_way_ns,os_ns,bandwidth_mbps,run_time_ns,not_recorded\nshrimp,off,,stream,4,,2000,1,,\nshrimp,full,,fft,,,,,5e+08,0\n",
			"sigview.tool_version=1.2 sigview.platform=shrimp sigview.seed=3"},
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, c.name+".json"), []byte(c.document), 0o644))
		files, err := Spec{Dir: dir, To: CSV}.Files(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{c.name + ".csv", "columns.csv", "run.csv"}, fileNames(files))
		var rows, about bytes.Buffer
		require.NoError(t, files[0].Write(&rows))
		require.Equal(t, c.rows, rows.String())
		require.NoError(t, files[2].Write(&about))
		lines, err := csv.NewReader(&about).ReadAll()
		require.NoError(t, err)
		var labels []string
		for _, l := range lines[1:] {
			labels = append(labels, strings.Join(l, "="))
		}
		last := len(labels) - 1
		require.Equal(t, c.about, strings.Join(labels[:last], " "))
		require.Regexp(t, "^sigview.document_digest=[0-9a-f]{64}$", labels[last])

		_, err = Spec{Dir: dir, To: Perfetto}.Files(t.Context())
		require.ErrorContains(t, err, "a directory of sigview "+c.name+"; wanted parquet or csv")
		_, err = Spec{Dir: dir, To: CSV, Tables: []string{"packets"}}.Files(t.Context())
		require.ErrorContains(t, err, `unknown table "packets" (known: `+c.name+")")
	}
	broken := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(broken, "logp.json"), []byte("{"), 0o644))
	_, err := Spec{Dir: broken, To: CSV}.Files(t.Context())
	require.ErrorContains(t, err, "logp.json")
	running := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(running, "runs"), 0o755))
	_, err = Spec{Dir: running, To: CSV}.Files(t.Context())
	require.ErrorContains(t, err, "the runs of the sweep have not all ended")
}
