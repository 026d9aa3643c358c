package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// TestDocs holds docs/cli and docs/man to what the commands say of themselves:
// both are made from the same help.
func TestDocs(t *testing.T) {
	a := &app{out: os.Stdout, err: os.Stderr}
	root := a.rootCommand()
	root.DisableAutoGenTag = true // which has the date
	root.InitDefaultHelpCmd()
	fresh := map[string][]byte{}
	var write func(*cobra.Command)
	write = func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd != root {
			return
		}
		cmd.Long = fenced(cmd.Long)
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		var md, man bytes.Buffer
		if err := doc.GenMarkdownCustom(cmd, &md, func(file string) string { return strings.ReplaceAll(file, "_", "-") }); err != nil {
			t.Fatal(err)
		}
		header := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: "compactor", Manual: "compactor", Date: new(time.Time)}
		if err := doc.GenMan(cmd, header, &man); err != nil {
			t.Fatal(err)
		}
		fresh["cli/"+name+".md"] = tidied(md.Bytes())
		fresh["man/"+name+".1"] = tidied(bytes.ReplaceAll(man.Bytes(), []byte(`"Jan 0001"`), []byte(`""`)))
		for _, c := range cmd.Commands() {
			write(c)
		}
	}
	write(root)
	stale, err := differing("../../docs", fresh, *update)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("docs are not what the commands say of themselves; make docs writes them anew: %s", strings.Join(stale, ", "))
	}
}

// fenced marks the indented lines of a help text as code.
func fenced(long string) string {
	var b strings.Builder
	code := false
	for l := range strings.Lines(long + "\n\n") {
		if indented := strings.HasPrefix(l, "  "); indented != code && (indented || l != "\n") || code && l == "\n" {
			b.WriteString("```\n")
			code = !code
		}
		b.WriteString(l)
	}
	return strings.TrimSpace(b.String())
}

// tidied has no spaces at the ends of lines, and one end.
func tidied(text []byte) []byte {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// differing names the files below dir that are not as they should be, or mends them.
func differing(dir string, want map[string][]byte, mend bool) ([]string, error) {
	var out []string
	for _, sub := range []string{"cli", "man"} {
		err := filepath.WalkDir(filepath.Join(dir, sub), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			name := sub + "/" + d.Name()
			if want[name] == nil {
				out = append(out, name+" (of no command)")
				if mend {
					return os.Remove(path)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for name, text := range want {
		path := filepath.Join(dir, filepath.FromSlash(name))
		have, err := os.ReadFile(path)
		if err == nil && bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), text) {
			continue
		}
		out = append(out, name)
		if mend {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if mend {
		return nil, nil
	}
	return out, nil
}
