package match

import (
	"context"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found renders the matched lines as number:text with the match in brackets.
func found(t *testing.T, m *Matcher, text string) []string {
	t.Helper()
	got := []string{}
	err := m.NewScanner().Lines(context.Background(), []byte(text), func(l Line) bool {
		from, to := l.Match[0], l.Match[1]
		got = append(got, string(rune('0'+l.Number))+":"+text[l.Start:from]+"["+text[from:to]+"]"+text[to:l.End])
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLines(t *testing.T) {
	tests := []struct {
		name    string
		pattern string
		opt     Options
		text    string
		want    []string
	}{
		{"literal", "b.c", Options{Literal: true}, "abc\nab.c\n", []string{"2:a[b.c]"}},
		{"last line without newline", "c$", Options{}, "c d\nd c", []string{"2:d [c]"}},
		{"no line after the last newline", "^$", Options{}, "a\n", []string{}},
		{"empty lines", "^$", Options{}, "\na\n\n", []string{"1:[]", "3:[]"}},
		{"empty pattern", "", Options{}, "a\n\nb", []string{"1:[]a", "2:[]", "3:[]b"}},
		{"empty text has no line", "", Options{}, "", []string{}},
		{"carriage return belongs to the line", "foo$", Options{}, "foo\r\nfoo\n", []string{"2:[foo]"}},
		{"carriage return named", `foo\r?$`, Options{}, "foo\r\nfoo\n", []string{"1:[foo\r]", "2:[foo]"}},
		{"begin of text is begin of line", `\Ab`, Options{}, "a\nb\n", []string{"2:[b]"}},
		{"space does not cross lines", `a\s+b`, Options{}, "a\nb\na \tb", []string{"3:[a \tb]"}},
		{"negated class does not cross lines", `a[^x]+b`, Options{}, "a\nb\na-b", []string{"3:[a-b]"}},
		{"dot matches invalid bytes one by one", `^a..$`, Options{}, "a\xff\xfe\na\xff\n", []string{"1:[a\xff\xfe]"}},
		{"NUL bytes", "a\x00b", Options{}, "\x00\na\x00b", []string{"2:[a\x00b]"}},
		{"ignore case", "failed to", Options{IgnoreCase: true}, "Failed To\nfailed\n", []string{"1:[Failed To]"}},
		{"ignore case past ASCII", "straße é", Options{IgnoreCase: true}, "STRAẞE É\n", []string{"1:[STRAẞE É]"}},
		{"kelvin and long s fold", "task", Options{IgnoreCase: true}, "ta\u017f\u212a\nTASK\n", []string{"1:[ta\u017f\u212a]", "2:[TASK]"}},
		{"smart case without capitals", `foo\W`, Options{SmartCase: true}, "FOO-\nfoo-\n", []string{"1:[FOO-]", "2:[foo-]"}},
		{"smart case with a capital", `Foo`, Options{SmartCase: true}, "foo\nFoo\nFOO\n", []string{"2:[Foo]"}},
		{"smart case knows names and classes", `(?P<Name>\pL[[:alpha:]]\D)`, Options{SmartCase: true}, "abc", []string{"1:[abc]"}},
		{"smart case sees ranges", `^[A-Z]`, Options{SmartCase: true}, "a\nA\n", []string{"2:[A]"}},
		{"word", "foo", Options{Word: true}, "foobar\nfoo_\na foo.b\nfoo\n", []string{"3:a [foo].b", "4:[foo]"}},
		{"word of a second choice", "foo|foobar", Options{Word: true}, "x foobar", []string{"1:x [foobar]"}},
		{"word later in the line", "foo", Options{Word: true}, "foox xfoo foo", []string{"1:foox xfoo [foo]"}},
		{"word of no letters", `\$foo`, Options{Word: true}, "a$foo\n $foo\n", []string{"2: [$foo]"}},
		{"word next to other letters", "foo", Options{Word: true}, "éfooé", []string{"1:é[foo]é"}},
		{"leftmost, then first listed", "ab|a|abc", Options{}, "xabc", []string{"1:x[ab]c"}},
		{"leftmost before longest window", "needle|le|dlex", Options{}, "a needlex", []string{"1:a [needle]x"}},
		{"lazy", "a+?b??", Options{}, "aab", []string{"1:[a]ab"}},
		{"open quote", `\Qa.b`, Options{Word: true}, "axb\na.b\n", []string{"2:[a.b]"}},
		{"single byte at the very end", "z", Options{}, "a\nz", []string{"2:[z]"}},
		{"class at the very end", "[yz]", Options{}, "a\nz", []string{"2:[z]"}},
		{"never", `[^\x00-\x{10FFFF}]`, Options{}, "a\n", []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Compile(tt.pattern, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, found(t, m, tt.text)); diff != "" {
				t.Errorf("lines (-want +got)\n%s", diff)
			}
		})
	}
}

func TestAny(t *testing.T) {
	many := make([]string, MaxLiterals)
	for i := range many {
		many[i] = strings.Repeat(string(rune('a'+i%26)), 1+i/26%7)
	}
	many[MaxLiterals-1] = "Ünder"
	tests := []struct {
		name     string
		literals []string
		opt      Options
		text     string
		want     []string
	}{
		{"one", []string{"a.b"}, Options{}, "axb\na.b\n", []string{"2:[a.b]"}},
		{"first listed wins", []string{"foo", "foobar"}, Options{}, "foobar", []string{"1:[foo]bar"}},
		{"word", []string{"foo", "foobar"}, Options{Word: true}, "foobar", []string{"1:[foobar]"}},
		{"ignore case", []string{"sql", "kind"}, Options{IgnoreCase: true}, "Kind\n\u017fqL\n", []string{"1:[Kind]", "2:[\u017fqL]"}},
		{"smart case", []string{"sql", "Kind"}, Options{SmartCase: true}, "SQL\nkind\nKind\n", []string{"3:[Kind]"}},
		{"replacement character stands for invalid bytes", []string{"x", "\uFFFD"}, Options{}, "a\xff\n", []string{"1:a[\xff]"}},
		{"many", many, Options{IgnoreCase: true}, "-\n- üNDER\n", []string{"2:- [üNDER]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Any(tt.literals, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, found(t, m, tt.text)); diff != "" {
				t.Errorf("lines (-want +got)\n%s", diff)
			}
		})
	}
}

// TestSources compares with regexp over real text, which has what nobody thinks of.
func TestSources(t *testing.T) {
	limit := 64 << 10
	if os.Getenv("COMPACTOR_LONG") != "" {
		limit = 1 << 30
	}
	for _, c := range classes {
		m, err := Compile(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		re, s, left := regexp.MustCompile(c.pattern), m.NewScanner(), limit
		for _, text := range sources() {
			if diff := cmp.Diff(reference(re, 0, text), collect(t, s, text)); diff != "" {
				t.Fatalf("pattern %q: lines (-regexp +match)\n%s", c.pattern, diff)
			}
			if left -= len(text); left < 0 {
				break
			}
		}
	}
}

func TestStop(t *testing.T) {
	for _, pattern := range []string{"a", "[a-z]+", "a|b"} {
		m, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		m.Lines([]byte("a\na\na\n"), func(int, int, []int) bool { calls++; return calls < 2 })
		if calls != 2 {
			t.Errorf("pattern %q: fn called %d times after it said stop at 2", pattern, calls)
		}
	}
}

func TestMatcherIsShared(t *testing.T) {
	m, err := Compile(`(?i)\b[a-k]+[0-9]+s|taſk`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("abc12s\nnothing\nTASK é\n", 200))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				n := 0
				m.Lines(text, func(start, end int, loc []int) bool { n++; return loc[0] == start })
				if n != 400 {
					t.Errorf("%d lines, want 400", n)
				}
			}
		})
	}
	wg.Wait()
}
