package guard_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

// keys are tokens with whose they are.
type keys map[string]string

func (k keys) Holder(token string) (string, bool) { name, is := k[token]; return name, is }
func (k keys) Any() bool                          { return len(k) > 0 }

func TestHolders(t *testing.T) {
	const all = "0123456789abcdef-all"
	some := keys{"0123456789abcdef-a": "a", all: "narrow"}
	for _, c := range []struct {
		what, token string
		holders     guard.Holders
		send        []string
		status      int
		holder      string
	}{
		{"nobody has one", "", keys{}, nil, 200, ""},
		{"nobody has one, and a token is sent", "", keys{}, []string{"Bearer x"}, 200, ""},
		{"without one", "", some, nil, 401, ""},
		{"an empty one", "", some, []string{"Bearer "}, 401, ""},
		{"another", "", some, []string{"Bearer 0123456789abcdef-b"}, 401, ""},
		{"a holder's", "", some, []string{"Bearer 0123456789abcdef-a"}, 200, "a"},
		{"a holder's beside that of all", all + "2", some, []string{"Bearer 0123456789abcdef-a"}, 200, "a"},
		{"that of all", all + "2", some, []string{"Bearer " + all + "2"}, 200, ""},
		{"one that is both has the less", all, some, []string{"Bearer " + all}, 200, "narrow"},
		{"two", all, some, []string{"Bearer " + all, "Bearer 0123456789abcdef-a"}, 401, ""},
		{"another scheme", "", some, []string{"Basic 0123456789abcdef-a"}, 401, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			holder := "nobody was let in"
			h, err := guard.New(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { holder, _ = guard.HolderOf(r.Context()) }),
				guard.Options{Token: c.token, Holders: c.holders})
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest("POST", "/", nil)
			r.Host = "localhost"
			for _, v := range c.send {
				r.Header.Add("Authorization", v)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status || w.Code == 200 && holder != c.holder {
				t.Errorf("%d for %q, want %d for %q", w.Code, holder, c.status, c.holder)
			}
		})
	}
}
