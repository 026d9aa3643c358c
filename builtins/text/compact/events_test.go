package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Events of a log are shown with their level and their message, failures first, and repeated ones are counted.
func TestEventsKeepLevelAndMessage(t *testing.T) {
	pino := linesFor(120, `{"level":30,"time":17623368%05d,"pid":41,"hostname":"web-7d9f","reqId":"r-%d","msg":"request completed","status":200}`+"\n")
	for _, c := range []struct {
		name, text string
		keeps      []string
		drops      []string
	}{
		{"pino", pino + `{"level":50,"time":1762336911000,"pid":41,"hostname":"web-7d9f","reqId":"r-111","msg":"payment provider rejected card","err":{"type":"CardError","message":"Your card was declined (do_not_honor)","stack":"CardError: Your card was declined\n    at charge (/srv/app/src/pay/charge.js:48:27)\n    at next (/srv/app/node_modules/koa/index.js:3:1)\n    at own (/srv/app/src/pay/run.js:4:1)"}}` + "\n" + pino,
			[]string{"50 error 1762336911000 payment provider rejected card", "err.message=Your card was declined (do_not_honor)", "at charge (/srv/app/src/pay/charge.js:48:27)", "[241 lines]", "50 error (1)", "30 info (240)", "all: pid=41; hostname=web-7d9f", " like it]"},
			[]string{"node_modules"}},
		{"zap", linesFor(90, `{"level":"info","ts":17623368%02d.5,"caller":"api/serve.go:12","msg":"served","path":"/v1/items/%d"}`+"\n") +
			`{"level":"error","ts":1762336999.5,"caller":"api/store.go:77","msg":"cannot save","error":"disk quota exceeded on /dev/vdb","stacktrace":"shop/api.save\n\t/srv/api/store.go:77\nmain.main\n\t/srv/main.go:9"}` + "\n",
			[]string{"error 1762336999.5 cannot save", "error=disk quota exceeded on /dev/vdb", "caller=api/store.go:77", "[91 lines]", "error (1), info (90)"}, nil},
		{"structlog", linesFor(90, `{"event":"job done","level":"info","timestamp":"2026-02-03T04:05:%02d","job":"j-%d"}`+"\n") +
			`{"event":"job lost","level":"critical","timestamp":"2026-02-03T05:00:00","job":"j-991","reason":"worker was evicted"}` + "\n",
			[]string{"critical 2026-02-03T05:00:00 job lost", "reason=worker was evicted", "job=j-991", "[91 lines]"}, nil},
		{"logfmt", linesFor(90, "time=2026-02-03T04:05:%02d level=info msg=\"request done\" path=/v1/items/%d\n") +
			"time=2026-02-03T05:00:00 level=error msg=\"cannot dial\" err=\"dial tcp 10.0.0.9:5432: connection refused\"\n",
			[]string{"error 2026-02-03T05:00:00 cannot dial", "err=dial tcp 10.0.0.9:5432: connection refused", "[91 lines]"}, nil},
		{"a line that is no event", linesFor(40, `{"level":"info","msg":"tick","time":"10:00:%02d","n":%d}`+"\n") + "panic: runtime error: index out of range [7]\n" +
			linesFor(40, `{"level":"info","msg":"tick","time":"11:00:%02d","n":%d}`+"\n"),
			[]string{"panic: runtime error: index out of range [7]", "tick"}, nil},
		{"requests", linesFor(200, `10.0.0.1 - - [03/Feb/2026:04:05:%02d +0000] "GET /api/orders/%d HTTP/1.1" 200 39 "-" "curl/8"`+"\n") +
			linesFor(30, `10.0.0.1 - - [03/Feb/2026:05:05:%02d +0000] "GET /api/orders/%d HTTP/1.1" 503 39 "-" "curl/8"`+"\n") +
			`10.0.0.2 - - [03/Feb/2026:05:06:00 +0000] "POST /api/refunds HTTP/1.1" 500 12 "-" "curl/8"` + "\n",
			[]string{`"GET /api/orders/0 HTTP/1.1" 503`, `"POST /api/refunds HTTP/1.1" 500`, "[231 lines]", "200 (200)", "503 (30)"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if kind := Detect(c.text); kind != Log && kind != JSON {
				t.Errorf("read as %s", kind)
			}
			for _, bytes := range []int{1200, 2000, 4000} {
				s := Shorten(c.text, Options{Bytes: bytes})
				if s.Kind != Log || len(s.Text) > bytes {
					t.Errorf("read as %s, %d bytes of %d", s.Kind, len(s.Text), bytes)
				}
				holds(t, c.text, s.Text, c.keeps, c.drops)
			}
		})
	}
}

