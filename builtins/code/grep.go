package code

import (
	"context"
	"strings"

	"compactor/builtins/code/match"
	"compactor/runtime/catalog"
	"compactor/runtime/contract"
	"compactor/runtime/sandbox"
)

// GrepInput is what code.grep takes.
type GrepInput struct {
	Pattern    string   `json:"pattern" doc:"regular expression (RE2), matched against each line"`
	Literal    bool     `json:"literal" doc:"take the pattern as plain text" default:"false"`
	IgnoreCase bool     `json:"ignore_case" doc:"let letters match in either case" default:"false"`
	Word       bool     `json:"word" doc:"match whole words only" default:"false"`
	Glob       []string `json:"glob,omitempty" doc:"file patterns such as *.go or src/**; with ! in front they leave files out; the last that matches decides"`
	Under      string   `json:"under,omitempty" doc:"directory or file to search; all roots when left out"`
	Context    int      `json:"context" doc:"lines shown before and after each match" default:"0" min:"0" max:"10"`
	Limit      int      `json:"limit" doc:"matches returned at most" default:"50" min:"1" max:"200"`
	PerFile    int      `json:"per_file" doc:"matches returned of one file at most" default:"10" min:"1" max:"200"`
	FilesOnly  bool     `json:"files_only" doc:"return paths alone" default:"false"`
	Count      bool     `json:"count" doc:"return paths with the number of matching lines" default:"false"`
}

// GrepOutput lists matching lines by path and line.
type GrepOutput struct {
	Matches   []GrepMatch `json:"matches" doc:"matching lines, by path and line"`
	Files     int         `json:"files" doc:"files with a match, also beyond the limit"`
	Total     int         `json:"total" doc:"matching lines, also beyond the limit"`
	Truncated bool        `json:"truncated" doc:"there is more than is listed"`
	Notes     string      `json:"notes,omitempty" doc:"what was cut or left out"`
}

// GrepMatch is one matching line, or one file when only files or counts were
// asked for.
type GrepMatch struct {
	Ref    string   `json:"ref" doc:"path:line, or path when only files or counts were asked for"`
	Col    int      `json:"col,omitempty" doc:"byte of the line at which the match begins, from 1"`
	Text   string   `json:"text,omitempty" doc:"the line, at most 200 bytes around the match, secrets masked"`
	Count  int      `json:"count,omitempty" doc:"matching lines of the file, where they are not all listed"`
	Before []string `json:"before,omitempty" doc:"lines before it"`
	After  []string `json:"after,omitempty" doc:"lines after it"`
}

// grepLine bounds the text of one line, in bytes.
const grepLine = 200

// Grep is code.grep: lines by a pattern, over the whole tree.
func Grep(redact ...Redact) catalog.Builtin {
	return catalog.New("code.grep", "search all files for a pattern, as ripgrep does", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in GrepInput) (GrepOutput, error) {
			g, err := newGrep(in, all(redact))
			if err != nil {
				return GrepOutput{}, err
			}
			return g.run(ctx, env)
		})
}

// grepCall is one search. It looks at the tree twice: once at all files, to
// count, and once at those it quotes, which are booked before they are read.
type grepCall struct {
	in      GrepInput
	matcher *match.Matcher
	globs   globList
	redact  Redact
	said    notes
}

func newGrep(in GrepInput, redact Redact) (*grepCall, error) {
	if in.Pattern == "" {
		return nil, inputError("code.grep", "pattern is empty; give a text or a regular expression, or list files with code.glob")
	}
	globs, err := parseGlobs(in.Glob)
	if err != nil {
		return nil, inputError("code.grep", "%w", err)
	}
	pattern := in.Pattern
	if !in.Literal {
		pattern = lineEnds(pattern)
	}
	m, err := match.Compile(pattern, match.Options{Literal: in.Literal, IgnoreCase: in.IgnoreCase, Word: in.Word})
	if err != nil {
		return nil, inputError("code.grep", "%w", err)
	}
	in.Context, in.Limit, in.PerFile = within(in.Context, 0, 10), within(in.Limit, 1, 200), within(in.PerFile, 1, 200)
	return &grepCall{in: in, matcher: m, globs: globs, redact: redact}, nil
}

