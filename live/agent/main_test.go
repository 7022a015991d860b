package agent

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// The test program is also the process of an agent, and it runs in a namespace of the network of its
// own if it may make one.
const (
	roleOf     = "SIGVIEW_TEST_ROLE"
	roleAgent  = "agent"  // listens at the first argument with the key of the second
	roleServer = "server" // answers at the first argument, after the time of the second one, over the protocol of the third
	roleInside = "inside" // tests, in a namespace
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleOf) {
	case roleAgent:
		if err := agentProcess(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	case roleServer:
		takes, err := time.ParseDuration(os.Args[2])
		if err == nil && os.Args[3] == "udp" {
			err = serveDatagrams(os.Args[1])
		} else if err == nil {
			err = serveProcess(os.Args[1], takes)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case "":
		if exec.Command("unshare", "-n", "ip", "link", "set", "lo", "up").Run() == nil {
			cmd := exec.Command("unshare", append([]string{"-n", os.Args[0]}, os.Args[1:]...)...)
			cmd.Env = append(os.Environ(), roleOf+"="+roleInside)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			_ = cmd.Run()
			os.Exit(cmd.ProcessState.ExitCode())
		}
	case roleInside:
		if err := exec.Command("ip", "link", "set", "lo", "up").Run(); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func agentProcess(listen, keyFile string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	key, err := ReadKey(keyFile)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println("listening", l.Addr())
	server := &Server{Key: key, Limits: DefaultLimits(), Log: func(s string) { fmt.Println(s) }}
	return server.Serve(ctx, l)
}

// Sizes of what a client and a server send, in bytes.
const question, response = 1400, 200

// serveProcess answers the clients that dial it, after it has computed for a time.
func serveProcess(listen string, takes time.Duration) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			for message := make([]byte, question); ; {
				if _, err := io.ReadFull(c, message); err != nil {
					return
				}
				for begun := time.Now(); time.Since(begun) < takes; {
				}
				if _, err := c.Write(message[:response]); err != nil {
					return
				}
			}
		}()
	}
}

// serveDatagrams answers the datagrams that come.
func serveDatagrams(listen string) error {
	s, err := net.ListenPacket("udp", listen)
	if err != nil {
		return err
	}
	fmt.Println(s.LocalAddr())
	for message := make([]byte, 1<<16); ; {
		n, from, err := s.ReadFrom(message)
		if err != nil {
			return err
		}
		if _, err := s.WriteTo(message[:min(n, response)], from); err != nil {
			return err
		}
	}
}
