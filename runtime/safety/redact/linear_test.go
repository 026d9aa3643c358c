package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// numbered is a token of GitHub that differs from others of another number.
func numbered(i int) string {
	rng := rand.New(rand.NewPCG(7, uint64(i)))
	b := []byte("gh" + "p_")
	for range 36 {
		b = append(b, mixedLetters[rng.IntN(len(mixedLetters))])
	}
	return string(b)
}

// pin is a password of ten letters and digits.
func pin(i int) string { return numbered(i)[4:12] + fmt.Sprint(i%10) + "x!" }

func joinOf(n int, between string, part func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = part(i)
	}
	return strings.Join(parts, between)
}

func inText(text string) string {
	raw, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	return string(raw)
}

// manySecrets are values with n secrets, as servers send them or as one that means harm would, each with the least
// size that is measured.
var manySecrets = map[string]struct {
	n    int
	text func(n int) string
}{
	"rows as text": {125, func(n int) string {
		return inText("[" + joinOf(n, ",", func(i int) string { return fmt.Sprintf(`{"user":"u%d","password":"%s"}`, i, pin(i)) }) + "]")
	}},
	"rows": {250, func(n int) string {
		return "[" + joinOf(n, ",", func(i int) string { return fmt.Sprintf(`{"user":"u%d","password":"%s"}`, i, pin(i)) }) + "]"
	}},
	"rows of CSV": {250, func(n int) string {
		return inText("name,password\n" + joinOf(n, "\n", func(i int) string { return fmt.Sprintf("password%d,%s", i, pin(i)) }))
	}},
	"headings of CSV": {250, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string {
			return fmt.Sprintf("%spassword,passwd\n%s,%s", strings.Repeat("a,", i%30), pin(i), pin(i+1))
		}))
	}},
	"tables of mysql": {125, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string {
			return fmt.Sprintf("+---+----------+\n| a | password |\n+---+----------+\n| %d | %s |\n+---+----------+", i, pin(i))
		}))
	}},
	"one line of names": {250, func(n int) string {
		return inText(joinOf(n, ",", func(i int) string { return "password" }) + " " + numbered(1))
	}},
	"quotes that stay open": {250, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string { return fmt.Sprintf("password,\"a,%d\n\"b,%s,\"c", i, pin(i)) }) + " " + numbered(1))
	}},
	"INSERTs that stay open": {250, func(n int) string { return inText(numbered(1) + strings.Repeat(" (password)values(", n)) }},
	"INSERTs in one another": {250, func(n int) string {
		return inText(numbered(1) + strings.Repeat(" (password)values(", n) + strings.Repeat(")", n))
	}},
	"columns of INSERT": {250, func(n int) string {
		return inText(joinOf(n, ";\n", func(i int) string { return fmt.Sprintf("INSERT INTO t (a, password) VALUES (%d, '%s')", i, pin(i)) }))
	}},
	"lines of an environment": {250, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string { return fmt.Sprintf("DB_%d_PASSWORD=%s", i, pin(i)) }))
	}},
	"blocks of YAML": {125, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string { return fmt.Sprintf("token_%d: |\n  # of %d\n  %s", i, i, numbered(i)[4:]) }))
	}},
	"strings that end late": {125, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string { return fmt.Sprintf(`password: "it\"s''%s\`, pin(i)) }))
	}},
	"lines of a log": {250, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string { return "2026-01-02 10:11:12 GET /a?q=1 token " + numbered(i) }))
	}},
	"tokens that begin alike": {250, func(n int) string {
		return inText(joinOf(n, "\n", func(i int) string { return "sk_" + "live_" + numbered(i)[4:28] }))
	}},
	"keys that are tokens": {250, func(n int) string {
		return "{" + joinOf(n, ",", func(i int) string { return `"` + numbered(i) + `":{"a":1}` }) + "}"
	}},
	"keys of many objects": {250, func(n int) string {
		return "[" + joinOf(n, ",", func(i int) string { return `{"` + numbered(i) + `":1}` }) + "]"
	}},
	"JSON in texts": {250, func(n int) string {
		raw, _ := json.Marshal(strings.Split(joinOf(n, "\n", func(i int) string { return fmt.Sprintf(`{"pin":4711,"secrets":{"a":"%s"}}`, pin(i)) }), "\n"))
		return string(raw)
	}},
	"escapes before each token": {250, func(n int) string {
		return `["` + joinOf(n, `\n`, func(i int) string { return `\u00e9\ud83d\ude00\"\u00e9 ` + numbered(i) }) + `"]`
	}},
	"a long name above many values": {100, func(n int) string {
		return `{"` + strings.Repeat("of the ", n) + `pin":[` + joinOf(n, ",", func(int) string { return "4711" }) + `]}`
	}},
}

// A server cannot make us work for minutes by the number of its secrets.
func TestManySecretsInJSON(t *testing.T) {
	for name, c := range manySecrets {
		t.Run(name, func(t *testing.T) {
			clocktest.Linear(t, c.n, func(n int) func() {
				raw := []byte(c.text(n))
				return func() {
					masked, found, err := Default().JSON(t.Context(), raw, Frame{Message: true})
					if err != nil || found == 0 || bytes.Equal(masked, raw) {
						t.Errorf("%d found, %v", found, err)
					}
				}
			})
		})
	}
}

// What a text holds that is not seen is not written down for each character of it.
func TestInvisibleTextTakesLittleMemory(t *testing.T) {
	for name, part := range map[string]string{"combining marks": "\u0301", "marks between letters": "a\u0301", "escapes": `\u0061b`} {
		text := strings.Repeat(part, 4<<20/len(part))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Default().Redact(text)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 6*uint64(len(text)) {
			t.Errorf("%s: %d bytes for %d", name, n, len(text))
		}
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

// A call that has ended is not worked for any longer, and nothing of its result leaves.
func TestJSONEndsWithItsContext(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: the full run has it")
	}
	lines := manySecrets["lines of a log"].text(6000)
	rows := manySecrets["rows"].text(4000)
	var whole int // units
	for _, c := range []struct {
		raw   string
		looks int
		most  int // units
	}{
		{lines, 1 << 30, 1 << 30},
		{lines, 0, 0},
		{lines, 3, 3 * checkEvery},
		{rows, 1 << 30, 1 << 30},
		{rows, 0, 0},
		{rows, 5, 5 * checkEvery},
		{rows, 2000, 4 << 20},
	} {
		ctx := &ending{t.Context(), c.looks}
		m := newMeter(ctx, len(c.raw))
		all := m.left
		if m.err == nil {
			Default().redactJSON(m, []byte(c.raw), Frame{Message: true})
		}
		spent := all - m.left
		if c.looks == 1<<30 {
			if whole = spent; m.err != nil || whole < 16*checkEvery {
				t.Fatalf("%d units, %v", spent, m.err)
			}
			continue
		}
		if !errors.Is(m.err, context.Canceled) || spent > c.most+checkEvery || spent > whole*2/3 {
			t.Errorf("after %d looks: %d units of %d, %v", c.looks, spent, whole, m.err)
		}
		masked, found, err := Default().JSON(&ending{t.Context(), c.looks}, []byte(c.raw), Frame{Message: true})
		if !errors.Is(err, context.Canceled) || found != 1 || !json.Valid(masked) || masked[0] != c.raw[0] || len(masked) > 200 ||
			!bytes.Contains(masked, []byte(markFor(withheldID))) || !bytes.Contains(masked, []byte("context canceled")) {
			t.Errorf("after %d looks: %d, %v, %.300s", c.looks, found, err, masked)
		}
	}
}

// watched is a context that counts how often it is looked at.
type watched struct {
	context.Context
	looks int
}

func (w *watched) Err() error {
	w.looks++
	return nil
}

// The context is looked at again after some bytes, also while nothing is searched: so long does a call that was cancelled go on.
func TestTheContextIsLookedAtOften(t *testing.T) {
	many := func(n int, item func(i int) string) string { return "[" + joinOf(n, ",", item) + "]" }
	for name, raw := range map[string]string{
		"numbers":  many(400_000, strconv.Itoa),
		"words":    many(400_000, func(int) string { return `"word"` }),
		"one text": inText(strings.Repeat("the quick brown fox ", 200_000)),
		"escapes":  inText(strings.Repeat("\x1b[1mé\x1b[0m\t", 100_000)),
		"secrets":  manySecrets["lines of a log"].text(2000),
		"deep":     many(200, func(int) string { return strings.Repeat(`{"a":[`, 4000) + strings.Repeat(`]}`, 4000) }),
	} {
		ctx := &watched{Context: t.Context()}
		if _, _, err := Default().JSON(ctx, []byte(raw), Frame{Message: true}); err != nil {
			t.Fatal(name, err)
		}
		if least := len(raw) / (2 * tickEvery); ctx.looks < least {
			t.Errorf("%s: %d looks at the context in %d bytes, want %d", name, ctx.looks, len(raw), least)
		}
		last := ctx.looks / 2
		if _, _, err := Default().JSON(&ending{t.Context(), last}, []byte(raw), Frame{Message: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled at look %d of %d: %v", name, last, ctx.looks, err)
		}
	}
}

func TestWithheldJSONIsOfTheSameKind(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const said = "[REDACTED:withheld] (9 bytes: stopped before all was searched for secrets: context canceled)"
	for in, want := range map[string]string{
		`{"a": 1} `:   `{"withheld":"` + said + `"}`,
		` ["a", 1]`:   `["` + said + `"]`,
		`"abcdefg"`:   `"` + said + `"`,
		`123456789`:   `0`,
		"     null ":  "null",
		"not\nJSON\n": said + "\n\n",
	} {
		got, _, err := Default().JSON(ctx, []byte(in), Frame{})
		if string(got) != want || !errors.Is(err, context.Canceled) {
			t.Errorf("%s became %s, %v", in, got, err)
		}
	}
	var none *Redactor
	if got, _, err := none.JSON(ctx, []byte(`{"a": 1} `), Frame{}); string(got) != `{"withheld":"`+said+`"}` || !errors.Is(err, context.Canceled) {
		t.Errorf("without a redactor: %s, %v", got, err)
	}
}

// The work of all strings of a value is bounded together.
func TestTheWorkOfAValueIsBounded(t *testing.T) {
	m := newMeter(t.Context(), 0)
	m.left = 1000
	Default().redactJSON(m, []byte(manySecrets["rows"].text(200)), Frame{})
	if !errors.Is(m.err, errTooMuch) || m.left < -checkEvery {
		t.Errorf("%d units are left, %v", m.left, m.err)
	}
}

// Places in the bytes of a string are those of its text: what stands before one and what stands behind it decode to
// the text, each by itself, or the place is within an escape.
func TestOffsetsOfEscapes(t *testing.T) {
	units := []string{"a", "é", "長", "🚀", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u00e9`, `\u20AC`, `\ufffd`, `\ud83d\ude00`, `\ud83d`, `\ude00`, "\xff", "\xe2\x82"}
	text := func(raw string) (string, bool) {
		var s string
		err := json.Unmarshal([]byte(`"`+raw+`"`), &s)
		return s, err == nil
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		raw := joinOf(rng.IntN(8), "", func(int) string { return units[rng.IntN(len(units))] })
		whole, _ := text(raw)
		var places, lengths []int // where nothing is taken apart, and how much text stands before it
		for i := range len(raw) + 1 {
			head, ok := text(raw[:i])
			tail, too := text(raw[i:])
			if ok && too && head+tail == whole {
				places, lengths = append(places, i), append(lengths, len(head))
			}
		}
		u := unescaper{raw: []byte(raw)}
		for at := range len(raw) + 1 {
			before, behind := u.offsets(at)
			n, is := slices.BinarySearch(places, at)
			if is && (before != lengths[n] || behind != lengths[n]) || !is && (before != lengths[n-1] || behind != lengths[n]) {
				t.Fatalf("%q at %d: %d and %d; want those of %v: %v", raw, at, before, behind, places, lengths)
			}
		}
	}
}

// An escape beside a secret is none of it.
func TestEscapesBesideASecretStay(t *testing.T) {
	token := numbered(1)
	for in, want := range map[string]string{
		`["` + token[:39] + fmt.Sprintf(`\u%04x`, token[39]) + `\u20ac"]`: `["[REDACTED:github-pat]€"]`, // four bytes, as a pair has
		`["\u0041\u20ac ` + token + `\u000a"]`:                            `["A€ [REDACTED:github-pat]\n"]`,
		`["\ud83d ` + token + ` \ude00"]`:                                 "[\"\ufffd [REDACTED:github-pat] \ufffd\"]",
	} {
		if got, _, _ := Default().JSON(t.Context(), []byte(in), Frame{}); string(got) != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}

// Keys are told apart as if each number were tried from two on.
func TestKeysThatBecomeTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	names := []string{"a", "b", "a#2", "a#3", "a#2#2", "b#2"}
	for range 2000 {
		v := &jsonValue{}
		var edits []jsonEdit
		for range 1 + rng.IntN(8) {
			l := jsonLeaf{in: rng.IntN(2), isKey: true, text: names[rng.IntN(len(names))]}
			if v.leaves = append(v.leaves, l); rng.IntN(3) > 0 {
				edits = append(edits, jsonEdit{l, names[rng.IntN(3)]})
			}
		}
		taken := v.keysBeside(edits)
		has := map[takenKey]bool{}
		for _, l := range v.leaves {
			has[takenKey{l.in, l.text}] = true
		}
		for _, e := range edits {
			want := e.with
			for n := 2; has[takenKey{e.leaf.in, want}]; n++ {
				want = fmt.Sprintf("%s#%d", e.with, n)
			}
			has[takenKey{e.leaf.in, want}] = true
			if got := taken.freeKey(e.leaf.in, e.with); got != want {
				t.Fatalf("%+v, %+v: %s, want %s", v.leaves, edits, got, want)
			}
		}
	}
}

// The longest value at each place is found, also where values begin with one another.
func TestFinder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	word := func(n int) string {
		return joinOf(n, "", func(int) string { return string("ab"[rng.IntN(2)]) })
	}
	for range 500 {
		values := map[string]*detector{}
		for range 1 + rng.IntN(12) {
			values["abababab"[:7]+word(1+rng.IntN(6))] = joint
		}
		text := joinOf(6, "", func(int) string { return "ababababab"[rng.IntN(4):] + word(rng.IntN(5)) })
		var want []span
		for at := range text {
			longest := ""
			for v := range values {
				if strings.HasPrefix(text[at:], v) && len(v) > len(longest) {
					longest = v
				}
			}
			if longest != "" {
				want = append(want, span{at, at + len(longest), joint})
			}
		}
		if got := newFinder(values, nil).occurrences(text, nil); !slices.Equal(got, want) {
			t.Fatalf("%v in %s: %v, want %v", values, text, got, want)
		}
	}
}

