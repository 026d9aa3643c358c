package shared

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

// secret is the input of keys that does not come from the client's request.
type secret [sha256.Size]byte

// Kinds of keys.
const (
	sessionName = "session name"
	sessionSeal = "session seal"
	resultName  = "result name"
	resultSeal  = "result seal"
)

func secretOf(token string) secret { return sha256.Sum256([]byte("compactor shared\x00" + token)) }

// deriveKey returns a key for a purpose. No part contains a zero byte: ids are letters and digits.
func (s secret) deriveKey(purpose string, parts ...string) []byte {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(purpose))
	for _, p := range parts {
		mac.Write([]byte{0})
		mac.Write([]byte(p))
	}
	return mac.Sum(nil)
}

// shelfName returns the name of something on a shelf.
func (s secret) shelfName(purpose string, parts ...string) string {
	return hex.EncodeToString(s.deriveKey(purpose, parts...))
}

// maxOpened limits the unpacked size of one body, in bytes.
const maxOpened = 64 << 20

var errSealed = errors.New("what is kept cannot be opened with this key")

// seal packs a text and encrypts it with the key. It can only be unsealed under the same name.
func seal(key []byte, name string, text ...[]byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	for _, part := range text {
		_, _ = w.Write(part) // writes to memory do not fail
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	aead, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+packed.Len()+aead.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return aead.Seal(nonce, nonce, packed.Bytes(), []byte(name)), nil
}

// unseal reverses seal.
func unseal(key []byte, name string, body []byte) ([]byte, error) {
	aead, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	if len(body) < aead.NonceSize() {
		return nil, errSealed
	}
	packed, err := aead.Open(nil, body[:aead.NonceSize()], body[aead.NonceSize():], []byte(name))
	if err != nil {
		return nil, errSealed
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxOpened+1))
	if err != nil || len(text) > maxOpened {
		return nil, errSealed
	}
	return text, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
