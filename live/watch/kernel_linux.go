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
	"time"

	"github.com/cilium/ebpf"
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
	fork, sent link.Link   // nil: not attached
	passing    []link.Link // of all that comes after sending
	epoch      uint32
	ring       *ringbuf.Reader
	open       stopwatch // runs while messages begin to count
}

// loaded has programs and maps by their names in the object.
type loaded struct {
	Sent     *ebpf.Program `ebpf:"sent"`
	Queued   *ebpf.Program `ebpf:"queued"`
	Handed   *ebpf.Program `ebpf:"handed"`
	Arrived  *ebpf.Program `ebpf:"arrived"`
	Received *ebpf.Program `ebpf:"received"`
	Forked   *ebpf.Program `ebpf:"forked"`

	Flows      *ebpf.Map `ebpf:"flows"`
	Histograms *ebpf.Map `ebpf:"histograms"`
	Counters   *ebpf.Map `ebpf:"counters"`
	Samples    *ebpf.Map `ebpf:"samples"`
	Programs   *ebpf.Map `ebpf:"programs"`
	Names      *ebpf.Map `ebpf:"names"`
	PIDs       *ebpf.Map `ebpf:"pids"`
	Ports      *ebpf.Map `ebpf:"ports"`

	Epoch *ebpf.Variable `ebpf:"epoch"`
}

// comm is the name of a process as the kernel keeps it.
type comm [nameBytes + 1]byte

// load loads the programs and says what is to be watched. Nothing runs before attach.
func load(spec Spec) (*kernel, error) {
	program, err := ebpf.LoadCollectionSpecFromReader(bytes.NewReader(object))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]uint32{
		"by_pid": asked(len(spec.PIDs) + len(spec.Command)), "by_name": asked(len(spec.Programs)), "by_port": asked(len(spec.Ports)),
		"sampled": uint32(math.MaxUint32 / uint64(spec.Every)),
	} {
		if err := program.Variables[name].Set(value); err != nil {
			return nil, err
		}
	}
	if err := roomForSorts(program.Maps["histograms"]); err != nil {
		return nil, err
	}
	k := new(kernel)
	if err := program.LoadAndAssign(&k.loaded, nil); err != nil {
		return nil, refused(err)
	}
	if err := k.ask(spec); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	if k.ring, err = ringbuf.NewReader(k.Samples); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

// roomForSorts lets the kernel allocate all histograms at once: 64 MB of them if that is 128 to 512. Programs in the
// kernel cannot wait for memory. What they ask for one by one may be refused, and their messages are lost.
func roomForSorts(m *ebpf.MapSpec) error {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	m.Flags &^= unix.BPF_F_NO_PREALLOC
	m.MaxEntries = uint32(min(max(64<<20/(int(m.ValueSize)*cpus), 128), 512))
	return nil
}

func asked(n int) uint32 { return uint32(min(n, 1)) }

// ask enters what is asked for into the maps.
func (k *kernel) ask(spec Spec) error {
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
	k.epoch++
	if err := k.Epoch.Set(k.epoch); err != nil {
		return err
	}
	if k.fork == nil {
		if k.fork, err = attached(k.Forked); err != nil {
			return err
		}
	}
	for _, p := range []*ebpf.Program{k.Received, k.Arrived, k.Handed, k.Queued} {
		l, err := attached(p)
		if err != nil {
			return err
		}
		k.passing = append(k.passing, l)
	}
	if k.sent, err = attached(k.Sent); err == nil {
		k.open.start()
	}
	return err
}

func attached(p *ebpf.Program) (link.Link, error) {
	l, err := link.AttachTracing(link.TracingOptions{Program: p})
	if err != nil {
		return nil, refused(err)
	}
	return l, nil
}

// shut stops the program that begins messages. Those on their way go on.
func (k *kernel) shut() (err error) {
	if k.sent != nil {
		err = k.sent.Close()
		k.open.stop()
	}
	k.sent = nil
	return err
}

// detach stops all programs but the one that knows children. What they have counted can still be read.
func (k *kernel) detach() error {
	err := k.shut()
	for _, l := range k.passing {
		err = cmp.Or(err, l.Close())
	}
	k.passing = nil
	return err
}

// Close frees everything.
func (k *kernel) Close() error {
	err := k.detach()
	closers := []io.Closer{k.Sent, k.Queued, k.Handed, k.Arrived, k.Received, k.Forked, k.Flows, k.Histograms, k.Counters, k.Samples, k.Programs, k.Names, k.PIDs, k.Ports}
	if k.fork != nil {
		closers = append(closers, k.fork)
	}
	if k.ring != nil {
		closers = append(closers, k.ring)
	}
	for _, c := range closers {
		err = cmp.Or(err, c.Close())
	}
	return err
}

// drain calls f with the samples that there are.
func (k *kernel) drain(f func(*sample)) error {
	// To wait for nothing costs a switch of threads.
	if k.ring.AvailableBytes() == 0 {
		return nil
	}
	var record ringbuf.Record
	var s sample
	// Of a ring whose time is over, what there is can be read.
	k.ring.SetDeadline(time.Now())
	for {
		err := k.ring.ReadInto(&record)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err == nil {
			_, err = binary.Decode(record.RawSample, binary.NativeEndian, &s)
		}
		if err != nil {
			return err
		}
		f(&s)
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

// names returns those of programs, by number.
func (k *kernel) names() (map[int]string, error) {
	out := map[int]string{}
	var name comm
	var number uint32
	all := k.Programs.Iterate()
	for all.Next(&name, &number) {
		text, _, _ := bytes.Cut(name[:], []byte{0})
		out[int(number)] = string(text)
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
	return out, all.Err()
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
	Net, Epoch, Unused  uint32
	Ring                [64]struct {
		End, Bytes uint32
		At         [4]uint64
	}
}

// rest counts the messages that were on their way at the end. Those that a driver has, and that no one reads here,
// are on another host.
func (k *kernel) rest(c *counts, into map[sort]*histogram) error {
	var key flowKey
	var f flow
	all := k.Flows.Iterate()
	for all.Next(&key, &f) {
		for i := f.Read; f.Local != 0 && i != f.Head; i++ {
			m := &f.Ring[i%uint32(len(f.Ring))]
			if f.Net != 0 || m.At[1] == 0 || m.At[2] == 0 || m.At[3] != 0 {
				c.pending++
				continue
			}
			s := sort{int(f.Program), bits.Len32(m.Bytes) - 1, key.ToPort < key.FromPort}
			if into[s] == nil {
				into[s] = new(histogram)
			}
			into[s].Bytes += uint64(m.Bytes)
			into[s].Stages[trace.Source].count(m.At[1] - m.At[0])
			into[s].Stages[trace.LANai].count(m.At[2] - m.At[1])
			c.of[away]++
		}
	}
	return all.Err()
}

// refused explains why the kernel has refused a program.
func refused(err error) error {
	if missing := lacking(); len(missing) > 0 {
		return missing
	}
	return fmt.Errorf("the kernel refuses the programs that watch: %w; sigview watch --check says what it gives", err)
}
