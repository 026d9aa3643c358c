package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

type result struct {
	Content []struct {
		Type     string
		Text     string
		Data     string
		Resource struct{ URI, Text string }
	}
	StructuredContent json.RawMessage
	IsError           bool
}

func read(t *testing.T, raw json.RawMessage) result {
	t.Helper()
	var r result
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return r
}

func keeper() (*Keeper, *time.Time) {
	now := time.Unix(1_700_000_000, 0)
	k := NewKeeper(func() time.Time { return now })
	k.Bound(1<<20, 10*time.Minute)
	return k, &now
}

func textResult(text string) json.RawMessage {
	return json.RawMessage(`{"content":[{"type":"text","text":` + string(rawjson.Quote(text)) + `}],"isError":true}`)
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d commit of some work on the parser\n", i)
	}
	return b.String()
}

func TestAResultThatFitsPassesByteForByte(t *testing.T) {
	k, _ := keeper()
	for _, raw := range []string{`{"content":[]}`, `{ "content" : [ {"text":"a\u003cb","type":"text"} ], "x":1.0}`, string(textResult(lines(20))), `{"content":"?"}`, `[]`, `{`} {
		if got := must(k.Fit(t.Context(), json.RawMessage(raw), Bounds{Tokens: 400, More: "more"})); string(got) != raw {
			t.Errorf("%s became %s", raw, got)
		}
	}
	big := textResult(lines(2000))
	if got := must(k.Fit(t.Context(), big, Bounds{})); string(got) != string(big) {
		t.Error("a result was cut without a bound")
	}
}

func TestPagesAreTheWholeResult(t *testing.T) {
	k, _ := keeper()
	text := lines(700) + strings.Repeat("nolineend ", 3000) + strings.Repeat("長", 2000) + "\nend"
	b := Bounds{Session: "s", Tokens: 500, More: "fetch"}
	first := read(t, must(k.Fit(t.Context(), textResult(text), b)))
	if !first.IsError {
		t.Error("the first page of an error is none")
	}
	var id string
	var pages, got int
	var whole strings.Builder
	page := first
	for n := 1; ; n++ {
		used := 0
		for _, c := range page.Content {
			used += tokens.Count(c.Text)
		}
		if used > b.Tokens {
			t.Errorf("page %d has %d tokens of %d", n, used, b.Tokens)
		}
		last := len(page.Content) - 1
		for _, c := range page.Content[:last] {
			whole.WriteString(c.Text)
		}
		noted := page.Content[last].Text
		if _, err := fmt.Sscanf(noted, "[compactor: page %d of %d,", &got, &pages); err != nil || got != n {
			t.Fatalf("page %d is noted as %q", n, noted)
		}
		if n == pages {
			if strings.Contains(noted, "fetch") {
				t.Errorf("after the last page: %s", noted)
			}
			break
		}
		_, args, _ := strings.Cut(strings.TrimSuffix(noted, "]"), "Next: fetch ")
		var next struct{ ID string }
		if err := json.Unmarshal([]byte(args), &next); err != nil || !strings.HasSuffix(next.ID, fmt.Sprint("-", n+1)) {
			t.Fatalf("note %q: %v", noted, err)
		}
		id, _, _ = strings.Cut(next.ID, "-")
		raw, err := k.Read(t.Context(), Want{ID: next.ID}, b)
		if err != nil {
			t.Fatal(err)
		}
		page = read(t, raw)
	}
	if whole.String() != text {
		t.Errorf("the pages are %d bytes, the result %d", whole.Len(), len(text))
	}
	if pages < 5 {
		t.Errorf("%d pages", pages)
	}
	for _, c := range []struct {
		session, name string
	}{{"another", id + "-2"}, {"", id + "-2"}, {"s", id + "-0"}, {"s", fmt.Sprint(id, "-", pages+1)}, {"s", "nothere-1"}, {"s", "nothere"}, {"s", strings.Repeat("x", 9999)}} {
		_, err := k.Read(t.Context(), Want{ID: c.name}, Bounds{Session: c.session, Tokens: b.Tokens, More: "fetch"})
		if _, e := contract.AsError(err); err == nil || e.Code != CodeNotKept || len(e.Message) > 300 {
			t.Errorf("page %.20s for session %q: %v", c.name, c.session, err)
		}
	}
}

