package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

func (a *app) docs() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "docs",
		GroupID: "use",
		Short:   "Search documents that compactor index has read, and answer from them",
		Long: `Search the collections of the configuration, and those that compactor index PATH made
of directories in or around the current one. No model is needed.`,
		Args: oneCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.docsSearch(), a.docsLookup(), a.docsSimilar(), a.docsAnswer(), a.docsSummarize(), a.docsEntities(), a.docsPin(), a.docsNotes(), a.docsList())
	return cmd
}

// docsFlags holds the flags of the docs commands.
type docsFlags struct {
	collection, format string
	topK               int
	only               docs.Only
	explain            bool
	client             string // whose pins are seen; "" for all
	mustFit            bool   // exit with code 1 if nothing that fits was found
}

func (f *docsFlags) bind(cmd *cobra.Command, topK int) {
	cmd.Flags().StringVar(&f.collection, "collection", "", "only this one")
	numberFlag(cmd, &f.topK, "top-k", topK, 1, 50, "passages at most")
}

// bindOnly adds the flags that filter documents.
func (f *docsFlags) bindOnly(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.only.Path, "path", "", "only documents whose path fits a glob, such as \"guide/**\"")
	cmd.Flags().StringSliceVar(&f.only.Tags, "tag", nil, "only documents with a tag of their front matter, or a keyword of their page; may be repeated")
	cmd.Flags().StringVar(&f.only.Type, "type", "", "only documents of a kind or ending, such as markdown or html")
	cmd.Flags().StringVar(&f.only.Since, "since", "", "only documents that changed on or after a date, such as 2026-01-31, or the day of a time ago, such as 36h")
}

// parseSince converts --since to a date.
func (f *docsFlags) parseSince() error {
	if f.only.Since == "" {
		return nil
	}
	since, err := parseMoment(f.only.Since, time.Now())
	if err != nil {
		return exit{exitInvalid, err.Error()}
	}
	f.only.Since = since.Format(time.DateOnly)
	return nil
}

