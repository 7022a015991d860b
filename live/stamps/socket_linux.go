package stamps

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Socket is a connected socket with stamps. One goroutine may send and drain while another one
// receives.
type Socket struct {
	fd   int
	tcp  bool
	spin bool
	in   message // of Receive
	out  message // of Send
	errs message // of Drain

	arriving bool     // stamps of what arrives are wanted; other sockets may make the kernel have them
	asked    asked    // what the kernel is asked for
	stamping bool     // the kernel is asked for stamps of what is sent
	card     bool     // and the card too
	carded   uint32   // number of the last message with a stamp of the card, for the kernel
	next     uint32   // TCP: bytes sent; UDP: messages stamped
	waiting  []record // sent and stamped, without all stamps so far, in order
}

// asked is what the kernel is asked for, by the thread that receives and by the one that drains. It reports stamps
// while one of them takes any: otherwise it would look for them in all messages that arrive.
type asked struct {
	mu                  sync.Mutex
	flags               int
	receiving, draining bool // whether the thread takes stamps; only it changes that
	reports             bool
}

// record is a message that waits for its stamps.
type record struct {
	Sent
	id uint32 // the kernel's
}

// message is a header of a message for the kernel, which points to memory that stays where it is.
type message struct {
	header  unix.Msghdr
	vector  unix.Iovec
	control [512]byte
}

// patience is how long Receive waits at most.
const patience = 50 * time.Millisecond

// New takes over the file descriptor of a connected socket; the original one is closed. With stamps of
// arrivals it returns when the kernel makes them.
func New(c Connection, p Protocol, o Options) (*Socket, error) {
	s, err := take(c, p, o)
	if err == nil && o.Arriving {
		awaitStamps()
	}
	return s, err
}

// awaitStamps waits until messages that arrive are stamped. A kernel begins with that a while after the
// first socket has asked for it: on a busy host, later than many messages. Where it does not begin, the
// messages show it.
func awaitStamps() {
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return
	}
	if Connect(c, c.LocalAddr().(*net.UDPAddr).AddrPort()) != nil {
		_ = c.Close()
		return
	}
	s, err := take(c, UDP, Options{Arriving: true})
	if err != nil {
		return
	}
	defer s.Close()
	b := make([]byte, 1)
	for begun := time.Now(); time.Since(begun) < mostBegin; time.Sleep(mostBegin / 1000) {
		if s.Send(b, 0, false) != nil {
			return
		}
		if a, err := s.Receive(b, true); err == nil && a.Kernel != 0 {
			return
		}
	}
}

// mostBegin is how long a kernel may take until it stamps.
const mostBegin = 2 * time.Second

// take is New that does not wait.
func take(c Connection, p Protocol, o Options) (*Socket, error) {
	f, err := c.File()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := c.Close(); err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	s := &Socket{fd: fd, tcp: p == TCP, spin: o.Spin, arriving: o.Arriving, stamping: o.Sending, card: o.Sending && o.Card}
	if err := s.configure(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Connect makes a socket of datagrams talk to a peer and to nobody else.
func Connect(c *net.UDPConn, peer netip.AddrPort) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var to unix.Sockaddr
	if a := peer.Addr().Unmap(); a.Is4() && c.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Is4() {
		to = &unix.SockaddrInet4{Port: int(peer.Port()), Addr: a.As4()}
	} else {
		to = &unix.SockaddrInet6{Port: int(peer.Port()), Addr: peer.Addr().As16(), ZoneId: zone(peer.Addr().Zone())}
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = unix.Connect(int(fd), to) }); err != nil {
		return err
	}
	return os.NewSyscallError("connect", failed)
}

// zone returns the number of an interface of that name, or 0.
func zone(name string) uint32 {
	if i, err := net.InterfaceByName(name); err == nil {
		return uint32(i.Index)
	}
	return 0
}

