package supervise

import (
	"net"
	"strings"
	"testing"
)

func TestParseAnnouncement(t *testing.T) {
	for line, want := range map[string]string{
		`SERVER_READY {"transport": "http", "addr": "127.0.0.1:8080"}`:            "127.0.0.1:8080",
		`SERVER_READY {"transport":"http","addr":"localhost:8080"} and more`:      "localhost:8080",
		`2026-01-02 INFO SERVER_READY {"transport":"sse","addr":":8080","pid":3}`: "127.0.0.1:8080",
		`SERVER_READY {"transport": "http", "addr": "0.0.0.0:8080"}`:              "127.0.0.1:8080",
		`SERVER_READY {"transport": "http", "addr": "[::]:8080"}`:                 "127.0.0.1:8080",
		`SERVER_READY {"transport": "http", "addr": "[::1]:8080"}`:                "[::1]:8080",
		`SERVER_READY {"transport": "http", "addr": "http://127.0.0.1:8080/mcp"}`: "127.0.0.1:8080",
		`SERVER_READY {"transport": "unix", "addr": "/tmp/s.sock"}`:               "/tmp/s.sock",
		`SERVER_READY {"transport": "stdio"}`:                                     "",
		`SERVER_READY {}`:                                                         "",
		`SERVER_READY {"addr": "10.0.0.1:80"}`:                                    "error: which is not on this machine",
		`SERVER_READY {"addr": "evil.example:80"}`:                                "error: which is not on this machine",
		`SERVER_READY {"addr": "localhost.evil.example:80"}`:                      "error: which is not on this machine",
		`SERVER_READY {"addr": "http://user@evil.example:80"}`:                    "error: which is not on this machine",
		`SERVER_READY {"addr": "127.0.0.1"}`:                                      "error: which is not HOST:PORT",
		`SERVER_READY {"addr": "127.0.0.1:0"}`:                                    "error: which is not HOST:PORT",
		`SERVER_READY {"addr": "127.0.0.1:99999"}`:                                "error: which is not HOST:PORT",
		`SERVER_READY {"addr": `:                                                  "error: cannot be read",
		`SERVER_READY`:                                                            "no",
		`not yet SERVER_READY`:                                                    "no",
		`{"msg":"SERVER_READY {\"addr\":\"127.0.0.1:1\"}"}`:                       "no",
	} {
		at, ok := parseAnnouncement(line)
		switch message, isError := strings.CutPrefix(want, "error: "); {
		case want == "no":
			if ok {
				t.Errorf("%s: taken for an announcement", line)
			}
		case isError:
			if !ok || at.err == nil || !strings.Contains(at.err.Error(), message) {
				t.Errorf("%s: %v, want %s", line, at.err, message)
			}
		case !ok || at.err != nil || at.addr != want:
			t.Errorf("%s: %q, %v, want %q", line, at.addr, at.err, want)
		}
	}
}

// Whatever a program writes, an address that is taken from it is one on this machine.
func FuzzParseAnnouncement(f *testing.F) {
	f.Add(`SERVER_READY {"transport": "http", "addr": "127.0.0.1:8080"}`)
	f.Add(`SERVER_READY {"addr": "http://a@[::1%25x]:1/"}`)
	f.Add("x SERVER_READY {\"addr\": \"\\u0000:1\"}")
	f.Fuzz(func(t *testing.T, line string) {
		at, ok := parseAnnouncement(line)
		if !ok || at.err != nil || at.addr == "" || strings.Contains(line, "unix") || strings.Contains(line, `\u`) {
			return
		}
		host, _, err := net.SplitHostPort(at.addr)
		if ip := net.ParseIP(host); err != nil || !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
			t.Errorf("%q gives %q", line, at.addr)
		}
	})
}
