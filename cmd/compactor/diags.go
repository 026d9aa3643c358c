package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

func (a *app) printDiags(list diag.List) { _ = writeDiags(a.err, list) }

// writeDiags prints diagnostics with the source lines that they are about.
func writeDiags(w io.Writer, list diag.List) error {
	return diag.Text(w, printableDiags(list), sourceText)
}

// printableDiags returns diagnostics that are safe to print: words and file names of a
// configuration stay on their lines, and keys that are written in it are not repeated.
func printableDiags(list diag.List) diag.List {
	return hideValues(list, quotedValue, func(name, value string) bool {
		return !strings.Contains(value, "${") && holdsSecret(name, value)
	})
}

// withoutValues returns diagnostics for other programs to read: unlike printableDiags, it repeats
// no value of a header or variable at all.
func withoutValues(list diag.List) diag.List {
	return hideValues(list, anyValue, func(_, _ string) bool { return true })
}

func hideValues(list diag.List, value *lazyregexp.Regexp, hide func(name, value string) bool) diag.List {
	out := make(diag.List, len(list))
	for i, d := range list {
		name := "" // of a header or variable that may hold a key
		if p := strings.Split(d.Path, "."); len(p) > 3 && p[0] == "servers" && (p[2] == "env" || p[2] == "headers") {
			name = strings.Join(p[3:], ".")
		}
		said := func(text string) string {
			if name != "" {
				text = value.ReplaceAllStringFunc(text, func(s string) string {
					if v := strings.Trim(s, `"`); v != name && hide(name, v) {
						return `"…"`
					}
					return s
				})
			}
			text, _ = redact.Default().Redact(text)
			return sanitize.Line(text)
		}
		d.Range.File = sanitize.Name(d.Range.File)
		d.Path, d.Message, d.Help = sanitize.Line(d.Path), said(d.Message), said(d.Help)
		d.Related = append([]diag.Related(nil), d.Related...)
		for k := range d.Related {
			d.Related[k].Range.File = sanitize.Name(d.Related[k].Range.File)
			d.Related[k].Message = said(d.Related[k].Message)
		}
		out[i] = d
	}
	return out
}

var (
	quotedValue = lazyregexp.New(`"(?:[^"\\]|\\.)+"`)
	anyValue    = lazyregexp.New(`"(?:[^"\\]|\\.)+"|\b[0-9][0-9a-zA-Z.+-]*`)
)

// sourceText reads the file that a diagnostic is about, for its excerpt. Each character of a
// key is replaced by a star, so that carets still point at the right columns.
func sourceText(file string) []byte {
	data, err := os.ReadFile(filepath.FromSlash(fromHome(sanitize.Path(file))))
	if err != nil {
		return nil
	}
	text := string(data)
	hidden := make([]bool, len(text))
	hide := func(start, end int) {
		for i := start; i < end; i++ {
			hidden[i] = true
		}
	}
	_, spans := redact.Default().Redact(text)
	for _, s := range spans {
		hide(s.Start, s.End)
	}
	for _, at := range writtenKey.FindAllStringSubmatchIndex(text, -1) {
		if start, end := max(at[2], at[4]), max(at[3], at[5]); !strings.Contains(text[start:end], "${") {
			hide(start, end)
		}
	}
	out := make([]rune, 0, len(text))
	for i, c := range text {
		if hidden[i] && c != '\n' && c != '\r' {
			c = '*'
		}
		out = append(out, c)
	}
	return []byte(string(out))
}

// fromHome expands the leading ~/ of a path.
func fromHome(file string) string {
	rest, ok := strings.CutPrefix(file, "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return file
	}
	return filepath.ToSlash(filepath.Join(home, filepath.FromSlash(rest)))
}

// expandFiles expands the file names of diagnostics, in place, so that other programs can open them.
func expandFiles(list diag.List) diag.List {
	for i := range list {
		list[i].Range.File = fromHome(list[i].Range.File)
		for k := range list[i].Related {
			list[i].Related[k].Range.File = fromHome(list[i].Related[k].Range.File)
		}
	}
	return list
}

// writtenKey matches the value of an option, variable, header or parameter that holds a
// secret, as a configuration writes it. A variable counts as one only if its name is in
// capitals throughout.
var writtenKey = lazyregexp.New(`(?:"--?[\w-]*(?i:key|token|secret|password|passwd|pwd|auth)"\s*,\s*|` +
	`"?[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD)"?:\s*|"?(?i:authorization|x-api-key|cookie)"?:\s*)"([^"\n]+)"|` +
	`[?&][\w-]*(?i:key|token|secret|password|passwd|pwd|auth)=([^"&\s]+)`)
