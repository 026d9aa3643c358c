package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
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
		Example:           helpText("call.txt"),
		ValidArgsFunction: a.completeOwn,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listTools(cmd)
			}
			raw, err := a.mergeArguments(input, args[1:])
			if err != nil {
				return exit{exitInvalid, err.Error()}
			}
			return a.callTool(cmd.Context(), namedTool(args[0]), raw, f)
		},
	}
	f.bind(cmd, a)
	cmd.Flags().StringVar(&input, "input", "", "all arguments as one JSON object, or - for standard input")
	return cmd
}

func (a *app) listTools(cmd *cobra.Command) error {
	svc, err := a.load(cmd.Context())
	if err != nil {
		return err
	}
	var rows [][]string
	for _, t := range svc.Snapshot().Plan.Tools {
		names := t.Input.Names()
		for i, n := range names {
			if !t.Input.Field(n).Required {
				names[i] = "[" + n + "]"
			}
		}
		what, _, _ := strings.Cut(strings.Join(strings.Fields(t.Description), " "), ". ")
		rows = append(rows, []string{oneLine(t.Name), oneLine(strings.Join(names, " "))}, []string{"", oneLine(strings.TrimSuffix(what, "."))})
	}
	return screen.Table(a.out, nil, rows)
}

// maxInput bounds what is read from standard input.
const maxInput = 64 << 20

// mergeArguments merges --input, key=value pairs and JSON objects into one object.
func (a *app) mergeArguments(input string, pairs []string) (json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	if input == "-" {
		data, err := io.ReadAll(io.LimitReader(a.in, maxInput))
		if err != nil {
			return nil, fmt.Errorf("standard input cannot be read: %w", err)
		}
		input = string(data)
	}
	if input != "" {
		if err := json.Unmarshal([]byte(input), &all); err != nil || all == nil {
			return nil, noObject(input, err)
		}
	}
	for _, p := range pairs {
		if strings.HasPrefix(p, "{") && json.Unmarshal([]byte(p), &all) == nil { // pasted unchanged from a chat
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

// noObject returns an error that says what an input is instead of a JSON object.
func noObject(input string, err error) error {
	is := map[rawjson.Kind]string{rawjson.Array: "a list", rawjson.String: "a string", rawjson.Number: "a number", rawjson.Bool: "true or false",
		rawjson.Null: "null"}
	what := is[rawjson.Of(json.RawMessage(strings.TrimSpace(input)))]
	var syntax *json.SyntaxError
	if what == "" || errors.As(err, &syntax) {
		return fmt.Errorf("--input is not JSON: %w; write one object such as '{\"path\":\"a.txt\"}', or - for standard input", err)
	}
	return fmt.Errorf("--input is %s; write one object such as '{\"path\":\"a.txt\"}'", what)
}

// invalidCodes are the error codes for a failure of the request, not of the program.
var invalidCodes = []string{"TOOL_NOT_FOUND", "TOOL_VALIDATION_ERROR", "ROOT_NOT_FOUND", "NOT_FOUND", "INVALID_INPUT", "HANDOFF_NOT_FOUND",
	"TOOL_EXECUTION_ERROR"}

// toExit adds an error's code and hint to its message and chooses the exit code.
func toExit(err error) error {
	_, e := contract.AsError(err)
	msg := e.Message + " [" + e.Code + "]"
	var hint interface{ Hint() string }
	if errors.As(err, &hint) && !strings.HasSuffix(e.Message, hint.Hint()) { // some messages end with their hint already
		msg = e.Message + "; " + hint.Hint() + " [" + e.Code + "]"
	}
	if slices.Contains(invalidCodes, e.Code) {
		return exit{exitInvalid, msg}
	}
	return exit{exitBroken, msg}
}
