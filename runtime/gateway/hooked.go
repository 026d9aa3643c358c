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

// Result is a masked result, and what it answers.
type Result struct {
	Session      *session.Session // with the calls before this one
	Server, Tool string
	Args         json.RawMessage // as they came, with their secrets
	Raw          json.RawMessage
	Schema       json.RawMessage   // that structured content is held against; nil for none
	Summaries    *config.Summaries // what becomes of long results; nil where they pass as they are
	Now          func() time.Time

	// Masked are arguments without their secrets; nil where they have been masked.
	Masked func(json.RawMessage) json.RawMessage
	// Keep keeps the result as it is, and says by which id it is read and the name of
	// the tool that reads it; both are empty where it is not kept.
	Keep func() (id, tool string)
}

// Hooked is a result as it leaves, and what was made short of it.
type Hooked struct {
	Raw     json.RawMessage
	Summary *Summary // nil where it is not a summary
}

// Summary says how a result was made short.
type Summary struct {
	Original  int       `json:"original_tokens"`
	Threshold int       `json:"threshold"`
	Tokens    int       `json:"summary_tokens"`
	At        time.Time `json:"summarized_at"`
	By        string    `json:"by"`           // what made it, as the pipeline says
	ID        string    `json:"id,omitempty"` // of the whole result; "" where it is not kept
	Said      string    `json:"-"`            // what of it a model said, where the pipeline tells
}

// hooked passes a masked result through the hook on results, and keeps what that
// makes short.
func (g *Gateway) hooked(ctx context.Context, t *tool, m *masker, r Result, c Caller) (json.RawMessage, *Summary, error) {
	r.Schema, r.Now, r.Masked = t.Output, g.opt.Now, m.value
	if c.Bounded { // a program reads the others whole
		r.Summaries = summariesOf(t.from.config(), t.Name)
	}
	kept := pages.Kept{Server: t.Server, Tool: t.Name, Original: r.Raw}
	r.Keep = func() (string, string) {
		if g.opt.More() == "" {
			return "", ""
		}
		if kept.ID = g.pages.Hold(c.Session.ID(), kept); kept.ID == "" {
			return "", ""
		}
		return kept.ID, g.opt.More()
	}
	left := false // with an id that somebody may have been told
	defer func() {
		if !left && kept.ID != "" {
			g.pages.Drop(c.Session.ID(), kept.ID)
		}
	}()
	out := g.opt.Result(ctx, r)
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
		g.Keep(c.Session.ID(), kept)
	}
	return raw, s, nil
}

// What summaries are where nothing else is said; schemas/gateway.cue says so too.
const (
	usualThreshold = 2_000
	usualLimit     = 1_000
)

// summariesOf is what becomes of the long results of a tool; nil where they pass as
// they are.
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

// attrs are what the event of a call says of its summary.
func (s *Summary) attrs() []slog.Attr {
	if s == nil {
		return nil
	}
	return []slog.Attr{slog.Any("result", event.ID(s.ID)), slog.Int("original_tokens", s.Original), slog.Int("summary_tokens", s.Tokens), slog.String("by", s.By)}
}
