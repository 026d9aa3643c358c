package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

func (a *app) docsPin() *cobra.Command {
	var f docsFlags
	in, start := docs.PinIn{}, -1
	cmd := &cobra.Command{
		Use:   "pin ID QUOTE",
		Short: "Keep a quote of a document, with a note",
		Long: `Keep QUOTE, which stands in the document that ID names, word for word; only how much
white space is between its words may differ. Searches and answers bring it, marked with
the source "notes", and it is in no index. All clients see what is pinned here; what a
client pins with its tool, that client and this command see. See notes of the
configuration.`,
		Example: `  compactor docs pin handbook/pools.md "A pool keeps twelve connections open." --note "ask Dana"
  compactor docs pin a1b2c3d4e5-0f1e-2 "twelve connections" --tag limits`,
		Args: requireArgs(2, 2, "take an id, a uri or a chunk_id from: compactor docs search"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.ID, in.Quote = args[0], args[1]
			if start >= 0 {
				in.Start = &start
			}
			return a.askDocs(cmd.Context(), docs.Pin, in, f)
		},
	}
	formatFlag(cmd, &f.format, string(render.Text), string(render.Markdown), string(render.JSON))
	cmd.Flags().StringVar(&f.collection, "collection", "", "that the document is of")
	cmd.Flags().StringVar(&in.Note, "note", "", "what you say of it")
	cmd.Flags().StringArrayVar(&in.Tags, "tag", nil, "a word to find it by; may be repeated")
	numberFlag(cmd, &start, "start", -1, -1, 1<<30, "byte that the quote begins at, as of a citation; -1 looks for it")
	cmd.Flags().StringVar(&in.Version, "version", "", "of the document, as of a citation")
	return cmd
}

func (a *app) docsNotes() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "notes",
		Short: "List, search, export and remove what was pinned",
		Long: `What was pinned in documents, by this command and by the clients of this user. Each pin
is held against its document as it is now: one that the document does not say any more
is shown as what was pinned, and not as a quote.`,
		Args: oneCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.notesList(), a.notesSearch(), a.notesExport(), a.notesRemove())
	return cmd
}

func (a *app) notesList() *cobra.Command {
	var f docsFlags
	in := docs.NotesIn{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the pins, the latest first",
		Args:  requireArgs(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.askNotes(cmd.Context(), in, f) },
	}
	bindNotes(cmd, &in, &f)
	formatFlag(cmd, &f.format, string(render.Text), string(render.Markdown), string(render.JSON))
	return cmd
}

