package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Outputs and files that stand one behind the other are shortened each by its kind, below what names them.
func TestOutputsInARow(t *testing.T) {
	object := "{\n  \"name\": \"shop\",\n  \"version\": \"2.4.1\",\n  \"dependencies\": {\n" + linesFor(40, "    \"lib%d\": \"^%d.0.0\",\n") + "    \"last\": \"1.0.0\"\n  }\n}\n"
	toml := "[project]\nname = \"orders\"\nrequires-python = \">=3.12\"\n\n[tool.lint]\n" + linesFor(40, "rule%d = \"%d\"\n")
	rows := "PID USER  COMMAND\n" + linesFor(60, "%3d root  worker%d\n")
	workflow := func(name, job string) string {
		return "name: " + name + "\non: [push]\njobs:\n  " + job + ":\n    runs-on: ubuntu-24.04\n    steps:\n" + linesFor(12, "      - run: make part%d\n        timeout: %d\n")
	}
	for _, c := range []struct {
		name  string
		text  string
		bytes int
		keeps []string // in this order
	}{
		{"JSON, then TOML", object + toml, 1200, []string{"json [47 lines]", "name=shop", "version=2.4.1", "dependencies: ", "ini [45 lines]", "project: name=orders; requires-python=>=3.12", "tool.lint: "}},
		{"a table, then JSON", rows + object, 1200, []string{"table [61 lines]", "[60 rows]", "json [47 lines]", "name=shop"}},
		{"JSON with its name before", "package.json\n" + object + "tsconfig.json\n" + strings.ReplaceAll(object, "shop", "types"), 1200, []string{"package.json", "name=shop", "tsconfig.json", "name=types"}},
		{"two objects that begin differently", object + strings.Replace(object, `"name": "shop",`, `"private": true,`, 1), 1200, []string{"json [47 lines]", "name=shop", "json [47 lines]", "private=true"}},
		{"head of several files", "==> a/rows.txt <==\n" + rows + "\n==> a/project.toml <==\n" + toml, 1200, []string{"==> a/rows.txt <==", "[60 rows]", "==> a/project.toml <==", "project: name=orders"}},
		{"txtar", "go run .\n-- go.mod --\nmodule m\n\ngo 1.26\n-- rows.txt --\n" + rows, 600, []string{"go run .", "-- go.mod --\nmodule m\n", "-- rows.txt --\n[60 rows]"}},
		{"files of a server", "/srv/a.json:\n" + object + "\n---\n/srv/b.toml:\n" + toml + "\n", 1200, []string{"/srv/a.json:", "name=shop", "/srv/b.toml:", "project: name=orders"}},
		{"a shell", "$ ps\n" + rows + "$ cat project.toml\n" + toml, 1200, []string{"$ ps\n[60 rows]", "$ cat project.toml\nproject: name=orders"}},
		{"workflows", workflow("Lint", "lint") + workflow("Tests", "unit") + workflow("Publish", "build"), 900, []string{"name=Lint", "jobs.lint: runs-on=ubuntu-24.04", "name=Tests", "jobs.unit: runs-on=ubuntu-24.04", "name=Publish", "jobs.build: runs-on=ubuntu-24.04"}},
		{"units of systemd", strings.Repeat("# unit\n[Unit]\nDescription=Part of it\nAfter=network.target\n\n[Service]\nExecStart=/usr/bin/part --all --of-it\nRestart=always\nUser=nobody\n\n[Install]\nWantedBy=multi-user.target\n", 9), 900, []string{"ini [12 lines]\n[Unit]\nDescription=", "ini [12 lines]\n[Unit]\nDescription="}},
		{"an exchange with JSON in it", "$ curl -v http://shop.example.org/\n* Trying 127.0.0.1:80...\n* Connected to shop.example.org (127.0.0.1) port 80 (#0)\n> GET / HTTP/1.1\n> Host: shop.example.org\n> \n< HTTP/1.1 429 Too Many Requests\n< Retry-After: 42\n< \n{ [1200 bytes data]\n" +
			strings.Replace(object, "\"lib9\"", "\"lib9a\": 1,\n100  9316  100  9316    0     0  3976k      0 --:--:-- --:--:-- --:--:-- 4548k\n* Connection #0 to host shop.example.org left intact\n\"lib9\"", 1) +
			"$ curl http://shop.example.org/none\n  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\nnot there\n", 900,
			[]string{"$ curl -v http://shop.example.org/", "< HTTP/1.1 429 Too Many Requests", "< Retry-After: 42", "name=shop", "$ curl http://shop.example.org/none\nnot there"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Shorten(c.text, Options{Bytes: c.bytes})
			rest := s.Text
			for _, k := range c.keeps {
				_, after, ok := strings.Cut(rest, k)
				if !ok {
					t.Fatalf("%q is not where it should be in\n%s", k, s.Text)
				}
				rest = after
			}
			if bad := Faithful(c.text, s.Text); len(bad) > 0 || len(s.Text) > c.bytes || s.Kept > s.Units {
				t.Errorf("not in the source: %q; %d bytes, %d of %d\n%s", bad, len(s.Text), s.Kept, s.Units, s.Text)
			}
		})
	}
}