func TestWhatIsNoTextStaysWhereItStands(t *testing.T) {
	k, _ := keeper()
	raw := json.RawMessage(`{"content":[{"type":"image","data":"` + strings.Repeat("A", 50_000) + `","mimeType":"image/png"},
		{"type":"resource","resource":{"uri":"file:///a","text":` + string(rawjson.Quote(lines(300))) + `,"mimeType":"text/plain"},"annotations":{"priority":1}},
		{"type":"text","text":"after"}],"_meta":{"a":1}}`)
	got := read(t, must(k.Fit(t.Context(), raw, Bounds{Session: "s", Tokens: 400, More: "fetch"})))
	if got.Content[0].Type != "image" || len(got.Content[0].Data) != 50_000 {
		t.Error("the picture is cut")
	}
	if got.Content[1].Resource.URI != "file:///a" || !strings.HasPrefix(lines(300), got.Content[1].Resource.Text) || got.Content[1].Resource.Text == "" {
		t.Errorf("the resource: %+v", got.Content[1])
	}
	if !strings.Contains(got.Content[2].Text, "page 1 of ") {
		t.Errorf("%+v", got.Content[2])
	}
}

// A flood of links is as much to read as a flood of text.
func TestLinksAreCountedToo(t *testing.T) {
	k, _ := keeper()
	links := strings.Repeat(`{"type":"resource_link","uri":"file:///some/where","name":"a name"},`, 500)
	got := read(t, must(k.Fit(t.Context(), json.RawMessage(`{"content":[`+strings.TrimSuffix(links, ",")+`]}`), Bounds{Tokens: 500, More: "fetch"})))
	if n := len(got.Content); n > 60 {
		t.Errorf("%d blocks on a page", n)
	}
}

// What a hostile server makes of a result is bounded as well: no shape of it hides text from the count, or stands on
// each page again.
func TestShapesThatHideText(t *testing.T) {
	long, huge := string(rawjson.Quote(lines(2000))), strings.Repeat("x", 256<<10)
	for name, content := range map[string]string{
		"beside empty data":     `[{"type":"text","text":"","data":"","more":` + long + `}]`,
		"a second text":         `[{"type":"text","text":"","text":` + long + `}]`,
		"a link":                `[{"type":"resource_link","uri":"file:///a","description":` + long + `}]`,
		"an unknown block":      `[{"type":"later","words":` + long + `}]`,
		"a block of none":       `[` + long + `]`,
		"no list":               `{"type":"text","text":` + long + `}`,
		"content twice":         `[{"type":"text","text":` + long + `}],"content":[]`,
		"around a resource":     `[{"type":"resource","resource":{"uri":"a","blob":"","note":` + long + `}}]`,
		"around a text":         `[{"type":"text","text":` + long + `,"_meta":{"a":"` + huge + `"}}]`,
		"around a resource too": `[{"type":"resource","resource":{"uri":"a","text":` + long + `},"_meta":{"a":"` + huge + `"}}]`,
	} {
		k, _ := keeper()
		k.Bound(64<<20, time.Minute)
		out := must(k.Fit(t.Context(), json.RawMessage(`{"content":`+content+`}`), Bounds{Session: "s", Tokens: 500, More: "fetch"}))
		if !json.Valid(out) || len(out) > 20_000 {
			t.Errorf("%s: %d bytes leave", name, len(out))
		}
		if k.bytes > 1<<20 {
			t.Errorf("%s: %d bytes are kept", name, k.bytes)
		}
	}
}

