package service_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// summarized is what a result says of how it was made short.
type summarized struct {
	Content []struct{ Text string }
	Meta    struct {
		Summarized *summaryOf `json:"_summarized"`
	} `json:"_meta"`
	Summarized        *summaryOf `json:"_summarized"`
	StructuredContent json.RawMessage
	IsError           bool
}

type summaryOf struct {
	Original  int    `json:"original_tokens"`
	Threshold int    `json:"threshold"`
	Tokens    int    `json:"summary_tokens"`
	At        string `json:"summarized_at"`
	By        string `json:"by"`
	ID        string `json:"id"`
}

func readSummarized(t *testing.T, raw json.RawMessage) (s summarized) {
	t.Helper()
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

var readRest = regexp.MustCompile(`fetch_result (\{.*\})\]$`)

// A long result of a server that says so comes as a summary, by the five tools and
// by its own name, and all of it can be read.
func TestLongResultsAreMadeShort(t *testing.T) {
	for _, c := range []struct{ surface, call string }{
		{"discovery", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":2000}}}`},
		{"proxy", `{"name":"logs__read","arguments":{"lines":2000}}`},
	} {
		t.Run(c.surface, func(t *testing.T) {
			svc := readerOf(t).behind(t, `gateway: surface: "`+c.surface+`"
servers: logs: summarization: summary_max_token_limit: 300`)
			client := newFace(t, svc)
			got := readSummarized(t, client.ask("tools/call", c.call))
			if got.Summarized == nil || got.Meta.Summarized == nil || *got.Summarized != *got.Meta.Summarized {
				t.Fatalf("%+v", got)
			}
			s, text := got.Summarized, got.Content[0].Text
			if n := tokens.Count(text); len(got.Content) != 1 || n > 300 || n != s.Tokens || s.Threshold != 2000 || s.Original < 16_000 || s.By != "structure" || s.At == "" {
				t.Errorf("%d tokens, %+v", n, s)
			}
			if !strings.Contains(text, "1999 is a line of a long result") || !strings.Contains(text, " like it]") {
				t.Errorf("%s", text)
			}
			call := readRest.FindStringSubmatch(text)
			if call == nil || !strings.Contains(call[1], s.ID) {
				t.Fatalf("no way to the rest: %s", text)
			}
			rest := texts(t, client.ask("tools/call", `{"name":"fetch_result","arguments":`+strings.Replace(call[1], "…", "1777", 1)+`}`))
			if !strings.Contains(rest[0], "1777 is a line") {
				t.Errorf("%q", rest)
			}
		})
	}
}

// What is not to be made short passes byte for byte.
func TestOtherResultsPassAsTheyAre(t *testing.T) {
	const call = `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":200}}}`
	want := string(newFace(t, readerOf(t).behind(t, "")).ask("tools/call", call))
	for name, extra := range map[string]string{
		"under the threshold":           `servers: logs: summarization: size_threshold_tokens: 3000`,
		"not enabled":                   `servers: logs: summarization: {enabled: false, size_threshold_tokens: 100}`,
		"another tool":                  `servers: logs: tools: other: summarization: size_threshold_tokens: 100`,
		"the tool is left out":          `servers: logs: {summarization: size_threshold_tokens: 100, tools: read: summarization: enabled: false}`,
		"the tool has another":          `servers: logs: {summarization: size_threshold_tokens: 100, tools: read: summarization: size_threshold_tokens: 5000}`,
		"the configuration has no hook": `servers: logs: summarization: size_threshold_tokens: 100` + "\n" + `hooks: tool_result: when: "false"`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(newFace(t, readerOf(t).behind(t, extra)).ask("tools/call", call)); got != want {
				t.Errorf("%.300s", got)
			}
		})
	}
}

// One tool can be named where its server is not.
func TestOneToolIsMadeShort(t *testing.T) {
	svc := readerOf(t).behind(t, `servers: logs: tools: read: summarization: size_threshold_tokens: 500`)
	got := readSummarized(t, newFace(t, svc).ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":200}}}`))
	if got.Summarized == nil || got.Summarized.Threshold != 500 {
		t.Errorf("%+v", got)
	}
}

// An edit of the settings acts on the next call, and no program is started anew
// for it.
func TestAnEditOfSummarizationActs(t *testing.T) {
	f := readerOf(t)
	opt := options(t, f.config(""))
	svc := start(t, opt)
	svc.Gateway().DiscoverAll(t.Context())
	client := newFace(t, svc)
	const call = `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":400}}}`
	for _, c := range []struct {
		cue   string
		short bool
		most  int // tokens of the summary
	}{
		{"", false, 0},
		{"servers: logs: summarization: {}", true, 1000},
		{"servers: logs: summarization: size_threshold_tokens: 5000", false, 0},
		{"servers: logs: tools: read: summarization: {}", true, 1000},
		{"servers: logs: {summarization: {}, tools: read: summarization: summary_max_token_limit: 300}", true, 300},
		{"servers: logs: {summarization: {}, tools: read: summarization: enabled: false}", false, 0},
	} {
		write(t, opt.Dir, "package compactor\n"+c.cue)
		if _, err := svc.Reload(t.Context(), opt); err != nil {
			t.Fatal(err)
		}
		got := readSummarized(t, client.ask("tools/call", call)).Summarized
		if (got != nil) != c.short || got != nil && (got.Tokens > c.most || got.Tokens == 0) {
			t.Errorf("%q: %+v", c.cue, got)
		}
	}
}
