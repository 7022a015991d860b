package testnet

import (
	"io"
	"net"
	"time"
)

// Exchange sends so many messages of a size by a listener, and as many answers of the same size, each read late, after a
// time. It also ends at stop.
func Exchange(l net.Listener, messages, size int, late time.Duration, stop <-chan struct{}) error {
	from, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := l.Accept()
	if err != nil {
		return err
	}
	defer to.Close()
	message := make([]byte, size)
	for range 2 * messages {
		select {
		case <-stop:
			return nil
		default:
		}
		if _, err := from.Write(message); err != nil {
			return err
		}
		time.Sleep(late)
		if _, err := io.ReadFull(to, message); err != nil {
			return err
		}
		from, to = to, from
	}
	return nil
}
