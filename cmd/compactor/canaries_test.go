package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// canary is a secret that is said once, in one shape.
type canary struct {
	kind, shape string
	text        string   // as it is said, with what shows that it is one
	bare        []string // what must be found nowhere
}

const (
	base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hex    = "0123456789abcdef"
)

// drawn is n characters of an alphabet that a name stands for, always the same.
func drawn(name, from string, n int) string {
	out := make([]byte, 0, n)
	for i := 0; len(out) < n; i++ {
		for _, b := range sha256.Sum256([]byte(fmt.Sprint(name, i))) {
			out = append(out, from[int(b)%len(from)])
		}
	}
	return string(out[:n])
}

// canariesIn are secrets of every kind for one shape.
func canariesIn(shape string) (out []canary) {
	add := func(kind, text string, bare ...string) {
		if bare == nil {
			bare = []string{text}
		}
		out = append(out, canary{kind, shape, text, bare})
	}
	some := func(kind, from string, n int) string { return drawn(shape+" "+kind, from, n) }
	add("github", "ghp_"+some("github", base62, 36))
	add("aws", "AKIA"+some("aws", base32, 16))
	add("slack", "xoxb-"+some("slack1", hex[:10], 12)+"-"+some("slack2", hex[:10], 13)+"-"+some("slack", base62, 24))
	add("stripe", "sk_live_"+some("stripe", base62, 24))
	add("gitlab", "glpat-"+some("gitlab", base62, 20))
	add("npm", "npm_"+some("npm", base62, 36))
	add("google", "AIzaSy"+some("google", base62, 33))
	add("jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."+strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(`{"sub":"`+some("jwt", base62, 12)+`"}`)), "=")+"."+some("jwt sign", base62, 43))
	password := some("url", base62, 14)
	add("url", "postgres://admin:"+password+"@db.internal/prod", password)
	bearer := some("bearer", hex, 40)
	add("bearer", "Authorization: Bearer "+bearer, bearer)
	password = "Tr0" + some("password", base62, 9) + "&3x"
	add("password", "password="+password, password)
	key := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte(some("key", base62+"+/", 600))}))
	lines := strings.Split(strings.TrimSpace(key), "\n")
	add("key", key, lines[1:len(lines)-1]...)
	return out
}

const canaryLine = "2026-11-02T10:00:00Z INFO worker-3 took job 17 of queue mail\n"

