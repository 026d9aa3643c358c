package chunk

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tell writes chunks as the golden files have them.
func tell(source string, c Cut) string {
	var b strings.Builder
	fmt.Fprintf(&b, "document: %s\n", c.Title)
	for _, k := range c.Chunks {
		text := source[k.Start:k.End]
		fmt.Fprintf(&b, "[%d:%d] new %d, %d tokens, %s", k.Start, k.End, k.New, k.Tokens, k.Title)
		if len(k.Section) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(k.Section, " > "))
		}
		first, _, _ := strings.Cut(text, "\n")
		lines := strings.Split(strings.TrimSpace(text), "\n")
		fmt.Fprintf(&b, "\n  %s\n  … %s\n", first, lines[len(lines)-1])
	}
	return b.String()
}

// TestGolden cuts the documents of testdata with a small policy.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d golden files: %v", len(files), err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source := string(archive.Files[0].Data)
		d, p := Document{Name: archive.Files[0].Name, Source: source}, Policy{Least: 40, Most: 80, Overlap: 20}
		make := Markdown
		if filepath.Ext(d.Name) != ".md" {
			make = Text
		}
		c, err := make(context.Background(), d, p)
		if err != nil {
			t.Fatal(err)
		}
		check(t, source, c, p)
		got := tell(source, c)
		if *update {
			archive.Files = append(archive.Files[:1], txtar.File{Name: "chunks", Data: []byte(got)})
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want := string(archive.Files[1].Data); got != want {
			t.Errorf("%s: the chunks are\n%s\nwant\n%s", file, got, want)
		}
	}
}

// check holds chunks against what is promised of them.
func check(t *testing.T, source string, c Cut, p Policy) {
	t.Helper()
	done := 0
	for i, k := range c.Chunks {
		if k.Start < 0 || k.Start > k.New || k.New >= k.End || k.End > len(source) {
			t.Fatalf("chunk %d is [%d:%d], new from %d, of %d bytes", i, k.Start, k.End, k.New, len(source))
		}
		if i > 0 && (k.New != c.Chunks[i-1].End || k.Start < c.Chunks[i-1].Start) {
			t.Fatalf("chunk %d begins at %d with what is new from %d, the one before is [%d:%d]", i, k.Start, k.New, c.Chunks[i-1].Start, c.Chunks[i-1].End)
		}
		if k.Tokens > p.Most {
			t.Fatalf("chunk %d has %d tokens, of at most %d", i, k.Tokens, p.Most)
		}
		if utf8.ValidString(source) && !utf8.ValidString(source[k.Start:k.End]) {
			t.Fatalf("chunk %d is cut inside of a character", i)
		}
		if strings.TrimSpace(source[k.Start:k.End]) == "" || !utf8.ValidString(k.Title) {
			t.Fatalf("chunk %d, %q, says nothing", i, k.Title)
		}
		if i == 0 && strings.TrimSpace(source[:k.Start]) != "" && !strings.HasPrefix(source, "---") {
			t.Fatalf("%d bytes before the first chunk are lost", k.Start)
		}
		done = k.End
	}
	if strings.TrimSpace(source[done:]) != "" && !(done == 0 && strings.HasPrefix(source, "---")) {
		t.Fatalf("what follows %d is lost", done)
	}
}

func TestNoChunkHasMoreTokensThanItMay(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "Paragraph %d says that the value of setting_%d is %d; see §%d.\n\n", i, i, i*i, i)
		if i%40 == 0 {
			fmt.Fprintf(&b, "## Part %d\n\n", i/40)
		}
	}
	for _, p := range []Policy{Default(), {Least: 0, Most: 16, Overlap: 8}, {Least: 100, Most: 100}} {
		c, err := Markdown(context.Background(), Document{"x", b.String()}, p)
		if err != nil {
			t.Fatal(err)
		}
		check(t, b.String(), c, p)
		for i, k := range c.Chunks {
			if n := tokens.Count(b.String()[k.Start:k.End]); n > p.Most {
				t.Errorf("chunk %d of %+v has %d tokens", i, p, n)
			}
		}
		if len(c.Chunks) < 2 {
			t.Errorf("%d chunks", len(c.Chunks))
		}
	}
}

func TestPoliciesThatCannotHold(t *testing.T) {
	for want, p := range map[string]Policy{
		"at most 15 tokens":            {Most: 15},
		"at least 600 tokens, of":      {Least: 600, Most: 500},
		"an overlap of 51 tokens":      {Most: 100, Overlap: 51},
		"an overlap of -1 tokens":      {Most: 100, Overlap: -1},
		"at most 100001 tokens: want ": {Most: 100_001},
	} {
		if _, err := Text(context.Background(), Document{}, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", p, err, want)
		}
	}
}

