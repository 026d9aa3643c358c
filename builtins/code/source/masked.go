package source

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Redactor masks the secrets of a text and keeps its line breaks. The builtins that quote apply it
// before they take a line out of a file: within a single line, a key that spans several lines or a
// value cut off from its name could not be recognized. A builtin made without a Redactor quotes files
// unmasked.
type Redactor func(text string) string

// JoinRedactors joins redactors; nil means no masking.
func JoinRedactors(redact []Redactor) Redactor {
	if len(redact) == 0 {
		return nil
	}
	return func(text string) string {
		for _, r := range redact {
			if r != nil {
				text = r(text)
			}
		}
		return text
	}
}

// A MaskedFile is a file whose lines may be quoted once Mask has masked them.
type MaskedFile struct {
	Ref    string
	Data   []byte   // unmasked, for matching and parsing
	Raw    []string // its lines
	Masked []string // the same lines as they may be shown
	parts  []part
	redact Redactor
}

// A part of a file is masked as a unit. Most files are one part; larger ones are split, so that
// masking stops soon after its context ends and costs no more than what is shown.
type part struct {
	from, to int // lines [from, to), counted from 0
	done     bool
}

const (
	partSize = 512 << 10 // approximate bytes of a part
	margin   = 64 << 10  // bytes around it that are masked with it: no secret is longer
)

// OpenMasked reads a file without booking it: callers book the lines they quote.
func OpenMasked(ctx context.Context, env *catalog.Env, root *sandbox.Root, rel string, redact Redactor) (*MaskedFile, error) {
	data, err := root.ReadFile(ctx, rel, nil)
	if err != nil {
		return nil, WithCode(err)
	}
	p := &MaskedFile{Ref: env.Roots.Ref(root, rel), Data: data, Raw: textLines(string(data)), redact: redact}
	p.Masked = p.Raw
	if redact != nil {
		p.Masked = slices.Clone(p.Raw)
		p.parts = partsOf(p.Raw)
	}
	return p, nil
}

func partsOf(lines []string) []part {
	var list []part
	from, size := 0, 0
	for i, l := range lines {
		if size += len(l) + 1; size >= partSize || i == len(lines)-1 {
			list = append(list, part{from: from, to: i + 1})
			from, size = i+1, 0
		}
	}
	return list
}

// Mask masks the parts that contain lines from..to, counted from 1.
func (p *MaskedFile) Mask(ctx context.Context, from, to int) error {
	for i := range p.parts {
		s := &p.parts[i]
		if s.done || s.to < from || s.from >= to {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		low, high := p.widen(s.from, s.to)
		copy(p.Masked[s.from:s.to], maskLines(p.Raw[low:high], p.redact)[s.from-low:])
		s.done = true
	}
	return nil
}

// widen extends a range of lines by a margin on both sides.
func (p *MaskedFile) widen(from, to int) (low, high int) {
	low, high = from, to
	for size := 0; low > 0 && size < margin; low-- {
		size += len(p.Raw[low-1]) + 1
	}
	for size := 0; high < len(p.Raw) && size < margin; high++ {
		size += len(p.Raw[high]) + 1
	}
	return low, high
}

// Line returns line n, counted from 1; "" if it does not exist or was not masked yet.
func (p *MaskedFile) Line(n int) string {
	if n < 1 || n > len(p.Masked) {
		return ""
	}
	i, _ := slices.BinarySearchFunc(p.parts, n, func(s part, n int) int { return s.to - n })
	if i < len(p.parts) && !p.parts[i].done {
		return ""
	}
	return strings.ReplaceAll(p.Masked[n-1], string(notebook.BreakMark), "\n")
}

// maskLines masks lines as one text. A redactor that joins lines would shift all lines below; in
// that case it is applied line by line.
func maskLines(lines []string, redact Redactor) []string {
	if masked := strings.Split(redact(strings.Join(lines, "\n")), "\n"); len(masked) == len(lines) {
		return masked
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.ReplaceAll(redact(l), "\n", " ")
	}
	return out
}

// textLines splits at line feeds; a carriage return before one is part of the line ending, and a
// byte order mark is dropped. A final line feed begins no line.
func textLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}
