package dfs

import (
	"fmt"

	"github.com/sigview/sigview/comm/sockets"
)

// locks is the lock service of one server. Locks are granted in the order of
// requests; neighbours in the queue that share are granted together.
type locks struct {
	table map[uint32]*lock // looked up only
	open  bool             // every lock is granted: a defect planted by tests
}

type lock struct {
	sharing int
	alone   bool
	queue   []waiter
}

// waiter is a session that requests a lock, or with nil the client of the same
// node.
type waiter struct {
	session *session
	request request
	alone   bool
}

func newLocks() locks { return locks{table: map[uint32]*lock{}} }

// ask grants a lock to w, or puts w into its queue.
func (l *locks) ask(id uint32, w waiter) (granted bool) {
	if l.open {
		return true
	}
	k := l.table[id]
	if k == nil {
		k = &lock{}
		l.table[id] = k
	}
	if len(k.queue) > 0 || !k.grant(w) {
		k.queue = append(k.queue, w)
		return false
	}
	return true
}

func (k *lock) grant(w waiter) bool {
	if k.alone || w.alone && k.sharing > 0 {
		return false
	}
	if w.alone {
		k.alone = true
	} else {
		k.sharing++
	}
	return true
}

// release ends the holding of a lock and returns the next holders.
func (l *locks) release(id uint32) ([]waiter, error) {
	if l.open {
		return nil, nil
	}
	k := l.table[id]
	switch {
	case k == nil || !k.alone && k.sharing == 0:
		return nil, fmt.Errorf("lock %d is released but not held", id)
	case k.alone:
		k.alone = false
	default:
		k.sharing--
	}
	var now []waiter
	for len(k.queue) > 0 && k.grant(k.queue[0]) {
		now = append(now, k.queue[0])
		k.queue = k.queue[1:]
	}
	if !k.alone && k.sharing == 0 {
		delete(l.table, id)
	}
	return now, nil
}

// session is the connection to one client.
type session struct {
	conn   *sockets.Conn
	queued bool
	taking bool // the bytes of a write
	seeks  bool // waits for a block from the disk
	now    request
}
