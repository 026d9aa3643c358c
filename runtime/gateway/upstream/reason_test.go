package upstream

import (
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
)

// dropping is the address of a server that says something to each connection and ends it.
func dropping(t testing.TB, say string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-over })
	go func() {
		defer close(over)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 64<<10))
			_, _ = io.WriteString(c, say)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// The time to start is never waited for here: its end would be told in other words.
func TestAServerThatDropsTheConnectionIsToldAtOnce(t *testing.T) {
	const stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
	const wrong = "the server closed the connection without an answer: is its url right, with http or https, and is it an MCP server?"
	for name, c := range map[string]struct{ scheme, kind, say, says string }{
		"http":         {"http", HTTP, "", wrong},
		"https":        {"https", HTTP, "", wrong},
		"sse":          {"http", SSE, "", wrong},
		"half a body":  {"http", HTTP, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{", "in the middle of its answer"},
		"a stream":     {"http", HTTP, stream, "the stream ended without an answer"},
		"with an id":   {"http", HTTP, stream + "id: 1\nretry: 10\ndata:\n\n", "the stream ended without an answer"},
		"no endpoint":  {"http", SSE, stream, "the stream ended before it named an endpoint"},
		"alert of tls": {"http", HTTP, "\x15\x03\x01\x00\x02\x02\x46", "the server wants https: write https:// in its url"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, Spec{Kind: c.kind, URL: c.scheme + "://" + dropping(t, c.say)}, Options{})
			if _, err := s.About(t.Context()); err == nil || !strings.HasSuffix(strings.SplitN(err.Error(), ": unexpected EOF", 2)[0], c.says) {
				t.Errorf("%v\nwant %s", err, c.says)
			}
		})
	}
}

func TestHTTPAndHTTPSAreToldApart(t *testing.T) {
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain := httptest.NewServer(nothing)
	defer plain.Close()
	secure := httptest.NewUnstartedServer(nothing)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for url, says := range map[string]string{
		strings.Replace(plain.URL, "http:", "https:", 1):       "the server does not speak https: write http:// in its url",
		strings.Replace(secure.URL, "https:", "http:", 1):      "the server wants https; write https:// in servers.peer.url",
		"https://" + dropping(t, "220 mail.example ESMTP\r\n"): "the server does not speak https: write http:// in its url",
		secure.URL: "the certificate's authority is not trusted here: " + trust(runtime.GOOS),
	} {
		s := newServer(t, Spec{URL: url}, Options{})
		if _, err := s.About(t.Context()); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", url, err)
		}
		s.Close()
	}
}

func TestReasonsSayTheWayOut(t *testing.T) {
	wrap := func(err error) error { return fmt.Errorf("connect: %w", err) }
	for says, err := range map[string]error{
		"no such host: nosuch.example; is the name in its url right, and is there a network?": wrap(&net.DNSError{Name: "nosuch.example", Err: "no such host", IsNotFound: true, Server: "10.0.0.1:53"}),
		"nothing answers there": wrap(&net.OpError{Op: "dial", Net: "tcp", Err: os.ErrDeadlineExceeded}),
		"has expired":           wrap(x509.CertificateInvalidError{Reason: x509.Expired}),
		"not other.example: is the host in its url right?": wrap(x509.HostnameError{Host: "other.example", Certificate: &x509.Certificate{DNSNames: []string{"right.example"}}}),
	} {
		if got := reasonText(err); !strings.Contains(got, says) {
			t.Errorf("%s\nwant %s", got, says)
		}
	}
}
