package watch

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/trace"
)

//go:embed bpf/watch.o
var object []byte

// kernel are the programs in the kernel and their maps. They are there as long as this process.
type kernel struct {
	*ebpf.Collection
	chosen  []chosen
	links   [stretches][]link.Link // of the programs that run
	epoch   uint32
	looks   looks
	ring    *ringbuf.Reader
	halves  *ringbuf.Reader // nil: no other host is watched
	joining *joining        // nil unless this side joins
	serves  bool            // another host joins what is watched here
	all     bool            // all messages are followed, without a budget
	tell    func(Half)      // gets the messages that were not acknowledged at the end
	open    stopwatch       // runs while messages begin to count
	shared  sync.Mutex      // of sees
	sees    *seen           // what samples have shown so far, nil between runs
}

// looks is when calls that send datagrams are looked at.
type looks struct {
	number uint32 // of the time in which they are, or of one in which they are not, which is even
	seen   uint32 // datagrams so far
	until  time.Time
}

// comm is the name of a process as the kernel keeps it.
type comm [nameBytes + 1]byte

// load loads the programs and says what is to be watched. Nothing runs before attach.
func load(spec Spec) (*kernel, error) {
	program, err := ebpf.LoadCollectionSpecFromReader(bytes.NewReader(object))
	if err != nil {
		return nil, err
	}
	groups, err := groupsAt(spec.Cgroups)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]uint32{
		"by_group": asked(len(spec.Cgroups)), "controller": groups.controller,
		"by_pid": asked(len(spec.PIDs) + len(spec.Command)), "by_name": asked(len(spec.Programs)), "by_port": asked(len(spec.Ports)),
		"sampled": uint32(math.MaxUint32 / uint64(spec.Every)),
	} {
		if err := program.Variables[name].Set(value); err != nil {
			return nil, err
		}
	}
	if err := program.Variables["calls"].Set([5]int64{unix.SYS_SENDMMSG, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_WRITE, unix.SYS_WRITEV}); err != nil {
		return nil, err
	}
	if err := spec.with.set(program); err != nil {
		return nil, err
	}
	k := &kernel{all: spec.Budget == 0}
	if k.chosen, err = choose(program); err != nil {
		return nil, err
	}
	if k.Collection, err = ebpf.NewCollection(program); err != nil {
		return nil, refused(err)
	}
	if err := cmp.Or(k.ask(spec, groups), k.pair(spec.with)); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	if k.ring, err = ringbuf.NewReader(k.Maps["samples"]); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

func asked(n int) uint32 { return uint32(min(n, 1)) }

// ask enters what is asked for into the maps.
func (k *kernel) ask(spec Spec, groups groups) error {
	for _, id := range groups.ids {
		if err := k.Maps["groups"].Put(id, uint8(1)); err != nil {
			return err
		}
	}
	for _, n := range spec.Programs {
		var key comm
		copy(key[:nameBytes], n)
		if err := k.Maps["names"].Put(key, uint8(1)); err != nil {
			return err
		}
	}
	for _, p := range spec.PIDs {
		if err := k.Maps["pids"].Put(uint32(p), uint8(1)); err != nil {
			return err
		}
	}
	for _, p := range spec.Ports {
		if err := k.Maps["ports"].Put(uint16(p), uint8(1)); err != nil {
			return err
		}
	}
	return nil
}

// attach starts the programs. Messages begin to count last, so that none is seen without what comes before it.
// What was on its way when they stopped is forgotten.
func (k *kernel) attach() error {
	if k.joining != nil {
		k.joining.other.Follow(Follows)
	}
	k.epoch++
	if err := k.Variables["epoch"].Set(k.epoch); err != nil {
		return err
	}
	if k.links[always] == nil {
		if err := k.start(always); err != nil {
			return err
		}
	}
	if err := cmp.Or(k.start(passing), k.start(beginning), k.turn(k.looks.number&^1+2), k.look(time.Now()), k.Variables["opened"].Set(uint32(1))); err != nil {
		return err
	}
	k.open.start()
	return nil
}

// start starts the programs that run so long.
func (k *kernel) start(when stretch) error {
	for _, c := range k.chosen {
		if c.when != when || k.serves && !c.joined || k.all && c.costly {
			continue
		}
		l, err := link.AttachTracing(link.TracingOptions{Program: k.Programs[c.program]})
		if err != nil {
			return refused(err)
		}
		k.links[when] = append(k.links[when], l)
	}
	return nil
}

