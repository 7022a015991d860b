package dfs

import (
	"cmp"

	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// DefaultOps is the default size of a run.
const DefaultOps = 4000

const (
	blockBytes = host.PageBytes
	inodeHead  = 8 // bytes before the block numbers of an inode
	maxFile    = (blockBytes - inodeHead) / 4 * blockBytes
	port       = 1
)

// Spec describes a file system and the work on it.
type Spec struct {
	Nodes     int    `json:"nodes" range:"2..1024"`                 // each has a client
	Servers   int    `json:"servers" range:"1..nodes"`              // the first ones of the nodes hold blocks and locks; 0: all
	Ops       int    `json:"size" range:"1..1073741824 operations"` // on files, of all clients together
	Seed      uint64 `json:"seed"`
	Files     int    `json:"files" range:"1..1048576"`       // different names; half of them exist at the start. 0: 8 per node
	FileBytes int    `json:"file_bytes" range:"1.."`         // largest file; 0: 256 KB
	OpBytes   int    `json:"op_bytes" range:"1..file_bytes"` // largest transfer of an operation; 0: FileBytes
	Mix       Mix    `json:"mix"`                            // all 0: defaultMix
	// Shared is the percentage of operations on a random file of all; the others
	// are on the client's own part of the names. 0: 20.
	Shared int `json:"shared" range:"1..100"`
	// Anyone lets any client create, remove, truncate and extend any file.
	// Otherwise only the owner of the file's name may, so that the amount of work
	// depends little on the order of clients. With fewer files than nodes any
	// client may.
	Anyone bool
	// Disk reads blocks that exist at the start from a disk when they are first
	// needed. Otherwise they are in the servers' memories.
	Disk bool
	// Alone lets one client after the other work, and pause before every request, so
	// that every request meets idle nodes.
	Alone bool
}

// Mix holds the relative frequencies of operations.
type Mix struct {
	Read     int `json:"read" range:"0..1073741824"`
	Write    int `json:"write" range:"0..1073741824"`
	Append   int `json:"append" range:"0..1073741824"`
	Create   int `json:"create" range:"0..1073741824"`
	Truncate int `json:"truncate" range:"0..1073741824"`
	List     int `json:"list" range:"0..1073741824"`
	Remove   int `json:"remove" range:"0..1073741824"`
}

// defaultMix has 50 % reads, of which three in four read the whole file, as
// traces of file systems of the time show. All other sizes, those of files at the
// start included, are spread evenly over powers of two.
var defaultMix = Mix{Read: 50, Write: 20, Append: 8, Create: 9, Truncate: 4, List: 6, Remove: 3}

func (m Mix) weights() [Kinds]int {
	return [Kinds]int{
		Read: m.Read, Write: m.Write, Append: m.Append, Create: m.Create, Truncate: m.Truncate, List: m.List, Remove: m.Remove,
	}
}

// Kind is a file operation.
type Kind uint8

// File operations.
const (
	Read Kind = iota
	Write
	Append
	Create
	Truncate
	List
	Remove
	Kinds // how many there are
)

var kindNames = names.NewEnum[Kind]("operation", "read", "write", "append", "create", "truncate", "list", "remove")

// String returns the name.
func (k Kind) String() string { return kindNames.Name(k) }

// fill replaces zero values by defaults.
func (s Spec) fill() Spec {
	s.Servers = cmp.Or(s.Servers, s.Nodes)
	s.Files = cmp.Or(s.Files, 8*s.Nodes)
	s.FileBytes = cmp.Or(s.FileBytes, 256<<10)
	s.OpBytes = cmp.Or(s.OpBytes, s.FileBytes)
	s.Anyone = s.Anyone || s.Files < s.Nodes
	s.Shared = cmp.Or(s.Shared, 20)
	if s.Mix == (Mix{}) {
		s.Mix = defaultMix
	}
	return s
}

// Validate returns an error that names the first field out of range.
func (s Spec) Validate() error {
	s = s.fill()
	if err := bounds.Check("dfs", s); err != nil {
		return err
	}
	if s.FileBytes > maxFile {
		return bounds.Wrong("dfs.file_bytes", s.FileBytes, "at most %d", maxFile)
	}
	return nil
}

// Sockets returns the specification of the file system's sockets. Their rings
// hold all outstanding data of a client on one connection.
func Sockets(tag trace.Tag) sockets.Spec {
	return sockets.Spec{Tag: tag, RingBytes: 32 << 10, Entries: 32, CopyBytes: 1024, RedirectBytes: 1024}
}

// A client has at most window outstanding requests, and perServe on one
// connection. The replies to the latter fit into three quarters of a ring, so
// that a server never waits for a client that does not read.
const (
	window   = 16
	pause    = 400 * sim.Microsecond // with Alone
	perServe = 4
)

// The disk of a server. Assumed, like drives of the time: a seek of 8 ms and half
// a turn at 7,200 per minute, and neither for the block after the last one read.
const (
	diskAccess = 12 * sim.Millisecond
	diskRate   = sim.Rate(6e6)
)

// What the parts cost, counted as a compiler for the host would order them.
var (
	serveWork  = host.Work{Ints: 400, Loads: 180, Stores: 100} // decode a request, check and find its block, make the reply
	lockWork   = host.Work{Ints: 120, Loads: 60, Stores: 30}   // find a lock, change it
	callWork   = host.Work{Ints: 80, Loads: 30, Stores: 30}    // make a request, match a reply
	fileWork   = host.Work{Ints: 1500, Loads: 700, Stores: 300}
	driverWork = host.Work{Ints: 800, Loads: 350, Stores: 200} // start a read of the disk, or end it
	blockWork  = host.Work{Ints: 30, Loads: 12, Stores: 8}     // per block of a file
	searchWork = host.Work{Ints: 6, Loads: 3}                  // per entry of a directory
)

// bytesWork is the program's own work with n bytes of data: their checksum, a
// CRC of 32 bits by a table of bytes, of data that were read from memory or that
// are to be sent.
func bytesWork(n int, read bool) host.Work {
	b := int64(n)
	w := host.Work{Ints: 4 * b, Loads: 2 * b}
	if read {
		w.Read = b
	} else {
		w.Stores, w.Write = (b+3)/4, b
	}
	return w
}
