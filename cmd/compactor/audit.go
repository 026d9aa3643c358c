package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/audit"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// auditor looks through the answers that the store keeps.
type auditor struct {
	*app
	svc    *service.Service
	format string
	since  string
	query  timeline.AnswerQuery
}

func newAudit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "audit",
		GroupID: "look",
		Short:   "Look through the answers composed from documents, and check what they cite",
		Long: `Look through the answers that serve composed from documents: who asked what, which
searches it took, which bytes of which versions of documents were cited, and whether the
documents still say it. A question of several parts has an answer for each; ask and
research may have used a part of one. No text of a document is kept, only a digest of
each quote.

They are the dashboard's records, with secrets masked. timeline in the configuration says
how long they are kept, of how many sessions, and whether questions are kept in words.`,
		Args: oneCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	of := func() *auditor { return &auditor{app: a} }
	cmd.AddCommand(of().list(), of().show(), of().replay(), of().export())
	return cmd
}

func (x *auditor) list() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the answers, the newest first",
		Example: `  compactor audit list --since 24h
  compactor audit list --most 0 --format json | jq '.[] | select(.confidence == "low") | .question'`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := x.answers(cmd.Context())
			if err != nil {
				return err
			}
			if x.format == string(render.JSON) {
				return printJSON(x.out, list)
			}
			if len(list) == 0 {
				fmt.Fprintln(x.out, "no answer fits")
				return nil
			}
			return screen.Table(x.out, []string{"ID", "WHEN", "CLIENT", "CITED", "CONFIDENCE", "QUESTION"}, answerRows(list))
		},
	}
	x.bindSelection(cmd, 20)
	formatFlag(cmd, &x.format, string(render.Text), string(render.JSON))
	return cmd
}

func (x *auditor) show() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show one answer: its searches, and what it cites as the documents were last indexed",
		Example: `  compactor audit show 3f2a9c1e`,
		Args:    requireArgs(1, 1, "take an id, or its beginning, from: compactor audit list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := x.answers(cmd.Context(), args...)
			if err != nil {
				return err
			}
			done, err := x.compare(cmd.Context(), list)
			if err != nil {
				return err
			}
			if x.format == string(render.JSON) {
				return printJSON(x.out, done[0])
			}
			done[0].print(x)
			return nil
		},
	}
	formatFlag(cmd, &x.format, string(render.Text), string(render.JSON))
	return cmd
}

func (x *auditor) replay() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay [ID…]",
		Short: "Check whether what answers cite still stands",
		Long: `Compare each quote that answers cite with its document as it was last indexed, so run
compactor index before. Without an ID, all answers that fit the flags are compared.

  stands    at the same bytes
  moved     at other bytes of the document
  changed   the document does not say it any more
  gone      its collection does not have the document any more
  unread    its collection cannot be read, or is not on this machine
  unknown   the document has changed, and the record, of an earlier version, has no digest

Exit code 0: no quote has changed or is gone. 1: some have or are. 2: could not run, or
some could not be read.`,
		Example: `  compactor index && compactor audit replay --since 168h
  compactor audit replay 3f2a9c1e --format json | jq '.[].citations[] | select(.state != "stands")'`,
		Args: requireArgs(0, -1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := x.answers(cmd.Context(), args...)
			if err != nil {
				return err
			}
			done, err := x.compare(cmd.Context(), list)
			if err != nil {
				return err
			}
			return x.printReplay(done)
		},
	}
	x.bindSelection(cmd, 0)
	formatFlag(cmd, &x.format, string(render.Text), string(render.JSON))
	return cmd
}

func (x *auditor) export() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export",
		Short:   "Write the answers as JSON, one on each line",
		Example: `  compactor audit export --since 2026-01-31 > answers.jsonl`,
		Args:    requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := x.answers(cmd.Context())
			if err != nil {
				return err
			}
			enc := json.NewEncoder(x.out)
			for _, a := range list {
				if err := enc.Encode(a); err != nil {
					return err
				}
			}
			return nil
		},
	}
	x.bindSelection(cmd, 0)
	return cmd
}

func (x *auditor) bindSelection(cmd *cobra.Command, most int) {
	cmd.Flags().StringVar(&x.since, "since", "", "only those since a date, such as 2026-01-31, or within a time, such as 36h")
	cmd.Flags().StringVar(&x.query.Session, "session", "", "only those of this session")
	numberFlag(cmd, &x.query.Max, "most", most, 0, 1_000_000, "the newest so many; 0 for all")
}

// answers returns the selected answers: those with the ids, or all that fit the flags.
func (x *auditor) answers(ctx context.Context, ids ...string) (list []timeline.Answer, err error) {
	if x.since != "" {
		if x.query.Since, err = parseMoment(x.since, time.Now()); err != nil {
			return nil, exit{exitBroken, err.Error()}
		}
	}
	if x.svc, err = x.load(ctx); err != nil {
		return nil, err
	}
	from, end := x.openTimeline(ctx, x.svc)
	defer end()
	switch {
	case from == nil && hasTimeline(x.svc): // why it cannot be opened is said
		return nil, exit{code: exitBroken}
	case from == nil:
		return nil, exit{exitBroken, "no session is kept: serve keeps them in the store, unless timeline: enabled is false; see: compactor data"}
	case len(ids) > 0:
		x.query = timeline.AnswerQuery{}
	}
	all, err := timeline.Answers(ctx, from, x.query)
	if errors.Is(err, timeline.ErrUnknown) {
		err = exit{exitBroken, "nothing is kept of session " + sanitize.OneLine(x.query.Session, 80) + "; audit list shows the answers of all"}
	}
	if err != nil || len(ids) == 0 {
		return all, err
	}
	for _, id := range ids {
		a, err := timeline.FindAnswer(all, id)
		if err != nil {
			return nil, exit{exitBroken, err.Error() + "; see: compactor audit list"}
		}
		list = append(list, a)
	}
	return list, nil
}

