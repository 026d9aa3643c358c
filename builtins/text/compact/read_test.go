package compact

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
)

// Columns, commits and members are read as what they are: their head stands above them, what differs is shown, and what
// was left out is counted.
func TestRecordsOfCommands(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  Kind
		text  string
		keeps []string
		drops []string
	}{
		{"ps aux", Table, "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n" +
			linesFor(60, "root     %7d  0.0  0.0      0     0 ?        I    10:21   0:00 [kworker/%d:1-events]\n") +
			"postgres  991822 98.1 12.4 1820788 98428 ?      Rl   10:40   7:12 /usr/lib/postgresql/16/bin/postgres -D /srv/db\n" +
			linesFor(30, "root     %7d  0.0  0.0      0     0 ?        S    10:22   0:00 [irq/%d-pciehp]\n"),
			[]string{"[91 rows]", "PID | %CPU", "COMMAND", "991822 | 98.1", "/usr/lib/postgresql/16/bin/postgres -D /srv/db", " rows left out]"}, nil},
		{"docker ps", Table, "CONTAINER ID   IMAGE         COMMAND                  CREATED        STATUS                     PORTS                  NAMES\n" +
			linesFor(40, "d12fafd0%04x   redis:7.2     \"docker-entrypoint.s…\"   2 hours ago    Up 2 hours                 0.0.0.0:80%02d->80/tcp   shop-web-%[1]d\n") +
			"4411fafd03fb   postgres:16   \"docker-entrypoint.s…\"   3 hours ago    Exited (137) 2 hours ago                          shop-db-1\n",
			[]string{"[41 rows]; all: COMMAND=", "CONTAINER ID | ", "4411fafd03fb", "Exited (137) 2 hours ago", "shop-db-1"}, nil},
		{"kubectl get pods -A -o wide", Table, "NAMESPACE   NAME           READY   STATUS             RESTARTS      AGE   IP          NODE     NOMINATED NODE   READINESS GATES\n" +
			linesFor(40, "shop        web-%09x   1/1     Running            0             41d   10.1.4.%-3d  node-1   <none>           <none>\n") +
			"shop        db-9c5f41-x2   0/1     CrashLoopBackOff   17 (3m ago)   41d   10.1.9.77   node-3   <none>           <none>\n",
			[]string{"[41 rows]; all: ", "NOMINATED NODE=<none>", "NAME | ", "db-9c5f41-x2", "CrashLoopBackOff | 17 (3m ago)"}, nil},
		{"df -h", Table, "Filesystem      Size  Used Avail Use% Mounted on\n" +
			linesFor(30, "tmpfs            24G     0   24G   0%% /run/user/%[2]d\n") + "/dev/vda        252G  251G    1G  99% /var/lib/registry\n",
			[]string{"[31 rows]", "Mounted on", "/dev/vda | 252G", "99% | /var/lib/registry"}, nil},
		{"ls -l", Table, "total 732\n" + linesFor(40, "-rw-r--r--  1 root     root      4096 May 20  2025 part-%03d.bin %[2]d\n") + "-rwsr-xr-x  1 postgres postgres 99123 Nov 23 15:32 run me\n",
			[]string{"[41 rows]", "mode | ", "name", "-rwsr-xr-x | postgres", "run me"}, nil},
		{"psql", Table, " id  |   name    | state \n-----+-----------+-------\n" + linesFor(60, " %3d | order %3d | open  \n") + "  61 | order 999 | lost  \n(61 rows)\n",
			[]string{"[61 rows]", "id | name | state", "61 | order 999 | lost", "(61 rows)"}, nil},
		{"sqlite -box", Table, "┌────┬───────┐\n│ id │ name  │\n├────┼───────┤\n" + linesFor(60, "│ %2d │ x%03d  │\n") + "└────┴───────┘\n",
			[]string{"[60 rows]", "id | name"}, []string{"│"}},
		{"top", Table, "top - 15:38:02 up 17 min,  0 user,  load average: 2.78, 4.20, 2.27\nTasks:  61 total,   1 running\n\n    PID USER      PR  NI %%CPU     TIME+ COMMAND\n" +
			linesFor(60, "%7d root      20   0   0.0   0:00.%02d kworker\n"),
			[]string{"load average: 2.78", "[60 rows]", "USER=root", "PID | "}, nil},
		{"git log", Diff, linesFor(40, "commit 7f93%03dc5e65fa4009e35e2885d2ad32595e0000\nAuthor: dev <dev@example.org>\nDate:   Mon Nov 23 07:57:54 2026 +0000\n\n    cart: part %d\n\n    More of it.\n\n"),
			[]string{"[40 commits]; all: author=dev", "7f93000c5e65 Nov 23 2026 cart: part 0", " of the 40 commits, "}, nil},
		{"git log --oneline", Table, linesFor(90, "7f93a%03d cart: part %d of the whole\n"),
			[]string{"[90 commits]\n7f93a000 cart: part 0 of the whole\n7f93a001 cart: part 1 of the whole\n", " of the 90 commits, "}, nil},
		{"git diff --stat", Table, linesFor(80, " pkg/part%[1]d.go | 4 +--\n") + " pkg/large.go | 812 ++++++++++++-----\n pkg/x.png | Bin 0 -> 1420 bytes\n 82 files changed, 900 insertions(+), 232 deletions(-)\n",
			[]string{"[82 rows]", "file | lines changed", "pkg/large.go | 812", "82 files changed, 900 insertions(+), 232 deletions(-)", " rows left out]"}, nil},
		{"git blame", Table, linesFor(80, "ecd3e4673 (Dev One 2026-11-21 04:33:56 +0000 %3d) \treturn %[2]d\n") + "^0a78841 (Dev Two 2026-11-27 18:19:00 +0000 81) }\n",
			[]string{"[81 rows]", "line | commit | author | date | code", "81 | ^0a78841 | Dev Two | 2026-11-27 | }", "author: Dev One (80), Dev Two (1)"}, []string{"04:33:56"}},
		{"git blame --date=short", Table, linesFor(80, "ecd3e4673 lib/app.js (Dev One 2026-11-21 %3d) \treturn %[2]d\n") + "0a788412 lib/app.js (Dev Two 2026-11-27  81) }\n",
			[]string{"[81 rows]", "author: Dev One (80), Dev Two (1)", "81 | 0a788412 | Dev Two | 2026-11-27 | }"}, []string{"commits]"}},
		{"git log --numstat", Diff, linesFor(30, "commit 7f93%03dc5e65fa4009e35e2885d2ad32595e0000\nAuthor: dev <dev@example.org>\nDate:   Mon Nov 23 07:57:54 2026 +0000\n\n    cart: part %d\n\n12\t3\tcart/cart.go\n-\t-\tcart/cart.png\n"),
			[]string{"[30 commits]; all: author=dev", "7f93000c5e65 Nov 23 2026 cart: part 0", "cart/cart.go | +12 -3"}, []string{"7f93000c5e65fa4009e35e2885d2ad32595e0000"}},
		{"git log --oneline --shortstat", Table, linesFor(60, "7f93a%03d cart: part %[1]d of the whole\n 1 file changed, %[1]d insertions(+), 2 deletions(-)\n"),
			[]string{"[60 commits]", "7f93a000 cart: part 0 of the whole [1 file, 0 insertions, 2 deletions]", "7f93a001 cart: part 1 of the whole [1 file, 1 insertions, 2 deletions]"}, nil},
		{"git log --graph --stat", Diff, linesFor(29, "* commit 7f93%03dc5e65fa4009e35e2885d2ad32595e0000\n| Author: dev <dev@example.org>\n| Date:   Mon Nov 23 07:57:54 2026 +0000\n| \n|     cart: part %d\n| \n|  cart/cart.go | 12 +++---\n|  1 file changed, 8 insertions(+), 4 deletions(-)\n| \n") +
			"* commit 7f93099c5e65fa4009e35e2885d2ad32595e0000\n  Author: First <first@example.org>\n  Date:   Mon Nov 2 07:57:54 2026 +0000\n\n      cart: begin\n",
			[]string{"[30 commits]; Nov 2 2026 to Nov 23 2026", "7f93000c5e65 Nov 23 2026 cart: part 0 [1 file, 8 insertions, 4 deletions] (dev)"}, nil},
		{"rg -c, sorted", Table, linesFor(100, "src/part%[1]d.go:%d\n") + "src/cart.go:630\n", []string{"[101 rows]", "hits | file", "630 | src/cart.go"}, nil},
		{"uniq -c", Table, "    907 GET /orders\n" + linesFor(90, "     %[1]d2 GET /orders/%[1]d\n"), []string{"[91 rows]", "count | name", "907 | GET /orders\n"}, nil},
		{"journalctl with a kill", Log, linesFor(1500, "Nov 28 06:01:00 web-1 app[%d]: order %[1]d settled\n") + "Nov 28 08:52:36 web-1 kernel: Out of memory: Killed process 4411 (app)\n" + linesFor(900, "Nov 28 09:01:00 web-1 app[%d]: order %[1]d settled\n"),
			[]string{"Out of memory: Killed process 4411 (app)", " of 2,400 like it]"}, nil},
		{"SQL", Source, "PRAGMA foreign_keys=OFF;\nCREATE TABLE orders(id integer primary key, city text);\n" + linesFor(90, "INSERT INTO orders VALUES(%d,'Lima %d');\n") + "COMMIT;\n", []string{"CREATE TABLE orders(id integer primary key, city text);"}, nil},
		{"JavaScript", Source, linesFor(40, "/**\n * Sets part %[1]d.\n */\n\nres.part%[1]d = function part%[1]d(code) {\n  var done = callback;\n  return this.set(code, done, %d);\n};\n"), []string{"res.part0 = function part0(code) {", "res.part5 = function part5(code) {"}, []string{"var done = callback;\nvar done"}},
		{"grep -C", Hits, linesFor(200, "src/a%[1]d.go-%[1]d-// before\nsrc/a%[1]d.go:1%[1]d:var total = %[1]d\nsrc/a%[1]d.go-2%[1]d-}\n--\n"),
			[]string{"src/a0.go: ", "10 var total = 0", " of the 200 hits left out]"}, nil},
		{"ls", Listing, linesFor(300, "tool%[1]d\n") + "[\nx86_64-linux-gnu-gcc-12\n",
			[]string{"tool0 tool1 tool2", " of the 302 paths left out]"}, nil},
		{"unistd.h", Source, "#ifndef _UNISTD_H\n#define _UNISTD_H 1\n#include <features.h>\n" + linesFor(40, "#ifdef __USE_X%[1]d\n# define _VERSION %[1]d\n#else\n# define _VERSION 4\n#endif\n/* Does it. */\nextern int part%[1]d (int __fd);\n"),
			[]string{"#define _UNISTD_H 1", "extern int part0 (int __fd);", "extern int part9 (int __fd);"}, []string{"_VERSION"}},
		{"git blame with files", Table, linesFor(80, "88d4143%02[1]d src/one.c (Dev One 2026-11-21 04:33:56 +0000 %[1]d) \treturn %[1]d\n"),
			[]string{"[80 rows]; all: ", "file=src/one.c", "author=Dev One", "line | commit | "}, []string{"commits]"}},
		{"du", Table, linesFor(300, "8\t/srv/data/archive/part%[1]d\n") + "2400\t/srv/data/archive\n96\t/srv/data/archive/b\n96\t/srv/data/archive/a\n",
			[]string{"path below /srv/data/", "2400 | archive\n", "96 | archive/b\n96 | archive/a"}, nil},
		{"dmesg", Log, linesFor(90, "[    %d.433801] virtio_blk virtio%d: default queues\n") + "[    9.100000] EXT4-fs error (device vda): bad block 77\n",
			[]string{"EXT4-fs error (device vda): bad block 77", " like it]"}, nil},
		{"journalctl", Log, linesFor(90, "Nov 23 15:31:14 host sshd[%d]: Accepted publickey for dev from 10.0.0.%d\n") + "Nov 23 15:32:00 host kernel: oom-kill: task=postgres,pid=4411\nNov 23 15:32:01 host systemd[1]: app.service: Failed with result 'oom-kill'.\n",
			[]string{"app.service: Failed with result 'oom-kill'.", " like it]"}, nil},
		{"strace", Log, linesFor(90, "mmap(0x7f7010%04d, 110592, PROT_READ, MAP_PRIVATE, 3, 0x%d) = 0x7f70106d7000\n") + "openat(AT_FDCWD, \"/etc/app.toml\", O_RDONLY) = -1 ENOENT (No such file or directory)\n",
			[]string{`openat(AT_FDCWD, "/etc/app.toml", O_RDONLY) = -1 ENOENT`, " like it]"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Detect(c.text); got != c.kind {
				t.Errorf("read as %s", got)
			}
			s := Shorten(c.text, Options{Bytes: 900})
			holds(t, c.text, s.Text, c.keeps, c.drops)
		})
	}
}

