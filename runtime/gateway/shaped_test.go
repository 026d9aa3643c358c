package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Whatever a server has for content, clients get a list of blocks that they know, and what only structured content says
// stands in a text too.
func TestShaped(t *testing.T) {
	const schema = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`
	text := func(s string) string { return `{"type":"text","text":` + string(rawjson.Quote(s)) + `}` }
	for name, c := range map[string]struct{ raw, schema, want string }{
		"as it should be":              {`{"content":[` + text("a") + `,{"type":"image","data":"A","mimeType":"image/png"}],"x":1.0}`, "", ""},
		"nothing":                      {`{}`, "", `{"content":[]}`},
		"null":                         {`{"content":null,"_meta":{"a":1}}`, "", `{"content":[],"_meta":{"a":1}}`},
		"a text":                       {`{"content":"just text"}`, "", `{"content":[` + text("just text") + `]}`},
		"one block":                    {`{"content":{"type":"text","text":"hi"}}`, "", `{"content":[` + text("hi") + `]}`},
		"no text in a text":            {`{"content":[{"type":"text","text":null},{"type":"text","text":7},"b"]}`, "", `{"content":[` + text("") + `,` + text("7") + `,` + text("b") + `]}`},
		"an unknown block":             {`{"content":[{"type":"video","data":"z"},` + text("after") + `]}`, "", `{"content":[` + text(`{"type":"video","data":"z"}`) + `,` + text("after") + `]}`},
		"lacking members":              {`{"content":[{"type":"image","data":"A"},{"type":"resource_link","uri":"u"},{"type":"resource","resource":{"text":"t"}}]}`, "", `{"content":[{"type":"image","data":"A","mimeType":"application/octet-stream"},{"type":"resource_link","uri":"u","name":"u"},` + text(`{"type":"resource","resource":{"text":"t"}}`) + `]}`},
		"the old result":               {`{"toolResult":{"content":[` + text("old") + `]}}`, "", `{"content":[` + text("old") + `]}`},
		"the old result of a value":    {`{"toolResult":[1,2]}`, "", `{"content":[` + text("1") + `,` + text("2") + `]}`},
		"a question":                   {`{"resultType":"input_required","inputRequests":{}}`, "", ""},
		"structured alone":             {`{"content":[],"structuredContent":{"who":"Ana"}}`, "", `{"content":[` + text(`{"who":"Ana"}`) + `],"structuredContent":{"who":"Ana"}}`},
		"structured, blank text":       {`{"content":[` + text(" ") + `],"structuredContent":{"ok":true}}`, "", `{"content":[` + text(`{"ok":true}`) + `],"structuredContent":{"ok":true}}`},
		"structured, other text":       {`{"content":[` + text("1 account") + `],"structuredContent":{"who":"Ana","mail":"a@b"}}`, "", `{"content":[` + text("1 account") + `,` + text(`{"who":"Ana","mail":"a@b"}`) + `],"structuredContent":{"who":"Ana","mail":"a@b"}}`},
		"structured, same as JSON":     {`{"content":[` + text(`{"mail": "a\n@b", "n": 1.5}`) + `],"structuredContent":{"n":1.5,"mail":"a\n@b"}}`, "", ""},
		"structured, same in words":    {`{"content":[` + text("Ana has 17 mails at a@b") + `],"structuredContent":{"who":"Ana","n":17,"mail":"a@b","ok":true}}`, "", ""},
		"structured, same picture":     {`{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"structuredContent":{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}}`, "", ""},
		"structured, beside a picture": {`{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"structuredContent":{"who":"Ana","mail":"a@b"}}`, "", `{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},` + text(`{"who":"Ana","mail":"a@b"}`) + `],"structuredContent":{"who":"Ana","mail":"a@b"}}`},
		"structured of nothing":        {`{"content":[],"structuredContent":{}}`, "", ""},
		"an error in another form":     {`{"isError":true,"content":[` + text("branch not found") + `],"structuredContent":{"code":404}}`, schema, `{"isError":true,"content":[` + text("branch not found") + `,` + text(`{"code":404}`) + `]}`},
		"an error without a schema":    {`{"isError":true,"content":[` + text("code 404") + `],"structuredContent":{"code":404}}`, "", ""},
	} {
		if c.want == "" {
			c.want = c.raw
		}
		if got := string(shapeResult(json.RawMessage(c.raw), json.RawMessage(c.schema))); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

// Structured data over the limit is paged, and read to its end by the id.
func TestStructuredDataOverTheLimitIsPaged(t *testing.T) {
	w := newWorld(t, map[string]string{"a": `{"name":"say","inputSchema":{"type":"object"}},` + lake})
	w.cfg.Gateway.Results.Tokens = 800
	w.Configure(w.cfg)
	w.names()
	var rows []string
	for i := range 300 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"mail":"user%d@example.com"}`, i, i))
	}
	data := `{"accounts":[` + strings.Join(rows, ",") + `]}`
	for _, content := range []string{`"content":[],`, `"content":[{"type":"text","text":""}],`, `"content":[{"type":"text","text":"300 accounts listed"}],`, ``} {
		caller := w.For(Caller{Bounded: true})
		res, err := caller.Execute(t.Context(), "a__say", "", json.RawMessage(`{"result":{`+content+`"structuredContent":`+data+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		var r struct{ Content []struct{ Text string } }
		if json.Unmarshal(res.Raw, &r) != nil || len(r.Content) == 0 || !strings.Contains(string(res.Raw), "user1@example.com") {
			t.Errorf("%q: %.300s", content, res.Raw)
		}
	}
}
