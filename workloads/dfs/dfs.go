package dfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// DFS is a file system with its clients and the model of its contents.
type DFS struct {
	spec    Spec
	disk    geometry
	dirOf   []int // directory of each file
	model   *model
	servers []*server
	clients []*client

	instrument func(node int, x *host.Context) trace.Instrument

	began, ended sim.Time
	left         int // clients that have not ended
	turn         int // with Alone: the client that works
	done         int // operations
	over         func()
	err          error

	openLocks, keepTails bool // defects planted by tests
}

// The phases of a client.
const (
	connecting = "connect"
	operating  = "operations"
	closing    = "close"
)

// Phases lists the phases of the program.
func Phases() []string { return []string{connecting, operating, closing} }

// Progress returns how many operations are done, and of how many.
func (d *DFS) Progress() (done, total int64) { return int64(d.done), int64(d.spec.Ops) }

// Stats counts the work of clients.
type Stats struct {
	Ops          [Kinds]uint64
	Took         [Kinds]sim.Duration // in all
	BytesRead    uint64
	BytesWritten uint64
	Requests     uint64 // messages to other nodes
	Local        uint64 // blocks of the client's own node
	Locks        uint64
	DiskReads    uint64
}

// New lays out a file system. Defaults replace zero values of the specification.
func New(spec Spec) (*DFS, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	d := &DFS{spec: spec.fill()}
	d.disk = geometry{servers: d.spec.Servers, nodes: d.spec.Nodes}
	d.disk.dirs, d.dirOf = spread(d.spec.Files)
	d.model = newModel(d.dirOf)
	return d, nil
}

// Spec returns the specification with every field filled.
func (d *DFS) Spec() Spec { return d.spec }

// SetInstrument sets the instruments that record the clients' operations. It is called
// before Start; f is called once for each client.
func (d *DFS) SetInstrument(f func(node int, x *host.Context) trace.Instrument) { d.instrument = f }

// Start fills the disk and starts servers and clients on the nodes; over is
// called when all clients have ended, or one has failed.
func (d *DFS) Start(net *sockets.Net, over func()) error {
	if net.Nodes() != d.spec.Nodes {
		return fmt.Errorf("dfs: sockets on %d nodes, want %d", net.Nodes(), d.spec.Nodes)
	}
	d.over, d.left = over, d.spec.Nodes
	d.began = net.Stack(0).Host().Engine().Now()
	for i := range d.spec.Nodes {
		d.clients = append(d.clients, d.newClient(i, net.Stack(i)))
		if i < d.spec.Servers {
			s, err := d.newServer(i, net.Stack(i))
			if err != nil {
				return err
			}
			d.servers = append(d.servers, s)
			s.local, d.clients[i].server = d.clients[i], s
		}
	}
	if err := d.load(); err != nil {
		return err
	}
	for _, c := range d.clients {
		c.stack.Host().Go(fmt.Sprintf("file client %d", c.id), host.Application, c.run)
	}
	return nil
}

// load creates every second file, as left by an earlier program.
func (d *DFS) load() error {
	random := sim.NewStream(d.spec.Seed, "workloads/dfs/load")
	used := make([]int, d.disk.dirs)
	for f := 0; f < d.spec.Files; f += 2 {
		c := d.clients[f%d.spec.Nodes]
		data := fill(&random, make([]byte, sizeUpTo(&random, d.spec.FileBytes)))
		d.model.create(f)
		d.model.write(f, 0, data)
		node := inode{size: len(data), blocks: make([]uint32, blocksOf(d.spec.FileBytes))}
		for at := 0; at < len(data); at += blockBytes {
			b := c.alloc()
			node.blocks[at/blockBytes] = b
			copy(d.leave(b), data[at:])
		}
		b := c.alloc()
		if c.trouble != nil {
			return c.trouble
		}
		node.put(d.leave(b))
		dir := d.dirOf[f]
		putEntry(d.leave(uint32(dir))[used[dir]*entryBytes:], b, name(f))
		used[dir]++
	}
	return nil
}

