package library_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

func TestNewTags(t *testing.T) {
	for want, list := range map[string][]string{
		"back off,go,net": {"Go", " #net ", "back   off", "go", "", "\xff"},
		"":                {string(make([]byte, 500))},
	} {
		if got := library.NewTags(list); string(got) != want && want != "" {
			t.Errorf("%q are %q, want %q", list, got, want)
		}
	}
	if tags := library.NewTags([]string{"a", "b"}); !tags.Has("") || !tags.Has("b,a") || tags.Has("c") || library.Tags("").Has("a") {
		t.Error("a document has tags that it has not, or lacks its own")
	}
}

// Tags of front matter and of pages choose documents, in the question and beside it, and
// follow the files.
func TestTags(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, filepath.Join(t.TempDir(), "guide.db"))
	write(t, dir, "list.md", "---\ntags: [Net, \"Back off\", 2026]\n---\n# List\n\nA retry waits.\n")
	write(t, dir, "text.md", "---\ntags: net, slow\n---\n# Text\n\nA retry waits long.\n")
	write(t, dir, "odd.md", "---\ntags: {a: b}\n---\n# Odd\n\nA retry waits.\n")
	write(t, dir, "page.html", "<meta name=Keywords content='slow, retries'><h1>Page</h1><p>A retry waits.</p>")
	indexed(t, s, dir)
	set := library.Set{{Name: "guide", Open: func(context.Context) (*library.Library, error) { return library.Open(s), nil }}}
	find := func(q library.Query) (out []string) {
		q.Limit = 10
		a, _, err := set.Search(t.Context(), "", q)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Found {
			out = append(out, filepath.Base(f.Document.URI))
		}
		slices.Sort(out)
		return out
	}
	for question, want := range map[string][]string{
		"retry waits":                        {"list.md", "odd.md", "page.html", "text.md"},
		"retry waits tag:NET":                {"list.md", "text.md"},
		"retry waits tag:net tag:slow":       {"text.md"},
		`retry waits tag:"back off"`:         {"list.md"},
		"retry waits tag:2026":               {"list.md"},
		"retry waits tag:slow kind:html":     {"page.html"},
		"retry waits tag:none":               nil,
		"retry waits tag:slow in HTML files": {"page.html"},
		"retry waits in PDFs":                {"list.md", "odd.md", "page.html", "text.md"},
	} {
		if got := find(library.Query{Text: question}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", question, got, want)
		}
	}
	if got := find(library.Query{Text: "retry", Only: library.Only{Tags: "slow"}}); !slices.Equal(got, []string{"page.html", "text.md"}) {
		t.Errorf("of tag slow are %v", got)
	}
	write(t, dir, "text.md", "# Text\n\nA retry waits long.\n")
	indexed(t, s, dir)
	if got := find(library.Query{Text: "retry tag:net"}); !slices.Equal(got, []string{"list.md"}) {
		t.Errorf("once it has no tags any more: %v", got)
	}
}
