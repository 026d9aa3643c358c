package compact

import (
	"fmt"
	"strings"
	"testing"
)

// together reports whether a line has all the words.
func together(text string, words ...string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		has := true
		for _, w := range words {
			has = has && strings.Contains(line, w)
		}
		if has {
			return true
		}
	}
	return false
}

// Of a table the rows that differ are kept with what they differ in, at any bound; columns and rows that are left out are
// told, and more room never has fewer rows.
func TestRowsThatDiffer(t *testing.T) {
	csv := "order_id,placed,customer,total,state,note\n"
	for i := range 2000 {
		total, state, note := fmt.Sprintf("%d.%02d", 20+i*7919%380, i%100), "paid", ""
		switch i {
		case 333:
			total = "99999.99"
		case 1207:
			total = "-48.20"
		case 742:
			state = "chargeback"
		case 60:
			note = "\"call before delivery\nsecond floor\""
		}
		csv += fmt.Sprintf("%d,2026-11-%02dT07:13:00Z,C-%04d,%s,%s,%s\n", 11000+i, 1+i/70, i*7%1000, total, state, note)
	}
	for _, c := range []struct {
		name, text string
		rows       [][]string
		keeps      []string
	}{
		{"pods", "NAME           READY   STATUS             RESTARTS      AGE\n" + linesFor(60, "web-%-2d-5fece   1/1     Running            0             %dd\n") +
			"pay-0-e1e00    0/1     CrashLoopBackOff   19 (2m ago)   3d\n" + linesFor(30, "job-%-2d-5fece   0/1     Completed          0             %dd\n") + "pay-1-77ab2    0/1     ImagePullBackOff   0             3d\n",
			[][]string{{"pay-0-e1e00", "CrashLoopBackOff"}, {"pay-1-77ab2", "ImagePullBackOff"}}, []string{"[92 rows]", "STATUS"}},
		{"nodes", "NAME         STATUS     ROLES    AGE    VERSION\n" + linesFor(80, "node-%-4d    Ready      worker   %3dd   v1.31.2\n") + "node-911     NotReady   worker   7d     v1.29.9\n",
			[][]string{{"node-911", "NotReady", "v1.29.9"}}, []string{"[81 rows]", "STATUS"}},
		{"ps", "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n" +
			linesFor(60, "root     %7d  0.1  0.0   4360  3228 ?        S    12:37   0:00 /usr/bin/python3 worker.py --queue=mail%d idle\n") +
			"root         990 63.1  0.1  54816 49260 ?        S    12:37   0:05 /usr/bin/python3 worker.py --queue=exports busy 40\n" +
			"root         991  8.8  5.8 1447456 1441992 ?     S    12:37   0:00 /usr/bin/python3 worker.py --queue=thumbnails idle 1400\n" +
			linesFor(20, "root     %7d  0.1  0.0   4360  3228 ?        S    12:37   0:00 /usr/bin/python3 worker.py --queue=mail%d idle\n"),
			[][]string{{"63.1", "queue=exports"}, {"5.8", "queue=thumbnails"}}, []string{"[82 rows]", "%CPU"}},
		{"csv", csv, [][]string{{"11333", "99999.99"}, {"12207", "-48.20"}, {"11742", "chargeback"}, {"call before delivery second floor"}}, []string{"[2,000 rows]", "order_id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kept := 0
			for _, bytes := range []int{1200, 2000, 4000, 8000} {
				if bytes >= len(c.text) {
					break
				}
				s := Shorten(c.text, Options{Bytes: bytes})
				holds(t, c.text, s.Text, c.keeps, nil)
				for _, words := range c.rows {
					if !together(s.Text, words...) {
						t.Errorf("%d bytes: no line has %q:\n%s", bytes, words, s.Text)
					}
				}
				if s.Kept < kept {
					t.Errorf("%d rows in %d bytes, and %d in fewer", s.Kept, bytes, kept)
				}
				kept = s.Kept
				head, _, _ := strings.Cut(c.text, "\n")
				for _, name := range strings.FieldsFunc(head, func(r rune) bool { return r == ' ' || r == ',' }) {
					if !strings.Contains(s.Text, name) {
						t.Errorf("%d bytes: column %s is neither shown nor told:\n%s", bytes, name, s.Text)
					}
				}
			}
		})
	}
}

// Sizes stay before the paths they belong to.
func TestSizesStayWithPaths(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"du", linesFor(300, "%d0895\t./billing/file%d.bin\n") + "9885444\t./checkout/dump.bin\n"},
		{"du -h", linesFor(300, "%dK\t./billing/file%d.bin\n") + "12G\t./checkout/dump.bin\n"},
		{"numstat", linesFor(300, "%d7\t3\tsrc/billing/file%d.go\n") + "-\t-\tassets/logo.png\n98311\t2\tsrc/checkout/dump.bin\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			of := map[string]string{}
			for line := range strings.Lines(c.text) {
				f := strings.Split(strings.TrimSpace(line), "\t")
				of[f[len(f)-1]] = f[0]
			}
			for _, bytes := range []int{1200, 4000} {
				s := Shorten(c.text, Options{Bytes: bytes})
				if s.Kind != Table {
					t.Errorf("read as %s", s.Kind)
				}
				n := 0
				for line := range strings.SplitSeq(s.Text, "\n") {
					f := strings.Split(line, " | ")
					if size, ok := of[f[len(f)-1]]; ok {
						n++
						if f[0] != size {
							t.Errorf("%q, want size %s", line, size)
						}
					}
				}
				if n < 10 || !strings.Contains(s.Text, "dump.bin") {
					t.Errorf("%d paths:\n%s", n, s.Text)
				}
			}
		})
	}
}

