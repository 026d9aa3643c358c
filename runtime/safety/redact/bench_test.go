package redact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goSource returns about size bytes of the standard library's source, whole files.
func goSource(tb testing.TB, size int) (files []string) {
	tb.Helper()
	left := size
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("no go command to ask for the standard library")
	}
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || left <= 0 {
			return filepath.SkipAll
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files = append(files, string(data))
			left -= len(data)
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		tb.Skip("the standard library's source is not there")
	}
	return files
}

// tokenLines returns JSON lines full of base64, which is what the keywords of short token prefixes come up in by chance.
func tokenLines(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `{"n":%d,"data":"`, i)
		for j := range 12 {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d", i, j))
			b.WriteString(base64.StdEncoding.EncodeToString(sum[:]))
		}
		b.WriteString("\"}\n")
	}
	return b.String()[:size]
}

func BenchmarkGoSource(b *testing.B) {
	files := goSource(b, 10<<20)
	r := Default()
	var size int64
	for _, f := range files {
		size += int64(len(f))
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, f := range files {
			r.Redact(f)
		}
	}
}

func BenchmarkBase64Lines(b *testing.B) {
	text := tokenLines(400 << 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Default().Redact(text)
	}
}

func BenchmarkManySecrets(b *testing.B) {
	var t strings.Builder
	for i := range 8000 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d", i))
		fmt.Fprintf(&t, "gh"+"p_%.36x\n", sum)
	}
	b.SetBytes(int64(t.Len()))
	for b.Loop() {
		Default().Redact(t.String())
	}
}

// BenchmarkBuild is what the first use of the built-in rules costs, less the expressions that a text then needs.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		newRedactor(builtinDetectors())
	}
}

// A large result of a server, as structured content.
func BenchmarkJSON(b *testing.B) {
	var list []any
	for i := range 1_000 {
		list = append(list, map[string]any{"id": i, "title": "Fix the worker pool when the queue is empty", "state": "open", "labels": []string{"bug", "pool"},
			"user": map[string]any{"login": "someone", "id": 7}, "body": "The pool is built in runtime/pipeline/engine/pool.go:41 and closed twice.\n\nSteps: run it."})
	}
	raw, err := json.Marshal(map[string]any{"structuredContent": map[string]any{"items": list}})
	if err != nil {
		b.Fatal(err)
	}
	r := Default()
	b.Run("fields", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			r.JSON(b.Context(), raw, Frame{Message: true})
		}
	})
	b.Run("text", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			r.Redact(string(raw))
		}
	})
}
