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

// ID is an identifier that we made, or a digest: it holds no secret, though it looks like one.
// Sinks write it unmasked.
type ID string

// newTrace returns a trace ID as defined by W3C Trace Context. It need not be secret, only unique.
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

// Traceparent returns the trace ID of a W3C traceparent such as
// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, and "" for an invalid one. Of later
// versions, it reads what the first one defines, as the specification requires.
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

// opaqueKey is random per process, so that guesses at a short text cannot be tested against written
// digests.
var opaqueKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = crand.Read(key) // never fails
	return key
})

// HashID returns a digest that tells equal texts from different ones within one run of the program,
// and reveals nothing else: over HTTP, a session's ID is as good as a key. It is "" for "".
func HashID(text string) string {
	if text == "" {
		return ""
	}
	mac := hmac.New(sha256.New, opaqueKey())
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// sessions caches recent digests: every request of a session needs the same one. A text's hash
// selects its slot, whose old entry it replaces.
type sessions struct {
	seed  maphash.Seed
	known [64]atomic.Pointer[digest]
}

type digest struct{ text, opaque string }

var lately = sessions{seed: maphash.MakeSeed()}

// opaque does what HashID does, for the ID of a session.
func (s *sessions) opaque(text string) string {
	at := &s.known[maphash.String(s.seed, text)%uint64(len(s.known))]
	if d := at.Load(); d != nil && d.text == text {
		return d.opaque
	}
	d := &digest{text, HashID(text)}
	at.Store(d)
	return d.opaque
}
