package guard_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

func TestGuard(t *testing.T) {
	const token = "0123456789abcdef"
	lan := guard.Options{Token: token, Remote: true, Hosts: []string{"box.example"}, Origins: []string{"https://chat.example"}}
	tests := []struct {
		name          string
		opt           guard.Options
		host, origin  string
		authorization []string
		status        int
	}{
		{"loopback", guard.Options{}, "127.0.0.1:1", "", nil, 200},
		{"loopback, IPv6", guard.Options{}, "[::1]:1", "", nil, 200},
		{"loopback, IPv6 without port", guard.Options{}, "[::1]", "", nil, 200},
		{"loopback, mapped", guard.Options{}, "[::ffff:127.0.0.1]:1", "", nil, 200},
		{"loopback, decimal", guard.Options{}, "2130706433:1", "", nil, 403},
		{"loopback, octal", guard.Options{}, "0177.0.0.1:1", "", nil, 403},
		{"trailing dot", guard.Options{}, "localhost.:1", "", nil, 403},
		{"below localhost", guard.Options{}, "a.localhost:1", "", nil, 403},
		{"lan address where only loopback is served", guard.Options{}, "192.0.2.1", "", nil, 403},
		{"lan address", lan, "192.0.2.1:1", "", []string{"Bearer " + token}, 200},
		{"lan name", lan, "BOX.example:1", "", []string{"Bearer " + token}, 200},
		{"lan, other name", lan, "evil.test", "", []string{"Bearer " + token}, 403},
		{"lan without token", lan, "192.0.2.1", "", nil, 401},
		{"two tokens", lan, "192.0.2.1", "", []string{"Bearer " + token, "Bearer x"}, 401},
		{"listed origin", lan, "box.example", "https://chat.example", []string{"Bearer " + token}, 200},
		{"listed origin, other scheme", lan, "box.example", "http://chat.example", []string{"Bearer " + token}, 403},
		{"listed origin without token", lan, "box.example", "https://chat.example", nil, 401},
		{"unix socket", guard.Options{Local: true}, "whatever", "", nil, 200},
		{"unix socket without host", guard.Options{Local: true}, "", "", nil, 200},
		{"unix socket, web page", guard.Options{Local: true}, "whatever", "http://whatever", nil, 403},
	}
	for _, tt := range []struct {
		method string
		header map[string]string
		status int
	}{
		{"GET", nil, 200},
		{"GET", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"GET", map[string]string{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors"}, 200},
		{"GET", map[string]string{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403},
		{"GET", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
		{"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200},
		{"POST", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 403},
		{"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Origin": "https://chat.example"}, 200},
	} {
		h, _ := guard.New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), guard.Options{Origins: []string{"https://chat.example"}})
		w := ask(h, tt.method, "/sessions", tt.header)
		if w.StatusCode != tt.status || w.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" || w.Header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s %v: %d, %v; want %d", tt.method, tt.header, w.StatusCode, w.Header, tt.status)
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, err := guard.New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = tt.host
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			for _, a := range tt.authorization {
				r.Header.Add("Authorization", a)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("%d, want %d", w.Code, tt.status)
			}
		})
	}
	if _, err := guard.New(nil, guard.Options{Token: "short"}); !errors.Is(err, guard.ErrShortToken) {
		t.Error(err)
	}
}