// stop ends the programs that run so long.
func (k *kernel) stop(when stretch) (err error) {
	for _, l := range k.links[when] {
		err = cmp.Or(err, l.Close())
	}
	k.links[when] = nil
	return err
}

// shut stops the programs that begin messages. Those on their way go on.
func (k *kernel) shut() error {
	err := k.Variables["opened"].Set(uint32(0))
	if k.links[beginning] != nil {
		k.open.stop()
		if k.joining != nil {
			k.joining.other.Follow(Ends)
		}
	}
	return cmp.Or(err, k.stop(beginning), k.stop(looking))
}

// detach stops all programs but the one that knows children. What they have counted can still be read.
func (k *kernel) detach() error {
	err := errors.Join(k.shut(), k.stop(delivering), k.stop(passing))
	if k.joining != nil {
		k.joining.other.Follow(Rests)
	}
	return err
}

// Close frees everything.
func (k *kernel) Close() error {
	err := errors.Join(k.detach(), k.stop(always))
	for _, r := range []*ringbuf.Reader{k.ring, k.halves} {
		if r != nil {
			err = cmp.Or(err, r.Close())
		}
	}
	k.Collection.Close()
	return err
}

// drain calls f with the samples that there are.
func (k *kernel) drain(f func(*sample)) error {
	return drained(k.ring, func(record []byte) error {
		s := sampleOf(record)
		f(&s)
		return nil
	})
}

// drained calls f with what a ring has.
func drained(ring *ringbuf.Reader, f func(record []byte) error) error {
	// To wait for nothing costs a switch of threads.
	if ring.AvailableBytes() == 0 {
		return nil
	}
	var record ringbuf.Record
	// Of a ring whose time is over, what there is can be read.
	ring.SetDeadline(time.Now())
	for {
		err := ring.ReadInto(&record)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err == nil {
			err = f(record.RawSample)
		}
		if err != nil {
			return err
		}
	}
}

// counts returns what has become of messages so far.
func (k *kernel) counts() (c counts, err error) {
	var each []uint64 // by processor
	for i := range c.of {
		if err := k.Maps["counters"].Lookup(uint32(i), &each); err != nil {
			return c, err
		}
		for _, n := range each {
			c.of[i] += n
		}
	}
	return c, nil
}

// dropReasons are the kernel's names of why it drops packets.
func dropReasons() (map[uint32]string, error) {
	types, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, err
	}
	var reasons *btf.Enum
	if err := types.TypeByName("skb_drop_reason", &reasons); err != nil {
		return nil, err
	}
	out := map[uint32]string{}
	for _, r := range reasons.Values {
		out[uint32(r.Value)] = strings.TrimPrefix(r.Name, "SKB_DROP_REASON_")
	}
	return out, nil
}

// dropped returns dropped datagrams by the kernel's reason.
func (k *kernel) dropped() (map[string]uint64, error) {
	reasons, err := dropReasons()
	if err != nil {
		return nil, err
	}
	out := map[string]uint64{}
	for r, name := range reasons {
		var n uint64
		if k.Maps["drops"].Lookup(r, &n) == nil && n > 0 {
			out[name] = n
		}
	}
	return out, nil
}

// names returns those of programs, by number.
func (k *kernel) names() (map[int]string, error) {
	out := map[int]string{}
	var name comm
	var number uint32
	all := k.Maps["programs"].Iterate()
	for all.Next(&name, &number) {
		out[int(number)] = name.text()
	}
	return out, all.Err()
}

// histograms returns those of all processors together.
func (k *kernel) histograms() (map[sort]*histogram, error) {
	out := map[sort]*histogram{}
	add := func(key uint32, h *histogram) {
		s := sortOf(key)
		if out[s] == nil {
			out[s] = new(histogram)
		}
		out[s].add(h)
	}
	var key uint32
	var each []histogram
	all := k.Maps["histograms"].Iterate()
	for all.Next(&key, &each) {
		for i := range each {
			add(key, &each[i])
		}
	}
	var one histogram
	early := k.Maps["early"].Iterate()
	for early.Next(&key, &one) {
		add(key, &one)
	}
	return out, cmp.Or(all.Err(), early.Err())
}

// flowKey and flow are what the kernel keeps of one direction of a connection.
type flowKey struct {
	From, To         [2]uint64
	FromPort, ToPort uint16
	Net              uint32
}

