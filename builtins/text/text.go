// Package text has the builtins that shorten texts: text.compact detects the kind of text that a tool returned, and one
// builtin for each kind reads it as that. None of them calls a model.
//
// The shortening itself is in builtins/text/compact. What a hook does with the result of an upstream tool is a pipeline
// in the configuration.
package text

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/text/compact"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// In is a text and what to shorten it for.
type In struct {
	Text      string          `json:"text" doc:"what a tool gave"`
	Tokens    int             `json:"tokens" doc:"of the short text at most, each of about four bytes" default:"1000" min:"50" max:"100000"`
	Task      string          `json:"task,omitempty" doc:"what the user wants: what it names comes first"`
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"of the call that gave the text: what they name comes first too"`
	Known     []string        `json:"known,omitempty" doc:"what was read before: the names in it are worth less"`
}

// Out is a shortened text.
type Out struct {
	Text     string `json:"text" doc:"at most as long as asked"`
	Kind     string `json:"kind" doc:"how it was read, such as json, log, tests or diff"`
	Whole    bool   `json:"whole" doc:"whether it is the text as it was"`
	Tokens   int    `json:"tokens" doc:"of the short text, counted"`
	Original int    `json:"original" doc:"tokens of the text, estimated"`
	Units    int    `json:"units" doc:"lines, rows or members of the text"`
	Kept     int    `json:"kept" doc:"how many of them are shown, whole or in part"`
}

// All returns the builtins of this package.
func All() []catalog.Builtin {
	out := []catalog.Builtin{result(), shorten("text.compact", "Make what a tool printed short by its structure", compact.Unknown)}
	for _, k := range kinds {
		out = append(out, shorten("text."+string(k.kind), k.doc, k.kind))
	}
	return out
}

// kinds are the kinds of text that have a builtin.
var kinds = []struct {
	kind compact.Kind
	doc  string
}{
	{compact.JSON, "Make JSON short: records as tables, trees as members"},
	{compact.YAML, "Make YAML short: as JSON of the same members"},
	{compact.INI, "Make INI and TOML short: as JSON of the same members"},
	{compact.Help, "Make what a program says of its use short: its commands and options, and of some what they do"},
	{compact.Table, "Make a table short: of commas, of tabs, of Markdown or aligned"},
	{compact.Hits, "Make the hits of a search short: grouped by file"},
	{compact.Listing, "Make a list of paths short: whole paths, and how many more below which directories"},
	{compact.Tree, "Make a list of paths, or what ls -R and tree print, short: as a tree"},
	{compact.Log, "Make a log short: faults and lines like no other, and lines that are alike once with their count"},
	{compact.Tests, "Make the output of tests short: failures with their places whole, what passed counted"},
	{compact.Compiler, "Make the output of compilers and linters short: errors with their places whole, then warnings"},
	{compact.Trace, "Make stack traces short: messages, causes and frames of one's own code; frames of libraries counted"},
	{compact.Diff, "Make a diff short: files, hunks and what they define"},
	{compact.Markdown, "Make Markdown short: headings, and the lines that tell most"},
	{compact.HTML, "Make a page short: its text with links"},
	{compact.Source, "Make code short: definitions, and the lines that tell most"},
	{compact.Prose, "Make prose short: the sentences that tell most"},
}

// Kinds returns the kinds of text that have a builtin, as they appear in --kind and in the builtin's name.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k.kind)
	}
	return out
}

func shorten(name, doc string, kind compact.Kind) catalog.Builtin {
	return catalog.New(name, doc, 0, func(_ context.Context, _ *catalog.Env, in In) (Out, error) {
		s := compact.Shorten(in.Text, compact.Options{Bytes: in.Tokens * bytesPerToken, Kind: kind, Subject: compact.Subject{
			Task: in.Task, Arguments: string(in.Arguments), Known: strings.Join(in.Known, "\n")}})
		return Out{Text: s.Text, Kind: string(s.Kind), Whole: s.Whole, Tokens: tokens.Count(s.Text), Original: tokens.Estimate(in.Text),
			Units: s.Units, Kept: s.Kept}, nil
	})
}

// bytesPerToken is the assumed length of a token. In dense text, such as tables of identifiers, a token of the o200k
// vocabulary is about 2.7 bytes.
const bytesPerToken = 4
