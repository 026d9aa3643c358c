package service_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
	"github.com/compactor-mcp/compactor/runtime/world/githistory/gittest"
)

// shutInEnv names the directory in which a child of TestGitIsTheOnlyProgram shuts itself in.
const shutInEnv = "SERVICE_TEST_SHUT_IN"

// TestGitIsTheOnlyProgram starts programs from a process that shut itself in, by itself
// and by what a repository can tell git to start.
func TestGitIsTheOnlyProgram(t *testing.T) {
	if dir := os.Getenv(shutInEnv); dir != "" {
		startShutIn(t, dir)
		return
	}
	if s := landlock.Support(); s.Why != "" {
		t.Skip("not here: " + s.Why)
	}
	if !gittest.Has() {
		t.Skip("no git here")
	}
	top := t.TempDir()
	dir := filepath.Join(top, "repo")
	r := gittest.New(t, dir)
	r.Commit("one", map[string]string{"a.go": "package a\n", ".gitattributes": "*.go diff=trap filter=trap\n"})
	r.Commit("two", map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	elf, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Skip(err)
	}
	for name, text := range map[string]string{"trap.sh": "#!/bin/sh\necho \"$0\" >> '" + filepath.Join(top, "tmp", "caught") + "'\n", "trap": string(elf)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"tmp", "work"} {
		if err := os.Mkdir(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), shutInEnv+"="+dir, "HOME="+top, "TMPDIR="+filepath.Join(top, "tmp"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v\n%s", err, out)
	}
	if said, err := os.ReadFile(filepath.Join(top, "tmp", "caught")); err == nil {
		t.Errorf("a program was started: %s", said)
	}
}

// startShutIn is the child's part.
func startShutIn(t *testing.T, dir string) {
	snap, diags, err := service.Load(t.Context(), service.Options{Defaults: compactor.Defaults, Work: filepath.Join(filepath.Dir(dir), "work"), Roots: map[string][]string{"code": {dir}}, OnlyRoots: true, Builtins: builtins.All, NoModel: true})
	if err != nil || snap == nil {
		t.Fatal(err, diags.Err())
	}
	defer snap.Close()
	if st := snap.Confine(); !st.InForce {
		t.Fatal(st.Why)
	}
	repo, err := githistory.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := repo.Past(t.Context(), 10, func(githistory.Past) error { n++; return nil }); err != nil || n != 2 {
		t.Errorf("%d commits, %v", n, err)
	}
	git, err := githistory.Program()
	if err != nil {
		t.Fatal(err)
	}
	trap := filepath.Join(dir, "trap.sh")
	for _, p := range [][]string{
		{"/bin/sh", "-c", ":"}, {"/usr/bin/env"}, {trap}, {filepath.Join(dir, "trap")},
		{"/usr/lib/git-core/git-sh-setup"}, {"/usr/lib/git-core/git-remote-https"},
	} {
		if err := exec.Command(p[0], p[1:]...).Run(); !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: %v", p, err)
		}
	}
	// Without the settings by which githistory keeps git from it.
	for _, args := range [][]string{
		{"-c", "alias.x=!" + trap, "x"}, {"-c", "core.fsmonitor=" + trap, "status"}, {"-c", "diff.external=" + trap, "diff", "HEAD~"},
		{"-c", "diff.trap.textconv=" + trap, "diff", "HEAD~"}, {"-c", "filter.trap.clean=" + trap, "diff"}, {"ls-remote", "ext::" + trap},
		{"-c", "core.pager=" + trap, "-p", "log"}, {"ls-remote", "https://127.0.0.1:9/x"},
	} {
		cmd := exec.Command(git, append([]string{"-C", dir, "-c", "protocol.ext.allow=always"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
		if out, err := cmd.CombinedOutput(); args[0] == "ls-remote" && err == nil { // of the others, what counts is what the trap wrote
			t.Errorf("%v: %s", args, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "new"), nil, 0o600); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the repository can be written to: %v", err)
	}
	if out, err := exec.Command(git, "-C", dir, "commit", "--allow-empty", "-m", "x").CombinedOutput(); err == nil {
		t.Errorf("git writes to the repository: %s", out)
	}
}
