//go:build !linux

package stamps

import (
	"errors"
	"net"
	"net/netip"
)

// Socket is a connected socket with stamps. There are none on this system.
type Socket struct{}

var errLinux = errors.New("stamps of the kernel need Linux")

// New returns an error.
func New(Connection, Protocol, Options) (*Socket, error) {
	return nil, errLinux
}

// CardOf knows no card.
func CardOf(string) Card { return NoCard }

// Connect returns an error.
func Connect(*net.UDPConn, netip.AddrPort) error { return errLinux }

// Send returns an error.
func (s *Socket) Send([]byte, uint32, bool) error { return errLinux }

// Receive returns an error.
func (s *Socket) Receive([]byte, bool) (Arrival, error) { return Arrival{}, errLinux }

// Drain returns an error.
func (s *Socket) Drain(func(Sent)) error { return errLinux }

// State returns an error.
func (s *Socket) State() (TCPState, error) { return TCPState{}, errLinux }

// Full returns an error.
func (s *Socket) Full() (uint64, error) { return 0, errLinux }

// Flush does nothing.
func (s *Socket) Flush(func(Sent)) {}

// Shutdown does nothing.
func (s *Socket) Shutdown() {}

// Close does nothing.
func (s *Socket) Close() error { return nil }