func (a *app) docsSearch() *cobra.Command {
	f := docsFlags{mustFit: true}
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find passages, the best first",
		Long: `Find the passages of documents that fit QUERY best: by its words, by what they mean
in the collection, and by their spelling. --explain says what each of these gave.

Exit code 0: found. 1: nothing fits, or the query is not valid. 2: could not run.`,
		Example: `  compactor docs search "how are connections pooled?"
  compactor docs search "time out" --collection guide --type markdown --explain
  compactor docs search retries --format json | jq '.hits[].uri'`,
		Args: requireArgs(1, -1, `for example: compactor docs search "how are roots opened?"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.parseSince(); err != nil {
				return err
			}
			in := docs.SearchIn{Query: strings.Join(args, " "), TopK: f.topK, Filters: &f.only, Collection: f.collection, Explain: f.explain}
			return a.askDocs(cmd.Context(), docs.Search, in, f)
		},
	}
	f.bind(cmd, 8)
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	cmd.Flags().BoolVar(&f.explain, "explain", false, "also what each signal gave a passage, and for which words")
	f.bindOnly(cmd)
	return cmd
}

func (a *app) docsSimilar() *cobra.Command {
	var f docsFlags
	cmd := &cobra.Command{
		Use:   "similar ID",
		Short: "Find passages of other documents that are like one",
		Args:  requireArgs(1, 1, "take an id or a chunk_id from: compactor docs search"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.askDocs(cmd.Context(), docs.Similar, docs.SimilarIn{ID: args[0], TopK: f.topK, Collection: f.collection}, f)
		},
	}
	f.bind(cmd, 5)
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

func (a *app) docsLookup() *cobra.Command {
	var f docsFlags
	in := docs.LookupIn{}
	cmd := &cobra.Command{
		Use:   "lookup ID",
		Short: "Print a document, or a passage of one, by its id or uri",
		Args:  requireArgs(1, 1, "take an id, a uri or a chunk_id from: compactor docs search"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.ID = args[0]
			return a.askDocs(cmd.Context(), docs.Lookup, in, f)
		},
	}
	numberFlag(cmd, &in.From, "from", 0, 0, 1<<30, "byte of the text to begin at")
	numberFlag(cmd, &in.Size, "size", 60_000, 200, 60_000, "bytes of text at most")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

func (a *app) docsList() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the collections",
		Args:  requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runStatus(cmd.Context(), f, nil)
		},
	}
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

// askDocs runs a builtin over the collections of the command and prints its output, passed through the egress filter.
func (a *app) askDocs(ctx context.Context, builtin func(func(string) string) catalog.Builtin, in any, f docsFlags) error {
	env, snap, err := a.docsEnv(ctx, f)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	var input map[string]any
	if err := json.Unmarshal(raw, &input); err != nil {
		return err
	}
	b := builtin(snap.Egress.Text)
	value, err := b.Run(ctx, env, input)
	if err != nil {
		if _, e := contract.AsError(err); e.Code == "VALIDATION_ERROR" {
			return exit{exitInvalid, e.Message}
		}
		return toExit(err)
	}
	out, err := snap.Egress.Apply(ctx, value, b.Out, snap.Roots, 0)
	if err != nil {
		return toExit(err)
	}
	return a.printDocs(out, f)
}

// docsEnv returns the environment of a builtin, with the collections that a command searches.
func (a *app) docsEnv(ctx context.Context, f docsFlags) (*catalog.Env, *service.Snapshot, error) {
	svc, err := a.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	set, err := searchedCollections(svc, f.collection)
	if err != nil {
		return nil, nil, err
	}
	return &catalog.Env{Documents: set, Notes: svc.Notes(svc.Snapshot(), f.client, set), Now: time.Now}, svc.Snapshot(), nil
}

// searchedCollections returns the collections that a command searches: all that are configured and, of the
// others, the one it names or, without a name, the ones of directories in or around the current one.
func searchedCollections(svc *service.Service, name string) (catalog.Library, error) {
	snap := svc.Snapshot()
	others, err := keptCollections(snap)
	if err != nil {
		return nil, err
	}
	known := append(snap.Collections(), others...)
	if name == notes.Source && !slices.ContainsFunc(known, func(c service.Collection) bool { return c.Name == name }) {
		name = "" // pins are on documents of any collection
	}
	var set catalog.Library
	for _, c := range snap.Collections() {
		set = append(set, svc.Member(snap, c))
	}
	here, _ := filepath.Abs(".")
	near := func(c service.Collection) bool {
		for _, dir := range c.Directories {
			if isWithin(dir, here) || isWithin(here, dir) {
				return true
			}
		}
		return false
	}
	var names []string
	for _, c := range others {
		if (c.Name == name || name == "" && near(c)) && !slices.Contains(set.Names(), c.Name) {
			set = append(set, svc.Member(snap, c))
		}
		names = append(names, c.Name)
	}
	switch {
	case name != "" && !slices.Contains(set.Names(), name):
		return nil, exit{exitInvalid, noCollection(name, append(set.Names(), names...))}
	case len(set) == 0 && len(names) > 0:
		return nil, exit{exitInvalid, "no collection is configured, and none was made of this directory; name one with --collection: " + strings.Join(names, ", ")}
	case len(set) == 0:
		if err := findUnopened(snap); err != nil {
			return nil, exit{exitBroken, err.Error()}
		}
		return nil, exit{exitInvalid, "no document was indexed yet; run: compactor index PATH"}
	}
	return set, nil
}

// isWithin reports whether a path is a directory or lies below it.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// printDocs prints a reply. It returns exit code 1 if nothing was found.
func (a *app) printDocs(raw json.RawMessage, f docsFlags) error {
	if done, err := a.printCited(raw, f.format); done || err != nil {
		return err
	}
	if done, err := a.printNotes(raw, f); done || err != nil {
		return err
	}
	var reply struct {
		Hits       *[]docs.Hit `json:"hits"`
		Confidence string      `json:"confidence"`
		Note       string      `json:"note"`
		docs.Document
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return err
	}
	switch {
	case f.format == string(render.JSON):
		if err := printJSON(a.out, raw); err != nil {
			return err
		}
	case reply.Hits == nil:
		a.printDocument(reply.Document, reply.Note)
	default:
		a.printHits(*reply.Hits, reply.Confidence, reply.Note)
	}
	if reply.Hits != nil && (len(*reply.Hits) == 0 || f.mustFit && reply.Confidence == "none") {
		return exit{exitInvalid, ""}
	}
	return nil
}

func (a *app) printHits(hits []docs.Hit, confidence, note string) {
	for i, h := range hits {
		_ = screen.Paint(a.out, screen.Heading, fmt.Sprintf("%d. %s", i+1, oneLine(h.URI)))
		where := h.Title
		if h.Section != "" {
			where = h.Section
		}
		fmt.Fprintf(a.out, "  %s\n", oneLine(where))
		if h.Snippet != "" {
			fmt.Fprintln(a.out, indent(screen.Fill(oneLine(h.Snippet), screen.Columns(a.out)-3)))
		}
		fmt.Fprintf(a.out, "   %s  score %.4f\n", h.ChunkID, h.Score)
		if h.Pinned != nil {
			fmt.Fprintln(a.out, indent(pinnedLine(*h.Pinned)))
		}
		for _, s := range h.Legs {
			of := oneLine(strings.Join(s.Of, ", "))
			if s.Asked != "" {
				of += "  asked: " + oneLine(s.Asked)
			}
			fmt.Fprintf(a.out, "     %-5s %.4f  %s\n", s.Leg, s.Score, of)
		}
	}
	if len(hits) > 0 {
		fmt.Fprintf(a.out, "confidence: %s\n", confidence)
	}
	if note != "" {
		fmt.Fprintln(a.out, oneLine(note))
	}
}

// pinnedLine says that a hit was pinned, with the pin's note and its state.
func pinnedLine(p docs.HitPin) string {
	text := "you pinned this"
	if p.Note != "" {
		text += ": " + oneLine(p.Note)
	}
	if p.State != "stands" {
		text += "\n" + p.State + ": " + unquoted[p.State]
	}
	if p.Was != "" {
		text += "; it said: " + oneLine(p.Was)
	}
	return text
}

func indent(text string) string { return "   " + strings.ReplaceAll(text, "\n", "\n   ") }

func (a *app) printDocument(d docs.Document, note string) {
	_ = screen.Paint(a.out, screen.Heading, oneLine(d.URI))
	fmt.Fprintf(a.out, "  %s  version %s", oneLine(d.Title), d.Version)
	if d.Modified != "" {
		fmt.Fprintf(a.out, ", %s", d.Modified)
	}
	fmt.Fprintln(a.out)
	if d.Section != "" {
		fmt.Fprintln(a.out, oneLine(d.Section))
	}
	fmt.Fprintf(a.out, "\n%s\n", strings.TrimRight(d.Text, "\n"))
	if d.Next > 0 {
		fmt.Fprintf(a.out, "\nthe rest: --from %d\n", d.Next)
	}
	if note != "" {
		fmt.Fprintln(a.out, oneLine(note))
	}
}