// TestHostileDocuments cuts what was written to cost more than it is long. Each
// is bounded by the deadline of the test alone; what matters is that none is
// quadratic, recursive or cut inside of a character.
func TestHostileDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const size = 1 << 16
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, source := range map[string]string{
		"one line":          fill("x"),
		"one line of words": fill("word "),
		"one wide line":     fill("語"),
		"quotes":            fill("> "),
		"lists":             fill("- "),
		"nested lists":      fill("- x\n  "),
		"hashes":            fill("#"),
		"headings":          fill("# a\n"),
		"empty headings":    fill("#\n"),
		"underlines":        fill("a\n=\n"),
		"fences":            fill("```\n"),
		"an open fence":     "```\n" + fill("\n# no\n"),
		"brackets":          fill("["),
		"html":              fill("<div>\n\n"),
		"comments":          fill("<!-- # x\n"),
		"tabs":              fill("\t"),
		"empty lines":       fill("\n"),
		"returns":           fill("a\r"),
		"no characters":     fill("\xff\xfe"),
		"zeros":             fill("\x00"),
		"full stops":        fill(". "),
		"front matter":      "---\n" + fill("a: &a [*a]\n") + "---\n",
		"a long heading":    "# " + fill("**a** "),
	} {
		for kind, make := range map[string]func(context.Context, Document, Policy) (Cut, error){"markdown": Markdown, "text": Text} {
			c, err := make(context.Background(), Document{name, source}, Default())
			if err != nil {
				t.Errorf("%s as %s: %v", name, kind, err)
				continue
			}
			check(t, source, c, Default())
		}
	}
}

func TestMarkdownOfTooManyLinesIsCutAsText(t *testing.T) {
	c, err := Markdown(context.Background(), Document{"x.md", strings.Repeat("# a\n", MaxLines+1)}, Default())
	if err != nil || !c.Plain || c.Title != "x.md" || len(c.Chunks) == 0 {
		t.Errorf("%d chunks of %q, plain %v: %v", len(c.Chunks), c.Title, c.Plain, err)
	}
}

func TestCuttingCanBeGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Text(ctx, Document{"x", strings.Repeat("a b. ", 100_000)}, Default()); err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}

// FuzzCut: every chunk of any source keeps what is promised, and the same source
// gives the same chunks.
func FuzzCut(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		if archive, err := txtar.ParseFile(file); err == nil {
			f.Add(string(archive.Files[0].Data), 20, 60, 10)
		}
	}
	f.Add("---\ntitle: x\n---\n# a {#b}\n\ntext\n\nsetext\n---\n\n```\n# no\n```\n", 0, 16, 8)
	f.Add("\xff\xfe語\r\n\r\n#\n", 5, 16, 0)
	f.Fuzz(func(t *testing.T, source string, least, most, overlap int) {
		p := Policy{least, most, overlap}
		if len(source) > 1<<14 || p.Check() != nil {
			return
		}
		for _, make := range []func(context.Context, Document, Policy) (Cut, error){Markdown, Text} {
			a, err := make(context.Background(), Document{"x", source}, p)
			if err != nil {
				t.Fatal(err)
			}
			check(t, source, a, p)
			if b, _ := make(context.Background(), Document{"x", source}, p); fmt.Sprint(a) != fmt.Sprint(b) {
				t.Error("the chunks are others the second time")
			}
		}
	})
}

func TestTagsOfFrontMatter(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + p + strings.Repeat(",*"+p, 8) + "]\n"
	}
	for matter, want := range map[string][]string{
		"tags: [a, b c]":         {"a", "b c"},
		"tags:\n- a\n- 7\n- [x]": {"a", "7"},
		"tags: a b":              {"a", "b"},
		"tags: a b, c":           {"a b", " c"},
		"tags: 7":                nil,
		"tags:":                  nil,
		"title: T":               nil,
		bomb + "tags: *j":        nil,
		"tags: " + strings.Repeat("[", 7000) + strings.Repeat("]", 7000): nil,
	} {
		c, err := Markdown(t.Context(), Document{Name: "x", Source: "---\n" + matter + "\n---\n# H\n\nText.\n"}, Default())
		if err != nil || !slices.Equal(c.Tags, want) {
			t.Errorf("%.60q: %q, want %q; %v", matter, c.Tags, want, err)
		}
	}
}
