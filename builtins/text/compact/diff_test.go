package compact

import (
	"fmt"
	"strings"
	"testing"
)

// diffOf is a diff of one file with a hunk of these lines.
func diffOf(name, hunk string, lines ...string) string {
	return "diff --git a/" + name + " b/" + name + "\nindex 1..2 100644\n--- a/" + name + "\n+++ b/" + name + "\n" + hunk + "\n" + strings.Join(lines, "\n") + "\n"
}

// Each file is named with what happened to it and how many of its lines were changed; what is shown of it stands below it.
func TestFilesOfDiffs(t *testing.T) {
	filler := diffOf("filler.txt", "@@ -1,120 +1,120 @@", strings.Split(strings.TrimSuffix(linesEach(120, func(i int) string { return fmt.Sprintf("-old %d\n+new %d", i, i) }), "\n"), "\n")...)
	for _, c := range []struct {
		name, text   string
		keeps, drops []string
	}{
		{"a removed line that looks like the head of a file",
			diffOf("q.sql", "@@ -1,3 +1,2 @@", " select 1;", "--- drop the old table", "-drop table x;", "+++ count;"),
			[]string{"+++ b/q.sql [… +1 -2]\n"}, []string{"drop the old table ["}},
		{"a hunk that was cut short",
			diffOf("a.go", "@@ -1,90 +1,90 @@", "-x", "+y") + diffOf("b.go", "@@ -1,1 +1,1 @@", "-func X() {}", "+func Y() {}"),
			[]string{"+++ b/a.go [… +1 -1]\n", "+++ b/b.go [… +1 -1]\n@@ -1,1 +1,1 @@\n-func X() {}\n+func Y() {}"}, nil},
		{"files that are new, gone, renamed, binary, and of another mode",
			"diff --git a/n.go b/n.go\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+package n\n+func New() {}\n" +
				"diff --git a/d.go b/d.go\ndeleted file mode 100644\nindex 1..0\n--- a/d.go\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-package d\n" +
				"diff --git a/from.go b/to.go\nsimilarity index 90%\nrename from from.go\nrename to to.go\nindex 1..2 100644\n--- a/from.go\n+++ b/to.go\n@@ -1 +1 @@\n-a\n+b\n" +
				"diff --git a/x.png b/x.png\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/x.png differ\n" +
				"diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
			[]string{"+++ b/n.go [… new file, +2 -0]", "--- a/d.go [… deleted, +0 -1]", "+++ b/to.go [… rename from from.go, +1 -1]", "diff --git a/x.png b/x.png [… new file, binary]", "diff --git a/run.sh b/run.sh [… new mode 100755]"}, nil},
		{"a diff without git",
			"--- a.c\t2026-01-01\n+++ a.c\t2026-01-02\n@@ -1,2 +1,2 @@\n-int f(void);\n+int f(int n);\n same\n--- b.c\t2026-01-01\n+++ b.c\t2026-01-02\n@@ -9 +9 @@\n-x\n+y\n",
			[]string{"+++ a.c\t2026-01-02 [… +1 -1]\n", "+++ b.c\t2026-01-02 [… +1 -1]"}, nil},
		{"a merge",
			"diff --cc m.go\nindex 1,2..3\n--- a/m.go\n+++ b/m.go\n@@@ -1,2 -1,2 +1,3 @@@\n  same\n- func Ours() {}\n -func Theirs() {}\n++func Both() {}\n",
			[]string{"+++ b/m.go [… +1 -2]\n", "++func Both() {}"}, nil},
		{"a deleted file behind another",
			"--- a/keep.go\n+++ b/keep.go\n@@ -1 +1 @@\n-func A() {}\n+func B() {}\n--- a/gone.go\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-func Gone() error {\n",
			[]string{"--- a/gone.go [… +0 -1]"}, []string{"-func A() {}\n+func B() {}\n@@"}},
		{"SQL comments at the end of a hunk",
			diffOf("q.sql", "@@ -1,2 +1,2 @@", " x", "--- old comment", "+++ new comment") + "@@ -9,1 +9,1 @@\n-func a()\n+func b()\n",
			[]string{"+++ b/q.sql [… +2 -2]\n"}, []string{"+++ new comment ["}},
		{"files that svn names, and a binary patch",
			"Index: src/f1.c\n===================================================================\n--- src/f1.c\t(revision 1)\n+++ src/f1.c\t(working copy)\n@@ -1 +1 @@\n-int a;\n+int b;\nIndex: src/f2.c\n===================================================================\ndiff --git a/x.bin b/x.bin\nGIT binary patch\nliteral 9\nzcmV+abc0ERROR\n\n",
			[]string{"+++ src/f1.c\t(working copy) [… +1 -1]", "diff --git a/x.bin b/x.bin [… binary]"}, []string{"zcmV"}},
		{"what is set in further, and what is only aligned anew",
			diffOf("a.py", "@@ -1,3 +1,3 @@", "-x = save(order)", "+    x = save(order)", "-one   = 1", "+one = 1"),
			[]string{"-x = save(order)\n", "x = save(order)\n"}, []string{"one = 1"}},
		{"declarations before what stands around them",
			diffOf("lib.rs", "@@ -1,2 +1,9 @@ mod lib {", " mod a;", "+    let a = thing(1);", "+    let b = thing(2);", "+pub trait Executor {", "+    fn execute(&self);", "+}", " mod b;"),
			[]string{"+pub trait Executor {", "+++ b/lib.rs [… +5 -0]"}, []string{"mod b;"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Shorten(c.text+filler, Options{Bytes: 1600, Kind: Diff})
			text := strings.Join(strings.Fields(strings.ReplaceAll(s.Text, "\n", "\x00")), " ")
			for _, k := range c.keeps {
				if !strings.Contains(text, strings.Join(strings.Fields(strings.ReplaceAll(k, "\n", "\x00")), " ")) {
					t.Errorf("%q is not in:\n%s", k, s.Text)
				}
			}
			holds(t, c.text+filler, s.Text, nil, c.drops)
		})
	}
}

