//go:build unix

package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that the server runs as when we are root, for whom PostgreSQL does
// not start. Otherwise ok is false, and it runs as ourselves.
func account() (uid, gid int, ok bool, err error) {
	if os.Geteuid() != 0 {
		return 0, 0, false, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return 0, 0, false, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	if uid, err = strconv.Atoi(u.Uid); err == nil {
		gid, err = strconv.Atoi(u.Gid)
	}
	if err != nil {
		return 0, 0, false, fmt.Errorf("postgres: the user postgres: %w", err)
	}
	return uid, gid, true, nil
}

// own gives a folder to the user that the server runs as.
func own(folder string) error {
	uid, gid, ok, err := account()
	if err == nil && ok {
		if err = os.Chown(folder, uid, gid); err != nil {
			err = fmt.Errorf("postgres: %w", err)
		}
	}
	return err
}

// as has a program run as that user.
func as(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt of a terminal is not for it
	uid, gid, ok, err := account()
	if err == nil && ok {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{}}
	}
	return err
}
