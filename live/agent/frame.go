package agent

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/watch"
)

// wireVersion is the version of what agents and sigview live say to each other. Both sides have to have the
// same one; greet refuses others.
const wireVersion = 6

// A frame is the length of its body, its kind and the body. Bodies are JSON, except those of records
// and of schedules.
const (
	// Four bytes of length, big-endian, and the kind.
	frameHeader = 5
	mostFrame   = 64 << 10 // bytes of a body
)

// kind is what a frame is for. A session has these frames, in this order; the agent sends those on the left,
// node 0 those on the right.
//
//	hello      hello      both at once; the versions have to be equal
//	           setup      node, specification and addresses of peers
//	opened                ports of the agent's sockets
//	           schedule   of a replay only, until setup.Messages messages have come
//	           connect    ports of all nodes
//	connected
//	records               of what the node receives and sends, from now on
//	           start
//	driven                the node has sent all of its messages
//	           stop
//	ended                 after the last records; then the connection is closed
//
// A session that watches programs (setup.Watch) has these after start, and no records:
//
//	           follow     which messages are to be followed
//	followed              it is so
//	halves                of messages, from now on
//	told, counted         after stop, before ended: what was counted, and a histogram each
//
// alive comes between any two, every aliveEvery. failure is the agent's last frame, in place of any of its
// others.
type kind uint8

const (
	// Numbers are part of the protocol: new kinds go to the end.
	isHello kind = iota + 1
	isFailure
	isAlive
	isSetup
	isOpened
	isConnect
	isConnected
	isStart
	isDriven
	isStop
	isRecords
	isEnded
	isSchedule
	isFollow
	isFollowed
	isHalves
	isTold
	isCounted
	// One more than the largest kind.
	kinds
)

// message is the body of a frame. Each type is of one kind.
type message interface{ kind() kind }

type (
	// hello is the first frame of each side. It may have fields that this version does not know.
	hello struct {
		Protocol int    `json:"protocol"`
		Version  string `json:"version"` // of sigview
	}
	// failure says why the side that sends it does not go on.
	failure struct {
		Why string `json:"why"`
	}
	// alive comes from each side all the time. An agent counts the messages that it has sent.
	alive struct {
		Sent int64 `json:"sent,omitempty"`
	}
	// setup says what the agent is to measure, as which node.
	setup struct {
		live.Setup
		Peers    []netip.Addr `json:"peers"`              // by node; none for node 0 and the agent itself
		Messages int          `json:"messages,omitempty"` // in the schedules that follow
		Watch    *watch.Asked `json:"watch,omitempty"`    // what programs do is watched, and the node exchanges no messages
	}
	// opened answers setup: the sockets are open.
	opened struct {
		Ports live.Ports `json:"ports"`
		Host  live.Host  `json:"host"`
		// Of a watch: by which it is reached, and what tells whether it is the same host.
		Addresses []netip.Addr `json:"addresses,omitempty"`
		Boot      string       `json:"boot,omitempty"`
		// The ends of the control connection as the agent sees them: its own and that of node 0.
		Own   netip.AddrPort `json:"own"`
		Node0 netip.AddrPort `json:"node0"`
	}
	// schedule is the next part of what the agent is to send, if a run is replayed.
	schedule struct{ messages []live.Message }
	// connect tells the ports of all nodes.
	connect struct {
		Ports []live.Ports `json:"ports"` // by node
	}
	connected struct{} // answers connect
	start     struct{} // the agent begins to send of its own accord
	driven    struct{} // it has sent all that
	stop      struct{} // the agent ends and answers with ended
	// The node's own number is not sent; see hear.
	records struct{ live.Batch }
	ended   struct{ live.Counts } // after the last records

	follow struct {
		Phase watch.Phase `json:"phase"`
	}
	followed struct{} // answers follow
	halves   struct{ all []watch.Half }
	told     struct{ watch.Told } // without histograms
	counted  struct{ watch.ToldHistogram }
)

