package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"compactor/runtime/contract"
)

func (a *app) call() *cobra.Command {
	var f callFlags
	var input string
	cmd := &cobra.Command{
		Use:     "call TOOL [key=value…]",
		GroupID: "use",
		Short:   "Run any tool of the configuration",
		Long: `Run a tool that the configuration declares, with arguments as key=value or as
JSON. A value that reads as JSON (true, 8, ["a"]) is taken as such. Without a
tool the command lists them.`,
		Example: `  compactor call ping
  compactor call locate_in_codebase question="worker pool" constraints='{"tokens":400}'
  compactor call find_patterns --input '{"question":"retry with backoff"}'`,
		ValidArgsFunction: a.completeOwn,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listTools(cmd)
			}
			raw, err := arguments(input, args[1:])
			if err != nil {
				return exit{exitInvalid, err.Error()}
			}
			return a.run(cmd.Context(), args[0], raw, f)
		},
	}
	f.bind(cmd, a)
	cmd.Flags().StringVar(&input, "input", "", "all arguments as one JSON object")
	return cmd
}

func (a *app) listTools(cmd *cobra.Command) error {
	svc, err := a.load(cmd.Context())
	if err != nil {
		return err
	}
	for _, t := range svc.Snapshot().Plan.Tools {
		names := t.Input.Names()
		for i, n := range names {
			if !t.Input.Field(n).Required {
				names[i] = "[" + n + "]"
			}
		}
		what, _, _ := strings.Cut(strings.Join(strings.Fields(t.Description), " "), ". ")
		fmt.Fprintf(a.out, "%-22s %s\n%22s %s\n", t.Name, strings.Join(names, " "), "", strings.TrimSuffix(what, "."))
	}
	return nil
}

// arguments merges --input, key=value pairs and JSON objects into one object.
func arguments(input string, pairs []string) (json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	if input != "" {
		if err := json.Unmarshal([]byte(input), &all); err != nil {
			return nil, fmt.Errorf("--input is not a JSON object: %w", err)
		}
	}
	for _, p := range pairs {
		if strings.HasPrefix(p, "{") && json.Unmarshal([]byte(p), &all) == nil { // pasted as it stands in a chat
			continue
		}
		key, value, ok := strings.Cut(p, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("argument %q: want key=value, or one JSON object", p)
		}
		raw := json.RawMessage(value)
		if !json.Valid(raw) {
			raw, _ = json.Marshal(value)
		}
		all[key] = raw
	}
	return json.Marshal(all)
}

// invalidCodes are failures of what was asked, not of the program.
var invalidCodes = []string{"TOOL_NOT_FOUND", "TOOL_VALIDATION_ERROR", "ROOT_NOT_FOUND", "NOT_FOUND", "INVALID_INPUT", "HANDOFF_NOT_FOUND",
	"TOOL_EXECUTION_ERROR"}

// failed prints a coded error with its way out and chooses the exit code.
func failed(err error) error {
	_, e := contract.AsError(err)
	msg := e.Message + " [" + e.Code + "]"
	var hint interface{ Hint() string }
	if errors.As(err, &hint) && hint.Hint() != "" {
		msg = e.Message + "; " + hint.Hint() + " [" + e.Code + "]"
	}
	if slices.Contains(invalidCodes, e.Code) {
		return exit{exitInvalid, msg}
	}
	return exit{exitBroken, msg}
}
