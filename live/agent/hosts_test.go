package agent

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// host is a process with an agent, in a namespace of its own if that can be had.
type host struct {
	t      *testing.T
	cmd    *exec.Cmd
	v4, v6 string // its address
	device string // of this side; "": the host is this one
	port   string
	// servers of TestJoined and others that run there
	servers int
	mu      sync.Mutex
	log     strings.Builder
}

// newKeyFile makes a key and returns it and its file.
func newKeyFile(t testing.TB) (*Key, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, WriteNewKey(file))
	key, err := ReadKey(file)
	require.NoError(t, err)
	return key, file
}

// startHosts starts agents which reach each other and this process: over a bridge of their own, or
// over the loopback interface where namespaces cannot be had.
func startHosts(t *testing.T, n int, keyFile string) (hosts []*host) {
	t.Helper()
	inside := os.Getenv(roleOf) == roleInside
	if inside {
		ip(t, "link add br0 type bridge")
		t.Cleanup(removeBridge)
		ip(t, "link set br0 up")
		ip(t, "addr add 10.9.0.1/24 dev br0")
		ip(t, "addr add fd09::1/64 dev br0 nodad")
	} else {
		t.Log("no namespaces of the network: over lo")
	}
	for i := range n {
		h := &host{t: t, v4: "127.0.0.1", v6: "::1"}
		self, err := os.Executable()
		require.NoError(t, err)
		args := []string{self, "[::]:0", keyFile}
		if inside {
			args = append([]string{"unshare", "-n"}, args...)
			h.v4, h.v6, h.device = fmt.Sprintf("10.9.0.%d", 2+i), fmt.Sprintf("fd09::%d", 2+i), fmt.Sprintf("veth%d", i)
		}
		h.cmd = exec.Command(args[0], args[1:]...)
		h.cmd.Env = append(os.Environ(), roleOf+"="+roleAgent)
		h.cmd.Stderr = os.Stderr
		out, err := h.cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, h.cmd.Start())
		t.Cleanup(func() { h.kill() })
		r := bufio.NewReader(out)
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		h.port = strings.TrimSpace(line[strings.LastIndex(line, ":")+1:])
		go func() {
			for {
				line, err := r.ReadString('\n')
				h.mu.Lock()
				h.log.WriteString(line)
				h.mu.Unlock()
				if err != nil {
					return
				}
			}
		}()
		if inside {
			h.cable(i)
		}
		hosts = append(hosts, h)
	}
	return hosts
}

func removeBridge() { _ = exec.Command("ip", "link", "del", "br0").Run() }

// cable connects the host's namespace to the bridge.
func (h *host) cable(i int) {
	pid := strconv.Itoa(h.cmd.Process.Pid)
	ip(h.t, "link add "+h.device+" type veth peer name eth0 netns "+pid)
	ip(h.t, "link set "+h.device+" master br0 up")
	h.inside("ip link set lo up")
	h.inside("ip link set eth0 up")
	h.inside("ip addr add " + h.v4 + "/24 dev eth0")
	h.inside("ip addr add " + h.v6 + "/64 dev eth0 nodad")
}

// inside runs a command in the host's namespace.
func (h *host) inside(command string) {
	h.t.Helper()
	run(h.t, append([]string{"nsenter", "-t", strconv.Itoa(h.cmd.Process.Pid), "-n"}, strings.Fields(command)...))
}

func ip(t *testing.T, args string) {
	t.Helper()
	run(t, append([]string{"ip"}, strings.Fields(args)...))
}

func run(t *testing.T, args []string) {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	require.NoError(t, err, "%v: %s", args, out)
}

func (h *host) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	if h.device != "" { // the namespace would keep it for a while
		_ = exec.Command("ip", "link", "del", h.device).Run()
	}
}

// said returns what the agent has logged.
func (h *host) said() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.String()
}

// at4 and at6 return where the agent listens.
func (h *host) at4() string { return h.v4 + ":" + h.port }
func (h *host) at6() string { return "[" + h.v6 + "]:" + h.port }
