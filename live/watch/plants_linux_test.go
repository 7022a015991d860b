package watch

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/trace"
)

// plant is something that makes the messages of a client to a server in another namespace wait.
type plant struct {
	name   string
	what   trace.Cause
	says   string // in the report
	stage  trace.Stage
	lay    func(*testing.T, testnet.Namespaces)
	client func(c *net.TCPConn, planted bool) error // sends messages
	listen func(l net.Listener, planted bool) error
	pieces int // bytes that the server reads before it answers
}

// TestPlants: what is planted between two namespaces is in its stage, and its cause is named. Without it the cause is not.
func TestPlants(t *testing.T) {
	able(t)
	for _, p := range []plant{
		{name: "loss", what: trace.SentAgain, says: "Net: TCP has sent", stage: trace.Net, lay: lossy, client: asks(200, 1000), pieces: 1000},
		{name: "loss after arrival", what: trace.SegmentsDropped, says: "(TC_INGRESS).", stage: trace.Dest, lay: lossyBehind, client: asks(200, 1000), pieces: 1000},
		{name: "cork", what: trace.HeldByCork, says: "corked", stage: trace.Source, client: func(c *net.TCPConn, planted bool) error {
			if planted {
				if err := option(c, unix.TCP_CORK, 1); err != nil {
					return err
				}
			}
			return asks(20, 100)(c, planted)
		}, pieces: 100},
		{name: "Nagle's algorithm and a late acknowledgement", what: trace.HeldByNagle, says: "Nagle", stage: trace.Source, client: func(c *net.TCPConn, planted bool) error {
			if err := c.SetNoDelay(!planted); err != nil {
				return err
			}
			message := make([]byte, 10)
			for range 40 {
				for range 2 {
					if _, err := c.Write(message); err != nil {
						return err
					}
				}
				if _, err := c.Read(message); err != nil {
					return err
				}
			}
			return nil
		}, pieces: 20},
		{name: "a small receive buffer", what: trace.HeldByWindow, says: "receiver's window", stage: trace.Source, listen: func(l net.Listener, planted bool) error {
			if !planted {
				return nil
			}
			raw, err := l.(*net.TCPListener).SyscallConn()
			if err != nil {
				return err
			}
			return errors.Join(raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) }), err)
		}, client: asks(100, 30_000), pieces: 30_000},
		{name: "a full window of congestion", what: trace.HeldByCongestion, says: "window of congestion full", stage: trace.Source, lay: func(t *testing.T, n testnet.Namespaces) {
			n.Run(t, 1, "tc qdisc add dev eth0 root tbf rate 20kbit burst 200 limit 1000000") // of acknowledgements
		}, client: func(c *net.TCPConn, _ bool) error {
			for range 60 {
				if _, err := c.Write(make([]byte, 5000)); err != nil {
					return err
				}
			}
			_, err := c.Read(make([]byte, 1))
			return err
		}, pieces: 300_000},
	} {
		t.Run(p.name, func(t *testing.T) {
			free, held := p.watched(t, false), p.watched(t, true)
			was, is := meansOf(free), meansOf(held)
			t.Logf("means in ns: %v, with %s %v; %+v %q; before: %+v %q", was, p.name, is, seenIn(held, p.what), analysis.Seen(held.Manifest.Seen), seenIn(free, p.what), analysis.Seen(free.Manifest.Seen))
			require.Contains(t, said(held), p.says)
			require.NotContains(t, said(free), p.says)
			for s := range is {
				if trace.Stage(s) != p.stage {
					require.Greater(t, is[p.stage]-was[p.stage], is[s]-was[s], "%v", trace.Stage(s))
				}
			}
		})
	}
}

// watched returns the run of a client and a server that answers, with what is planted or without it.
func (p *plant) watched(t *testing.T, planted bool) *trace.Run {
	n := testnet.New(t)
	if planted && p.lay != nil {
		p.lay(t, n)
	}
	var l net.Listener
	n.Inside(t, 1, func() (err error) { l, err = net.Listen("tcp4", "10.8.0.2:7"); return err })
	if p.listen != nil {
		require.NoError(t, p.listen(l, planted))
	}
	return serveAt(t, l, func() (c net.Conn, err error) {
		n.Inside(t, 0, func() (err error) { c, err = net.Dial("tcp4", l.Addr().String()); return err })
		return c, nil
	}, func(c *net.TCPConn) error { return answer(c, p.pieces) }, func(c *net.TCPConn) error { return p.client(c, planted) })
}

