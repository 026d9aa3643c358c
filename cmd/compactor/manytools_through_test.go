package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// A server with 1,200 tools, whose schemas use every keyword there is, is listed
// as it is but for the names, and each tool can be called and found.
func TestManyTools(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("manytools")
	if err != nil {
		t.Fatal(err)
	}
	direct := dial(t, `{}`, nil, nil, program)
	through := front(t, proxied+fmt.Sprintf(`many: command: %q`, program), `{"sampling":{}}`, nil)
	settled(through, manyTools+2)
	listed := manyByNumber(t, through.list("tools/list", "tools", "name"))
	own := manyByNumber(t, direct.list("tools/list", "tools", "name"))
	if len(own) != manyTools || len(listed) != manyTools {
		t.Fatalf("%d tools, %d through compactor", len(own), len(listed))
	}
	t.Run("definitions", func(t *testing.T) {
		boolean := regexp.MustCompile(`("p\d":)true`)
		valid := regexp.MustCompile(`^many__[A-Za-z0-9_-]{1,58}$`)
		for n, tool := range own {
			got := listed[n]
			if !valid.MatchString(got.name) || len(tool.name) <= 58 && got.name != "many__"+strings.ReplaceAll(tool.name, ".", "_") {
				t.Errorf("%s is called %s", tool.name, got.name)
			}
			asObjects := boolean.ReplaceAll(tool.raw, []byte(`$1{}`)) // strict clients refuse arguments whose schema is true
			if !sameMeaning(t, got.raw, named(t, asObjects, got.name)) {
				t.Errorf("%s is\n%s\nnot\n%s", got.name, got.raw, tool.raw)
			}
		}
	})
	t.Run("calls", func(t *testing.T) {
		for n, tool := range own {
			if testing.Short() && n%10 > 0 {
				continue
			}
			m := through.call(listed[n].name, `{"p9":9007199254740993}`)
			if want, _ := json.Marshal(tool.name + ` {"p9":9007199254740993}`); !strings.Contains(string(m.Result), string(want)) {
				t.Errorf("%s gave %s%s, not %s", listed[n].name, m.Result, m.Error, want)
			}
		}
	})
	t.Run("search", func(t *testing.T) {
		for n := 0; n < manyTools; n += 7 {
			query := manyVerbs[n/len(manyNouns)] + " a " + manyNouns[n%len(manyNouns)]
			if m := through.call("search_tools", fmt.Sprintf(`{"query":%q}`, query)); !strings.Contains(string(m.Result), listed[n].name) {
				t.Errorf("%q does not find %s: %s%s", query, listed[n].name, short(m.Result), m.Error)
			}
		}
	})
	t.Run("not asked for", func(t *testing.T) { // the server asks what it was not allowed, and the client could answer
		m := through.call("many__ask", `{}`)
		if !strings.Contains(string(m.Result), "not allowed") || len(through.asked) > 0 {
			t.Errorf("%s%s, and the client was asked %v", m.Result, m.Error, through.asked)
		}
	})
	t.Run("growing", func(t *testing.T) {
		through.mu.Lock()
		through.notes = nil // of the time when nothing was known
		through.mu.Unlock()
		through.call("many__grow", `{}`)
		through.heard("tools/list_changed", func(m spoken) bool { return m.Method == "notifications/tools/list_changed" })
		settled(through, manyTools+3)
		if m := through.call("many__grown_1", `{}`); !strings.Contains(string(m.Result), "grown_1") {
			t.Errorf("%s%s", m.Result, m.Error)
		}
	})
}

type manyListed struct {
	name string
	raw  json.RawMessage
}

// manyByNumber sorts definitions by the number in their _meta.
func manyByNumber(t *testing.T, tools map[string]json.RawMessage) map[int]manyListed {
	t.Helper()
	out := map[int]manyListed{}
	for name, raw := range tools {
		var d struct {
			Meta struct{ N *int } `json:"_meta"`
		}
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		if d.Meta.N != nil {
			out[*d.Meta.N] = manyListed{name, raw}
		}
	}
	return out
}

// The schemas of the tools do use every keyword of JSON Schema, 2020-12.
func TestManyToolsUseEveryKeyword(t *testing.T) {
	all := strings.Join(manyKeywords, " ")
	_, whole := manyTool(0)
	for _, k := range strings.Fields(`$schema $id $ref $anchor $defs $dynamicRef $dynamicAnchor $comment type enum const multipleOf maximum exclusiveMaximum
		minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
		dependentRequired prefixItems items contains properties patternProperties additionalProperties propertyNames dependentSchemas if then else allOf
		anyOf oneOf not unevaluatedItems unevaluatedProperties format contentEncoding contentMediaType contentSchema title description default deprecated
		readOnly writeOnly examples definitions dependencies additionalItems`) {
		if !strings.Contains(all+whole, `"`+k+`":`) {
			t.Errorf("no schema has %s", k)
		}
	}
	if len(manyVerbs)*len(manyNouns) < manyTools {
		t.Errorf("%d verbs and %d nouns do not make %d tools", len(manyVerbs), len(manyNouns), manyTools)
	}
}
