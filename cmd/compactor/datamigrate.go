package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func (a *app) dataMigrate() *cobra.Command {
	var from, to, format string
	var dry bool
	cmd := &cobra.Command{
		Use:   "migrate --to URL",
		Short: "Copy what is kept in files to a PostgreSQL",
		Long: `Copy approvals, lists of tools, counts, sessions and the use of tools from the files
of a store to a database server, in one transaction: all of it is there then, or
nothing. What the server has already stays as it is, so it can be run again, and takes
what came since. The files are left alone. Set store.url to the server afterwards.

Collections of documents are not copied: compactor index makes them anew on the server
from the documents, and store.collections: "files" leaves them in files.

${NAME} in the URL is read as in the configuration; quote it, so that the shell leaves
it alone.`,
		Example: `  compactor data migrate --to 'postgres://me:${PG_PASSWORD}@db.example.org/tools' --dry-run
  compactor data migrate --to 'postgres://me:${PG_PASSWORD}@db.example.org/tools'`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to == "" {
				return exit{exitBroken, "say where it is copied to: --to 'postgres://user:${NAME}@host/database'"}
			}
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			if from == "" {
				from = svc.Snapshot().Plan.Config.Store.URL
			}
			source, err := svc.Snapshot().StoreLike(from)
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			target, err := svc.Snapshot().StoreLike(to)
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			if store.OnServer(source) || source == "" {
				return exit{exitInvalid, "the configuration keeps nothing in files; say which are copied: --from sqlite:FILE"}
			}
			tables := []store.Moved{}
			err = store.Migrate(cmd.Context(), source, target, dry, func(m store.Moved) {
				tables = append(tables, m)
				fmt.Fprintf(a.err, "%s: %d rows read\n", m.Table, m.Read)
			})
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			return a.printMoved(tables, store.Shown(target), dry, format)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "the database server: postgres://user:${NAME}@host/database")
	f.StringVar(&from, "from", "", "the store that is copied, sqlite:FILE (default: the configuration's)")
	f.BoolVar(&dry, "dry-run", false, "say what would be copied, and change nothing")
	formatFlag(cmd, &format, string(render.Text), string(render.JSON))
	return cmd
}

func (a *app) printMoved(tables []store.Moved, to string, dry bool, format string) error {
	if format == string(render.JSON) {
		return printJSON(a.out, map[string]any{"to": to, "dry_run": dry, "tables": tables})
	}
	var rows [][]string
	for _, m := range tables {
		rows = append(rows, []string{m.Table, strconv.Itoa(m.Read), strconv.Itoa(m.Written), strconv.Itoa(m.There)})
	}
	if err := screen.Table(a.out, []string{"TABLE", "READ", "COPIED", "THERE BEFORE"}, rows); err != nil {
		return err
	}
	if dry {
		fmt.Fprintf(a.out, "\nNothing was changed. Without --dry-run this is copied to %s\n", to)
	} else {
		fmt.Fprintf(a.out, "\nCopied to %s, every row accounted for. Set store.url to it.\n", to)
	}
	return nil
}
