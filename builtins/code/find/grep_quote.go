package find

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
)

// listFiles answers with paths only, or with counts.
func (g *grepCall) listFiles(env *catalog.Env, out *GrepOutput, hits []grepHit) {
	for _, h := range hits[:min(len(hits), g.in.Limit)] {
		m := GrepMatch{Ref: env.Roots.Ref(h.root, h.rel)}
		if g.in.Count {
			m.Count = h.lines
		}
		out.Matches = append(out.Matches, m)
	}
	if len(hits) > g.in.Limit {
		g.said.addCut("%d of %s listed; narrow with glob or under", g.in.Limit, words.Count(len(hits), "file"))
	}
}

// quoteAll quotes lines, file by file, up to the limit. A match that the ledger refuses keeps its
// reference, without text.
func (g *grepCall) quoteAll(ctx context.Context, env *catalog.Env, out *GrepOutput, hits []grepHit) error {
	scanner := g.matcher.NewScanner()
	for _, h := range hits {
		room := min(g.in.PerFile, g.in.Limit-len(out.Matches))
		if room == 0 {
			break
		}
		p, err := source.OpenMasked(ctx, env, h.root, h.rel, g.redact)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			g.said.addCut("%s changed during the search", env.Roots.Ref(h.root, h.rel))
			continue
		}
		found, err := g.quoteFile(ctx, scanner, p, room)
		if err != nil {
			return err
		}
		if !bookQuote(env, p.Ref, quotedBytes(found), &g.said, "text left out of some files") {
			found = withoutText(found)
		}
		if n := len(found); n > 0 && n < h.lines {
			found[n-1].Count = h.lines
		}
		out.Matches = append(out.Matches, found...)
	}
	if len(out.Matches) < out.Total {
		g.said.addCut("%d of %d matching lines listed; narrow with glob, under or a longer pattern", len(out.Matches), out.Total)
	}
	return nil
}

func quotedBytes(found []GrepMatch) (n int) {
	for _, m := range found {
		n += len(m.Text)
		for _, l := range slices.Concat(m.Before, m.After) {
			n += len(l)
		}
	}
	return n
}

// withoutText returns the matches without the quoted text.
func withoutText(found []GrepMatch) []GrepMatch {
	for i, m := range found {
		found[i] = GrepMatch{Ref: m.Ref, Col: m.Col}
	}
	return found
}

// quoteFile returns up to room matches of a file. Context lines between two matches are shown once.
func (g *grepCall) quoteFile(ctx context.Context, s *match.Scanner, p *source.MaskedFile, room int) ([]GrepMatch, error) {
	var lines []match.Line
	err := s.Lines(ctx, p.Data, func(l match.Line) bool {
		lines = append(lines, l)
		return len(lines) < room
	})
	if err != nil {
		return nil, err
	}
	found := make([]GrepMatch, len(lines))
	shown := 0
	for i, l := range lines {
		from, to := max(shown+1, l.Number-g.in.Context), min(l.Number+g.in.Context, len(p.Raw))
		if i+1 < len(lines) {
			to = min(to, lines[i+1].Number-1)
		}
		if err := p.Mask(ctx, from, to); err != nil {
			return nil, err
		}
		found[i] = quoteLine(p, l)
		found[i].Before, found[i].After = quoteLines(p, from, l.Number-1, grepLine), quoteLines(p, l.Number+1, to, grepLine)
		shown = to
	}
	return found, nil
}

func quoteLine(p *source.MaskedFile, l match.Line) GrepMatch {
	raw, text, at := string(p.Data[l.Start:l.End]), p.Line(l.Number), l.Match[0]-l.Start
	return GrepMatch{
		Ref:  contract.Reference{Path: p.Ref, Line: l.Number}.String(),
		Col:  at + 1,
		Text: shortenAround(text, mapOffset(raw, text, at), grepLine),
	}
}

// mapOffset maps byte at of a raw line to its position in the masked one: the same position if
// masking began after it, else the same distance from the end.
func mapOffset(raw, masked string, at int) int {
	same := 0
	for same < len(raw) && same < len(masked) && raw[same] == masked[same] {
		same++
	}
	if at <= same {
		return at
	}
	return max(same, len(masked)-(len(raw)-at))
}

// shortenAround shortens a line to at most max bytes around byte at, and marks each omission with an
// ellipsis. It splits no rune.
func shortenAround(line string, at, max int) string {
	if len(line) <= max {
		return line
	}
	const mark = "…"
	room := max - 2*len(mark)
	start := clampLimit(at-room/4, 0, len(line)-room)
	end := start + room
	if start == 0 {
		end += len(mark)
	}
	if end >= len(line) {
		start, end = len(line)-room-len(mark), len(line)
	}
	for start > 0 && start < len(line) && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	out := line[start:end]
	if start > 0 {
		out = mark + out
	}
	if end < len(line) {
		out += mark
	}
	return out
}

// quoteLines returns the lines from..to, each of maxLine bytes at most.
func quoteLines(p *source.MaskedFile, from, to, maxLine int) []string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, shortenAround(p.Line(n), 0, maxLine))
	}
	return out
}
