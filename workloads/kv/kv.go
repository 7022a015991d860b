package kv

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
)

// New returns a program, which Start starts. Errors are *bounds.Error.
func New(spec Spec) (*KV, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	return &KV{spec: spec, keys: newKeys(&spec.Options), events: make([]Event, 0, spec.Ops)}, nil
}

// Spec returns the specification with nothing left open but the access.
func (k *KV) Spec() Spec { return k.spec }

// Phases lists the phases of the program.
func Phases() []string { return []string{operating} }

// Kinds lists the kinds of its packets. Data are what clients write by themselves.
func Kinds() []trace.Kind { return []trace.Kind{trace.Request, trace.Reply, trace.Data} }

// Progress returns how many operations are done, and of how many.
func (k *KV) Progress() (done, total int64) { return int64(len(k.events)), int64(k.spec.Ops) }

// Start fills the store and begins the program on its nodes, whose packets carry tag. Done, which may be
// nil, is called when it has ended.
func (k *KV) Start(nodes []deposit.Node, instrument func(int, *host.Context) trace.Instrument, tag trace.Tag, done func()) error {
	if len(nodes) != k.spec.Nodes {
		return fmt.Errorf("kv: start on %d nodes, want %d", len(nodes), k.spec.Nodes)
	}
	if err := k.Open("kv", nodes, tag); err != nil {
		return err
	}
	for _, m := range k.Members[:k.spec.Options.Servers] {
		if err := k.serve(m); err != nil {
			return err
		}
	}
	for i, m := range k.Members[k.spec.Options.Servers:] {
		c := &client{KV: k, Member: m, number: i, choice: m.Stream(k.spec.Seed, "operations")}
		c.bytes = make([]byte, k.spec.Options.Bytes)
		k.clients = append(k.clients, c)
		if err := c.connect(); err != nil {
			return err
		}
	}
	k.left = len(k.clients)
	k.Team.Start(instrument, func(m *team.Member) {
		if m.ID < len(k.servers) {
			k.servers[m.ID].run()
		} else {
			k.clients[m.ID-len(k.servers)].run()
		}
	}, done)
	return nil
}

// serve makes the server on a node and fills its part of the store.
func (k *KV) serve(m *team.Member) error {
	s := &server{KV: k, Member: m}
	k.servers = append(k.servers, s)
	m.Buffers(replyBytes + k.spec.Options.Bytes)
	places := (k.spec.Options.Keys + k.spec.Options.Servers - 1) / k.spec.Options.Servers
	s.items, s.counters = m.Space.Alloc(int64(places*k.itemBytes())), m.Space.Alloc(int64(8*places))
	b := make([]byte, valueAt+k.spec.Options.Bytes)
	for key := m.ID; key < k.spec.Options.Keys; key += k.spec.Options.Servers {
		fill(b[valueAt:], key, 0)
		binary.LittleEndian.PutUint64(b[sumAt:], sum(0, b[valueAt:]))
		at := s.items + host.Addr(key/k.spec.Options.Servers*k.itemBytes())
		m.Space.WriteAt(at, b)
	}
	setup := deposit.Setup{Port: m.Port}
	s.export = setup.Export(s.items, places*k.itemBytes(), nil, nil)
	setup.Export(s.counters, 8*places, nil, nil)
	return setup.Err
}

// connect gives a client access to all servers.
func (c *client) connect() error {
	var access Access
	err := c.spec.Options.Access.Into(&access)
	if c.remote = deposit.RemoteOf(c.Port); err == nil && c.remote == nil && c.spec.Options.Access == "one-sided" {
		err = bounds.Wrong("job.access", c.spec.Options.Access, "requests: interfaces of this layer do not read the memory of other nodes")
	}
	if err != nil {
		return err
	}
	if access == Requests {
		c.remote = nil
	}
	if c.remote != nil {
		return c.reach()
	}
	c.Buffers(requestBytes + c.spec.Options.Bytes)
	for _, s := range c.servers {
		there, err := team.NewLane(c.Member, s.Member, 1, requestBytes+c.spec.Options.Bytes, team.ByProgram)
		if err != nil {
			return err
		}
		back, err := team.NewLane(s.Member, c.Member, 1, replyBytes+c.spec.Options.Bytes, team.ByProgram)
		if err != nil {
			return err
		}
		c.requests, c.replies = append(c.requests, there), append(c.replies, back)
		number := len(s.sessions)
		there.Arrived = func() { s.ready.Push(number) }
		s.sessions = append(s.sessions, session{requests: there, replies: back})
	}
	return nil
}

// Verify returns how the operations were checked, and what is wrong with them, if anything.
func (k *KV) Verify() (how string, wrong error) {
	if done, total := k.Progress(); done != total {
		k.Wrong("%d operations, want %d", done, total)
	}
	for key, h := range histories(k.events, k.spec.Options.Keys) {
		if err := h.check(k.final(key)); err != nil {
			k.Wrong("key %d: %v", key, err)
		}
	}
	var n [NumKinds]int
	for _, e := range k.events {
		n[e.Kind]++
	}
	how = fmt.Sprintf("%d gets, %d puts and %d additions are linearizable for each of %d keys; all bytes of each value got are those of one put",
		n[Get], n[Put], n[Add], k.spec.Options.Keys)
	if len(k.clients) > 0 && k.clients[0].remote != nil {
		how += fmt.Sprintf("; %d reads repeated, %d locks refused", k.again, k.refused)
	}
	return how, k.Verdict()
}

// final returns what a key has at the end, in its server's memory.
func (k *KV) final(key int) (v Value, counter uint64) {
	s := k.home(key)
	var b [8]byte
	s.Space.ReadAt(s.counter(key), b[:])
	counter = binary.LittleEndian.Uint64(b[:])
	value := make([]byte, k.spec.Options.Bytes)
	s.Space.ReadAt(s.item(key)+valueAt, value)
	v = Value(binary.LittleEndian.Uint64(value))
	if !holds(value, key, v) {
		k.Wrong("key %d: what is there in the end is not the value %#x, as it says", key, uint64(v))
	}
	return v, counter
}

// Events returns all operations in the order of their ends.
func (k *KV) Events() []Event { return k.events }