func (g *grepCall) run(ctx context.Context, env *catalog.Env) (GrepOutput, error) {
	hits, err := g.scan(ctx, env)
	if err != nil {
		return GrepOutput{}, err
	}
	out := GrepOutput{Matches: []GrepMatch{}, Files: len(hits)}
	for _, h := range hits {
		out.Total += h.lines
	}
	if g.in.FilesOnly || g.in.Count {
		g.listFiles(env, &out, hits)
	} else if err := g.quoteAll(ctx, env, &out, hits); err != nil {
		return GrepOutput{}, err
	}
	out.Notes = g.said.String()
	return out, nil
}

// grepHit is a file with matches.
type grepHit struct {
	root  *sandbox.Root
	rel   string
	lines int // that match
	first int // the first of them, from 1
}

// scan counts the matching lines of every file, in path order whatever the
// workers' timing.
func (g *grepCall) scan(ctx context.Context, env *catalog.Env) ([]grepHit, error) {
	list, err := branches(ctx, env, g.in.Under)
	if err != nil {
		return nil, err
	}
	limited, cancel := scanTime(ctx, env.Scan)
	defer cancel()
	var hits []grepHit
	seen, searched := 0, 0
	for _, b := range list {
		files, _, err := b.files(limited)
		if err != nil && limited.Err() == nil {
			return nil, err
		}
		seen += len(files)
		files = g.choose(env, b, files)
		searched += len(files)
		found, err := g.scanBranch(limited, env, b, files)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	env.Ledger.Scanned(searched)
	switch {
	case limited.Err() != nil:
		cutByTime(env, &g.said)
	case searched == 0 && seen > 0:
		g.said.add("glob leaves out all of %s", plural(seen, "file"))
	case len(hits) == 0 && !g.in.Literal && strings.Contains(g.in.Pattern, `\|`):
		g.said.add(`\| is a plain | here; for alternatives write a|b`)
	}
	return hits, nil
}

// choose applies the globs.
func (g *grepCall) choose(env *catalog.Env, b branch, files []sandbox.Entry) []sandbox.Entry {
	if len(g.globs.globs) == 0 {
		return files
	}
	kept := files[:0]
	for _, f := range files {
		if g.globs.takes(b.names(env, f.Path)...) {
			kept = append(kept, f)
		}
	}
	return kept
}

func (g *grepCall) scanBranch(ctx context.Context, env *catalog.Env, b branch, files []sandbox.Entry) ([]grepHit, error) {
	perFile := make([]matchCount, len(files))
	scanners := make([]*match.Scanner, max(env.Workers, 1))
	for i := range scanners {
		scanners[i] = g.matcher.NewScanner()
	}
	stats, err := b.root.Scan(ctx, files, len(scanners), func(worker, i int, _ sandbox.Entry, data []byte) {
		perFile[i] = countMatches(ctx, scanners[worker], data)
	})
	if err != nil {
		return nil, coded(err)
	}
	if stats.Oversize > 0 {
		g.said.add("%s over %d bytes not searched", plural(stats.Oversize, "file"), b.root.MaxFileSize())
	}
	if stats.Failed > 0 {
		g.said.add("%s not readable", plural(stats.Failed, "file"))
	}
	var hits []grepHit
	for i, c := range perFile {
		if c.lines > 0 {
			hits = append(hits, grepHit{b.root, files[i].Path, int(c.lines), int(c.first)})
		}
	}
	return hits, nil
}

// matchCount is how many lines of a file match, and the first of them.
type matchCount struct{ lines, first int32 }

// countMatches looks for the place of the first match only: counting alone is
// faster. A context that ends leaves the file out; the caller says so.
func countMatches(ctx context.Context, s *match.Scanner, data []byte) matchCount {
	var first match.Line
	err := s.Lines(ctx, data, func(l match.Line) bool { first = l; return false })
	if err != nil || first.Number == 0 {
		return matchCount{}
	}
	more, err := s.Count(ctx, data[min(first.End+1, len(data)):])
	if err != nil {
		return matchCount{}
	}
	return matchCount{lines: int32(more) + 1, first: int32(first.Number)}
}

// listFiles answers with paths alone, or with counts.
func (g *grepCall) listFiles(env *catalog.Env, out *GrepOutput, hits []grepHit) {
	for _, h := range hits[:min(len(hits), g.in.Limit)] {
		m := GrepMatch{Ref: env.Roots.Ref(h.root, h.rel)}
		if g.in.Count {
			m.Count = h.lines
		}
		out.Matches = append(out.Matches, m)
	}
	if len(hits) > g.in.Limit {
		out.Truncated = true
		g.said.add("%d of %s listed; narrow with glob or under", g.in.Limit, plural(len(hits), "file"))
	}
}

// quoteAll shows lines, file by file, until the limit. A file that the ledger
// refuses is still pointed at, without its text.
func (g *grepCall) quoteAll(ctx context.Context, env *catalog.Env, out *GrepOutput, hits []grepHit) error {
	scanner := g.matcher.NewScanner()
	listed := 0
	for _, h := range hits {
		room := min(g.in.PerFile, g.in.Limit-len(out.Matches))
		if room == 0 {
			break
		}
		q, err := quote(ctx, env, h.root, h.rel, g.redact)
		limit, refused := spent(err)
		switch {
		case refused:
			g.said.add("text left out of some files: %s", limit.Error())
			out.Matches = append(out.Matches, h.pointer(env))
			out.Truncated = true
			listed += h.lines // it is pointed at as a whole
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			g.said.add("%s changed during the search", env.Roots.Ref(h.root, h.rel))
			continue
		}
		found, err := g.quoteFile(ctx, scanner, q, room)
		if err != nil {
			return err
		}
		if n := len(found); n > 0 && n < h.lines {
			found[n-1].Count = h.lines
		}
		listed += len(found)
		out.Matches = append(out.Matches, found...)
	}
	if listed < out.Total {
		out.Truncated = true
		g.said.add("%d of %d matching lines listed; narrow with glob, under or a longer pattern", listed, out.Total)
	}
	return nil
}

// pointer names a file's first match and how many there are.
func (h grepHit) pointer(env *catalog.Env) GrepMatch {
	ref := contract.Reference{Path: env.Roots.Ref(h.root, h.rel), Line: h.first}
	return GrepMatch{Ref: ref.String(), Count: h.lines}
}

// quoteFile gives up to room matches of a file. Lines around two matches are
// shown once.
func (g *grepCall) quoteFile(ctx context.Context, s *match.Scanner, q *page, room int) ([]GrepMatch, error) {
	var found []GrepMatch
	var lines []int
	err := s.Lines(ctx, q.data, func(l match.Line) bool {
		found = append(found, quoteLine(q, l))
		lines = append(lines, l.Number)
		return len(found) < room
	})
	shown := 0
	for i, n := range lines {
		next := len(q.lines) + 1
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		found[i].Before = q.around(max(shown+1, n-g.in.Context), n-1)
		shown = min(n+g.in.Context, next-1)
		found[i].After = q.around(n+1, shown)
	}
	return found, err
}

func quoteLine(q *page, l match.Line) GrepMatch {
	raw, text, at := string(q.data[l.Start:l.End]), q.line(l.Number), l.Match[0]-l.Start
	return GrepMatch{
		Ref:  contract.Reference{Path: q.ref, Line: l.Number}.String(),
		Col:  at + 1,
		Text: cutAround(text, moved(raw, text, at), grepLine),
	}
}

// moved finds where byte at of a raw line stands in the masked one: behind
// the same tail when the masking was before it, else at the same place.
func moved(raw, masked string, at int) int {
	same := 0
	for same < len(raw) && same < len(masked) && raw[same] == masked[same] {
		same++
	}
	if at <= same {
		return at
	}
	return max(same, len(masked)-(len(raw)-at))
}

// around gives lines from..to, shortened.
func (q *page) around(from, to int) []string {
	var out []string
	for n := from; n <= to && n <= len(q.lines); n++ {
		out = append(out, cutAround(q.line(n), 0, grepLine))
	}
	return out
}
