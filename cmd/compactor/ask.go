package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

func (a *app) ask() *cobra.Command {
	var f callFlags
	var sources, after []string
	var calls, tokens, timeMS int
	confidences := []string{"low", "med", "high"}
	confidence := ""
	cmd := &cobra.Command{
		Use:     "ask QUESTION",
		GroupID: "use",
		Short:   "Answer a question from documents and code together",
		Long: `Answer QUESTION from the configured collections and the code of the current directory.
Up to three questions in one are looked up one by one, each in its likeliest source
first, and in the other one if that does not answer with enough confidence. No model
is needed; with one, it words what the quotes support.

An answer rests on quotes of documents, which are checked byte for byte, and path:line
references that resolve. If nothing answers, it says so. Without a collection it
answers from the code alone, as compactor research does.

Exit code 0: answered. 1: nothing found, or the question is not valid. 2: could not run.`,
		Example: `  compactor ask "how many connections does a pool keep, and where is that set?"
  compactor ask --source docs "what does max_idle do?"
  compactor ask --max-calls 5 --min-confidence high "what is retried? who calls Retry?"
  compactor ask --after "what is a pool?" --format json "and when is it emptied?" | jq .citations`,
		Args: requireArgs(1, -1, `for example: compactor ask "how many connections does a pool keep, and where is that set?"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			own := map[string]any{} // inputs that only the tool of this command has
			if len(sources) > 0 {
				own["sources"] = sources
			}
			if calls > 0 {
				own["max_tool_calls"] = calls
			}
			if confidence != "" {
				own["min_confidence"] = confidence
			}
			f.after = earlierQuestions(after)
			return a.callTool(cmd.Context(), askTool(a.err, len(own) > 0), questionArgs(args, own, tokens, timeMS), f)
		},
	}
	f.bind(cmd, a)
	cmd.Flags().StringArrayVar(&sources, "source", nil, "where to look, such as docs or code; may be repeated (default: all)")
	cmd.Flags().Var(choice{&confidence, confidences}, "min-confidence", "keep looking while the confidence is below this: "+oneOf(confidences)+" (default med)")
	_ = cmd.RegisterFlagCompletionFunc("min-confidence", cobra.FixedCompletions(confidences, cobra.ShellCompDirectiveNoFileComp))
	numberFlag(cmd, &calls, "max-calls", 0, 0, 10, "maximum number of searches (default 3)")
	questionFlags(cmd, &after, &tokens, &timeMS)
	return cmd
}

// askTool picks the tool of this command, or the one for code if the configuration has no collection. It returns an
// error in place of the latter if own inputs are given.
func askTool(notes io.Writer, own bool) toolPick {
	return func(svc *service.Service) (string, error) {
		t, codeAlone, err := service.AskTool(svc)
		switch {
		case err != nil:
			return "", err
		case !codeAlone:
			return t.Name, nil
		case own:
			return "", &contract.Error{Name: "InputError", Code: "INVALID_INPUT", Message: "no collection is configured, so there is only the code to ask: leave out --source, --max-calls and --min-confidence, or configure one, such as collections: guide: roots: [\"docs\"]"}
		}
		fmt.Fprintln(notes, "no collection is configured: the code alone answers, as in compactor research")
		return t.Name, nil
	}
}

// questionFlags adds the flags for what came before a question and for the limits of its answer.
func questionFlags(cmd *cobra.Command, after *[]string, tokens, timeMS *int) {
	cmd.Flags().StringArrayVar(after, "after", nil, "question that came before, which a follow-up refines; may be repeated, the oldest first")
	numberFlag(cmd, tokens, "tokens", 0, 0, 100_000, "size of the answer at most (default 1000)")
	numberFlag(cmd, timeMS, "time-ms", 0, 0, 600_000, "time for the answer at most, in milliseconds")
}

// questionArgs returns the arguments of a call that asks a question. Limits of 0 are left out.
func questionArgs(words []string, input map[string]any, tokens, timeMS int) json.RawMessage {
	input["question"] = strings.Join(words, " ")
	limits := map[string]any{}
	if tokens > 0 {
		limits["tokens"] = tokens
	}
	if timeMS > 0 {
		limits["time_ms"] = timeMS
	}
	if len(limits) > 0 {
		input["constraints"] = limits
	}
	raw, _ := json.Marshal(input) // strings, numbers and lists of them always have a JSON form
	return raw
}
