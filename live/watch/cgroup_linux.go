package watch

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cilium/ebpf/btf"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/trace"
)

// groups are control groups of one hierarchy, by the inodes of their directories.
type groups struct {
	ids        []uint64
	controller uint32 // of version 1, by the kernel's number
}

// unified stands for version 2 in place of a controller.
const unified = 16

// groupsAt finds the control groups of directories. It returns an error unless all are of one hierarchy, which has a
// controller.
func groupsAt(dirs []string) (g groups, err error) {
	g.controller = unified
	for i, dir := range dirs {
		var stat unix.Stat_t
		var fs unix.Statfs_t
		if err := unix.Stat(dir, &stat); err != nil {
			return g, &os.PathError{Op: "control group", Path: dir, Err: err}
		}
		if err := unix.Statfs(dir, &fs); err != nil {
			return g, &os.PathError{Op: "control group", Path: dir, Err: err}
		}
		controller := uint32(unified)
		switch int64(fs.Type) {
		case unix.CGROUP2_SUPER_MAGIC:
		case unix.CGROUP_SUPER_MAGIC:
			if controller, err = controllerOf(dir, uint64(stat.Dev)); err != nil {
				return g, err
			}
		default:
			return g, fmt.Errorf("%s is no control group: its directory has to be on a file system of cgroup or cgroup2", dir)
		}
		if i > 0 && controller != g.controller {
			return g, fmt.Errorf("%s and %s are control groups of two hierarchies, want one", dirs[0], dir)
		}
		g.controller = controller
		g.ids = append(g.ids, stat.Ino)
	}
	return g, nil
}

// throttled returns how often a control group has used up its time of processors, and for how many ns it was held then.
// Both are 0 of a group without a limit.
func throttled(dir string) (times, ns int64) {
	stat, err := os.Open(filepath.Join(dir, "cpu.stat"))
	if err != nil {
		return 0, 0
	}
	defer stat.Close()
	for {
		var name string
		var n int64
		if _, err := fmt.Fscanln(stat, &name, &n); err != nil {
			return times, ns
		}
		switch name {
		case "nr_throttled":
			times = n
		case "throttled_time": // version 1
			ns = n
		case "throttled_usec": // version 2
			ns = 1000 * n
		}
	}
}

// throttles begins to look at control groups, and returns what adds how they were throttled since.
func throttles(dirs []string) (end func(*seen)) {
	type state struct{ times, ns int64 }
	before := make([]state, len(dirs))
	for i, dir := range dirs {
		before[i].times, before[i].ns = throttled(dir)
	}
	return func(to *seen) {
		for i, dir := range dirs {
			times, ns := throttled(dir)
			if n := times - before[i].times; n > 0 {
				to.other = append(to.other, trace.Observed{What: trace.Throttled, Messages: n, MeanNs: float64(ns-before[i].ns) / float64(n), Where: dir})
			}
		}
	}
}

// controllerOf returns the kernel's number of a controller of the hierarchy (version 1) that is mounted as a device.
func controllerOf(dir string, device uint64) (uint32, error) {
	mounts, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return 0, err
	}
	defer mounts.Close()
	number := fmt.Sprintf("%d:%d", unix.Major(device), unix.Minor(device))
	lines := bufio.NewScanner(mounts)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 3 || f[2] != number {
			continue
		}
		for name := range strings.SplitSeq(f[len(f)-1], ",") {
			if n, known := numberOf(name); known {
				return n, nil
			}
		}
	}
	return 0, fmt.Errorf("%s is a control group of a hierarchy without a controller: name its group of another one", dir)
}

// numberOf returns the kernel's number of a controller.
func numberOf(name string) (number uint32, known bool) {
	if name == "blkio" {
		name = "io"
	}
	types, err := btf.LoadKernelSpec()
	if err != nil {
		return 0, false
	}
	var ids *btf.Enum
	if types.TypeByName("cgroup_subsys_id", &ids) != nil {
		return 0, false
	}
	for _, v := range ids.Values {
		if v.Name == name+"_cgrp_id" {
			return uint32(v.Value), true
		}
	}
	return 0, false
}
