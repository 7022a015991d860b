package modern

import (
	"fmt"

	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/papers/judge"
)

// Changes of overlays.toml that rows name.
const (
	longRead    = "a read over PCIe takes 1.5 µs"
	longerRead  = "a read over PCIe takes 4 µs"
	fetched     = "entries are fetched"
	fetchedLong = "entries are fetched, and a read over PCIe takes 1.5 µs"
	oneByOne    = "the window is 1"
	allContexts = "the card has all contexts"
	smallTLP    = "packets of PCIe have 128 B"
	fewContexts = "the card has 32 contexts, and reads 16 at a time"
)

// latency adds the row of a latency in µs. The note says what it is with changes.
func (r *rows) latency(id, on string, op perftest.Operation, bytes int64, changes ...string) {
	r.Of(id, fmt.Sprintf("%s of %d B", op, bytes), judge.Run(func(s *judge.Session) judge.Measured {
		return with(changes, func(overlay string) float64 { return r.us(s, card{name: on, overlay: overlay}, op, bytes) })
	}))
}

// bandwidth adds the row of a stream in a unit of so many Gb/s.
func (r *rows) bandwidth(id, on string, x stream, unit float64, changes ...string) {
	r.Of(id, x.String(), judge.Run(func(s *judge.Session) judge.Measured {
		return with(changes, func(overlay string) float64 { return r.gbps(s, card{name: on, overlay: overlay}, x) / unit })
	}))
}

// Units of bandwidths, Gb/s.
const (
	gigabits  = 1.0
	gigabytes = 8.0
	mebibytes = 8 * mb / 1e9
)

// String returns the operation, its bytes and how many are under way, as notes of rows have them.
func (x stream) String() string {
	switch {
	case x.swarm:
		return fmt.Sprintf("%ss of %d B both ways, %d pairs drawn, %d threads × %d outstanding", x.op, x.bytes, x.pairs, x.threads, x.outstanding)
	case x.threads > 1:
		return fmt.Sprintf("%ss of %d B, %d threads, %d × %d outstanding", x.op, x.bytes, x.threads, x.pairs, x.outstanding)
	}
	return fmt.Sprintf("%ss of %d B, %d × %d outstanding", x.op, x.bytes, x.pairs, x.outstanding)
}

// with measures a number, and again under changes, whose results the note gives.
func with(changes []string, number func(overlay string) float64) judge.Measured {
	note, between := "", ""
	for _, c := range changes {
		note += fmt.Sprintf("%s%.4g if %s", between, number(c), c)
		between = "; "
	}
	return judge.Value(number(""), "%s", note)
}

// mlx4 adds the rows of a listing of an mlx4 card.
func (r *rows) mlx4() {
	const on = "mlx4"
	for id, bytes := range map[string]int64{"rd-m4-w2": 2, "rd-m4-w64": 64, "rd-m4-w128": 128, "rd-m4-w4k": 4 * kb} {
		r.latency(id, on, perftest.Write, bytes)
	}
	r.latency("rd-m4-w256", on, perftest.Write, 256, fetched)
	r.latency("rd-m4-r2", on, perftest.Read, 2, fetched)
	r.latency("rd-m4-r64k", on, perftest.Read, 64*kb)
	r.Of("rd-m4-rrate", "reads of 2 to 512 B, 128 outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		small, large := r.rate(s, card{name: on}, deep(perftest.Read, 2)), r.rate(s, card{name: on}, deep(perftest.Read, 512))
		return judge.Value(large, "%.3g of 2 B, %.3g of 512 B", small, large)
	}), "the rate at 512 B; it is highest at 2 B")
	r.atomics("rd-m4-arate", on)
	r.Of("rd-m4-wrate", "writes of 4 to 256 B, 128 outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		small, large := r.rate(s, card{name: on}, deep(perftest.Write, 4)), r.rate(s, card{name: on}, deep(perftest.Write, 256))
		return judge.Value(small, "%.3g of 4 B, %.3g of 256 B", small, large)
	}), "the rate at 4 B")
}

// atomics adds the rate of atomic operations on one word.
func (r *rows) atomics(id, on string) {
	r.Of(id, "fetch-and-add on one word, 128 outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Value(r.rate(s, card{name: on}, deep(perftest.FetchAdd, 8)), "")
	}))
}

// cx5roce adds the rows of a listing of a ConnectX-5 with RoCE.
func (r *rows) cx5roce() {
	const on = "cx5-roce"
	r.latency("rd-c5-send", on, perftest.Send, 2)
	r.latency("rd-c5-write", on, perftest.Write, 2)
	r.atomics("rd-c5-arate", on)
	r.bandwidth("rd-c5-wbw", on, deep(perftest.Write, 64*kb), mebibytes)
}