func (a *app) notesSearch() *cobra.Command {
	f := docsFlags{mustFit: true}
	in := docs.NotesIn{}
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find pins by their words, notes and tags",
		Long: `Find the pins that have half of the words of QUERY or more, the best first.

Exit code 0: found. 1: no pin fits. 2: could not run.`,
		Args: requireArgs(1, -1, `for example: compactor docs notes search "pool size"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			return a.askNotes(cmd.Context(), in, f)
		},
	}
	bindNotes(cmd, &in, &f)
	formatFlag(cmd, &f.format, string(render.Text), string(render.Markdown), string(render.JSON))
	return cmd
}

func (a *app) notesExport() *cobra.Command {
	f := docsFlags{format: string(render.Markdown)}
	in := docs.NotesIn{}
	cmd := &cobra.Command{
		Use:     "export",
		Short:   "Write the pins as Markdown",
		Example: `  compactor docs notes export --tag limits > limits.md`,
		Args:    requireArgs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.askNotes(cmd.Context(), in, f) },
	}
	bindNotes(cmd, &in, &f)
	return cmd
}

func bindNotes(cmd *cobra.Command, in *docs.NotesIn, f *docsFlags) {
	cmd.Flags().StringVar(&f.collection, "collection", "", "only on documents of this one")
	cmd.Flags().StringArrayVar(&in.Tags, "tag", nil, "only those with this tag; may be repeated")
	cmd.Flags().StringVar(&f.client, "client", "", "only what this client sees, by the name that it calls itself")
	numberFlag(cmd, &in.Most, "most", 1000, 1, 1000, "pins at most")
}

func (a *app) notesRemove() *cobra.Command {
	var f docsFlags
	cmd := &cobra.Command{
		Use:   "remove ID…",
		Short: "Take pins back",
		Args:  requireArgs(1, -1, "take the ids from: compactor docs notes list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, _, err := a.docsEnv(cmd.Context(), f)
			if err != nil {
				return err
			}
			for _, id := range args {
				p, err := env.Notes.Remove(cmd.Context(), id)
				if errors.Is(err, notes.ErrUnknown) {
					return exit{exitInvalid, oneLine(err.Error()) + "; see: compactor docs notes list"}
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "removed %s of %s\n", p.ID, oneLine(p.URI))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&f.collection, "collection", "", "that their documents are of")
	return cmd
}

func (a *app) askNotes(ctx context.Context, in docs.NotesIn, f docsFlags) error {
	in.Collection = f.collection
	return a.askDocs(ctx, docs.List, in, f)
}

// printNotes prints a pin or a list of them, and reports whether the reply is one.
func (a *app) printNotes(raw json.RawMessage, f docsFlags) (bool, error) {
	var reply struct {
		Notes  *[]docs.Note    `json:"notes"`
		Pinned string          `json:"pinned"`
		Note   json.RawMessage `json:"note"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil || reply.Notes == nil && reply.Pinned == "" {
		return false, err
	}
	var list []docs.Note
	remark := ""
	if reply.Notes != nil {
		list = *reply.Notes
		_ = json.Unmarshal(reply.Note, &remark)
	} else {
		list = make([]docs.Note, 1)
		if err := json.Unmarshal(raw, &list[0]); err != nil {
			return true, err
		}
	}
	switch f.format {
	case string(render.JSON):
		if err := printJSON(a.out, raw); err != nil {
			return true, err
		}
		remark = ""
	case string(render.Markdown):
		fmt.Fprint(a.out, notesMarkdown(list))
	default:
		for _, n := range list {
			a.printNote(n)
		}
	}
	if remark != "" {
		fmt.Fprintln(a.out, oneLine(remark))
	}
	if f.mustFit && len(list) == 0 {
		return true, exit{exitInvalid, ""}
	}
	return true, nil
}

func (a *app) printNote(n docs.Note) {
	_ = screen.Paint(a.out, screen.Heading, n.ID)
	fmt.Fprintf(a.out, "  %s", oneLine(n.URI))
	if n.Quote != "" {
		fmt.Fprintf(a.out, ", bytes %d to %d", n.Start, n.End)
	}
	fmt.Fprintf(a.out, "  %s", n.Pinned)
	for _, part := range append([]string{n.Client}, n.Tags...) {
		if part != "" {
			fmt.Fprint(a.out, "  "+oneLine(part))
		}
	}
	fmt.Fprintln(a.out)
	if text := cmp.Or(n.Quote, n.Was); text != "" {
		fmt.Fprintln(a.out, indent(screen.Fill(oneLine(text), screen.Columns(a.out)-3)))
	}
	if n.Quote == "" {
		fmt.Fprintln(a.out, indent(n.State+": "+unquoted[n.State]))
	} else if n.Moved {
		fmt.Fprintln(a.out, indent("the document has changed since, and still says it"))
	}
	if n.Said != "" {
		fmt.Fprintln(a.out, indent(screen.Fill("note: "+oneLine(n.Said), screen.Columns(a.out)-3)))
	}
}

// unquoted maps the state of a pin to the reason why it is no longer a quote.
var unquoted = map[string]string{
	"stale":  "the document does not say it any more",
	"gone":   "the document is not there any more",
	"unread": "the collection cannot be read now; see: compactor index status",
	"masked": "it holds what is masked now",
}

// notesMarkdown renders pins as Markdown, grouped by the URIs of their documents.
func notesMarkdown(list []docs.Note) string {
	var b strings.Builder
	b.WriteString("# Notes\n")
	var order []string
	of := map[string][]docs.Note{}
	for _, n := range list {
		if _, known := of[n.URI]; !known {
			order = append(order, n.URI)
		}
		of[n.URI] = append(of[n.URI], n)
	}
	for _, uri := range order {
		fmt.Fprintf(&b, "\n## %s\n", sanitize.Code(oneLine(uri)))
		for _, n := range of[uri] {
			b.WriteByte('\n')
			for l := range strings.Lines(sanitize.Markdown(strings.TrimSpace(n.Quote))) {
				b.WriteString("> " + strings.TrimRight(l, "\r\n") + "\n")
			}
			if n.Quote == "" { // only what the document still says is shown as a quote
				fmt.Fprintf(&b, "It said: %s\n", sanitize.Markdown(oneLine(n.Was)))
			}
			b.WriteByte('\n')
			if n.Said != "" {
				fmt.Fprintf(&b, "%s\n\n", sanitize.Markdown(oneLine(n.Said)))
			}
			facts := []string{n.ID, "pinned " + n.Pinned}
			if n.Quote == "" {
				facts = append(facts, "no quote any more: "+unquoted[n.State])
			} else {
				facts = append(facts, fmt.Sprintf("bytes %d to %d of version %s", n.Start, n.End, n.Version))
			}
			for _, t := range n.Tags {
				facts = append(facts, "#"+strings.ReplaceAll(sanitize.Markdown(oneLine(t)), " ", "-"))
			}
			fmt.Fprintf(&b, "— %s\n", strings.Join(facts, ", "))
		}
	}
	return b.String()
}
