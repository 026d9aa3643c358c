package upstream

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// dropped is the error of a connection that ended before an answer began.
type dropped struct{ err error }

func (e *dropped) Error() string { return "the server closed the connection without an answer" }

// Unwrap returns the cause.
func (e *dropped) Unwrap() error { return e.err }

// wasDropped reports whether the other side ended the connection. For a connection that was used before, net/http says
// so only in text.
func wasDropped(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		strings.Contains(err.Error(), "server closed idle connection")
}

// brokenOff returns the error of an answer that was cut off.
func brokenOff(err error) error {
	if wasDropped(err) {
		return fmt.Errorf("the server closed the connection in the middle of its answer: %w", err)
	}
	return err
}

// reasonText returns the text of an error without parts meant only for programs, and with advice.
func reasonText(err error) string {
	if out := tlsReason(err); out != "" {
		return out
	}
	out := err.Error()
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		list := joined.Unwrap()
		out = list[len(list)-1].Error()
	}
	var name *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		out += ": nothing listens there; is the server running, and the port right?"
	case errors.As(err, &name) && name.IsNotFound:
		out = "no such host: " + name.Name + "; is the name in its url right, and is there a network?"
	case errors.As(err, &name):
		out += ": is the name right, and is there a network?"
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		out += ": nothing answers there; is the address right, and does a firewall let it pass?"
	}
	return out
}

// tlsAlert is how a TLS alert appears to an HTTP client.
const tlsAlert = `malformed HTTP response "\x15\x03`

// tlsReason returns the reason of a mismatch between http and https, or of a certificate error; "" for any other error.
func tlsReason(err error) string {
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return "the server does not speak https: write http:// in its url if that is right"
	case strings.Contains(err.Error(), tlsAlert):
		return "the server wants https: write https:// in its url"
	case errors.As(err, &unknown):
		return "the certificate's authority is not trusted here: " + trust(runtime.GOOS)
	case errors.As(err, &host):
		return sanitize.OneLine(host.Error(), maxLine) + ": is the host in its url right?"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired, or this machine's clock is wrong"
	}
	return ""
}

// trust says how to make a certificate trusted: Go uses the system's own store if there is one.
func trust(system string) string {
	if system == "windows" || system == "darwin" {
		return "if you trust it, add it to the system's certificates"
	}
	return "if you trust it, write it to a PEM file and start compactor with SSL_CERT_FILE set to that"
}

// hint returns advice for a server reached by URL that drops the connection before its start is done.
func hint(err error) string {
	if e := (*dropped)(nil); errors.As(err, &e) {
		return ": is its url right, with http or https, and is it an MCP server?"
	}
	return ""
}