// cx6 adds the rows of a listing of a ConnectX-6.
func (r *rows) cx6() {
	const on = "cx6-hdr"
	r.latency("rd-c6-w2", on, perftest.Write, 2)
	r.latency("rd-c6-w128", on, perftest.Write, 128, "BlueFlame has 64 B")
	r.latency("rd-c6-w4k", on, perftest.Write, 4*kb, longRead, fetched)
	r.latency("rd-c6-w1m", on, perftest.Write, mb, longRead)
	r.Of("rd-c6-wrate", "writes of 2 B and 4 KB, 128 outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		m := with([]string{longRead, fetched, fetchedLong, "an entry takes a unit 306 ns", "the library takes 332 ns"}, func(overlay string) float64 {
			return r.rate(s, card{name: on, overlay: overlay}, deep(perftest.Write, 2))
		})
		m.Note += fmt.Sprintf("; of 4 KB %.4g and, if %s, %.4g", r.rate(s, card{name: on}, deep(perftest.Write, 4*kb)), fetchedLong, r.rate(s, card{name: on, overlay: fetchedLong}, deep(perftest.Write, 4*kb)))
		return m
	}))
	r.Of("rd-c6-rrate", "reads of 32 B, 128 outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		return with([]string{fetched, fetchedLong}, func(overlay string) float64 {
			return r.rate(s, card{name: on, overlay: overlay}, deep(perftest.Read, 32))
		})
	}))
	r.bandwidth("rd-c6-bw", on, stream{op: perftest.Write, bytes: 8 * mb, pairs: 1, outstanding: 4}, mebibytes, longRead)
}

// cx5ex adds the rows of one group's ConnectX-5 Ex. Its bandwidths with one operation under way are of 4, 16 and 256 KB.
func (r *rows) cx5ex() {
	const on = "cx5-ex"
	r.latency("rd-ex-lat", on, perftest.Write, 2)
	alone := map[string]int64{"4k": 4 * kb, "16k": 16 * kb, "256k": 256 * kb}
	for size, bytes := range alone {
		r.bandwidth("rd-ex-d1-"+size, on, stream{op: perftest.Write, bytes: bytes, pairs: 1, outstanding: 1}, gigabits, longRead)
	}
	r.Of("rd-ex-offset", "writes of 4, 16 and 256 KB, one outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		const line = 97.1 // Gb/s, published beside the offset
		return with([]string{longRead}, func(overlay string) (us float64) {
			for _, bytes := range []int64{4 * kb, 16 * kb, 256 * kb} {
				us += (1/r.rate(s, card{name: on, overlay: overlay}, stream{op: perftest.Write, bytes: bytes, pairs: 1, outstanding: 1}) - float64(bytes)*8/1000/line) / 3
			}
			return us
		})
	}), "mean over the sizes of the time of a write, less that of its bytes at 97.1 Gb/s")
	r.Of("rd-ex-mtu", "writes of 64 KB, 128 outstanding", judge.Run(func(s *judge.Session) judge.Measured {
		at := func(overlay string) float64 {
			return r.gbps(s, card{name: on, overlay: overlay}, deep(perftest.Write, 64*kb))
		}
		return judge.Value(100*(1-at("the MTU is 1024 B")/at("")), "")
	}))
}

// cx7 adds the rows of notes about ConnectX-7. Reads of the first two are of a device's memory.
func (r *rows) cx7() {
	const on = "cx7"
	r.latency("rd-c7-rtt", on, perftest.Read, 16*kb, longerRead)
	r.bandwidth("rd-c7-w16", on, stream{op: perftest.Read, bytes: 16 * kb, pairs: 1, outstanding: 16}, gigabits, longerRead)
	for id, op := range map[string]perftest.Operation{"rd-c7-qp2w": perftest.Write, "rd-c7-qp2r": perftest.Read} {
		r.bandwidth(id, on, stream{op: op, bytes: 4 * mb, pairs: 1, outstanding: 8}, gigabits)
		r.bandwidth(id+"-two", on, stream{op: op, bytes: 4 * mb, pairs: 2, outstanding: 8}, gigabits)
	}
	r.Of("rd-c7-rd1", "reads of 512 KB, 16 posted and one under way", judge.Run(func(s *judge.Session) judge.Measured {
		at := func(overlay string) float64 {
			return r.gbps(s, card{name: on, overlay: overlay}, stream{op: perftest.Read, bytes: 512 * kb, pairs: 1, outstanding: 16}) / gigabytes
		}
		return judge.Value(at(oneByOne), "%.3g with the usual window; %.3g if %s too", at(""), at("the window is 1, and "+longerRead), longerRead)
	}))
}