// A text is one where what looks like the beginning of another output is a part of it.
func TestOneOutput(t *testing.T) {
	for name, text := range map[string]string{
		"values in a row":       linesFor(60, "{\n  \"id\": %d,\n  \"state\": \"open %d\"\n}\n"),
		"events":                linesFor(60, "{\"level\":\"info\",\"n\":%d,\"msg\":\"went %d\"}\n"),
		"documents with a mark": linesFor(20, "---\nkind: Service\nmetadata:\n  name: web-%d\n  labels:\n    app: web-%d\n"),
		"a list in YAML":        "items:\n" + linesFor(40, "- name: web-%d\n  port: %d\n"),
		"ls -R":                 linesFor(20, "./part%d:\na%d.go\nb.go\n\n"),
		"a page with commands":  "# Shop\n\n```\n$ go build\n$ go test\n```\n" + linesFor(60, "Part %d of it goes on for a while, and says %d.\n"),
		"one command at last":   linesFor(60, "went %d of %d\n") + "$ tsc --noEmit\n",
		"git status":            "On branch main\nChanges not staged for commit:\n" + linesFor(40, "\tmodified:   part%d/main%d.go\n"),
		"JSON and an error":     "[\n" + linesFor(60, "{\"id\":%d,\"state\":\"open %d\"},\n") + "{}\n]\ncurl: (23) failure writing output\n",
	} {
		if all := splitOutputs(text, Detect(text)); len(all) > 1 {
			t.Errorf("%s: read as %d outputs, the second %q", name, len(all), all[1].head+cut(all[1].text, 60))
		}
	}
}

// What an output says in a summary is said in a larger one.
func TestMoreRoomForOutputs(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "==> part%d.log <==\n%s2026-11-28T09:00:00Z ERROR part %d is lost\n%s", i, linesFor(20, "2026-11-28T08:%02d:00Z INFO part went %d\n"), i, linesFor(20, "2026-11-28T10:%02d:00Z INFO part went %d\n"))
	}
	text := b.String()
	var before []string
	for bytes := 400; bytes < 12_000; bytes += 173 {
		s := Shorten(text, Options{Bytes: bytes})
		if len(s.Text) > bytes {
			t.Fatalf("%d bytes, of %d", len(s.Text), bytes)
		}
		for _, line := range before {
			if !strings.Contains(s.Text, line) {
				t.Fatalf("%q is not in %d bytes\n%s", line, bytes, s.Text)
			}
		}
		before = before[:0]
		for line := range strings.SplitSeq(s.Text, "\n") {
			if line, _, _ = strings.Cut(line, " [… "); strings.Contains(line, "ERROR") {
				before = append(before, line)
			}
		}
	}
	if len(before) != 30 {
		t.Errorf("%d of 30 errors in 12,000 bytes", len(before))
	}
}

// Help names every command and option below its heading where that fits, whatever it says of them.
func TestHelpNamesEverything(t *testing.T) {
	text := "Usage: shop [OPTIONS] COMMAND\n\nThe shop, from a shell.\n\nCommands:\n" + linesFor(30, "  part%d      Shows part %[1]d of the whole, with all that belongs to it and more\n") +
		"\nOptions:\n" + linesFor(20, "  -%[1]d, --option%[1]d <VALUE>\n          Sets option %[1]d. It has a long text,\n          which goes on\n      --long%[1]d=NAME     sets it longer\n") +
		"\nRun 'shop COMMAND --help' for more.\nE1128 22:46:30.1 error: cannot reach 10.0.0.1\nE1128 22:46:31.2 error: cannot reach 10.0.0.1\n"
	s := Shorten(text, Options{Bytes: 1300, Subject: Subject{Task: "what does part17 do"}})
	if s.Kind != Help {
		t.Fatal("read as", s.Kind)
	}
	for i := range 30 {
		if !strings.Contains(s.Text, fmt.Sprintf("part%d", i)) {
			t.Errorf("part%d is not named", i)
		}
	}
	for i := range 20 {
		if !strings.Contains(s.Text, fmt.Sprintf("--option%d", i)) || !strings.Contains(s.Text, fmt.Sprintf("--long%d", i)) {
			t.Errorf("option %d is not named", i)
		}
	}
	for _, k := range []string{"Usage: shop [OPTIONS] COMMAND", "\nCommands:\n", "  part17  Shows part 17 of", "\nOptions:\n", "error: cannot reach 10.0.0.1"} {
		if !strings.Contains(s.Text, k) {
			t.Errorf("%q is not in it", k)
		}
	}
	if strings.Count(s.Text, "cannot reach") != 1 || len(Faithful(text, s.Text)) > 0 {
		t.Error(s.Text)
	}
}