// A line is shown with the one that replaced it, wherever that stands among the added ones.
func TestReplacedLines(t *testing.T) {
	text := diffOf("cart.go", "@@ -1,3 +1,6 @@", "-\tname := file", "-\tif total(order) != nil {", "-\t\treturn order.sum", "+\t// Because the order may be gone by then, which", "+\t// nobody else looks at.", "+\tname := base(file)", "+\tif total(order) != nil && !order.gone {", "+\t\treturn order.sum()", "+\t\t// of all")
	lines := strings.Split(text, "\n")
	d := readDiff(lines)
	for k, with := range d.findReplacements(lines) {
		if with < 0 {
			continue
		}
		if a, b := strings.TrimSpace(lines[k][1:]), strings.TrimSpace(lines[with][1:]); a[:8] != b[:8] {
			t.Errorf("%q is replaced with %q", a, b)
		}
	}
}

// Of many files those that changed most are named, and how many others there are.
func TestManyFilesOfADiff(t *testing.T) {
	var text strings.Builder
	for i := range 90 {
		n := 1
		if i == 57 {
			n = 40
		}
		lines := strings.Split(strings.TrimSuffix(linesEach(n, func(k int) string { return fmt.Sprintf("+line %d of it", k) }), "\n"), "\n")
		text.WriteString(diffOf(fmt.Sprintf("pkg/file%02d.go", i), fmt.Sprintf("@@ -0,0 +1,%d @@", n), lines...))
	}
	s := Shorten(text.String(), Options{Bytes: 1200})
	holds(t, text.String(), s.Text, []string{"+++ b/pkg/file57.go [… +40 -0]", " of the 90 files, "}, nil)
}

// Commits are a line each, with their statistics; messages only where there is room for them.
func TestCommitsOfALog(t *testing.T) {
	log := func(n int) string {
		return linesEach(n, func(i int) string {
			return fmt.Sprintf("commit 12345678901%d%028x\nAuthor: %s <dev@example.org>\nDate:   Mon Nov %d 07:57:54 2026 +0000\n\n    cart: part %d\n\n    Because of ticket T-%d.\n\n cart/part%d.go | %d +++--\n 1 file changed, %d insertions(+), 2 deletions(-)\n",
				i%10, i+0xabc, either(i == 3, "Second", "First"), 28-i%28, i, i, i, 10*i+5, 10*i+3)
		})
	}
	for _, c := range []struct {
		name, text, task string
		bytes            int
		keeps, drops     []string
	}{
		{"many", log(60), "", 1500, []string{"[60 commits]; Nov 25 2026 to Nov 28 2026\n", " Nov 28 2026 cart: part 0 [1 file, 3 insertions, 2 deletions] (First)\n", "cart: part 59 [1 file, 593 insertions", " of the 60 commits, "}, []string{"Because of"}},
		{"few", log(4), "", 800, []string{"[4 commits]", "cart: part 3 [1 file, 33 insertions, 2 deletions] (Second)", "  cart/part3.go | 35", "  Because of ticket T-3."}, nil},
		{"a ticket that is asked for", log(60), "what was T-41 about", 1500, []string{"cart: part 41 ", "\n  Because of ticket T-41."}, nil},
		{"counts in a message", strings.ReplaceAll(log(60), "Because of ticket", "12 tests changed to be skipped, ticket"), "", 1500, []string{"cart: part 0 [1 file, 3 insertions, 2 deletions]"}, []string{"[12 tests"}},
		{"a name of digits alone is longer", log(60), "", 1500, []string{"12345678901"}, []string{"\n123456789010 "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Shorten(c.text, Options{Bytes: c.bytes, Subject: Subject{Task: c.task}})
			if s.Kind != Diff || len(s.Text) > c.bytes {
				t.Errorf("read as %s, %d bytes", s.Kind, len(s.Text))
			}
			holds(t, c.text, s.Text, c.keeps, c.drops)
		})
	}
}
