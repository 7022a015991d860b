package kv

import (
	"encoding/binary"

	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// run answers requests until no client is left.
func (s *server) run() {
	s.Tell.Phase(operating)
	for s.left > 0 {
		if s.ready.Len() == 0 {
			s.Wait("a request")
			continue
		}
		s.answer(&s.sessions[s.ready.Pop()])
	}
	s.Tell.Phase("")
}

// answer answers the oldest request.
func (s *server) answer(n *session) {
	at, bytes := n.requests.Front()
	s.Read(requestBytes)
	var head [requestBytes]byte
	s.Space.ReadAt(at, head[:])
	r := parse(head[:])
	s.Tell.Step(r.span, trace.StepHandler)
	s.X.Compute(lookup)
	reply, size := s.Buffer(), replyBytes
	var old [replyBytes]byte
	switch {
	case r.kind >= NumKinds || r.key >= s.spec.Options.Keys || s.home(r.key) != s || r.kind == Put && bytes != requestBytes+s.spec.Options.Bytes:
		s.Wrong("server %d: a request of %d B for kind %d of key %d", s.ID, bytes, r.kind, r.key)
	case r.kind == Get:
		s.X.CopyWithin(s.Space, s.item(r.key)+valueAt, reply+replyBytes, s.spec.Options.Bytes)
		size += s.spec.Options.Bytes
	case r.kind == Put:
		s.X.CopyWithin(s.Space, at+requestBytes, s.item(r.key)+valueAt, s.spec.Options.Bytes)
	case r.kind == Add:
		binary.LittleEndian.PutUint64(old[:], s.add(r.key, r.by))
	}
	s.Space.WriteAt(reply, old[:])
	n.requests.Free()
	s.Tell.Step(r.span, trace.StepReply)
	n.replies.Send(reply, size, trace.Meta{Kind: trace.Reply, Span: r.span})
}

// add adds to a counter and returns what it was.
func (s *server) add(key int, by uint64) uint64 {
	var b [8]byte
	s.Space.ReadAt(s.counter(key), b[:])
	old := binary.LittleEndian.Uint64(b[:])
	binary.LittleEndian.PutUint64(b[:], old+by)
	s.Space.WriteAt(s.counter(key), b[:])
	s.X.Compute(host.Work{Ints: 1, Read: 8, Write: 8})
	return old
}
