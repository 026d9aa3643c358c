package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// What must pass nowhere; none of it is written as a secret here.
var (
	leakPassword = "Tr0ub4dor" + "&3xyz"
	leakBearer   = "q8Zr7mVt2KxLp9" + "WdHs4NbYc6JfGu1EaT"
	leakInURL    = "hV7kQz2m" + "Xw9RtB"
)

// told is what a server says at a place: a mark that must pass, and beside it three secrets that must not.
func told(place string) map[string]any {
	return map[string]any{
		"mark": "mark-" + place, "password": leakPassword, "authorization": "Bearer " + leakBearer,
		"database": "postgres://deploy:" + leakInURL + "@db.example/app",
	}
}

// toldText is the same as text.
func toldText(place string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(told(place))
	return strings.TrimSpace(b.String())
}

// leakserver is an upstream server that says secrets wherever it may speak.
func leakserver() {
	fmt.Fprintln(os.Stderr, toldText("stderr"))
	l := &leaker{in: bufio.NewScanner(os.Stdin)}
	l.in.Buffer(nil, 1<<20)
	for l.in.Scan() {
		var m leakAsk
		if json.Unmarshal(l.in.Bytes(), &m) == nil && m.ID != nil {
			l.answer(m)
		}
	}
}

type leakAsk struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name      string
		Arguments struct{ Place string }
		Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
}

type leaker struct{ in *bufio.Scanner }

