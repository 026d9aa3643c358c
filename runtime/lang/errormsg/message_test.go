package errormsg

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func TestRead(t *testing.T) {
	tests := map[string]struct {
		text   string
		want   string
		raised string
		sure   bool
	}{
		"python":      {"Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\nshop.errors.StockError: no stock left for 'pen'", "no stock left for 'pen'", "StockError", true},
		"name alone":  {"requests.exceptions.MissingSchema: Invalid URL 'a': No scheme supplied.", "Invalid URL 'a': No scheme supplied.", "MissingSchema", true},
		"java":        {"Exception in thread \"main\" java.lang.IllegalStateException: pool is closed already\n\tat a.B.c(B.java:3)", "pool is closed already", "IllegalStateException", true},
		"caused":      {"Caused by: java.io.IOException: stream was reset by peer", "stream was reset by peer", "IOException", true},
		"ruby":        {"ActiveRecord::RecordNotFound: Couldn't find User with 'id'=7", "Couldn't find User with 'id'=7", "RecordNotFound", true},
		"rails log":   {"ActionController::RoutingError (No route matches [GET] \"/a\"):", "No route matches [GET] \"/a\"", "RoutingError", true},
		"node code":   {"FastifyError [FST_ERR_X]: The decorator 'user' has already been added!", "The decorator 'user' has already been added!", "FastifyError", true},
		"rust":        {"thread 'main' panicked at src/main.rs:3:5:\ncannot block the current thread", "cannot block the current thread", "panic", true},
		"rust, old":   {"thread 'main' panicked at 'cannot block the current thread', src/main.rs:3:5", "cannot block the current thread", "panic", true},
		"log":         {"2025-03-01T10:11:12.345Z ERROR [shop.db] connection to replica lost", "connection to replica lost", "", true},
		"logfmt":      {`ts=2025 level=warn component=tsdb msg="compaction failed for block 01H" err=x`, "compaction failed for block 01H", "", true},
		"laravel log": {"[2025-02-01 09:12:44] production.ERROR: Auth guard [web] is not defined.", "Auth guard [web] is not defined.", "", true},
		"redis":       {"(error) ERR Wrong restore policy given", "Wrong restore policy given", "", true},
		"quoted":      {`why do I get "pool is closed already" after a deploy?`, "pool is closed already", "", true},
		"sentence":    {"Received unregistered task of type 'a.b'. The message has been ignored.", "Received unregistered task of type 'a.b'. The message has been ignored.", "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Read(tt.text)
			if len(got) == 0 {
				t.Fatalf("no message in %q", tt.text)
			}
			if m := got[0]; m.Text != tt.want || m.Raised != tt.raised || m.Sure != tt.sure {
				t.Errorf("got %+v\nwant %q raised %q sure %v", m, tt.want, tt.raised, tt.sure)
			}
		})
	}
}

func TestReadNone(t *testing.T) {
	for _, text := range []string{"", "NewPool", "where is the pool closed?", "how does the scheduler pick a worker", "who calls parseConfig",
		"add a flag for the timeout", "what happens when a client disconnects", "internal/pool/pool.go:41"} {
		if got := Read(text); len(got) > 0 {
			t.Errorf("%q has %+v", text, got)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"RuntimeError: Never call result.get() within a task!":           true,
		"java.lang.IllegalStateException: pool is closed already\n at x": true,
		"where is \"pool is closed already\" raised?":                    false,
		"how does the pool close":                                        false,
		"error handling middleware":                                      false,
		"trace sampling and export":                                      false,
		"error: pool is closed already":                                  true,
		"error pool is closed already.":                                  true,
		"error TS2345: no overload matches this call":                    true,
		"error Command failed with exit code 1":                          true,
		"fatal error: foo.h: No such file or directory":                  true,
		"info  server running":                                           true,
		"warn\tpool.go:94\tapply request took too long":                  true,
		"ERROR pool is closed already":                                   true,
		"2025-03-01T10:11:12Z error pool is closed already":              true,
	} {
		if got := Is(text); got != want {
			t.Errorf("Is(%q) = %v", text, got)
		}
	}
}

func TestReadHuge(t *testing.T) {
	line := "2025-03-01 10:11:12 ERROR shop.db: connection \"to\" replica 'lost' (with: msg=\"" + strings.Repeat("x ", 200) + "\")\n"
	for name, part := range map[string]string{"log": line, "one line": "Error: a \"b' ", "bytes": "\xff\x00\"", "brackets": "[("} {
		t.Run(name, func(t *testing.T) {
			clocktest.Linear(t, 1<<14, func(size int) func() {
				text := strings.Repeat(part, size/len(part))
				return func() {
					if got := Read(text); len(got) > maxMessages {
						t.Errorf("%d messages", len(got))
					}
				}
			})
		})
	}
}

func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("2025-03-01 10:11:12 ERROR shop.db: connection to replica 7 lost, with much more to say about it\n", 200)
	for b.Loop() {
		Read(text)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Traceback (most recent call last):\nE: a \"b\" `c` 'd'")
	f.Add("thread 'x' panicked at 'y', a:1\n[ERROR] x: y")
	f.Fuzz(func(t *testing.T, text string) {
		Is(text)
		for _, m := range Read(text) {
			if len(m.Text) > maxLine || strings.ContainsAny(m.Text, "\n\r") {
				t.Errorf("message %q", m.Text)
			}
			Words(m.Text)
		}
	})
}

func TestCodesAndErrorsWithinAQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"ROOT_NOT_FOUND":                "ROOT_NOT_FOUND",
		"error code: ERR_STREAM_CLOSED": "ERR_STREAM_CLOSED",
		"why do I get lib.errors.MissingSchema: Invalid URL: no scheme for my example?": "Invalid URL: no scheme for my example",
	} {
		if got := Read(text); len(got) == 0 || got[0].Text != want || !got[0].Sure {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for _, m := range Read("MAX_CONTENT_LENGTH") {
		if m.Sure {
			t.Errorf("the name of a setting is taken for an error: %+v", m)
		}
	}
}