// Of JSON null and empty texts differ, members that are left out are named, small members stay beside long lists, and a
// list is whole or marked where it is not.
func TestMembersAreTold(t *testing.T) {
	nulls, slugs, inspect := "[", `{"slugs": [`, "["
	for i := range 200 {
		nulls += fmt.Sprintf(`{"id": %d, "v": %s, "w": [], "o": {}, "f": false},`, i, []string{"null", `""`, `"x"`}[i%3])
		slugs += fmt.Sprintf(`"release-%03d-5feceb",`, i)
	}
	for i := range 6 {
		inspect += fmt.Sprintf(`{"Id":"c7761e58969f7edd498186641b2021e8477e1bcd230de4cf3435242da4a40d%02d","State":{"Status":"%s","OOMKilled":%v,"ExitCode":%d},
"ResolvConfPath":"/var/lib/docker/containers/c7761e58969f7edd498186641b2021e8477e1bcd230de4cf3435242da4a40d%02d/resolv.conf",
"LogPath":"/var/lib/docker/containers/c7761e58969f7edd498186641b2021e8477e1bcd230de4cf3435242da4a40d%02d/json.log","Name":"/shop-%d","RestartCount":%d,
"Config":{"Env":["NODE_ENV=production","PORT=808%d"],"Image":"registry.example.com/shop/checkout:1.0.%d"},"NetworkSettings":{"IPAddress":"172.18.0.%d"}},`,
			i, []string{"running", "exited"}[i/5], i == 5, 137*(i/5), i, i, i, i, i, i, 10+i)
	}
	nulls, inspect = strings.TrimSuffix(nulls, ",")+"]", strings.TrimSuffix(inspect, ",")+"]"
	slugs = strings.TrimSuffix(slugs, ",") + `], "total": 200, "next": "page-2"}`
	for _, c := range []struct {
		name, text string
		bytes      int
		keeps      []string
	}{
		{"null and empty", nulls, 2000, []string{"[200 rows]", "\n0 | null\n1 | \"\"\n2 | x", "w=[]", "o={}", "f=false"}},
		{"a total beside a list", slugs, 1200, []string{"total=200", "next=page-2", "slugs [200 items] [… ", "items left out]: release-000-5feceb,\nrelease-001-5feceb", ",\n…\nrelease-19", "release-199-5feceb"}},
		{"a total alone", strings.Replace(slugs, `, "next": "page-2"`, "", 1), 2000, []string{"total=200", "slugs [200 items] [… "}},
		{"containers", inspect, 1400, []string{"[6 rows]", "State.OOMKilled", "exited", "[… columns left out: "}},
		{"a list of few values", `{"codes":[` + strings.Repeat("200,", 90) + `null,404,"",404,500],"n":95,"of":"the log…"}`, 120,
			[]string{"n=95", "codes [95 items] by value: 200 [90 times],\nnull,\n404 [2 times],\n\"\",\n500"}},
		{"a list that is cut behind a quote", `["never",` + strings.Repeat(`"ok",`, 200) + `"`, 120, []string{"[201 items] by value: never,\nok [200 times]"}},
		{"a short list", `{"a":["one","two","three"],"b":"` + strings.Repeat("long text. ", 90) + `"}`, 700, []string{"a=one, two, three"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Shorten(c.text, Options{Bytes: c.bytes})
			holds(t, c.text, s.Text, c.keeps, nil)
		})
	}
}

// A reason that few records have stands beside them, and a row that is shown loses none of its cells to more rows.
func TestMoreRoomTakesNothingFromRows(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		reason := ""
		if i == 7 || i == 31 {
			reason = `,"lastState":{"reason":"OOMKilled","exitCode":137}`
		}
		fmt.Fprintf(&b, `{"name":"orders-%d","hash":"%08x","title":"serves the orders of the house of number %d to whoever asks for them","image":"registry.example.org/shop/orders:1.%d.0","node":"node-%d","restarts":%d%s},`,
			i, i*2654435761, i, i, i%3, i%5, reason)
	}
	text := "[" + strings.TrimSuffix(b.String(), ",") + "]"
	for bytes := 1200; bytes < 6000; bytes += 100 {
		s := Shorten(text, Options{Bytes: bytes})
		for _, i := range []string{"7", "31"} {
			if !together(s.Text, "orders-"+i, "OOMKilled", "serves the orders of the house of number "+i) {
				t.Fatalf("%d bytes:\n%s", bytes, s.Text)
			}
		}
	}
}

