package redact

import "strings"

// nameDetectors returns the detectors that guess: random values, classified by the name next to them, and passwords.
func nameDetectors() []*detector {
	named := &detector{id: "named-secret", rank: rankForm, keywords: []string{": |", ": >"}} // random.look adds to it
	random := &detector{id: "random-token", rank: rankGeneric}
	random.look = func(s *scan, _, _ int) { s.scanTokens(named, random) }
	password := &detector{id: "password", rank: rankForm, keywords: []string{"pass", "pwd", "secret", "psk", identifiedBy}}
	password.look = password.passwordAt
	named.look = func(s *scan, _, end int) { s.blockScalar(named, password, end) }
	list := []*detector{random, named, password}
	for _, look := range knownLooks {
		list = append(list, look.d)
	}
	return list
}

// How much evidence of randomness, in bits, a value must show.
const (
	namedBits  = 22.0 // under a name that says it is a secret
	vendorBits = 34.0 // under the name of a service
	nearBits   = 45.0 // with a telling word before it
	prefixBits = 60.0 // after a prefix such as "abc_live_"
	bareBits   = 90.0 // with no context at all
)

// Lengths of tokens, in bytes.
const (
	minToken = 8
	maxToken = 512     // a longer run is data, unless its name says that it is a secret
	maxNamed = 1 << 16 // under such a name
)

// tokenByte marks the characters of tokens.
var tokenByte = func() (t [256]bool) {
	for i := range t {
		t[i] = letterClass[i] != other || strings.IndexByte("_-+/.~", byte(i)) >= 0
	}
	return t
}()

// scanTokens checks every run of token characters.
func (s *scan) scanTokens(named, random *detector) {
	text, leads := s.text, false
	defer func() { s.leads = leads }()
	for i := 0; i < len(text); i++ {
		if !tokenByte[text[i]] {
			leads = leads || isLead[text[i]]
			continue
		}
		start := i
		var a alphabet
		for i < len(text) && tokenByte[text[i]] {
			a |= alphabetOf[text[i]]
			i++
		}
		if i < len(text) {
			leads = leads || isLead[text[i]]
		}
		if i-start >= minToken && (a&digit != 0 && a&(lower|upper) != 0 || i-start >= 16) {
			if s.watch.spend(attemptCost + i - start); s.watch.isOver() {
				return
			}
			c, from, known := newCandidate(text, start, i, a), start, len(s.found)
			if start > 0 { // the run may begin with the last letters of an escape
				from = max(start, min(escapeEnd(text, start-1), c.end-1))
			}
			if d := knownLook(text[from:c.end]); d != nil {
				s.addFinding(d, from, c.end)
			} else if s.classifyToken(named, random, c); len(s.found) > known && s.found[known].start == start {
				s.found[known].start = from
			}
		}
	}
}

// candidate is a run of token characters that may be a secret.
type candidate struct {
	start, end int      // in the text
	v          string   // text[start:end]
	kinds      alphabet // of the run
	bits       float64  // evidence of randomness in its most random part
	core       int      // length of that part
}

func newCandidate(text string, start, end int, kinds alphabet) candidate {
	c := candidate{start: start, end: end, v: text[start:end], kinds: kinds}
	c.bits, c.core = tokenChance(c.v)
	for n := 0; n < 2 && end < len(text) && text[end] == '='; n++ {
		end++
	}
	if end == c.end {
		end = start + len(strings.TrimRight(c.v, ".-/"))
	}
	c.end, c.v = end, text[start:end]
	return c
}

// tokenChance returns the evidence of randomness in a token that may have a prefix, and the length of its most random
// part. The longest part between separators is also checked alone: a prefix before hexadecimal makes that look like a
// poor choice from a large alphabet.
func tokenChance(v string) (bits float64, core int) {
	bits, lo, hi := measureRandomness(v)
	if part := longestPart(v); len(part) < len(v) && len(part) >= minToken {
		if partBits, from, to := measureRandomness(part); partBits > bits {
			return partBits, to - from
		}
	}
	return bits, hi - lo
}

