package rundir

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestSlotOfAnOddTable: the library takes a slot for there when its first byte
// is, so verify has to look at the same slots.
func TestSlotOfAnOddTable(t *testing.T) {
	b := []byte{
		8, 0, 0, 0, // root: the table at 8
		0, 0, 0, 0,
		0xf8, 0xff, 0xff, 0xff, // table: its list of slots is at 16
		0x2a, 0, 0, 0,
		5, 0, // size of the list, one byte short of a slot
		0, 0, 4, 0,
	}
	f := flat{b: b, left: 100}
	require.Equal(t, 12, f.root().slot(0))
	require.Equal(t, byte(0x2a), f.root().byte(0))
	b[16] = 4
	require.Zero(t, f.root().slot(0))
	require.Zero(t, f.root().byte(0))
}

// TestVerifyBoundsWork: a vector whose length is out of proportion is refused
// before anything is asked for by it.
func TestVerifyBoundsWork(t *testing.T) {
	data := encode(t, sampleRows()[:1])
	end := len(data) - trailerBytes
	f := flat{b: data[end-int(data[end])-int(data[end+1])<<8 : end], left: 1 << 20}
	_, at := func() (int, int) { s, _ := f.root().table(footerSchema); return s.vector(schemaFields, 4) }()
	bad := append([]byte(nil), data...)
	place := end - len(f.b) + at - 4
	require.Equal(t, byte(len(trace.Columns[trace.SignatureRow]())), bad[place])
	bad[place+3] = 0x7f
	_, err := Decode[trace.SignatureRow](bad)
	require.ErrorContains(t, err, "a length is out of proportion")
}

// TestBatchesMayNotOverlap: a footer that names one batch many times would
// make a short file many rows.
func TestBatchesMayNotOverlap(t *testing.T) {
	rows := make([]trace.ClockRow, BatchRows+1)
	for i := range rows {
		rows[i].Estimator = "x"
	}
	data := encode(t, rows)
	end := len(data) - trailerBytes
	f := flat{b: data[end-int(data[end])-int(data[end+1])<<8 : end], left: 1 << 20}
	n, at := f.root().vector(footerBatches, blockBytes)
	require.Equal(t, 2, n)
	copy(f.b[at+blockBytes:], f.b[at:at+blockBytes])
	_, err := Decode[trace.ClockRow](data)
	require.ErrorContains(t, err, "damaged: batches overlap")
}

// TestBatchesLieInTheFile: batches that begin or end outside the file are refused before anything
// is asked for by their lengths.
func TestBatchesLieInTheFile(t *testing.T) {
	for place, name := range map[int]string{0: "offset", 8: "metadata", 16: "body"} {
		data := encode(t, sampleRows()[:1])
		end := len(data) - trailerBytes
		f := flat{b: data[end-int(data[end])-int(data[end+1])<<8 : end], left: 1 << 20}
		_, at := f.root().vector(footerBatches, blockBytes)
		f.b[at+place+3] = 0x40
		_, err := Decode[trace.SignatureRow](data)
		require.ErrorContains(t, err, "damaged: batch 0 lies outside the file", name)
	}
}

// TestColumnsHaveNoChildren: the library follows the children of a number's column too, which a
// damaged file can make endless.
func TestColumnsHaveNoChildren(t *testing.T) {
	data := encode(t, sampleRows()[:1])
	end := len(data) - trailerBytes
	f := flat{b: data[end-int(data[end])-int(data[end+1])<<8 : end], left: 1 << 20}
	schema, _ := f.root().table(footerSchema)
	_, at := schema.vector(schemaFields, 4)
	n, children := f.follow(at).vector(fieldChildren, 4)
	require.Zero(t, n)
	f.b[children-4] = 1
	_, err := Decode[trace.SignatureRow](data)
	require.ErrorContains(t, err, "nested, which no column of sigview's is")
}
