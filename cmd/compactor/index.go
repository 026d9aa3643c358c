package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// indexFlags holds the flags of index and its subcommands.
type indexFlags struct {
	collection, format string
	watch              bool
	every              time.Duration
}

func (a *app) index() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:     "index [PATH]",
		GroupID: "use",
		Short:   "Read documents, so that they can be searched without a model",
		Long: `Read the documents of PATH, or those of the collections that the configuration
names, into an index. ` + formats + `
are read; what .gitignore hides and what is denied is not. Only what changed is read again, and what was removed
leaves the index. Whoever searches meanwhile sees the version before.

It can be stopped at any moment, also by pulling the plug: the next run goes on. Of two
runs on one collection the second is refused. An index that is damaged is made again;
index delete is the way to be rid of one.

Where store.url names a database server, the index is kept there with the text of the
documents, and other machines search it: those whose configuration names the collection
with the same directories, as absolute paths. store.collections: "files" keeps it here.

Exit code 0: done. 1: done, but some documents could not be read. 2: not done, or
not all collections.`,
		Example: `  compactor index docs
  compactor index ~/notes --collection notes
  compactor index --watch
  compactor docs search "how are roots opened?"`,
		Args: requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runIndex(cmd.Context(), f, args, library.Options{})
		},
	}
	f.bind(cmd)
	cmd.Flags().BoolVar(&f.watch, "watch", false, "go on, and index what changes, until it is stopped")
	cmd.Flags().DurationVar(&f.every, "every", 2*time.Second, "with --watch, how often to look")
	cmd.AddCommand(a.indexStatus(), a.indexRetry(), a.reindex(), a.indexDelete())
	return cmd
}

func (f *indexFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.collection, "collection", "", "its name: one of the configuration, or with PATH any")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
}

func (a *app) indexRetry() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "retry [PATH]",
		Short: "Index, and try again what could not be read",
		Args:  requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runIndex(cmd.Context(), f, args, library.Options{Retry: true})
		},
	}
	f.bind(cmd)
	return cmd
}

func (a *app) reindex() *cobra.Command {
	var f indexFlags
	var since string
	cmd := &cobra.Command{
		Use:   "reindex [PATH]",
		Short: "Read again what did not change either",
		Example: `  compactor index reindex
  compactor index reindex --since 2026-01-31
  compactor index reindex --since 36h`,
		Args: requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt := library.Options{All: since == ""}
			if since != "" {
				var err error
				if opt.Since, err = parseMoment(since, time.Now()); err != nil {
					return exit{exitBroken, err.Error()}
				}
			}
			return a.runIndex(cmd.Context(), f, args, opt)
		},
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&since, "since", "", "only documents that changed since a date, such as 2026-01-31, or within a time, such as 36h")
	return cmd
}

// parseMoment parses a date, a time, or a duration before now.
func parseMoment(s string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", time.DateTime} {
		if t, err := time.ParseInLocation(form, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since %q: want a date such as 2026-01-31, or a time such as 36h", s)
}