func (k *flowKey) toServer() bool { return k.ToPort < k.FromPort }

type flow struct {
	FromBlocks     uint64 // the first message that is in a block, and 1<<32; 0: none is
	Key            flowKey
	Program, Local uint32
	Net, _         uint32
	Epoch, Joined  uint32
	Head           uint32
	_              [9]uint32
	_              [3]uint64
	Blocks         [256]uint32
	Read, _        uint32
	_              [7]uint64
	Ring           [32]message
}

// block has messages of a flow that has more on their way than its ring holds.
type block struct {
	Owner       flowKey
	Turn, Place uint32
	Ring        [512]message
}

// in returns where message i of a flow is, or nil.
func (f *flow) in(blocks []block, i uint32) *message {
	if f.FromBlocks == 0 || int32(i-uint32(f.FromBlocks)) < 0 {
		return &f.Ring[i%uint32(len(f.Ring))]
	}
	const size = uint32(len(block{}.Ring))
	id := f.Blocks[i/size%uint32(len(f.Blocks))]
	if id == 0 || int(id) >= len(blocks) {
		return nil
	}
	return &blocks[id].Ring[i%size]
}

type message struct {
	End, Bytes uint32
	At         [4]uint64
	Served     uint64
	Why, _     uint32 // the second one is how long it was deferred
	_          uint64
}

// datagram is what the kernel keeps of one on its way.
type datagram struct {
	Head, Packet                  uint64
	Key                           flowKey
	Message                       message
	Socket, Gone                  uint64
	Seq, Who, Epoch, Left, Net, _ uint32
}

// rest counts the messages that were on their way at the end. Those that a driver has, and that no one reads here,
// are on another host.
func (k *kernel) rest(c *counts, into map[sort]*histogram) error {
	var id uint64
	var f flow
	blocks := make([]block, k.Maps["blocks"].MaxEntries())
	var at ebpf.MapBatchCursor
	if _, err := k.Maps["blocks"].BatchLookup(&at, make([]uint32, len(blocks)), blocks, nil); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	all := k.Maps["flows"].Iterate()
	for all.Next(&id, &f) {
		for i := f.Read; f.Local != 0 && i != f.Head; i++ {
			m := f.in(blocks, i)
			if m == nil {
				c.of[full]++
				continue
			}
			if f.Net == 0 && f.Joined != 0 && m.gone() {
				k.tellRest(id, &f, m, c)
			}
			c.end(m, f.Net == 0 && f.Key.Net == 0, sort{program: int(f.Program), toServer: f.Key.toServer()}, into)
		}
	}
	if err := all.Err(); err != nil {
		return err
	}
	return k.restOfDatagrams(c, into)
}

// restOfDatagrams does the same over UDP.
func (k *kernel) restOfDatagrams(c *counts, into map[sort]*histogram) error {
	all := make([]datagram, k.Maps["datagrams"].MaxEntries())
	var at ebpf.MapBatchCursor
	if _, err := k.Maps["datagrams"].BatchLookup(&at, make([]uint32, len(all)), all, nil); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	const local, joined = 1 << 8, 1 << 10
	for i := range all {
		d := &all[i]
		switch {
		case d.Seq == 0, d.Who&(local|joined) == joined: // the other host counts it
		case d.Who&local == 0:
			c.of[started]++
			c.pending++
		default:
			c.end(&d.Message, true, sort{int(d.Who & 255), 0, d.Key.toServer(), true, false}, into)
		}
	}
	return nil
}

// gone reports whether a message is on another host.
func (m *message) gone() bool { return m.At[1] != 0 && m.At[2] != 0 && m.At[3] == 0 }

// end counts a message that was on its way at the end.
func (c *counts) end(m *message, goes bool, s sort, into map[sort]*histogram) {
	if !goes || !m.gone() {
		c.pending++
		return
	}
	s.bits = max(bits.Len32(m.Bytes)-1, 0)
	if into[s] == nil {
		into[s] = new(histogram)
	}
	into[s].Bytes += uint64(m.Bytes)
	into[s].Stages[trace.Source].count(m.At[1] - m.At[0])
	into[s].Stages[trace.LANai].count(m.At[2] - m.At[1])
	c.of[away]++
}

// refused explains why the kernel has refused a program.
func refused(err error) error {
	if missing := lacking(); len(missing) > 0 {
		return missing
	}
	return fmt.Errorf("the kernel refuses the programs that watch: %w; sigview watch --check says what it gives", err)
}
