package capture

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// talking tells the program of the tests to talk, in the role that it names, instead of testing.
const talking = "SIGVIEW_CAPTURE_TALK"

const talkAddress = "10.200.7.2:5001"

// TestTalk is the program whose traffic TestTcpdump captures.
func TestTalk(t *testing.T) {
	switch os.Getenv(talking) {
	case "server":
		l, err := net.Listen("tcp", talkAddress)
		require.NoError(t, err)
		c, err := l.Accept()
		require.NoError(t, err)
		_, err = io.Copy(c, c)
		require.NoError(t, err)
		require.NoError(t, c.Close())
	case "client":
		c, err := net.Dial("tcp", talkAddress)
		for tries := 0; err != nil && tries < 1000; tries++ {
			time.Sleep(10 * time.Millisecond)
			c, err = net.Dial("tcp", talkAddress)
		}
		require.NoError(t, err)
		for i := range 200 {
			message := make([]byte, 1+i*i)
			_, err := c.Write(message)
			require.NoError(t, err)
			_, err = io.ReadFull(c, message)
			require.NoError(t, err)
		}
		require.NoError(t, c.Close())
	default:
		t.Skip("a program for TestTcpdump")
	}
}

// TestTcpdump captures the traffic of an unmodified program at both ends of a pair of virtual devices.
func TestTcpdump(t *testing.T) {
	for _, tool := range []string{"tcpdump", "ip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	spaces := [2]string{fmt.Sprintf("sigview-a-%d", os.Getpid()), fmt.Sprintf("sigview-b-%d", os.Getpid())}
	for i, s := range spaces {
		if out, err := exec.Command("ip", "netns", "add", s).CombinedOutput(); err != nil {
			t.Skipf("no network namespace can be made here: %s", out)
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", s).Run() })
		if i == 1 {
			configure(t, spaces)
		}
	}
	var files [2]string
	var stops [2]func()
	for i, s := range spaces {
		files[i] = filepath.Join(t.TempDir(), "capture.pcap")
		stops[i] = dump(t, s, files[i])
	}
	server, client := talker(spaces[1], "server"), talker(spaces[0], "client")
	require.NoError(t, server.Start())
	out, err := client.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, server.Wait())
	stops[0]()
	stops[1]()

	run, err := Import(context.Background(), Spec{Files: files})
	require.NoError(t, err)
	require.GreaterOrEqual(t, run.Manifest.Packets, int64(400))
	require.Equal(t, 2, run.Manifest.Nodes)
	require.Contains(t, string(run.Manifest.Spec), `"addresses":["10.200.7.1","10.200.7.2"]`)
	checkOneHost(t, run)
}

// configure connects two namespaces.
func configure(t *testing.T, spaces [2]string) {
	commands := []string{"link add v0 netns " + spaces[0] + " type veth peer name v0 netns " + spaces[1]}
	for i, s := range spaces {
		commands = append(commands, fmt.Sprintf("-n %s addr add 10.200.7.%d/24 dev v0", s, i+1), "-n "+s+" link set v0 up")
	}
	for _, c := range commands {
		if out, err := exec.Command("ip", strings.Fields(c)...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %s", c, out)
		}
	}
}

// dump begins a capture in a namespace and returns what ends it.
func dump(t *testing.T, space, file string) (stop func()) {
	cmd := exec.Command("ip", "netns", "exec", space, "tcpdump", "-Z", "root", "-B", "65536", "--time-stamp-precision=nano", "-i", "v0", "-w", file, "tcp")
	messages, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(messages)
	for lines.Scan() && !strings.Contains(lines.Text(), "listening on") {
	}
	return func() {
		time.Sleep(1500 * time.Millisecond) // tcpdump reads packets once a second
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		for lines.Scan() {
		}
		require.NoError(t, cmd.Wait())
	}
}

func talker(space, role string) *exec.Cmd {
	cmd := exec.Command("ip", "netns", "exec", space, os.Args[0], "-test.run=^TestTalk$")
	cmd.Env = append(os.Environ(), talking+"="+role)
	return cmd
}
