package find

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// ReadInput is the input of code.read.
type ReadInput struct {
	Path     string `json:"path" doc:"file to read: path, path:line or path:from-to"`
	From     int    `json:"from,omitempty" doc:"first line, counted from 1" min:"1"`
	To       int    `json:"to,omitempty" doc:"last line, included" min:"1"`
	Around   int    `json:"around" doc:"lines shown before and after the line of path:line" default:"20" min:"0" max:"500"`
	MaxLines int    `json:"max_lines" doc:"lines returned at most" default:"120" min:"1" max:"1000"`
}

// ReadOutput is a part of a file. From and To are 0 if it has no lines.
type ReadOutput struct {
	Ref        string `json:"ref" doc:"path:line of the line asked for, or the first one shown"`
	From       int    `json:"from" doc:"first line shown"`
	To         int    `json:"to" doc:"last line shown"`
	LinesTotal int    `json:"lines_total" doc:"lines of the whole file"`
	Text       string `json:"text" doc:"the lines, each as number, tab, text"`
	Truncated  bool   `json:"truncated" doc:"less is shown than was asked for"`
	Notes      string `json:"notes,omitempty" doc:"what was cut"`
}

// These bound what one call shows, in bytes.
const (
	readLine = 500
	readText = 64 << 10
)

// Read returns code.read, which reads lines of a file with their numbers and with secrets masked.
func Read(redact ...source.Redactor) catalog.Builtin {
	return catalog.New("code.read", "read lines of a file, around a line or a range", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in ReadInput) (ReadOutput, error) {
			return read(ctx, env, in, source.JoinRedactors(redact))
		})
}

func read(ctx context.Context, env *catalog.Env, in ReadInput, redact source.Redactor) (ReadOutput, error) {
	root, e, w, err := openPlace(ctx, env, in)
	if err != nil {
		return ReadOutput{}, err
	}
	p, err := source.OpenMasked(ctx, env, root, e.Path, redact)
	if err != nil {
		return ReadOutput{}, err
	}
	out, err := w.cut(ctx, p, clampLimit(in.MaxLines, 1, 1000))
	if err != nil {
		return ReadOutput{}, err
	}
	var said noteList
	if !bookQuote(env, p.Ref, len(out.Text), &said, "text left out") {
		out.From, out.To, out.Text, out.Truncated = 0, 0, "", true
	}
	out.Notes = said.String()
	return out, nil
}

// A window is a requested range of lines. Zero means unspecified.
type window struct {
	line     int // the one in the middle
	from, to int
}

// openPlace finds the requested file and lines. A file whose name itself ends in ":12" is found by
// its whole name.
func openPlace(ctx context.Context, env *catalog.Env, in ReadInput) (*sandbox.Root, sandbox.Entry, window, error) {
	if in.Path == "" {
		return nil, sandbox.Entry{}, window{}, source.InputError("code.read", "path is empty; name a file, or a line as path:line")
	}
	path, line, to := source.ParsePlace(in.Path)
	if path != in.Path {
		if root, rel, err := env.Roots.Resolve(in.Path); err == nil {
			if e, err := root.Stat(rel); err == nil {
				return root, e, window{from: in.From, to: in.To}, nil
			}
		}
	}
	root, _, e, err := source.ResolvePath(ctx, env, path)
	if err != nil {
		return nil, sandbox.Entry{}, window{}, err
	}
	if e.Dir {
		err = source.WithCode(&sandbox.PathError{Root: root.Name(), Path: e.Path, Err: sandbox.ErrIsDir, Hint: "list it with code.ls, or name a file in it"})
		return nil, sandbox.Entry{}, window{}, err
	}
	return root, e, in.window(line, to), nil
}

// window combines the lines in the path with from and to, which take precedence.
func (in ReadInput) window(line, to int) window {
	switch {
	case in.From > 0 || in.To > 0:
		return window{from: in.From, to: in.To}
	case to > 0:
		return window{from: line, to: to}
	case line > 0:
		around := min(max(in.Around, 0), (clampLimit(in.MaxLines, 1, 1000)-1)/2)
		return window{line: line, from: max(1, line-around), to: line + around}
	}
	return window{}
}

// referenceLine returns the line for a reference to the window; 0 means the whole file.
func (w window) referenceLine() int {
	if w.line > 0 {
		return w.line
	}
	return w.from
}

// cut reads the window from a file.
func (w window) cut(ctx context.Context, p *source.MaskedFile, maxLines int) (ReadOutput, error) {
	total := len(p.Raw)
	if err := w.check(p.Ref, total); err != nil {
		return ReadOutput{}, err
	}
	out := ReadOutput{Ref: p.Ref, LinesTotal: total}
	if total == 0 {
		return out, nil
	}
	from, to := max(w.from, 1), total
	if w.to > 0 {
		to = min(w.to, total)
	}
	stop := min(to, from+maxLines-1)
	if err := p.Mask(ctx, from, stop); err != nil {
		return ReadOutput{}, err
	}
	text, last := numberLines(p, from, stop, readLine, readText)
	out.From, out.To, out.Text, out.Truncated = from, last, text, last < to
	out.Ref = contract.Reference{Path: p.Ref, Line: w.referenceLine()}.String()
	return out, nil
}

// check returns an error for lines that do not exist.
func (w window) check(ref string, total int) error {
	if w.to > 0 && w.from > w.to {
		return &rangeError{fmt.Sprintf("%s: from %d lies after to %d", ref, w.from, w.to)}
	}
	if w.referenceLine() > max(total, 1) {
		return &rangeError{fmt.Sprintf("%s has %s; line %d is past its end", ref, words.Count(total, "line"), w.referenceLine())}
	}
	return nil
}

// A rangeError reports a request for lines that a file does not have.
type rangeError struct{ text string }

func (e *rangeError) Error() string { return e.text }

// Code returns LINE_RANGE.
func (e *rangeError) Code() string { return "LINE_RANGE" }

// numberLines formats the lines from..to, each of maxLine bytes at most after its number and a tab,
// and stops before the text exceeds maxBytes. It returns the last line included.
func numberLines(p *source.MaskedFile, from, to, maxLine, maxBytes int) (string, int) {
	var b strings.Builder
	last := from - 1
	for n := from; n <= to; n++ {
		text := strconv.Itoa(n) + "\t" + source.ShortenEnd(p.Line(n), maxLine) + "\n"
		if b.Len() > 0 && b.Len()+len(text) > maxBytes {
			break
		}
		b.WriteString(text)
		last = n
	}
	return b.String(), last
}
