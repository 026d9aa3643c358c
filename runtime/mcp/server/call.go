package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	"github.com/mark3labs/mcp-go/mcp"
)

// callTool runs one tools/call: find the tool, check and repair the arguments, call the backend, encode its reply.
func (s *Server) callTool(ctx context.Context, sess *session, r *request, out sink) answer {
	surf := r.face.surface.Load()
	name := textOf(r.param("name"))
	t := surf.tools[name]
	if t == nil {
		switch err := s.awaitTools(ctx, r.face, name); {
		case context.Cause(ctx) == errCancelled:
			return answer{silent: true}
		case err != nil:
			return s.failureAnswer(surf, r, name, err)
		}
		surf = r.face.surface.Load()
		t = surf.tools[name]
	}
	if t == nil {
		if err := s.explainUnlisted(ctx, r.face, name, r.param("arguments")); err != nil {
			return s.failureAnswer(surf, r, name, err)
		}
		return failed(invalidParams(surf.unknownToolText(name, s.echo)))
	}
	fixed, err := t.checkArguments(r)
	if err != nil {
		return s.failureAnswer(surf, r, name, repeating{err, s.echo})
	}
	n := s.newNotes(ctx, sess, r, out)
	c := Call{Tool: name, Args: fixed, Params: r.rawParam, Session: sess.id, Client: r.sender(sess), Stateless: r.modern, LogLevel: string(n.level),
		Progress: n.progress, Watched: n.token != nil, Log: n.log, Sample: n.sampleFunc(sess, r), Note: n.passNote, Ask: n.askFunc(sess, r)}
	if e := s.newErrand(ctx, sess, r); e != nil {
		c.Progress, c.Log, c.Note, c.Ask = e.progress, e.log, e.passNote, e.ask
		return e.run(ctx, n, func(ctx context.Context) answer {
			reply, err := s.invoke(ctx, r.face, c)
			return s.toolAnswer(ctx, surf, r, name, reply, err)
		})
	}
	reply, err := s.invoke(ctx, r.face, c)
	n.close()
	return s.toolAnswer(ctx, surf, r, name, reply, err)
}

// toolAnswer returns the answer to a finished call.
func (s *Server) toolAnswer(ctx context.Context, surf *surface, r *request, name string, reply Reply, err error) answer {
	switch {
	case context.Cause(ctx) == errCancelled:
		return answer{silent: true}
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return s.problemAnswer(surf, r, stopped())
	case err != nil:
		return s.failureAnswer(surf, r, name, err)
	}
	return s.successAnswer(surf, r, name, reply)
}

// checkArguments returns the arguments of a call, checked if the tool has a schema.
func (t *tool) checkArguments(r *request) (json.RawMessage, error) {
	raw := r.param("arguments")
	if t.schema != nil {
		return t.schema.Validate(raw)
	}
	if twice := rawjson.Duplicate(r.rawParam); twice != "" {
		return nil, givenTwice(sanitize.OneLine(twice, maxWord))
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	return raw, nil
}

// givenTwice is the error for a duplicate member in a call's params: parsers differ in which one they use.
type givenTwice string

func (e givenTwice) Error() string { return string(e) + ": given twice" }
func (e givenTwice) Code() string  { return CodeInvalidArguments }
func (e givenTwice) Hint() string  { return "call it again and give it once" }

// panicked hides a panic of the backend: its text may contain anything.
type panicked struct{}

func (panicked) Error() string { return "panic" }

func (s *Server) invoke(ctx context.Context, f *face, c Call) (reply Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in a tool", "tool", c.Tool, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = panicked{}
		}
	}()
	return f.backend.Call(ctx, c)
}

// explainUnlisted returns what the backend says about a tool that is not in the list.
func (s *Server) explainUnlisted(ctx context.Context, f *face, name string, args json.RawMessage) (err error) {
	if name == "" {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic about a tool that is not listed", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = nil
		}
	}()
	return f.backend.Elsewhere(ctx, name, args)
}

