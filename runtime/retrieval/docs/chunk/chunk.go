package chunk

import (
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// Document is a document to cut.
type Document struct {
	Name   string // title for a document without one
	Source string
}

// Chunk is a stretch of a document.
type Chunk struct {
	Start, End int      // offsets into the source; the text is Source[Start:End]
	New        int      // where the text begins that the previous chunk does not have; Start without overlap
	Title      string   // its subject: its sections, or the document
	Section    []string // the headings above all of it, outermost first
	Tokens     int      // approximate, and seldom too few
}

// Cut is a document in chunks.
type Cut struct {
	Title  string   // of the document
	Tags   []string // from its front matter, as written
	Chunks []Chunk
	Plain  bool // Markdown that was cut as text, because it has more lines than MaxLines
}

// Policy says how long chunks are, in tokens.
type Policy struct {
	Least   int // a heading ends a chunk with at least this many; shorter sections stay together
	Most    int // maximum of a chunk
	Overlap int // with the previous chunk, if a section continues
}

// Default returns the policy for text that nothing is known of.
func Default() Policy { return Policy{Least: 512, Most: 1000, Overlap: 80} }

// Check returns an error that names the value which does not fit the others.
func (p Policy) Check() error {
	if p.Most < 16 || p.Most > 100_000 {
		return fmt.Errorf("chunk: at most %d tokens: want 16 to 100000", p.Most)
	}
	if p.Least < 0 || p.Least > p.Most {
		return fmt.Errorf("chunk: at least %d tokens, of at most %d", p.Least, p.Most)
	}
	if p.Overlap < 0 || p.Overlap > p.Most/2 {
		return fmt.Errorf("chunk: an overlap of %d tokens: want at most half of %d", p.Overlap, p.Most)
	}
	return nil
}

// Text cuts plain text at its paragraphs.
func Text(ctx context.Context, d Document, p Policy) (Cut, error) {
	if err := p.Check(); err != nil {
		return Cut{}, err
	}
	return cutDocument(ctx, d, layout{title: d.Name}, p)
}

// Markdown cuts CommonMark at its headings and paragraphs.
func Markdown(ctx context.Context, d Document, p Policy) (Cut, error) {
	if err := p.Check(); err != nil {
		return Cut{}, err
	}
	if strings.Count(d.Source, "\n") > MaxLines {
		c, err := cutDocument(ctx, d, layout{title: d.Name}, p)
		c.Plain = true
		return c, err
	}
	return cutDocument(ctx, d, outline(d), p)
}

// MaxLines is the maximum number of lines of Markdown: each may be a block of a few hundred bytes
// in memory. Documents that people write have a tenth of it.
const MaxLines = 400_000

// maxCounted is the size in bytes up to which the tokens of a source are counted; in a longer one
// they are estimated, never too low: counting a megabyte without a space in it takes a second.
const maxCounted = 4 << 20

func cutDocument(ctx context.Context, d Document, l layout, p Policy) (Cut, error) {
	count := tokens.Count
	if len(d.Source) > maxCounted {
		count = tokens.Estimate
	}
	list, err := splitAtoms(ctx, d.Source, l, min(p.Most-p.Overlap, maxAtom), count)
	if err != nil {
		return Cut{}, err
	}
	k := packer{policy: p, layout: l, atoms: list}
	return Cut{Title: l.title, Tags: l.tags, Chunks: k.pack()}, nil
}