func TestStructuredContent(t *testing.T) {
	long := string(rawjson.Quote(lines(1000)))
	k, _ := keeper()
	for _, c := range []struct{ name, value, schema, want string }{
		{"without a schema it goes", `{"result":` + long + `}`, ``, ``},
		{"a text is cut", `{"result":` + long + `,"n":1e2}`, `{"type":"object","properties":{"result":{"type":"string"},"n":{"type":"number"}}}`, `cut`},
		{"a list is cut", `{"rows":[` + strings.TrimSuffix(strings.Repeat(`{"a":1},`, 5000), ",") + `]}`, `{"properties":{"rows":{"type":"array","items":{"type":"object"}}}}`, `cut`},
		{"a reference stays", `{"result":` + long + `}`, `{"properties":{"result":{"$ref":"#/$defs/x"}}}`, `whole`},
		{"a pattern stays", `{"result":` + long + `}`, `{"properties":{"result":{"type":"string","pattern":"."}}}`, `whole`},
	} {
		b := Bounds{Tokens: 500, More: "fetch"}
		if c.schema != "" {
			b.Output = json.RawMessage(c.schema)
		}
		got := read(t, must(k.Fit(t.Context(), json.RawMessage(`{"content":[{"type":"text","text":"short"}],"structuredContent":`+c.value+`}`), b)))
		var is string
		switch n := len(got.StructuredContent); {
		case n == 0:
		case n == len(c.value):
			is = "whole"
		case tokens.Fits(string(got.StructuredContent), b.Tokens):
			is = "cut"
		}
		if is != c.want {
			t.Errorf("%s: %q, %d of %d bytes", c.name, is, len(got.StructuredContent), len(c.value))
		}
		if noted := len(got.Content) == 2; noted != (c.want != "whole") {
			t.Errorf("%s: %d blocks", c.name, len(got.Content))
		}
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	k, now := keeper()
	b := Bounds{Session: "s", Tokens: 300, More: "fetch"}
	put := func() string {
		t.Helper()
		got := read(t, must(k.Fit(t.Context(), textResult(lines(5000)), b))) // some 200 kB
		note := got.Content[len(got.Content)-1].Text
		_, rest, _ := strings.Cut(note, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	ids := []string{put(), put(), put(), put()}
	has := func(id string) bool { _, err := k.Read(t.Context(), Want{ID: id}, b); return err == nil }
	if !has(ids[0]) {
		t.Fatal("the first is gone at once")
	}
	for range 3 { // the second was read longest ago
		ids = append(ids, put())
	}
	if has(ids[1]) || !has(ids[0]) {
		t.Error("what was read last has gone, or what was not stays")
	}
	if k.bytes > 1<<20 {
		t.Errorf("%d bytes are kept", k.bytes)
	}
	*now = now.Add(11 * time.Minute)
	if has(ids[0]) || k.bytes != 0 {
		t.Errorf("after its time: %d bytes", k.bytes)
	}
	id := put()
	k.Forget("s")
	if has(id) || k.bytes != 0 {
		t.Error("a session that ended left something")
	}
	k.Bound(1000, time.Minute)
	got := read(t, must(k.Fit(t.Context(), textResult(lines(5000)), b)))
	if note := got.Content[len(got.Content)-1].Text; !strings.Contains(note, "not kept") || strings.Contains(note, "fetch") {
		t.Errorf("what is more than is kept at all: %s", note)
	}
}

// FuzzFit holds that pages lose nothing of a text, whatever it holds, and that no
// result makes it panic or gives something that is no JSON.
func FuzzFit(f *testing.F) {
	f.Add(lines(50), 40)
	f.Add(strings.Repeat("長い", 500), 7)
	f.Add(strings.Repeat(" ", 5000)+"\n\n\n", 1)
	f.Add("a\xffb\x00", 1)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		k, _ := keeper()
		raw := json.RawMessage(text)
		if json.Valid(raw) {
			if got := must(k.Fit(t.Context(), raw, Bounds{Tokens: limit, More: "m"})); !json.Valid(got) {
				t.Fatalf("%s became %s", raw, got)
			}
		}
		limit = 1 + max(limit, -limit)%3000
		raw = textResult(text)
		blocks := []json.RawMessage{json.RawMessage(`{"type":"text","text":` + string(rawjson.Quote(text)) + `}`)}
		pages, _, _ := split(t.Context(), blocks, max(limit, 1))
		var want, got strings.Builder
		want.WriteString(read(t, raw).Content[0].Text)
		for _, p := range pages {
			for _, block := range p.toBlocks(blocks) {
				s, _ := textOf(block)
				got.WriteString(s)
			}
		}
		if got.String() != want.String() {
			t.Fatalf("%q became %q", want.String(), got.String())
		}
	})
}

func BenchmarkFit(b *testing.B) {
	for name, text := range map[string]string{"lines": lines(100_000), "one line": strings.Repeat("word ", 800_000)} {
		raw := textResult(text)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				k, _ := keeper()
				must(k.Fit(b.Context(), raw, Bounds{Tokens: 8000, More: "m"}))
			}
		})
	}
}

