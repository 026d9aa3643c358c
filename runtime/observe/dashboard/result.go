package dashboard

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// pageBytes is the part of an original that one page shows.
const pageBytes = 64 << 10

// resultBody has a summary and the original.
type resultBody struct {
	Session     string // address
	ID          string
	Server      string
	Tool        string
	By          string
	At          time.Time
	Original    int
	Given       int
	Summary     string
	SummaryLeft int
	Text        string
	From, To    int // range of the original that is shown, in bytes
	Size        int
	Earlier     string
	Later       string
}

func (d *dash) serveResult(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("result")
	session := Path + "sessions/" + url.PathEscape(r.PathValue("id"))
	kept, ok := d.opt.Source.Kept(id)
	if !ok {
		d.sendProblem(w, http.StatusNotFound, "The original "+d.safeLine(id, 40)+" is not kept any more.",
			"Originals are kept in memory for a while, by the server that made them: gateway.result_time and gateway.result_memory say how long and how many.")
		return
	}
	text := d.opt.Source.Mask(contentText(kept.Original))
	b := resultBody{Session: session, ID: cutText(id, 80), Server: d.safeLine(kept.Server, 60), Tool: d.safeLine(kept.Tool, shortText), By: d.safeLine(kept.By, 60),
		At: kept.At, Original: kept.OriginalTokens, Given: kept.SummaryTokens, Size: len(text)}
	if len(kept.Summary) > 0 {
		b.Summary, b.SummaryLeft = block(d.opt.Source.Mask(contentText(kept.Summary)), pageBytes)
	}
	b.From = pageStart(text, r.FormValue("from"))
	b.To = pageEnd(text, b.From)
	b.Text, _ = block(text[b.From:b.To], pageBytes)
	here := session + "/results/" + url.PathEscape(id)
	if b.From > 0 {
		b.Earlier = address(here, "from", strconv.Itoa(max(b.From-pageBytes, 0)))
	}
	if b.To < len(text) {
		b.Later = address(here, "from", strconv.Itoa(b.To))
	}
	d.sendPage(w, http.StatusOK, "result", page{Title: "Result of " + first(b.Tool, "a call"), At: "sessions", Body: b})
}

// pageStart returns where a page of a text begins, at a character boundary.
func pageStart(text, from string) int {
	n, err := strconv.Atoi(from)
	if err != nil || n <= 0 || n >= len(text) {
		return 0
	}
	return runeStart(text, n)
}

// pageEnd returns where the page that begins at from ends: after a line, if one ends nearby.
func pageEnd(text string, from int) int {
	n := from + pageBytes
	if n >= len(text) {
		return len(text)
	}
	if at := strings.LastIndexByte(text[:n], '\n'); at >= from && n-at < 4096 {
		return at + 1
	}
	return runeStart(text, n)
}

// runeStart returns the beginning of the character at a byte.
func runeStart(text string, n int) int {
	for at := n; at > 0 && n-at < utf8.UTFMax; at-- {
		if utf8.RuneStart(text[at]) {
			return at
		}
	}
	return n // not valid text
}

// contentText returns the readable text of a tool's result: its texts, then the rest as JSON.
func contentText(raw json.RawMessage) string {
	var result struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
			MIME string `json:"mimeType"`
			URI  string `json:"uri"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(raw, &result); err != nil || result.Content == nil && result.Structured == nil {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text
		}
		return indentJSON(raw)
	}
	var parts []string
	for _, c := range result.Content {
		switch c.Type {
		case "text":
			parts = append(parts, c.Text)
		default:
			parts = append(parts, strings.TrimSpace("("+c.Type+" "+c.MIME+" "+c.URI)+")")
		}
	}
	if len(result.Structured) > 0 && string(result.Structured) != "null" {
		parts = append(parts, "structuredContent: "+indentJSON(result.Structured))
	}
	return strings.Join(parts, "\n")
}

// indentJSON indents JSON; it returns anything else unchanged.
func indentJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
