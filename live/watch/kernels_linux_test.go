package watch

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
)

// boot is the first program of a machine: it runs tests of this package, but for those that compare times, since a
// machine may be emulated.
const boot = `#!/bin/busybox sh
busybox mkdir -p /proc /sys /dev /tmp /run
busybox mount -t proc none /proc
busybox mount -t sysfs none /sys
busybox mount -t devtmpfs none /dev
busybox stty -F /dev/console -opost -echo
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
busybox --install -s /bin
for m in /modules/*; do insmod $m; done
ip link set lo up
cat /proc/version
/sigview watch --check
/watch.test -test.v -test.short -test.run '^(TestEveryMessageIsSeen|TestEverySizeIsSeen|TestSentFileIsSeen|TestServerIsWatched|TestKilled|TestEveryDatagramIsSeen|TestDatagramsAreTold|TestFullReceiveBuffer|TestSegmentedDatagrams|TestDatagramsOfOtherHosts|TestNagleIsSeen|TestStoppedReaderIsSeen)$'
echo "ended with $?"
sleep 1
poweroff -f
`

// TestOtherKernels runs tests of this package on other kernels, in virtual machines: those that packages in build/kernels
// have, as make kernels gets them.
func TestOtherKernels(t *testing.T) {
	testlong.Only(t, "virtual machines with other kernels")
	kernels, err := filepath.Glob("../../build/kernels/*/boot/vmlinuz-*")
	require.NoError(t, err)
	if len(kernels) == 0 {
		t.Skip("no kernels in build/kernels: make kernels gets one")
	}
	for _, tool := range []string{"qemu-system-x86_64", "busybox", "ldd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here (Debian's qemu-system-x86 and busybox-static)", tool)
		}
	}
	// An emulated machine takes minutes; processors that can virtualize take seconds. Its processors take turns: of two at a time
	// one may be caught for ever in code of the kernel that the other one changes when a program is attached to a tracepoint.
	accelerator := "tcg,thread=single"
	cpu, err := os.ReadFile("/proc/cpuinfo")
	require.NoError(t, err)
	if kvm, err := os.OpenFile("/dev/kvm", os.O_RDWR, 0); err == nil {
		_ = kvm.Close()
		if regexp.MustCompile(`\b(vmx|svm)\b`).Match(cpu) {
			accelerator = "kvm"
		}
	}
	root := t.TempDir()
	furnish(t, root)
	for _, kernel := range kernels {
		t.Run(filepath.Base(kernel), func(t *testing.T) {
			modules(t, filepath.Dir(filepath.Dir(kernel)), filepath.Join(root, "modules"))
			start := filepath.Join(t.TempDir(), "initramfs")
			sh(t, root, "find . | busybox cpio -o -H newc > "+start)
			out, err := exec.CommandContext(t.Context(), "qemu-system-x86_64", "-accel", accelerator, "-cpu", "max", "-smp", "2", "-m", "1536", "-nodefaults", "-no-reboot",
				"-display", "none", "-serial", "stdio", "-kernel", kernel, "-initrd", start, "-append", "console=ttyS0 quiet panic=-1").CombinedOutput()
			require.NoError(t, err)
			t.Logf("%s", out)
			text := string(out)
			require.Contains(t, text, "ended with 0")
			require.NotContains(t, text, "--- SKIP")
		})
	}
}

// furnish makes what a machine runs: this package's tests, sigview, and the tools of both.
func furnish(t *testing.T, root string) {
	require.NoError(t, os.WriteFile(filepath.Join(root, "init"), []byte(boot), 0o755))
	for _, args := range [][]string{{"test", "-c", "-o", filepath.Join(root, "watch.test"), "."}, {"build", "-o", filepath.Join(root, "sigview"), "../../cmd/sigview"}} {
		c := exec.Command("go", args...)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for _, tool := range []string{"busybox", "ip", "tc", "unshare", "nsenter", "taskset"} {
		at, err := exec.LookPath(tool)
		require.NoError(t, err)
		files := at + "\n"
		libraries, err := exec.Command("ldd", at).Output()
		if !errors.As(err, new(*exec.ExitError)) { // it is static
			require.NoError(t, err)
			files += strings.Join(regexp.MustCompile(`/\S+`).FindAllString(string(libraries), -1), "\n")
		}
		sh(t, "/", "for f in $(cat); do mkdir -p "+root+"$(dirname $f) && cp -L $f "+root+"$f; done", files)
	}
	sh(t, root, "mkdir -p bin && cp usr/bin/busybox bin/ 2>/dev/null; test -e bin/busybox")
}

// modules puts those of a package in a directory that the tests need.
func modules(t *testing.T, from, to string) {
	require.NoError(t, os.RemoveAll(to))
	require.NoError(t, os.MkdirAll(to, 0o755))
	for _, name := range []string{"veth", "tun"} {
		sh(t, from, "f=$(find . -name "+name+".ko*) && case $f in *.xz) xz -dc $f;; *) cat $f;; esac > "+to+"/"+name+".ko")
	}
}

// sh runs a command of a shell in a directory, with an input.
func sh(t *testing.T, dir, command string, input ...string) {
	t.Helper()
	c := exec.Command("sh", "-c", command)
	c.Dir, c.Stdin = dir, bytes.NewReader([]byte(strings.Join(input, "")))
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s: %s", command, out)
}
