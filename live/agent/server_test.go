package agent

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/stamps"
)

// served is an agent in this process.
type served struct {
	at  string
	end func()
	mu  sync.Mutex
	log strings.Builder
}

func serve(t *testing.T, s *Server) *served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	a := &served{at: l.Addr().String()}
	s.Log = func(text string) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.log.WriteString(text + "\n")
	}
	if s.Limits == (Limits{}) {
		s.Limits = DefaultLimits()
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	a.end = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
	})
	t.Cleanup(a.end)
	return a
}

// said returns what the agent has logged when it has ended.
func (a *served) said() string {
	a.end()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.String()
}

const short = 300 * time.Millisecond

// TestWhoIsRefused: a peer without the key, with another version or without sense gets words, and so
// does the agent's log. Neither side waits for ever.
func TestWhoIsRefused(t *testing.T) {
	key, _ := newKeyFile(t)
	other, _ := newKeyFile(t)
	dialed := func(key *Key, mine hello) func(*testing.T, string) string {
		return func(t *testing.T, at string) string {
			_, err := dial(t.Context(), key, 1, at, mine, silence)
			require.Error(t, err)
			return err.Error()
		}
	}
	raw := func(say string) func(*testing.T, string) string {
		return func(t *testing.T, at string) string {
			c, err := net.Dial("tcp", at)
			require.NoError(t, err)
			defer c.Close()
			_, err = c.Write([]byte(say))
			require.NoError(t, err)
			answer, _ := io.ReadAll(c)
			return string(answer)
		}
	}
	for name, c := range map[string]struct {
		do         func(*testing.T, string) string
		said, told string
	}{
		"another key": {dialed(other, thisSide()), "it refuses the key of this side, because it has another one", "it has another key"},
		"a newer version": {
			dialed(key, hello{99, "9.9.9"}), fmt.Sprintf("it speaks version 99 of the protocol (sigview 9.9.9), and this side version %d (sigview 0.1.0-dev", wireVersion),
			fmt.Sprintf("it speaks version %d of the protocol (sigview 0.1.0-dev", wireVersion),
		},
		"silence":   {raw(""), "it has said nothing for 300ms", ""},
		"SSH":       {raw("SSH-2.0-OpenSSH_9.9\r\n"), "it does not speak TLS: it is another program", "This is an agent of sigview"},
		"gone":      {func(t *testing.T, at string) string { c, _ := net.Dial("tcp", at); c.Close(); return "" }, "it has closed the connection", ""},
		"plain TLS": {plainTLS, "client didn't provide a certificate", "bad certificate"},
		"HTTP": {func(t *testing.T, at string) string {
			answer, err := http.Get("http://" + at)
			require.NoError(t, err)
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.Equal(t, http.StatusBadRequest, answer.StatusCode)
			return string(text)
		}, "it does not speak TLS: it is another program", "This is an agent of sigview"},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, &Server{Key: key, silence: short})
			told := c.do(t, a.at)
			require.Contains(t, told, c.told)
			require.Eventually(t, func() bool {
				a.mu.Lock()
				defer a.mu.Unlock()
				return strings.Contains(a.log.String(), c.said)
			}, time.Minute, time.Millisecond, "want %q", c.said)
			require.Contains(t, a.said(), "refused: ")
		})
	}
}

func plainTLS(t *testing.T, at string) string {
	c, err := tls.Dial("tcp", at, &tls.Config{InsecureSkipVerify: true})
	require.NoError(t, err)
	defer c.Close()
	_, err = c.Read(make([]byte, 1))
	require.Error(t, err)
	return "bad certificate: " + err.Error()
}

// TestWhatIsNoAgent: node 0 says what is wrong at the other end.
func TestWhatIsNoAgent(t *testing.T) {
	key, _ := newKeyFile(t)
	for want, answer := range map[string]func(net.Conn){
		"it has said nothing for 300ms":                func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"it does not speak TLS: it is another program": func(c net.Conn) { _, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n") },
		"it has closed the connection":                 func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) },
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		go func() {
			if c, err := l.Accept(); err == nil {
				answer(c)
				c.Close()
			}
		}()
		_, err = dial(t.Context(), key, 1, l.Addr().String(), thisSide(), short)
		require.ErrorContains(t, err, "agent "+l.Addr().String()+": "+want)
		require.NoError(t, l.Close())
		_, err = dial(t.Context(), key, 1, l.Addr().String(), thisSide(), short)
		require.ErrorContains(t, err, "connection refused")
	}
}

