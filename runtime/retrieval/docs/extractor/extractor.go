// Package extractor extracts text from documents whose format is not trusted, in a child process
// with limits.
//
// A PDF can make its reader loop, and a Word document or a notebook can unpack to more than fits
// in memory; then the child ends and the document has an error that says which limit it reached.
// Formats that keep within limits on their own are read in this process.
//
// It opens no file: the caller decides what is read, and whether it may be.
package extractor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/safety/confined"
)

// Command is the hidden command whose body is Serve.
const Command = "read-document"

// Limits bound the reading of one document. A zero value means that of Default.
type Limits struct {
	Largest int64         // bytes of the file
	CPU     time.Duration //
	Memory  int64         // bytes
}

// Default allows many times what a manual of a thousand pages takes.
var Default = Limits{Largest: extract.MaxInput, CPU: 30 * time.Second, Memory: 512 << 20}

// patience is how many times the CPU time may pass on the clock, because a machine may be busy.
const patience = 4

// Extractors returns the extractors of runtime/retrieval/docs/extract; each untrusted one reads in
// a child process.
func Extractors(l Limits) []extract.Extractor {
	list := extract.Trusted()
	for _, e := range extract.Untrusted() {
		list = append(list, apart{Extractor: e, limits: l.orDefault()})
	}
	return list
}

func (l Limits) orDefault() Limits {
	if l.Largest == 0 {
		l.Largest = Default.Largest
	}
	if l.CPU == 0 {
		l.CPU = Default.CPU
	}
	if l.Memory == 0 {
		l.Memory = Default.Memory
	}
	return l
}

// apart is an extractor that reads in a child process.
type apart struct {
	extract.Extractor
	limits Limits
	self   []string // command line of the child; nil means this program with Command
}

func (a apart) Largest() int64 { return a.limits.Largest }

// ErrLimit reports that a document could not be read to its end.
var ErrLimit = errors.New("reading it went beyond a limit")

// ask is the request to the child.
type ask struct {
	Kind string // of the extractor
	Path string
}

// reply is the response of the child, on one line; the bytes of the text follow.
type reply struct {
	Text extract.Text
	Err  string
	Of   string // the text of the error that it wraps
}

// told are the errors that keep their identity across processes.
var told = []error{extract.ErrDamaged, extract.ErrPassword, extract.ErrTooLarge, extract.ErrBinary, extract.ErrPictures}

// Extract returns the text of a document.
func (a apart) Extract(ctx context.Context, path string, data []byte) (extract.Text, error) {
	if int64(len(data)) > a.limits.Largest {
		return extract.Text{}, fmt.Errorf("%w: %d bytes of at most %d", extract.ErrTooLarge, len(data), a.limits.Largest)
	}
	limits := confined.Limits{CPU: a.limits.CPU, Wall: patience * a.limits.CPU, Memory: a.limits.Memory}
	result, end, err := confined.Child{Self: a.self, Command: Command, Limits: limits}.Run(ctx, ask{a.Kind(), path}, data)
	switch {
	case err != nil:
		return extract.Text{}, fmt.Errorf("the process that reads it: %w", err)
	case end.Cause != "":
		return extract.Text{}, endedError(limits, end)
	}
	var r reply
	head, text, _ := bytes.Cut(result, []byte("\n"))
	if err := json.Unmarshal(head, &r); err != nil {
		return extract.Text{}, fmt.Errorf("the process that reads it: %w", err)
	}
	if r.Err != "" {
		return extract.Text{}, r.error()
	}
	r.Text.Text = string(text)
	return r.Text, nil
}

// endedError returns the error for a document that reached a limit or ended the child.
func endedError(limits confined.Limits, end confined.Ending) error {
	switch {
	case end.Cause == confined.CauseCPU:
		return fmt.Errorf("%w: it took more than %v of CPU time", ErrLimit, limits.CPU)
	case end.Cause == confined.CauseWall:
		return fmt.Errorf("%w: it took longer than %v", ErrLimit, limits.Wall)
	case end.Cause == confined.CauseMemory && end.Said != "":
		return fmt.Errorf("%w: %s", ErrLimit, end.Said)
	case end.Cause == confined.CauseMemory:
		return fmt.Errorf("%w: it took more than %d MiB of memory", ErrLimit, limits.Memory>>20)
	case end.Cause == confined.CauseStack:
		return fmt.Errorf("%w: it is nested too deeply", ErrLimit)
	}
	return fmt.Errorf("%w: it ended the process that read it: %s", extract.ErrDamaged, end.Said)
}

// failure is an error of the child, whose kind errors.Is finds.
type failure struct {
	said string
	kind error
}

func (f failure) Error() string { return f.said }
func (f failure) Unwrap() error { return f.kind }

func (r reply) error() error {
	for _, kind := range told {
		if kind.Error() == r.Of {
			return failure{r.Err, kind}
		}
	}
	return errors.New(r.Err)
}

// Serve runs the child; see [confined.Serve].
func Serve(in io.Reader, out io.Writer) int {
	return confined.Serve(in, out, func(request json.RawMessage, data []byte, step func(string)) ([]byte, error) {
		var of ask
		if err := json.Unmarshal(request, &of); err != nil {
			return nil, err
		}
		list := extract.Untrusted()
		i := slices.IndexFunc(list, func(e extract.Extractor) bool { return e.Kind() == of.Kind })
		if i < 0 {
			return nil, fmt.Errorf("%s is not a kind of document", of.Kind)
		}
		step("reading " + of.Path)
		var r reply
		var err error
		if r.Text, err = list[i].Extract(context.Background(), of.Path, data); err != nil {
			r.Err = err.Error()
			for _, kind := range told {
				if errors.Is(err, kind) {
					r.Of = kind.Error()
				}
			}
		}
		head, err := json.Marshal(r)
		return append(append(head, '\n'), r.Text.Text...), err
	})
}
