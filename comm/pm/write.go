package pm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// opWrite marks the packet of a remote write. That of a message has no mark.
const opWrite = 1

// wordAt is the header word with the address of a remote write.
const wordAt = 2

// Write is a remote write (userspace §2): it puts n bytes at from into the memory of the
// process of node to, at an address of its pinned memory. No buffer and no process of
// the receiver takes part; who waits for the data polls for them. Writes and messages of
// a sender arrive in order. It returns when the interface has the descriptor.
func (e *Endpoint) Write(c *host.Context, to int, from, at host.Addr, n int, meta trace.Meta) error {
	if e.node.Stopped != nil {
		return e.node.Stopped
	}
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	if n == 0 {
		return e.Errorf("write of 0 B, want 1 to %d", e.Traits().MaxBytes)
	}
	r := e.prepare(c, to, from, n, meta)
	r.Op, r.Words[wordAt] = opWrite, uint64(at)
	e.node.Program.Post(c, r, e.node.spec.Host.Send, host.Words)
	return nil
}

// put returns the target of a remote write. One outside of pinned memory is refused.
func (e *Endpoint) put(k *fabric.Packet) firmware.Target {
	at := host.Addr(k.Header.Words[wordAt])
	if !e.pinned(at, k.Bytes()) {
		e.node.stats.Refused++
		return firmware.Target{}
	}
	return firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: at}
}

// written records that the data of a remote write are in memory.
func (e *Endpoint) written(k *fabric.Packet) {
	e.node.stats.Written++
	e.node.NIC.Host().Evict(e.Space(), host.Addr(k.Header.Words[wordAt]), k.Bytes())
}
