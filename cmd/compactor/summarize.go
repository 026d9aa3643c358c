package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/compactor-mcp/compactor/builtins/text"
	"github.com/compactor-mcp/compactor/builtins/text/compact"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/charset"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// summarizeFlags holds the flags of summarize.
type summarizeFlags struct {
	tokens                int
	context, kind, format string
}

func (a *app) summarize() *cobra.Command {
	var f summarizeFlags
	cmd := &cobra.Command{
		Use:         "summarize [FILE]",
		GroupID:     "use",
		Annotations: map[string]string{copied: "summary"},
		Short:       "Make the output of a tool short, and keep what later steps need",
		Long:        helpText("summarize.txt"),
		Example: `  go test ./... 2>&1 | compactor summarize
  gh api repos/golang/go/issues | compactor summarize --tokens 500
  compactor summarize --kind log --format json build.log | jq .kind
  echo '{"task": "why is checkout slow?"}' > task.json
  kubectl logs web-7d9f | compactor summarize --context task.json`,
		Args: requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.summarizeTo(cmd.Context(), f, strings.Join(args, ""))
		},
	}
	fl := cmd.Flags()
	numberFlag(cmd, &f.tokens, "tokens", 1000, 50, 1_000_000, "of the summary at most, each taken as four bytes")
	fl.StringVar(&f.context, "context", "", "JSON file that says what the text is read for: {task, tool, arguments, recent}")
	fl.Var(choice{&f.kind, text.Kinds()}, "kind", "how the text is read, where its beginning does not tell: "+oneOf(text.Kinds()))
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(text.Kinds(), cobra.ShellCompDirectiveNoFileComp))
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	fl.BoolVar(&a.noModel, "no-model", false, "ask no model, even where one is configured")
	return cmd
}

// summary is what --format json prints.
type summary struct {
	Summary        string `json:"summary"`
	Kind           string `json:"kind"`
	OriginalTokens int    `json:"original_tokens"`
	SummaryTokens  int    `json:"summary_tokens"`
	By             string `json:"by"`
}

// byStructure names the author of a summary that was made without a model.
const byStructure = "structure"

// summarizeTo runs the command: read, mask, shorten, print.
func (a *app) summarizeTo(ctx context.Context, f summarizeFlags, file string) error {
	about, err := readContext(f.context)
	if err != nil {
		return exit{exitInvalid, err.Error()}
	}
	source, err := a.readText(file)
	if err != nil {
		return err
	}
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	masked, spans := svc.Snapshot().Redactor.Redact(source)
	if len(spans) == 1 && spans[0].Rule == "withheld" {
		return exit{exitBroken, fmt.Sprintf("%d MB are too much to be searched for secrets, which comes before all else; give a part: tail -c 8M FILE | compactor summarize", len(source)>>20)}
	}
	out := a.shortenText(ctx, svc, masked, f, about)
	if f.format == string(render.JSON) {
		e := json.NewEncoder(a.out)
		e.SetEscapeHTML(false)
		return e.Encode(out)
	}
	if !strings.HasSuffix(out.Summary, "\n") {
		out.Summary += "\n"
	}
	_, err = io.WriteString(a.out, out.Summary)
	return err
}

// bytesPerToken is the assumed length of a token.
const bytesPerToken = 4

// shortenText shortens a masked text by its structure; if there is a model, its words come first,
// in the room that this leaves. The newline printed after the summary counts towards the
// limit.
func (a *app) shortenText(ctx context.Context, svc *service.Service, masked string, f summarizeFlags, about summaryContext) summary {
	most := f.tokens*bytesPerToken - 1
	out := summary{OriginalTokens: tokensOf(masked), By: byStructure}
	s := compact.Shorten(masked, compact.Options{Bytes: most, Kind: compact.Kind(f.kind), Subject: about.toSubject()})
	out.Summary, out.Kind = s.Text, string(s.Kind)
	if !s.Whole && most-len(s.Text) >= minWords {
		if w, ok := svc.Word(ctx, about.toPrinted(svc.Snapshot().Redactor, masked, f.tokens)); ok && w.By != byStructure && (w.Said != "" || f.kind == "") {
			out.prependWords(w, masked, most)
		}
	}
	out.SummaryTokens = tokensOf(out.Summary)
	return out
}

// minWords is the least room for the words of a model, in bytes.
const minWords = 80

// prependWords puts the words of a model before a summary as far as they fit within most bytes. A
// pipeline that does not return them separately has made the whole summary.
func (s *summary) prependWords(w service.Worded, masked string, most int) {
	if w.Said == "" {
		if len(w.Text) <= most {
			s.Summary, s.By = w.Text, w.By
		}
		return
	}
	said, _ := text.BorneOut(masked, w.Said, func(said string) bool { return len(said)+1+len(s.Summary) <= most })
	if said != "" {
		s.Summary, s.By = said+"\n"+s.Summary, w.By
	}
}

