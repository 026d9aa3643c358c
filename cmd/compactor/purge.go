package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func (a *app) dataPurge() *cobra.Command {
	p := purge{app: a}
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Delete what is kept, all of it or what is old",
		Long: `Delete what is kept of the use of tools: all of it, sessions that are old, or what
people said of tools (compactor predictions mark), which no age lets go. With sessions
go how often each tool was called, the sessions of the dashboard, and sessions and long
results that are kept for other compactors (store.share). Each running compactor serve
forgets them too: what waits to be kept is written first, and what is left is learnt
anew.`,
		Example: `  compactor data purge --before 720h
  compactor data purge --marks
  compactor data purge --all`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if countTrue(p.all, p.marks, p.age > 0) != 1 {
				return exit{exitBroken, "say what is deleted: --all, --marks, or --before with a time such as 720h"}
			}
			if p.svc, err = a.load(cmd.Context()); err != nil {
				return err
			}
			return p.deleteKept(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.DurationVar(&p.age, "before", 0, "sessions whose last call was longer ago, such as 720h")
	f.BoolVar(&p.all, "all", false, "all sessions, and what was said of tools")
	f.BoolVar(&p.marks, "marks", false, "what was said of tools")
	return cmd
}

// countTrue returns how many of the values are true.
func countTrue(said ...bool) (n int) {
	for _, is := range said {
		if is {
			n++
		}
	}
	return n
}

// purge deletes one of the three: everything kept, the marks, or old sessions.
type purge struct {
	*app
	svc        *service.Service
	all, marks bool
	age        time.Duration // sessions older than this go; 0 for all and marks
}

func (p *purge) deleteKept(ctx context.Context) error {
	if _, err := p.svc.Snapshot().StoreAt(); err != nil {
		return exit{exitBroken, err.Error()}
	}
	until := time.Now().Add(-p.age)
	if p.age == 0 { // also delete what a clock that was ahead has dated
		until = until.Add(everySession)
	}
	forgotten := until // each serve drops sessions of the dashboard whose last event was before this
	if p.marks {
		forgotten = time.Time{}
	}
	_ = relearn(ctx, forgotten) // has pending writes flushed, so that they are deleted too
	var others error
	deleted := int64(0)
	if !p.marks {
		deleted, others = p.deleteOthers(ctx, until)
	}
	err := withUsage(ctx, p.svc, func(log usage.Log, at string) error {
		if p.all || p.marks {
			if err := p.deleteMarks(ctx, log, at); err != nil || p.marks {
				return err
			}
		}
		return p.deleteSessions(ctx, log, until, at)
	})
	if known := (exit{}); deleted > 0 && errors.As(err, &known) && known.code == exitInvalid {
		err = nil // having no sessions is not an error if something else was deleted
	}
	failed := errors.Join(others, err, relearn(ctx, forgotten)) // again, for what was written in the meantime
	return sayAll(failed)
}

// sayAll returns an error that prints all errors of a list, with the exit code of the first.
func sayAll(err error) error {
	if first := (exit{}); errors.As(err, &first) {
		return exit{first.code, err.Error()}
	}
	return err
}

// deleteOthers deletes what is kept in other files, and returns the number of rows deleted.
func (p *purge) deleteOthers(ctx context.Context, until time.Time) (rows int64, err error) {
	deleted := func(n int64, what, at string) {
		if rows += n; n > 0 {
			fmt.Fprintf(p.out, "deleted %s from %s\n", what, at)
		}
	}
	err = withBeside(ctx, p.svc, func(url string) string { return url }, "counts of tools cannot be deleted", func(s *store.Store, at string) error {
		n, err := s.ForgetUses(ctx, until)
		deleted(n, "the counts of "+words.Count(int(n), "tool"), at)
		return err
	})
	failed := withBeside(ctx, p.svc, store.TimelinePath, "sessions of the dashboard cannot be deleted", func(s *store.Store, at string) error {
		n, err := s.ForgetSessions(ctx, until)
		deleted(n, words.Count(int(n), "session")+" of the dashboard", at)
		return err
	})
	return rows, errors.Join(err, failed, p.deleteShared(ctx))
}

// deleteShared deletes what is kept for other processes.
func (p *purge) deleteShared(ctx context.Context) error {
	return withShared(ctx, p.svc, func(shelf shared.Shelf, at string) error {
		was, err := shelf.Totals(ctx)
		if err == nil {
			err = shelf.Forget(ctx, p.age)
		}
		if err != nil {
			return err
		}
		now, err := shelf.Totals(ctx)
		if gone := was.Sessions + was.Results - now.Sessions - now.Results; err == nil && gone > 0 {
			fmt.Fprintf(p.out, "deleted %s and %s from %s\n", words.Count(was.Sessions-now.Sessions, "shared session"), words.Count(was.Results-now.Results, "long result"), at)
		}
		return err
	})
}

// deleteMarks deletes all marks of tools.
func (p *purge) deleteMarks(ctx context.Context, log usage.Log, at string) error {
	list, err := log.Marks(ctx)
	if err == nil && len(list) > 0 {
		err = log.Unmark(ctx)
	}
	if err == nil && len(list) > 0 {
		fmt.Fprintf(p.out, "deleted %s of tools from %s\n", words.Count(len(list), "mark"), at)
	}
	return err
}

// deleteSessions deletes the sessions whose last call was before until.
func (p *purge) deleteSessions(ctx context.Context, log usage.Log, until time.Time, at string) error {
	was, err := log.Totals(ctx)
	if err == nil {
		err = log.Purge(ctx, until.Add(time.Millisecond), everyCall)
	}
	if err != nil {
		return err
	}
	now, err := log.Totals(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "deleted %s with %s; %d left in %s\n", words.Count(was.Sessions-now.Sessions, "session"), words.Count(was.Calls-now.Calls, "call"), now.Sessions, at)
	return nil
}

// relearn makes each running compactor learn again from what is kept, and forget sessions
// whose last event was before a time. The error names the processes that did not.
func relearn(ctx context.Context, before time.Time) error {
	list, silent, err := control.Find(ctx, control.Dir())
	if err != nil {
		return exit{exitBroken, "it is not known whether a compactor serves, and still knows what was deleted: " + err.Error()}
	}
	var failed []string
	for _, pid := range silent {
		failed = append(failed, fmt.Sprintf("process %d does not answer and still knows what was deleted, until it ends: end it, or run this again", pid))
	}
	for _, c := range list {
		err := c.Relearn(ctx, before)
		if errors.Is(err, control.ErrUnknown) {
			err = errors.New("its version of compactor is an earlier one")
		}
		if err != nil {
			failed = append(failed, fmt.Sprintf("process %d still knows what was deleted, until it ends: %v; end it, or run this again", c.About.PID, err))
		}
	}
	if len(failed) > 0 {
		return exit{exitBroken, strings.Join(failed, "\n")}
	}
	return nil
}
