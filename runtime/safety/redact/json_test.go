package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func TestJSON(t *testing.T) {
	token, pass := "gh"+"p_"+drawn(36, mixedLetters), "Tr0ub4dor"+"&3"
	for _, c := range []struct{ name, in, want string }{
		{"field", `{"password":"P"}`, `{"password":"[REDACTED:password]"}`},
		{"bytes around stay", `{ "a": 1.50, "n": 9007199254740993, "password" : "P" }`, `{ "a": 1.50, "n": 9007199254740993, "password" : "[REDACTED:password]" }`},
		{"data is a field like others", `{"mimeType":"text/plain","data":"token T"}`, `{"mimeType":"text/plain","data":"token [REDACTED:github-pat]"}`},
		{"below a name", `{"db_password":{"value":"P","note":"x"}}`, `{"db_password":{"value":"[REDACTED:password]","note":"x"}}`},
		{"a map of them", `{"passwords":{"prod":"P"}}`, `{"passwords":{"prod":"[REDACTED:password]"}}`},
		{"a list of them", `{"passwords":["P",["P"]]}`, `{"passwords":["[REDACTED:password]",["[REDACTED:password]"]]}`},
		{"name beside it", `{"name":"DB_PASSWORD","value":"P"}`, `{"name":"DB_PASSWORD","value":"[REDACTED:password]"}`},
		{"name behind it", `[{"value":"P","type":"env","key":"DB_PASSWORD"}]`, `[{"value":"[REDACTED:password]","type":"env","key":"DB_PASSWORD"}]`},
		{"repeated elsewhere", `{"log":["login P ok"],"password":"P"}`, `{"log":["login [REDACTED:password] ok"],"password":"[REDACTED:password]"}`},
		{"a key is one", `{"T":{"a":1},"x":"y"}`, `{"[REDACTED:github-pat]":{"a":1},"x":"y"}`},
		{"keys that become one", `{"T":1,"a T":2,"[REDACTED:github-pat]":3}`, `{"[REDACTED:github-pat]#2":1,"a [REDACTED:github-pat]":2,"[REDACTED:github-pat]":3}`},
		{"escapes", `{"p\u0061ssword":"\u0054r0ub4dor\u00263"}`, `{"p\u0061ssword":"[REDACTED:password]"}`},
		{"escapes within", `{"m":"caf\u00e9 \ud83d\ude00 \"pwd=P\" end"}`, `{"m":"café 😀 \"pwd=[REDACTED:password]\" end"}`},
		{"twice the same name", `{"password":"P","password":"P"}`, `{"password":"[REDACTED:password]","password":"[REDACTED:password]"}`},
		{"digits", `{"password":12345678,"pin":4711,"otp":[123456],"auth_token":4111222233334444}`, `{"password":0,"pin":0,"otp":[0],"auth_token":0}`},
		{"JSON in a text", `{"text":"{\"passwords\":{\"prod\":\"P\"},\"pin\":4711}"}`, `{"text":"{\"passwords\":{\"prod\":\"[REDACTED:password]\"},\"pin\":0}"}`},
		{"JSON in a text, and elsewhere", `[{"text":"[{\"passwords\":[\"P\"]}]"},"login P ok"]`, `[{"text":"[{\"passwords\":[\"[REDACTED:password]\"]}]"},"login [REDACTED:password] ok"]`},
		{"values in a schema", `{"properties":{"password":{"type":"string","default":"P","examples":["P"]}}}`,
			`{"properties":{"password":{"type":"string","default":"[REDACTED:password]","examples":["[REDACTED:password]"]}}}`},
		{"data called properties", `{"properties":{"passwords":{"prod":"P"}}}`, `{"properties":{"passwords":{"prod":"[REDACTED:password]"}}}`},
		{"not JSON", `password: "P"`, `password: "[REDACTED:password]"`},
		{"a string alone", `"T"`, `"[REDACTED:github-pat]"`},
		{"empty", ``, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			fill := strings.NewReplacer(`"P"`, `"`+pass+`"`, `\"P\"`, `\"`+pass+`\"`, "=P", "="+pass, " P ", " "+pass+" ", `"T"`, `"`+token+`"`, " T\"", " "+token+`"`)
			if got, _, _ := Default().JSON(t.Context(), []byte(fill.Replace(c.in)), Frame{}); string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What is no secret stays: shapes, counts, and words about secrets.
func TestJSONThatHoldsNoSecrets(t *testing.T) {
	for _, s := range []string{
		`{"token_count":12345678,"max_tokens":128000,"tokens":1234567890123,"total_tokens":12345678,"secrets":3,"token":50256,"pin":13}`,
		`{"password_policy":{"min":12,"rules":["one digit","no names"],"words":false},"has_password":true,"password":null,"secret":false}`,
		`{"properties":{"password":{"type":"string","description":"The password of the account","minLength":8},"api_key":{"type":"string","format":"uuid"}},"required":["password","api_key"]}`,
		`{"properties":{"pin":{"type":"integer","minimum":1000,"maximum":9999},"password":{"type":["string","null"],"minLength":8,"maxLength":4096,"pattern":"^[A-Za-z0-9]{8,64}$"}}}`,
		`{"text":"{\"token_count\":12345678,\"has_password\":true,\"pin\":13}"}`,
		`{"password_changed_at":1718000000000,"token_expires_in":3600,"key_id":12345678901234,"id":1718000000000000}`,
		`{"tokens":[{"text":"where","pos":"ADV","id":7},{"text":"is","pos":"AUX","id":8}]}`,
		`{"author":{"name":"Bo Key","id":7},"keys":["left","right"],"primary_key":{"column":"user_id"},"sort_key":"created_at"}`,
		`{"sha":"3f786850e387550fdab836ed7e6dc881de23001b","path":"src/auth/token.go:12","url":"https://example.org/a/b?page=2","uuid":"5a1f3c60-9f1e-4e0a-8c53-0b1f9d2d3c4e"}`,
		`{"secrets":{"count":2,"names":["DB_URL","MAIL_FROM"]},"auth":{"type":"basic","enabled":true}}`,
	} {
		if got, n, _ := Default().JSON(t.Context(), []byte(s), Frame{}); string(got) != s || n != 0 {
			t.Errorf("%s\nbecame %s", s, got)
		}
	}
}

func TestJSONOfMessages(t *testing.T) {
	token := "gh" + "p_" + drawn(36, mixedLetters)
	text := base64.StdEncoding.EncodeToString([]byte("the token is " + token + "\n"))
	clean := base64.StdEncoding.EncodeToString([]byte("the token is [REDACTED:github-pat]\n"))
	var wide []byte
	for _, u := range utf16.Encode([]rune("the token is " + token + "\n")) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	utf16le := base64.StdEncoding.EncodeToString(wide)
	picture := make([]byte, 600)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range picture {
		picture[i] = byte(rng.Uint32())
	}
	png := base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n"), picture...))
	for _, c := range []struct{ name, in, want string }{
		{"picture", `{"content":[{"type":"image","data":"PNG","mimeType":"image/png"}]}`, ""},
		{"picture, type last", `{"content":[{"data":"PNG","mimeType":"image/png","type":"image"}]}`, ""},
		{"sound in a prompt", `{"messages":[{"role":"user","content":{"type":"audio","data":"PNG"}}]}`, ""},
		{"picture asked about", `{"messages":[{"role":"user","content":[{"type":"image","data":"PNG"}]}],"maxTokens":100}`, ""},
		{"picture of a tool in a message", `{"messages":[{"content":[{"type":"tool_result","content":[{"type":"image","data":"PNG"}]}]}]}`, ""},
		{"blob", `{"contents":[{"uri":"file:///a","blob":"PNG"}]}`, ""},
		{"embedded blob", `{"content":[{"type":"resource","resource":{"uri":"file:///a","blob":"PNG"}}]}`, ""},
		{"text as picture", `{"content":[{"type":"image","data":"TEXT"}]}`, `{"content":[{"type":"image","data":"CLEAN"}]}`},
		{"text as blob", `{"contents":[{"uri":"file:///a","blob":"TEXT"}]}`, `{"contents":[{"uri":"file:///a","blob":"CLEAN"}]}`},
		{"UTF-16 as blob", `{"contents":[{"uri":"file:///a","blob":"WIDE"}]}`, `{"contents":[{"uri":"file:///a","blob":"CLEAN"}]}`},
		{"no base64", `{"content":[{"type":"image","data":"the token is TOKEN"}]}`, `{"content":[{"type":"image","data":"the token is [REDACTED:github-pat]"}]}`},
		{"token that is base64 but for its sign", `{"contents":[{"blob":"TOKEN"}]}`, `{"contents":[{"blob":"[REDACTED:github-pat]"}]}`},
		{"not where the protocol has it", `{"structuredContent":{"content":[{"type":"image","data":"TOKEN"}],"blob":"TOKEN"}}`,
			`{"structuredContent":{"content":[{"type":"image","data":"[REDACTED:github-pat]"}],"blob":"[REDACTED:github-pat]"}}`},
		{"only that member", `{"content":[{"type":"image","data":"PNG","alt":"TOKEN"}]}`, `{"content":[{"type":"image","data":"PNG","alt":"[REDACTED:github-pat]"}]}`},
		{"not below it", `{"content":[{"type":"image","data":{"x":"TOKEN"}}]}`, `{"content":[{"type":"image","data":{"x":"[REDACTED:github-pat]"}}]}`},
		{"handles", `{"nextCursor":"HANDLE","requestState":"HANDLE","progressToken":"HANDLE","_meta":{"progressToken":"HANDLE"}}`, ""},
		{"keys that are called handles", `{"nextCursor":"TOKEN","requestState":"page 2 TOKEN","progressToken":"TOKEN","_meta":{"progressToken":"TOKEN"}}`,
			`{"nextCursor":"[REDACTED:github-pat]","requestState":"page 2 [REDACTED:github-pat]","progressToken":"[REDACTED:github-pat]","_meta":{"progressToken":"[REDACTED:github-pat]"}}`},
		{"handles of random letters", `{"nextCursor":"eyJvZmZzZXQiOjEwMCwicyI6ImFiYyJ9","requestState":"q8Zr1LmX0vTnYc5KdW2sHb7uJ4eGpA3f"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			fill := strings.NewReplacer("PNG", png, "TEXT", text, "CLEAN", clean, "WIDE", utf16le, "TOKEN", token, "HANDLE", "b1946ac9-2c4e-4a3c-9d1e-0123456789ab")
			if got, _, _ := Default().JSON(t.Context(), []byte(fill.Replace(c.in)), Frame{Message: true}); string(got) != fill.Replace(c.want) {
				t.Errorf("got  %s\nwant %s", got, fill.Replace(c.want))
			}
		})
	}
}

func TestJSONTakesKnownTextsOutAndCleans(t *testing.T) {
	token := "gh" + "p_" + drawn(36, mixedLetters)
	f := Frame{
		Known: func(s string) string { return strings.ReplaceAll(s, "hush", "#") },
		Clean: func(s string) string { return strings.ReplaceAll(s, "\a", "") },
	}
	message := Frame{Known: f.Known, Clean: f.Clean, Message: true}
	if got, _, _ := Default().JSON(t.Context(), []byte(`{"structuredContent":{"_meta":{"progressToken":"hush\u0007"}}}`), message); string(got) != `{"structuredContent":{"_meta":{"progressToken":"#"}}}` {
		t.Errorf("got  %s", got) // what is called a handle and is none
	}
	in := fmt.Sprintf(`{"hush":"h\u0075sh","a":"hu\u0007sh %s\u0007%s","n":1}`, token[:9], token[9:])
	want := `{"#":"#","a":"# [REDACTED:github-pat]","n":1}`
	if got, _, _ := Default().JSON(t.Context(), []byte(in), f); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A server cannot make us read a value once for each bracket around it, or ask for a stack as deep as its brackets.
func TestJSONThatIsDeepOrWide(t *testing.T) {
	for name, value := range map[string]func(n int) string{
		"deep": func(n int) string {
			return strings.Repeat(`{"a":[`, n) + `"` + strings.Repeat("x ", 200*n) + `"` + strings.Repeat("]}", n)
		},
		"wide": func(n int) string {
			return `{"secret":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a","value":["b",1]},`, 8*n), ",") + `]}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			clocktest.Linear(t, 300, func(n int) func() {
				raw := value(n)
				return func() {
					if got, _, _ := Default().JSON(t.Context(), []byte(raw), Frame{Message: true}); string(got) != raw {
						t.Errorf("%.60s… was changed", raw)
					}
				}
			})
		})
	}
}

// FuzzJSONMasksWhatItsTextMasks draws values with secrets anywhere in them.
func FuzzJSONMasksWhatItsTextMasks(f *testing.F) {
	for i := range uint64(40) {
		f.Add(i, []byte("config"))
	}
	f.Fuzz(func(t *testing.T, seed uint64, words []byte) {
		rng := rand.New(rand.NewPCG(seed, 11))
		d := drawer{rng: rng, word: strings.ToValidUTF8(string(words), "")}
		v := d.value(4)
		for _, indent := range []string{"", "  "} {
			raw := marshalled(t, v, indent)
			text, _ := Default().Redact(string(raw))
			masked, _, _ := Default().JSON(t.Context(), raw, Frame{Message: true})
			if !json.Valid(masked) {
				t.Fatalf("%s\nbecame %s", raw, masked)
			}
			for _, canary := range d.canaries {
				inside := string(bytes.Trim(marshalled(t, canary, ""), `"`))
				if !strings.Contains(text, inside) && holds(t, masked, canary) {
					t.Fatalf("%q is not in the text, and is in the value:\n%s\n%s", canary, text, masked)
				}
			}
			if again, _, _ := Default().JSON(t.Context(), masked, Frame{Message: true}); !bytes.Equal(again, masked) {
				t.Errorf("%s\nagain became %s", masked, again)
			}
			if diff := reflect.DeepEqual(bones(t, raw), bones(t, masked)); !diff {
				t.Errorf("%s\nbecame of another shape: %s", raw, masked)
			}
		}
	})
}

// drawer draws values.
type drawer struct {
	rng      *rand.Rand
	word     string
	canaries []string
}

func (d *drawer) value(depth int) any {
	switch n := d.rng.IntN(10); {
	case depth > 0 && n < 4:
		m := map[string]any{}
		for range 1 + d.rng.IntN(4) {
			m[d.key()] = d.value(depth - 1)
		}
		return m
	case depth > 0 && n < 6:
		l := []any{}
		for range d.rng.IntN(4) {
			l = append(l, d.value(depth-1))
		}
		return l
	case n == 6:
		return d.rng.IntN(1 << 30)
	case n == 7:
		return d.word
	}
	return d.secret()
}

func (d *drawer) key() string {
	keys := []string{"password", "data", "blob", "api_key", "name", "value", "type", "content", "text", "token", "note", "db", "secrets", "mimeType", d.word}
	return keys[d.rng.IntN(len(keys))]
}

func (d *drawer) secret() string {
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = mixedLetters[d.rng.IntN(len(mixedLetters))]
		}
		return string(b)
	}
	kinds := []func() (string, string){
		func() (string, string) { s := "gh" + "p_" + letters(36); return s, s },
		func() (string, string) { s := letters(12) + "&\"9"; return s, s },
		func() (string, string) { s := "AKIA" + strings.ToUpper(letters(16)); return s, "key=" + s + "\n" },
		func() (string, string) { s := letters(14) + "!7"; return s, "postgres://app:" + s + "@db/x é \t" },
		func() (string, string) { s := letters(40); return s, "Authorization: Bearer " + s },
	}
	canary, text := kinds[d.rng.IntN(len(kinds))]()
	d.canaries = append(d.canaries, canary)
	return text
}

func marshalled(t *testing.T, v any, indent string) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// holds reports whether a text is in any string of a value.
func holds(t *testing.T, raw []byte, text string) bool {
	v, ok := scanJSON(raw, false, nil)
	if !ok {
		t.Fatalf("not JSON: %s", raw)
	}
	for _, l := range v.leaves {
		if strings.Contains(l.text, text) {
			return true
		}
	}
	return false
}

// bones is a value without what its strings, numbers and keys are.
func bones(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return skeleton(v)
}
