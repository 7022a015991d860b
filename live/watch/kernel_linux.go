package watch

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"strings"
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
	loaded
	fork      link.Link   // nil: not attached
	beginning []link.Link // of calls of send
	passing   []link.Link // of all that comes after sending
	epoch     uint32
	ring      *ringbuf.Reader
	halves    *ringbuf.Reader // nil: no other host is watched
	joining   *joining        // nil unless this side joins
	serves    bool            // another host joins what is watched here
	tell      func(Half)      // gets the messages that were not acknowledged at the end
	open      stopwatch       // runs while messages begin to count
}

// loaded has programs and maps by their names in the object.
type loaded struct {
	Sent     *ebpf.Program `ebpf:"sent"`
	Queued   *ebpf.Program `ebpf:"queued"`
	Handed   *ebpf.Program `ebpf:"handed"`
	Arrived  *ebpf.Program `ebpf:"arrived"`
	Received *ebpf.Program `ebpf:"received"`
	Forked   *ebpf.Program `ebpf:"forked"`
	Called   *ebpf.Program `ebpf:"called"`
	Given    *ebpf.Program `ebpf:"given"`
	Ready    *ebpf.Program `ebpf:"ready"`
	Dropped  *ebpf.Program `ebpf:"dropped"`
	Woken    *ebpf.Program `ebpf:"woken"`
	Switched *ebpf.Program `ebpf:"switched"`
	Enters   *ebpf.Program `ebpf:"disciplined"`
	Gone     *ebpf.Program `ebpf:"destroyed"`
	Again    *ebpf.Program `ebpf:"sent_again"`

	Flows      *ebpf.Map `ebpf:"flows"`
	Blocks     *ebpf.Map `ebpf:"blocks"`
	Histograms *ebpf.Map `ebpf:"histograms"`
	Early      *ebpf.Map `ebpf:"early"`
	Counters   *ebpf.Map `ebpf:"counters"`
	Samples    *ebpf.Map `ebpf:"samples"`
	Programs   *ebpf.Map `ebpf:"programs"`
	Names      *ebpf.Map `ebpf:"names"`
	PIDs       *ebpf.Map `ebpf:"pids"`
	Ports      *ebpf.Map `ebpf:"ports"`
	Groups     *ebpf.Map `ebpf:"groups"`
	Datagrams  *ebpf.Map `ebpf:"datagrams"`
	Drops      *ebpf.Map `ebpf:"drops"`
	Loads      *ebpf.Map `ebpf:"disciplines"`
	SentAgain  *ebpf.Map `ebpf:"again"`
	Peers      *ebpf.Map `ebpf:"peers"`
	Halves     *ebpf.Map `ebpf:"halves"`

	Epoch  *ebpf.Variable `ebpf:"epoch"`
	Opened *ebpf.Variable `ebpf:"opened"`
	Alone  *ebpf.Variable `ebpf:"alone"`
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
	k := new(kernel)
	if err := program.LoadAndAssign(&k.loaded, nil); err != nil {
		return nil, refused(err)
	}
	if err := cmp.Or(k.ask(spec, groups), k.pair(spec.with)); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	if k.ring, err = ringbuf.NewReader(k.Samples); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

func asked(n int) uint32 { return uint32(min(n, 1)) }

// ask enters what is asked for into the maps.
func (k *kernel) ask(spec Spec, groups groups) error {
	for _, id := range groups.ids {
		if err := k.Groups.Put(id, uint8(1)); err != nil {
			return err
		}
	}
	for _, n := range spec.Programs {
		var key comm
		copy(key[:nameBytes], n)
		if err := k.Names.Put(key, uint8(1)); err != nil {
			return err
		}
	}
	for _, p := range spec.PIDs {
		if err := k.PIDs.Put(uint32(p), uint8(1)); err != nil {
			return err
		}
	}
	for _, p := range spec.Ports {
		if err := k.Ports.Put(uint16(p), uint8(1)); err != nil {
			return err
		}
	}
	return nil
}

// attach starts the programs. Messages begin to count last, so that none is seen without what comes before it.
// What was on its way when they stopped is forgotten.
func (k *kernel) attach() (err error) {
	if k.joining != nil {
		k.joining.other.Follow(Follows)
	}
	k.epoch++
	if err := k.Epoch.Set(k.epoch); err != nil {
		return err
	}
	if k.fork == nil {
		if k.fork, err = attached(k.Forked); err != nil {
			return err
		}
	}
	passing, beginning := []*ebpf.Program{k.Received, k.Gone, k.Switched, k.Woken, k.Enters, k.Again, k.Dropped, k.Ready, k.Arrived, k.Handed, k.Queued, k.Given}, []*ebpf.Program{k.Called, k.Sent}
	if k.serves { // TCP only
		passing, beginning = []*ebpf.Program{k.Received, k.Gone, k.Switched, k.Woken, k.Arrived, k.Handed, k.Queued}, []*ebpf.Program{k.Sent}
	}
	for _, p := range passing {
		l, err := attached(p)
		if err != nil {
			return err
		}
		k.passing = append(k.passing, l)
	}
	for _, p := range beginning {
		l, err := attached(p)
		if err != nil {
			return err
		}
		k.beginning = append(k.beginning, l)
	}
	if err := k.Opened.Set(uint32(1)); err != nil {
		return err
	}
	k.open.start()
	return nil
}

func attached(p *ebpf.Program) (link.Link, error) {
	l, err := link.AttachTracing(link.TracingOptions{Program: p})
	if err != nil {
		return nil, refused(err)
	}
	return l, nil
}

// shut stops the programs that begin messages. Those on their way go on.
func (k *kernel) shut() error {
	err := k.Opened.Set(uint32(0))
	if len(k.beginning) > 0 {
		k.open.stop()
		if k.joining != nil {
			k.joining.other.Follow(Ends)
		}
	}
	for _, l := range k.beginning {
		err = cmp.Or(err, l.Close())
	}
	k.beginning = nil
	return err
}

// detach stops all programs but the one that knows children. What they have counted can still be read.
func (k *kernel) detach() error {
	err := k.shut()
	for _, l := range k.passing {
		err = cmp.Or(err, l.Close())
	}
	k.passing = nil
	if k.joining != nil {
		k.joining.other.Follow(Rests)
	}
	return err
}

// Close frees everything.
func (k *kernel) Close() error {
	err := k.detach()
	closers := []io.Closer{k.Sent, k.Queued, k.Handed, k.Arrived, k.Received, k.Forked, k.Called, k.Given, k.Ready, k.Dropped, k.Woken, k.Switched, k.Enters, k.Again, k.Gone, k.Datagrams, k.Drops, k.Loads, k.SentAgain, k.Flows, k.Blocks, k.Histograms, k.Early, k.Counters, k.Samples, k.Programs, k.Names, k.PIDs, k.Ports, k.Groups, k.Peers, k.Halves}
	if k.fork != nil {
		closers = append(closers, k.fork)
	}
	if k.ring != nil {
		closers = append(closers, k.ring)
	}
	if k.halves != nil {
		closers = append(closers, k.halves)
	}
	for _, c := range closers {
		err = cmp.Or(err, c.Close())
	}
	return err
}

// drain calls f with the samples that there are.
func (k *kernel) drain(f func(*sample)) error {
	var s sample
	return drained(k.ring, func(record []byte) error {
		_, err := binary.Decode(record, binary.NativeEndian, &s)
		if err == nil {
			f(&s)
		}
		return err
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
		if err := k.Counters.Lookup(uint32(i), &each); err != nil {
			return c, err
		}
		for _, n := range each {
			c.of[i] += n
		}
	}
	return c, nil
}

// dropped returns dropped datagrams by the kernel's reason.
func (k *kernel) dropped() (map[string]uint64, error) {
	types, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, err
	}
	var reasons *btf.Enum
	if err := types.TypeByName("skb_drop_reason", &reasons); err != nil {
		return nil, err
	}
	out := map[string]uint64{}
	for _, r := range reasons.Values {
		var n uint64
		if k.Drops.Lookup(uint32(r.Value), &n) == nil && n > 0 {
			out[strings.TrimPrefix(r.Name, "SKB_DROP_REASON_")] = n
		}
	}
	return out, nil
}

// names returns those of programs, by number.
func (k *kernel) names() (map[int]string, error) {
	out := map[int]string{}
	var name comm
	var number uint32
	all := k.Programs.Iterate()
	for all.Next(&name, &number) {
		out[int(number)] = name.text()
	}
	return out, all.Err()
}

// histograms returns those of all processors together.
func (k *kernel) histograms() (map[sort]*histogram, error) {
	out := map[sort]*histogram{}
	var key uint32
	var each []histogram
	all := k.Histograms.Iterate()
	for all.Next(&key, &each) {
		h := new(histogram)
		for i := range each {
			h.add(&each[i])
		}
		out[sortOf(key)] = h
	}
	var one histogram
	early := k.Early.Iterate()
	for early.Next(&key, &one) {
		s := sortOf(key)
		if out[s] == nil {
			out[s] = new(histogram)
		}
		out[s].add(&one)
	}
	return out, cmp.Or(all.Err(), early.Err())
}

// flowKey and flow are what the kernel keeps of one direction of a connection.
type flowKey struct {
	From, To         [2]uint64
	FromPort, ToPort uint16
	Net              uint32
}

type flow struct {
	Head, Read          uint32
	Cursor              [4]uint32
	End, Program, Local uint32
	Net, Epoch          uint32
	_                   [2]uint32
	Joined              uint32
	FromBlocks          uint64 // the first message that is in a block, and 1<<32; 0: none is
	LastRead            uint64
	Blocks              [256]uint32
	Ring                [32]message
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
	Why, _     uint32
}

// datagram is what the kernel keeps of one on its way.
type datagram struct {
	Head, Packet                  uint64
	Key                           flowKey
	Message                       message
	Socket                        uint64
	Seq, Who, Epoch, Left, Net, _ uint32
}

// rest counts the messages that were on their way at the end. Those that a driver has, and that no one reads here,
// are on another host.
func (k *kernel) rest(c *counts, into map[sort]*histogram) error {
	var key flowKey
	var f flow
	blocks := make([]block, k.Blocks.MaxEntries())
	var at ebpf.MapBatchCursor
	if _, err := k.Blocks.BatchLookup(&at, make([]uint32, len(blocks)), blocks, nil); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	all := k.Flows.Iterate()
	for all.Next(&key, &f) {
		for i := f.Read; f.Local != 0 && i != f.Head; i++ {
			m := f.in(blocks, i)
			if m == nil {
				c.of[full]++
				continue
			}
			if f.Net == 0 && f.Joined != 0 && m.gone() {
				k.tellRest(&key, &f, m, c)
			}
			c.end(m, f.Net == 0 && key.Net == 0, sort{program: int(f.Program), toServer: key.ToPort < key.FromPort}, into)
		}
	}
	if err := all.Err(); err != nil {
		return err
	}
	return k.restOfDatagrams(c, into)
}

// restOfDatagrams does the same over UDP.
func (k *kernel) restOfDatagrams(c *counts, into map[sort]*histogram) error {
	all := make([]datagram, k.Datagrams.MaxEntries())
	var at ebpf.MapBatchCursor
	if _, err := k.Datagrams.BatchLookup(&at, make([]uint32, len(all)), all, nil); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	const local = 1 << 8
	for i := range all {
		d := &all[i]
		switch {
		case d.Seq == 0:
		case d.Who&local == 0:
			c.of[started]++
			c.pending++
		default:
			c.end(&d.Message, true, sort{int(d.Who & 255), 0, d.Key.ToPort < d.Key.FromPort, true, false}, into)
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
