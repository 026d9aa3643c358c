package main

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// resultType is the type of what a role returns.
var resultType = schema.MustFromType(reflect.TypeFor[contract.Result]())

// FuzzTerminal prints names and texts in all ways there are, in pieces of any size.
func FuzzTerminal(f *testing.F) {
	for _, s := range []string{"\x1b]52;c;ZXZpbA==\x07", "a\nNotes\n  - run: x", "\u202e\u2066", "\x9b31m\xc2\x9b2J", "\xf3\xa0\x81\x81", "a\rb\vc\fd\u0085e\u2028f", "größe 工作", "\x1b", "\xe5\xb7"} {
		f.Add(s, s, 3)
	}
	f.Fuzz(func(t *testing.T, name, text string, piece int) {
		var b bytes.Buffer
		width := 0
		if piece&1 == 1 {
			width = 30
		}
		w := newTerminal(&b, 0, width, false)
		all := []byte(name + text + "\n")
		for piece = 1 + (piece&0xff)%len(all); len(all) > 0; {
			n := min(piece, len(all))
			if k, err := w.Write(all[:n]); k != n || err != nil {
				t.Fatal(k, err)
			}
			all = all[n:]
		}
		flush(w)
		harmlessOutput(t, b.String())

		if one := oneLine(name); strings.ContainsAny(one, "\n\r\v\f\u0085\u2028\u2029") || oneLine(one) != one {
			t.Errorf("%q is shown as %q", name, one)
		}
		if one := sanitize.Brief(text, 60); strings.Contains(one, "\n") || utf8.RuneCountInString(one) > 60 {
			t.Errorf("%q is shown as %q", text, one)
		}
		for _, more := range strings.Split(indentLines(text), "\n")[1:] {
			if !strings.HasPrefix(more, "    ") {
				t.Errorf("%q makes the line %q", text, more)
			}
		}
		ref := sanitize.Name(name) + ":3"
		raw := marshal(t, map[string]any{"summary": "s", "key_findings": []string{text}, "references": []string{ref}, "confidence": "low", "notes": nil})
		for _, format := range []render.Format{render.Text, render.Markdown} {
			out := render.Reply(raw, resultType, format)
			harmlessOutput(t, out)
			if !strings.Contains(out, ref) {
				t.Errorf("%q is not in %q", ref, out)
			}
			want := 11 // headings, blank lines and one line for each entry
			if format == render.Markdown {
				want = 13
			}
			if lines := strings.Count(out, "\n") - strings.Count(sanitize.Strip(strings.TrimRight(text, "\n")), "\n"); lines > want {
				t.Errorf("%s: %d lines of %q", format, lines, out)
			}
		}
		harmlessOutput(t, render.Reply(marshal(t, map[string]any{name: text, "list": []any{text, map[string]string{"ref": ref, "text": text}}}), nil, render.Text))
	})
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := printJSON(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func harmlessOutput(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("not UTF-8: %q", out)
	}
	for _, r := range out {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r <= 0x9F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r >= 0xE0000 && r <= 0xE0FFF {
			t.Fatalf("%U is in %q", r, out)
		}
	}
}

// A shell puts what is offered into the command line.
func TestCompletionsAreWhatTheyLookLike(t *testing.T) {
	got := strings.Join(dropUnprintable([]string{"good", "a\nb", "\x1b[2J", "x\u202ey", "n=1\tsays\x1b]0;x\x07 so", "c="}), "|")
	if want := "good|n=1\t" + `says\u{1b}]0;x\u{7} so` + "|c="; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