// answer answers so many bytes with one, until the connection ends.
func answer(c net.Conn, bytes int) error {
	for message := make([]byte, bytes); ; {
		if _, err := io.ReadFull(c, message); err != nil {
			return nil
		}
		if _, err := c.Write(message[:1]); err != nil {
			return err
		}
	}
}

// asks sends messages of a size, each after the answer to the one before.
func asks(messages, bytes int) func(*net.TCPConn, bool) error {
	return func(c *net.TCPConn, _ bool) error {
		message := make([]byte, bytes)
		for range messages {
			if _, err := c.Write(message); err != nil {
				return err
			}
			if _, err := c.Read(message[:1]); err != nil {
				return err
			}
		}
		return nil
	}
}

// option sets an option of TCP.
func option(c *net.TCPConn, name, value int) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	return errors.Join(raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, name, value) }), err)
}

// lossy drops one in 16 packets with more than 500 bytes in the server's driver, before they have arrived.
func lossy(t *testing.T, n testnet.Namespaces) {
	length := asm.Instructions{asm.LoadMem(asm.R6, asm.R1, 4, asm.Word), asm.LoadMem(asm.R7, asm.R1, 0, asm.Word), asm.Sub.Reg(asm.R6, asm.R7)}
	drops(t, n, ebpf.XDP, length, 1, 2, func(card int, p *ebpf.Program) (link.Link, error) {
		return link.AttachXDP(link.XDPOptions{Interface: card, Program: p, Flags: link.XDPDriverMode})
	})
}

// lossyBehind does so after they have arrived.
func lossyBehind(t *testing.T, n testnet.Namespaces) {
	length := asm.Instructions{asm.LoadMem(asm.R6, asm.R1, 0, asm.Word)}
	drops(t, n, ebpf.SchedCLS, length, 2, 0, func(card int, p *ebpf.Program) (link.Link, error) {
		return link.AttachTCX(link.TCXOptions{Interface: card, Program: p, Attach: ebpf.AttachTCXIngress})
	})
}

// drops attaches a program that drops packets at the server, of which it first has the length in R6.
func drops(t *testing.T, n testnet.Namespaces, kind ebpf.ProgramType, length asm.Instructions, drop, pass int32, attach func(int, *ebpf.Program) (link.Link, error)) {
	inServer(t, n, kind, append(length,
		asm.FnGetPrandomU32.Call(),
		asm.And.Imm(asm.R0, 15),
		asm.JNE.Imm(asm.R0, 0, "pass"),
		asm.JLT.Imm(asm.R6, 500, "pass"),
		asm.Mov.Imm(asm.R0, drop),
		asm.Return(),
		asm.Mov.Imm(asm.R0, pass).WithSymbol("pass"),
		asm.Return(),
	), attach)
}

// inServer attaches a program to the server's card.
func inServer(t *testing.T, n testnet.Namespaces, kind ebpf.ProgramType, instructions asm.Instructions, attach func(int, *ebpf.Program) (link.Link, error)) {
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: kind, License: "Dual BSD/GPL", Instructions: instructions})
	require.NoError(t, err)
	t.Cleanup(func() { _ = program.Close() })
	n.Inside(t, 1, func() error {
		card, err := net.InterfaceByName("eth0")
		if err != nil {
			return err
		}
		l, err := attach(card.Index, program)
		if err == nil {
			t.Cleanup(func() { _ = l.Close() })
		}
		return err
	})
}

// meansOf returns those of the stages of messages to the server, in ns.
func meansOf(run *trace.Run) (ns [trace.NumStages]int64) {
	n := int64(0)
	for p := range run.Packets {
		if p.Sender == 0 {
			n++
			for i, v := range [...]int64{p.SourceNs.Value, p.LANaiNs.Value, p.NetNs.Value, p.DestNs.Value} {
				ns[i] += v
			}
		}
	}
	for i := range ns {
		ns[i] /= max(n, 1)
	}
	return ns
}

