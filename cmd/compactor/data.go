package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// These exceed what any file holds.
const (
	everyCall    = 1 << 30                    // in number
	everySession = 100 * 365 * 24 * time.Hour // from now
)

func (a *app) data() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "data",
		GroupID: "look",
		Short:   "Show, export or delete what is kept of the use of tools",
		Long: `What serve keeps of the use of upstream tools: which of them a session was listed
and which it called, in a file beside the store. Lists of tools are made by it (see
gateway.selection). Names of clients and arguments are kept as digests, results are
not kept; usage in the configuration says more or less.`,
		Args: oneCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.dataShow(), a.dataExport(), a.dataMigrate(), a.dataPurge())
	return cmd
}

func (a *app) dataShow() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Say how much is kept, where, and since when",
		Args:  requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			if _, err := svc.Snapshot().StoreAt(); err != nil {
				return exit{exitBroken, err.Error()}
			}
			text := io.Writer(nil)
			if format == string(render.Text) {
				text = a.out
			}
			sessions, others := countTimeline(cmd.Context(), svc, text)
			if text != nil {
				others = errors.Join(others, a.showShared(cmd.Context(), svc))
			}
			err = withUsage(cmd.Context(), svc, func(log usage.Log, at string) error {
				sum, err := log.Totals(cmd.Context())
				if err != nil {
					return err
				}
				return a.printTotals(cmd.Context(), log, sum, sessions, at, format)
			})
			if known := (exit{}); sessions > 0 && errors.As(err, &known) && known.code == exitInvalid {
				if err = nil; text == nil { // something is kept
					err = printJSON(a.out, map[string]any{"sessions": 0, "calls": 0, "bytes": 0, "tools": []used{}, "marks": []usage.Mark{}, "dashboard_sessions": sessions})
				}
			}
			return sayAll(errors.Join(err, others))
		},
	}
	formatFlag(cmd, &format, string(render.Text), string(render.JSON))
	return cmd
}

// countTimeline returns the number of sessions that the dashboard has, and prints it if out is not nil.
func countTimeline(ctx context.Context, svc *service.Service, out io.Writer) (n int, err error) {
	err = withBeside(ctx, svc, store.TimelinePath, "sessions of the dashboard cannot be read", func(s *store.Store, at string) error {
		var last time.Time
		if n, last, err = s.CountSessions(ctx); n > 0 && out != nil {
			fmt.Fprintf(out, "%s of the dashboard, the oldest used last on %s, in %s\n\n", words.Count(n, "session"), last.Local().Format(time.DateOnly), at)
		}
		return err
	})
	return n, err
}

// used counts the calls of a tool.
type used struct {
	Tool     string    `json:"tool"`
	Calls    int       `json:"calls"`
	Failed   int       `json:"failed"`
	Hidden   int       `json:"hidden"` // calls of a tool that was not on the session's list
	Sessions int       `json:"sessions"`
	Last     time.Time `json:"last"`
}

func (a *app) printTotals(ctx context.Context, log usage.Log, sum usage.Totals, dashboard int, at, format string) error {
	tools, err := usedTools(ctx, log)
	if err != nil {
		return err
	}
	marks, err := log.Marks(ctx)
	if err != nil {
		return err
	}
	if format == string(render.JSON) {
		return printJSON(a.out, map[string]any{"file": at, "sessions": sum.Sessions, "calls": sum.Calls, "bytes": sum.Bytes, "oldest": oldestSession(sum), "tools": tools, "dashboard_sessions": dashboard,
			"marks": append([]usage.Mark{}, marks...)})
	}
	if len(marks) > 0 {
		if err := a.printMarks(marks); err != nil {
			return err
		}
	}
	if sum.Sessions == 0 {
		if len(marks) > 0 {
			return nil
		}
		fmt.Fprintf(a.out, "Nothing is kept in %s.\n", at)
		return nil
	}
	fmt.Fprintf(a.out, "%s with %s since %s, in %s (%d kB)\n\n", words.Count(sum.Sessions, "session"), words.Count(sum.Calls, "call"), sum.Oldest.Local().Format(time.DateOnly), at, sum.Bytes>>10)
	var rows [][]string
	for _, t := range tools {
		rows = append(rows, []string{t.Tool, strconv.Itoa(t.Calls), strconv.Itoa(t.Sessions), strconv.Itoa(t.Failed), strconv.Itoa(t.Hidden), t.Last.Local().Format(time.DateTime)})
	}
	return screen.Table(a.out, []string{"TOOL", "CALLS", "SESSIONS", "FAILED", "HIDDEN", "LAST"}, rows)
}