// object is JSON without its closing brace's neighbours told apart: a value as it is sent.
func object(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

type anyMap = map[string]any

func (l *leaker) say(id json.RawMessage, kind string, v any) {
	fmt.Println(object(anyMap{"jsonrpc": "2.0", "id": id, kind: v}))
}

func (l *leaker) note(method string, params any) {
	fmt.Println(object(anyMap{"jsonrpc": "2.0", "method": method, "params": params}))
}

// ask puts a request to the client and waits for its answer.
func (l *leaker) ask(method string, params any) {
	fmt.Println(object(anyMap{"jsonrpc": "2.0", "id": "ask", "method": method, "params": params}))
	for l.in.Scan() {
		if strings.Contains(l.in.Text(), `"ask"`) {
			return
		}
	}
}

func (l *leaker) answer(m leakAsk) {
	switch m.Method {
	case "initialize":
		l.say(m.ID, "result", anyMap{
			"protocolVersion": "2025-11-25", "instructions": "Keeps tickets. " + toldText("instructions"),
			"serverInfo":   anyMap{"name": toldText("name"), "version": toldText("version"), "title": toldText("title")},
			"capabilities": anyMap{"tools": anyMap{}, "resources": anyMap{"subscribe": true}, "prompts": anyMap{}, "completions": anyMap{}, "logging": anyMap{}, "experimental": told("capabilities")},
		})
	case "tools/list":
		l.say(m.ID, "result", anyMap{"tools": []any{leakTool("say"), leakTool("wide"), anyMap{"name": "Bearer " + leakBearer, "inputSchema": told("odd")}, anyMap{"name": "postgres://deploy:" + leakInURL + "@db.example/app"}}})
	case "resources/list":
		l.say(m.ID, "result", anyMap{"resources": []any{anyMap{"uri": "leak://text", "name": "text", "description": toldText("resource-list"), "_meta": told("resource-meta")}}})
	case "resources/templates/list":
		l.say(m.ID, "result", anyMap{"resourceTemplates": []any{anyMap{"uriTemplate": "leak://{id}", "name": "any", "description": toldText("template-list")}}})
	case "resources/read":
		l.say(m.ID, "result", anyMap{"contents": []any{
			anyMap{"uri": "leak://text", "mimeType": "application/json", "text": toldText("resource"), "_meta": told("contents-meta")},
			anyMap{"uri": "leak://blob", "mimeType": "application/json", "blob": base64.StdEncoding.EncodeToString([]byte(toldText("blob")))},
		}})
	case "prompts/list":
		l.say(m.ID, "result", anyMap{"prompts": []any{anyMap{"name": "brief", "description": toldText("prompt-list"), "arguments": []any{anyMap{"name": "to", "description": toldText("prompt-argument")}}}, anyMap{"name": "broken"}}})
	case "resources/subscribe":
		l.note("notifications/resources/updated", anyMap{"uri": "leak://text?password=" + leakPassword, "_meta": told("updated"), "title": toldText("updated-title")})
		l.say(m.ID, "result", anyMap{"_meta": told("subscribed")})
	case "prompts/get":
		if m.Params.Name == "broken" {
			l.say(m.ID, "error", anyMap{"code": -32602, "message": toldText("prompt-error"), "data": told("prompt-error-data")})
			return
		}
		l.say(m.ID, "result", anyMap{"description": toldText("prompt"), "messages": []any{anyMap{"role": "user", "content": anyMap{"type": "text", "text": toldText("message")}}}})
	case "completion/complete":
		l.say(m.ID, "result", anyMap{"completion": anyMap{"values": []any{toldText("completion"), "password=" + leakPassword}}})
	case "tools/call":
		l.call(m)
	default:
		l.say(m.ID, "result", anyMap{})
	}
}

// leakTool is a tool with secrets in all of its definition. wide may be called with anything.
func leakTool(name string) anyMap {
	return anyMap{
		"name": name, "title": "Say " + toldText(name+"-title"), "description": "Opens a ticket. " + toldText(name+"-description"),
		"annotations": anyMap{"title": toldText(name + "-annotation"), "readOnlyHint": true},
		"_meta":       told(name + "-meta"), "icons": []any{anyMap{"src": "https://deploy:" + leakInURL + "@db.example/icon.png"}},
		"outputSchema": anyMap{"type": "object", "properties": anyMap{"password": anyMap{"type": "string", "const": leakPassword, "description": toldText(name + "-output")}}},
		"inputSchema": anyMap{"type": "object", "required": []any{"place"}, "additionalProperties": name == "wide", "properties": anyMap{
			"place": anyMap{"type": "string", "description": toldText(name + "-argument"), "examples": []any{toldText(name + "-example")}},
			"with":  anyMap{"type": "object", "default": told(name + "-default"), "properties": anyMap{"password": anyMap{"type": "string", "default": leakPassword}}},
		}},
	}
}

func (l *leaker) call(m leakAsk) {
	place := m.Params.Arguments.Place
	text := func(s string) anyMap { return anyMap{"content": []any{anyMap{"type": "text", "text": s}}} }
	switch place {
	case "structured":
		out := text("see structuredContent")
		out["structuredContent"] = anyMap{"rows": []any{told(place)}}
		l.say(m.ID, "result", out)
	case "embedded":
		l.say(m.ID, "result", anyMap{"content": []any{
			anyMap{"type": "resource", "resource": anyMap{"uri": "leak://embedded", "text": toldText(place)}},
			anyMap{"type": "resource_link", "uri": "https://deploy:" + leakInURL + "@db.example/mark-link", "name": "link", "description": toldText("link-description")},
			anyMap{"type": "resource", "resource": anyMap{"uri": "leak://b", "blob": base64.StdEncoding.EncodeToString([]byte(toldText("embedded-blob")))}},
		}})
	case "meta":
		out := text("see _meta")
		out["_meta"] = told(place)
		l.say(m.ID, "result", out)
	case "failed":
		out := text(toldText(place))
		out["isError"] = true
		l.say(m.ID, "result", out)
	case "error":
		l.say(m.ID, "error", anyMap{"code": -32000, "message": toldText(place), "data": told("error-data")})
	case "progress":
		l.note("notifications/progress", anyMap{"progressToken": m.Params.Meta.ProgressToken, "progress": 1, "message": toldText(place)})
		l.say(m.ID, "result", text("done"))
	case "log":
		l.note("notifications/message", anyMap{"level": "error", "logger": "leaky", "data": told(place)})
		l.note("notifications/message", anyMap{"level": "error", "data": toldText("log-text")})
		l.say(m.ID, "result", text("done"))
	case "elicit":
		l.ask("elicitation/create", anyMap{"message": toldText(place), "requestedSchema": anyMap{"type": "object", "properties": anyMap{
			"password": anyMap{"type": "string", "description": toldText("elicit-schema"), "default": leakPassword}}}})
		l.say(m.ID, "result", text("done"))
	case "sample":
		l.ask("sampling/createMessage", anyMap{"maxTokens": 9, "systemPrompt": toldText("system"), "messages": []any{
			anyMap{"role": "user", "content": anyMap{"type": "text", "text": toldText(place)}}}})
		l.say(m.ID, "result", text("done"))
	case "page":
		l.say(m.ID, "result", text(strings.Repeat("A line that fills the first page.\n", 400)+toldText(place)))
	case "rows":
		rows := make([]any, 120)
		for i := range rows {
			rows[i] = anyMap{"id": i, "note": "a row that fills the first page"}
		}
		all := anyMap{"rows": append(rows, told(place))}
		out := text(object(all))
		out["structuredContent"] = all
		l.say(m.ID, "result", out)
	case "exit":
		fmt.Fprintln(os.Stderr, toldText("last-words"))
		os.Exit(3)
	default:
		l.say(m.ID, "result", text(toldText(place)))
	}
}
