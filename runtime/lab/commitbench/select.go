package commitbench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// These limit a usable commit.
const (
	maxModified  = 4
	maxAdded     = 1
	minLines     = 3
	maxLines     = 600
	maxSameFile  = 3
	poolFactor   = 4
	maxLookedAt  = 20_000
	maxBlob      = 4 << 20 // bytes of a gold file
	headBytes    = 1024    // of a file, searched for the mark of a generator
	minQuestions = 5
)

// These are the reasons for dropping commits, as they are shown, in addition to those of isRoutine.
const (
	whyNoSource = "no source file modified"
	whyMany     = "more than four source files modified"
	whyMoved    = "a source file deleted, renamed or of another kind, or several added"
	whyOutside  = "source files outside of the directory changed"
	whyLines    = "fewer than 3 or more than 600 lines changed"
	whyWords    = "a subject of fewer than five words"
	whyNamed    = "the message names the file"
	whyUnread   = "a file that cannot be read here"
	whyManySame = "three others begin with the same file"
)

// candidate is a usable commit.
type candidate struct {
	commit githistory.Commit
	kase   eval.Case
}

// picker looks for usable commits.
type picker struct {
	repo    *githistory.Repo
	objects *githistory.Objects
	source  func(path string, head []byte) bool
	mask    func(string) string
	looked  int
	out     map[string]int
}

// collectPool collects usable commits, newest first, until it has want of them or has looked at maxLookedAt commits.
func (p *picker) collectPool(ctx context.Context, want int, since time.Time, show func(done int)) ([]candidate, error) {
	walker, err := p.repo.Objects(ctx)
	if err != nil {
		return nil, err
	}
	defer walker.Close()
	var list []candidate
	err = p.repo.Commits(ctx, walker, since, func(c githistory.Commit) (bool, error) {
		p.looked++
		found, why, err := p.makeCandidate(ctx, c)
		if err != nil {
			return false, err
		}
		if why != "" {
			p.out[why]++
		} else {
			list = append(list, found)
			show(len(list))
		}
		return len(list) < want && p.looked < maxLookedAt, nil
	})
	return list, err
}

// makeCandidate makes a question from a commit, or says why it cannot.
func (p *picker) makeCandidate(ctx context.Context, c githistory.Commit) (candidate, string, error) {
	c.Message = p.mask(c.Message) // whole, before it is cut
	subject, question := cleanMessage(c.Message)
	if why := isRoutine(c.Message, subject); why != "" {
		return candidate{}, why, nil
	}
	if countWords(subject) < minWords {
		return candidate{}, whyWords, nil
	}
	changes, err := p.repo.Changes(ctx, c)
	if err != nil {
		return candidate{}, "", err
	}
	gold, why, err := p.goldFiles(changes)
	if why != "" || err != nil {
		return candidate{}, why, err
	}
	files, why, err := p.weighFiles(ctx, c, gold)
	if why != "" || err != nil {
		return candidate{}, why, err
	}
	if namesFile(question, files) {
		return candidate{}, whyNamed, nil
	}
	return candidate{commit: c, kase: eval.Case{ID: "h-" + c.ID[:10], Kind: eval.History, Commit: c.ID, Parent: c.Parent,
		Question: question, Gold: files, Tags: tagsOf(question, files)}}, "", nil
}

// goldFiles returns the source files that were modified, or why they make no question.
func (p *picker) goldFiles(changes []githistory.Change) ([]githistory.Change, string, error) {
	var gold []githistory.Change
	added := 0
	for _, ch := range changes {
		if !p.source(ch.Path, nil) {
			continue
		}
		switch {
		case ch.Outside:
			return nil, whyOutside, nil
		case ch.Status == 'M' && ch.Regular:
			gold = append(gold, ch)
		case ch.Status == 'A':
			added++
		default:
			return nil, whyMoved, nil
		}
	}
	switch {
	case added > maxAdded:
		return nil, whyMoved, nil
	case len(gold) > 3*maxModified: // some may be generated, but hardly this many
		return nil, whyMany, nil
	}
	var list []githistory.Change
	for _, ch := range gold {
		text, err := p.objects.Blob(ch.Old, maxBlob)
		if err != nil {
			return nil, "", err
		}
		if len(text) == 0 {
			return nil, whyUnread, nil
		}
		if p.source(ch.Path, text[:min(len(text), headBytes)]) {
			list = append(list, ch)
		}
	}
	switch {
	case len(list) == 0:
		return nil, whyNoSource, nil
	case len(list) > maxModified:
		return nil, whyMany, nil
	}
	return list, "", nil
}

