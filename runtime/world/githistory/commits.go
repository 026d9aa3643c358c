package githistory

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Commit is a commit with exactly one parent.
type Commit struct {
	ID, Parent string
	Time       time.Time // the committer's, UTC
	Message    string    // unchanged; "" if it is not UTF-8
}

// maxMessage bounds how much of a commit is read, in bytes: no question is that long.
const maxMessage = 64 << 10

// Commits calls fn for the ancestors of the head, newest first, without merges and root
// commits, until fn returns false. A zero since means no limit.
func (r *Repo) Commits(ctx context.Context, o *Objects, since time.Time, fn func(Commit) (bool, error)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	args := []string{"rev-list", "--no-merges"}
	if !since.IsZero() {
		args = append(args, fmt.Sprintf("--max-age=%d", since.Unix()))
	}
	cmd := r.git.command(ctx, append(args, r.head)...)
	said := &tail{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git rev-list: %w", err)
	}
	over := newWatch(stop)
	defer over.stopTimer()
	lines := bufio.NewScanner(out)
	more := true
	for more && err == nil && lines.Scan() {
		over.stopTimer() // the time spent in fn does not count
		var c Commit
		if c, err = o.readCommit(lines.Text()); err == nil && c.Parent != "" {
			more, err = fn(c)
		}
		over.startTimer()
	}
	if err != nil || !more {
		stop()
		_ = cmd.Wait()
		return err
	}
	if err := cmd.Wait(); over.over.Load() {
		return timeoutError("rev-list")
	} else if err != nil {
		return gitError(ctx, "rev-list", said, err)
	}
	return nil
}

// readCommit reads one commit. Its Parent is empty unless it has exactly one parent.
func (o *Objects) readCommit(id string) (Commit, error) {
	c := Commit{ID: id}
	err := o.each([]string{id}, func(_ int, kind string, _ int64, r io.Reader) error {
		if kind != "commit" {
			return nil
		}
		text, err := io.ReadAll(io.LimitReader(r, maxMessage))
		if err != nil {
			return err
		}
		c.parseCommit(string(text))
		return nil
	})
	return c, err
}

func (c *Commit) parseCommit(text string) {
	head, message, _ := strings.Cut(text, "\n\n")
	parents := 0
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "parent":
			parents++
			c.Parent = value
		case "committer":
			c.Time = parseStamp(value)
		}
	}
	if parents != 1 || !isName(c.Parent) {
		c.Parent = ""
	}
	if utf8.ValidString(message) {
		c.Message = message
	}
}

// parseStamp parses the time in "Name <address> 1700000000 +0100".
func parseStamp(s string) time.Time {
	f := strings.Fields(s)
	if len(f) < 2 {
		return time.Time{}
	}
	var sec int64
	if _, err := fmt.Sscan(f[len(f)-2], &sec); err != nil {
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}
