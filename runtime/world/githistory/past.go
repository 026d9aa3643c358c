package githistory

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Past is a commit as evidence of what files are about.
type Past struct {
	Message string   // cut at pastMessage bytes; invalid UTF-8 is dropped
	Files   []string // below the opened directory, under their current names; nil if there are more than pastFiles
}

// Limits of what is kept of a commit. A commit that changes many files says little
// about each.
const (
	pastMessage = 4000
	pastFiles   = 200
)

// Past calls fn for the newest commits that led to the head, at most most of them,
// newest first and without merges. A single git process reads them all and opens no
// file contents, so a partial clone suffices. A file that a later commit renamed
// without changing its content is listed under its current name.
func (r *Repo) Past(ctx context.Context, most int, fn func(Past) error) error {
	ids, err := r.git.output(ctx, nil, "rev-list", "--no-merges", fmt.Sprintf("--max-count=%d", most), r.head)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := r.git.command(ctx, "diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--format=%x02%B")
	cmd.Stdin = strings.NewReader(string(ids))
	said := &tail{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git diff-tree: %w", err)
	}
	err = readPast(bufio.NewReaderSize(out, 1<<16), r.prefix, fn)
	if err != nil {
		stop()
	}
	if werr := cmd.Wait(); werr != nil && err == nil {
		return gitError(ctx, "diff-tree", said, werr)
	}
	return err
}

// pastChange is one entry of a raw diff.
type pastChange struct {
	status   byte
	old, new string
	path     string
}

// readPast parses the output of diff-tree: fields that end in NUL. Messages contain no
// NUL, and begin with a mark with which no diff entry begins.
func readPast(in *bufio.Reader, prefix string, fn func(Past) error) error {
	names := map[string]string{} // old name of a renamed file → its current name
	var message string
	var changes []pastChange
	begun, many := false, false
	end := func() error {
		if !begun {
			return nil
		}
		p := Past{Message: message}
		if !many {
			p.Files = currentNames(changes, prefix, names)
		}
		changes, many = changes[:0], false
		return fn(p)
	}
	for {
		field, err := readField(in, pastMessage)
		if err != nil && field == "" {
			if err == io.EOF {
				return end()
			}
			return err
		}
		if text, ok := strings.CutPrefix(field, "\x02"); ok {
			if err := end(); err != nil {
				return err
			}
			begun = true
			if message = text; !utf8.ValidString(message) {
				message = strings.ToValidUTF8(message, "")
			}
			continue
		}
		meta := strings.Fields(strings.TrimPrefix(strings.TrimPrefix(field, "\n"), ":"))
		if len(meta) != 5 || meta[4] == "" {
			return fmt.Errorf("git diff-tree: %.60q is not understood", field)
		}
		path, err := readField(in, pastMessage)
		if err != nil {
			return fmt.Errorf("git diff-tree: a path is missing: %w", err)
		}
		if many = many || len(changes) == pastFiles; !many {
			changes = append(changes, pastChange{meta[4][0], meta[2], meta[3], path})
		}
	}
}

// currentNames returns the current names of changed files. Changes must come newest first, so
// that a rename is known before the older commits that it affects.
func currentNames(changes []pastChange, prefix string, names map[string]string) []string {
	added := map[string]string{}
	for _, c := range changes {
		if c.status == 'A' {
			added[c.new] = c.path
		}
	}
	var out []string
	for _, c := range changes {
		name := c.path
		if to, ok := names[name]; ok {
			name = to
		}
		if to, ok := added[c.old]; ok && c.status == 'D' {
			if at, again := names[to]; again {
				to = at
			}
			names[c.path] = to
			continue // counted under its other name
		}
		if name, inside := strings.CutPrefix(name, prefix); inside && c.status != 'D' {
			out = append(out, name)
		}
	}
	return out
}

// readField reads up to a NUL and keeps at most most bytes.
func readField(in *bufio.Reader, most int) (string, error) {
	var b []byte
	for {
		part, err := in.ReadSlice(0)
		if err == nil {
			part = part[:len(part)-1]
		}
		b = append(b, part[:min(len(part), max(most-len(b), 0))]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		return string(b), err
	}
}
