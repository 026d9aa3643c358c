package service_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// secrets are what no model, store or reader may see, by kind.
var secrets = map[string]string{
	"github":   "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
	"aws":      "AKIAQ3EGRVZ7N4XKDWPT",
	"slack":    "xoxb-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1",
	"stripe":   "sk_live_4eC39HqLyjWDarjtT1zdp7dcX9q2",
	"jwt":      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
	"url":      "postgres://admin:Zx9qLm2Wv8Kp@db.internal/prod",
	"bearer":   "Authorization: Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0ffee",
	"npm":      "npm_Zk3Lw8Qp5Rt7Yv2Nx4Bc6Md9Fg1Hj0Ks3LaP",
	"google":   "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
	"password": "password=Tr0ub4dor&3xyzQ",
}

// bare is what of a secret must not be seen anywhere.
func bare(kind, secret string) string {
	switch kind {
	case "url":
		return "Zx9qLm2Wv8Kp"
	case "bearer":
		return "9f8e7d6c5b4a39281706f5e4d3c2b1a0ffee"
	case "password":
		return "Tr0ub4dor&3xyzQ"
	}
	return secret
}

// shapes are the ways in which a secret stands in a long result; each gives the
// members of the result.
var shapes = map[string]func(secret, filler string) string{
	"first line": func(s, f string) string { return textResult(s + "\n" + f) },
	"last line":  func(s, f string) string { return textResult(f + "\n" + s) },
	"in an error line": func(s, f string) string {
		return textResult(f + "\nERROR login failed with " + s + " at auth.go:17\n" + f)
	},
	"in each line": func(s, f string) string { return textResult(strings.ReplaceAll(f, "queue mail", s)) },
	"a field of JSON in a text": func(s, f string) string {
		return textResult(jsonOf(map[string]any{"rows": strings.Split(f, "\n"), "config": map[string]string{"value": s}}))
	},
	"structured content": func(s, f string) string {
		return `"content":[{"type":"text","text":` + jsonOf(f) + `}],"structuredContent":` + jsonOf(map[string]any{"rows": strings.Split(f, "\n"), "note": s})
	},
	"a name of a member": func(s, f string) string {
		return `"content":[{"type":"text","text":` + jsonOf(f) + `}],"structuredContent":` + jsonOf(map[string]any{s: strings.Split(f, "\n")})
	},
	"a text of its own": func(s, f string) string {
		return `"content":[{"type":"text","text":` + jsonOf(f) + `},{"type":"text","text":` + jsonOf(s) + `}]`
	},
	"a resource": func(s, f string) string {
		return `"content":[{"type":"text","text":` + jsonOf(f) + `},{"type":"resource","resource":{"uri":"x://y","text":` + jsonOf(s) + `}}]`
	},
	"a resource's address": func(s, f string) string {
		return `"content":[{"type":"text","text":` + jsonOf(f) + `},{"type":"resource_link","name":"x","uri":` + jsonOf("https://h/?token="+s) + `}]`
	},
	"an error": func(s, f string) string { return `"isError":true,` + textResult(f+"\nfatal: "+s) },
	"a table": func(s, f string) string {
		return textResult("id\tvalue\n" + strings.Repeat("17\tqueue\n", 900) + "18\t" + s)
	},
	"Markdown":     func(s, f string) string { return textResult("# Setup\n\n```\nexport KEY=" + s + "\n```\n\n" + f) },
	"_meta":        func(s, f string) string { return textResult(f) + `,"_meta":{"trace":` + jsonOf(s) + `}` },
	"over an edge": func(s, f string) string { return textResult(f[:len(f)/2] + "\n" + s + "\n" + f[len(f)/2:]) },
	"base64 alone": func(s, f string) string {
		return textResult(f + "\npayload " + base64.StdEncoding.EncodeToString([]byte("note "+s+" end")))
	},
	"among binary": func(s, f string) string {
		return textResult(strings.Repeat("\x00\x01\u00ff", 4000) + " " + s + " " + f)
	},
	"a blob": func(s, f string) string {
		return `"content":[{"type":"text","text":` + jsonOf(f) + `},{"type":"resource","resource":{"uri":"x://y","blob":"` + base64.StdEncoding.EncodeToString([]byte("note "+s+" end")) + `"}}]`
	},
	"base64 URL": func(s, f string) string {
		return textResult(f + "\ndata:text/plain;base64," + base64.StdEncoding.EncodeToString([]byte("note "+s+" end")))
	},
}

func jsonOf(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func textResult(text string) string { return `"content":[{"type":"text","text":` + jsonOf(text) + `}]` }

// A secret of a server is seen by nobody: not in the summary, not by the model, not
// in what is kept, and not in what is read of that.
func TestSummariesHoldNoSecret(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	url, asked := says(t, "A worker took job 17.")
	filler := strings.Repeat("2026-11-02T10:00:00Z INFO worker-3 took job 17 of queue mail\n", 150)
	tried := 0
	f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"}}`})
	svc := f.behind(t, "servers: logs: summarization: {}\nmodels: default: {provider: \"openai\", url: \""+url+"/v1\"}")
	sub := svc.Events().Subscribe(100_000, event.Kinds()...)
	client := newFace(t, svc)
	for shape, put := range shapes {
		for kind, secret := range secrets {
			tried++
			f.gives = "{" + put(secret, filler) + "}"
			asked.Store("")
			raw := client.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read"}}`)
			got := readSummarized(t, raw)
			if got.Summarized == nil {
				t.Fatalf("%s, %s: %.300s", kind, shape, raw)
			}
			if asked.Load().(string) == "" {
				t.Errorf("%s, %s: no model was asked", kind, shape)
			}
			kept, _ := svc.Gateway().Shown(got.Summarized.ID)
			lines := client.ask("tools/call", `{"name":"fetch_result","arguments":{"id":"`+got.Summarized.ID+`","query":"login KEY token value note fatal"}}`)
			canary := bare(kind, secret)
			hidden := base64.StdEncoding.EncodeToString([]byte("note " + secret + " end"))
			for where, text := range map[string]string{"the reply": string(raw), "the model": asked.Load().(string), "what is kept": string(kept.Original) + string(kept.Summary), "what is read of it": string(lines)} {
				if strings.Contains(text, canary) || strings.Contains(text, hidden) {
					i := max(strings.Index(text, canary), strings.Index(text, hidden))
					t.Errorf("%s, %s: in %s: …%s", kind, shape, where, text[max(0, i-60):min(len(text), i+40)])
				}
			}
			if len(kept.Original) == 0 {
				t.Errorf("%s, %s: nothing is kept", kind, shape)
			}
		}
	}
	sub.Close()
	seen := 0
	for {
		e, ok := sub.Next(context.Background())
		if !ok {
			break
		}
		seen++
		said := fmt.Sprintf("%+v", e)
		for kind, secret := range secrets {
			if strings.Contains(said, bare(kind, secret)) {
				t.Errorf("%s: in an event: %s", kind, said)
			}
		}
	}
	if seen < tried {
		t.Errorf("%d events of %d calls", seen, tried)
	}
	if tried < 150 {
		t.Errorf("only %d canaries", tried)
	}
}
