package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAutomatonAgainstPlainSearch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	word := func(n int) string {
		b := make([]byte, 1+rnd.IntN(n))
		for i := range b {
			b[i] = "abAB-"[rnd.IntN(5)]
		}
		return string(b)
	}
	for range 300 {
		keywords := make([][]string, 1+rnd.IntN(6))
		for d := range keywords {
			for range 1 + rnd.IntN(3) {
				keywords[d] = append(keywords[d], strings.ToLower(word(5)))
			}
		}
		text := word(60)
		a, ok := newAutomaton(keywords)
		if !ok {
			t.Fatal("too many states")
		}
		type found struct{ detector, start, end int }
		got, want := map[found]int{}, map[found]int{}
		a.scan(text, func(end int, hits []hit) bool {
			for _, h := range hits {
				got[found{int(h.detector), end - int(h.length), end}]++
			}
			return true
		})
		for d, list := range keywords {
			for _, k := range list {
				for i := 0; i+len(k) <= len(text); i++ {
					if strings.EqualFold(text[i:i+len(k)], k) {
						want[found{d, i, i + len(k)}]++
					}
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("keywords %q, text %q (-want +got):\n%s", keywords, text, diff)
		}
	}
}

func TestShape(t *testing.T) {
	for _, tt := range []struct {
		expr     string
		keywords []string
		want     shape
	}{
		{`\bghx_[a-z]{4}`, []string{"ghx_"}, shape{true, true, 8, "ghx_"}},
		{`(?i)\b(ab|cd)\d{2,3}`, []string{"ab", "cd"}, shape{true, true, 5, ""}},
		{`(ab|cd)x`, []string{"ab"}, shape{false, false, 3, ""}},
		{`[Aa]bc+`, []string{"abc"}, shape{true, false, unbounded, ""}},
		{`a?bc`, []string{"bc"}, shape{false, false, 3, ""}},
		{`x*ab`, []string{"ab"}, shape{false, false, unbounded, ""}},
		{`(?:new[_-]?relic)\s`, []string{"newrelic", "new-relic", "new_relic"}, shape{true, false, 10, "new"}},
		{`ab(?:cd)+e`, []string{"abcd"}, shape{true, false, unbounded, "ab"}},
		{`.é`, []string{"x"}, shape{false, false, 8, ""}},
	} {
		if diff := cmp.Diff(tt.want, shapeOf(tt.expr, tt.keywords), cmp.AllowUnexported(shape{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.expr, diff)
		}
	}
}

func TestToInput(t *testing.T) {
	d := (&detector{id: "x"}).prepare()
	text := "ab\ncd efgh ij"
	done := []span{{0, 5, d}, {6, 8, d}}
	out := replaceSpans(text, done)
	if want := "[REDACTED:x]\n [REDACTED:x]gh ij"; out != want {
		t.Fatalf("got %q, want %q", out, want)
	}
	at := strings.Index(out, "ij")
	got := toInput([]span{{at - 3, at - 1, d}, {at, at + 2, d}}, done, text)
	if text[got[0].start:got[0].end] != "gh" || text[got[1].start:got[1].end] != "ij" {
		t.Errorf("got %+v", got)
	}
}

func TestMergeAndCut(t *testing.T) {
	a, b := &detector{id: "a", rank: rankGeneric}, &detector{id: "b", rank: rankVendor}
	text := "0123456 89abcdef"
	merged := mergeSpans([]span{{9, 12, a}, {1, 4, a}, {3, 8, b}, {12, 13, b}})
	got := subtractHoles(text, merged, []window{{0, 2}, {5, 6}, {5, 7}, {10, 11}})
	want := []Span{{"b", 2, 5}, {"a", 9, 10}, {"a", 11, 12}, {"b", 12, 13}}
	if diff := cmp.Diff(want, exportSpans(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What reads as words must stay clear of what is drawn at random, at every length that counts.
func TestChance(t *testing.T) {
	for _, words := range []string{
		"rewriteValueAMD64_OpAMD64VPMAXUDMasked256", "testTransportConnectionCloseOnRequestDisableKeepAlive",
		"STATUS_VID_INVALID_MEMORY_BLOCK_HANDLE", "application/vnd.oci.image.manifest.v1+json", "my-service-account-2024-prod",
		"getUserByEmailAddress2", "0123456789", "abcdefghijklmnopqrstuvwxyz", "aaaaaaaaaaaaaaaaaaaaaaaa", "ABCDEF0123456789",
	} {
		if bits, _, _ := measureRandomness(words); bits >= nearBits {
			t.Errorf("%s: %.0f bits of chance", words, bits)
		}
	}
	for _, letters := range []string{hexLetters, lowerLetters, upperLetters, mixedLetters} {
		for _, n := range []int{16, 24, 40} {
			v := drawn(n, letters)
			bits, start, end := measureRandomness(v)
			if bits < namedBits || end-start < n/2 {
				t.Errorf("%s: %.0f bits in [%d:%d)", v, bits, start, end)
			}
		}
	}
}

func TestClassify(t *testing.T) {
	for kind, names := range map[nameKind][]string{
		nameSecret: {"token", "AWS_SECRET_ACCESS_KEY", "apiKey", "x-api-key", "clientSecret", "githubToken", "MYTOKEN", "APIKEY", "session_token", "auth",
			"signing_key", "SECRET_KEY_BASE", "token_prod", "apiKey2", "--access-token", "spring.security.oauth2.client-secret"},
		namePassword: {"password", "DB_PASSWORD", "db_pass", "rootPassword", "passwd", "SMTPPASSWORD", "password1", "PGPASSWORD"},
		nameVendor:   {"pinecone", "OPENAI_KEY", "deepgram_project", "openAi"},
		nameBenign: {"public_key", "tokenUrl", "access_key_id", "token_type", "passwordField", "secretName", "api_version", "sha256", "csrf_token",
			"key_file", "commitHash", "primary_key", "password_expires_at", "secret-path"},
		nameNeutral: {"", "x", "keyboard", "monkey", "tokenize", "bypass", "compass", "data", "foo_bar", "sort"},
	} {
		for _, name := range names {
			if got := classifyName(name); got != kind {
				t.Errorf("classify(%q) = %d, want %d", name, got, kind)
			}
		}
	}
}