// linesFor is a line for each of n numbers, which its format takes twice.
func linesFor(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i)
	}
	return b.String()
}

// What is kept of a text stands below its headings, in their order, and what was left out is counted where it was: the
// marks and the lines add up to the whole.
func TestGapsAddUp(t *testing.T) {
	var b strings.Builder
	for part := range 6 {
		fmt.Fprintf(&b, "# Part %d\n\n## Of the store\n\n", part)
		for i := range 30 {
			fmt.Fprintf(&b, "The line says that all is well in the house of number %s.\n", strings.Repeat("x", i%7+1))
		}
		fmt.Fprintf(&b, "- `store-%d.path` is /srv/data/part-%d.db\n", part, part)
	}
	text := b.String()
	s := Shorten(text, Options{Bytes: 1500, Kind: Markdown})
	total := strings.Count(text, "\n")
	if s.Units != total {
		t.Errorf("%d lines, want %d", s.Units, total)
	}
	left, shown := 0, 0
	at := -1 // in the source, of the last line shown
	lines := strings.Split(text, "\n")
	for _, l := range strings.Split(s.Text, "\n") {
		var n, of int
		if k, _ := fmt.Sscanf(l, "[… %d of the %d lines left out]", &n, &of); k == 2 {
			if n+s.Kept != total || of != total {
				t.Errorf("%s, with %d of %d lines kept", l, s.Kept, total)
			}
			continue
		}
		if k, _ := fmt.Sscanf(l, "[… %d lines]", &n); k == 1 {
			left += n
			at += n
			continue
		}
		shown++
		for at++; at < len(lines) && lines[at] != l; at++ {
			left++
		}
	}
	if shown != s.Kept || left < total-shown-minGap || left > total-shown {
		t.Errorf("%d lines are shown and %d are said to be left out, of %d:\n%s", shown, left, total, s.Text)
	}
	for part := range 6 {
		head, path := strings.Index(s.Text, fmt.Sprintf("# Part %d", part)), strings.Index(s.Text, fmt.Sprintf("part-%d.db", part))
		if path >= 0 && (head < 0 || head > path) {
			t.Errorf("the path of part %d stands below no heading:\n%s", part, s.Text)
		}
	}
}

