package compact

import (
	"fmt"
	"strings"
	"testing"
)

// linesEach writes a line for each number below n.
func linesEach(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
		b.WriteByte('\n')
	}
	return b.String()
}

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// The one line that decides is shown, whatever it stands among, and nothing false is said of the rest.
func TestWhatDecidesAmongMany(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		bytes        int
		keeps, drops []string
	}{
		{"a status among equal ones",
			linesEach(600, func(i int) string {
				return fmt.Sprintf("2026-05-01T12:%02d:%02dZ job finished status=%s", i/60, i%60, either(i == 300, "failed", "ok"))
			}), 4000, []string{"12:05:00Z job finished status=failed"}, nil},
		{"a level among equal ones",
			linesEach(400, func(i int) string {
				return fmt.Sprintf("May 01 12:%02d:%02d host dockerd[812]: time=\"2026-05-01\" level=%s msg=\"container %d\"", i/60, i%60, either(i == 123, "error", "info"), i)
			}), 2000, []string{"level=error msg=\"container 123\""}, nil},
		{"a state that is no fault",
			linesEach(400, func(i int) string {
				return fmt.Sprintf("2026-05-01T12:%02d:%02dZ probe %d state=%s", i/60, i%60, i, either(i == 211, "draining", "up"))
			}), 2000, []string{"probe 211 state=draining"}, nil},
		{"tests that go on in parallel",
			linesEach(100, func(i int) string { return fmt.Sprintf("=== RUN   Test%02d\n=== PAUSE Test%02d", i, i) }) +
				linesEach(100, func(i int) string {
					return fmt.Sprintf("=== CONT  Test%02d", i) + either(i == 7, "\n    a_test.go:9: got 1, want 2", "")
				}) +
				linesEach(100, func(i int) string { return fmt.Sprintf("--- %s: Test%02d (0.00s)", either(i == 7, "FAIL", "PASS"), i) }) + "FAIL\nFAIL\tx\t0.1s\n",
			2000, []string{"a_test.go:9: got 1, want 2", "FAIL: Test07"}, nil},
		{"a banner that a test prints",
			linesEach(90, func(i int) string { return fmt.Sprintf("=== RUN   Test%02d\n--- PASS: Test%02d (0.00s)", i, i) }) +
				"=== RUN   TestX\n===== setup =====\n    x_test.go:12: got 1, want 2\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tx\t0.1s\n",
			1200, []string{"x_test.go:12: got 1, want 2"}, nil},
		{"columns parted by a tab", "a\tb  cc dd ee\n" + linesEach(200, func(i int) string { return fmt.Sprintf("xx%d  yy zzz ww", i) }), 900, []string{"of 200 like it"}, nil},
		{"a row in capitals", "DEVICE   TYPE      STATE     CONNECTION\n" +
			linesEach(60, func(i int) string {
				return either(i == 30, "ETH      BRIDGE    DOWN      NONE", fmt.Sprintf("eth%-5d ethernet  up        wired-%d", i, i))
			}), 900, []string{"[60 rows]"}, nil},
		{"a large new file",
			"diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,90000 @@\n" + linesEach(90000, func(i int) string { return "+a" }), 900, []string{"+++ b/x [… new file, +90,000 -0]"}, nil},
		{"a package that fails outside of its tests",
			linesEach(90, func(i int) string { return fmt.Sprintf("=== RUN   Test%02d\n--- PASS: Test%02d (0.00s)", i, i) }) +
				"PASS\nok  \tx/a\t0.1s\n2026/05/01 db: connection refused\nFAIL\tx/b\t0.01s\nFAIL\n",
			1200, []string{"db: connection refused", "FAIL x/b"}, nil},
		{"a long message of an exception",
			"org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'orders'; nested exception is " + strings.Repeat("x.y.Z: could not bind; ", 90) + "\n" +
				linesEach(60, func(i int) string { return fmt.Sprintf("\tat com.acme.A%d.run(A%d.java:%d)", i, i, i) }) +
				"Caused by: java.net.ConnectException: Connection refused\n" +
				linesEach(20, func(i int) string { return fmt.Sprintf("\tat com.acme.B%d.run(B%d.java:%d)", i, i, i) }),
			1480, []string{"BeanCreationException: Error creating bean with name 'orders'", "ConnectException: Connection refused"}, nil},
		{"a fault behind JSON",
			"[" + strings.TrimSuffix(linesEach(400, func(i int) string { return fmt.Sprintf(`{"id":"i-%04d","type":"t3.micro","zone":"eu-%d"},`, i, i%3) }), ",\n") +
				"]\n\nAn error occurred (Throttling) when calling the DescribeInstances operation\n",
			2000, []string{"An error occurred (Throttling) when calling the DescribeInstances operation"}, nil},
		{"a fault among hits",
			linesEach(200, func(i int) string { return fmt.Sprintf("src/a%d.go:%d:\treturn io.EOF // %d", i%9, i+1, i) }) +
				"grep: ./secret: Permission denied\nBinary file bin/a.dat matches\n",
			1500, []string{"grep: ./secret: Permission denied", "Binary file bin/a.dat matches"}, nil},
		{"a fault behind paths",
			linesEach(250, func(i int) string { return fmt.Sprintf("./pkg/mod%d/file%d.go", i%20, i) }) + "find: './secret': Permission denied\n" +
				linesEach(250, func(i int) string { return fmt.Sprintf("./src/lib%d/part%d.go", i%20, i) }),
			2000, []string{"find: './secret': Permission denied", "of the 500 paths"}, nil},
		{"a boxed error of Terraform",
			linesEach(80, func(i int) string {
				return fmt.Sprintf("  # aws_instance.web%d will be created\n  + resource \"aws_instance\" \"web%d\" {\n      + ami = \"ami-%d\"\n    }\n", i, i, i)
			}) + "Plan: 80 to add, 0 to change, 0 to destroy.\naws_instance.web1: Creating...\n╷\n│ Error: creating EC2 Instance: InvalidAMIID.NotFound\n│ \n│   with aws_instance.web1,\n│   on main.tf line 3\n╵\n",
			2000, []string{"Error: creating EC2 Instance: InvalidAMIID.NotFound", "with aws_instance.web1", "Plan: 80 to add"}, nil},
		{"a value that was not read",
			"[" + strings.TrimSuffix(linesEach(20000, func(i int) string {
				return fmt.Sprintf(`{"id":%d,"name":"n-%d","status":"%s","pad":"%s"},`, i, i, either(i == 9001, "degraded", "ok"), strings.Repeat("x", 60))
			}), ",\n") + "]", 4000, nil, []string{"all: status=ok", "all: pad"}},
		{"lines of a container without a level",
			linesEach(400, func(i int) string {
				if i == 177 {
					return `{"log":"ERROR could not connect to database\n","stream":"stderr","time":"2026-05-01T12:00:00Z"}`
				}
				return fmt.Sprintf(`{"log":"page %[1]c%[2]c served by host-%[2]c%[1]c as %[2]c%[1]c%[2]c asked\n","stream":"stdout","time":"2026-05-01T12:%02[3]d:%02[4]dZ"}`, 'a'+i%26, 'a'+i/26, i/60, i%60)
			}), 2000, []string{"ERROR could not connect to database"}, nil},
		{"messages that differ in their last word",
			linesEach(101, func(i int) string {
				return fmt.Sprintf(`{"level":"info","time":%d,"msg":"Rollout of service payment-gateway to cluster production-europe finished: %s"}`, 1700000000+i, either(i == 61, "aborting", "success"))
			}), 2000, []string{"production-europe finished: aborting"}, nil},
		{"lists of objects in a row",
			`{"items":[` + strings.TrimSuffix(linesEach(30, func(i int) string {
				return fmt.Sprintf(`{"pod":"pod-%d","containers":[{"name":"app","ready":true,"restarts":0},{"name":"proxy","ready":true,"restarts":10},{"name":"logger","ready":false,"restarts":1}]},`, i)
			}), ",\n") + "]}", 1500, []string{"app, proxy, logger", "true, true, false", "0, 10, 1"}, nil},
		{"lists of numbers in a row",
			`{"items":[` + strings.TrimSuffix(linesEach(60, func(i int) string { return fmt.Sprintf(`{"service":"svc-%d","ports":[8080,80]},`, i) }), ",\n") + "]}",
			1200, []string{"8080, 80"}, nil},
		{"hits in files that are called by a date",
			linesEach(28, func(d int) string {
				return strings.TrimSuffix(linesEach(30, func(i int) string {
					return fmt.Sprintf("app.log.2024-01-%02d:%d:ERROR payment %d timed out", d+1, i+1, i)
				}), "\n")
			}), 1500, []string{"app.log.2024-01-15 ["}, []string{"app.log.2024:"}},
		{"packages without tests",
			linesEach(60, func(i int) string { return fmt.Sprintf("?   \texample.com/p%d\t[no test files]", i) }) + "--- FAIL: TestX (0.00s)\n    x_test.go:3: boom\nFAIL\nFAIL\texample.com/x\t0.1s\n",
			600, []string{"x_test.go:3: boom"}, []string{"passed"}},
		{"tests that were skipped",
			linesEach(60, func(i int) string { return fmt.Sprintf("--- %s: TestA%d (0.00s)", either(i%2 == 0, "SKIP", "PASS"), i) }) + "--- FAIL: TestX (0.00s)\n    x_test.go:3: boom\nFAIL\nFAIL\texample.com/x\t0.1s\n",
			600, []string{"x_test.go:3: boom", "of the 30 skipped"}, []string{"60 passed", "of the 60"}},
		{"a log with stacks",
			linesEach(90, func(i int) string {
				at := fmt.Sprintf("2026-05-01 12:%02d:%02d,000 ", i/60, i%60)
				if i%30 != 14 {
					return at + fmt.Sprintf("INFO orders loading order %d", i)
				}
				return at + fmt.Sprintf("ERROR orders order %d failed\nTraceback (most recent call last):\n", i) +
					strings.Repeat("  File \"/usr/lib/python3.11/urllib/request.py\", line 1348, in do_open\n    h.request(req.get_method(), req.selector, req.data)\n", 9) +
					"ConnectionRefusedError: [Errno 111] Connection refused\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n" +
					"  File \"/srv/shop/trace.py\", line 9, in load\n    raise StoreError(n)\nStoreError: order " + fmt.Sprint(i) + " cannot be loaded"
			}), 2000, []string{"order 14 failed [… 2 more with this stack]", "order 44 failed", "order 74 failed", "StoreError: order 14 cannot be loaded", "trace.py\", line 9, in load"}, []string{"request.py"}},
		{"what a search is for",
			linesEach(160, func(i int) string {
				return fmt.Sprintf("/srv/shop/src/part%d/a%d.go:%d:\treturn ErrGone // %d", i%40, i%80, i+1, i)
			}) +
				"/srv/shop/src/errs/errs.go:12:var ErrGone = errors.New(\"gone\")\n",
			1500, []string{"below /srv/shop/src/:\n", "errs/errs.go: 12 var ErrGone = errors.New(\"gone\")"}, nil},
		{"directories of a listing",
			linesEach(300, func(i int) string { return fmt.Sprintf("/srv/shop/src/part%d/file%d.go", i%20, i) }) + "/srv/shop/src/odd/one.txt\n",
			1500, []string{"below /srv/shop/src/:\n", "\nodd/ one.txt", "\npart7/ ", " more files]"}, nil},
		{"fingerprints are no data", linesEach(60, func(i int) string {
			return fmt.Sprintf("cert %d\n%02X:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF", i, i)
		}), 1500, []string{"02:AB:CD:EF:01:23"}, nil},
		{"keys of openssl are", "Not After : Dec 28 22:46:29 2026 GMT\nModulus:\n" + linesEach(90, func(i int) string {
			return fmt.Sprintf("    %02x:ab:cd:ef:01:23:45:67:89:ab:cd:ef:01:23:45:", i)
		}) + "    ff:01\nExponent: 65537\n", 600, []string{"Not After : Dec 28", "Exponent: 65537"}, []string{"ff:01"}},
		{"rows that are no statistics of files", linesEach(60, func(i int) string {
			return fmt.Sprintf(" disk%d | %d percent used, status %s", i, i, either(i == 20, "CRITICAL", "ok"))
		}), 900, []string{"CRITICAL"}, []string{"lines changed"}},
		{"a commit in prose", "commit deadbeef broke it\n" + linesEach(60, func(i int) string { return fmt.Sprintf("    line %d of our notes | 12", i) }), 900, []string{"commit deadbeef broke it"}, []string{"commits]"}},
		{"a path that is the directory of all", "path,ms,state\n" + linesEach(60, func(i int) string {
			return fmt.Sprintf("/srv/data/projects/alpha/reports/%s,%d,%s", either(i == 7, "", fmt.Sprint(i, ".csv")), 90+i, either(i == 7, "failed", "ok"))
		}), 900, []string{"path below /srv/data/projects/alpha/", "reports/ | 97 | failed"}, nil},
		{"the first path is the directory of all", "path,ms,state\n/srv/data/projects/alpha/reports/,97,failed\n" + linesEach(60, func(i int) string {
			return fmt.Sprintf("/srv/data/projects/alpha/reports/%d.csv,%d,ok", i, 90+i)
		}), 900, []string{"path below /srv/data/projects/alpha/", "reports/ | 97 | failed"}, nil},
		{"a listing of what no one reads", linesEach(100, func(i int) string { return fmt.Sprintf("./node_modules/p%d/index.js", i) }) + "./src/main.go\n./src/secret.key\n", 800,
			[]string{"src/ main.go secret.key", "node_modules/ [… 100 files]"}, nil},
		{"stacks that differ far behind", linesEach(12, func(i int) string {
			return fmt.Sprintf("2026-01-02 10:00:%02d ERROR request %d failed\njava.lang.IllegalStateException: could not complete the operation because the remote side closed while reading from %s\n", i, i, []string{"ledger", "vault", "depot"}[i%3]) +
				strings.TrimSuffix(linesEach(6, func(k int) string {
					return fmt.Sprintf("\tat com.example.Step%d.run(Step%d.java:%d)", k, k, 10*(i%3)+k)
				}), "\n")
		}), 1500, []string{"[… 3 more with this stack]", "from ledger", "from vault", "from depot"}, []string{"11 more"}},
		{"a file in YAML",
			"kind: ConfigMap\nmetadata:\n  name: app\ndata:\n  application.yaml: |\n" +
				linesEach(60, func(i int) string {
					return fmt.Sprintf("    section%d:\n      enabled: %s\n      port: %d", i, either(i == 33, "false", "true"), 8000+i)
				}), 1500, []string{"data.application.yaml [60 rows]", "section33 | false | 8033"}, []string{"\nenabled: true"}},
		{"bars in a cell",
			"| prop | type | default | description |\n|---|---|---|---|\n" +
				linesEach(60, func(i int) string {
					return fmt.Sprintf("| p%d | `string \\| number` | `%d` | Sets the thing %d |", i, i, i)
				}),
			1500, []string{"string \\| number", "Sets the thing"}, nil},
		{"warnings behind failures",
			"============================= test session starts ==============================\ncollected 63 items\n\ntests/test_f.py FFF\n\n=================================== FAILURES ===================================\n" + linesEach(3, func(i int) string {
				return fmt.Sprintf("_____________ test_%d _____________\n\n    def test_%d():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_f.py:%d: AssertionError", i, i, i)
			}) + "=============================== warnings summary ===============================\n" +
				linesEach(60, func(i int) string {
					return fmt.Sprintf("tests/test_%d.py:12: DeprecationWarning: invalid escape number %d", i, i)
				}) + "=========================== short test summary info ============================\nFAILED tests/test_f.py::test_0 - assert 1 == 2\n================== 3 failed, 60 warnings in 0.1s ==================\n",
			2400, []string{"3 failed, 60 warnings", "= warnings summary ="}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, bytes := range []int{c.bytes, 2 * c.bytes} {
				s := Shorten(c.text, Options{Bytes: bytes})
				if !s.Whole {
					holds(t, c.text, s.Text, c.keeps, c.drops)
				}
			}
		})
	}
}
