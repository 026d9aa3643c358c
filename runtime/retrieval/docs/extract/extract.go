package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
)

// Extractor extracts text from one kind of file. It must give the same text for the same bytes,
// limit its time and memory, and return an error for a file that it cannot read.
type Extractor interface {
	// Kind names it with its version: a new version reads all its files again.
	Kind() string
	// Takes reports whether it reads files with this path.
	Takes(path string) bool
	// Largest returns the size of the largest file that it reads, in bytes; 0 for the limit of text.
	Largest() int64
	// Extract accepts any bytes: a file need not hold what its name promises.
	Extract(ctx context.Context, path string, data []byte) (Text, error)
}

// Text is the text of a file. Quotes are taken from it byte by byte.
type Text struct {
	Title string       `json:"title,omitempty"` // given by the file itself
	Text  string       `json:"-"`               // valid UTF-8; a form feed ends a page
	Tags  []string     `json:"tags,omitempty"`  // given by the file itself, in addition to its front matter
	Form  Form         `json:"form,omitempty"`
	Marks []chunk.Mark `json:"marks,omitempty"` // with Marked: the parts that begin there
	Notes []string     `json:"notes,omitempty"` // parts of the file that are not in Text, for display
}

// Form says where a text is cut.
type Form int

// The forms.
const (
	Plain    Form = iota // at paragraphs
	Markdown             // at headings and paragraphs
	Marked               // at the marks that come with it
)

// Cut cuts the text where its form says. The name is the title of a text without one.
func (t Text) Cut(ctx context.Context, name string, p chunk.Policy) (chunk.Cut, error) {
	d := chunk.Document{Name: cmp.Or(t.Title, name), Source: t.Text}
	switch t.Form {
	case Markdown:
		return chunk.Markdown(ctx, d, p)
	case Marked:
		return chunk.AtMarks(ctx, d, t.Marks, p)
	}
	return chunk.Text(ctx, d, p)
}

// Limits, in bytes.
const (
	maxTitle = 1000
	MaxInput = 64 << 20 // of a file that is not text
	MaxText  = 16 << 20 // of the text; the rest is left out, with a note
)

// Reasons why a file has no text.
var (
	ErrTooLarge = errors.New("it is larger than documents may be")
	ErrBinary   = errors.New("not text")
	ErrDamaged  = errors.New("it is not a whole document of its format")
	ErrPassword = errors.New("it is encrypted; store it without a password")
	ErrPictures = errors.New("its pages are pictures without text, as scans are; have the text recognised (OCR) and store it with that")
)

// Trusted returns the extractors that keep within limits on their own.
func Trusted() []Extractor {
	return []Extractor{
		format{kind: "markdown/4", endings: []string{".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd"}, read: readVerbatim(Markdown)},
		format{kind: "rst/1", endings: []string{".rst"}, read: readSections("x.rst")},
		format{kind: "asciidoc/1", endings: []string{".adoc", ".asciidoc"}, read: readSections("x.adoc")},
		format{kind: "text/3", endings: []string{".txt", ".text", ".org", ".tex", ".log", ".csv", ".tsv"},
			names: []string{"README", "LICENSE", "NOTICE", "AUTHORS", "CHANGELOG", "CHANGES", "CONTRIBUTING", "INSTALL", "NEWS", "TODO"}, read: readVerbatim(Plain)},
		format{kind: "html/3", endings: []string{".html", ".htm", ".xhtml"}, read: readHTML},
	}
}

// Untrusted returns the extractors that a document can make loop, take all memory or end the
// process: they are for a child process, which runtime/retrieval/docs/extractor starts.
func Untrusted() []Extractor {
	return []Extractor{
		format{kind: "notebook/1", endings: []string{".ipynb"}, largest: MaxInput, read: readNotebook},
		format{kind: "docx/1", endings: []string{".docx", ".docm", ".dotx", ".dotm"}, largest: MaxInput, read: readDocx},
		format{kind: "pdf/1", endings: []string{".pdf"}, largest: MaxInput, read: readPDF},
	}
}

// For returns the first extractor in the list that reads a file.
func For(list []Extractor, path string) (Extractor, bool) {
	i := slices.IndexFunc(list, func(e Extractor) bool { return e.Takes(path) })
	if i < 0 {
		return nil, false
	}
	return list[i], true
}

// KindName returns the kind of an extractor without its version.
func KindName(e Extractor) string {
	name, _, _ := strings.Cut(e.Kind(), "/")
	return name
}

// format is an extractor of this package.
type format struct {
	kind    string
	endings []string // extensions, in lower case
	names   []string // names without an extension, in upper case
	largest int64
	read    func(ctx context.Context, data []byte) (Text, error)
}

func (f format) Kind() string   { return f.kind }
func (f format) Largest() int64 { return f.largest }

func (f format) Takes(p string) bool {
	return slices.Contains(f.endings, strings.ToLower(path.Ext(p))) || slices.Contains(f.names, strings.ToUpper(path.Base(p)))
}

func (f format) Extract(ctx context.Context, _ string, data []byte) (Text, error) {
	if err := ctx.Err(); err != nil {
		return Text{}, err
	}
	t, err := f.read(ctx, data)
	if err != nil {
		return Text{}, err
	}
	t.Title = oneLine(t.Title[:lastBreak(t.Title, maxTitle)])
	t.Text = strings.ReplaceAll(t.Text, "\x00", "") // JSON can spell it
	return t, nil
}

// readVerbatim returns a function that reads text unchanged.
func readVerbatim(form Form) func(context.Context, []byte) (Text, error) {
	return func(_ context.Context, data []byte) (Text, error) {
		said, notes, err := Decode(data)
		return Text{Text: said, Form: form, Notes: notes}, err
	}
}

// beyondNote returns the note about a text that was cut.
func beyondNote(size int) string {
	return fmt.Sprintf("what comes after the first %d MiB of %d MiB of text", MaxText>>20, (size+1<<20-1)>>20)
}

// lastBreak returns the last position up to at where a line ends, or a character.
func lastBreak(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	if i := strings.LastIndexByte(s[:at], '\n'); i > at/2 {
		return i + 1
	}
	for i := 0; i < utf8.UTFMax && at > 0 && !utf8.RuneStart(s[at]); i++ {
		at--
	}
	return at
}
