package svm

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/trace"
)

// The wire format of a message, little-endian: a header of 20 bytes (kind, 8 bits
// that tell of moves, number of versions in 16 bits, page or lock or barrier, interested
// node, interval or epoch, span in 32 bits each), a vector time of 8 bytes per
// version (node, interval), at a barrier with moves their number and 8 bytes for each
// (page, new home), 12 bytes per write notice (node, interval, number of pages) and 4
// per page, or the diff. A page is sent by itself, straight into the
// frame that waits for it.
//
// Every message has room for a vector time, also if it has none: one structure
// for all kinds, as in a C program. The room is assumed. It is that of one word
// for each of the eight nodes of the machine that was measured, and does not
// depend on the number of nodes, so that operations on two nodes have packets of
// the same size. The list names only nodes that have written since the last
// barrier. A longer one lengthens the message.
const (
	headerBytes  = 20
	versionBytes = 8
	timeRoom     = 4 // versions
	noticeBytes  = 12
	pageBytes    = 4
	moveBytes    = 8
)

// Append appends the message in wire format to b. It panics for more versions than 16 bits count, which no
// protocol step makes.
func (m *Message) Append(b []byte) []byte {
	list, a, c := m.Time, m.ID, m.Epoch
	switch m.Kind {
	case trace.PageRequest:
		list, a, c = m.Required, uint32(m.Page), m.Epoch
	case trace.PageReply:
		list, a, c = nil, uint32(m.Page), 0
	case trace.Diff:
		list, a, c = nil, uint32(m.Page), m.Interval
	}
	if len(list) > 1<<16-1 {
		panic(fmt.Sprintf("svm: message %v with %d versions", m.Kind, len(list)))
	}
	le := binary.LittleEndian
	moving := byte(0)
	if len(m.Moves) > 0 {
		moving = 1
	}
	b = append(b, byte(m.Kind), moving)
	b = le.AppendUint16(b, uint16(len(list)))
	b = le.AppendUint32(b, a)
	b = le.AppendUint32(b, uint32(m.Node))
	b = le.AppendUint32(b, c)
	b = le.AppendUint32(b, uint32(m.Span))
	for _, v := range list {
		b = le.AppendUint32(b, uint32(v.Node))
		b = le.AppendUint32(b, v.Interval)
	}
	for range timeRoom - len(list) {
		b = le.AppendUint64(b, 0)
	}
	if moving != 0 {
		b = le.AppendUint32(b, uint32(len(m.Moves)))
	}
	for _, v := range m.Moves {
		b = le.AppendUint32(b, uint32(v.Page))
		b = le.AppendUint32(b, uint32(v.Home))
	}
	for _, iv := range m.Notices {
		b = le.AppendUint32(b, uint32(iv.Node))
		b = le.AppendUint32(b, iv.ID)
		b = le.AppendUint32(b, uint32(len(iv.Pages)))
		for _, p := range iv.Pages {
			b = le.AppendUint32(b, uint32(p))
		}
	}
	return append(b, m.Diff...)
}