// TestRubbish: connections with random bytes, with and without the key, change nothing.
func TestRubbish(t *testing.T) {
	key, _ := newKeyFile(t)
	a := serve(t, &Server{Key: key})
	random := rand.New(rand.NewPCG(3, 4))
	for range testlong.Pick(200, 2000) {
		c, err := net.Dial("tcp", a.at)
		require.NoError(t, err)
		b := make([]byte, random.IntN(300))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		if random.IntN(2) == 0 {
			_, _ = c.Write(b)
		} else if config, err := key.config(); err == nil {
			k, err := greet(t.Context(), tls.Client(c, config), thisSide(), silence)
			require.NoError(t, err)
			_, _ = k.tls.Write(b)
		}
		c.Close()
	}
	_, err := Between(t.Context(), small(live.PingPong, stamps.UDP), key, []string{a.at}, nil)
	require.NoError(t, err)
}

// TestSilentNode: a session whose node 0 says nothing any more ends.
func TestSilentNode(t *testing.T) {
	key, _ := newKeyFile(t)
	a := serve(t, &Server{Key: key, silence: short})
	config, err := key.config()
	require.NoError(t, err)
	raw, err := net.Dial("tcp", a.at)
	require.NoError(t, err)
	defer raw.Close()
	c, err := greet(t.Context(), tls.Client(raw, config), thisSide(), silence)
	require.NoError(t, err)
	_, err = next[opened](c)
	require.ErrorContains(t, err, "a frame of kind 2")
	require.Contains(t, a.said(), "the session has failed: it has said nothing for 300ms")
}

// TestLimits: an agent refuses what it does not allow, and ends what lasts too long.
func TestLimits(t *testing.T) {
	key, _ := newKeyFile(t)
	for want, limits := range map[string]Limits{
		"2000 messages a second are more than the 1000 that this agent allows (--most-rate)": {1000, time.Hour, 1 << 20},
		"messages of 1m40s are longer than the 10s that this agent allows (--most-duration)": {1e5, 10 * time.Second, 1 << 20},
	} {
		a := serve(t, &Server{Key: key, Limits: limits})
		spec := small(live.Stream, stamps.UDP)
		spec.Count, spec.Warm = 100_000, 0
		_, err := Between(t.Context(), spec, key, []string{a.at}, nil)
		require.ErrorContains(t, err, "agent "+a.at+": "+want)
	}
	reluctant := serve(t, &Server{Key: key, Limits: Limits{live.LeastRate - 1, time.Hour, 1 << 20}})
	_, err := LogP(t.Context(), live.Default(), live.Sweep, key, reluctant.at, nil)
	require.EqualError(t, err, "agent "+reluctant.at+": LogP parameters take 512 messages a second, more than the 511 that this agent allows (--most-rate)")
	const s = 1_000_000_000
	dir := written(t, 2, packet(1, 0, 0, 64), packet(1, 0, s, 64), packet(1, 0, 2*s-1, 64), packet(0, 1, 9*s, 64), packet(1, 0, 5000*s, 64))
	for want, limits := range map[string]Limits{
		"within a second there are more messages than the 1 that this agent allows (--most-rate)":          {1, 2 * time.Hour, 1 << 20},
		"messages of 1h23m20s are longer than the 1h0m0s that this agent allows (--most-duration)":         {2, time.Hour, 1 << 20},
		"a schedule of 4 messages takes 96 bytes, more than the 95 that this agent allows (--most-memory)": {2, 2 * time.Hour, 95},
	} {
		a := serve(t, &Server{Key: key, Limits: limits})
		_, err := Between(t.Context(), replay(dir, stamps.UDP), key, []string{a.at}, nil)
		require.ErrorContains(t, err, "agent "+a.at+": "+want)
	}
	a := serve(t, &Server{Key: key, Limits: Limits{1e5, time.Second, 1 << 20}})
	spec := small(live.PingPong, stamps.UDP)
	spec.Count = 100_000_000
	_, err = Between(t.Context(), spec, key, []string{a.at}, nil)
	require.ErrorContains(t, err, "the session has lasted 1s, as long as this agent allows (--most-duration)")
}

