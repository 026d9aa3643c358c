package commitbench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// bench is the workplace of one worker: a tree laid out, and the tool that is asked about it.
type bench struct {
	*session
	n      int
	layout *githistory.Layout
	dir    string
	asker  Asker
	files  *os.Root // references are checked against it
}

// moveTo lays out the tree of a commit, or uses the directory as it is if parent is empty.
func (b *bench) moveTo(ctx context.Context, parent string) error {
	if parent == "" {
		b.close()
		b.layout = nil
		files, err := os.OpenRoot(b.Dir)
		if err != nil {
			return err
		}
		b.files, b.dir = files, b.Dir
		b.asker, err = b.Open(b.Dir)
		return err
	}
	if b.layout == nil {
		b.close()
		if err := b.layOut(ctx); err != nil {
			return err
		}
	}
	return b.layout.To(ctx, parent)
}

func (b *bench) layOut(ctx context.Context) error {
	dir := filepath.Join(b.temp, strconv.Itoa(b.n+1), treeName(b.Dir))
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil { // an empty .git marks a work tree
		return err
	}
	layout, err := b.repo.Layout(ctx, dir)
	if err != nil {
		return err
	}
	b.layout, b.files, b.dir = layout, layout.Root(), dir
	b.asker, err = b.Open(dir)
	return err
}

// treeName returns the name of the repository, as its replies show it.
func treeName(dir string) string {
	abs, err := filepath.Abs(dir)
	if name := filepath.Base(abs); err == nil && len(name) > 1 && filepath.IsLocal(name) {
		return name
	}
	return "tree"
}

func (b *bench) close() {
	if b.asker != nil {
		_ = b.asker.Close()
	}
	switch {
	case b.layout != nil:
		b.layout.Close()
	case b.files != nil:
		_ = b.files.Close()
	}
	b.asker, b.files, b.layout = nil, nil, nil
}

// askOne asks one case and scores the reply.
func (b *bench) askOne(ctx context.Context, c eval.Case) (eval.Result, error) {
	if err := b.deriveLines(ctx, &c); err != nil {
		return eval.Result{}, err
	}
	start := time.Now()
	raw, err := b.asker.Ask(ctx, c.Question)
	a := eval.Answer{Seconds: time.Since(start).Seconds()}
	if ctx.Err() != nil {
		return eval.Result{}, ctx.Err()
	}
	if err == nil {
		err = b.readReply(raw, &a)
	}
	if err != nil {
		a.Failed = err.Error()
	}
	return eval.Score(c, a), nil
}

// deriveLines derives the right lines of a question from history.
func (b *bench) deriveLines(ctx context.Context, c *eval.Case) error {
	if c.Kind != eval.History || len(c.Lines) > 0 || c.Commit == "" || c.Parent == "" || !b.repo.Has(ctx, c.Commit) {
		return nil
	}
	lines := map[string][]eval.Range{}
	for _, f := range c.Gold {
		hunks, err := b.repo.Hunks(ctx, githistory.Commit{ID: c.Commit, Parent: c.Parent}, f)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		src, readErr := readAll(b.files, f, maxBlob)
		if err != nil || readErr != nil {
			continue // the lines of this file stay unknown
		}
		if r := touchedLines(src, b.Definitions(f, src), hunks); len(r) > 0 {
			lines[f] = r
		}
	}
	c.Lines = lines
	return nil
}

// reply holds the members that are read from any tool's reply.
type reply struct {
	References *[]string `json:"references"`
	Confidence string    `json:"confidence"`
}

// part is the outcome of a role in a reply.
type part struct {
	Status contract.Status `json:"status"`
	Value  *struct {
		Confidence string `json:"confidence"`
	} `json:"value"`
	Error *contract.Error `json:"error"`
}

// ConfidenceOf returns the confidence that a reply states: its own, the one in its meta, or
// the one of the part that the others build on; "" if it states none.
func ConfidenceOf(raw json.RawMessage) string {
	var r struct {
		Confidence string `json:"confidence"`
		Meta       struct {
			Confidence string `json:"confidence"`
		} `json:"meta"`
	}
	_ = json.Unmarshal(raw, &r) // a reply of another form states none
	if said := cmp.Or(r.Confidence, r.Meta.Confidence); said != "" {
		return said
	}
	if p := firstPart(raw); p.Value != nil {
		return p.Value.Confidence
	}
	return ""
}

// firstPart returns the first outcome among the members of a reply, on which the others
// build, or the zero part.
func firstPart(raw json.RawMessage) (p part) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return part{}
	}
	for d.More() {
		var value json.RawMessage
		if _, err := d.Token(); err != nil || d.Decode(&value) != nil {
			return part{}
		}
		if json.Unmarshal(value, &p) == nil && p.Status != "" {
			return p
		}
		p = part{}
	}
	return part{}
}

func (b *bench) readReply(raw json.RawMessage, a *eval.Answer) error {
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil || r.References == nil {
		return errors.New("the tool does not answer with references")
	}
	a.Tokens = b.Count(string(raw))
	a.Confidence = r.Confidence
	switch p := firstPart(raw); {
	case p.Error != nil:
		return fmt.Errorf("%s [%s]", p.Error.Message, p.Error.Code)
	case p.Value != nil && a.Confidence == "":
		a.Confidence = p.Value.Confidence
	}
	for _, s := range *r.References {
		ref := contract.ParseReference(s)
		a.References = append(a.References, eval.Place{Path: ref.Path, Line: ref.Line})
		if !b.resolves(ref) {
			a.Unresolved++
		}
	}
	return nil
}

// resolves reports, by a check of its own, whether the tree has the file and the file has the line.
func (b *bench) resolves(ref contract.Reference) bool {
	if ref.Line == 0 {
		info, err := b.files.Stat(filepath.FromSlash(ref.Path))
		return err == nil && info.Mode().IsRegular()
	}
	src, err := readAll(b.files, ref.Path, 1<<30)
	lines := bytes.Count(src, []byte("\n"))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		lines++
	}
	return err == nil && ref.Line <= max(1, lines)
}

func readAll(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil, errors.Join(err, fmt.Errorf("%s is not read", name))
	}
	return io.ReadAll(f)
}

// tempDir creates the directory of a run. Its name always has the same number of tokens,
// since replies show the directory that was searched.
func tempDir() (string, error) {
	for range 100 {
		dir := filepath.Join(os.TempDir(), fmt.Sprintf("compactor-eval-%09d", 100_000_000+rand.IntN(900_000_000)))
		if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, os.ErrExist) {
			return dir, err
		}
	}
	return "", errors.New("too many runs left something in " + strings.TrimSuffix(os.TempDir(), "/"))
}
