package rundir

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"

	"github.com/sigview/sigview/check/testlong"
)

func sampleRows() []trace.SignatureRow {
	rows := make([]trace.SignatureRow, 0, 10)
	for i := range 10 {
		r := trace.SignatureRow{
			Group: trace.Group{Tag: 3, Kind: trace.AllKinds},
			Sizes: trace.Sizes{SizeLoBytes: int64(32 * i), SizeHiBytes: int64(32 * (i + 1))},
			Stat: trace.Stat{
				Stage:    trace.Stages()[i%5],
				Measured: trace.Measured{Count: int64(i), P50: trace.Percentile{Ns: trace.Some(int64(1000 * i))}, P90: trace.NoPercentile("few"), P99: trace.NoPercentile("few")},
			},
		}
		if i > 0 {
			r.MeanNs = trace.Some(1000.125 * float64(i))
			r.First = trace.Some(i%2 == 0)
		}
		rows = append(rows, r)
	}
	return rows
}

func encode[R trace.Row](t testing.TB, rows []R) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Encode(&b, rows))
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	rows := sampleRows()
	data := encode(t, rows)
	got, err := Decode[trace.SignatureRow](data)
	require.NoError(t, err)
	require.Equal(t, rows, got)
	require.Equal(t, data, encode(t, rows), "same rows, same bytes")
}

func TestEmptyTable(t *testing.T) {
	got, err := Decode[trace.PairRow](encode[trace.PairRow](t, nil))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestSeveralBatches(t *testing.T) {
	rows := make([]trace.ClockRow, BatchRows+3)
	for i := range rows {
		rows[i] = trace.ClockRow{Estimator: "midpoint", Round: int64(i), RatePPB: trace.Opt[float64]{Value: float64(i), OK: true}}
	}
	got, err := Decode[trace.ClockRow](encode(t, rows))
	require.NoError(t, err)
	require.Equal(t, rows, got)
}

// TestRoundTripAnyHistogram: any rows come back from their Arrow form.
func TestRoundTripAnyHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) trace.HistogramRow {
			lo := rapid.Int64Range(0, 1<<40).Draw(t, "lo")
			r := trace.HistogramRow{
				Group: trace.Group{Tag: trace.Tag(rapid.Uint8().Draw(t, "tag")), Kind: rapid.SampledFrom([]string{"all", "data", "flag"}).Draw(t, "kind")},
				Stage: trace.Stage(rapid.IntRange(0, 3).Draw(t, "stage")), Sizes: trace.Sizes{SizeLoBytes: 32, SizeHiBytes: 64},
				LatencyLoNs: lo, Count: rapid.Int64Min(1).Draw(t, "count"),
			}
			if rapid.Bool().Draw(t, "closed") {
				r.LatencyHiNs = trace.Some(lo + 1000)
			}
			return r
		}), 0, 20).Draw(t, "rows")
		var b bytes.Buffer
		require.NoError(t, Encode(&b, rows))
		got, err := Decode[trace.HistogramRow](b.Bytes())
		require.NoError(t, err)
		require.Len(t, got, len(rows))
		require.Equal(t, rows, append([]trace.HistogramRow{}, got...))
	})
}

// foreign writes an Arrow file with a schema of the test's choice.
func foreign(t *testing.T, meta map[string]string, fields ...arrow.Field) []byte {
	t.Helper()
	m := arrow.MetadataFrom(meta)
	sch := arrow.NewSchema(fields, &m)
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&sink{w: &b}, ipc.WithSchema(sch))
	require.NoError(t, err)
	rb := array.NewRecordBuilder(memory.DefaultAllocator, sch)
	for i := range fields {
		rb.Field(i).AppendNull()
	}
	require.NoError(t, w.Write(rb.NewRecord()))
	require.NoError(t, w.Close())
	return b.Bytes()
}

func compressed(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&sink{w: &b}, ipc.WithSchema(schema[trace.SignatureRow]()), ipc.WithLZ4())
	require.NoError(t, err)
	rb := array.NewRecordBuilder(memory.DefaultAllocator, schema[trace.SignatureRow]())
	require.NoError(t, w.Write(rb.NewRecord()))
	require.NoError(t, w.Close())
	return b.Bytes()
}

// retouched gives the signature's schema with one change.
func retouched(t *testing.T, change func(meta map[string]string, fields []arrow.Field) []arrow.Field) []byte {
	t.Helper()
	sch := schema[trace.SignatureRow]()
	meta := map[string]string{}
	for i, k := range sch.Metadata().Keys() {
		meta[k] = sch.Metadata().Values()[i]
	}
	return foreign(t, meta, change(meta, append([]arrow.Field(nil), sch.Fields()...))...)
}

