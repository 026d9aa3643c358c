package docs

import "strings"

// around is how many bytes on either side of a passage are masked with it: a secret may begin in
// one passage and end in the next.
const around = 32 << 10

// gone replaces the part of a secret that lies in a passage.
const gone = "[REDACTED]"

// maskRange returns whole[start:end] with secrets masked, including those that cross its borders.
func maskRange(mask func(string) string, whole string, start, end int) string {
	text := whole[start:end]
	from, to := max(0, start-around), min(len(whole), end+around)
	before, after := whole[from:start], whole[end:to]
	plain := before + text + after
	clean := mask(plain)
	if clean == plain {
		return text
	}
	if own := mask(text); clean == mask(before)+own+mask(after) {
		return own
	}
	// The change lies between the longest unchanged prefix and suffix.
	first := sharedStart(plain, clean)
	last := len(plain) - sharedEnd(plain[first:], clean[first:])
	first, last = max(first, len(before)), min(last, len(before)+len(text))
	if first >= last {
		return mask(text)
	}
	return mask(strings.ToValidUTF8(plain[len(before):first], "")) + gone + mask(strings.ToValidUTF8(plain[last:len(before)+len(text)], ""))
}

func sharedStart(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func sharedEnd(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