// Each type of message is of one kind, whose decoding is in decode.
func (hello) kind() kind     { return isHello }
func (failure) kind() kind   { return isFailure }
func (alive) kind() kind     { return isAlive }
func (setup) kind() kind     { return isSetup }
func (opened) kind() kind    { return isOpened }
func (connect) kind() kind   { return isConnect }
func (connected) kind() kind { return isConnected }
func (start) kind() kind     { return isStart }
func (driven) kind() kind    { return isDriven }
func (stop) kind() kind      { return isStop }
func (records) kind() kind   { return isRecords }
func (ended) kind() kind     { return isEnded }
func (schedule) kind() kind  { return isSchedule }
func (follow) kind() kind    { return isFollow }
func (followed) kind() kind  { return isFollowed }
func (halves) kind() kind    { return isHalves }
func (told) kind() kind      { return isTold }
func (counted) kind() kind   { return isCounted }

// appendFrame appends the frame of a message. It returns an error for a body of more than mostFrame bytes.
func appendFrame(b []byte, m message) ([]byte, error) {
	// b may hold frames before this one.
	at := len(b)
	// The length is known when the body is written.
	b = append(b, 0, 0, 0, 0, byte(m.kind()))
	switch m := m.(type) {
	case records:
		b = appendRecords(b, m.Batch)
	case schedule:
		b = appendSchedule(b, m.messages)
	case halves:
		b = appendHalves(b, m.all)
	default:
		body, err := json.Marshal(m)
		if err != nil {
			return nil, err
		}
		b = append(b, body...)
	}
	n := len(b) - at - frameHeader
	if n > mostFrame {
		return nil, fmt.Errorf("a frame of %d bytes, want at most %d", n, mostFrame)
	}
	binary.BigEndian.PutUint32(b[at:], uint32(n))
	return b, nil
}

// readFrame reads a message. It returns an error for a length or a kind that no frame has, before it takes
// memory for the body.
func readFrame(r io.Reader) (message, error) {
	var header [frameHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, err
	}
	// Checked before anything is allocated: the other side may be anybody who has the key.
	n, k := binary.BigEndian.Uint32(header[:]), kind(header[4])
	if n > mostFrame {
		return nil, fmt.Errorf("a frame of %d bytes, want at most %d", n, mostFrame)
	}
	if k == 0 || k >= kinds {
		return nil, fmt.Errorf("a frame of kind %d", k)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	return decode(k, body)
}

// decode reads the body of a frame. Fields that a kind does not have are an error, but in hello, by which
// versions find out that they differ.
func decode(k kind, body []byte) (message, error) {
	switch k {
	case isHello:
		var m hello
		return m, json.Unmarshal(body, &m)
	case isFailure:
		return parse[failure](body)
	case isAlive:
		return parse[alive](body)
	case isSetup:
		return parse[setup](body)
	case isOpened:
		return parse[opened](body)
	case isConnect:
		return parse[connect](body)
	case isConnected:
		return parse[connected](body)
	case isStart:
		return parse[start](body)
	case isDriven:
		return parse[driven](body)
	case isStop:
		return parse[stop](body)
	case isEnded:
		return parse[ended](body)
	case isFollow:
		return parse[follow](body)
	case isFollowed:
		return parse[followed](body)
	case isTold:
		return parse[told](body)
	case isCounted:
		return parse[counted](body)
	case isHalves:
		all, err := parseHalves(body)
		return halves{all}, err
	case isSchedule:
		all, err := parseSchedule(body)
		return schedule{all}, err
	}
	// isRecords is left; readFrame has refused other kinds.
	b, err := parseRecords(body)
	return records{b}, err
}

// parse reads a body that has the fields of M and no others, and nothing behind them.
func parse[M message](body []byte) (message, error) {
	var m M
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("a frame of kind %d: %w", m.kind(), err)
	}
	if d.InputOffset() != int64(len(body)) {
		return m, fmt.Errorf("a frame of kind %d that goes on", m.kind())
	}
	return m, nil
}