func (s *Socket) configure(o Options) error {
	if err := unix.SetNonblock(s.fd, false); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	wait := unix.NsecToTimeval(patience.Nanoseconds())
	if err := unix.SetsockoptTimeval(s.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait); err != nil {
		return os.NewSyscallError("SO_RCVTIMEO", err)
	}
	if n := o.BufferKB << 10; n > 0 {
		for name, option := range map[string]int{"SO_RCVBUF": unix.SO_RCVBUF, "SO_SNDBUF": unix.SO_SNDBUF} {
			if err := unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, option, n); err != nil {
				return os.NewSyscallError(name, err)
			}
		}
	}
	if s.tcp {
		if err := unix.SetsockoptInt(s.fd, unix.SOL_TCP, unix.TCP_NODELAY, 1); err != nil {
			return os.NewSyscallError("TCP_NODELAY", err)
		}
		if o.Congestion != "" {
			if err := unix.SetsockoptString(s.fd, unix.SOL_TCP, unix.TCP_CONGESTION, o.Congestion); err != nil {
				return fmt.Errorf("congestion control %s: %w", o.Congestion, err)
			}
		}
	}
	return s.stamp(o)
}

// stamp asks for stamps.
func (s *Socket) stamp(o Options) error {
	flags := 0
	if o.Arriving {
		flags |= unix.SOF_TIMESTAMPING_RX_SOFTWARE
	}
	if o.Sending {
		flags |= unix.SOF_TIMESTAMPING_OPT_ID | unix.SOF_TIMESTAMPING_OPT_TSONLY
		if s.tcp {
			flags |= unix.SOF_TIMESTAMPING_OPT_ID_TCP
		}
	}
	if flags == 0 {
		return nil
	}
	if flags |= unix.SOF_TIMESTAMPING_SOFTWARE; o.Card { // the driver's stamp is wanted beside the card's
		flags |= unix.SOF_TIMESTAMPING_RX_HARDWARE | unix.SOF_TIMESTAMPING_RAW_HARDWARE | unix.SOF_TIMESTAMPING_OPT_TX_SWHW
	}
	s.asked.flags = flags
	return s.takes(&s.asked.receiving, true)
}

// takes tells whether a thread takes stamps, with each message that arrives or from the error queue. The kernel
// makes them all the time: to stop and begin again takes it long, and messages that have come would lack them.
func (s *Socket) takes(thread *bool, stamps bool) error {
	if *thread == stamps {
		return nil
	}
	a := &s.asked
	a.mu.Lock()
	defer a.mu.Unlock()
	*thread = stamps
	reports := a.receiving || a.draining
	if reports == a.reports {
		return nil
	}
	a.reports = reports
	flags := a.flags
	if !reports {
		flags &^= unix.SOF_TIMESTAMPING_SOFTWARE | unix.SOF_TIMESTAMPING_RAW_HARDWARE
	}
	return os.NewSyscallError("SO_TIMESTAMPING", unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, flags))
}

// sending are the stamps that a single message asks for.
const sending = unix.SOF_TIMESTAMPING_TX_SCHED | unix.SOF_TIMESTAMPING_TX_SOFTWARE

// set makes the header describe b and the control messages.
func (m *message) set(b []byte, control int) *unix.Msghdr {
	m.vector.Base = unsafe.SliceData(b)
	m.vector.SetLen(len(b))
	m.header.Iov = &m.vector
	m.header.SetIovlen(1)
	m.header.Control = nil
	if control > 0 {
		m.header.Control = &m.control[0]
	}
	m.header.SetControllen(control)
	m.header.Flags = 0
	return &m.header
}

// call is a system call with a message's header.
func (s *Socket) call(number uintptr, h *unix.Msghdr, flags int) (int, error) {
	for {
		var n uintptr
		var err unix.Errno
		if flags&unix.MSG_DONTWAIT != 0 {
			n, _, err = unix.RawSyscall(number, uintptr(s.fd), uintptr(unsafe.Pointer(h)), uintptr(flags))
		} else {
			n, _, err = unix.Syscall(number, uintptr(s.fd), uintptr(unsafe.Pointer(h)), uintptr(flags))
		}
		if err == 0 {
			return int(n), nil
		}
		if err != unix.EINTR {
			return 0, err
		}
	}
}

