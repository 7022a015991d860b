package watch

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/cilium/ebpf/btf"
	"golang.org/x/sys/unix"
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