// Decode reads a message from node from to node to in a system of the given
// number of nodes. It reuses m's lists where it can; Diff points into b. An
// error names the field, its value and what was wanted.
func (m *Message) Decode(b []byte, from, to, nodes int) error {
	if len(b) < headerBytes {
		return fmt.Errorf("svm: message of %d bytes from node %d, want at least %d", len(b), from, headerBytes)
	}
	le := binary.LittleEndian
	kind, count := trace.Kind(b[0]), int(le.Uint16(b[2:]))
	a, node, c := le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])
	*m = Message{Kind: kind, Span: trace.Span(le.Uint32(b[16:])), From: from, To: to, Node: int(node), Required: m.Required[:0], Time: m.Time[:0], Notices: m.Notices[:0], Moves: m.Moves[:0]}
	bad := func(field string, value any, want string) error {
		return fmt.Errorf("svm: %v message from node %d: %s = %v, want %s", kind, from, field, value, want)
	}
	if b[1] > 1 || b[1] == 1 && kind != trace.BarrierArrive && kind != trace.BarrierRelease {
		return bad("second byte", b[1], "0, or 1 at a barrier")
	}
	if int64(node) >= int64(nodes) {
		return bad("node", node, fmt.Sprintf("less than %d", nodes))
	}
	rest := b[headerBytes:]
	if want := max(count, timeRoom) * versionBytes; len(rest) < want {
		return bad("bytes after the header", len(rest), fmt.Sprintf("%d for %d versions", want, count))
	}
	list := m.Time
	if kind == trace.PageRequest {
		list = m.Required
	}
	list, rest, err := decodeVersions(list, rest, count, nodes)
	if err != nil {
		return bad("version", err, "a known node")
	}
	switch kind {
	case trace.PageRequest:
		m.Page, m.Required, m.Epoch = Page(a), list, c
	case trace.PageReply:
		m.Page = Page(a)
		if c != 0 || count != 0 {
			return bad("interval and versions", max(int64(c), int64(count)), "none")
		}
	case trace.Diff:
		m.Page, m.Interval, m.Diff = Page(a), c, rest
		if count != 0 {
			return bad("versions", count, "none")
		}
		return nil
	case trace.LockRequest, trace.LockForward:
		m.ID, m.Epoch, m.Time = a, c, list
	case trace.LockGrant, trace.BarrierArrive, trace.BarrierRelease:
		m.ID, m.Epoch, m.Time = a, c, list
		if b[1] == 1 {
			if m.Moves, rest, err = decodeMoves(m.Moves, rest); err != nil {
				return bad("moves", err, "whole ones")
			}
		}
		if m.Notices, err = decodeNotices(m.Notices, rest); err != nil {
			return bad("write notices", err, "whole ones")
		}
		return nil
	default:
		return bad("kind", kind, "one of the protocol's")
	}
	if len(rest) != 0 {
		return bad("bytes after the end", len(rest), "none")
	}
	return nil
}

// decodeVersions reads count versions and returns what follows their room. The caller has checked that there
// are so many bytes. An error names a node that does not exist.
func decodeVersions(list []Version, b []byte, count, nodes int) ([]Version, []byte, error) {
	for range count {
		v := Version{int32(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint32(b[4:])}
		if v.Node < 0 || int(v.Node) >= nodes {
			return nil, nil, fmt.Errorf("node %d of %d", v.Node, nodes)
		}
		list = append(list, v)
		b = b[versionBytes:]
	}
	return list, b[max(0, timeRoom-count)*versionBytes:], nil
}

// decodeMoves reads moves behind their number. An error says how many bytes there are if they are too few.
func decodeMoves(list []Move, b []byte) ([]Move, []byte, error) {
	le := binary.LittleEndian
	if len(b) < 4 || int64(len(b)-4) < int64(le.Uint32(b))*moveBytes {
		return list, nil, fmt.Errorf("%d bytes", len(b))
	}
	n := int(le.Uint32(b))
	b = b[4:]
	for range n {
		list = append(list, Move{Page(le.Uint32(b)), int32(le.Uint32(b[4:]))})
		b = b[moveBytes:]
	}
	return list, b, nil
}

// decodeNotices reads write notices up to the end of b. It makes two allocations for all notices of a message,
// because the next barrier discards them together: a first pass counts them and checks the lengths. An error
// says where bytes are missing.
func decodeNotices(list []*Interval, b []byte) ([]*Interval, error) {
	le := binary.LittleEndian
	intervals, pages := 0, 0
	for at := 0; at < len(b); {
		if len(b)-at < noticeBytes {
			return nil, fmt.Errorf("%d bytes left", len(b)-at)
		}
		n := int64(le.Uint32(b[at+8:]))
		at += noticeBytes
		if int64(len(b)-at) < n*pageBytes {
			return nil, fmt.Errorf("%d pages in %d bytes", n, len(b)-at)
		}
		intervals, pages, at = intervals+1, pages+int(n), at+int(n)*pageBytes
	}
	all, listed := make([]Interval, intervals), make([]Page, pages)
	for i := range all {
		iv := &all[i]
		iv.Node, iv.ID = int32(le.Uint32(b)), le.Uint32(b[4:])
		n := int(le.Uint32(b[8:]))
		b = b[noticeBytes:]
		iv.Pages, listed = listed[:n:n], listed[n:]
		for j := range iv.Pages {
			iv.Pages[j] = Page(le.Uint32(b))
			b = b[pageBytes:]
		}
		list = append(list, iv)
	}
	return list, nil
}
