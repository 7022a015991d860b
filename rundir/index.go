package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/sigview/sigview/trace"
)

// writePackets writes the table of packets and the index of its batches.
func writePackets(w *writer, rows iter.Seq[trace.PacketRow]) {
	x := indexer{sum: sha256.New()}
	var n int64
	w.file(fileOf[trace.PacketRow](), func(out io.Writer) (err error) {
		n, err = encodeSeq(io.MultiWriter(out, &x), x.seen(rows), x.next)
		return err
	})
	if w.err == nil {
		w.files[len(w.files)-1].Rows = &n
		x.close()
		table(w, x.rows)
	}
}

// indexer makes the index while the table is written.
type indexer struct {
	rows  []trace.BatchRow
	batch trace.BatchRow // that is being filled
	nodes map[int64]bool
	begun bool           // the batch's bytes are being written
	done  trace.BatchRow // that is being written
	bytes int64
	sum   hash.Hash
}

// Write takes bytes of the file.
func (x *indexer) Write(p []byte) (int, error) {
	x.bytes += int64(len(p))
	return x.sum.Write(p)
}

// seen passes rows on and notes what the batch holds.
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
			if !yield(r) {
				return
			}
		}
	}
}

// next ends the bytes of the batch before: those of the filled one follow.
func (x *indexer) next() {
	x.close()
	x.begun, x.done = true, x.batch
	x.done.Nodes = trace.NodesText(slices.Collect(maps.Keys(x.nodes)))
	x.batch = trace.BatchRow{Batch: x.batch.Batch + 1}
}

func (x *indexer) close() {
	if x.begun {
		x.done.End, x.done.SHA256 = x.bytes, hex.EncodeToString(x.sum.Sum(nil))
		x.rows = append(x.rows, x.done)
		x.sum.Reset()
	}
}

// Section is a part of a trace: packets with an instant from FromNs to ToNs, sent from or to
// one of the nodes; nil is all nodes.
type Section struct {
	FromNs, ToNs int64
	Nodes        []int64
}

func (s Section) has(r *trace.PacketRow) bool {
	from, to := r.Extent()
	return from <= s.ToNs && to >= s.FromNs && (s.Nodes == nil || slices.Contains(s.Nodes, r.Sender) || slices.Contains(s.Nodes, r.Receiver))
}

// touches reports whether a batch can hold packets of the part.
func (s Section) touches(b trace.BatchRow) bool {
	found, _ := b.Has(s.Nodes) // the row was checked when it was read
	return b.FromNs <= s.ToNs && b.ToNs >= s.FromNs && (s.Nodes == nil || found)
}

// ScanSection is Scan for the packets of a section. It reads and checks only the batches that
// hold some, and the last one, whose bytes include the file's footer.
func ScanSection(dir string, in Section, take func(rows []trace.PacketRow) error) error {
	only := func(rows []trace.PacketRow) error {
		rows = slices.DeleteFunc(rows, func(r trace.PacketRow) bool { return !in.has(&r) })
		if len(rows) == 0 {
			return nil
		}
		return take(rows)
	}
	m, err := readManifest(dir)
	if err == nil {
		r := &reader{dir: dir, files: m.Files}
		index := optionalRows[trace.BatchRow](r)
		name := fileOf[trace.PacketRow]()
		at := slices.IndexFunc(m.Files, func(f trace.File) bool { return f.Name == name })
		switch {
		case r.err != nil:
			err = r.err
		case at < 0 || index == nil: // no packets, or without an index
			return Scan(dir, only)
		default:
			err = wanted[trace.PacketRow](name, scanBatches(filepath.Join(dir, name), m.Files[at], index, in, only))
		}
	}
	if err != nil {
		return fmt.Errorf("run directory %s: %w", dir, err)
	}
	return nil
}

var errOtherIndex = errors.New("changed since its index was written")

func scanBatches(path string, f trace.File, index []trace.BatchRow, in Section, take func([]trace.PacketRow) error) (err error) {
	data, forget, release, err := mapped(path)
	if err != nil {
		return cause(err)
	}
	defer release()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer damaged(&err)
	if err := frame(data); err != nil {
		return err
	}
	if n := len(index); n == 0 || int64(len(data)) != f.Bytes || index[n-1].End != f.Bytes {
		return errOtherIndex
	}
	var from int64
	wanted := make([]bool, len(index))
	for i, b := range index {
		wanted[i] = in.touches(b)
		if wanted[i] || i == len(index)-1 {
			if sum := sha256.Sum256(data[from:b.End]); hex.EncodeToString(sum[:]) != b.SHA256 {
				return fmt.Errorf("batch %d: %w", i, errOtherIndex)
			}
		}
		from = b.End
	}
	var rows []trace.PacketRow
	return someBatches[trace.PacketRow](data, func(i int) bool { return i < len(wanted) && wanted[i] }, func(rec arrow.Record, cols []trace.Column, at []int) error {
		if rows, err = decoded(rows, rec, cols, at); err != nil {
			return err
		}
		defer forget()
		return take(rows)
	})
}
