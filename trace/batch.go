package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// BatchRow is one record batch of the table of packets: what it holds, and its bytes in the
// file. The bytes of all batches together are the whole file.
type BatchRow struct {
	Batch  int64  `col:"batch" range:"0.." doc:"number of the record batch in packets.arrow, from 0"`
	Rows   int64  `col:"rows" range:"0.." doc:"packets"`
	FromNs int64  `col:"from_ns" unit:"ns" doc:"the earliest instant of its packets"`
	ToNs   int64  `col:"to_ns" unit:"ns" doc:"the latest instant of its packets"`
	Nodes  string `col:"nodes" doc:"the nodes that its packets were sent from or to, as 0-3,8"`
	End    int64  `col:"end_bytes" range:"1.." unit:"B" doc:"where in the file its bytes end; the last batch takes the rest of the file"`
	SHA256 string `col:"sha256" doc:"of its bytes"`
}

// TableName implements Row.
func (BatchRow) TableName() string { return "packet_batches" }

// Conditions implements the interface of that name.
func (r BatchRow) Conditions() error {
	if r.ToNs < r.FromNs {
		return fmt.Errorf("to_ns: %d, wanted from_ns, %d, or more", r.ToNs, r.FromNs)
	}
	_, err := r.Has(nil)
	return err
}

// NodesText writes a set of nodes as a BatchRow has it.
func NodesText(nodes []int64) string {
	slices.Sort(nodes)
	var parts []string
	for i := 0; i < len(nodes); {
		last := i
		for last+1 < len(nodes) && nodes[last+1] <= nodes[last]+1 {
			last++
		}
		part := strconv.FormatInt(nodes[i], 10)
		if nodes[last] > nodes[i] {
			part += "-" + strconv.FormatInt(nodes[last], 10)
		}
		parts = append(parts, part)
		i = last + 1
	}
	return strings.Join(parts, ",")
}

// Has reports whether the batch has packets from or to one of the nodes.
func (r BatchRow) Has(nodes []int64) (found bool, err error) {
	if r.Nodes == "" {
		return false, nil
	}
	for part := range strings.SplitSeq(r.Nodes, ",") {
		from, to, both := strings.Cut(part, "-")
		if !both {
			to = from
		}
		lo, err1 := strconv.ParseInt(from, 10, 64)
		hi, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil || lo < 0 || hi < lo {
			return false, fmt.Errorf("nodes: %.40q, wanted nodes or FROM-TO, separated by commas", r.Nodes)
		}
		found = found || slices.ContainsFunc(nodes, func(n int64) bool { return lo <= n && n <= hi })
	}
	return found, nil
}

// Extent returns the packet's first and last instants that are known.
func (r *PacketRow) Extent() (from, to int64) {
	from, to = r.T3Ns.Value, r.T3Ns.Value
	for _, t := range []Opt[int64]{r.T1Ns, r.T2Ns, r.T4Ns, r.T5Ns, r.T6Ns} {
		if t.OK {
			from, to = min(from, t.Value), max(to, t.Value)
		}
	}
	return from, to
}
