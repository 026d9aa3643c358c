package relation

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// TestUsages compares what the reader finds in a tree of each language with the comments in it.
//
// "want: A, maybe B" ends a line that uses A and may use B; "^ want:" stands on the line below. "value" precedes what is
// passed on rather than called, "named" what is neither. A line without such a comment uses none of the names that the
// archive begins with; "missed:" tells which uses are known not to be found.
func TestUsages(t *testing.T) {
	files, err := filepath.Glob("testdata/usages/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives:", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			names := strings.Fields(strings.TrimPrefix(string(archive.Comment), "names:"))
			got, want := readTree(archive.Files).usagesOf(names), wantedUsages(archive.Files)
			if len(want) == 0 {
				t.Fatal("no line has a comment")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("usages by line (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHostileFilesTakeLinearTime repeats what the reader has to look far around for.
func TestHostileFilesTakeLinearTime(t *testing.T) {
	for _, c := range []struct{ path, unit string }{
		{"a.kt", `("").f `}, {"a.swift", "(A {[[).f "}, {"a.pl", "f::"}, {"a.dart", "a..f(1)"}, {"a.dart", "..f()"},
		{"a.rb", "@f.f "}, {"a.php", "$this->f->f(); "}, {"a.php", `\f`}, {"a.cc", " ::f "},
	} {
		t.Run(c.path+" of "+c.unit, func(t *testing.T) {
			clocktest.Linear(t, 1<<9, func(n int) func() {
				src := readSource(c.path, []byte(strings.Repeat(c.unit, n)))
				return func() {
					var r Reader
					r.Open(src)
					for i, b := range src.Data {
						if b == 'f' {
							r.Resolve("f", 1, i)
						}
					}
				}
			})
		})
	}
}

// TestLanguagesAreTested requires a file of each language in the archives of TestUsages.
func TestLanguagesAreTested(t *testing.T) {
	files, err := filepath.Glob("testdata/usages/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[symbols.Lang]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			tested[symbols.Detect(f.Name, f.Data)] = true
		}
	}
	for lang := range profiles {
		if !tested[lang] {
			t.Errorf("no archive in testdata/usages has a file of %s", lang)
		}
	}
}

var wantComment = regexp.MustCompile(`(\^ )?want: (.*?)(?: -->)?$`)

// wantedUsages returns what the comments of an archive want, by "path:line".
func wantedUsages(files []txtar.File) map[string][]string {
	out := map[string][]string{}
	for _, f := range files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			if m := wantComment.FindStringSubmatch(line); m != nil {
				items := strings.Split(m[2], ", ")
				slices.Sort(items)
				out[fmt.Sprint(f.Name, ":", i+1-len(m[1])/2)] = items
			}
		}
	}
	return out
}

// treeReader reads the files of an archive.
type treeReader struct {
	sources []Source
	heads   Heads
	module  string // of Go
}

func readTree(files []txtar.File) *treeReader {
	t := &treeReader{heads: Heads{}}
	for _, f := range files {
		if f.Name == "go.mod" {
			t.module = strings.Fields(string(f.Data))[1]
		}
		src := readSource(f.Name, f.Data)
		t.heads.AddHeads(src.Lang, src.Defs)
		t.sources = append(t.sources, src)
	}
	return t
}

// readSource reads what a Reader needs of a file.
func readSource(name string, data []byte) Source {
	src := Source{Path: name, Lang: symbols.Detect(name, data), Data: data, Defs: symbols.Scan(name, data)}
	var scanner symbols.Scanner
	scanner.Split(src.Lang, data, func(k symbols.SpanKind, from, to int) {
		if k != symbols.SpanCode {
			src.Quiet = append(src.Quiet, [2]int{from, to})
		}
	})
	return src
}

// index returns the definitions of a name, without prototypes of what has a body.
func (t *treeReader) index(name string) *NameIndex {
	w := &NameIndex{Heads: t.heads}
	var prototypes []Def
	for _, src := range t.sources {
		for _, d := range src.Defs {
			def := Def{Def: d, Path: src.Path, Lang: src.Lang}
			if src.Lang == symbols.Go {
				def.Package = path.Join(t.module, path.Dir(src.Path))
			}
			switch {
			case d.Name != name:
			case d.Kind == symbols.KindPrototype:
				prototypes = append(prototypes, def)
			default:
				w.Defs = append(w.Defs, def)
			}
		}
	}
	if len(w.Defs) == 0 {
		w.Defs = prototypes
	}
	return w
}

// usagesOf returns the usages of names by "path:line".
func (t *treeReader) usagesOf(names []string) map[string][]string {
	out := map[string][]string{}
	for _, name := range names {
		w := t.index(name)
		labels := labelDefs(w.Defs)
		for _, src := range t.sources {
			var r Reader
			r.Open(src)
			var all []Usage
			for line, text := range bytes.Split(src.Data, []byte("\n")) {
				for from := 0; ; {
					i := indexWord(text[from:], name)
					if i < 0 {
						break
					}
					if m, ok := r.Resolve(name, line+1, r.lineStart(line+1)+from+i); ok {
						all = append(all, m)
					}
					from += i + len(name)
				}
			}
			for _, m := range append(all, r.LookAliases(r.Aliases(name), 100)...) {
				for i := range w.Defs {
					v := w.Decide(&m, &w.Defs[i])
					if v == No {
						continue
					}
					at := m.Path + ":" + strconv.Itoa(m.Line)
					out[at] = addNew(out[at], map[Verdict]string{Maybe: "maybe ", Yes: ""}[v]+map[Form]string{Other: "named ", Value: "value "}[m.Form]+labels[i])
				}
			}
		}
	}
	for _, items := range out {
		slices.Sort(items)
	}
	return out
}

// labelDefs returns a label for each definition: its name and that of its container, with its path or line if others
// have the same.
func labelDefs(defs []Def) []string {
	label := func(d *Def) string {
		if d.Container == "" {
			return d.Name
		}
		return d.owner() + d.Lang.Separator() + d.Name
	}
	out := make([]string, len(defs))
	for i := range defs {
		d := &defs[i]
		inFile, inTree := 0, 0
		for k := range defs {
			if o := &defs[k]; label(o) == label(d) {
				inTree++
				if o.Path == d.Path {
					inFile++
				}
			}
		}
		switch out[i] = label(d); {
		case inFile > 1:
			out[i] += ":" + strconv.Itoa(d.Line)
		case inTree > 1:
			out[i] = d.Path + " " + out[i]
		}
	}
	return out
}
