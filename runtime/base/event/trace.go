package event

import (
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
)

// ID is an identifier of our own making, or a digest: it holds no secret, though
// it looks like one. Sinks write it as it is.
type ID string

// newTrace returns a trace id as W3C Trace Context has it. It need not be secret,
// only different.
func newTrace() string { return hexOf(rand.Uint64()|1) + hexOf(rand.Uint64()) } // never all zeros

func newCall() string { return hexOf(rand.Uint64() | 1) }

func hexOf(n uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = digits[n&15]
		n >>= 4
	}
	return string(b[:])
}

// Traceparent returns the trace id of a W3C traceparent such as
// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, and "" for what is
// none. Of later versions what the first one defines is read, as they ask for.
func Traceparent(header string) string {
	const length = 55
	if len(header) < length || header[2] != '-' || header[35] != '-' || header[52] != '-' {
		return ""
	}
	version, trace, parent, flags := header[:2], header[3:35], header[36:52], header[53:55]
	switch {
	case !isHex(version) || version == "ff" || !isHex(trace) || !isHex(parent) || !isHex(flags):
		return ""
	case version == "00" && len(header) != length, len(header) > length && header[length] != '-':
		return ""
	case strings.Trim(trace, "0") == "" || strings.Trim(parent, "0") == "":
		return ""
	}
	return trace
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// opaqueKey is of this process alone, so that nobody can try guesses at a short
// text against what was written.
var opaqueKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = crand.Read(key) // never fails
	return key
})

// Opaque returns a digest that tells equal texts apart from others within one run
// of the program, and nothing else of them: a session's id is as good as a key
// over HTTP. It is "" for "".
func Opaque(text string) string {
	if text == "" {
		return ""
	}
	mac := hmac.New(sha256.New, opaqueKey())
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// sessions are digests of a moment ago: every request of a session needs the same one.
// Each has the place that its text gives it, and makes room for the next there.
type sessions struct {
	seed  maphash.Seed
	known [64]atomic.Pointer[digest]
}

type digest struct{ text, opaque string }

var lately = sessions{seed: maphash.MakeSeed()}

// opaque is Opaque of the id of a session.
func (s *sessions) opaque(text string) string {
	at := &s.known[maphash.String(s.seed, text)%uint64(len(s.known))]
	if d := at.Load(); d != nil && d.text == text {
		return d.opaque
	}
	d := &digest{text, Opaque(text)}
	at.Store(d)
	return d.opaque
}
