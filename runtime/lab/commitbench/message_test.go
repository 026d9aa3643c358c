package commitbench

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMessagesAreCleaned(t *testing.T) {
	for _, c := range []struct{ name, message, want string }{
		{"plain", "keep the last segment when the disk is full", "keep the last segment when the disk is full"},
		{"conventional prefix", "fix(parser)!: accept an empty list of names", "accept an empty list of names"},
		{"path prefix", "pkg/foo: accept an empty list of names", "accept an empty list of names"},
		{"several prefixes", "[BUGFIX] tsdb, scrape: accept an empty list of names", "accept an empty list of names"},
		{"tag", "[CORE][SQL] accept an empty list", "accept an empty list"},
		{"issue first", "Fixed #123 -- Accept an empty list of names", "Accept an empty list of names"},
		{"ticket first", "PROJ-77: accept an empty list of names", "accept an empty list of names"},
		{"emoji", ":bug: accept an empty list of names", "accept an empty list of names"},
		{"issue last", "accept an empty list of names (#123)", "accept an empty list of names"},
		{"issue with its preposition", "add an accessor for #4867 and cache it", "add an accessor and cache it"},
		{"foreign issue", "accept an empty list, see owner/repo#12", "accept an empty list"},
		{"a call keeps its brackets", "call reset() before the pool closes", "call reset() before the pool closes"},
		{"a colon within stays", "say why: the list is empty here", "say why: the list is empty here"},
		{"link", "accept lists as https://example.org/a?b=c#d describes", "accept lists as describes"},
		{"markdown link", "accept lists as [the manual](https://example.org) says", "accept lists as the manual says"},
		{"body", "accept an empty list\n\nIt was refused since names\nwere needed.\n", "accept an empty list. It was refused since names were needed."},
		{"carriage returns", "accept an empty list\r\n\r\nIt was refused.\r\n", "accept an empty list. It was refused."},
		{"trailers", "accept an empty list\n\nIt was refused.\n\nSigned-off-by: A B <a@b.example>\nCo-authored-by: C <c@d.example>\nFixes: #12\nCloses #7\nReviewed-by: X", "accept an empty list. It was refused."},
		{"thanks", "accept an empty list\n\nThanks to @someone for the report", "accept an empty list"},
		{"fence", "accept an empty list\n\nIt was refused:\n```go\nfoo(bar)\n```\nafter all.", "accept an empty list. It was refused after all."},
		{"open fence", "accept an empty list\n\nBefore.\n```\nfoo(bar)\n", "accept an empty list. Before."},
		{"indented code", "accept an empty list\n\nBefore:\n\n    foo(bar)\n\nAfter.", "accept an empty list. Before After."},
		{"continued item", "accept an empty list\n\n- the first item\n  goes on here", "accept an empty list. the first item goes on here"},
		{"trace", "accept an empty list\n\nIt crashed\n  at com.example.Foo(Foo.java:12)\nCaused by: x.Y\nas said.", "accept an empty list. It crashed as said."},
		{"squash", "accept an empty list (#12)\n\n* first try\n\nwords of it\n\n* second try", "accept an empty list"},
		{"headings", "accept an empty list\n\n## Motivation\n\nIt was refused.\n\n| a | b |\n|---|---|\n", "accept an empty list. It was refused."},
		{"comment of a template", "accept an empty list\n\n<!-- describe\nyour change -->It was refused.", "accept an empty list. It was refused."},
		{"merge line", "accept an empty list\n\nMerge pull request 9867", "accept an empty list"},
		{"terminal escapes", "accept \x1b[31man empty list", "accept [31man empty list"},
		{"empty", "", ""},
		{"prefix alone", "fix:", "fix"},
	} {
		if _, got := cleanMessage(c.message); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestAQuestionHasAnEnd(t *testing.T) {
	_, got := cleanMessage("accept an empty list\n\n" + strings.Repeat("ein Satz über Namen. ", 200))
	if n := utf8.RuneCountInString(got); n > maxQuestion || n < maxQuestion*2/3 {
		t.Errorf("%d characters", n)
	}
	if !strings.HasSuffix(got, "Namen.") {
		t.Errorf("cut within a sentence: …%q", got[len(got)-30:])
	}
}

func TestRoutineSubjectsFallOut(t *testing.T) {
	for _, s := range []string{
		"Bump golang.org/x/net from 0.1.0 to 0.2.0", "chore(deps): update actions/checkout digest", "Update dependencies to their latest",
		"fix typo in the error message of parse", "Merge branch 'main' into feature", "Release v1.2.3 of the whole thing", "1.2.3",
		"Revert \"accept an empty list of names\"", "docs: say what an empty list means", "test: cover the empty list of names",
		"ci: run the tests on arm64 too", "style: wrap lines after one hundred", "refactor(parser): split the list of names",
		"Refactor parser so that lists are split", "rename Foo to Bar in the parser", "Renamed the parser's list of names",
		"Clean up the list of names a bit", "cleanup of the list of names", "Update Javadoc for the list of names", "add comments to the list of names",
		"Fix flaky test of the list of names", "Update README with the list of names", "prepare for next development iteration",
		"[maven-release-plugin] prepare release 2.1", "upgrade foo to the next version", "tests: more of them for names",
	} {
		subject, _ := cleanMessage(s)
		if isRoutine(s, subject) == "" {
			t.Errorf("asked: %q", s)
		}
	}
	for _, s := range []string{
		"Release the lock when the pool closes early", "fix(parser): accept an empty list of names", "Merge overlapping blocks only when they are sorted",
		"Add a limit to the number of open files", "reset the version vector after a failed write",
		"Format durations of less than a second in log lines", "parser: allow a document to hold several lists",
	} {
		subject, _ := cleanMessage(s)
		if why := isRoutine(s, subject); why != "" {
			t.Errorf("left out as %s: %q", why, s)
		}
	}
}

func TestAQuestionThatNamesTheFileGivesItAway(t *testing.T) {
	for _, c := range []struct {
		question string
		want     bool
	}{
		{"look at runtime/pipeline/engine/pool.go for it", true},
		{"look at POOL.go for it", true},
		{"the engine/pool is closed twice", true},
		{"whirlpool.go is another file", false},
		{"the pool is closed twice", false},
	} {
		if got := namesFile(c.question, []string{"runtime/pipeline/engine/pool.go"}); got != c.want {
			t.Errorf("%q: %v", c.question, got)
		}
	}
}

func TestTagsTellProseFromCode(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		{"close the queue before the workers stop", ""},
		{"close the pool before the workers stop", "stem"},
		{"close WorkerQueue before it stops", "ident"},
		{"close worker_queue before it stops", "ident"},
		{"call `close` before it stops", "ident"},
		{"call close() before it stops", "ident"},
		{"pass --no-wait to the pool", "stem ident"},
		{"use the HTTP API of GitHub pages.", "ident"},
	} {
		if got := strings.Join(tagsOf(c.question, []string{"engine/pool.go"}), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.question, got, c.want)
		}
	}
}
