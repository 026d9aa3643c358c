package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// digestKey is of this process alone, so that nobody can try guesses at a short
// text against a log.
var digestKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return key
})

// Digest stands for a text that must not be shown: equal texts have equal digests
// until the process ends. That of "" is "".
func Digest(text string) string {
	if text == "" {
		return ""
	}
	mac := hmac.New(sha256.New, digestKey())
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