// weighFiles orders the gold files by how much of them changed.
func (p *picker) weighFiles(ctx context.Context, c githistory.Commit, gold []githistory.Change) ([]string, string, error) {
	type weight struct {
		path  string
		lines int
	}
	var list []weight
	total := 0
	for _, ch := range gold {
		hunks, err := p.repo.Hunks(ctx, c, ch.Path)
		if err != nil {
			switch {
			case ctx.Err() != nil:
				return nil, "", ctx.Err()
			case errors.Is(err, githistory.ErrSlow): // it would be as slow each time
				return nil, "", err
			}
			return nil, whyLines, nil
		}
		n := 0
		for _, h := range hunks {
			n += h.Added + h.Removed
		}
		if n > 0 { // a change of mode alone does not count
			list = append(list, weight{ch.Path, n})
			total += n
		}
	}
	if total < minLines || total > maxLines {
		return nil, whyLines, nil
	}
	slices.SortFunc(list, func(a, b weight) int { return cmp.Or(b.lines-a.lines, strings.Compare(a.path, b.path)) })
	files := make([]string, len(list))
	for i, w := range list {
		files[i] = w.path
	}
	return files, "", nil
}

// namesFile reports whether a question names one of the files.
func namesFile(question string, files []string) bool {
	low := strings.ToLower(question)
	for _, f := range files {
		f = strings.ToLower(f)
		base := path.Base(f)
		parts := strings.Split(strings.TrimSuffix(f, path.Ext(f)), "/")
		if hasWord(low, base) || len(parts) > 1 && hasWord(low, strings.Join(parts[len(parts)-2:], "/")) {
			return true
		}
	}
	return false
}

// hasWord reports whether text contains s with no letter or digit next to it.
func hasWord(text, s string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], s)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(s)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// identifier matches what is written like a name in code.
var identifier = lazyregexp.New("`[^`\\s]+`|\\b\\w+\\(\\)|\\b[A-Za-z]\\w*(?:::|->)\\w|\\b[A-Za-z0-9]+_\\w+|\\b[a-z]+[0-9]*[A-Z]\\w*|" +
	"\\b[A-Z]+[a-z0-9]+[A-Z]\\w*|\\b[A-Za-z_]\\w+\\.[A-Za-z_]\\w+|(?:^|\\s)--?[a-z][a-z-]{2,}|\\b[A-Z][A-Z0-9]*_[A-Z0-9_]+")

// tagsOf returns what a question gives away; nil if it is prose only.
func tagsOf(question string, files []string) []string {
	var out []string
	if slices.ContainsFunc(files, func(f string) bool {
		stem, _, _ := strings.Cut(path.Base(f), ".")
		return stem != "" && hasWord(strings.ToLower(question), strings.ToLower(stem))
	}) {
		out = append(out, eval.TagStem)
	}
	if identifier.MatchString(question) {
		out = append(out, eval.TagIdentifier)
	}
	return out
}

// draw takes n candidates by a digest of the seed and their names, at most three that begin
// with the same file, and returns them in the order of the pool.
func (p *picker) draw(pool []candidate, n int, seed uint64) []candidate {
	order := make([]int, len(pool))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(drawLot(seed, pool[a].commit.ID), drawLot(seed, pool[b].commit.ID)), a-b)
	})
	same := map[string]int{}
	var taken []int
	for _, i := range order {
		if first := pool[i].kase.Gold[0]; len(taken) < n {
			if same[first]++; same[first] > maxSameFile {
				p.out[whyManySame]++
				continue
			}
			taken = append(taken, i)
		}
	}
	slices.Sort(taken)
	var out []candidate
	for _, i := range taken {
		out = append(out, pool[i])
	}
	return out
}

// drawLot returns the number that a name draws under a seed.
func drawLot(seed uint64, name string) uint64 {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), name...))
	return binary.BigEndian.Uint64(sum[:8])
}
