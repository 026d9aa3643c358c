package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string // below the archive's directory
	data []byte
	mode fs.FileMode
}

// sharedEntries returns the files that are the same on every system: texts, the manual if there is
// one, and the completions for each shell.
func (r *release) sharedEntries(ctx context.Context) ([]entry, error) {
	var out []entry
	names := []string{"LICENSE", "README.md", "CHANGELOG.md"}
	manual, err := filepath.Glob(filepath.Join("docs", "man", "*.1"))
	if err != nil {
		return nil, err
	}
	for _, name := range append(names, manual...) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if filepath.Ext(name) == ".1" {
			name = path.Join("man", filepath.Base(name))
		}
		out = append(out, entry{name, data, 0o644})
	}
	host := filepath.Join(r.work, "host")
	if runtime.GOOS == "windows" {
		host += ".exe"
	}
	if err := r.buildProgram(ctx, runtime.GOOS, runtime.GOARCH, host); err != nil {
		return nil, err
	}
	for shell, name := range map[string]string{"bash": "compactor.bash", "zsh": "_compactor", "fish": "compactor.fish", "powershell": "compactor.ps1"} {
		text, err := runCommand(ctx, nil, host, "completion", shell)
		if err != nil {
			return nil, err
		}
		out = append(out, entry{path.Join("completions", name), []byte(text), 0o644})
	}
	slices.SortFunc(out, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return out, nil
}

func tarGz(dir string, entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression) // its header has neither name nor time
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: path.Join(dir, e.name), Size: int64(len(e.data)), Mode: int64(e.mode), ModTime: at, Format: tar.FormatUSTAR})
		if err == nil {
			_, err = w.Write(e.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func zipArchive(dir string, entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: path.Join(dir, e.name), Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(e.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