// A place in a text as it reads is moved by what was taken out before it; at something taken out, an end stays before
// it and a start goes behind it.
func TestOriginals(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	parts := []string{"a", "bc", " ", "\u200b", "\u0301", "\x1b[31m", `x\u0061b`, "x%41b", "x&#97;b", "x\\\nb", "\rx", "é", "^[[1mx", `\`, "%", "&"}
	for range 2000 {
		text := joinOf(rng.IntN(10), "", func(int) string { return parts[rng.IntN(len(parts))] })
		read, _ := asRead(text, findEdits(text, nil))
		list := slices.Collect(findEdits(text, nil))
		var all []finding
		for at := range len(read) + 1 {
			all = append(all, finding{at, len(read) - at, joint})
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for i, f := range toOriginal(all, findEdits(text, nil)) {
			if start, end := placeOfOne(list, all[i].start, false), placeOfOne(list, all[i].end, true); f.start != start || f.end != end {
				t.Fatalf("%q: %+v is at %d to %d, want %d to %d", text, all[i], f.start, f.end, start, end)
			}
		}
	}
}

// placeOfOne moves one place of a text as it reads to the text.
func placeOfOne(list []edit, at int, end bool) int {
	removed := 0
	for _, e := range list {
		behind := e.lo - removed + e.width()
		if behind > at || end && behind == at && e.with == 0 {
			break
		}
		removed += e.hi - e.lo - e.width()
	}
	return at + removed
}
