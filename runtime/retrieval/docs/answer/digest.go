package answer

import (
	"crypto/sha256"
	"fmt"
	"strconv"
)

// digestSize is the length of a digest: 16 digits of a rolling hash, which finds candidates, and 16 of a SHA-256, which
// decides.
const digestSize = 32

// base is that of the rolling hash, a polynomial over the bytes modulo 2^64 (Rabin and Karp, 1987).
const base = 0x9E3779B97F4A7C15

// Digest returns a digest of a quote, by which FindQuote finds it again.
func Digest(quote string) string {
	sum := sha256.Sum256([]byte(quote))
	return fmt.Sprintf("%016x%x", rollingHash(quote), sum[:8])
}

func rollingHash(text string) (h uint64) {
	for i := range len(text) {
		h = h*base + uint64(text[i])
	}
	return h
}

// FindQuote returns the first byte of a quote of that digest and size in a text: the byte near, if it stands there, or
// else the first of all. ok is false if the text does not have it.
func FindQuote(text, digest string, size, near int) (start int, ok bool) {
	if size <= 0 || size > len(text) || len(digest) != digestSize {
		return 0, false
	}
	if near >= 0 && near <= len(text)-size && Digest(text[near:near+size]) == digest {
		return near, true
	}
	want, err := strconv.ParseUint(digest[:16], 16, 64)
	if err != nil {
		return 0, false
	}
	first := uint64(1) // weight of the first byte
	for range size - 1 {
		first *= base
	}
	h := rollingHash(text[:size])
	for i := 0; ; i++ {
		if h == want && Digest(text[i:i+size]) == digest {
			return i, true
		}
		if i+size == len(text) {
			return 0, false
		}
		h = (h-first*uint64(text[i]))*base + uint64(text[i+size])
	}
}
