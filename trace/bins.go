package trace

import (
	"cmp"
	"maps"
	"slices"
)

// FineRow is a bin of the histograms in host memory, whose width the run chooses. Rows are
// by program, kind and size, over all nodes.
type FineRow struct{ HistogramRow }

// TableName implements Row.
func (FineRow) TableName() string { return "fine_histograms" }

// sizeStep is the width of size bins in bytes, as in the interface.
const sizeStep = 32

// Bins counts latencies of packets in bins of one width in host memory, from the records
// that the interfaces drain there.
type Bins struct {
	widthNs int64
	counts  map[bin]int64
}

type bin struct {
	tag   Tag
	kind  Kind
	stage Stage
	size  int32 // bin of sizes, from 1
	at    int64 // bin of latencies
}

// NewBins returns empty bins of this width in ns.
func NewBins(widthNs int64) *Bins { return &Bins{widthNs, map[bin]int64{}} }

// Add bins the two latencies that each half knows.
func (b *Bins) Add(halves []Half) {
	for i := range halves {
		h := &halves[i]
		if h.Sent {
			b.count(h, Source, h.At[1]-h.At[0])
			b.count(h, LANai, h.At[3]-h.At[1])
		} else {
			b.count(h, Net, h.At[1]-h.At[0])
			b.count(h, Dest, h.At[2]-h.At[1])
		}
	}
}

func (b *Bins) count(h *Half, stage Stage, ns int64) {
	at := ns / b.widthNs
	if ns < at*b.widthNs { // towards minus infinity
		at--
	}
	b.counts[bin{h.Tag, h.Kind, stage, max((h.Bytes+sizeStep-1)/sizeStep, 1), at}]++
}

// Rows returns the bins that are not empty.
func (b *Bins) Rows() []FineRow {
	rows := []FineRow{}
	for _, k := range slices.SortedFunc(maps.Keys(b.counts), func(x, y bin) int {
		return cmp.Or(cmp.Compare(x.tag, y.tag), cmp.Compare(x.kind, y.kind), cmp.Compare(x.size, y.size), cmp.Compare(x.stage, y.stage), cmp.Compare(x.at, y.at))
	}) {
		rows = append(rows, FineRow{HistogramRow{
			Group: Group{Tag: k.tag, Kind: k.kind.String()},
			Sizes: Sizes{SizeLoBytes: int64(k.size-1) * sizeStep, SizeHiBytes: int64(k.size) * sizeStep},
			Stage: k.stage, LatencyLoNs: k.at * b.widthNs, LatencyHiNs: Some((k.at + 1) * b.widthNs), Count: b.counts[k],
		}})
	}
	return rows
}
