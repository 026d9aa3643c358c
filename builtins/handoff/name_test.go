package handoff

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFileName(t *testing.T) {
	tests := []struct{ name, chosen, question, want string }{
		{"from the question", "", "How does the Pool end?", "how-does-the-pool-end-2cf24dba.md"},
		{"chosen", "Pool shutdown", "x", "pool-shutdown.md"},
		{"chosen with extension", "pool.md", "x", "pool.md"},
		{"chosen path stays a name", "../../etc/passwd", "x", "etc-passwd.md"},
		{"nothing to say", "", "???", "handoff-2cf24dba.md"},
		{"other scripts", "", "Wie schließt der Vorrat? 終わり", "wie-schlie-t-der-vorrat-2cf24dba.md"},
		{"only other scripts", "", "終わり", "handoff-2cf24dba.md"},
		{"cut at a word", "", "where is the worker pool of the server built and who ends it at last", "where-is-the-worker-pool-of-the-server-built-2cf24dba.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fileName(tt.chosen, Document{Question: tt.question}, "hello"); got != tt.want {
				t.Errorf("fileName = %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzSlug(f *testing.F) {
	f.Add("How does it end?")
	f.Add("ǅ\xff/..\\\x00")
	f.Fuzz(func(t *testing.T, s string) {
		got := slug(s)
		if !utf8.ValidString(got) || len(got) > slugMax+1 {
			t.Fatalf("slug(%q) = %q", s, got)
		}
		if strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(got, "-") || strings.HasSuffix(got, "-") {
			t.Fatalf("slug(%q) = %q", s, got)
		}
	})
}
