package largeheap

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Machine returns how much memory the program can have, in bytes, and whose it is; 0 if the
// system does not tell.
func Machine() (bytes int64, whose string) { return machine(os.DirFS("/"), addresses()) }

// machine is Machine for a file system, and for a limit of addresses, 0 if there is none.
func machine(root fs.FS, addresses int64) (bytes int64, whose string) {
	least := func(n int64, of string) {
		if n > 0 && (bytes == 0 || n < bytes) {
			bytes, whose = n, of
		}
	}
	if text, err := fs.ReadFile(root, "proc/meminfo"); err == nil {
		var kB int64
		_, _ = fmt.Sscanf(string(text), "MemTotal: %d kB", &kB)
		least(kB<<10, "the machine's")
	}
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		for _, file := range limitFiles(strings.TrimSpace(line)) {
			text, _ := fs.ReadFile(root, file)
			n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // 0 of "max"
			least(n, "its cgroup's")
		}
	}
	least(addresses, "the limit of its addresses (ulimit -v)")
	return bytes, whose
}

// limitFiles returns the files with the limits of a cgroup and those around it, from a line
// of /proc/self/cgroup.
func limitFiles(line string) (files []string) {
	parts := strings.SplitN(line, ":", 3)
	if len(parts) < 3 {
		return nil
	}
	folder, name := "sys/fs/cgroup", "memory.max"
	if parts[1] != "" { // of version 1
		if !slices.Contains(strings.Split(parts[1], ","), "memory") {
			return nil
		}
		folder, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
	}
	for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
		files = append(files, path.Join(folder, at, name))
		if at == "/" {
			return files
		}
	}
}
