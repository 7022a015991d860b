package watch

import (
	"cmp"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/cap"
)

// GiveUpRights takes all capabilities from every thread of this process, for good. A process that sudo has
// started becomes the user who called sudo. What a watch has open stays open: nothing more is asked of the
// kernel. Unless the process is still to start a command, it can also gain no rights by starting a program.
func GiveUpRights(starts bool) error {
	if err := becomeCaller(); err != nil {
		return err
	}
	none := cap.NewSet()
	if err := none.SetProc(); err != nil {
		return os.NewSyscallError("capset", err)
	}
	if starts {
		return nil
	}
	_, err := cap.Prctlw(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0)
	return os.NewSyscallError("prctl", err)
}

// becomeCaller takes the identity of the user who called sudo, if one has.
func becomeCaller() error {
	id := os.Getenv("SUDO_UID")
	if os.Geteuid() != 0 || id == "" || id == "0" {
		return nil
	}
	u, err := user.LookupId(id)
	if err != nil {
		return err
	}
	groups, err := u.GroupIds()
	if err != nil {
		return err
	}
	all, err := numbers(append(groups, u.Gid, u.Uid))
	if err != nil {
		return err
	}
	n := len(groups)
	gid, uid := all[n], all[n+1]
	err = cmp.Or(syscall.Setgroups(all[:n]), syscall.Setresgid(gid, gid, gid), syscall.Setresuid(uid, uid, uid))
	return cmp.Or(err, os.Setenv("HOME", u.HomeDir), os.Setenv("USER", u.Username), os.Setenv("LOGNAME", u.Username))
}

func numbers(texts []string) (out []int, err error) {
	for _, t := range texts {
		n, err := strconv.Atoi(t)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}
