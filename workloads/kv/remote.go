package kv

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// reach prepares a client to use the servers' memory.
func (c *client) reach() error {
	c.Buffers(c.itemBytes())
	c.line = c.Space.Alloc(int64(c.itemBytes()))
	c.versions = make([]uint64, c.spec.Options.Keys)
	setup := deposit.Setup{Port: c.Port}
	for _, s := range c.servers {
		c.into = append(c.into, setup.Import(s.export))
	}
	return setup.Err
}

// oneSided does an operation without the server's process.
func (c *client) oneSided(e *Event) {
	c.X.Compute(issue)
	s := c.home(e.Key)
	switch e.Kind {
	case Get:
		c.Tell.Begin(c.span, operations[Get], stepData, 0)
		for first := true; !c.read(s, e); first = false {
			c.retry(first)
			c.again++
		}
	case Put:
		c.Tell.Begin(c.span, operations[Put], stepLock, 0)
		version := c.lock(s, e.Key)
		c.Tell.Step(c.span, stepData)
		c.write(s, e, version+2)
		c.Tell.Step(c.span, stepUnlock)
		was, err := c.remote.FetchAdd(c.X, s.ID, s.item(e.Key)+versionAt, locked)
		if c.check(err); was != version|locked {
			c.Wrong("client %d: version %d of key %d, which it has locked, has become %d", c.number, version|locked, e.Key, was)
		}
		c.versions[e.Key] = version + 2
	case Add:
		c.Tell.Begin(c.span, operations[Add], stepData, 0)
		var err error
		e.Old, err = c.remote.FetchAdd(c.X, s.ID, s.counter(e.Key), e.By)
		c.check(err)
	}
}

// check ends the program if the interface cannot do what was asked.
func (c *client) check(err error) {
	if err != nil {
		c.Fail(fmt.Errorf("node %d at %v: %w", c.ID, c.X.Now(), err))
	}
}

// read reads a value. It returns false if another client was writing it.
func (c *client) read(s *server, e *Event) bool {
	n := valueAt + len(c.bytes)
	c.check(c.remote.Read(c.X, s.ID, s.item(e.Key), c.line, n))
	c.Space.ReadAt(c.line+valueAt, c.bytes)
	c.X.Compute(checksum(len(c.bytes)))
	var head [valueAt]byte
	c.Space.ReadAt(c.line, head[:])
	version := binary.LittleEndian.Uint64(head[versionAt:])
	if binary.LittleEndian.Uint64(head[sumAt:]) != sum(version, c.bytes) { // none fits a locked version
		return false
	}
	c.versions[e.Key] = version
	c.got(e, c.line+valueAt, len(c.bytes))
	return true
}

// retry notes that an operation has found a value locked, or changed, for the first time.
func (c *client) retry(first bool) {
	if first {
		c.Tell.Step(c.span, trace.StepRetry)
	}
}

// lock takes the lock of a value and returns its version.
func (c *client) lock(s *server, key int) uint64 {
	for first := true; ; first = false {
		version := c.versions[key]
		was, err := c.remote.CompareSwap(c.X, s.ID, s.item(key)+versionAt, version, version|locked)
		if c.check(err); was == version {
			return version
		}
		c.retry(first)
		c.refused++
		c.versions[key] = was &^ locked
		if was&locked != 0 {
			c.versions[key] += 2 // as it will be
		}
	}
}

// write writes a value with the checksum that it has in its new version.
func (c *client) write(s *server, e *Event, version uint64) {
	fill(c.bytes, e.Key, e.Value)
	c.X.Compute(checksum(len(c.bytes)))
	at := c.Buffer()
	var head [valueAt - sumAt]byte
	binary.LittleEndian.PutUint64(head[:], sum(version, c.bytes))
	c.Space.WriteAt(at, head[:])
	c.Space.WriteAt(at+host.Addr(len(head)), c.bytes)
	offset := e.Key/len(c.servers)*c.itemBytes() + sumAt
	c.Send(at, c.into[s.ID], offset, len(head)+len(c.bytes), trace.Meta{Kind: trace.Data, Span: c.span})
}
