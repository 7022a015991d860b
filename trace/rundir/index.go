package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/sigview/sigview/trace"
)

// indexer makes the index of a table of packets while the table is written: a row for each batch, with the
// instants and the nodes of its packets, and with where its bytes end and their SHA-256.
//
// The bytes of a batch begin where those of the batch before end. So those of the first one include the file's
// header, and those of the last one its footer.
type indexer struct {
	rows  []trace.BatchRow
	batch trace.BatchRow // that is being filled
	nodes map[int64]bool
	begun bool           // the batch's bytes are being written
	done  trace.BatchRow // that is being written
	// Of the file, written so far; sum is over those of the batch.
	bytes int64
	sum   hash.Hash

	windows *trace.Windows
}

// Write implements io.Writer. It counts and sums the bytes of the file, and keeps none.
func (x *indexer) Write(p []byte) (int, error) {
	x.bytes += int64(len(p))
	return x.sum.Write(p)
}

// seen returns rows as they are, and notes of each its instants and its nodes in the batch that is being
// filled.
func (x *indexer) seen(rows iter.Seq[trace.PacketRow]) iter.Seq[trace.PacketRow] {
	return func(yield func(trace.PacketRow) bool) {
		for r := range rows {
			from, to := r.Extent()
			b := &x.batch
			if b.Rows == 0 {
				b.FromNs, b.ToNs, x.nodes = from, to, map[int64]bool{}
			}
			b.Rows++
			b.FromNs, b.ToNs = min(b.FromNs, from), max(b.ToNs, to)
			x.nodes[r.Sender], x.nodes[r.Receiver] = true, true
			x.windows.Add(&r)
			if !yield(r) {
				return
			}
		}
	}
}

// next is called when a batch is filled and its bytes are about to be written. It ends the bytes of the batch
// before.
func (x *indexer) next() {
	x.close()
	x.begun, x.done = true, x.batch
	x.done.Nodes = trace.NodesText(slices.Collect(maps.Keys(x.nodes)))
	x.batch = trace.BatchRow{Batch: x.batch.Batch + 1}
}

// close ends the bytes of the batch that is being written, and adds its row to the index.
func (x *indexer) close() {
	if x.begun {
		x.done.End, x.done.SHA256 = x.bytes, hex.EncodeToString(x.sum.Sum(nil))
		x.rows = append(x.rows, x.done)
		x.sum.Reset()
	}
}

// Section selects packets: those with an instant from FromNs to ToNs, both included, that are sent from or to
// one of Nodes. Nodes nil selects all nodes.
type Section struct {
	FromNs, ToNs int64
	Nodes        []int64
}

// WholeTrace is the section that has all packets.
var WholeTrace = Section{FromNs: math.MinInt64, ToNs: math.MaxInt64}

// has reports whether a packet is in the section.
func (s Section) has(r *trace.PacketRow) bool {
	from, to := r.Extent()
	return from <= s.ToNs && to >= s.FromNs && (s.Nodes == nil || slices.Contains(s.Nodes, r.Sender) || slices.Contains(s.Nodes, r.Receiver))
}

// Touches reports whether a batch can hold packets of the section, by the instants and the nodes that the index
// has of it.
func (s Section) Touches(b trace.BatchRow) bool {
	found, _ := b.Has(s.Nodes) // the row was checked when it was read
	return b.FromNs <= s.ToNs && b.ToNs >= s.FromNs && (s.Nodes == nil || found)
}

// ReadIndex returns the index of the packets of a run, a row for each batch. It is nil for a run without
// packets, or of a version without indices. An error names the directory and the file that is damaged or
// missing.
func ReadIndex(dir string) ([]trace.BatchRow, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	index, err := indexOf(dir, m.Files, fileOf[trace.PacketRow]())
	if err != nil {
		return nil, fmt.Errorf("run directory %s: %w", dir, err)
	}
	return index, nil
}

// indexOf returns the index of a table's file. Only the table of packets has one; for others it is nil.
func indexOf(dir string, files []trace.File, name string) ([]trace.BatchRow, error) {
	if name != fileOf[trace.PacketRow]() {
		return nil, nil
	}
	r := &reader{dir: dir, files: files}
	return optionalRows[trace.BatchRow](r), r.err
}

// errChanged is the error of bytes that are not those that were written.
var errChanged = errors.New("changed since the manifest was written: its SHA-256 differs")

// scanBatches calls take with the rows of the wanted batches of a file with an index, in order. Each batch is
// checked against the index when it is read. The last one is always checked, because the footer is in it. It
// returns an error if the file has another length than its index says, if a batch has changed, or if take
// fails.
func scanBatches[R trace.Row](path string, f trace.File, index []trace.BatchRow, wanted func(trace.BatchRow) bool, take func([]R) error) error {
	return mapping(path, func(data []byte, forget func()) error {
		last := len(index) - 1
		if last < 0 || int64(len(data)) != f.Bytes || index[last].End != f.Bytes {
			return fmt.Errorf("%d bytes; wanted the file of %d bytes that its index was written with", len(data), f.Bytes)
		}
		if err := checkBatch(data, index, last); err != nil {
			return err
		}
		some := func(i int) (bool, error) {
			if i > last || !wanted(index[i]) {
				return false, nil
			}
			return true, checkBatch(data, index, i)
		}
		var rows []R
		return someBatches[R](data, some, func(rec arrow.Record, cols []trace.Column, at []int) (err error) {
			if rows, err = decoded(rows, rec, cols, at); err != nil {
				return err
			}
			defer forget()
			return take(rows)
		})
	})
}

// checkBatch returns an error unless the bytes of batch i have the SHA-256 of the index.
func checkBatch(data []byte, index []trace.BatchRow, i int) error {
	from := int64(0)
	if i > 0 {
		from = index[i-1].End
	}
	if sum := sha256.Sum256(data[from:index[i].End]); hex.EncodeToString(sum[:]) != index[i].SHA256 {
		return fmt.Errorf("batch %d: %w", i, errChanged)
	}
	return nil
}
