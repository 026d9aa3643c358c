package sandbox

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

func attackSize(t *testing.T, m mode) {
	dir := plant(t, map[string]string{"grows": "x", "shrinks": strings.Repeat("y", 4000), "fits": strings.Repeat("z", 5000)})
	must(t, os.WriteFile(filepath.Join(dir, "sparse"), nil, 0o644))
	if err := os.Truncate(filepath.Join(dir, "sparse"), 1<<40); err != nil {
		must(t, os.Truncate(filepath.Join(dir, "sparse"), 1<<32)) // what the file system can hold
	}
	r := m.open(t, dir, Options{MaxFileSize: 5000})
	refused(t, r, "sparse", ErrTooLarge)
	served(t, r, "fits", strings.Repeat("z", 5000))
	must(t, os.WriteFile(filepath.Join(dir, "over"), bytes.Repeat([]byte("z"), 5001), 0o644))
	refused(t, r, "over", ErrTooLarge)
	got, stats := scanned(t, r, []Entry{{Path: "sparse"}, {Path: "over"}, {Path: "fits"}})
	if len(got) != 1 || stats.Oversize != 2 {
		t.Errorf("scan: %d files, %+v", len(got), stats)
	}
	changing(t, r, dir)
}

// changing reads a file while it is appended to and another while it is cut off: no read gives more than the limit.
func changing(t *testing.T, r *Root, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "grows"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	defer f.Close()
	var writer sync.WaitGroup
	stop := make(chan struct{})
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if i%100 == 0 {
				f.Truncate(0)
			}
			f.Write(bytes.Repeat([]byte("x"), 100))
			os.Truncate(filepath.Join(dir, "shrinks"), int64(i%4000))
		}
	})
	defer writer.Wait()
	defer close(stop)
	for range 500 {
		for _, path := range []string{"grows", "shrinks"} {
			data, err := r.ReadFile(context.Background(), path, nil)
			if len(data) > 5000 {
				t.Fatalf("%s: %d bytes read", path, len(data))
			}
			if err != nil && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrBinary) {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
}

func attackNames(t *testing.T, m mode) {
	dir := t.TempDir()
	names := []string{"new\nline", "esc\x1b[31mred", "bell\a", "bidi\u202egnp.exe", "zero\u200bwidth", strings.Repeat("n", 255), "é", "tab\there"}
	if runtime.GOOS == "linux" {
		names = append(names, "invalid\xff\xfe", "back\\slash", `quote"d`)
	}
	for _, n := range names {
		plantIn(t, dir, map[string]string{n: "fine"})
	}
	r := m.open(t, dir, Options{})
	entries, stats, err := r.Files(context.Background(), ".")
	must(t, err)
	if len(entries) != len(names) {
		t.Errorf("%d of %d names listed, %+v", len(entries), len(names), stats)
	}
	for _, e := range entries {
		served(t, r, e.Path, "fine")
		_, err := r.ReadFile(context.Background(), e.Path+"/x\x1b\n", nil)
		if shown := err.Error(); !utf8.ValidString(shown) || strings.IndexFunc(shown, func(c rune) bool { return !unicode.IsPrint(c) }) >= 0 {
			t.Errorf("a message would harm the terminal: %q", shown)
		}
	}
	crowd(t, m)
}

// crowd lists a directory with many names: 5,000, or 1,000,000 in the long form.
func crowd(t *testing.T, m mode) {
	t.Helper()
	want := 5000
	if long() && !m.portable {
		want = 1_000_000
	}
	dir := t.TempDir()
	for i := range want {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%06d", i)))
		must(t, err)
		f.Close()
	}
	r := m.open(t, dir, Options{})
	entries, stats, err := r.Files(context.Background(), ".")
	must(t, err)
	if len(entries) != want || stats.Cut {
		t.Errorf("%d of %d files, %+v", len(entries), want, stats)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if entries, stats, err := r.Files(ctx, "."); err != nil || !stats.Cut || len(entries) == want {
		t.Errorf("with an ended context: %d files, %+v, %v", len(entries), stats, err)
	}
}

func attackPacked(t *testing.T, m mode) {
	var zipped, packed bytes.Buffer
	z := zip.NewWriter(&zipped)
	f, err := z.Create("inner.txt")
	must(t, err)
	f.Write([]byte(canary))
	must(t, z.Close())
	g := gzip.NewWriter(&packed)
	g.Write(bytes.Repeat([]byte(canary), 1<<16))
	must(t, g.Close())
	notebook := `{"cells":[{"source":["text"]}]}`
	r := m.open(t, plant(t, map[string]string{
		"a.zip": zipped.String(), "b.gz": packed.String(), "c.pdf": "%PDF-1.7\n" + canary, "d.ipynb": notebook,
		"e.tar": "inner\x00\x00" + canary, "f.svg": "<svg/>",
	}), Options{})
	for _, path := range []string{"a.zip", "b.gz", "c.pdf", "e.tar"} {
		refused(t, r, path, ErrBinary)
	}
	served(t, r, "d.ipynb", "# notebook: python\r\r#' text") // its cells; see notebook.Lines
	served(t, r, "f.svg", "<svg/>")
	refused(t, r, "a.zip/inner.txt", ErrNotFound)
	got, stats := scanned(t, r, mustFiles(t, r))
	if len(got) != 2 || stats.Binary != 4 {
		t.Errorf("scanned %d, %+v", len(got), stats)
	}
}

func attackBinary(t *testing.T, m mode) {
	text := strings.Repeat("text\n", 2000)
	files := map[string]string{
		"nul-late.txt":  text + "\x00" + text,
		"nul-last.txt":  text + "\x00",
		"nul-64k.txt":   strings.Repeat("t", firstBlock) + "\x00",
		"one-nul.txt":   "a\x00b",
		"utf16ctrl.txt": "\xff\xfeh\x00\x01\x00",
		"utf16zero.txt": "\xfe\xff\x00h\x00\x00\x00i",
		"utf16odd.txt":  "\xff\xfeh\x00i",
		"utf32.txt":     "\xff\xfe\x00\x00h\x00\x00\x00",
		"pdf.txt":       "%PDF-1.4 renamed",
		"png.txt":       "\x89PNG\r\n\x1a\nxx",
		"gzip.txt":      "\x1f\x8b\x08xx",
		"bzip2.txt":     "BZh91AY&SYxx",
		"webp.txt":      "RIFFxxxxWEBPVP8 ",
	}
	plain := map[string]string{"bom.txt": "\ufeffhello", "latin1.txt": "café", "empty.txt": "", "bz.txt": "BZh is a word", "riff.txt": "RIFF and raff",
		"utf16le.txt": "hi", "utf16be.txt": "hi"}
	dir := plant(t, files)
	plantIn(t, dir, plain)
	plantIn(t, dir, map[string]string{"latin1.txt": "caf\xe9", "utf16le.txt": "\xff\xfeh\x00i\x00", "utf16be.txt": "\xfe\xff\x00h\x00i"})
	r := m.open(t, dir, Options{})
	for path := range files {
		refused(t, r, path, ErrBinary)
	}
	for path, want := range plain {
		served(t, r, path, want)
	}
	got, stats := scanned(t, r, mustFiles(t, r))
	if len(got) != len(plain) || stats.Binary != len(files) {
		t.Errorf("scanned %d, %+v", len(got), stats)
	}
}

func mustFiles(t testing.TB, r *Root) []Entry {
	t.Helper()
	entries, _, err := r.Files(context.Background(), ".")
	must(t, err)
	return entries
}