// printMarks lists the tools that people have marked as relevant or irrelevant.
func (a *app) printMarks(marks []usage.Mark) error {
	var rows [][]string
	for _, m := range marks {
		said := "irrelevant"
		if m.Relevant {
			said = "relevant"
		}
		rows = append(rows, []string{m.Tool, said, cmp.Or(m.Profile, "-"), cmp.Or(m.Client, "all"), m.At.Local().Format(time.DateTime)})
	}
	if err := screen.Table(a.out, []string{"MARKED", "AS", "PROFILE", "CLIENT", "SINCE"}, rows); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	return nil
}

// oldestSession returns the start of the oldest session, or nil if nothing is kept.
func oldestSession(sum usage.Totals) *time.Time {
	if sum.Oldest.IsZero() {
		return nil
	}
	return &sum.Oldest
}

// usedTools lists the tools, the most used first.
func usedTools(ctx context.Context, log usage.Log) ([]used, error) {
	byName := map[string]*used{}
	err := log.Sessions(ctx, time.Time{}, everyCall, func(_ usage.Session, calls []usage.Call) error {
		in := map[string]bool{}
		for _, c := range calls {
			u := byName[c.Name()]
			if u == nil {
				u = &used{Tool: c.Name()}
				byName[c.Name()] = u
			}
			u.add(c, !in[c.Name()])
			in[c.Name()] = true
		}
		return nil
	})
	return sortedUse(byName), err
}

// sortedUse returns the tools, the most called first.
func sortedUse(byName map[string]*used) []used {
	out := []used{}
	for _, u := range byName {
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b used) int { return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Tool, b.Tool)) })
	return out
}

func (u *used) add(c usage.Call, first bool) {
	u.Calls++
	if !c.OK {
		u.Failed++
	}
	if c.Hidden {
		u.Hidden++
	}
	if first {
		u.Sessions++
	}
	if c.At.After(u.Last) {
		u.Last = c.At
	}
}

func (a *app) dataExport() *cobra.Command {
	return &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the sessions as JSON lines, as replay reads them",
		Long: `Write each session as one line of JSON: {"session", "source", "start", "tools"}, the
tools in the order of the calls. compactor replay reads it. Without FILE it is written
to standard output; a file that is there already is left alone.`,
		Example: `  compactor data export sessions.jsonl
  compactor replay sessions.jsonl`,
		Args: requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			return withUsage(cmd.Context(), svc, func(log usage.Log, _ string) error {
				if len(args) == 0 {
					return exportUsage(cmd.Context(), log, a.out)
				}
				return exportTo(cmd.Context(), log, args[0])
			})
		},
	}
}

// exportTo writes a new file and removes it on an error.
func exportTo(ctx context.Context, log usage.Log, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return exit{exitBroken, path + " is there already: name another file, or delete it"}
	}
	if err != nil {
		return exit{exitBroken, readError(path, err)}
	}
	err = exportUsage(ctx, log, file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// exported is a session as replay reads it.
type exported struct {
	Session string    `json:"session"`
	Source  string    `json:"source"` // the profile
	Start   time.Time `json:"start"`
	Tools   []string  `json:"tools"`
}

func exportUsage(ctx context.Context, log usage.Log, to io.Writer) error {
	w := bufio.NewWriter(to)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	if err := log.Sessions(ctx, time.Time{}, everyCall, func(s usage.Session, calls []usage.Call) error {
		line := exported{Session: s.ID, Source: s.Profile, Start: s.Started}
		for _, c := range calls {
			line.Tools = append(line.Tools, c.Name())
		}
		return lines.Encode(line)
	}); err != nil {
		return err
	}
	return w.Flush()
}

// withUsage calls do with the file in which serve records the use of tools.
func withUsage(ctx context.Context, svc *service.Service, do func(log usage.Log, at string) error) error {
	at, err := svc.Snapshot().StoreAt()
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if at = store.UsagePath(at); at == "" {
		return exit{exitInvalid, "nothing of the use of tools outlives a run: store.url is none"}
	}
	if !store.Exists(at) {
		return exit{exitInvalid, "nothing is kept yet: there is no file " + at + "; serve makes it with the first call of an upstream tool"}
	}
	shown := store.Shown(at)
	log, err := openUsage(ctx, svc, store.Open)
	if err != nil {
		return exit{exitBroken, "the use of tools cannot be read: " + shown + ": " + causeOf(err)}
	}
	defer log.Close()
	err = do(log, shown)
	if known := (exit{}); err == nil || errors.As(err, &known) {
		return err
	}
	return exit{exitBroken, shown + ": " + causeOf(err)}
}