// What installers and builds end with is kept at any size.
func TestVerdictsOfToolsAreKept(t *testing.T) {
	for _, verdict := range []string{"added 102 packages in 14s", "Successfully installed flask-3.0.2", "BUILD SUCCESSFUL in 4s", "Apply complete! Resources: 3 added, 0 changed, 0 destroyed.", "command terminated with exit code 137"} {
		var b strings.Builder
		for i := range 220 {
			name := []string{"express", "pino", "debug", "body-parser", "safe-buffer", "process-warning", "zod", "depd"}[i%8] + string(rune('a'+i%26))
			if i < 110 {
				fmt.Fprintf(&b, "npm http fetch GET 200 https://registry.example.org/%s %dms (cache updated)\n", name, 7*i)
			} else {
				fmt.Fprintf(&b, "npm http fetch GET 200 https://registry.example.org/%s/-/%s-1.%d.0.tgz %dms (cache miss)\n", name, name, i%9, 5000+7*i)
			}
		}
		b.WriteString("\n" + verdict + "\n")
		for bytes := 800; bytes < 9000; bytes += 90 {
			if s := Shorten(b.String(), Options{Bytes: bytes}); !strings.Contains(s.Text, verdict) {
				t.Errorf("%d bytes: no %q:\n%s", bytes, verdict, s.Text)
			}
		}
	}
}

// A description of an interface is read as its operations, and a lock file as its packages with their versions.
func TestDescriptionsAndLocks(t *testing.T) {
	var paths, packages strings.Builder
	for i := range 30 {
		fmt.Fprintf(&paths, `"/part%d/{id}":{"get":{"tags":["x"],"summary":"Reads part %d","operationId":"readPart%d","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok"},"404":{"description":"gone"}},"security":[{"api_key":[]}]}},`, i, i, i)
		fmt.Fprintf(&packages, `"node_modules/part-%d":{"version":"1.%d.0","resolved":"https://registry.example.org/part-%d.tgz","integrity":"sha512-PCVAQswWemu6UdxsDFFX/+gVeYqKAod3D3UVm91jHwynguOwAvYPhx8nNlM++NqRcK6CxxpUafjmhIdKiHib%d==","license":"MIT","dependencies":{"dep-%d":"^%d.0.0","dep-%d-b":"^1.0.0"}},`, i, i, i, i, i, i, i)
	}
	api := `{"openapi":"3.0.0","info":{"title":"Shop","version":"2.1"},"servers":[{"url":"https://shop.example.org/v2"}],"paths":{` + paths.String() +
		`"/pets/{id}/picture":{"post":{"summary":"Uploads a picture","operationId":"uploadPicture","requestBody":{"content":{"multipart/form-data":{}}},"responses":{"200":{"description":"ok"}},"security":[{"shop_auth":["write:pets"]}]}}},` +
		`"components":{"securitySchemes":{"api_key":{"type":"apiKey","name":"api_key","in":"header"}},"schemas":{"Pet":{"type":"object","required":["name","photoUrls"],"properties":{"id":{"type":"integer"},"name":{"type":"string"},"photoUrls":{"type":"array","items":{"type":"string"}}}}}}}`
	s := Shorten(api, Options{Bytes: 2400, Subject: Subject{Task: "how do I upload a picture?"}})
	holds(t, api, s.Text, []string{"31 operations, 31 paths", "https://shop.example.org/v2", "in=header", "name, photoUrls"}, nil)
	if !together(s.Text, "post /pets/{id}/picture", "uploadPicture") {
		t.Error(s.Text)
	}
	lock := `{"name":"shop","lockfileVersion":3,"packages":{"":{"name":"shop","version":"1.0.0","dependencies":{"part-7":"1.7.0"}},` + packages.String() +
		`"node_modules/part-7/node_modules/dep-7":{"version":"0.9.1","license":"MIT","funding":[{"type":"x","url":"https://x.example.org"}]}}}`
	s = Shorten(lock, Options{Bytes: 2000, Subject: Subject{Task: "which dep-7 is installed?"}})
	holds(t, lock, s.Text, []string{"lockfileVersion=3", "[32 rows]"}, []string{"sha512-"})
	if !together(s.Text, "node_modules/part-7/node_modules/dep-7", "0.9.1") {
		t.Error(s.Text)
	}
}

// Line numbers without a text stand apart from those with one.
func TestBareNumbersStandApart(t *testing.T) {
	var b strings.Builder
	for f := range 40 {
		for i := range 6 {
			fmt.Fprintf(&b, "src/part%d/session_%d.ts:%d:  settings({contact_precedence: 'email', id: %d})\n", f, f, 20+97*i, i)
		}
	}
	s := Shorten(b.String(), Options{Bytes: 3000})
	holds(t, b.String(), s.Text, []string{" … also at ", "20 settings("}, nil)
	for line := range strings.SplitSeq(s.Text, "\n") {
		_, rest, _ := strings.Cut(line, ": ")
		rest, _, _ = strings.Cut(rest, " … also at ")
		for item := range strings.SplitSeq(rest, "; ") {
			if strings.Contains(rest, "settings(") && item != "" && strings.Trim(item, "0123456789") == "" {
				t.Errorf("a bare number among others: %s", line)
			}
		}
	}
}