// The events of go test -json are read as the tests they tell of: failures with what they printed, and the number of those
// that passed as the events say it.
func TestEventsOfGoTest(t *testing.T) {
	var b strings.Builder
	event := func(action, pkg, test, output string) {
		fmt.Fprintf(&b, `{"Time":"2026-02-03T04:05:06Z","Action":%q,"Package":%q`, action, pkg)
		if test != "" {
			fmt.Fprintf(&b, `,"Test":%q`, test)
		}
		if output != "" {
			fmt.Fprintf(&b, `,"Output":%q`, output)
		}
		b.WriteString("}\n")
	}
	for i := range 40 { // two packages at once
		for _, pkg := range []string{"shop/cart", "shop/pay"} {
			test := fmt.Sprintf("TestPart%d", i)
			event("run", pkg, test, "")
			event("output", pkg, test, "=== RUN   "+test+"\n")
			if failed := pkg == "shop/pay" && i == 7; failed {
				event("output", pkg, test, "    pay_test.go:31: got 1550, want 1900\n")
				event("output", pkg, test, "--- FAIL: "+test+" (0.00s)\n")
				event("fail", pkg, test, "")
				continue
			}
			event("output", pkg, test, "--- PASS: "+test+" (0.00s)\n")
			event("pass", pkg, test, "")
		}
	}
	event("output", "shop/cart", "", "PASS\n")
	event("output", "shop/cart", "", "ok  \tshop/cart\t0.012s\n")
	event("output", "shop/pay", "", "FAIL\n")
	event("output", "shop/pay", "", "FAIL\tshop/pay\t0.013s\n")
	event("fail", "shop/pay", "", "")
	text := b.String()
	for _, bytes := range []int{600, 1200, 4000} {
		s := Shorten(text, Options{Bytes: bytes})
		if s.Kind != Tests {
			t.Errorf("read as %s", s.Kind)
		}
		holds(t, text, s.Text, []string{"[… 326 events: 79 tests passed, 1 failed, 0 skipped]", "--- FAIL: TestPart7", "pay_test.go:31: got 1550, want 1900", "shop/pay", "0.013s"}, nil)
	}
}

// A report of JUnit is read as the tests it tells of.
func TestReportOfJUnit(t *testing.T) {
	text := `<?xml version="1.0"?><testsuites><testsuite name="shop" tests="62" failures="1" skipped="1">` +
		linesFor(60, `<testcase classname="shop.Cart" name="adds%d" time="0.0%d"/>`+"\n") +
		`<testcase classname="shop.Pay" name="rounds"><failure message="expected 1900 but was 1550" type="AssertionError">AssertionError: expected 1900 but was 1550
	at shop.Pay.rounds(PayTest.java:31)</failure></testcase><testcase classname="shop.Pay" name="later"><skipped/></testcase></testsuite></testsuites>`
	s := Shorten(text, Options{Bytes: 700})
	holds(t, text, s.Text, []string{"[… 60 tests passed, 1 failed, 1 skipped]", "--- FAIL: rounds (shop.Pay)", "expected 1900 but was 1550", "PayTest.java:31"}, nil)
}

// What a terminal does not show is no text: colours, lines drawn over, and encoded data but for its kind and its size.
func TestWhatIsNotRead(t *testing.T) {
	data := strings.Repeat("yFESGr6AlZc8m9wbRGCJ8ySc904LZGYLYdc7yuA1D01Zx8rMRkxTJYh5Sv1l", 80)
	for _, c := range []struct {
		name, text   string
		keeps, drops []string
	}{
		{"colours", linesFor(200, "\x1b[32m✔\x1b[39m \x1b[1mstep %d\x1b[22m done \x1b[90m(%dms)\x1b[39m\r\n") + "\x1b[31m✖ step 200 failed:\x1b[39m \x1b[1mENOSPC: no space left on device\x1b[22m, write '/var/tmp/x'\r\n",
			[]string{"✖ step 200 failed: ENOSPC: no space left on device, write '/var/tmp/x'", " like it]"}, []string{"\x1b", "step 9 done"}},
		{"progress on one line", strings.Repeat("Downloading 10%\rDownloading 55%\rDownloading 100%\n", 1) + linesFor(300, "layer %d: waiting\rlayer %d: \x1b[Kpulled whole\n") + "error: layer 7 is gone\n",
			[]string{"error: layer 7 is gone", "pulled whole", " like it]"}, []string{"waiting", "55%", "\r"}},
		{"a line that is cleared", linesFor(200, "\x1b[2K\x1b[1Gfetching %d\x1b[2K\x1b[1Gfetched part %d\n") + "warning: 3 parts are old\n",
			[]string{"warning: 3 parts are old", "fetched part", " like it]"}, []string{"fetching", "\x1b"}},
		{"a picture", "Screenshot saved.\ndata:image/png;base64," + data + "\nThe button Pay is disabled. Next: click ref=e12\n",
			[]string{"Screenshot saved.", "data:image/png;base64,yFESGr6A", "[… 4800 characters of base64]", "The button Pay is disabled. Next: click ref=e12"}, []string{"4LZGYLYdc7yuA1D0"}},
		{"a file in a member", `{"name":"report.pdf","size":4117,"content":"JVBERi0` + data + `","owner":"ada"}`,
			[]string{`"name":"report.pdf","size":4117`, `"owner":"ada"`, "[… 4807 characters of base64, PDF]"}, []string{"4LZGYLYdc7yuA1D0"}},
		{"bytes in hex", "key of node-7:\n" + strings.Repeat("00ffa1b2c3d4e5f6", 90) + "\nit ends on 2026-05-01\n",
			[]string{"key of node-7:", "[… 1440 characters of hex]", "it ends on 2026-05-01"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, bytes := range []int{1000, 700} {
				s := Shorten(c.text, Options{Bytes: bytes})
				holds(t, c.text, s.Text, c.keeps, c.drops)
			}
		})
	}
	for in, want := range map[string]string{
		"a\rb\rc\n": "c\n", "a\r\nb\r\n": "a\nb\n", "a\r\r\nb": "a\nb", "a\r\x1b[0m\nb": "a\nb", "a\r\x1b[K\nb": "\nb", "a\rb\rc": "a\nb\nc", "\x1b]0;title\x07x": "x", "\x1b": "",
	} {
		if got := plainText(in); got != want {
			t.Errorf("plainText(%q) = %q, want %q", in, got, want)
		}
	}
}
