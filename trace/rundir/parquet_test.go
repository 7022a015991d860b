package rundir

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

func encodeParquet[R trace.Row](t require.TestingT, rows []R, labels ...trace.Label) []byte {
	var b bytes.Buffer
	p, err := NewParquet[R](&b, labels...)
	require.NoError(t, err)
	require.NoError(t, p.Write(rows))
	require.NoError(t, p.Close())
	return b.Bytes()
}

// decodeParquet reads cells by column names.
func decodeParquet(t require.TestingT, data []byte) (names []string, rows []map[string]parquet.Value) {
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, c := range f.Schema().Columns() {
		names = append(names, c[0])
	}
	r := parquet.NewReader(f)
	buf := make([]parquet.Row, 100)
	for {
		n, err := r.ReadRows(buf)
		for _, row := range buf[:n] {
			cells := map[string]parquet.Value{}
			for _, v := range row {
				cells[names[v.Column()]] = v.Clone()
			}
			rows = append(rows, cells)
		}
		if err == io.EOF {
			return names, rows
		}
		require.NoError(t, err)
	}
}

// TestParquetHasTheRows: any rows come back from their Parquet form, in the order of columns.
func TestParquetHasTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) trace.ClockRow {
			r := trace.ClockRow{
				Estimator: rapid.SampledFrom([]string{"midpoint", "", "größer"}).Draw(t, "estimator"), Round: rapid.Int64Min(0).Draw(t, "round"),
				Node: int64(rapid.IntRange(0, 9).Draw(t, "node")), TimeNs: rapid.Int64().Draw(t, "time"),
			}
			if rapid.Bool().Draw(t, "rated") {
				r.RatePPB = trace.Some(rapid.Float64().Draw(t, "rate"))
			}
			return r
		}), 0, 700).Draw(t, "rows")
		for i := range rows {
			if rows[i].Estimator == "" {
				rows[i].Estimator = "none"
			}
		}
		names, got := decodeParquet(t, encodeParquet(t, rows))
		var want []string
		for _, c := range trace.Columns[trace.ClockRow]() {
			want = append(want, c.Name)
		}
		require.Equal(t, want, names)
		require.Len(t, got, len(rows))
		for i, r := range rows {
			require.Equal(t, r.Estimator, string(got[i]["estimator"].ByteArray()))
			require.Equal(t, r.Round, got[i]["round"].Int64())
			require.Equal(t, r.TimeNs, got[i]["time_ns"].Int64())
			require.Equal(t, !r.RatePPB.OK, got[i]["rate_ppb"].IsNull())
			if r.RatePPB.OK {
				require.Equal(t, r.RatePPB.Value, got[i]["rate_ppb"].Double())
			}
		}
	})
}

func TestParquetInGroupsOfRows(t *testing.T) {
	rows := make([]trace.ClockRow, groupRows+3)
	for i := range rows {
		rows[i] = trace.ClockRow{Estimator: "midpoint", Round: int64(i)}
	}
	data := encodeParquet(t, rows)
	require.Equal(t, data, encodeParquet(t, rows), "same rows, same bytes")
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, f.RowGroups(), 2)
	require.EqualValues(t, len(rows), f.NumRows())
}

func TestParquetOfAnEmptyTable(t *testing.T) {
	names, rows := decodeParquet(t, encodeParquet[trace.PairRow](t, nil))
	require.NotEmpty(t, names)
	require.Empty(t, rows)
}

func TestParquetRefusesAnInvalidRow(t *testing.T) {
	p, err := NewParquet[trace.SpanRow](io.Discard)
	require.NoError(t, err)
	good := trace.SpanRow{Operation: "page_fetch", Span: 1}
	require.NoError(t, p.Write(slices.Repeat([]trace.SpanRow{good}, 300)))
	require.ErrorContains(t, p.Write([]trace.SpanRow{good, {}}), "spans: row 302: operation: empty")
}

func TestParquetCarriesLabels(t *testing.T) {
	m := trace.Manifest{
		ToolVersion: "v1", Workload: "fft+radix", Platform: trace.Platform{Name: "shrimp", Digest: "d"}, Nodes: 4, Seed: 9,
		Tags: []trace.Program{{Tag: 1, Name: "radix"}, {Tag: 0, Name: "fft"}}, Spec: []byte(`{ "seed": 9 }`),
	}
	data := encodeParquet(t, sampleRows(), m.Labels()...)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, l := range append(m.Labels(), trace.Label{Key: keyTable, Value: "signature"}) {
		got, ok := f.Lookup(l.Key)
		require.True(t, ok, l.Key)
		require.Equal(t, l.Value, got)
	}
	tags, _ := f.Lookup("sigview.tags")
	require.JSONEq(t, `{"0": "fft", "1": "radix"}`, tags)
	m.Spec = []byte(`{"seed":9}`)
	require.Equal(t, m.Labels()[6], trace.Label{Key: "sigview.specification_digest", Value: m.SpecDigest()}, "white space does not count")
	digest, _ := f.Lookup("sigview.specification_digest")
	require.Equal(t, m.SpecDigest(), digest)
}
