package compact

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The parents of a line of a text: the headings above it, or the lines above it that are indented less.
type parentsOf func(lines []string) map[string]map[string]bool

// sectionsBy finds the sections of lines: head matches a heading with its name, end what is of no section.
func sectionsBy(head, end string) parentsOf {
	h := regexp.MustCompile(head)
	e := regexp.MustCompile(end)
	return func(lines []string) map[string]map[string]bool {
		out := map[string]map[string]bool{}
		cur := ""
		for _, l := range lines {
			if m := h.FindStringSubmatch(l); m != nil {
				cur = m[1]
				continue
			}
			if end != "" && e.MatchString(l) {
				cur = ""
			}
			addParent(out, squeeze(l), cur)
		}
		return out
	}
}

func addParent(out map[string]map[string]bool, line, parent string) {
	if out[line] == nil {
		out[line] = map[string]bool{}
	}
	out[line][parent] = true
}

// indentedBy are all the lines that each line stands below, by its indentation behind what trees are drawn with.
func indentedBy(lines []string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	type above struct {
		depth int
		line  string
	}
	var stack []above
	for _, l := range lines {
		name := strings.TrimLeft(l, " │├└─┬>")
		depth := len([]rune(l)) - len([]rune(name))
		if strings.TrimSpace(name) == "" || strings.HasPrefix(name, "[…") {
			continue
		}
		for len(stack) > 0 && stack[len(stack)-1].depth >= depth {
			stack = stack[:len(stack)-1]
		}
		name = squeeze(name)
		addParent(out, name, "")
		for _, a := range stack {
			addParent(out, name, a.line)
		}
		stack = append(stack, above{depth, name})
	}
	return out
}

// wrongParents are the lines of a summary that stand below what they do not stand below in its source. A line behind a
// mark of omission may stand below what is not shown.
func wrongParents(source, summary string, of parentsOf) (wrong []string, kept int) {
	own := of(strings.Split(source, "\n"))
	for line, parents := range of(strings.Split(summary, "\n")) {
		if own[line] == nil || len(line) < 5 {
			continue
		}
		kept++
		for p := range parents {
			if !own[line][p] {
				wrong = append(wrong, fmt.Sprintf("%q below %q", line, p))
			}
		}
	}
	return wrong, kept
}

