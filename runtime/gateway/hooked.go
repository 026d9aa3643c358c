package gateway

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// Result is a masked result and the call that it answers.
type Result struct {
	Session      *session.Session // with the calls before this one
	Server, Tool string
	Args         json.RawMessage // as they came, including secrets
	Raw          json.RawMessage
	Schema       json.RawMessage   // that structured content is validated against; nil for none
	Summaries    *config.Summaries // how long results are summarized; nil: they pass unchanged
	Now          func() time.Time

	// Masked removes secrets from arguments; nil if they are already masked.
	Masked func(json.RawMessage) json.RawMessage
	// Keep keeps the unchanged result and returns the id to read it by and the name of the tool that reads it; both are
	// empty if it is not kept.
	Keep func() (id, tool string)
}

// HookResult is a result as it is sent on, and how it was shortened.
type HookResult struct {
	Raw     json.RawMessage
	Summary *Summary // nil if it is not a summary
}

// Summary says how a result was shortened.
type Summary struct {
	Original  int       `json:"original_tokens"`
	Threshold int       `json:"threshold"`
	Tokens    int       `json:"summary_tokens"`
	At        time.Time `json:"summarized_at"`
	By        string    `json:"by"`           // what made it, as reported by the pipeline
	ID        string    `json:"id,omitempty"` // of the whole result; "" if it is not kept
	Said      string    `json:"-"`            // the part written by a model, if the pipeline reports it
}

// runResultHook passes a masked result through the result hook, and keeps the original of a shortened one.
func (c *caller) runResultHook(ctx context.Context, t *tool, m *masker, r Result) (json.RawMessage, *Summary, error) {
	r.Schema, r.Now, r.Masked = t.Output, c.opt.Now, m.maskValue
	if c.by.Bounded { // programs read results whole
		r.Summaries = summariesOf(t.from.config(), t.Name)
	}
	kept := pages.Kept{Server: t.Server, Tool: t.Name, Original: r.Raw}
	r.Keep = func() (string, string) {
		if c.opt.More() == "" {
			return "", ""
		}
		if kept.ID = c.pages.Hold(c.by.Session.ID(), kept); kept.ID == "" {
			return "", ""
		}
		return kept.ID, c.opt.More()
	}
	left := false // with an id that the client may have been given
	defer func() {
		if !left && kept.ID != "" {
			c.pages.Drop(c.by.Session.ID(), kept.ID)
		}
	}()
	out := c.opt.Result(ctx, r)
	if bytes.Equal(out.Raw, r.Raw) {
		return r.Raw, nil, nil
	}
	own := *m
	own.clean = sanitize.Controls        // the notes in it are ours
	raw, err := own.result(ctx, out.Raw) // a hook may have read more than the result
	switch {
	case errors.Is(err, errGarbled):
		return nil, nil, &upstream.Error{Code: CodeExecution, Server: t.Server, Message: "what the hook on results made of its result is not a JSON object; mend that hook's pipeline, or turn summarization of this tool off", Err: err}
	case err != nil:
		return nil, nil, err
	}
	left = true
	s := out.Summary
	if s != nil {
		kept.Summary, kept.OriginalTokens, kept.SummaryTokens, kept.By, kept.At = raw, s.Original, s.Tokens, s.By, s.At
		s.ID = kept.ID
	}
	if kept.ID != "" {
		c.Keep(c.by.Session.ID(), kept)
	}
	return raw, s, nil
}

// Defaults for summaries; they are repeated in schemas/gateway.cue.
const (
	usualThreshold = 2_000
	usualLimit     = 1_000
)

// summariesOf returns how long results of a tool are summarized, or nil if they pass unchanged.
func summariesOf(s config.Server, tool string) *config.Summaries {
	all, own := s.Summaries, s.Tools[tool].Summaries
	on := all.Said || own.Said
	if enabled := cmp.Or(own.Enabled, all.Enabled); enabled != nil {
		on = *enabled
	}
	if !on {
		return nil
	}
	return &config.Summaries{Threshold: cmp.Or(own.Threshold, all.Threshold, usualThreshold), Limit: cmp.Or(own.Limit, all.Limit, usualLimit)}
}

// attrs returns the attributes for a call's event that describe the summary.
func (s *Summary) attrs() []slog.Attr {
	if s == nil {
		return nil
	}
	return []slog.Attr{slog.Any("result", event.ID(s.ID)), slog.Int("original_tokens", s.Original), slog.Int("summary_tokens", s.Tokens), slog.String("by", s.By)}
}
