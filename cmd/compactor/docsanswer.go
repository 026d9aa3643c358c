package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

func (a *app) docsAnswer() *cobra.Command {
	var f docsFlags
	in := docs.AnswerIn{}
	cmd := &cobra.Command{
		Use:   "answer QUESTION",
		Short: "Answer a question in sentences of the documents, each with its place",
		Long: `Answer QUESTION from the documents, without a model: by the sentences in them that
answer it. Each quote stands in its document, byte for byte, and was held against it.
Where the documents do not answer, it says so and names what comes nearest.

The tool that chat clients are given for it has a model word the answer, where one is
configured; compactor tools lists it, and compactor call runs it.

Exit code 0: answered. 1: the documents do not answer. 2: could not run.`,
		Example: `  compactor docs answer "how many connections does a pool keep?"
  compactor docs answer "what does max_idle do?" --style technical --collection guide
  compactor docs answer "when is a retry made?" --format json | jq '.citations[].quote'`,
		Args: requireArgs(1, -1, `for example: compactor docs answer "how many connections does a pool keep?"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Question, in.TopK, in.Collection = strings.Join(args, " "), f.topK, f.collection
			if err := f.parseSince(); err != nil {
				return err
			}
			if !f.only.Empty() {
				in.Filters = &f.only
			}
			return a.askDocs(cmd.Context(), docs.Answer, in, f)
		},
	}
	f.bind(cmd, 6)
	citedFormat(cmd, &f.format)
	f.bindOnly(cmd)
	styleFlag(cmd, &in.Style)
	cmd.Flags().BoolVar(&in.Debug, "debug", false, "with json: also how the answer was come to")
	return cmd
}

func (a *app) docsSummarize() *cobra.Command {
	var f docsFlags
	in := docs.SummarizeIn{}
	cmd := &cobra.Command{
		Use:   "summarize ID…",
		Short: "Make documents or passages short, in sentences that stand in them",
		Example: `  compactor docs summarize handbook/pools.md
  compactor docs summarize handbook/pools.md handbook/retries.txt --focus "limits" --style concise`,
		Args: requireArgs(1, -1, "take ids, uris or chunk_ids from: compactor docs search; - reads a text from standard input"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.IDs, in.Passages, err = splitMaterial(a.in, args); err != nil {
				return err
			}
			return a.askDocs(cmd.Context(), docs.Summarize, in, f)
		},
	}
	citedFormat(cmd, &f.format)
	styleFlag(cmd, &in.Style)
	cmd.Flags().StringVar(&in.Focus, "focus", "", "what it is read for")
	return cmd
}

func (a *app) docsEntities() *cobra.Command {
	var f docsFlags
	in := docs.EntitiesIn{}
	cmd := &cobra.Command{
		Use:   "entities ID…",
		Short: "List names, dates, versions, options, paths and addresses in documents",
		Example: `  compactor docs entities handbook/pools.md
  compactor docs entities handbook/deploy.md --kind option --kind version --format json`,
		Args: requireArgs(1, -1, "take ids, uris or chunk_ids from: compactor docs search; - reads a text from standard input"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.IDs, in.Passages, err = splitMaterial(a.in, args); err != nil {
				return err
			}
			return a.askDocs(cmd.Context(), docs.ExtractEntities, in, f)
		},
	}
	citedFormat(cmd, &f.format)
	cmd.Flags().StringArrayVar(&in.Kinds, "kind", nil, "only these: url, email, date, version, error, option, path, identifier, place, name")
	numberFlag(cmd, &in.Most, "most", 50, 1, 1000, "entities at most")
	return cmd
}

// splitMaterial splits arguments into ids and texts; - is replaced by the text of stdin.
func splitMaterial(stdin io.Reader, args []string) (ids, texts []string, err error) {
	for _, arg := range args {
		if arg != "-" {
			ids = append(ids, arg)
			continue
		}
		data, err := io.ReadAll(io.LimitReader(stdin, 2<<20))
		if err != nil {
			return nil, nil, fmt.Errorf("standard input: %w", err)
		}
		texts = append(texts, string(data))
	}
	return ids, texts, nil
}

func styleFlag(cmd *cobra.Command, style *string) {
	styles := []string{"concise", "default", "technical"}
	*style = styles[1]
	cmd.Flags().Var(choice{style, styles}, "style", "how much is said: "+oneOf(styles))
	_ = cmd.RegisterFlagCompletionFunc("style", cobra.FixedCompletions(styles, cobra.ShellCompDirectiveNoFileComp))
}

func citedFormat(cmd *cobra.Command, format *string) {
	formatFlag(cmd, format, string(render.Text), string(render.Markdown), string(render.JSON))
}

// cited is a reply whose text is backed by quotes.
type cited struct {
	Answer     *string         `json:"answer"`
	Summary    *string         `json:"summary"`
	Entities   *[]docs.Entity  `json:"entities"`
	Citations  []docs.Citation `json:"citations"`
	Confidence string          `json:"confidence"`
	Abstained  string          `json:"abstained"`
	Note       string          `json:"note"`
}

// printCited prints a reply that has citations or entities, and reports whether it is one.
func (a *app) printCited(raw json.RawMessage, format string) (bool, error) {
	var r cited
	if err := json.Unmarshal(raw, &r); err != nil || r.Answer == nil && r.Summary == nil && r.Entities == nil {
		return false, err
	}
	switch {
	case format == string(render.JSON):
		if err := printJSON(a.out, raw); err != nil {
			return true, err
		}
	case r.Entities != nil:
		a.printEntities(*r.Entities, format == string(render.Markdown))
	default:
		a.printSaid(r, format == string(render.Markdown))
	}
	if r.Note != "" && format != string(render.JSON) {
		fmt.Fprintln(a.out, oneLine(r.Note))
	}
	if r.Abstained != "" {
		return true, exit{exitInvalid, ""}
	}
	return true, nil
}

// printSaid prints an answer or a summary, then its citations.
func (a *app) printSaid(r cited, markdown bool) {
	text := r.Answer
	if text == nil {
		text = r.Summary
	}
	if *text != "" {
		fmt.Fprintf(a.out, "%s\n\n", *text)
	}
	for i, c := range r.Citations {
		place := cmp.Or(c.URI, "passage "+c.ID)
		if c.Page > 0 {
			place += fmt.Sprintf(", page %d", c.Page)
		}
		place += fmt.Sprintf(", bytes %d to %d", c.Start, c.End)
		if markdown {
			fmt.Fprintf(a.out, "%d. %s: “%s”\n", i+1, sanitize.Code(place), sanitize.Markdown(oneLine(c.Quote)))
			continue
		}
		_ = screen.Paint(a.out, screen.Heading, fmt.Sprintf("%d. %s", i+1, oneLine(place)))
		fmt.Fprintf(a.out, "\n%s\n", indent(screen.Fill(oneLine(c.Quote), screen.Columns(a.out)-3)))
	}
	if r.Confidence != "" {
		fmt.Fprintf(a.out, "confidence: %s\n", r.Confidence)
	}
}

func (a *app) printEntities(list []docs.Entity, markdown bool) {
	for _, e := range list {
		places := make([]string, len(e.Spans))
		for i, s := range e.Spans {
			places[i] = fmt.Sprintf("%s:%d-%d", cmp.Or(s.URI, "passage "+s.ID), s.Start, s.End)
		}
		if markdown {
			fmt.Fprintf(a.out, "- %s (%s, %d×): %s\n", sanitize.Code(oneLine(e.Text)), e.Kind, e.Count, sanitize.Markdown(oneLine(strings.Join(places, ", "))))
			continue
		}
		fmt.Fprintf(a.out, "%-10s %3d  %s  %s\n", e.Kind, e.Count, oneLine(e.Text), oneLine(strings.Join(places, ", ")))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "no names or values of these kinds")
	}
}
