package githistory

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Change is one file that a commit added, modified or deleted. A rename appears as a
// deletion and an addition.
type Change struct {
	Path     string // relative to the directory that was opened
	Status   byte   // 'A', 'M', 'D', 'T'
	Old, New string // object names of the file's content before and after
	Regular  bool   // a regular file before and after
	Outside  bool   // Path lies outside the opened directory and is relative to the top of the repository
}

// Changes lists the changes of a commit against its parent, in path order.
func (r *Repo) Changes(ctx context.Context, c Commit) ([]Change, error) {
	out, err := r.git.output(ctx, nil, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", c.Parent, c.ID)
	if err != nil {
		return nil, err
	}
	var list []Change
	fields := splitFields(out)
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(f) != 5 || f[4] == "" {
			return nil, fmt.Errorf("git diff-tree: %q is not understood", fields[i])
		}
		path, inside := strings.CutPrefix(fields[i+1], r.prefix)
		list = append(list, Change{Path: path, Status: f[4][0], Old: f[2], New: f[3], Outside: !inside,
			Regular: isRegular(f[0]) && isRegular(f[1])})
	}
	return list, nil
}

func isRegular(mode string) bool { return mode == "100644" || mode == "100755" || mode == "000000" }

// Hunk is a range of lines that a commit replaced.
type Hunk struct {
	Line    int // first line replaced, from 1; for a pure insertion the line before it, from 0
	Removed int // lines
	Added   int // lines
}

// Hunks lists the ranges of the parent's file that a commit changed.
func (r *Repo) Hunks(ctx context.Context, c Commit, path string) ([]Hunk, error) {
	whole := ctx
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := r.git.command(ctx, "diff-tree", "-r", "-p", "--unified=0", "--text", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--no-color", "--inter-hunk-context=0", "--diff-algorithm=myers", "--no-indent-heuristic", c.Parent, c.ID, "--", r.prefix+path)
	said := &tail{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("git diff-tree: %w", err)
	}
	list, err := readHunks(bufio.NewReaderSize(out, 1<<16))
	if err != nil {
		stop()
	}
	if werr := cmd.Wait(); werr != nil && err == nil {
		if whole.Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, timeoutError("diff-tree")
		}
		return nil, gitError(whole, "diff-tree", said, werr)
	}
	return list, err
}

// maxHunks bounds the hunks of one file's diff; a commit with more yields no usable
// question.
const maxHunks = 2000

func readHunks(in *bufio.Reader) ([]Hunk, error) {
	var list []Hunk
	for start := true; ; {
		part, more, err := in.ReadLine()
		if err != nil {
			return list, nil // end of output; git itself reports its failures
		}
		if start && strings.HasPrefix(string(part[:min(len(part), 4)]), "@@ -") {
			h, ok := readHunk(string(part))
			if !ok {
				return nil, fmt.Errorf("git diff-tree: %.60q is not understood", part)
			}
			if list = append(list, h); len(list) > maxHunks {
				return list, fmt.Errorf("more than %d changed places", maxHunks)
			}
		}
		start = !more
	}
}

// readHunk parses a header such as "@@ -12,3 +12 @@".
func readHunk(s string) (Hunk, bool) {
	f := strings.Fields(s)
	if len(f) < 3 {
		return Hunk{}, false
	}
	line, removed, ok1 := parseSpan(f[1])
	_, added, ok2 := parseSpan(f[2])
	return Hunk{Line: line, Removed: removed, Added: added}, ok1 && ok2
}

func parseSpan(s string) (line, count int, ok bool) {
	count = 1
	at, n, counted := strings.Cut(s[1:], ",")
	_, err := fmt.Sscan(at, &line)
	if err == nil && counted {
		_, err = fmt.Sscan(n, &count)
	}
	return line, count, err == nil
}
