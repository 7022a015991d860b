package svm

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/trace"
)

// The wire format of a message, little-endian: a header of 20 bytes (kind, 8 bits
// of zero, number of versions in 16 bits, page or lock or barrier, interested
// node, interval or epoch, span in 32 bits each), 8 bytes per version (node,
// interval), 12 bytes per write notice (node, interval, number of runs) and 8 per
// run (first page, count), or the diff. A page is sent separately, straight
// into the frame that waits for it; the message after it is its PageReply without
// the page.
const (
	headerBytes  = 20
	versionBytes = 8
	noticeBytes  = 12
	runBytes     = 8
)

// flagHome marks a PageReply that makes its receiver the home.
const flagHome = 1

// Append appends the message in wire format to b.
func (m *Message) Append(b []byte) []byte {
	list, a, c := m.Time, m.ID, m.Epoch
	switch m.Kind {
	case trace.PageRequest:
		list, a, c = m.Required, uint32(m.Page), 0
	case trace.PageReply:
		list, a, c = nil, uint32(m.Page), 0
		if m.Frame == nil {
			c = flagHome
		}
	case trace.Diff:
		list, a, c = nil, uint32(m.Page), m.Interval
	}
	if len(list) > 1<<16-1 {
		panic(fmt.Sprintf("svm: message %v with %d versions", m.Kind, len(list)))
	}
	le := binary.LittleEndian
	b = append(b, byte(m.Kind), 0)
	b = le.AppendUint16(b, uint16(len(list)))
	b = le.AppendUint32(b, a)
	b = le.AppendUint32(b, uint32(m.Node))
	b = le.AppendUint32(b, c)
	b = le.AppendUint32(b, uint32(m.Span))
	for _, v := range list {
		b = le.AppendUint32(b, uint32(v.Node))
		b = le.AppendUint32(b, v.Interval)
	}
	for _, iv := range m.Notices {
		b = le.AppendUint32(b, uint32(iv.Node))
		b = le.AppendUint32(b, iv.ID)
		b = le.AppendUint32(b, uint32(len(iv.Pages)))
		for _, r := range iv.Pages {
			b = le.AppendUint32(b, uint32(r.First))
			b = le.AppendUint32(b, r.Count)
		}
	}
	return append(b, m.Diff...)
}

// Decode reads a message from node from to node to in a system of the given
// number of nodes. It reuses m's lists where it can; Diff points into b. The
// caller fills in the frame of a page reply; home reports that it has none. An
// error names the field, its value and what was wanted.
func (m *Message) Decode(b []byte, from, to, nodes int) (home bool, err error) {
	if len(b) < headerBytes {
		return false, fmt.Errorf("svm: message of %d bytes from node %d, want at least %d", len(b), from, headerBytes)
	}
	le := binary.LittleEndian
	kind, count := trace.Kind(b[0]), int(le.Uint16(b[2:]))
	a, node, c := le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])
	*m = Message{Kind: kind, Span: trace.Span(le.Uint32(b[16:])), From: from, To: to, Node: int(node), Required: m.Required[:0], Time: m.Time[:0], Notices: m.Notices[:0]}
	bad := func(field string, value any, want string) (bool, error) {
		return false, fmt.Errorf("svm: %v message from node %d: %s = %v, want %s", kind, from, field, value, want)
	}
	if b[1] != 0 {
		return bad("reserved byte", b[1], "0")
	}
	if int64(node) >= int64(nodes) {
		return bad("node", node, fmt.Sprintf("less than %d", nodes))
	}
	rest := b[headerBytes:]
	if len(rest) < count*versionBytes {
		return bad("bytes after the header", len(rest), fmt.Sprintf("%d for %d versions", count*versionBytes, count))
	}
	list := m.Time
	if kind == trace.PageRequest {
		list = m.Required
	}
	list, rest, err = decodeVersions(list, rest, count, nodes)
	if err != nil {
		return bad("version", err, "a known node")
	}
	switch kind {
	case trace.PageRequest:
		m.Page, m.Required = Page(a), list
	case trace.PageReply:
		m.Page, home = Page(a), c == flagHome
		if c > flagHome || count != 0 {
			return bad("flags", c, "0 or 1")
		}
	case trace.Diff:
		m.Page, m.Interval, m.Diff = Page(a), c, rest
		if count != 0 {
			return bad("versions", count, "none")
		}
		return false, nil
	case trace.LockRequest, trace.LockForward:
		m.ID, m.Epoch, m.Time = a, c, list
	case trace.LockGrant, trace.BarrierArrive, trace.BarrierRelease:
		m.ID, m.Epoch, m.Time = a, c, list
		if m.Notices, err = decodeNotices(m.Notices, rest); err != nil {
			return bad("write notices", err, "whole ones")
		}
		return false, nil
	default:
		return bad("kind", kind, "one of the protocol's")
	}
	if len(rest) != 0 {
		return bad("bytes after the end", len(rest), "none")
	}
	return home, nil
}

func decodeVersions(list []Version, b []byte, count, nodes int) ([]Version, []byte, error) {
	for range count {
		v := Version{int32(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint32(b[4:])}
		if v.Node < 0 || int(v.Node) >= nodes {
			return nil, nil, fmt.Errorf("node %d of %d", v.Node, nodes)
		}
		list = append(list, v)
		b = b[versionBytes:]
	}
	return list, b, nil
}

// decodeNotices makes two allocations for all notices of a message, because the
// next barrier discards them together.
func decodeNotices(list []*Interval, b []byte) ([]*Interval, error) {
	le := binary.LittleEndian
	intervals, runs := 0, 0
	for at := 0; at < len(b); {
		if len(b)-at < noticeBytes {
			return nil, fmt.Errorf("%d bytes left", len(b)-at)
		}
		n := int64(le.Uint32(b[at+8:]))
		at += noticeBytes
		if int64(len(b)-at) < n*runBytes {
			return nil, fmt.Errorf("%d runs in %d bytes", n, len(b)-at)
		}
		intervals, runs, at = intervals+1, runs+int(n), at+int(n)*runBytes
	}
	all, pages := make([]Interval, intervals), make([]Run, runs)
	for i := range all {
		iv := &all[i]
		iv.Node, iv.ID = int32(le.Uint32(b)), le.Uint32(b[4:])
		n := int(le.Uint32(b[8:]))
		b = b[noticeBytes:]
		iv.Pages, pages = pages[:n:n], pages[n:]
		for j := range iv.Pages {
			iv.Pages[j] = Run{Page(le.Uint32(b)), le.Uint32(b[4:])}
			b = b[runBytes:]
		}
		list = append(list, iv)
	}
	return list, nil
}
