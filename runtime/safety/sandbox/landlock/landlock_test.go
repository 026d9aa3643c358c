package landlock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// restricted names the directory in which a child of the test restricts itself.
const restricted = "LANDLOCK_TEST_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(restricted); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// deed is what the child tries, and whether it must come to pass.
type deed struct {
	name string
	may  bool
	do   func() error
}

func deeds(dir string) []deed {
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	read := func(path string) func() error { return func() error { _, err := os.ReadFile(path); return err } }
	list := func(path string) func() error { return func() error { _, err := os.ReadDir(path); return err } }
	write := func(path string) func() error { return func() error { return os.WriteFile(path, []byte("x"), 0o600) } }
	self, _ := os.Executable()
	return []deed{
		{"read below a root", true, read(at("root/sub/f"))},
		{"list a root", true, list(at("root"))},
		{"write below a root", false, write(at("root/new"))},
		{"write over a file of a root", false, write(at("root/sub/f"))},
		{"remove a file of a root", false, func() error { return os.Remove(at("root/sub/f")) }},
		{"read beside a root", false, read(at("outside/f"))},
		{"list beside a root", false, list(at("outside"))},
		{"read through a link", false, read(at("root/link/f"))},
		{"read through ..", false, read(at("root/../outside/f"))},
		{"read a sibling of the same beginning", false, read(at("root-evil/f"))},
		{"read through /proc", false, read("/proc/self/root" + at("outside/f"))},
		{"read a parent's variables", false, read(fmt.Sprintf("/proc/%d/environ", os.Getppid()))},
		{"read a file that was granted alone", true, read(at("one/f"))},
		{"read the file beside it", false, read(at("one/g"))},
		{"write to the state", true, write(at("state/s"))},
		{"move within the state", true, func() error { return os.Rename(at("state/s"), at("state/t")) }},
		{"truncate in the state", true, func() error { return os.Truncate(at("state/t"), 0) }},
		{"make a directory in the state", true, func() error { return os.MkdirAll(at("state/a/b"), 0o700) }},
		{"move out of the state", false, func() error { return os.Rename(at("state/t"), at("outside/t")) }},
		{"link into the state", false, func() error { return os.Link(at("outside/f"), at("state/f")) }},
		{"truncate outside", false, func() error { return os.Truncate(at("outside/f"), 0) }},
		{"make a file outside", false, write(at("outside/new"))},
		{"make a directory outside", false, func() error { return os.Mkdir(at("outside/new"), 0o700) }},
		{"make a link in the state", false, func() error { return os.Symlink("/etc", at("state/l")) }},
		{"start a program outside", false, func() error { return exec.Command(at("outside/prog")).Run() }},
		{"start a program of a root", false, func() error { return exec.Command(at("root/prog")).Run() }},
		{"start a shell", sameFile(launcher, "/bin/sh"), func() error { return exec.Command("/bin/sh", "-c", ":").Run() }},
		{"start a script that was granted", false, func() error { return exec.Command(at("script")).Run() }},
		{"start a program that was granted", true, func() error { return exec.Command(launcher).Run() }},
		{"start another program by it", sameFile(launcher, "/bin/sh"), func() error { return exec.Command(launcher, "/bin/sh", "-c", ":").Run() }},
		{"start a program among the libraries", false, func() error { return startAll(programsOf("/usr/lib", "/lib", "/lib64")) }},
		{"start itself", true, func() error {
			cmd := exec.Command(self, "-test.run=^$")
			cmd.Env = []string{restricted + "=again"}
			return cmd.Run()
		}},
		{"read what was open before", true, func() error { _, err := before.ReadAt(make([]byte, 1), 0); return err }},
		{"look up the time zone", true, list("/etc")},
		{"write to /dev/null", true, write("/dev/null")},
	}
}

// launcher is a program that starts another.
const launcher = "/usr/bin/env"

