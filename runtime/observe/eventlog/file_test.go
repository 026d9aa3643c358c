package eventlog

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAFileIsPutAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	one, err := openFile(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, err := openFile(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	line := []byte(strings.Repeat("x", 29) + "\n")
	for range 10 { // both write lines of 30 bytes to files of 100
		for _, f := range []*file{one, two} {
			if _, err := f.Write(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{path, path + ".1"} {
		data, err := os.ReadFile(name)
		if err != nil || len(data) == 0 || len(data) > 100+2*len(line) || len(bytes.ReplaceAll(data, line, nil)) != 0 {
			t.Errorf("%s: %d bytes, %v", filepath.Base(name), len(data), err)
		}
		if info, _ := os.Stat(name); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", filepath.Base(name), info.Mode())
		}
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 2 {
		t.Errorf("%d files", len(list))
	}
}

func TestAFileThatCannotBePutAsideIsEmptied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	f, err := openFile(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.MkdirAll(path+".1/in", 0o700); err != nil { // no file takes its name
		t.Fatal(err)
	}
	for range 20 {
		if _, err := f.Write([]byte(strings.Repeat("x", 30))); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() > 100 {
			t.Fatalf("%v %v", info, err)
		}
	}
}

func TestAFileThatWasRemovedIsMadeAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	path := filepath.Join(t.TempDir(), "x.log")
	f, err := openFile(path, 40)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, _ = f.Write(make([]byte, 30))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("anew")); err != nil || f.size != 34 {
		t.Fatal(err, f.size)
	}
	if _, err := f.Write([]byte("and again")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "and again" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestAFullDiskIsAnError(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	f, err := openFile("/dev/full", 100)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 10 {
		if _, err := f.Write(make([]byte, 30)); err == nil {
			t.Fatal("it was written")
		}
	}
}
