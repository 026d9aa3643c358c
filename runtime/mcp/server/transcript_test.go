package server_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestTranscripts plays the lines of testdata/lines/*.txtar over a pipe, each after the answer to the one before, and
// compares all that came back. \xNN in a line stands for a byte.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/lines/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := newServer(t)
			p := dial(t, s)
			var out bytes.Buffer
			for line := range strings.SplitSeq(string(archive.Files[0].Data), "\n") {
				line = strings.ReplaceAll(line, `\xff`, "\xff")
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				p.send(line)
				if !silent(line) {
					p.copyAnswer(&out)
				}
			}
			p.close()
			for line := range p.lines {
				fmt.Fprintln(&out, line)
			}
			if *update {
				archive.Files = []txtar.File{archive.Files[0], {Name: "out", Data: out.Bytes()}}
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// silent reports that a line gets no answer: notifications and responses.
func silent(line string) bool {
	return strings.Contains(line, `"method":"notifications/`) || strings.Contains(line, `"result":`)
}

// copyAnswer copies notes up to and with the next answer.
func (p *pipe) copyAnswer(out *bytes.Buffer) {
	p.t.Helper()
	for {
		line := p.line()
		fmt.Fprintln(out, line)
		if decode(p.t, line).Method == "" {
			return
		}
	}
}