// sameFile reports whether two names are of one program, as all of busybox are.
func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// programsOf lists a few programs below directories, loaders left out.
func programsOf(dirs ...string) (out []string) {
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || len(out) >= 20 {
				return nil
			}
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !strings.Contains(d.Name(), ".so") && !strings.HasPrefix(d.Name(), "ld") {
				out = append(out, path)
			}
			return nil
		})
	}
	return out
}

// startAll returns an error where none of the programs can be started.
func startAll(programs []string) error {
	for _, p := range programs {
		cmd := exec.Command(p, "--version")
		if err := cmd.Start(); err == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			return nil
		}
	}
	return fs.ErrPermission
}

var before *os.File

func child(dir string) int {
	if dir == "again" { // the restriction holds for what a restricted process starts
		if _, err := os.ReadFile("/proc/1/environ"); !errors.Is(err, fs.ErrPermission) {
			return 3
		}
		return 0
	}
	before, _ = os.Open(filepath.Join(dir, "outside/f"))
	g := System()
	g.Read = append(g.Read, filepath.Join(dir, "root"), filepath.Join(dir, "one/f"), filepath.Join(dir, "none"), "")
	g.Write = append(g.Write, filepath.Join(dir, "state"))
	g.Run = append(g.Run, filepath.Join(dir, "script"))
	g.Run = append(g.Run, Program(launcher)...)
	begin := make(chan bool)
	var ready, done sync.WaitGroup
	var out sync.Mutex
	for range 8 { // threads that are there already
		ready.Add(1)
		done.Go(func() {
			runtime.LockOSThread()
			ready.Done()
			<-begin
			if _, err := os.ReadFile(filepath.Join(dir, "outside/f")); err == nil {
				out.Lock()
				fmt.Println("FAULT a thread reads outside")
				out.Unlock()
			}
		})
	}
	ready.Wait()
	if s := Restrict(g); !s.InForce {
		fmt.Println("SKIP " + s.Why)
		return 0
	}
	close(begin)
	done.Wait()
	for _, d := range deeds(dir) {
		if err := d.do(); (err == nil) != d.may {
			fmt.Printf("FAULT %s: %v\n", d.name, err)
		}
	}
	if again := Restrict(Grants{Read: []string{"/"}}); !again.InForce || !InForce() {
		fmt.Println("FAULT it was lifted")
	}
	if _, err := os.ReadFile(filepath.Join(dir, "outside/f")); err == nil {
		fmt.Println("FAULT a second call opened more")
	}
	if !Shut(filepath.Join(dir, "outside/f")) || Shut(filepath.Join(dir, "root/x")) || !Shut(filepath.Join(dir, "root-evil")) || Shut("/etc/hosts") {
		fmt.Println("FAULT Shut does not know what is shut")
	}
	return 0
}

// TestRestrict has a child shut itself out and try what it must not.
func TestRestrict(t *testing.T) {
	if s := Support(); s.Why != "" {
		t.Skip("not here: " + s.Why)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"root/sub/f": "f", "root/prog": "#!/bin/sh\n", "script": "#!/bin/sh\n", "root-evil/f": "f", "outside/f": "f", "outside/prog": "#!/bin/sh\n", "one/f": "f", "one/g": "g", "state/x": "x", "tmp/x": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../outside", filepath.Join(dir, "root/link")); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), restricted+"="+dir, "TMPDIR="+filepath.Join(dir, "tmp"))
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "FAULT") {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "SKIP") {
		t.Errorf("it was said to be supported: %s", out)
	}
}

// TestSupportSaysWhyNot switches the wall off.
func TestSupportSaysWhyNot(t *testing.T) {
	t.Setenv(Variable, "off")
	if s := Support(); s.Why == "" || s.InForce {
		t.Errorf("%+v", s)
	}
	if s := Restrict(Grants{}); s.InForce || InForce() || Shut("/") || !strings.Contains(s.Why, Variable) {
		t.Errorf("%+v", s)
	}
}