// leave returns the memory of a block for an earlier program to fill. With a disk, the first use of
// the block reads it from there.
func (d *DFS) leave(block uint32) []byte {
	if home, place := d.disk.home(block); d.spec.Disk {
		d.servers[home].platter.cold[place] = true
	}
	return d.at(block)
}

// at returns a block's memory.
func (d *DFS) at(block uint32) []byte {
	home, _ := d.disk.home(block)
	s := d.servers[home]
	return s.space.Bytes(s.block(block), blockBytes)
}

// fill makes b random.
func fill(s *sim.Stream, b []byte) []byte {
	var word [8]byte
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(word[:], s.Uint64())
		copy(b[i:], word[:])
	}
	return b
}

// sizeUpTo draws a size from 1 to most: a random power of two, then uniformly
// up to the next one.
func sizeUpTo(s *sim.Stream, most int) int {
	low := 1 << s.Below(bits.Len(uint(most)))
	return min(most, low+s.Below(low))
}

// fail ends the run with an error.
func (d *DFS) fail(err error) {
	if d.err != nil {
		return
	}
	d.err = fmt.Errorf("dfs: %w", err)
	d.end()
}

func (d *DFS) end() {
	if len(d.clients) > 0 {
		d.ended = d.clients[0].stack.Host().Engine().Now()
	}
	if d.over != nil {
		d.over()
		d.over = nil
	}
}

// run is the program of a node: its share of the operations.
func (c *client) run(x *host.Context) {
	c.x = x
	if c.instrument != nil {
		c.recorder = c.instrument(c.id, x)
	}
	c.recorder.Phase(connecting)
	err := c.connect()
	c.recorder.Phase(operating)
	for c.spec.Alone && c.turn != c.id {
		x.Sleep(pause)
	}
	if err == nil {
		n := c.spec.Ops / c.spec.Nodes
		if c.id < c.spec.Ops%c.spec.Nodes {
			n++
		}
		for i := 0; i < n && err == nil && c.DFS.err == nil; i++ {
			if err = c.perform(c.draw()); err != nil {
				err = fmt.Errorf("operation %d: %w", i, err)
			}
			c.done++
		}
		c.turn++
	}
	if err == nil && c.DFS.err == nil {
		c.recorder.Phase(closing)
		err = c.close()
		c.recorder.Phase("")
	}
	if err != nil {
		c.fail(fmt.Errorf("client %d: %w", c.id, err))
		return
	}
	if c.left--; c.left == 0 && c.DFS.err == nil {
		c.end()
	}
}

// operation is one drawn operation. Its place and length also depend on the file
// that it finds.
type operation struct {
	kind  Kind
	file  int
	where float64 // in the file, or its new size
	whole bool    // a read of all of it
	data  []byte  // data to write; for a partial read only its length is used
}

// draw draws the next operation, with the same number of random numbers for each
// operation of a kind.
func (c *client) draw() operation {
	weights := c.spec.Mix.weights()
	sum := 0
	for _, w := range weights {
		sum += w
	}
	o := operation{}
	for at := c.choice.Below(sum); at >= weights[o.kind]; o.kind++ {
		at -= weights[o.kind]
	}
	o.file = c.pick(o.kind)
	o.where = c.choice.Float64()
	o.whole = c.choice.Below(4) > 0
	n := sizeUpTo(&c.choice, c.spec.OpBytes)
	o.data = c.bytes[:n]
	if o.kind == Write || o.kind == Append {
		fill(&c.choice, o.data)
	}
	return o
}

// Steps of a file operation, as its client sees them. Requests and replies
// of several blocks overlap.
const (
	stepLock      trace.Step = "lock"      // until its locks are granted
	stepDirectory trace.Step = "directory" // the directory is read and searched
	stepInode     trace.Step = "inode"     // the inode is read
	stepData      trace.Step = "data"      // the file's bytes are read, written or made
	stepStore     trace.Step = "store"     // inode and directory are written, and outstanding data
	stepUnlock    trace.Step = "unlock"    // its locks are released
)

