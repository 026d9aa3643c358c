package find

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// GrepInput is the input of code.grep.
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

// GrepMatch is one matching line, or one file if only files or counts were asked for.
type GrepMatch struct {
	Ref    string   `json:"ref" doc:"path:line, or path when only files or counts were asked for"`
	Col    int      `json:"col,omitempty" doc:"byte of the line at which the match begins, from 1"`
	Text   string   `json:"text,omitempty" doc:"the line, at most 200 bytes around the match, secrets masked"`
	Count  int      `json:"count,omitempty" doc:"matching lines of the file, where they are not all listed"`
	Before []string `json:"before,omitempty" doc:"lines before it"`
	After  []string `json:"after,omitempty" doc:"lines after it"`
}

// grepLine is the maximum length of a quoted line in bytes.
const grepLine = 200

// Grep returns code.grep, which searches the whole tree for lines that match a pattern.
func Grep(redact ...source.Redactor) catalog.Builtin {
	return catalog.New("code.grep", "search all files for a pattern, as ripgrep does", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in GrepInput) (GrepOutput, error) {
			g, err := newGrep(in, source.JoinRedactors(redact))
			if err != nil {
				return GrepOutput{}, err
			}
			return g.run(ctx, env)
		})
}

// grepCall is one search. It makes two passes: over all files, to count, and then over the few that
// it quotes, which are masked as a whole.
type grepCall struct {
	in      GrepInput
	matcher *match.Matcher
	globs   globList
	redact  source.Redactor
	said    noteList
}

func newGrep(in GrepInput, redact source.Redactor) (*grepCall, error) {
	if in.Pattern == "" {
		return nil, source.InputError("code.grep", "pattern is empty; give a text or a regular expression, or list files with code.glob")
	}
	globs, err := parseGlobs(in.Glob)
	if err != nil {
		return nil, source.InputError("code.grep", "%w", err)
	}
	pattern := in.Pattern
	if !in.Literal {
		pattern = loosenLineEnds(pattern)
	}
	m, err := match.Compile(pattern, match.Options{Literal: in.Literal, IgnoreCase: in.IgnoreCase, Word: in.Word})
	if err != nil {
		return nil, source.InputError("code.grep", "%w", err)
	}
	in.Context, in.Limit, in.PerFile = clampLimit(in.Context, 0, 10), clampLimit(in.Limit, 1, 200), clampLimit(in.PerFile, 1, 200)
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
	out.Truncated = g.said.partial
	out.Notes = g.said.String()
	return out, nil
}

// grepHit is a file with matches.
type grepHit struct {
	root  *sandbox.Root
	rel   string
	lines int // matching lines
}

// scan counts the matching lines of every file, in path order whatever the timing of the workers.
func (g *grepCall) scan(ctx context.Context, env *catalog.Env) ([]grepHit, error) {
	list, err := resolveSubtrees(ctx, env, g.in.Under)
	if err != nil {
		return nil, err
	}
	limited, cancel := source.LimitScan(ctx, env.Scan)
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
		found, err := g.scanSubtree(limited, env, b, files)
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
		g.said.addTimeCut(env, "under")
	case searched == 0 && seen > 0:
		g.said.add("glob leaves out all of %s", words.Count(seen, "file"))
	case len(hits) == 0 && !g.in.Literal && strings.Contains(g.in.Pattern, `\|`):
		g.said.add(`\| is a plain | here; for alternatives write a|b`)
	}
	return hits, nil
}

// choose applies the globs.
func (g *grepCall) choose(env *catalog.Env, b subtree, files []sandbox.Entry) []sandbox.Entry {
	if len(g.globs.globs) == 0 {
		return files
	}
	kept := files[:0]
	for _, f := range files {
		if g.globs.keepsFile(b.matchNames(env, f.Path)...) {
			kept = append(kept, f)
		}
	}
	return kept
}

func (g *grepCall) scanSubtree(ctx context.Context, env *catalog.Env, b subtree, files []sandbox.Entry) ([]grepHit, error) {
	perFile := make([]int, len(files))
	scanners := make([]*match.Scanner, max(env.Workers, 1))
	for i := range scanners {
		scanners[i] = g.matcher.NewScanner()
	}
	stats, err := b.root.Scan(ctx, files, len(scanners), func(worker, i int, _ sandbox.Entry, data []byte) {
		if n, err := scanners[worker].Count(ctx, data); err == nil {
			perFile[i] = n // a file whose scan was cut is left out; scan notes that
		}
	})
	if err != nil {
		return nil, source.WithCode(err)
	}
	if stats.Oversize > 0 {
		g.said.addCut("%s over %d bytes not searched", words.Count(stats.Oversize, "file"), b.root.MaxFileSize())
	}
	if stats.Failed > 0 {
		g.said.addCut("%s not readable", words.Count(stats.Failed, "file"))
	}
	var hits []grepHit
	for i, n := range perFile {
		if n > 0 {
			hits = append(hits, grepHit{b.root, files[i].Path, n})
		}
	}
	return hits, nil
}