// TestSlowCollector: an agent whose records are not taken waits with a bounded number of them, and
// loses none.
func TestSlowCollector(t *testing.T) {
	s := &session{queue: make(chan live.Batch, Limits{Memory: 100_000}.batches())}
	s.ctx, s.fail = context.WithCancelCause(t.Context())
	require.Equal(t, 1, cap(s.queue))
	var batch live.Batch
	for i := range 5000 {
		batch.Sent = append(batch.Sent, live.Sending{Bytes: i})
		batch.Received = append(batch.Received, live.Receipt{Bytes: -i})
	}
	go func() {
		s.take(batch)
		close(s.queue)
	}()
	sent, received := 0, 0
	for b := range s.queue {
		time.Sleep(time.Millisecond)
		require.LessOrEqual(t, len(b.Sent)+len(b.Received), mostRecords)
		for _, x := range b.Sent {
			require.Equal(t, sent, x.Bytes)
			sent++
		}
		for _, x := range b.Received {
			require.Equal(t, -received, x.Bytes)
			received++
		}
	}
	require.Equal(t, []int{5000, 5000}, []int{sent, received})
	require.Positive(t, s.waited.Load())
}

// TestNonsense: what a node 0 with the key may not ask for is refused with words, and the agent goes on.
func TestNonsense(t *testing.T) {
	key, _ := newKeyFile(t)
	a := serve(t, &Server{Key: key})
	config, err := key.config()
	require.NoError(t, err)
	spec := small(live.PingPong, stamps.TCP)
	good := setup{Setup: live.Setup{Spec: spec, Node: 1, Nodes: 2}, Peers: make([]netip.Addr, 2)}
	again, most, other := good, good, good
	again.Spec.Pattern, again.Spec.Replayed, again.Spec.Stretch, again.Messages = live.Replay, "run", 1, 2
	most = again
	most.Messages, other.Messages = math.MaxInt, 1
	messages := func(all ...live.Message) []message { return []message{again, schedule{all}} }
	long, none, many, mirror := good, good, good, good
	mirror.Mirror, mirror.Spec.Pattern = true, live.Stream
	long.Spec.Sizes, none.Node, many.Nodes = []int64{live.Most + 1}, 0, 3
	for want, say := range map[string][]message{
		"sizes_bytes is 60001, want 16 to 60000 bytes": {long},
		"node 0 of 2":                     {none},
		"nodes is 3, want 2 for pingpong": {many},
		"pattern is stream, want pingpong for LogP parameters":                      {mirror},
		"ports that are not of 2 nodes":                                             {good, connect{}},
		"it has sent a frame of kind 8":                                             {start{}},
		"it has sent a frame of kind 10":                                            {good, stop{}},
		"it has sent a frame of kind 6":                                             {again, connect{}},
		"it has sent a frame of kind 13":                                            {good, schedule{}},
		fmt.Sprintf("messages is %d, want 0 to 1000000, and 0 unless", math.MaxInt): {most},
		"messages is 1, want 0 to 1000000, and 0 unless":                            {other},
		"schedule[1].at is 4, want at least 5":                                      messages(live.Message{At: 5, Bytes: 64}, live.Message{At: 4, Bytes: 64}),
		"schedule[0].at is -9223372036854775808, want at least 0":                   messages(live.Message{At: -1 << 63, Bytes: 64}, live.Message{At: 4, Bytes: 64}),
		"schedule[1].to is 1, want another node than 1 of 2":                        messages(live.Message{Bytes: 64}, live.Message{To: 1, Bytes: 64}),
		"schedule[1].to is 2, want another node than 1 of 2":                        messages(live.Message{Bytes: 64}, live.Message{To: 2, Bytes: 64}),
		"schedule[1].bytes is 15, want 16 to 60000 bytes":                           messages(live.Message{Bytes: 64}, live.Message{Bytes: 15}),
		"a schedule of 3 messages, where 2 were to come":                            messages(live.Message{}, live.Message{}, live.Message{}),
	} {
		raw, err := net.Dial("tcp", a.at)
		require.NoError(t, err)
		c, err := greet(t.Context(), tls.Client(raw, config), thisSide(), silence)
		require.NoError(t, err)
		for _, m := range say {
			require.NoError(t, c.send(m))
		}
		if len(say) > 1 {
			_, err = next[opened](c)
			require.NoError(t, err)
		}
		var got message = alive{}
		for ; got.kind() == isAlive; got, err = c.receive() {
			require.NoError(t, err)
		}
		require.Contains(t, got.(failure).Why, want)
		require.NoError(t, raw.Close())
	}
	_, err = Between(t.Context(), small(live.PingPong, stamps.UDP), key, []string{a.at}, nil)
	require.NoError(t, err)
}