func (c *client) step(s trace.Step) { c.recorder.Step(c.span, s) }

// pick draws the file of an operation.
func (c *client) pick(k Kind) int {
	mine := c.choice.Below(100) >= c.spec.Shared
	if !c.spec.Anyone && (k == Append || k == Create || k == Truncate || k == Remove) {
		mine = true
	}
	part := c.spec.Files / c.spec.Nodes
	if !mine || part == 0 {
		return c.choice.Below(c.spec.Files)
	}
	return c.id*part + c.choice.Below(part)
}

// lengthens reports whether the client may make a file longer.
func (c *client) lengthens(file int) bool {
	return c.spec.Anyone || file/(c.spec.Files/c.spec.Nodes) == c.id
}

// perform takes the locks of an operation, does it, and releases them.
func (c *client) perform(o operation) error {
	began := c.x.Now()
	c.span = c.numbers.Next()
	c.recorder.Begin(c.span, trace.OpFile, stepLock, 0)
	c.x.Compute(fileWork)
	c.locked(o)
	c.step(stepUnlock)
	c.unlock()
	c.recorder.End(c.span)
	if c.trouble != nil {
		return fmt.Errorf("%v: %w", o.kind, c.trouble)
	}
	c.stats.Ops[o.kind]++
	c.stats.Took[o.kind] += c.x.Now().Sub(began)
	return nil
}

// locked does an operation under its locks: first that of the name, then that of
// the directory.
func (c *client) locked(o operation) {
	dir := c.dirOf[o.file]
	if o.kind == List {
		c.lock(c.dirLock(dir), false)
	} else {
		c.lock(c.nameLock(o.file), o.kind != Read)
	}
	if o.kind == Create || o.kind == Remove {
		c.lock(c.dirLock(dir), true)
	}
	size := len(c.model.files[o.file].data)
	switch o.kind {
	case Read:
		at, n := int(o.where*float64(max(0, size-len(o.data))+1)), len(o.data)
		if o.whole {
			at, n = 0, c.spec.OpBytes
		}
		c.read(o.file, at, n)
	case Write:
		at := int(o.where * float64(size+1))
		if !c.lengthens(o.file) {
			o.data = o.data[:min(len(o.data), size-at)]
		}
		c.write(o.file, at, o.data)
	case Append:
		c.write(o.file, -1, o.data)
	case Create:
		c.create(o.file)
	case Truncate:
		c.truncate(o.file, min(c.spec.FileBytes, int(1.5*o.where*float64(size))))
	case List:
		c.list(dir)
	case Remove:
		c.remove(o.file)
	default:
		panic(fmt.Sprintf("dfs: client %d at %v: operation %v", c.id, c.x.Now(), o.kind))
	}
}

// Err returns the error that ended the run early, or nil.
func (d *DFS) Err() error { return d.err }

// Elapsed returns how long the run took and whether it has ended.
func (d *DFS) Elapsed() (sim.Duration, bool) {
	return d.ended.Sub(d.began), d.ended > 0 && (d.left == 0 || d.err != nil)
}

// Shares returns how each client has spent its time.
func (d *DFS) Shares() []host.Shares {
	var out []host.Shares
	for _, c := range d.clients {
		out = append(out, c.x.Shares())
	}
	return out
}

// Stats returns the counters of all clients.
func (d *DFS) Stats() Stats {
	var sum Stats
	for _, c := range d.clients {
		for k := range Kinds {
			sum.Ops[k] += c.stats.Ops[k]
			sum.Took[k] += c.stats.Took[k]
		}
		sum.BytesRead += c.stats.BytesRead
		sum.BytesWritten += c.stats.BytesWritten
		sum.Requests += c.stats.Requests
		sum.Local += c.stats.Local
		sum.Locks += c.stats.Locks
	}
	for _, s := range d.servers {
		sum.DiskReads += s.platter.reads
	}
	return sum
}

var errNotEnded = errors.New("dfs: the run has not ended")