// unknownToolText names the nearest tools, or all if there are few, so that a model need not request the list again.
func (s *surface) unknownToolText(name string, echo func(string) string) string {
	text := "unknown tool " + fmt.Sprintf("%q", sanitize.OneLine(echo(name), maxWord))
	if name == "" {
		text = "name is missing: which tool?"
	}
	if near := toolargs.Nearest(name, s.names); near != "" {
		text += "; did you mean " + near + "?"
	} else if name != "" {
		text += "."
	}
	return sanitize.OneLine(text+" Tools: "+diag.Some(name, s.names), maxLine)
}

// wireResult is a tools/call result.
type wireResult struct {
	Content    json.RawMessage `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Type       mcp.ResultType  `json:"resultType,omitempty"`
	Meta       map[string]any  `json:"_meta,omitempty"`
}

// failureKey is the key of a failed result's code, which is for programs; the text is for models.
const failureKey = "compactor/error"

func (s *Server) successAnswer(surf *surface, r *request, name string, reply Reply) answer {
	if len(reply.Raw) > 0 {
		return s.rawSuccess(surf, r, name, reply.Raw)
	}
	res := wireResult{Content: reply.Content, Structured: reply.Structured, IsError: reply.IsError}
	if len(res.Content) == 0 {
		text := reply.Text
		if text == "" {
			text = compactText(reply.Structured)
		}
		res.Content = textContent(text)
	}
	if !r.modern && rawjson.Of(res.Structured) != rawjson.Object {
		res.Structured = nil // the handshake era only knows objects; the text has the content
	}
	if surf.tools[name].structured && res.Structured == nil && !res.IsError {
		s.log.Warn("the tool promises structured content and gave none", "tool", name)
	}
	a, err := res.encode(surf, r)
	if err != nil {
		s.log.Error("the reply of a tool cannot be encoded", "tool", name, "error", err)
		return s.problemAnswer(surf, r, internalProblem(name))
	}
	return a
}

// failureAnswer turns an error of validation or of the backend into a result that the model reads.
func (s *Server) failureAnswer(surf *surface, r *request, name string, err error) answer {
	if a, is := lackingFailure(r, err); is {
		return a
	}
	if a, is := rpcFailure(r, err); is {
		return a
	}
	if _, ok := err.(panicked); ok {
		return s.problemAnswer(surf, r, internalProblem(name))
	}
	return s.problemAnswer(surf, r, s.describeSafely(name, err))
}

// describeSafely calls describe on an error, whose methods are foreign code and may panic.
func (s *Server) describeSafely(name string, err error) (p problem) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("panic in an error of a tool", "tool", name, "panic", fmt.Sprint(v))
			p = internalProblem(name)
		}
	}()
	return describeError(err)
}

func (s *Server) problemAnswer(surf *surface, r *request, p problem) answer {
	res := wireResult{Content: textContent(p.text()), IsError: true, Meta: p.data()}
	a, err := res.encode(surf, r)
	if err != nil {
		return failed(&rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"})
	}
	a.code = p.Code
	return a
}

func (w wireResult) encode(surf *surface, r *request) (answer, error) {
	if r.modern {
		w.Type = mcp.ResultTypeComplete
		if w.Meta == nil {
			w.Meta = map[string]any{}
		}
		w.Meta[mcp.MetaKeyServerInfo] = surf.info
	}
	data, err := rawjson.Marshal(w)
	return answer{result: data}, err
}

func compactText(structured json.RawMessage) string {
	var buf bytes.Buffer
	if json.Compact(&buf, structured) != nil {
		return "" // the whole reply will be rejected
	}
	return buf.String()
}

func textContent(text string) json.RawMessage {
	quoted := rawjson.Quote(text)
	out := make([]byte, 0, len(quoted)+30)
	out = append(out, `[{"type":"text","text":`...)
	out = append(out, quoted...)
	return append(out, "}]"...)
}
