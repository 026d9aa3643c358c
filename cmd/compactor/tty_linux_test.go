package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// ttyCommand runs a command on a terminal of so many columns, and writes what it
// shows to tty.out: [!] tty COLUMNS COMMAND [ARG…]. Standard input is the terminal
// too, on which Ctrl+D is typed, so that nothing waits for ever.
func ttyCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: tty COLUMNS COMMAND [ARG…]")
	}
	columns, err := strconv.ParseUint(args[0], 10, 16)
	ts.Check(err)
	keyboard, screen, err := openTerminal(uint16(columns))
	ts.Check(err)
	defer keyboard.Close()
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), screen, screen, screen
	for _, name := range []string{"HOME", "PATH", "XDG_CONFIG_HOME", "COMPACTOR_CONFIG", "TERM", "FORCE_HYPERLINK", "NO_COLOR", "CLICOLOR_FORCE"} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(cmd.Start())
	_ = screen.Close()
	_, err = keyboard.Write([]byte{4})
	ts.Check(err)
	var shown bytes.Buffer
	_, _ = shown.ReadFrom(keyboard) // ends with an error when the last one closes the terminal
	err = cmd.Wait()
	text := bytes.ReplaceAll(shown.Bytes(), []byte("\r\n"), []byte("\n"))
	ts.Check(os.WriteFile(ts.MkAbs("tty.out"), text, 0o644))
	if (err != nil) != neg {
		ts.Fatalf("tty %v: %v\n%s", args, err, text)
	}
}

// openTerminal makes a pair of a keyboard and a screen.
func openTerminal(columns uint16) (keyboard, screen *os.File, err error) {
	if keyboard, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	fd := int(keyboard.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns})
	}
	if err == nil {
		screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		_ = keyboard.Close()
	}
	return keyboard, screen, err
}