// TestFullRing: where the receiver's driver takes packets late, the sender's ring gets full and its driver stops its queue.
func TestFullRing(t *testing.T) {
	able(t)
	const says = "the ring of the card was full"
	held, free := flooded(t, late), flooded(t, nil)
	require.Contains(t, said(held), says)
	require.NotContains(t, said(free), says)
	t.Logf("%s\n%q\nNI in ns: %.0f, before %.0f: %s", said(held), held.Manifest.Warnings, meanOf(held, trace.LANai), meanOf(free, trace.LANai), said(free))
	require.Greater(t, meanOf(held, trace.LANai), 10*meanOf(free, trace.LANai))
}

// TestDeferred: packets that are received on a processor which is at work in the kernel wait for that.
func TestDeferred(t *testing.T) {
	able(t)
	if runtime.NumCPU() < 2 {
		testnet.Skip(t, "one processor only")
	}
	const says = "to take packets (softirq)"
	p := plant{client: func(c *net.TCPConn, planted bool) error {
		failed := make(chan error)
		go func() { failed <- errors.Join(onProcessor(1), asks(1000, 1000)(c, planted)) }()
		return <-failed
	}, pieces: 1000}
	free := p.watched(t, false)
	p.lay = steered
	held := p.watched(t, true)
	t.Logf("%s\nbefore %s\nmeans in ns: %v, before %v; %+v, before %+v", said(held), said(free), meansOf(held), meansOf(free), seenIn(held, trace.Deferred), seenIn(free, trace.Deferred))
	require.Contains(t, said(held), says)
	require.NotContains(t, said(free), says)
	require.Greater(t, meansOf(held)[trace.Net], meansOf(free)[trace.Net]+20_000)
}

// onProcessor lets the goroutine run on one processor from now on, in a thread that ends with it.
func onProcessor(cpu int) error {
	runtime.LockOSThread()
	return stay(0, cpu)
}

// stay lets a thread run on one processor; 0: the running one.
func stay(thread, cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(thread, &set)
}

// steered lets the first processor receive what comes to the server, and take none for 100 µs at a time.
func steered(t *testing.T, n testnet.Namespaces) {
	n.Inside(t, 1, func() error {
		out, err := exec.Command("unshare", "-m", "sh", "-c", "mount -t sysfs none /sys && for f in /sys/class/net/eth0/queues/rx-*/rps_cpus; do echo 1 > $f; done").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.SchedCLS, License: "Dual BSD/GPL", Instructions: turning(0, 400_000)})
	require.NoError(t, err)
	over := make(chan struct{})
	var working sync.WaitGroup
	t.Cleanup(func() { close(over); working.Wait(); _ = program.Close() })
	working.Go(func() {
		// Whatever else runs there leaves it the processor.
		if err := errors.Join(onProcessor(0), unix.Setpriority(unix.PRIO_PROCESS, 0, -20)); err != nil {
			t.Error(err)
		}
		for {
			select {
			case <-over:
				return
			default:
			}
			// The kernel receives nothing on the processor while the program runs.
			if _, err := program.Run(&ebpf.RunOptions{Data: make([]byte, 64), Repeat: 100}); err != nil {
				t.Error(err)
				return
			}
		}
	})
}

// said is what the report says of causes.
func said(run *trace.Run) string { return strings.Join(analysis.Seen(run.Manifest.Seen), "\n") }

// flooded returns the run of several senders of datagrams, with what is planted.
func flooded(t *testing.T, lay func(*testing.T, testnet.Namespaces)) *trace.Run {
	const senders = 8 // several have one queue of the card, on both processors
	n := testnet.New(t)
	n.Run(t, 0, "tc qdisc add dev eth0 root tbf rate 20gbit burst 10000000 limit 10000000")
	if lay != nil {
		lay(t, n)
	}
	var s net.PacketConn
	n.Inside(t, 1, func() (err error) { s, err = net.ListenPacket("udp4", "10.8.0.2:7"); return err })
	defer s.Close()
	go func() {
		for message := make([]byte, 1000); ; {
			if _, _, err := s.ReadFrom(message); err != nil {
				return
			}
		}
	}()
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{7}, 1, 0
	return watched(t, spec, func() (err error) {
		failed := make(chan error)
		for range senders {
			var c net.Conn
			n.Inside(t, 0, func() (err error) { c, err = net.Dial("udp4", "10.8.0.2:7"); return err })
			go func() {
				defer c.Close()
				for message, i := make([]byte, 1000), 0; i < 3000; i++ {
					if _, err := c.Write(message); err != nil && !errors.Is(err, unix.ENOBUFS) {
						failed <- err
						return
					}
				}
				failed <- nil
			}()
		}
		for range senders {
			err = errors.Join(err, <-failed)
		}
		return err
	})
}

