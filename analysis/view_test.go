package analysis

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

type fruit struct {
	name string
	ns   trace.Opt[float64]
}

func fruits(list ...fruit) View {
	return Tabulate(list,
		Col[fruit]{Column{Name: "name", Key: "name", Left: true, Once: true}, func(f fruit) Cell { return Cell{Text: f.name, Value: f.name} }},
		us("mean", "mean_us", Us, func(f fruit) trace.Opt[float64] { return f.ns }),
		Hidden("hidden", func(f fruit) any { return []string{f.name, "ripe"} }))
}

func texts(v View) (out []string) {
	columns, rows := v.Shown(true)
	line := ""
	for _, c := range columns {
		line += c.Name + "|"
	}
	out = append(out, line)
	for _, r := range rows {
		line = ""
		for _, c := range r {
			line += c.Text + "|"
		}
		out = append(out, line)
	}
	return out
}

func csvOf(t *testing.T, v View) []string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, v.CSV(&b))
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestViewPicksColumns(t *testing.T) {
	v := fruits(fruit{"pear", trace.Some(1500.0)}, fruit{"pear", trace.Opt[float64]{}})
	require.Equal(t, []string{"name|mean|", "pear|1.50|", "|-|"}, texts(v))
	require.Equal(t, []string{"mean|name|", "1.50|pear|", "-|pear|"}, texts(v.Pick("mean_us", "name")), "in full")
	require.Panics(t, func() { v.Pick("colour") })
	require.Equal(t, []string{"name|mean|", "pear|1.50|", "|-|"}, texts(v), "as it was")
}

func TestViewAsCSV(t *testing.T) {
	v := fruits(fruit{"pear", trace.Some(1500.0)}, fruit{"fig, dried", trace.Opt[float64]{}})
	require.Equal(t, []string{"run,name,mean_us,hidden", `a,pear,1.5,pear; ripe`, `a,"fig, dried",,"fig, dried; ripe"`}, csvOf(t, v.Under("run", "a")))
	raw := Raw("a", "b")
	raw.Add(1, nil)
	require.Equal(t, []string{"a,b", "1,"}, csvOf(t, raw))
}

// TestViewBesideAnother: a row stands beside that of the other run that match names, and
// the first of the columns is subtracted where both are known.
func TestViewBesideAnother(t *testing.T) {
	own := fruits(fruit{"pear", trace.Some(1500.0)}, fruit{"fig", trace.Some(10.0)}, fruit{"plum", trace.Opt[float64]{}})
	other := fruits(fruit{"plum", trace.Some(3.0)}, fruit{"pear", trace.Some(500.0)})
	v := own.Beside(other, func(row int) int { return []int{1, -1, 0}[row] }, "mean", "name")
	require.Equal(t, []string{"name|mean|+mean|+name|+diff|", "pear|1.50|0.50|pear|+1.00|", "fig|0.01|-|-|-|", "plum|-|0.00|plum|-|"}, texts(v))
	require.Equal(t, "name,mean_us,hidden,other_mean_us,other_name,difference_us", csvOf(t, v)[0])
	require.Equal(t, "pear,1.5,pear; ripe,0.5,pear,1", csvOf(t, v)[1])
	require.Equal(t, "fig,0.01,fig; ripe,,,", csvOf(t, v)[2])
}

func TestRecordsHaveTheColumnsOfTheirFile(t *testing.T) {
	rows := []trace.ClockRow{{Estimator: "improved", Node: 3, TimeNs: 5, BoundNs: trace.Some(2.5)}}
	require.Equal(t, []string{"estimator,round,node,time_ns,offset_ns,rate_ppb,residual_ns,bound_ns,true_error_ns", "improved,0,3,5,0,,,2.5,"}, csvOf(t, Records(rows)))
	require.Equal(t, []string{"node,bound_ns", "3,2.5"}, csvOf(t, Records(rows, "node", "bound_ns")))
}

func TestLatenciesAsCSV(t *testing.T) {
	bound := trace.Percentile{Ns: trace.Some[int64](2000), LowerBound: true}
	v := LatenciesView([]Packets{{Sizes: trace.Sizes{SizeHiBytes: 32}, Stats: []trace.Stat{{Stage: trace.Net, Measured: trace.Measured{Count: 7, MeanNs: trace.Some(1234.0), P99: bound}}}}})
	lines := csvOf(t, v)
	require.Equal(t, "size_lo_bytes,size_hi_bytes,class,stage,count,mean_us,ci_lo_us,ci_hi_us,baseline_us,deviation_us,level,weak,deviation_ci_lo_us,deviation_ci_hi_us,min_us,p50_us,p90_us,p99_us,max_us", lines[0])
	require.Equal(t, "0,32,,net,7,1.234,,,,,unclear,false,,,,,,>2,", lines[1])
}
