package redact

import "strings"

// Checks of the look of a value alone.

// isPrefixed reports whether a value is a short word, a separator and a long random part: the form in which services
// issue their tokens so that they can be found.
func isPrefixed(c candidate) bool {
	sep := strings.IndexAny(c.v, "_-.")
	if c.bits < prefixBits || sep < 2 || sep > 16 || c.core < 18 || strings.ContainsAny(c.v, "/+") || strings.Count(c.v, ".") > 3 {
		return false
	}
	prefix := c.v[:sep]
	if digestPrefix[strings.ToLower(prefix)] || alphabetIn(prefix)&(lower|upper) == 0 {
		return false
	}
	longest := longestPart(c.v[sep+1:])
	if isAllHex(longest) {
		// A digest after a name is common, so only the strictest form counts.
		return sep >= 3 && sep <= 12 && alphabetIn(prefix)&digit == 0 && c.v[sep] == '_' && len(longest) >= 32 && strings.HasSuffix(c.v, longest) && strings.Count(c.v, "_") <= 2
	}
	bothCases := alphabetIn(longest)&(lower|upper) == lower|upper
	return len(longest) >= 18 && (isMixed(longest) || bothCases && c.bits >= bareBits)
}

var digestPrefix = wordSet("sha sha1 sha224 sha256 sha384 sha512 md5 h1 blake2b blake2s blake3 crc32 hash rev index chunk main vendor app")

// knownLooks are tokens without a prefix that are recognized by their parts.
var knownLooks = []struct {
	d  *detector
	is func(v string) bool
}{
	{(&detector{id: "discord-bot-token", rank: rankVendor}).prepare(), isDiscordToken},
	{(&detector{id: "mailgun-account-key", rank: rankVendor}).prepare(), isMailgunKey},
}

// knownLook returns the detector of a token in knownLooks, or nil.
func knownLook(v string) *detector {
	for _, look := range knownLooks {
		if len(v) >= 50 && len(v) <= 90 && look.is(v) {
			return look.d
		}
	}
	return nil
}

// isDiscordToken reports whether v is the number of a bot in base64, a time and a signature.
func isDiscordToken(v string) bool {
	parts := strings.Split(v, ".")
	if len(parts) != 3 || len(parts[0]) < 22 || len(parts[0]) > 30 || len(parts[1]) < 5 || len(parts[1]) > 8 || len(parts[2]) < 27 {
		return false
	}
	id, ok := decodeBase64(parts[0])
	return ok && strings.Trim(id, "0123456789") == "" && !lacksChance(parts[2])
}

// isMailgunKey reports whether v is 32, 8 and 8 hexadecimal digits.
func isMailgunKey(v string) bool {
	return len(v) == 50 && v[32] == '-' && v[41] == '-' && isAllHex(v[:32]) && isAllHex(v[33:41]) && isAllHex(v[42:]) && !lacksChance(v)
}

// isBare reports whether a value consists of upper and lower case and digits, has a length that keys have, and contains
// nothing readable.
func isBare(c candidate) bool {
	const all = lower | upper | digit
	return c.bits >= bareBits && len(c.v) >= 24 && len(c.v) <= 128 && c.kinds&all == all &&
		!strings.ContainsAny(c.v, "/+=") && len(longestPart(c.v)) >= 20 && distinctBytes(c.v) >= 14 && !isEncodedText(c.v)
}

// isMixed reports whether v has digits and letters beyond hexadecimal.
func isMixed(v string) bool {
	const mixed = digit | beyondHex
	return alphabetIn(v)&mixed == mixed
}

// isSentence reports whether a value is made of words with separators, with little randomness for its length.
func isSentence(v string) bool {
	bits, core := tokenChance(v)
	return bits < namedBits && !isUUID(v) || core*3 < len(v) && bits < 40
}

