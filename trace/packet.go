package trace

import "fmt"

// PacketRow is one packet that carries a host request. Instants are global
// time since recording began, on the coordinator's clock. Those of the
// sender are null when its record was lost. Those of the receiver are null when its
// record was lost or the packet did not arrive at the first attempt. Packets that were stamped
// on the wire only have T3 and T5 alone.
type PacketRow struct {
	Tag       Tag        `col:"tag" doc:"the program that sent the packet"`
	Kind      string     `col:"kind" doc:"packet kind"`
	Span      int64      `col:"span" doc:"operation that the packet belongs to, within its program; 0: none"`
	Sender    int64      `col:"sender" range:"0.." doc:"node that sent"`
	Receiver  int64      `col:"receiver" range:"0.." doc:"node that received"`
	Number    int64      `col:"number" doc:"number that the sender's monitor gave the packet"`
	SizeBytes int64      `col:"size_bytes" range:"0.." unit:"B" doc:"payload"`
	First     bool       `col:"first" doc:"first packet of its message"`
	Inline    Opt[bool]  `col:"inline" doc:"its data came with the request, without a host DMA"`
	T1Ns      Opt[int64] `col:"t1_ns" unit:"ns" doc:"the request is first seen by the sender's interface"`
	TakenNs   Opt[int64] `col:"taken_ns" unit:"ns" doc:"the sender's interface takes the request up, or goes on to this packet of it"`
	T2Ns      Opt[int64] `col:"t2_ns" unit:"ns" doc:"the data is in the sender's interface memory"`
	T3Ns      Opt[int64] `col:"t3_ns" unit:"ns" doc:"the injection starts"`
	T4Ns      Opt[int64] `col:"t4_ns" unit:"ns" doc:"the injection has ended"`
	T5Ns      Opt[int64] `col:"t5_ns" unit:"ns" doc:"the packet is in the receiver's interface memory"`
	T6Ns      Opt[int64] `col:"t6_ns" unit:"ns" doc:"the data is in the receiver's host memory"`
	SourceNs  Opt[int64] `col:"source_ns" unit:"ns" doc:"t2-t1"`
	LANaiNs   Opt[int64] `col:"lanai_ns" unit:"ns" doc:"t4-t2"`
	NetNs     Opt[int64] `col:"net_ns" unit:"ns" doc:"t5-t3"`
	DestNs    Opt[int64] `col:"dest_ns" unit:"ns" doc:"t6-t5"`
	BoundNs   Opt[int64] `col:"bound_ns" range:"0.." unit:"ns" doc:"bound of the error of net_ns by the two clocks"`
}

// TableName implements Row.
func (PacketRow) TableName() string { return "packets" }

// Conditions implements the interface of that name.
func (r *PacketRow) Conditions() error {
	k, err := ParseKind(r.Kind)
	switch {
	case err != nil:
		return err
	case !k.CarriesRequest():
		return fmt.Errorf("kind: %q carries no host request, wanted one that does", r.Kind)
	case r.Sender == r.Receiver:
		return fmt.Errorf("sender, receiver: %d, %d, wanted two different nodes", r.Sender, r.Receiver)
	case !r.T3Ns.OK:
		return fmt.Errorf("t3_ns: null, wanted a time: both records of a packet have it")
	case r.T1Ns.OK != r.T2Ns.OK || r.T1Ns.OK != r.T4Ns.OK:
		return fmt.Errorf("t1_ns, t2_ns, t4_ns: some null, wanted those of one node all or none")
	case r.T6Ns.OK && !r.T5Ns.OK || r.T5Ns.OK && !r.T6Ns.OK && r.T1Ns.OK:
		return fmt.Errorf("t5_ns, t6_ns: one null, wanted both or none, or t3_ns and t5_ns alone")
	}
	for _, l := range []struct {
		name         string
		got          Opt[int64]
		begin, after Opt[int64]
	}{
		{"source_ns", r.SourceNs, r.T1Ns, r.T2Ns}, {"lanai_ns", r.LANaiNs, r.T2Ns, r.T4Ns},
		{"net_ns", r.NetNs, r.T3Ns, r.T5Ns}, {"dest_ns", r.DestNs, r.T5Ns, r.T6Ns},
	} {
		if want := between(l.begin, l.after); l.got != want {
			return fmt.Errorf("%s: %v, wanted the difference of its instants, %v", l.name, l.got, want)
		}
	}
	return nil
}

func between(from, to Opt[int64]) Opt[int64] {
	if !from.OK || !to.OK {
		return Opt[int64]{}
	}
	return Some(to.Value - from.Value)
}

// settle fills in the four latencies.
func (r *PacketRow) settle() {
	r.SourceNs, r.LANaiNs = between(r.T1Ns, r.T2Ns), between(r.T2Ns, r.T4Ns)
	r.NetNs, r.DestNs = between(r.T3Ns, r.T5Ns), between(r.T5Ns, r.T6Ns)
}
