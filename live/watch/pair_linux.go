package watch

import (
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"

	"github.com/sigview/sigview/live"
)

// pairingOf is the side that joins. What is followed within a budget is all joined.
func pairingOf(spec Spec) *pairing {
	_, addresses, boot := spec.Other.Host()
	return &pairing{every: spec.Joins(), addresses: addresses, apart: spec.Other.Apart(), here: boot != "" && boot == live.Boot()}
}

// set enters it into the programs' constants.
func (p *pairing) set(program *ebpf.CollectionSpec) error {
	if p == nil {
		program.Maps["halves"].MaxEntries = uint32(os.Getpagesize())
		return nil
	}
	joins, only := uint32(1), uint32(0)
	if p.serves {
		joins = 2
	}
	if p.here {
		var err error
		if only, err = namespace(); err != nil {
			return err
		}
	}
	for name, value := range map[string]any{
		"joins": joins, "every": uint32(p.every), "only": only, "apart": [2]uint32{uint32(p.apart[0]), uint32(p.apart[1])},
	} {
		if err := program.Variables[name].Set(value); err != nil {
			return err
		}
	}
	return nil
}

// namespace returns the inode of the network namespace of this process.
func namespace() (uint32, error) {
	info, err := os.Stat("/proc/self/ns/net")
	if err != nil {
		return 0, err
	}
	return uint32(info.Sys().(*syscall.Stat_t).Ino), nil
}

// pair enters the addresses of the other host that this one does not have too.
func (k *kernel) pair(p *pairing) (err error) {
	if p == nil {
		return nil
	}
	k.serves = p.serves
	own := live.Addresses()
	for _, a := range p.addresses {
		if slices.Contains(own, a) {
			continue
		}
		if err := k.Maps["peers"].Put(a.As16(), uint8(1)); err != nil {
			return err
		}
	}
	k.halves, err = ringbuf.NewReader(k.Maps["halves"])
	return err
}

// join takes the halves of both hosts.
func (k *kernel) join(r *result) error {
	if k.joining == nil {
		return nil
	}
	err := drained(k.halves, func(record []byte) error {
		k.joining.here(halfOf(record))
		return nil
	})
	k.joining.take(r)
	if err == nil && k.joining.other.Failed() != nil {
		err = k.Variables["alone"].Set(uint32(1))
	}
	return err
}

// endJoined takes what both hosts have counted, at the end of a watch.
func (k *kernel) endJoined(r *result) error {
	k.tell = k.joining.here
	c, histograms := new(counts), map[sort]*histogram{}
	if err := k.rest(c, histograms); err != nil {
		return err
	}
	k.joining.end(r, true)
	if err := k.soFar(r); err != nil {
		return err
	}
	r.counts.pending += c.pending
	for i, n := range c.of {
		r.counts.of[i] += n
	}
	for s, h := range histograms {
		if r.histograms[s] == nil {
			r.histograms[s] = new(histogram)
		}
		r.histograms[s].add(h)
	}
	return nil
}

// tellRest tells of a message that was not acknowledged at the end.
func (k *kernel) tellRest(id uint64, f *flow, m *message, c *counts) {
	c.of[over]++
	if k.tell == nil {
		return
	}
	k.tell(Half{
		Flow: id, End: m.End, Bytes: m.Bytes, Kind: HalfSent, Program: f.Program, Why: m.Why, ToServer: f.Key.toServer(),
		At: [3]int64{int64(m.At[0]), int64(m.At[1]), int64(m.At[2])}, Served: int64(m.Served),
	})
}

// readRealtime reads the system's clock between two readings of the monotonic one, several times.
func readRealtime() (best realtime) {
	for i := range 20 {
		before := monotonic()
		now := time.Now().UnixNano()
		after := monotonic()
		if r := (realtime{now - (before+after)/2, (after-before)/2 + 1}); i == 0 || r.unsure < best.unsure {
			best = r
		}
	}
	return best
}
