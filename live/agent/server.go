package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Server is an agent, which lets one sigview live at a time use this host as a node.
type Server struct {
	Key    *Key
	Limits Limits
	// Log gets what happens, in words.
	Log func(string)

	// Zero values stand for those of thisSide and silence: tests set others.
	silence time.Duration
	hello   hello
	config  *tls.Config
	session chan struct{} // full while there is a session
	mu      sync.Mutex
	peer    string // of that session
}

// mostStrangers is how many connections may be open that have not shown the key.
const mostStrangers = 32

// Serve serves connections until ctx ends, and closes the listener. It returns an error if the key makes no
// certificate, or if somebody else closes the listener.
func (a *Server) Serve(ctx context.Context, l net.Listener) (err error) {
	if a.config, err = a.Key.config(); err != nil {
		return err
	}
	a.session = make(chan struct{}, 1)
	if a.silence == 0 {
		a.silence = silence
	}
	if a.hello == (hello{}) {
		a.hello = thisSide()
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	var group sync.WaitGroup
	// Sessions end with ctx; Serve returns after the last one.
	defer group.Wait()
	strangers := make(chan struct{}, mostStrangers)
	for {
		raw, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		// Not by us: ctx goes on.
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil: // too many files, or a peer that has gone again
			a.Log(err.Error())
			time.Sleep(100 * time.Millisecond)
			continue
		}
		select {
		// More wait in the kernel until one of these has shown the key or has gone.
		case strangers <- struct{}{}:
		case <-ctx.Done():
			return raw.Close()
		}
		group.Go(func() {
			defer raw.Close()
			// Until it has shown the key, a connection counts as a stranger.
			known, err := a.meet(ctx, raw)
			<-strangers
			if err != nil {
				a.Log(fmt.Sprintf("%v: refused: %v", raw.RemoteAddr(), err))
				return
			}
			a.serve(ctx, known)
		})
	}
}

// meet makes a control connection of a connection, whoever has made it. A program that does not speak TLS, as a
// browser, gets an answer that it can show.
func (a *Server) meet(ctx context.Context, raw net.Conn) (*conn, error) {
	c, err := greet(ctx, tls.Server(raw, a.config), a.hello, a.silence)
	var other tls.RecordHeaderError
	if err != nil && errors.As(err, &other) {
		_ = raw.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = raw.Write([]byte("HTTP/1.0 400 Bad Request\r\nConnection: close\r\n\r\nThis is an agent of sigview, which talks to sigview live only.\n"))
	}
	return c, err
}

// serve serves a session, unless there is another one. One that is about to end is waited for.
func (a *Server) serve(ctx context.Context, c *conn) {
	peer := c.tls.RemoteAddr().String()
	select {
	// The session is this one's until it is taken out again.
	case a.session <- struct{}{}:
	case <-time.After(a.silence / 10):
		a.mu.Lock()
		err := fmt.Errorf("it is busy with a session of %s", a.peer)
		a.mu.Unlock()
		a.Log(fmt.Sprintf("%s: refused: %v", peer, err))
		// The other side reads who has the agent.
		c.last(failure{err.Error()})
		return
	}
	defer func() { <-a.session }()
	a.mu.Lock()
	a.peer = peer
	a.mu.Unlock()
	if err := serveSession(ctx, c, a.Limits, func(s string) { a.Log(peer + ": " + s) }); err != nil {
		a.Log(fmt.Sprintf("%s: the session has failed: %v", peer, err))
		return
	}
	a.Log(peer + ": the session has ended")
}