// A comment in a fence of Markdown is no heading.
func TestFencesHaveNoHeadings(t *testing.T) {
	over := outlineMarkdown(strings.Split("# A\n```\n# comment\nx\n```\n## B\ny", "\n"))
	if want := []int32{-1, 0, 0, 0, 0, 0, 5}; fmt.Sprint(over) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", over, want)
	}
}

// Code stands below the function and the type that hold it.
func TestDeclarationsHoldTheirLines(t *testing.T) {
	over := outlineCode(strings.Split("class A:\n    x = 1\n    def f(self):\n        return 2\ny = 3\ndef g(\n  a,\n):\n    z", "\n"))
	if want := []int32{-1, 0, 0, 2, -1, -1, 5, 5, 5}; fmt.Sprint(over) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", over, want)
	}
}

func TestParseYAML(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"members", "a: 1\nb:\n  c: x y\n  d: 'q: r' # note\n", `{a:"1" b:{c:"x y" d:"q: r"}}`},
		{"items", "a:\n- x\n- k: v\n  l: w\n-\n  m: n\nb: z", `{a:["x" {k:"v" l:"w"} {m:"n"}] b:"z"}`},
		{"items indented", "a:\n  - x\n  - - y\n    - z\n", `{a:["x" ["y" "z"]]}`},
		{"literal", "a: |\n  # no comment\n  b: c\nd: >-\n  e\n  f\n", `{a:"# no comment\nb: c" d:"e\nf"}`},
		{"literal in items", "- run: |\n    make\n    x: y\n  name: n\n- b: c", `[{run:"make\nx: y" name:"n"} {b:"c"}]`},
		{"documents", "a: 1\n---\nb: 2\n", `[{a:"1"} {b:"2"}]`},
		{"flow and anchors", "a: &x {b: c}\nd: *x\ne: !!str f\n", `{a:"{b: c}" d:"*x" e:"f"}`},
		{"goes on", "a: b\n  c\nd: e", `{a:"b c" d:"e"}`},
		{"nothing", "a:\nb: ~\n", `{a:null b:null}`},
		{"addresses", "a: http://x.example/y\nb:c: d\n", `{a:"http://x.example/y" b:c:"d"}`},
		{"a text", "just words", "<nil>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(parseYAML(c.text)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// shown writes a value for a test.
func shown(v *value) string {
	if v == nil {
		return "<nil>"
	}
	var parts []string
	for i := range v.kids {
		part := shown(&v.kids[i])
		if v.keys != nil {
			part = v.keys[i] + ":" + part
		}
		parts = append(parts, part)
	}
	switch {
	case v.keys != nil:
		return "{" + strings.Join(parts, " ") + "}"
	case v.kids != nil:
		return "[" + strings.Join(parts, " ") + "]"
	case v.kind == 0 || v.text == "":
		return "null"
	}
	return fmt.Sprintf("%q", v.text)
}

func FuzzParseYAML(f *testing.F) {
	f.Add("a:\n- x\n- k: v\n  l: |\n    w\n---\n'b': c\n")
	f.Add("- - - a: b\n  c:\n    - d\n")
	f.Fuzz(func(t *testing.T, text string) {
		if v := parseYAML(text); v != nil && len(v.kids) == 0 && v.text != "" {
			t.Errorf("a scalar alone: %q", v.text)
		}
	})
}

// Encoded data is shown by its beginning, and what sums up a text is kept.
func TestDataAndSums(t *testing.T) {
	data := linesFor(300, "kLM9x0A7%07dZf3xHASmMB2Xap/8y0j7TtN7XADoYg0BAEiLrCSIAQAASIuc%07dJAAQ\n")
	s := Shorten("A report.\n"+data+"3 files changed, 17 insertions(+), 2 deletions(-)\n", Options{Bytes: 900})
	for _, want := range []string{"A report.", "kLM9x0A70000000Zf3", "3 files changed, 17 insertions(+)", "[… 299 lines]"} {
		if !strings.Contains(s.Text, want) {
			t.Errorf("%q is not in:\n%s", want, s.Text)
		}
	}
	if strings.Contains(s.Text, "0000007") {
		t.Errorf("more than the beginning of the data is shown:\n%s", s.Text)
	}
}

// In a part of a text gaps are counted as in the whole.
func TestGapsOfASample(t *testing.T) {
	text := linesFor(9000, "The house of part %d is number %d of all.\n")
	s := Shorten(text, Options{Bytes: 3000, Kind: Prose})
	at, seen, marks := -1, 0, 0
	for _, l := range strings.Split(s.Text, "\n") {
		var n, part int
		l = strings.ReplaceAll(l, ",", "")
		if k, _ := fmt.Sscanf(l, "[… %d lines]", &n); k == 1 {
			at += n
			seen++
			continue
		}
		if k, _ := fmt.Sscanf(l, "[… %d bytes", &n); k == 1 {
			continue
		}
		if k, _ := fmt.Sscanf(l, "The house of part %d", &part); k == 1 {
			if at++; at != part && seen > 0 {
				t.Errorf("line %d stands where %d was to be", part, at)
			}
			at = part
			marks += seen
			seen = 0
		}
	}
	if marks == 0 {
		t.Errorf("no gap is marked:\n%s", s.Text)
	}
}

// Fields that are not quoted are split as those that may be.
func TestSplitFields(t *testing.T) {
	for _, text := range []string{"a,b\n1,2\n", "a,b\r\n1,2\r\n\r\n3,4", "a,,\n,,b\n", "a,b\n1\n", "a"} {
		want, wantErr := csv.NewReader(strings.NewReader(text)).ReadAll()
		got, err := splitFields(text, ',')
		if fmt.Sprint(got) != fmt.Sprint(want) && wantErr == nil || (err == nil) != (wantErr == nil) {
			t.Errorf("%q: %q, %v, want %q, %v", text, got, err, want, wantErr)
		}
	}
}

// holds fails where a summary says what its source does not, lacks what it is to keep, or
// has what it is to drop.
func holds(t *testing.T, source, summary string, keeps, drops []string) {
	t.Helper()
	if bad := Faithful(source, summary); len(bad) > 0 {
		t.Errorf("not in the source: %q", bad)
	}
	for _, k := range keeps {
		if !strings.Contains(summary, k) {
			t.Errorf("%q is not in:\n%s", k, summary)
		}
	}
	for _, d := range drops {
		if strings.Contains(summary, d) {
			t.Errorf("%q is in:\n%s", d, summary)
		}
	}
}