// meanOf returns that of a stage of all messages, in ns.
func meanOf(run *trace.Run, stage trace.Stage) float64 {
	sum, n := 0.0, int64(0)
	for _, row := range run.Signature {
		if row.Stage == stage && row.Kind == trace.AllKinds {
			sum, n = sum+float64(row.MeanNs.Value*float64(row.Count)), n+row.Count
		}
	}
	return sum / float64(max(n, 1))
}

// late lets the server's driver take about 15 µs for each packet.
func late(t *testing.T, n testnet.Namespaces) {
	inServer(t, n, ebpf.XDP, turning(2, 40_000), func(card int, p *ebpf.Program) (link.Link, error) {
		return link.AttachXDP(link.XDPOptions{Interface: card, Program: p, Flags: link.XDPDriverMode})
	})
}

// turning lets a packet pass after so many turns.
func turning(pass, turns int32) asm.Instructions {
	return asm.Instructions{
		asm.Mov.Imm(asm.R1, turns),
		asm.Sub.Imm(asm.R1, 1).WithSymbol("again"),
		asm.JNE.Imm(asm.R1, 0, "again"),
		asm.Mov.Imm(asm.R0, pass),
		asm.Return(),
	}
}

// TestMigratedReader: a reader that is given a processor with others on it when it is woken is late, and is named. One that stays is not.
func TestMigratedReader(t *testing.T) {
	able(t)
	if runtime.NumCPU() < 2 {
		testnet.Skip(t, "one processor only")
	}
	for range 3 {
		hog := exec.CommandContext(t.Context(), "taskset", "-c", "1", "sh", "-c", "while :; do :; done")
		if err := hog.Start(); err != nil {
			testnet.Skip(t, err.Error())
		}
		defer func() { _, _ = hog.Process.Kill(), hog.Wait() }()
	}
	read := func(planted bool) *trace.Run {
		n := testnet.New(t)
		var l net.Listener
		n.Inside(t, 1, func() (err error) { l, err = net.Listen("tcp4", "10.8.0.2:7"); return err })
		thread := make(chan int, 1)
		return serveAt(t, l, func() (c net.Conn, err error) {
			n.Inside(t, 0, func() (err error) { c, err = net.Dial("tcp4", l.Addr().String()); return err })
			return c, nil
		}, func(c *net.TCPConn) error {
			f, err := c.File()
			if err != nil {
				return err
			}
			defer f.Close()
			fd := int(f.Fd())
			if err := errors.Join(unix.SetNonblock(fd, false), onProcessor(0)); err != nil {
				return err
			}
			thread <- unix.Gettid()
			for message := make([]byte, 100); ; {
				if n, err := unix.Read(fd, message); n <= 0 {
					return err
				}
				if _, err := unix.Write(fd, message[:1]); err != nil {
					return err
				}
			}
		}, func(c *net.TCPConn) error {
			server := <-thread
			for i := range 200 {
				if planted && i%4 < 2 { // there, and back
					if err := stay(server, 1-i%4); err != nil {
						return err
					}
				}
				if err := asks(1, 100)(c, planted); err != nil {
					return err
				}
				time.Sleep(time.Millisecond) // the server sleeps
			}
			return nil
		})
	}
	const says = "messages of watch.test to the server the reader was given another processor"
	held, free := read(true), read(false)
	t.Logf("%q, before %q; means in ns: %v, before %v", said(held), said(free), meansOf(held), meansOf(free))
	require.Contains(t, said(held), says)
	require.NotContains(t, said(free), says)
}