// madeLog is a log of commits with the files and hunks of each, no line of which stands twice.
func madeLog(r *rand.Rand, commits int) string {
	var b strings.Builder
	for c := range commits {
		fmt.Fprintf(&b, "commit %040x\nAuthor: Dev <dev@example.com>\nDate:   2026-03-0%d\n\n    subject of change %d\n    \n    body of change %d fixes error E%d\n\n", c*7919+1, c%9+1, c, c, c)
		for f := range 1 + r.IntN(4) {
			fmt.Fprintf(&b, "diff --git a/pkg%d/file%d.go b/pkg%d/file%d.go\nindex 12ab34c..56de78f 100644\n--- a/pkg%d/file%d.go\n+++ b/pkg%d/file%d.go\n", c, f, c, f, c, f, c, f)
			for h := range 1 + r.IntN(3) {
				fmt.Fprintf(&b, "@@ -%d,3 +%d,4 @@ func step%d_%d_%d() {\n", h*40+1, h*40+1, c, f, h)
				for l := range 1 + r.IntN(6) {
					fmt.Fprintf(&b, "%svalue_%d_%d_%d_%d := compute(%d)\n", []string{" ", "+", "-"}[r.IntN(3)], c, f, h, l, r.IntN(99))
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// commitOfLog is what stands before the first file of a commit.
var commitOfLog = regexp.MustCompile(`(?s)commit .*?\n\ndiff`)

// madeTree is a tree of packages as npm draws it.
func madeTree(r *rand.Rand, n int) string {
	lines := []string{"shop@1.0.0 /srv/shop"}
	var grow func(prefix string, depth int)
	id := 0
	grow = func(prefix string, depth int) {
		kids := 1 + r.IntN(4)
		for k := range kids {
			if id++; id > n {
				return
			}
			branch, next := "├─", "│ "
			if k == kids-1 {
				branch, next = "└─", "  "
			}
			name := fmt.Sprintf("part-%d@%d.%d.%d", id, r.IntN(9), r.IntN(9), r.IntN(9))
			if r.IntN(30) == 0 {
				name = "UNMET DEPENDENCY " + name
			}
			if r.IntN(4) == 0 {
				name += " deduped"
			}
			lines = append(lines, prefix+branch+"─ "+name)
			if depth > 0 && r.IntN(2) == 0 {
				grow(prefix+next, depth-1)
			}
		}
	}
	for id < n {
		grow("", 5)
	}
	return strings.Join(lines, "\n") + "\n\nnpm error code ELSPROBLEMS\nnpm error missing: part-3@1.0.0, required by shop@1.0.0\n"
}

// madePage is a snapshot of a page with a table of orders.
func madePage(rows int) string {
	var b strings.Builder
	b.WriteString("- generic [ref=e1]:\n  - banner [ref=e2]:\n    - link \"Orders\" [ref=e3]:\n      - /url: /orders\n    - link \"Customers\" [ref=e4]:\n      - /url: /customers\n  - main [ref=e5]:\n    - heading \"All orders\" [level=1] [ref=e6]\n    - alert [ref=e7]: Payments are late.\n    - textbox \"Search orders\" [ref=e8]\n    - button \"New order\" [ref=e9]\n    - table [ref=e10]:\n      - rowgroup [ref=e11]:\n")
	for i := range rows {
		fmt.Fprintf(&b, "        - row \"B-%d\" [ref=f%d]:\n          - cell [ref=g%d]:\n            - link \"Open B-%d\" [ref=h%d]:\n              - /url: /orders/B-%d\n          - cell \"%d EUR\" [ref=i%d]\n", i, i, i, i, i, i, 7*i+1, i)
	}
	return b.String()
}

// madePlan is a plan of Terraform.
func madePlan(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "cloud_disk.d%d: Refreshing state... [id=disk-%d]\n", i, i)
	}
	b.WriteString("\nTerraform will perform the following actions:\n\n")
	for i := range n {
		what := []string{"will be updated in-place", "must be replaced", "will be created", "will be destroyed"}[r.IntN(4)]
		fmt.Fprintf(&b, "  # cloud_disk.d%d %s\n  ~ resource \"cloud_disk\" \"d%d\" {\n      ~ size_%d = %d -> %d\n        name_%d = \"disk %d\"\n    }\n\n", i, what, i, i, i, i+8, i, i)
	}
	fmt.Fprintf(&b, "Plan: 3 to add, 4 to change, 2 to destroy.\n")
	return b.String()
}

// madeLong is what ls -lR prints.
func madeLong(r *rand.Rand, dirs int) string {
	var b strings.Builder
	for d := range dirs {
		fmt.Fprintf(&b, "src/mod%d/inner%d:\ntotal 40\n", d%7, d)
		for f := range 2 + r.IntN(9) {
			fmt.Fprintf(&b, "-rw-r--r-- 1 dev dev %d Nov 26 12:0%d file_%d_%d.go\n", r.IntN(90000), r.IntN(9), d, f)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// No line of a summary stands below what it does not stand below in its source, however much room there is and wherever
// the source was cut.
func TestLinesStandBelowTheirParents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name, text string
		of         parentsOf
	}{
		{"commits", madeLog(r, 30), sectionsBy(`^commit (\w+)`, "")},
		{"files of commits", madeLog(r, 30), sectionsBy(`^(?:\+\+\+ b/|--- a/|diff --git a/)(\S+)`, `^commit |^Author|^Date|^    |^\s*$`)},
		{"a large diff", commitOfLog.ReplaceAllString(madeLog(r, 1500), "diff"), sectionsBy(`^(?:\+\+\+ b/|--- a/|diff --git a/)(\S+)`, `^commit |^Author|^Date|^    |^\s*$|^…$|^\[…`)},
		{"packages", madeTree(r, 900), indentedBy},
		{"a page", madePage(120), indentedBy},
		{"a plan", madePlan(r, 60), sectionsBy(`^\s*# (\S+) (?:will|must) be`, `^(?:Plan|Terraform|cloud_disk)`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 12 {
				text := c.text
				if r.IntN(2) == 0 {
					text = text[:len(text)/2+r.IntN(len(text)/2)]
				}
				bytes := 600 + r.IntN(7000)
				s := Shorten(text, Options{Bytes: bytes})
				wrong, kept := wrongParents(text, s.Text, c.of)
				if len(wrong) > 0 || kept < 3 {
					t.Fatalf("%d bytes, %d lines kept, wrong: %q\n%s", bytes, kept, wrong, s.Text)
				}
			}
		})
	}
}

// Names of ls -lR stand in their own directories, those of a listing that is read in part too.
func TestNamesStandInTheirDirectories(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, dirs := range []int{40, 30_000} {
		text := madeLong(r, dirs)
		for range 6 {
			s := Shorten(text, Options{Bytes: 1000 + r.IntN(6000)})
			var stack []string
			for _, l := range strings.Split(s.Text, "\n") {
				t1 := strings.TrimLeft(l, " ")
				name, rest, ok := strings.Cut(t1, "/ ")
				depth := len(l) - len(t1)
				if !ok && !strings.HasSuffix(t1, "/") || strings.HasPrefix(t1, "[…") {
					continue
				}
				stack = append(stack[:min(depth, len(stack))], strings.TrimSuffix(name, "/"))
				dir := strings.Join(stack, "/")
				for _, f := range regexp.MustCompile(`file_\d+_\d+\.go \d+`).FindAllString(rest, -1) {
					file, size, _ := strings.Cut(f, " ")
					at := strings.Index(text, dir+":\n")
					end := strings.Index(text[max(at, 0):], "\n\n")
					if at < 0 || !regexp.MustCompile(` `+size+` .* `+regexp.QuoteMeta(file)+`\n`).MatchString(text[at:at+end+1]) {
						t.Errorf("%s of %s is not in %s", f, l, dir)
					}
				}
			}
		}
	}
}

// What decides is kept at every size.
func TestWhatDecidesIsKept(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var status strings.Builder
	status.WriteString("On branch feature/limits\nYou have unmerged paths.\n  (fix conflicts and run \"git commit\")\n\nChanges to be committed:\n")
	for i := range 200 {
		fmt.Fprintf(&status, "\tmodified:   docs/page%d.md\n", i)
	}
	status.WriteString("\nUnmerged paths:\n  (use \"git add/rm <file>...\" as appropriate to mark resolution)\n\tboth modified:   lib/reply.js\n\tdeleted by us:   lib/wrap.js\n\nUntracked files:\n  (use \"git add <file>...\" to include in what will be committed)\n\tnotes/\n")
	var stat strings.Builder
	for i := range 60 {
		fmt.Fprintf(&stat, "commit %040x\nAuthor: Dev <dev@example.com>\nDate:   2026-01-02\n\n    subject %d\n\n pkg/file%d.go | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)\n\n", i*7919+1, i, i)
	}
	for _, c := range []struct {
		name, text, task string
		keeps, drops     []string
	}{
		{"packages", madeTree(r, 900), "", []string{"npm error code ELSPROBLEMS", "missing: part-3@1.0.0, required by shop@1.0.0", "UNMET DEPENDENCY", "shop@1.0.0 /srv/shop"}, nil},
		{"a page", madePage(90), "make a new order, then open B-77", []string{"alert [ref=e7]: Payments are late.", `button "New order" [ref=e9]`, `textbox "Search orders" [ref=e8]`, `link "Open B-77" [ref=h77]`, `link "Customers" [ref=e4]`}, nil},
		{"a plan", madePlan(r, 40), "", []string{"Plan: 3 to add, 4 to change, 2 to destroy.", "must be replaced", "will be destroyed"}, []string{"Refreshing state"}},
		{"a status", status.String(), "", []string{"On branch feature/limits", "Unmerged paths:", "both modified: lib/reply.js", "deleted by us: lib/wrap.js", "Untracked files:"}, nil},
		{"commits with their files", stat.String(), "", []string{"subject 0"}, nil},
		{"a new file and one that is gone", "diff --git a/old.md b/old.md\ndeleted file mode 100644\nindex 1..0\n--- a/old.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-bye\n-now\n" + "diff --git a/new.md b/new.md\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1,2 @@\n+hello error\n+you\n" + madeLog(r, 20), "new.md old.md", []string{"--- a/old.md [… deleted, +0 -2]", "+++ b/new.md [… new file, +2 -0]"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, bytes := range []int{1999, 3999, 7999} {
				if s := Shorten(c.text, Options{Bytes: bytes, Subject: Subject{Task: c.task}}); !s.Whole {
					holds(t, c.text, s.Text, c.keeps, c.drops)
				}
			}
		})
	}
}