// Send sends a message, and with stamp asks for its stamps, which Drain returns under the number
// seq.
func (s *Socket) Send(b []byte, seq uint32, stamp bool) error {
	control, flags := 0, 0
	if stamp = stamp && s.stamping; stamp {
		flag := uint32(sending)
		if s.card {
			flag |= unix.SOF_TIMESTAMPING_TX_HARDWARE
		}
		control = s.out.ask(flag)
		if s.tcp {
			flags = unix.MSG_EOR // the next message gets a packet of its own
		}
	}
	id := s.next
	for rest := b; ; {
		n, err := s.call(unix.SYS_SENDMSG, s.out.set(rest, control), flags)
		if err != nil {
			return os.NewSyscallError("sendmsg", err)
		}
		if s.tcp {
			s.next += uint32(n)
			id = s.next - 1
		}
		if rest = rest[n:]; len(rest) == 0 || !s.tcp {
			break
		}
	}
	if stamp {
		s.waiting = append(s.waiting, record{Sent{Seq: seq}, id})
		if !s.tcp {
			s.next++
		}
	}
	return nil
}

// ask writes the control message that asks for stamps of one message, and returns its length.
func (m *message) ask(flags uint32) int {
	h := (*unix.Cmsghdr)(unsafe.Pointer(&m.control[0]))
	h.Level, h.Type = unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW
	h.SetLen(unix.CmsgLen(4))
	*(*uint32)(unsafe.Pointer(&m.control[controlHeader])) = flags
	return unix.CmsgSpace(4)
}

// Receive fills b from a stream, or with the next datagram, of which it drops what finds no room.
// It returns ErrNothing if nothing has come for 50 ms; of a stream a part may have come then, and
// its length is in the result. The end of a stream is io.EOF's part: 0 bytes without an error.
// With stamp it takes the stamp of arrival, if the socket has them.
func (s *Socket) Receive(b []byte, stamp bool) (a Arrival, err error) {
	flags, control := 0, 0
	if s.spin {
		flags = unix.MSG_DONTWAIT
	}
	if s.arriving {
		if err := s.takes(&s.asked.receiving, stamp); err != nil {
			return a, err
		}
		if stamp {
			control = len(s.in.control)
		}
	}
	var began time.Time
	for spins := 0; a.Bytes < len(b); {
		n, err := s.call(unix.SYS_RECVMSG, s.in.set(b[a.Bytes:], control), flags)
		switch {
		case err == nil:
		case err != unix.EAGAIN:
			return a, os.NewSyscallError("recvmsg", err)
		case !s.spin:
			return a, ErrNothing
		default:
			if spins++; spins&1023 == 0 {
				if now := time.Now(); began.IsZero() {
					began = now
				} else if now.Sub(began) > patience {
					return a, ErrNothing
				}
			}
			continue
		}
		a.User = Now()
		if n == 0 && s.tcp {
			return a, nil
		}
		got := parse(s.in.control[:s.in.header.Controllen])
		a.Kernel, a.Card = got.system, got.card
		a.Bytes += n
		if !s.tcp {
			break
		}
	}
	runtime.KeepAlive(b)
	return a, nil
}

// mostWaiting is how many messages may wait for stamps, far more than the error queue holds.
const mostWaiting = 4096

