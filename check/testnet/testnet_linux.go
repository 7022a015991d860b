package testnet

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Namespaces are two namespaces of the network joined by a veth pair, with addresses 10.8.0.1 and 10.8.0.2.
type Namespaces [2]*exec.Cmd

// New makes them, until the test ends. It skips a test that may not.
func New(t *testing.T) (n Namespaces) {
	t.Helper()
	if os.Getuid() != 0 || exec.Command("unshare", "-n", "true").Run() != nil {
		Skip(t, "namespaces of the network cannot be made here: it takes root")
	}
	for i := range n {
		n[i] = exec.Command("unshare", "-n", "sh", "-c", "echo ready; read stop")
		in, err := n[i].StdinPipe()
		require.NoError(t, err)
		out, err := n[i].StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, n[i].Start())
		t.Cleanup(func() { _ = in.Close(); _ = n[i].Wait() })
		_, err = out.Read(make([]byte, 1)) // it is in its namespace
		require.NoError(t, err)
	}
	n.Run(t, 0, fmt.Sprintf("ip link add eth0 type veth peer name eth0 netns %d", n[1].Process.Pid))
	for i := range n {
		n.Run(t, i, fmt.Sprintf("ip addr add 10.8.0.%d/24 dev eth0", 1+i))
		n.Run(t, i, "ip link set eth0 up")
	}
	return n
}

// Run runs a command in one of them.
func (n Namespaces) Run(t *testing.T, i int, command string) {
	t.Helper()
	args := append([]string{"-t", strconv.Itoa(n[i].Process.Pid), "-n"}, strings.Fields(command)...)
	out, err := exec.Command("nsenter", args...).CombinedOutput()
	require.NoError(t, err, "%s: %s", command, out)
}

// Inside calls f on a thread in a namespace, which ends with it.
func (n Namespaces) Inside(t *testing.T, i int, f func() error) {
	t.Helper()
	failed := make(chan error)
	go func() {
		runtime.LockOSThread()
		fd, err := unix.Open(fmt.Sprintf("/proc/%d/ns/net", n[i].Process.Pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			err = unix.Setns(fd, unix.CLONE_NEWNET)
			_ = unix.Close(fd)
		}
		if err == nil {
			err = f()
		}
		failed <- err
	}()
	require.NoError(t, <-failed)
}
