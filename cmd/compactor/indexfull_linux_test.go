package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// onASmallDisk runs a collection's life on a disk of a megabyte.
const onASmallDisk = `
mount -t tmpfs -o size=1m,mode=700 none "$HOME/compactor" || { echo skip; exit 0; }
run() { echo "== $1"; shift; compactor "$@" 2>&1; echo "exit $?"; }
run first index docs
cp more/* docs/
head -c 2m /dev/zero >"$HOME/compactor/filler" 2>/dev/null
run full index docs
run closed docs search albatross
truncate -s -320k "$HOME/compactor/filler"
run nearly index docs
run search docs search albatross
rm "$HOME/compactor/filler"
mount -o remount,size=32m "$HOME/compactor"
run again index --format json docs
run new docs search kestrel
rm "$HOME"/compactor/*
run clean index --format json docs
`

// A run of index that fills the disk says so with the way out, and leaves the version
// before to be searched, as far as there is space for the lock of a search; what cannot
// be opened is not called missing. Once there is space the run goes on, to what a clean
// one makes.
func TestIndexOnAFullDisk(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir, _ := frontDir(t, "")
	for _, sub := range []string{"docs", "more", "compactor"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 3 {
		write(fmt.Sprintf("docs/%d.md", n), fmt.Sprintf("# Document %d\n\nA pool keeps %d connections open, said the albatross.\n", n, n))
	}
	for n := range 400 {
		write(fmt.Sprintf("more/new%d.md", n), fmt.Sprintf("# New %d\n\nA retry waits %d seconds in queue q%d, said the kestrel of k%d.\n", n, n, n*7, n*11))
	}
	cmd := mounting(t, dir, onASmallDisk)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil || strings.Contains(string(out), "skip\n") {
		t.Skipf("no disk of its own can be had: %v %s", err, out)
	}
	said := map[string]string{}
	for _, part := range strings.Split(string(out), "== ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		said[name] = text
	}
	for name, want := range map[string][]string{
		"first":  {"3 documents", "exit 0"},
		"full":   {"the disk is full", "free some space", "exit 2"},
		"closed": {"the disk is full", "exit 2"},
		"nearly": {"the disk is full", "free some space", "exit 2"},
		"search": {"said the albatross", "exit 0"},
		"again":  {`"documents":403`, "exit 0"},
		"new":    {"said the kestrel", "exit 0"},
	} {
		for _, w := range want {
			if !strings.Contains(strings.ReplaceAll(said[name], `": `, `":`), w) {
				t.Errorf("%s: no %q in %s", name, w, said[name])
			}
		}
	}
	version := func(name string) string {
		_, v, _ := strings.Cut(said[name], `"version":`)
		v, _, _ = strings.Cut(v, ",")
		return strings.TrimSpace(v)
	}
	if version("again") == "" || version("again") != version("clean") {
		t.Errorf("version %s, of a clean run %s", version("again"), version("clean"))
	}
}

// mounting returns a command that runs a script where it may mount disks of its own.
func mounting(t *testing.T, dir, script string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	return cmd
}