// Drain takes the stamps that the kernel has, and calls f with each message that has all of its own,
// in the order of sending.
func (s *Socket) Drain(f func(Sent)) error {
	if len(s.waiting) == 0 {
		return nil
	}
	if err := s.takes(&s.asked.draining, true); err != nil {
		return err
	}
	for len(s.waiting) > 0 {
		_, err := s.call(unix.SYS_RECVMSG, s.errs.set(s.errs.control[:0], len(s.errs.control)), unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT)
		if err == unix.EAGAIN {
			break
		} else if err != nil {
			return os.NewSyscallError("recvmsg", err)
		}
		if got := parse(s.errs.control[:s.errs.header.Controllen]); got.sent {
			s.note(got)
		}
	}
	done, now := 0, int64(0)
	if s.card {
		now = Now()
	}
	for ; done < len(s.waiting) && (s.complete(&s.waiting[done], now) || len(s.waiting)-done > mostWaiting); done++ {
		f(s.waiting[done].Sent)
	}
	s.waiting = s.waiting[:copy(s.waiting, s.waiting[done:])]
	return s.takes(&s.asked.draining, len(s.waiting) > 0)
}

// cardDelay is how long a card may take to stamp a message that it has been handed. Not all that are to stamp do.
const cardDelay = 10 * time.Millisecond

// complete tells whether a message has all stamps that will come. A card that has stamped a later message does
// not stamp this one.
func (s *Socket) complete(w *record, now int64) bool {
	return w.Hand != 0 && (!s.card || w.Card != 0 || int32(s.carded-w.id) > 0 || now-w.Hand > int64(cardDelay))
}

// note enters a stamp. Only the first of its sort counts.
func (s *Socket) note(got stamp) {
	i, found := slices.BinarySearchFunc(s.waiting, got.id, func(w record, id uint32) int { return int(int32(w.id - id)) }) // numbers begin again
	if !found {
		return
	}
	w := &s.waiting[i]
	switch {
	case got.kind == unix.SCM_TSTAMP_SCHED && w.Sched == 0:
		w.Sched = got.system
	case got.kind == unix.SCM_TSTAMP_SND && got.card != 0 && w.Card == 0:
		w.Card, s.carded = got.card, got.id
	case got.kind == unix.SCM_TSTAMP_SND && got.card == 0 && w.Hand == 0:
		w.Hand = got.system
	}
}

// Flush calls f with the messages that have not all of their stamps: none will come.
func (s *Socket) Flush(f func(Sent)) {
	for _, w := range s.waiting {
		f(w.Sent)
	}
	s.waiting = s.waiting[:0]
}

// Shutdown ends a stream both ways and wakes who waits for it.
func (s *Socket) Shutdown() { _ = unix.Shutdown(s.fd, unix.SHUT_RDWR) }

// State returns what the kernel says of a TCP connection.
func (s *Socket) State() (t TCPState, err error) {
	i, err := unix.GetsockoptTCPInfo(s.fd, unix.SOL_TCP, unix.TCP_INFO)
	if err != nil {
		return t, os.NewSyscallError("TCP_INFO", err)
	}
	const us = 1000
	t = TCPState{RoundNs: int64(i.Rtt) * us, VariationNs: int64(i.Rttvar) * us, LeastNs: int64(i.Min_rtt) * us, Again: int64(i.Total_retrans)}
	t.Congestion, err = unix.GetsockoptString(s.fd, unix.SOL_TCP, unix.TCP_CONGESTION)
	t.Congestion = strings.TrimRight(t.Congestion, "\x00")
	return t, os.NewSyscallError("TCP_CONGESTION", err)
}

// Full returns how many messages have come to the socket whose buffer had no room for them.
func (s *Socket) Full() (uint64, error) {
	var info [9]uint32
	size := uint32(unsafe.Sizeof(info))
	_, _, err := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(s.fd), unix.SOL_SOCKET, unix.SO_MEMINFO, uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
	if err != 0 {
		return 0, os.NewSyscallError("SO_MEMINFO", err)
	}
	const drops = 8 // SK_MEMINFO_DROPS
	return uint64(info[drops]), nil
}

// Close closes the socket.
func (s *Socket) Close() error { return os.NewSyscallError("close", unix.Close(s.fd)) }