// classifyToken records the candidate if its name, its context or its look says that it is a secret.
func (s *scan) classifyToken(named, random *detector, c candidate) {
	if c.bits < namedBits && c.kinds != digit && !isUUID(c.v) && !isMade(c.v) {
		return
	}
	p := placeOf(s.text, c.start, c.end)
	c, p = s.extendStart(c, p)
	isSecret := p.kind == nameSecret || p.kind == namePassword
	switch {
	case p.kind == nameBenign || isNamedDigest(c.v):
	case p.given && isSecret:
		if s.isNamedSecret(p, c) && !isPublicKey(c.v) {
			s.addFinding(named, c.start, s.valueEnd(c.end))
		}
	case c.kinds&(lower|upper) == 0 || len(c.v) > maxToken:
	case p.given && p.kind == nameVendor && s.text[c.start-1] != ':':
		if c.bits >= vendorBits && c.core >= 15 && !isSentence(c.v) && (len(c.v) >= 24 || !isAllHex(c.v)) && !s.isAddress(c) {
			s.addFinding(named, c.start, s.valueEnd(c.end))
		}
	case !p.given && isSecret && c.bits >= nearBits && c.core >= 16 && isMixed(c.v) || isPrefixed(c) || isBare(c) && s.isWhole(c, p):
		if !isUUID(c.v) && !strings.HasPrefix(c.v, "0x") && !s.isAddress(c) && !s.inURL(c.start, true) && !strings.HasPrefix(s.text[c.end:], "@") {
			s.addFinding(random, c.start, c.end)
		}
	}
}

// isAddress reports whether a candidate without a telling name is a reference, a digest or a piece of data.
func (s *scan) isAddress(c candidate) bool {
	return isFiller(longestPart(c.v)) || isPublicKey(c.v) || s.isExempt(c.start, c.end) || isData(s.text, c.start, c.end)
}

// extendStart moves the start of a candidate left over "name=" or "name:" if that is not a name but the value's first part.
func (s *scan) extendStart(c candidate, p place) (candidate, place) {
	const reach = 96
	for range 3 {
		if c.start == 0 || s.text[c.start-1] != '=' && s.text[c.start-1] != ':' || strings.HasPrefix(c.v, "//") {
			break
		}
		from := c.start - 1
		for limit := from - reach; from > 0 && from > limit && (tokenByte[s.text[from-1]] || s.text[from-1] == '='); {
			from--
		}
		outer := placeOf(s.text, from, c.end)
		if from == c.start-1 || !outer.given || outer.kind < nameVendor {
			break
		}
		c.start, c.v, p = from, s.text[from:c.end], outer
	}
	return c, p
}

// isNamedSecret reports whether a value is the secret that its name promises, and not a reference to one.
func (s *scan) isNamedSecret(p place, c candidate) bool {
	if c.kinds == digit {
		return p.quoted && len(c.v) >= 18 && distinctBytes(c.v) > 4
	}
	if len(c.v) > maxNamed || isPlaceholder(c.v) || isSentence(c.v) && !isMade(c.v) || isNumber(c.v) || s.inURL(c.start, false) {
		return false
	}
	if isPath(s.text, c.start, c.end) && (c.bits < vendorBits || strings.Contains(c.v, "/")) {
		return false
	}
	if strings.EqualFold(c.v, p.name) || !p.quoted && strings.Contains(c.v, ".") && lacksChance(longestPart(c.v)) {
		return false // a constant that says its own name; a field of something
	}
	after := s.text[c.end:min(len(s.text), c.end+16)]
	if after != "" && strings.IndexByte("([{", after[0]) >= 0 {
		return false // a call or an index: the value is made elsewhere
	}
	switch {
	case strings.Contains(strings.ToLower(after), "redact"): // already shown only in part
		return false
	case isUUID(c.v):
		// A UUID as a secret is common; as the ID of a request it is even more so.
		return distinctBytes(c.v) > 6 && !hasAny(splitName(p.name), "client", "request", "action", "purchase", "change")
	case p.quoted:
		return true
	}
	return c.kinds&digit != 0 && (c.bits >= namedBits+6 || len(c.v) >= 16) || c.bits >= prefixBits || isMade(c.v)
}

// valueEnd returns where a value ends that continues after end with characters that tokens do not have.
func (s *scan) valueEnd(end int) int {
	for limit := end + 128; end < len(s.text) && end < limit && s.text[end] > ' ' && strings.IndexByte("\"'`,;&<>()[]{}\\|", s.text[end]) < 0; {
		end++
	}
	return end
}

// isWhole reports whether a candidate is all of a value or of a text.
func (s *scan) isWhole(c candidate, p place) bool {
	return p.quoted || p.given || len(c.v) == s.solid
}