func tokensOf(s string) int { return (len(s) + bytesPerToken - 1) / bytesPerToken }

// maxText limits what is read, in bytes: masking and summarizing take several times as much.
const maxText = 64 << 20

// readText reads the file, or standard input if no file is named.
func (a *app) readText(file string) (string, error) {
	in, name, way := a.in, "standard input", "tail -c 60M FILE | compactor summarize"
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", exit{exitBroken, readError(file, err)}
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return "", exit{exitBroken, file + " is a directory; name a file, or list it: ls -R " + file + " | compactor summarize"}
		}
		in, name, way = f, file, "tail -c 60M "+filepath.Base(file)+" | compactor summarize"
	} else if f, isFile := a.in.(*os.File); isFile && term.IsTerminal(int(f.Fd())) {
		return "", exit{exitBroken, "there is nothing to summarize: name a FILE, or pipe a text in: git log | compactor summarize"}
	}
	data, err := io.ReadAll(io.LimitReader(in, maxText+1))
	switch {
	case err != nil:
		return "", exit{exitBroken, readError(name, err)}
	case len(data) > maxText:
		return "", exit{exitBroken, fmt.Sprintf("%s has more than %d MB, the most that is read at once; give a part of it: %s", name, maxText>>20, way)}
	case len(data) == 0 || strings.TrimSpace(string(data[:min(len(data), 4096)])) == "" && strings.TrimSpace(string(data)) == "":
		return "", exit{exitBroken, name + " is empty: there is nothing to summarize"}
	}
	text, encoding := charset.Decode(data)
	if encoding == "" || isBinary(text, encoding) {
		return "", exit{exitBroken, name + " is binary, not text; turn it into text first, with strings or with the program that made it"}
	}
	return string(text), nil
}

// readError says why a file cannot be read.
func readError(name string, err error) string {
	if errors.Is(err, os.ErrNotExist) {
		return "there is no file " + name
	}
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return name + " cannot be read: " + err.Error()
}

// sampled is how much of a file decides whether it is text, in bytes.
const sampled = 8 << 10

// isBinary reports whether text has a zero or many control characters. Any bytes can be
// decoded in some encoding, which is therefore trusted less than UTF-8 and UTF-16.
func isBinary(text []byte, encoding string) bool {
	head := text[:min(len(text), sampled)]
	most := len(head) / 4
	if encoding != charset.UTF8 && encoding != charset.UTF16 {
		most = len(head) / 16
	}
	broken := 0
	for _, r := range string(head) {
		switch {
		case r == 0:
			return true
		case unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f\b\x1b", r):
			broken++
		}
	}
	return broken > most
}

// readContext reads the file that says for which purpose a text is read.
func readContext(file string) (c summaryContext, err error) {
	if file == "" {
		return c, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return c, errors.New("--context: " + readError(file, err))
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("--context: %s is not an object such as {\"task\": \"…\", \"arguments\": {…}, \"recent\": [{\"tool\": \"…\", \"result\": \"…\"}]}: %w", file, err)
	}
	return c, nil
}

// summaryContext says what a text is read for. Every field is optional.
type summaryContext struct {
	Task      string          `json:"task"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Recent    []struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
		Result    string          `json:"result"`
	} `json:"recent"`
}

// toSubject converts a context for the summarizer.
func (c summaryContext) toSubject() compact.Subject {
	var known strings.Builder
	for _, r := range c.Recent {
		fmt.Fprintf(&known, "%s %s\n%s\n", r.Tool, r.Arguments, r.Result)
	}
	return compact.Subject{Task: c.Task, Arguments: string(c.Arguments), Known: known.String()}
}

// toPrinted converts a text with its context for the summarizing pipeline. All of the context
// is masked, because a model reads it.
func (c summaryContext) toPrinted(r *redact.Redactor, masked string, most int) service.Printed {
	mask := func(s string) string { out, _ := r.Redact(s); return out }
	arguments := func(raw json.RawMessage) json.RawMessage {
		if out := json.RawMessage(mask(string(raw))); json.Valid(out) {
			return out
		}
		return nil
	}
	p := service.Printed{Text: masked, Tool: mask(c.Tool), Arguments: arguments(c.Arguments), Task: mask(c.Task), Most: most}
	for _, call := range c.Recent {
		p.After(mask(call.Tool), arguments(call.Arguments), tokensOf(call.Result))
	}
	return p
}
