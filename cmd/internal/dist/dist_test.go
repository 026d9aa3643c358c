package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	at    = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	files = []entry{{"compactor", []byte("program"), 0o755}, {"man/compactor.1", []byte("manual"), 0o644}}
)

// An archive has the files with their modes, the time it was given, and nothing of
// where and when it was made.
func TestArchives(t *testing.T) {
	want := []string{"c-1/compactor 755 program", "c-1/man/compactor.1 644 manual"}
	packed, err := tarGz("c-1", files, at)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, untar(t, packed)); d != "" {
		t.Error(d)
	}
	again, err := tarGz("c-1", files, at)
	if err != nil || !bytes.Equal(packed, again) {
		t.Errorf("two archives of the same differ: %v", err)
	}
	packed, err = zipArchive("c-1", files, at)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || !f.Modified.Equal(at) {
			t.Errorf("%s: %v, %v", f.Name, f.Modified, err)
		}
		got = append(got, f.Name+" "+octal(int64(f.Mode().Perm()))+" "+string(text))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func untar(t *testing.T, packed []byte) (out []string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("the header says %v, %q", z.ModTime, z.Name)
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(at) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%+v", h)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h.Name+" "+octal(h.Mode)+" "+string(text))
	}
}

func octal(mode int64) string {
	return string([]byte{'0' + byte(mode>>6&7), '0' + byte(mode>>3&7), '0' + byte(mode&7)})
}

// What package managers are told is where the archives lie and what they hash to.
func TestManifests(t *testing.T) {
	r := &release{Version: "v1.2.3", BaseURL: "https://example.com/v1.2.3/", out: t.TempDir()}
	s := sums{}
	for _, system := range []string{"darwin-amd64.tar.gz", "darwin-arm64.tar.gz", "linux-amd64.tar.gz", "linux-arm64.tar.gz", "windows-amd64.zip", "windows-arm64.zip"} {
		s["compactor-v1.2.3-"+system] = "sum-of-" + system
	}
	if left, err := r.writeManifests(s); err != nil || left != nil {
		t.Fatal(left, err)
	}
	formula, err := os.ReadFile(filepath.Join(r.out, "compactor.rb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"version \"1.2.3\"\n", "url \"https://example.com/v1.2.3/compactor-v1.2.3-darwin-arm64.tar.gz\"\n      sha256 \"sum-of-darwin-arm64.tar.gz\"\n"} {
		if !strings.Contains(string(formula), want) {
			t.Errorf("the formula does not say %s:\n%s", want, formula)
		}
	}
	text, err := os.ReadFile(filepath.Join(r.out, "compactor.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Version      string
		Architecture map[string]map[string]string
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"url": "https://example.com/v1.2.3/compactor-v1.2.3-windows-amd64.zip", "hash": "sum-of-windows-amd64.zip", "extract_dir": "compactor-v1.2.3-windows-amd64"}
	if d := cmp.Diff(want, manifest.Architecture["64bit"]); d != "" || manifest.Version != "1.2.3" {
		t.Error(manifest.Version, d)
	}
}

// Without all systems there is nothing to install from.
func TestManifestsOfAFewSystems(t *testing.T) {
	r := &release{Version: "v1", out: t.TempDir()}
	left, err := r.writeManifests(sums{"compactor-v1-linux-amd64.tar.gz": "x"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"compactor.json", "compactor.rb"}, left); d != "" {
		t.Error(d)
	}
	if list, _ := os.ReadDir(r.out); len(list) != 0 {
		t.Errorf("written: %v", list)
	}
}

// The bill names the modules that are linked, those that stand for others, and Go itself.
func TestBill(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.5", Main: debug.Module{Path: "example.com/m"}, Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.0.0+incompatible", Sum: "h1:a="},
		{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0"}},
	}}
	text, err := (&release{Version: "v1", Commit: "c0ffee", Time: at}).makeBill(info, []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range doc.Components {
		got = append(got, c.Purl)
	}
	want := []string{"pkg:golang/std@1.26.5", "pkg:golang/example.com/a@v1.0.0+incompatible", "pkg:golang/example.com/c@v2.0.0"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, doc.Dependencies[0].On); d != "" || doc.Metadata.Timestamp != "2026-01-02T03:04:06Z" || doc.Metadata.Component.Version != "v1" {
		t.Error(d, doc.Metadata)
	}
}

func TestSumsAreWhatSha256sumReads(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sumFiles(dir, []string{"b", "a"})
	if err != nil {
		t.Fatal(err)
	}
	want := "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if d := cmp.Diff(want, s.formatSums()); d != "" {
		t.Error(d)
	}
}