// ending is a context that ends when it has been looked at so often.
type ending struct {
	context.Context
	looks int
}

func (e *ending) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A call that has ended gets no pages, and none are made for it any longer.
func TestPagesEndWithTheirContext(t *testing.T) {
	k, _ := keeper()
	k.Bound(64<<20, time.Minute)
	b := Bounds{Session: "s", Tokens: 500, More: "fetch", Output: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
	long := strings.Repeat("word ", 100_000)
	raw := json.RawMessage(`{"content":[{"type":"text","text":"` + long + `"}],"structuredContent":{"a":"` + long + `"}}`)
	all := &ending{t.Context(), 1 << 30}
	must(k.Fit(all, raw, b))
	looks := 1<<30 - all.looks
	if looks < 100 {
		t.Fatalf("only %d looks", looks)
	}
	id := k.Keep("s", Kept{Original: raw})
	for _, n := range []int{0, 1, 10, looks / 2, looks - 1} {
		ctx := &ending{t.Context(), n}
		if out, err := k.Fit(ctx, raw, b); !errors.Is(err, context.Canceled) || out != nil || ctx.looks < -1 {
			t.Errorf("Fit after %d of %d looks: %.100s, %v, %d looks more", n, looks, out, err, -ctx.looks)
		}
		if n > looks/2 {
			continue
		}
		for _, w := range []Want{{ID: id}, {ID: id, Path: "a"}} {
			if out, err := k.Read(&ending{t.Context(), n}, w, b); !errors.Is(err, context.Canceled) || out != nil {
				t.Errorf("Read after %d looks: %.100s, %v", n, out, err)
			}
		}
	}
	if got := read(t, must(k.Read(t.Context(), Want{ID: id}, b))); !strings.HasPrefix(got.Content[0].Text, "word word") {
		t.Errorf("afterwards: %+v", got)
	}
}

// Whatever a text is made of, its pages cost as much for each byte of it, and each is
// filled.
func TestPagesOfLongWords(t *testing.T) {
	for name, word := range map[string]string{"a word without end": "xqzvjkwpy", "mixed scripts": "aЖб中éZش", "marks": "a\u0301", "words": "word and ", "lines": "word\n", "blanks": " \t"} {
		t.Run(name, func(t *testing.T) {
			clocktest.Linear(t, 40_000/len(word), func(n int) func() {
				text := strings.Repeat(word, n)
				blocks := []json.RawMessage{TextBlock(text)}
				return func() {
					pages, total, err := split(t.Context(), blocks, 800)
					if err != nil || total < len(pages)*800/3 {
						t.Errorf("%d pages of %d tokens, %v", len(pages), total, err)
					}
				}
			})
		})
	}
}