func TestReadRefuses(t *testing.T) {
	good := encode(t, sampleRows())
	type fs = []arrow.Field
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "empty", nil},
		{"text", "not an Arrow file", []byte("tag,kind\n1,2\n")},
		{"cut in the magic", "truncated", good[:3]},
		{"cut in the middle", "truncated", good[:len(good)/2]},
		{"cut by one byte", "truncated", good[:len(good)-1]},
		{"no body", "damaged", append(append([]byte(nil), good[:8]...), good[len(good)-10:]...)},
		{"foreign Arrow", "not one of sigview's", foreign(t, nil, arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int64, Nullable: true})},
		{"other table", `holds the table "clock"`, encode(t, []trace.ClockRow{{Estimator: "x"}})},
		{"newer", "schema version 2 is newer than 1", retouched(t, func(m map[string]string, f fs) fs { m[keyVersion] = "2"; return f })},
		{"no version", `metadata sigview.schema_version: "" is not a number`, retouched(t, func(m map[string]string, f fs) fs { delete(m, keyVersion); return f })},
		{"column gone", "column count: found 0 times", retouched(t, func(_ map[string]string, f fs) fs { f[6].Name = "n"; return f })},
		{"column twice", "column count: found 2 times", retouched(t, func(_ map[string]string, f fs) fs { f[2].Name = "count"; return f })},
		{"column type", "column count: type float64, wanted int64", retouched(t, func(_ map[string]string, f fs) fs { f[6].Type = arrow.PrimitiveTypes.Float64; return f })},
		{"column unit", `column mean_ns: unit "us", wanted "ns"`, retouched(t, func(_ map[string]string, f fs) fs {
			f[7].Metadata = arrow.NewMetadata([]string{keyUnit}, []string{"us"})
			return f
		})},
		{"column of another sort", `column "count": Arrow type number 10`, retouched(t, func(_ map[string]string, f fs) fs {
			f[6].Type = arrow.FixedWidthTypes.Timestamp_ns
			return f
		})},
		{"nested column", `column "count": Arrow type number 12`, retouched(t, func(_ map[string]string, f fs) fs {
			f[6].Type = arrow.ListOf(arrow.PrimitiveTypes.Int64)
			return f
		})},
		{"compressed", "compressed", compressed(t)},
		{"null", "tag: null, wanted a value", retouched(t, func(_ map[string]string, f fs) fs { return f })},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode[trace.SignatureRow](c.data)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestColumnsOfOtherProgramsVersions: a column more, or a nullable one less,
// is no reason to refuse.
func TestColumnsOfOtherProgramsVersions(t *testing.T) {
	data := retouched(t, func(m map[string]string, f []arrow.Field) []arrow.Field {
		m[keyTable] = "later"
		return append(f, arrow.Field{Name: "new", Type: arrow.BinaryTypes.String, Nullable: true})
	})
	f, err := ipc.NewFileReader(bytes.NewReader(data))
	require.NoError(t, err)
	cols := trace.Columns[trace.SignatureRow]()
	at, err := match(f.Schema(), "later", cols)
	require.NoError(t, err)
	require.Len(t, at, len(cols))
	data = retouched(t, func(_ map[string]string, f []arrow.Field) []arrow.Field { f[7].Name = "gone"; return f })
	f, err = ipc.NewFileReader(bytes.NewReader(data))
	require.NoError(t, err)
	at, err = match(f.Schema(), "signature", cols)
	require.NoError(t, err)
	require.Equal(t, -1, at[7])
}

func TestEveryTruncationIsRefused(t *testing.T) {
	good := encode(t, sampleRows()[:2])
	for n := range good {
		_, err := Decode[trace.SignatureRow](good[:n])
		require.Error(t, err, "%d of %d bytes", n, len(good))
	}
}

func TestMetadata(t *testing.T) {
	f, err := ipc.NewFileReader(bytes.NewReader(encode(t, sampleRows())))
	require.NoError(t, err)
	meta := f.Schema().Metadata()
	stages, _ := meta.GetValue(keyStages)
	for _, s := range trace.Stages() {
		require.Contains(t, stages, s.String()+" = ")
	}
	field, _ := f.Schema().FieldsByName("mean_ns")
	unit, _ := field[0].Metadata.GetValue(keyUnit)
	require.Equal(t, "ns", unit)
}

// spliced returns the bytes of a file with others from some place on; beyond its end, only
// those. So inputs of fuzz targets are short, and most of a file is right.
func spliced(good []byte, at uint16, with []byte) []byte {
	if int(at) >= len(good) {
		return with
	}
	data := bytes.Clone(good)
	copy(data[at:], with)
	return data
}

func FuzzDecode(f *testing.F) {
	good := encode(f, sampleRows()[:3])
	f.Add(uint16(0), []byte(nil))
	f.Add(uint16(len(good)), encode(f, []trace.ClockRow{{Estimator: "x"}})[:1000])
	// Plant changes where the lengths and offsets are.
	for _, at := range []int{len(good) - 10, len(good) - 100, len(good) - 60, len(good) / 2} {
		f.Add(uint16(at), []byte{good[at] ^ 0x7f})
	}
	f.Fuzz(func(t *testing.T, at uint16, with []byte) {
		rows, err := Decode[trace.SignatureRow](spliced(good, at, with))
		if err != nil {
			return
		}
		again, err := Decode[trace.SignatureRow](encode(t, rows))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(rows), fmt.Sprint(again))
	})
}

// TestEveryFlippedByteIsReadOrRefused flips bytes of two tables that together
// have columns of all types.
func TestEveryFlippedByteIsReadOrRefused(t *testing.T) {
	flipBytes[trace.HistogramRow](t, encode(t, []trace.HistogramRow{
		{Group: trace.Group{Kind: "data", First: trace.Some(true)}, Sizes: trace.Sizes{SizeLoBytes: 32, SizeHiBytes: 64}, LatencyHiNs: trace.Some[int64](9), Count: 1},
		{Group: trace.Group{Kind: "all"}, Sizes: trace.Sizes{SizeLoBytes: 32, SizeHiBytes: 64}, Count: 2},
	}))
	flipBytes[trace.ClockRow](t, encode(t, []trace.ClockRow{{Estimator: "x", RatePPB: trace.Some(1.5)}, {Estimator: "y"}}))
	if testlong.On() {
		flipBytes[trace.SignatureRow](t, encode(t, sampleRows()[:2]))
	}
}

func flipBytes[R trace.Row](t *testing.T, good []byte) {
	t.Helper()
	refused := 0
	for i := range good {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			bad := append([]byte(nil), good...)
			bad[i] ^= flip
			if _, err := Decode[R](bad); err != nil {
				refused++
			}
		}
	}
	require.Positive(t, refused)
}