// shapesOfResults are how a result says its canaries, by name.
var shapesOfResults = map[string]func(list []canary) scripted{
	"lines": func(list []canary) scripted { return result(texts(among(list, 40, "\n"))) },
	"words": func(list []canary) scripted { return result(texts(among(list, 3, " and "))) },
	"error lines": func(list []canary) scripted {
		return result(texts(prefixed(list, "ERROR login failed with ", " at auth.go:17")))
	},
	"over pages": func(list []canary) scripted { return result(texts(among(list, 700, "\n"))) },
	"in one line": func(list []canary) scripted {
		return result(texts(strings.ReplaceAll(among(list, 300, " "), "\n", " ")))
	},
	"binary": func(list []canary) scripted {
		return result(texts(strings.ReplaceAll(among(list, 20, " "), "INFO", "\x00\x01\u00ff\ufffd")))
	},
	"JSON in a text": func(list []canary) scripted { return result(texts(object(anyMap{"rows": rowsOf(list)}))) },
	"JSON in JSON": func(list []canary) scripted {
		return result(texts(object(anyMap{"log": object(anyMap{"rows": rowsOf(list)})})))
	},
	"escaped JSON": func(list []canary) scripted { return result(texts(escaped(object(anyMap{"rows": rowsOf(list)})))) },
	"a table": func(list []canary) scripted {
		return result(texts("id,value\n" + strings.Repeat("17,queue\n", 400) + prefixed(list, "18,", "")))
	},
	"Markdown": func(list []canary) scripted {
		return result(texts("# Setup\n\n```\n" + prefixed(list, "export KEY=", "") + "```\n" + filler(300)))
	},
	"a diff": func(list []canary) scripted {
		return result(texts("--- a/x.env\n+++ b/x.env\n@@ -1,3 +1,9 @@\n" + prefixed(list, "+KEY=", "") + filler(300)))
	},
	"structured": func(list []canary) scripted {
		return result(anyMap{"content": []any{textBlock(filler(300))}, "structuredContent": anyMap{"rows": rowsOf(list)}})
	},
	"field names": func(list []canary) scripted {
		fields := anyMap{"lines": strings.Split(filler(200), "\n")}
		for _, c := range list {
			fields[c.text] = "x"
		}
		return result(anyMap{"content": []any{textBlock(filler(300))}, "structuredContent": fields})
	},
	"items": func(list []canary) scripted {
		return result(blocks(list, func(c canary) []any { return []any{textBlock(c.text)} }))
	},
	"split": func(list []canary) scripted { return result(blocks(list, halves)) },
	"resources": func(list []canary) scripted {
		return result(blocks(list, func(c canary) []any {
			return []any{anyMap{"type": "resource", "resource": anyMap{"uri": "x://y", "text": c.text}}}
		}))
	},
	"links": func(list []canary) scripted {
		return result(blocks(list, func(c canary) []any {
			return []any{anyMap{"type": "resource_link", "name": c.text, "description": "see " + c.text, "uri": "https://h.example/?token=" + url.QueryEscape(c.text)}}
		}))
	},
	"blobs": func(list []canary) scripted {
		return result(blocks(list, func(c canary) []any {
			return []any{anyMap{"type": "resource", "resource": anyMap{"uri": "x://y", "blob": in64("note " + c.text + " end")}}, anyMap{"type": "image", "mimeType": "image/png", "data": in64("note " + c.text + " end")}}
		}))
	},
	"base64": func(list []canary) scripted {
		return result(texts(filler(300) + mapped(list, func(c canary) string { return "payload " + in64("note "+c.text+" end") + "\n" })))
	},
	"data URLs": func(list []canary) scripted {
		return result(texts(filler(300) + mapped(list, func(c canary) string { return "data:text/plain;base64," + in64("note "+c.text+" end") + "\n" })))
	},
	"URL-encoded": func(list []canary) scripted {
		return result(texts(filler(300) + mapped(list, func(c canary) string { return "GET /cb?state=" + url.QueryEscape(c.text) + " 200\n" })))
	},
	"_meta": func(list []canary) scripted {
		return result(anyMap{"content": []any{textBlock(filler(300))}, "_meta": anyMap{"trace": rowsOf(list)}})
	},
	"annotations": func(list []canary) scripted {
		return result(anyMap{"content": []any{anyMap{"type": "text", "text": filler(300), "annotations": anyMap{"audience": rowsOf(list)}}}})
	},
	"an error": func(list []canary) scripted {
		r := texts(filler(100) + prefixed(list, "fatal: ", "") + filler(200))
		r["isError"] = true
		return result(r)
	},
	"an error of the protocol": func(list []canary) scripted {
		return scripted{Error: json.RawMessage(object(anyMap{"code": -32000, "message": prefixed(list, "no: ", ""), "data": rowsOf(list)}))}
	},
	"notes": func(list []canary) scripted {
		out := result(texts(filler(300)))
		for _, c := range list {
			out.Notes = append(out.Notes, json.RawMessage(object(anyMap{"jsonrpc": "2.0", "method": "notifications/message", "params": anyMap{"level": "error", "data": anyMap{"text": c.text, "list": []any{c.text}}}})),
				json.RawMessage(object(anyMap{"jsonrpc": "2.0", "method": "notifications/progress", "params": anyMap{"progressToken": "p", "progress": 1, "message": "at " + c.text}})))
		}
		return out
	},
	"standard error": func(list []canary) scripted {
		out := result(texts(filler(300)))
		out.Stderr = prefixed(list, "said: ", "")
		return out
	},
	"two writes to standard error": func(list []canary) scripted {
		out := result(texts(filler(300)))
		for _, c := range list {
			at := len(c.text)/2 + 3
			out.Writes = append(out.Writes, "said: "+c.text[:at], c.text[at:]+"\n")
		}
		return out
	},
}