// replayed is an answer with its citations as their documents were last indexed.
type replayed struct {
	timeline.Answer
	Citations []audit.Standing `json:"citations"`
}

// compare compares what answers cite with the documents of all collections, since the answers are of all projects. Quotes
// are masked.
func (x *auditor) compare(ctx context.Context, list []timeline.Answer) ([]replayed, error) {
	snap := x.svc.Snapshot()
	others, err := keptCollections(snap)
	if err != nil {
		return nil, err
	}
	configured := snap.Collections()
	others = slices.DeleteFunc(others, func(o service.Collection) bool { // indexed before its directories were changed
		return slices.ContainsFunc(configured, func(c service.Collection) bool {
			return c.Name == o.Name && slices.ContainsFunc(c.Directories, func(dir string) bool { return slices.Contains(o.Directories, dir) })
		})
	})
	var set []library.Member
	for _, c := range append(configured, others...) {
		set = append(set, x.svc.Member(snap, c))
	}
	mask := snap.Egress.Line
	out := []replayed{}
	for _, a := range list {
		r := replayed{Answer: a}
		if r.Citations, err = audit.Replay(ctx, set, a); err != nil {
			return nil, err
		}
		for i := range r.Citations {
			c := &r.Citations[i]
			c.Quote, c.Because = mask(c.Quote), mask(c.Because)
		}
		out = append(out, r)
	}
	return out, nil
}

func answerRows(list []timeline.Answer) (rows [][]string) {
	for _, a := range list {
		rows = append(rows, []string{shortID(a.ID), localTime(a.At), cmp.Or(sanitize.OneLine(a.Client, 40), "-"), strconv.Itoa(len(a.Citations) + a.Unnamed),
			sanitize.OneLine(cmp.Or(a.Confidence, a.Outcome), 20), sanitize.OneLine(a.Question, 300)})
	}
	return rows
}

func localTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// shortID returns the beginning of an id, which is enough to tell answers apart.
func shortID(id string) string { return sanitize.OneLine(id[:min(len(id), 8)], 8) }

func (r replayed) print(x *auditor) {
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(x.out, "%-11s %s\n", name, sanitize.OneLine(text, 2000))
		}
	}
	line("question", r.Question)
	line("when", localTime(r.At))
	line("client", r.Client)
	line("session", r.Session)
	line("outcome", strings.TrimSuffix(r.Outcome+": "+r.Because, ": "))
	line("confidence", r.Confidence)
	line("worded by", r.By)
	for _, s := range r.Searches {
		text := fmt.Sprintf("%s in %s: %s", s.Query, cmp.Or(s.Collection, "all collections"), words.Count(len(s.Passages), "passage"))
		if s.Filters != "" {
			text += ", only " + s.Filters
		}
		line("search", text)
	}
	for _, c := range r.Citations {
		line("citation", describeStanding(c))
		if c.Quote != "" {
			line("", sanitize.Quote(c.Quote))
		}
	}
	if r.Unnamed > 0 {
		line("", fmt.Sprintf("and %s that the record does not name", words.Count(r.Unnamed, "citation")))
	}
}

// describeStanding returns the place of a citation, and what became of it.
func describeStanding(c audit.Standing) string {
	text := fmt.Sprintf("%s, bytes %d to %d: ", cmp.Or(c.URI, c.Passage), c.Start, c.End)
	switch c.State {
	case audit.Moved:
		return text + fmt.Sprintf("moved to bytes %d to %d", c.Now.Start, c.Now.End)
	case audit.Changed:
		return text + "changed, the document does not say it any more"
	case audit.Gone:
		return text + "gone, its collection does not have the document"
	case audit.Unread:
		return text + "unread, " + c.Because
	case audit.Unknown:
		return text + "unknown, the document has changed and the record has no digest"
	}
	return text + "stands"
}

// printReplay prints citations that do not stand as they did, and the number of each kind. It returns exit code 1 if the
// documents do not say some any more, and 2 if some cannot be read.
func (x *auditor) printReplay(list []replayed) error {
	counts, all, unnamed, lost := map[audit.State]int{}, 0, 0, false
	for _, r := range list {
		unnamed += r.Unnamed
		for _, c := range r.Citations {
			all++
			counts[c.State]++
			lost = lost || c.State.Lost()
			if c.State != audit.Stands && x.format != string(render.JSON) {
				fmt.Fprintf(x.out, "%s  %s (%s)\n", shortID(r.ID), sanitize.OneLine(describeStanding(c), 500), sanitize.OneLine(r.Question, 100))
			}
		}
	}
	if x.format == string(render.JSON) {
		if err := printJSON(x.out, list); err != nil {
			return err
		}
	} else {
		text, next := words.Count(len(list), "answer")+", "+words.Count(all, "citation"), ": "
		for _, s := range []audit.State{audit.Stands, audit.Moved, audit.Changed, audit.Gone, audit.Unread, audit.Unknown} {
			if counts[s] > 0 {
				text, next = text+fmt.Sprintf("%s%d %s", next, counts[s], strings.TrimSuffix(string(s), "s")), ", "
			}
		}
		if unnamed > 0 {
			text += fmt.Sprintf("; %d more are not named in the records", unnamed)
		}
		fmt.Fprintln(x.out, text)
	}
	switch {
	case lost:
		return exit{code: exitInvalid}
	case counts[audit.Unread] > 0:
		return exit{code: exitBroken}
	}
	return nil
}