func TestSplitEntry(t *testing.T) {
	for _, c := range []struct{ line, name, text string }{
		{"run         Create and run a container", "run", "Create and run a container"},
		{"-c, --command=COMMAND    run only one", "-c, --command=COMMAND", "run only one"},
		{"--abstract-unix-socket <path> Connect by a socket", "--abstract-unix-socket <path>", "Connect by a socket"},
		{"--curves <algorithm list> (EC) TLS key", "--curves <algorithm list>", "(EC) TLS key"},
		{"-Wunused-label Warn when a label is unused.", "-Wunused-label", "Warn when a label is unused."},
		{"-#, --progress-bar       Display a bar", "-#, --progress-bar", "Display a bar"},
		{"--pre", "--pre", ""},
		{"--- FAIL: TestTotal (0.00s)", "", ""},
		{"- an item of a list", "", ""},
		{"a line of text that says something", "", ""},
		{"x = 1;  // a comment", "", ""},
	} {
		name, text, ok := splitEntry(c.line)
		if !ok {
			name, text = "", ""
		}
		if name != c.name || text != c.text {
			t.Errorf("%q: %q, %q", c.line, name, text)
		}
	}
}

// INI and TOML are read leniently: what is no key goes on with the value before.
func TestParseINI(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a = 1\n[s]\nb = \"x y\" # why\n[s.t]\nc=2\n", `a=1; s.b=x y; s.t.c=2`},
		{"[[p]]\nname = 'one'\n[[p]]\nname = 'two'\n", `p[0].name=one; p[1].name=two`},
		{"[s]\nlist = [\n  \"a[x]\", # first\n  \"b, c\",\n]\nnext = 1\n", `s.list=a[x], b, c; s.next=1`},
		{"[s]\nempty = [, ,]\nb = 1\n", `s.b=1`},
		{"[tox]\ndeps =\n  -rreq.txt\n  pytest\n", `tox.deps=-rreq.txt pytest`},
		{"[s]\nopen = [\n  1,\n[t]\nb = 2\n", `s.open=[ 1,; t.b=2`},
		{"[s]\ntext = \"\"\"\none [\ntwo\"\"\"\nb = 2\n", `s.text=one [ two; s.b=2`},
		{"[Desktop Entry]\nName=Shop\nName[de]=Laden\n", `Desktop Entry.Name=Shop; Desktop Entry.Name[de]=Laden`},
		{"a = 1\n[s]\nb = 2\ncat: x: No such file or directory\n", `a=1; s.b=2; cat: x: No such file or directory`},
		{"[s]\nmap = {a = 1, b = [2, 3]}\n", `s.map={a = 1, b = [2, 3]}`},
	} {
		b := &blocks{}
		v, rest := parseINI(c.text)
		b.walk(v, "")
		var got []string
		for _, m := range b.members {
			got = append(got, m.path+"="+m.text)
		}
		if rest != "" {
			got = append(got, rest)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q: %s", c.text, strings.Join(got, "; "))
		}
	}
}

// The newest of many dates are shown, and of amounts their range.
func TestDatesAndRanges(t *testing.T) {
	s := Shorten("{\"name\":\"shop\",\"time\":{"+strings.TrimSuffix(linesFor(90, "\"1.%02d.0\":\"2024-%02[1]d-01T10:00:00Z\",\n"), ",\n")+"}}", Options{Bytes: 700})
	if !strings.Contains(s.Text, "1.89.0=") || strings.Contains(s.Text, "1.20.0=") {
		t.Error(s.Text)
	}
	s = Shorten("id,region,ms,note\n"+linesFor(200, "a%d,eu,%d,\n")+"a200,us,48211,slow\n"+linesFor(100, "b%d,us,%d,\n"), Options{Bytes: 900})
	for _, k := range []string{"[… ms: least 0, median 75, most 48211]", "[… region: eu (200), us (101)]"} {
		if !strings.Contains(s.Text, k) {
			t.Errorf("%q is not in\n%s", k, s.Text)
		}
	}
}

func TestBriefName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"-c, --command=COMMAND", "--command"},
		{"--color[=<when>]", "--color"},
		{"--help=commands", "--help=commands"},
		{"-h", "-h"},
	} {
		if got := briefName(c.name); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// What is left of a list is counted as files only where the list is one of files.
func TestListsCountWhatTheyList(t *testing.T) {
	for _, c := range []struct{ line, want, not string }{
		{"feature-and-part-of-it-%[1]d\n", "names]", "files]"},
		{"cmd/feature-and-part-of-it-%[1]d.go\n", "files]", "names]"},
		{"/usr/lib/part-and-it-%[1]d\n", "files]", "names]"},
	} {
		s := Shorten(linesFor(300, c.line), Options{Bytes: 700})
		if !strings.Contains(s.Text, c.want) || strings.Contains(s.Text, c.not) {
			t.Errorf("%s\n%s", c.line, s.Text)
		}
	}
}

// JSON that was cut is read as far as it goes, wherever that is.
func TestCutJSON(t *testing.T) {
	text := `{"config":{"value":"a","more":[1,2]},"rows":[` + strings.Repeat(`"2026-11-02 took a job",`, 40) + `"end"]}`
	for n := range len(text) {
		for _, given := range []string{text[:n], text[n:], text[:n] + "\n" + text} {
			if s := Shorten(given, Options{Bytes: 300}); len(s.Text) > 300 {
				t.Fatalf("%d bytes of %s", len(s.Text), given)
			}
		}
	}
}