// isMade reports whether v is something that people type as a key: runs of the alphabet and of digits, or alternating
// letters and digits. It accepts only a single word, and counts only under a name that promises a secret.
func isMade(v string) bool {
	if len(v) < 9 || len(v) > 128 {
		return false
	}
	inRow, turns, digits := 0, 0, 0
	for i := range len(v) {
		a := alphabetOf[v[i]] & (lower | upper | digit)
		if a == 0 {
			return false
		}
		if a == digit {
			digits++
		}
		if i > 0 && (a == digit) != (alphabetOf[v[i-1]] == digit) {
			turns++
		}
		if i > 0 && v[i]-v[i-1] <= 1 || i+1 < len(v) && v[i+1]-v[i] <= 1 {
			inRow++
		}
	}
	letters := len(v) - digits
	return letters >= 3 && digits >= 3 && (turns >= 3 || len(v) >= 12 && inRow*10 >= len(v)*7)
}

// isNumber reports whether v is a number with a fraction or an exponent, a version or an IP address.
func isNumber(v string) bool {
	return strings.Trim(v, "0123456789.") == "" && strings.IndexByte(v, '.') >= 0 || strings.ContainsAny(v, ".+") && strings.Count(v, ".") < 2 && strings.Trim(v, "0123456789.+-eE_xX") == ""
}

// longestPart returns the longest part of s between separators.
func longestPart(s string) (longest string) {
	from := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && letterClass[s[i]] != other {
			continue
		}
		if i-from > len(longest) {
			longest = s[from:i]
		}
		from = i + 1
	}
	return longest
}

// isEncodedText reports whether v is text in base64.
func isEncodedText(v string) bool {
	raw, ok := decodeBase64(v[:len(v)/4*4])
	if !ok {
		return false
	}
	for i := range len(raw) {
		if raw[i] < ' ' && !isBlank(raw[i]) || raw[i] > '~' {
			return false
		}
	}
	return true
}

// isPublicKey reports whether v is a public key in DER, by how they begin in base64: RSA, elliptic curves, Ed25519.
func isPublicKey(v string) bool {
	for _, head := range []string{"MFkwEwYHKoZIzj0CAQ", "MHYwEAYHKoZIzj0CAQ", "MCowBQYDK2VwAyEA", "MIIBIjANBgkqhkiG9w0BAQEF", "MIICIjANBgkqhkiG9w0BAQEF", "MIGfMA0GCSqGSIb3DQEBAQUA", "AAAAB3NzaC1yc2E", "AAAAC3NzaC1lZDI1NTE5", "AAAAE2VjZHNhLXNoYTIt"} {
		if strings.HasPrefix(v, head) {
			return true
		}
	}
	return false
}

// dataMarks are words before encoded data that is not secret.
var dataMarks = []string{
	"base64,", "sourcemappingurl", "ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2-", "integrity", "sha256", "sha512", "sha384", "sha1",
	"md5", "h1:", "checksum", "digest",
}

// isData reports whether a run belongs to encoded data: a data URL, a certificate, a block of lines of equal length, a
// digest after its name.
func isData(text string, start, end int) bool {
	before := strings.ToLower(lineBefore(text, start, markReach))
	for _, mark := range dataMarks {
		if strings.Contains(before, mark) {
			return true
		}
	}
	return isBlockLine(text, start, end)
}

const (
	minBlockLine = 40
	blockMarks   = " \t\r\"'`+,;=\\#*/|>"
)

// isBlockLine reports whether a run fills its line, except for quotes and the like, and an adjacent line is base64 too.
func isBlockLine(text string, start, end int) bool {
	if end-start < minBlockLine {
		return false
	}
	before := lineBefore(text, start, minBlockLine)
	rest, after, _ := strings.Cut(text[end:min(len(text), end+4*minBlockLine)], "\n")
	if strings.Trim(before, blockMarks) != "" || strings.Trim(rest, blockMarks) != "" {
		return false
	}
	next, _, _ := strings.Cut(after, "\n")
	last := strings.TrimSuffix(text[max(0, start-len(before)-4*minBlockLine):start-len(before)], "\n")
	return isBlock(next) || isBlock(last[strings.LastIndexByte(last, '\n')+1:])
}

func isBlock(line string) bool {
	line = strings.Trim(line, blockMarks)
	for i := range len(line) {
		if !isBase64(line[i]) {
			return false
		}
	}
	return len(line) >= minBlockLine/2
}
