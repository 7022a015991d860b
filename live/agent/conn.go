package agent

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/live"
)

// silence is how long the other side may say nothing, or take to let this one write. Each says that it
// is alive much more often.
const silence = 10 * time.Second

// port is where agents listen unless the user says otherwise.
const port = "7717"

// Address adds the port to HOST. It leaves HOST:PORT as it is. An address of version 6 may stand in brackets.
func Address(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

// conn is a control connection. Any goroutine may send; one at a time receives.
type conn struct {
	tls *tls.Conn
	// Of the connection: a frame is read in two parts.
	in *bufio.Reader
	// Bounds the handshake, and each read and write.
	silence time.Duration
	mu      sync.Mutex // of what follows, and of writing
	// The frame of send. It is kept so that each send need not allocate one.
	out  []byte
	over bool // the last message has been sent
}

// greet makes a control connection of one to the other side, which has to have the same key and to
// speak the same version.
func greet(ctx context.Context, t *tls.Conn, mine hello, silence time.Duration) (*conn, error) {
	c := &conn{tls: t, in: bufio.NewReader(t), silence: silence}
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	// The handshake checks the key; see Key.config.
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, explain(err, silence)
	}
	if err := c.send(mine); err != nil {
		return nil, explain(err, silence)
	}
	m, err := c.receive()
	if err != nil {
		return nil, explain(err, silence)
	}
	switch theirs := m.(type) {
	case failure:
		// The other side has said why it does not go on.
		return nil, errors.New(theirs.Why)
	case hello:
		if theirs.Protocol == mine.Protocol {
			return c, nil
		}
		return nil, fmt.Errorf("it speaks version %d of the protocol (sigview %s), and this side version %d (sigview %s)",
			theirs.Protocol, theirs.Version, mine.Protocol, mine.Version)
	}
	return nil, fmt.Errorf("it begins with a frame of kind %d", m.kind())
}

// thisSide is what this side says first: its version of the protocol and of sigview.
func thisSide() hello { return hello{wireVersion, version.Tool()} }

// worded is an error of a connection in words.
type worded struct {
	text string
	err  error
}

// Error returns the words alone; Unwrap keeps the cause, by which callers decide.
func (w *worded) Error() string { return w.text }
func (w *worded) Unwrap() error { return w.err }

// explain puts errors of connections into words. They speak of the other side as it, so that a caller can put
// its name before.
func explain(err error, silence time.Duration) error {
	var other tls.RecordHeaderError
	var remote *net.OpError
	switch {
	case errors.Is(err, errOtherKey):
		return errOtherKey
	case errors.As(err, &other):
		return &worded{"it does not speak TLS: it is another program", err}
	// The other side's alert: it has refused our certificate.
	case errors.As(err, &remote) && remote.Op == "remote error" && remote.Err.Error() == "tls: bad certificate":
		return &worded{"it refuses the key of this side, because it has another one", err}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return &worded{fmt.Sprintf("it has said nothing for %v", silence), err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &worded{"it has closed the connection", err}
	}
	return err
}

// send sends a message. Any goroutine may. After the last message it does nothing. It returns an error if the
// message is too long, or if the other side does not let it write within silence.
func (c *conn) send(m message) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// What comes after the last message would not be read.
	if c.over {
		return nil
	}
	if c.out, err = appendFrame(c.out[:0], m); err != nil {
		return err
	}
	if err := c.tls.SetWriteDeadline(time.Now().Add(c.silence)); err != nil {
		return err
	}
	_, err = c.tls.Write(c.out)
	return err
}

// receive waits for a message, for silence at the longest.
func (c *conn) receive() (message, error) {
	if err := c.tls.SetReadDeadline(time.Now().Add(c.silence)); err != nil {
		return nil, err
	}
	return readFrame(c.in)
}

// next waits for a message of one kind. Before it the other side only says that it is alive. Anything else is
// an error.
func next[M message](c *conn) (M, error) {
	for {
		m, err := c.receive()
		if err != nil {
			var none M
			return none, explain(err, c.silence)
		}
		switch m := m.(type) {
		case M:
			return m, nil
		case alive:
		default:
			var none M
			return none, fmt.Errorf("it has sent a frame of kind %d, want %d", m.kind(), none.kind())
		}
	}
}

// last sends the last message, and waits until the other side has read it and closes the connection:
// what is still to be read when a connection is closed would take the message with it.
func (c *conn) last(m message) {
	defer c.close()
	err := c.send(m)
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	// The other side closes the connection when it has read all.
	if err == nil && c.tls.CloseWrite() == nil && c.tls.SetReadDeadline(time.Now().Add(c.silence)) == nil {
		// Not more than a frame: a peer that goes on sending is not heard out.
		_, _ = io.Copy(io.Discard, io.LimitReader(c.tls, mostFrame))
	}
}

// close ends the connection at once, without the farewell of TLS, for which a dead peer would have to be waited
// for.
func (c *conn) close() { _ = c.tls.NetConn().Close() }

// way returns the addresses of both ends, by which messages go too.
func (c *conn) way() live.Way {
	return live.Way{Here: address(c.tls.LocalAddr()), There: address(c.tls.RemoteAddr())}
}

// ends returns the address and the port of an end of a TCP connection.
func ends(a net.Addr) netip.AddrPort {
	at := a.(*net.TCPAddr).AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
}

// address returns the address of an end of a TCP connection, of version 4 if it can be.
func address(a net.Addr) netip.Addr { return a.(*net.TCPAddr).AddrPort().Addr().Unmap() }