func result(v any) scripted        { return scripted{Result: json.RawMessage(object(v))} }
func textBlock(text string) anyMap { return anyMap{"type": "text", "text": text} }
func texts(text string) anyMap     { return anyMap{"content": []any{textBlock(text)}} }
func filler(n int) string          { return strings.Repeat(canaryLine, n) }
func in64(text string) string      { return base64.StdEncoding.EncodeToString([]byte(text)) }
func among(list []canary, n int, between string) string {
	return filler(n) + mapped(list, func(c canary) string { return c.text + between + filler(n) })
}

func prefixed(list []canary, before, behind string) string {
	return mapped(list, func(c canary) string { return before + c.text + behind + "\n" })
}

func mapped(list []canary, fn func(canary) string) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(fn(c))
	}
	return b.String()
}

func rowsOf(list []canary) (rows []any) {
	for i := range 120 {
		rows = append(rows, anyMap{"id": fmt.Sprint("ORD-", i), "state": "open", "note": list[i%len(list)].text})
	}
	return rows
}

// escaped is JSON with every letter and digit of its texts as an escape.
func escaped(text string) string {
	return regexp.MustCompile(`"[^"]*"`).ReplaceAllStringFunc(text, func(s string) string {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if c := s[i]; c == '\\' && i+1 < len(s) {
				b.WriteString(s[i : i+2])
				i++
			} else if strings.IndexByte(base62, c) >= 0 {
				fmt.Fprintf(&b, `\u%04x`, c)
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	})
}

func blocks(list []canary, fn func(canary) []any) anyMap {
	content := []any{textBlock(filler(300))}
	for _, c := range list {
		content = append(content, fn(c)...)
		content = append(content, textBlock("\n"+filler(3)))
	}
	return anyMap{"content": content}
}

// halves is a canary over two texts of a result.
func halves(c canary) []any {
	at := len(c.text)/2 + 3
	return []any{textBlock("it is " + c.text[:at]), textBlock(c.text[at:] + "\n")}
}

// ofHalves are the parts that must be found nowhere of a canary that was split.
func ofHalves(c canary) []string {
	at := len(c.text)/2 + 3
	var out []string
	for _, b := range c.bare {
		i := strings.Index(c.text, b)
		if i >= at || i+len(b) <= at {
			out = append(out, b)
			continue
		}
		for _, part := range []string{c.text[i:at], c.text[at : i+len(b)]} {
			if len(part) >= 8 {
				out = append(out, part)
			}
		}
	}
	return out
}

var (
	escapeU = regexp.MustCompile(`\\+u00([0-9a-fA-F]{2})`)
	runs64  = regexp.MustCompile(`[A-Za-z0-9+/_-]{24,}={0,2}`)
)

// seenThrough is a text with what a reader could undo: escapes of JSON, of addresses
// and of pages, and base64.
func seenThrough(text string) string {
	plain := escapeU.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseUint(s[len(s)-2:], 16, 8)
		return string(rune(n))
	})
	plain = strings.ReplaceAll(plain, `\`, "")
	out := []string{text, plain, html.UnescapeString(plain)}
	if un, err := url.PathUnescape(strings.ReplaceAll(plain, "%", "%25")); err == nil {
		out = append(out, un)
	}
	out = append(out, regexp.MustCompile(`%[0-9A-Fa-f]{2}`).ReplaceAllStringFunc(plain, func(s string) string {
		n, _ := strconv.ParseUint(s[1:], 16, 8)
		return string(rune(n))
	}))
	for _, run := range runs64.FindAllString(plain, -1) {
		for cut := range 4 {
			word := strings.TrimRight(run[min(cut, len(run)):], "=")
			for _, code := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				if data, err := code.DecodeString(word[:len(word)/4*4]); err == nil {
					out = append(out, string(data))
				}
			}
		}
	}
	return strings.Join(out, "\n")
}

// receivers keep what a model and a collector of traces are sent.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	got  bytes.Buffer
	says http.HandlerFunc
	n    int
}

func newReceiver(t *testing.T, says http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{says: says}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodPost {
			r.mu.Lock()
			_, _ = r.got.ReadFrom(req.Body)
			r.n++
			r.mu.Unlock()
		}
		r.says(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() (string, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got.String(), r.n
}

// aSummary is a model that says a sentence of any result.
func aSummary(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model","meta":{"n_ctx":8192}}]}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := object(anyMap{"model": "tiny", "choices": []any{anyMap{"index": 0, "delta": anyMap{"role": "assistant", "content": object(anyMap{"summary": "Worker-3 took job 17."})}}}})
	fmt.Fprintf(w, "data: %s\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", chunk)
}

// webClient is an MCP client over HTTP that keeps all that it is sent.
type webClient struct {
	t       *testing.T
	at      string
	pid     int // of the serve
	session string
	got     bytes.Buffer
	letIn   func() *http.Client // a browser that is in the dashboard
}

// get asks for a page, as a browser for those of the dashboard.
func (c *webClient) get(ctx context.Context, path string) *http.Response {
	c.t.Helper()
	client := http.DefaultClient
	if strings.HasPrefix(path, "/dashboard/") {
		client = c.letIn()
	}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, c.at+path, nil)
	res, err := client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return res
}

func (c *webClient) ask(method, params string) string {
	c.t.Helper()
	req, _ := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.at+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
		req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		c.t.Fatalf("%s: %d %v %.500s", method, res.StatusCode, err, body)
	}
	if c.session == "" {
		c.session = res.Header.Get("Mcp-Session-Id")
	}
	c.got.Write(body)
	return string(body)
}

func (c *webClient) page(path string) string {
	c.t.Helper()
	res := c.get(c.t.Context(), path)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(body)
}

// awaitTool waits until a tool is listed.
func (c *webClient) awaitTool(name string) {
	c.t.Helper()
	var list string
	clocktest.Until(c.t, name+" is listed", func() bool {
		list = c.ask("tools/list", `{}`)
		return strings.Contains(list, name)
	}, func() any { return list })
}

// stream keeps what a page that is kept fresh is sent until the context ends.
func (c *webClient) stream(ctx context.Context, path string) *tape {
	c.t.Helper()
	got := &tape{}
	res := c.get(ctx, path)
	go func() {
		defer res.Body.Close()
		buf := make([]byte, 4<<10)
		for {
			n, err := res.Body.Read(buf)
			got.add(buf[:n])
			if err != nil { // it ends with the context
				return
			}
		}
	}()
	return got
}

var linksOfPage = regexp.MustCompile(`href="(/dashboard/[^"#]*)`)

// pages are all that the dashboard shows, from the first page on by every link.
func (c *webClient) pages(most int) (all string, n int) {
	seen, next := map[string]bool{}, []string{"/dashboard/", "/dashboard/tools", "/dashboard/configuration"}
	const maxViews = 40
	views := 0
	var b strings.Builder
	for len(next) > 0 && n < most {
		at := next[0]
		next = next[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		n++
		text := c.page(at)
		fmt.Fprintf(&b, "\n== %s\n%s", at, text)
		for _, m := range linksOfPage.FindAllStringSubmatch(text, -1) {
			link := html.UnescapeString(m[1])
			if strings.Contains(link, "?") && !seen[link] {
				if views++; views > maxViews { // of one session, each with another call open
					continue
				}
			}
			next = append(next, link)
		}
	}
	return b.String(), n
}

// No secret that an upstream server says, in whatever shape, or that a client gives
// to one, is anywhere behind compactor.
func TestCanariesAreNowhere(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	model := newReceiver(t, aSummary)
	traces := newReceiver(t, func(http.ResponseWriter, *http.Request) {})
	says, all := map[string]scripted{}, []canary{}
	for shape, put := range shapesOfResults {
		list := canariesIn(shape)
		says[shape] = put(list)
		for i, c := range list {
			if shape == "split" {
				list[i].bare = ofHalves(c)
			}
		}
		all = append(all, list...)
	}
	given := canariesIn("given")
	all = append(all, given...)
	if len(all) < 150 {
		t.Fatalf("only %d canaries", len(all))
	}
	script := filepath.Join(t.TempDir(), "says.json")
	if err := os.WriteFile(script, []byte(object(says)), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, binary := frontDir(t, fmt.Sprintf(`
log: {level: "debug", format: "json", file: "events.jsonl"}
gateway: {surface: "both", result: 1000}
tracing: endpoint: %q
servers: leaky: {command: "canaryserver", env: CANARIES: %q, summarization: {size_threshold_tokens: 200, summary_max_token_limit: 600}}
models: default: {provider: "openai", url: %q}
`, traces.URL, script, model.URL+"/v1"))
	client, errs, end := serveWeb(t, dir, binary)
	ids := callAll(t, client, says, given)
	for _, id := range ids {
		for _, more := range []string{``, `,"page":2`, `,"page":3`, `,"range":"lines 1-60"`, `,"range":"last 40"`, `,"query":"login KEY token value note fatal payload"`, `,"path":"content[0].text"`, `,"path":"structuredContent"`, `,"path":"$..note"`} {
			client.ask("tools/call", `{"name":"fetch_result","arguments":{"id":"`+id+`"`+more+`}}`)
		}
	}
	if len(ids) < len(says)-1 {
		t.Errorf("only %d results were made short", len(ids))
	}
	places := map[string]string{}
	live, stop := context.WithCancel(t.Context())
	defer stop()
	stream := client.stream(live, "/dashboard/live")
	changes := func() int { return strings.Count(stream.String(), "event: change") }
	clocktest.Until(t, "a live page is begun", func() bool { return changes() > 0 })
	begun := changes()
	client.ask("tools/call", `{"name":"leaky__read","arguments":{"what":"lines"}}`)
	clocktest.Until(t, "a live page hears of a call", func() bool { return changes() > begun }, func() any { return stream })
	stop()
	places["the live pages"] = stream.String()
	pages, visited := client.pages(600)
	places["the dashboard"], places["the metrics"] = pages, client.page("/metrics")
	places["the servers' own words"] = runBeside(t, dir, binary, "servers", "logs", "leaky")
	places["files while it runs"] = filesBelow(t, dir)
	end()
	places["files once it ended"] = filesBelow(t, dir)
	places["standard error"] = errs.String()
	places["what the client was sent"] = client.got.String()
	var asked, sent int
	places["the prompts"], asked = model.all()
	places["the traces"], sent = traces.all()
	if visited < 40 || asked < len(ids)/2 || sent == 0 {
		t.Errorf("%d pages, %d prompts, %d traces", visited, asked, sent)
	}
	for _, kind := range []string{".json\n", "?span=", "/results/", "tools\n", "configuration\n"} {
		if !regexp.MustCompile(`(?m)^== /dashboard/.*` + regexp.QuoteMeta(kind)).MatchString(pages) {
			t.Errorf("no page like %q was looked at", kind)
		}
	}
	for place, mark := range map[string]string{"the dashboard": "[REDACTED:", "the live pages": "event:", "the metrics": "compactor_", "the servers' own words": "said: ", "files while it runs": "-timeline.db", "files once it ended": `"kind":"upstream"`,
		"what the client was sent": "[REDACTED:", "the prompts": "[REDACTED:", "the traces": "leaky"} {
		if !strings.Contains(places[place], mark) {
			t.Errorf("%s: %s is not there: %.300s", place, mark, places[place])
		}
	}
	find := finder(all)
	for place, text := range places {
		for _, leak := range find(seenThrough(text)) {
			t.Errorf("%s: %s", place, leak)
		}
	}
	t.Logf("%d canaries, %d results, %d pages, %d prompts, %d batches of traces", len(all), len(ids), visited, asked, sent)
}

// headBytes are what every part of a canary that is looked for has at least.
const headBytes = 8

// finder looks for canaries in a text, for all of them in one go.
func finder(list []canary) func(text string) (leaks []string) {
	type part struct {
		of   canary
		text string
	}
	heads := map[string][]part{}
	for _, c := range list {
		for _, bare := range c.bare {
			heads[bare[:headBytes]] = append(heads[bare[:headBytes]], part{c, bare})
		}
	}
	return func(text string) (leaks []string) {
		for i := 0; i+headBytes <= len(text); i++ {
			for _, p := range heads[text[i:i+headBytes]] {
				if strings.HasPrefix(text[i:], p.text) && len(leaks) < 20 {
					leaks = append(leaks, fmt.Sprintf("%s said as %s: …%q", p.of.kind, p.of.shape, text[max(0, i-80):min(len(text), i+len(p.text)+20)]))
				}
			}
		}
		return leaks
	}
}

var keptAs = regexp.MustCompile(`"_summarized":\{[^}]*"id":"([a-z2-7]+)"`)

// callAll has the server say everything, and gives the ids of what was made short.
func callAll(t *testing.T, client *webClient, says map[string]scripted, given []canary) (ids []string) {
	t.Helper()
	client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"canaries","version":"1"}}`)
	client.ask("logging/setLevel", `{"level":"debug"}`)
	client.awaitTool("leaky__read")
	calls := 0
	call := func(what string, args anyMap) {
		params := anyMap{"name": "leaky__read", "arguments": args, "_meta": anyMap{"progressToken": "p"}}
		if calls++; calls%2 == 0 || says[what].Error != nil && client.ask("tools/call", object(params)) != "" {
			params = anyMap{"name": "execute_tool", "arguments": anyMap{"tool": "leaky__read", "arguments": args}}
		}
		if m := keptAs.FindStringSubmatch(client.ask("tools/call", object(params))); m != nil {
			ids = append(ids, m[1])
		} else if says[what].Error == nil {
			t.Errorf("%s was not made short", what)
		}
	}
	client.ask("tools/call", object(anyMap{"name": "research_codebase", "arguments": anyMap{"question": "where is the queue? " + prefixed(given, "with ", "")}}))
	for _, c := range given {
		call("given", anyMap{"what": "given", "text": c.text})
	}
	for _, shape := range sortedKeys(says) {
		call(shape, anyMap{"what": shape})
	}
	return ids
}

func sortedKeys[V any](m map[string]V) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// serveWeb is a serve over HTTP, its client, what it says on standard error once end
// has ended it.
func serveWeb(t *testing.T, dir, binary string, env ...string) (client *webClient, errs *tape, end func()) {
	t.Helper()
	errs = &tape{}
	cmd := exec.Command(binary, "serve", "--transport", "http", "--listen", "127.0.0.1:0")
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), frontEnv(dir)...), env...)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	at := make(chan string, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 64<<10)
		for {
			n, err := said.Read(buf)
			errs.add(buf[:n])
			if m := listensAt.FindStringSubmatch(errs.String()); m != nil {
				select {
				case at <- m[1]:
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	ended := false
	end = func() {
		if !ended {
			ended = true
			_ = cmd.Process.Signal(os.Interrupt)
			<-read
			_ = cmd.Wait()
		}
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		end()
	})
	select {
	case base := <-at:
		return &webClient{t: t, at: "http://" + base, pid: cmd.Process.Pid, letIn: sync.OnceValue(func() *http.Client {
			browser, _ := letIn(t, binary, cmd.Env)
			return browser
		})}, errs, end
	case <-time.After(patience):
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		<-read
		t.Fatalf("it does not listen: %s", errs)
	}
	return nil, nil, nil
}

var listensAt = regexp.MustCompile(`listening on (127\.0\.0\.1:\d+)`)

// runBeside runs a command beside a serve of the same directory.
func runBeside(t *testing.T, dir, binary string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}
