package redact

import (
	"encoding/base64"
	"slices"
	"strings"
)

// formDetectors returns the detectors for anything that is secret by its form, whatever it holds: private keys, tokens
// with their own header, credentials in URLs and in HTTP headers, the data of Kubernetes secrets.
func formDetectors() []*detector {
	pem := &detector{id: "private-key", rank: rankForm, keywords: []string{"key-----", "key block-----"}}
	pem.look = pem.privateKey
	encoded := &detector{id: "encoded-private-key", rank: rankForm, keywords: headKeywords()}
	encoded.look = encoded.encodedKey
	putty := &detector{id: "putty-private-key", rank: rankForm, keywords: []string{"private-lines:"}}
	putty.look = putty.puttyKey
	jwt := &detector{id: "json-web-token", rank: rankForm, keywords: []string{"eyj", "ewogi", "ewoj"}}
	jwt.look = jwt.webToken
	link := &detector{id: "url-credentials", rank: rankForm, keywords: []string{"://", `:\/\/`}}
	link.look = link.urlPassword
	header := &detector{id: "auth-header", rank: rankForm, keywords: []string{"bearer", "basic", "authorization", "negotiate"}}
	header.look = header.authHeader
	curl := &detector{id: "curl-user", rank: rankForm, keywords: []string{" -u ", " -u\"", " -u'", " -u=", "--user ", "--user=", "--proxy-user "}}
	curl.look = curl.curlUser
	kube := &detector{id: "kubernetes-secret", rank: rankForm, keywords: []string{"kind:"}}
	kube.look = kube.kubernetesSecret
	netrc := &detector{id: "netrc-password", rank: rankForm, keywords: []string{"machine "}}
	netrc.look = netrc.netrcLine
	command := &detector{id: "command-password", rank: rankForm, keywords: commandKeywords}
	command.look = command.commandPassword
	parts := &detector{id: "private-key-numbers", rank: rankForm, keywords: []string{`"kty"`, "rsakeyvalue"}}
	parts.look = parts.keyParts
	generated := &detector{id: "generated-password", rank: rankForm, keywords: []string{"random_password"}}
	generated.look = generated.generatedPassword
	call := &detector{id: "call-password", rank: rankForm, keywords: callKeywords()}
	call.look = call.callPassword
	inside := &detector{id: "encoded-secret", rank: rankForm, keywords: encodedKeywords()}
	inside.look = inside.encodedSecret
	return []*detector{pem, encoded, inside, putty, jwt, link, header, curl, kube, netrc, command, parts, generated, call}
}

// headKeywords returns the beginnings of encodedKeyHeads.
func headKeywords() (list []string) {
	for head := range encodedKeyHeads {
		list = append(list, lowerASCII(head[:min(len(head), 9)]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// webToken finds a JWT or JWE at start: two to five parts, the first a JSON object in base64. Even without its
// signature it reveals its content, and a truncated one may be completed from elsewhere.
func (d *detector) webToken(s *scan, start, _ int) {
	if start > 0 && (isWord(s.text[start-1]) || s.text[start-1] == '-') {
		return
	}
	end := webTokenEnd(s.text, start)
	s.watch.spend(end - start)
	s.skipTo(d, end)
	token := strings.TrimRight(s.text[start:end], ".=")
	head, rest, _ := strings.Cut(token, ".")
	if len(head) < 16 || len(rest) < 8 {
		return
	}
	raw, err := base64.RawURLEncoding.DecodeString(head[:len(head)/4*4])
	if err == nil && strings.HasPrefix(strings.TrimLeft(string(raw), "{ \r\n\t"), `"`) {
		s.addFinding(d, start, end)
	}
}

// webTokenEnd returns where the characters of a token of base64 and dots end. JSON may write a slash as "\/".
func webTokenEnd(text string, at int) int {
	for limit := at + maxNamed; at < len(text) && at < limit; at++ {
		c := text[at]
		if !isWord(c) && strings.IndexByte("-.=/+", c) < 0 && !(c == '\\' && strings.HasPrefix(text[at+1:], "/")) {
			break
		}
	}
	return at
}

// kubernetesSecret finds the values below data and stringData of a manifest of kind Secret, at its "kind:".
func (d *detector) kubernetesSecret(s *scan, start, end int) {
	rest := strings.TrimLeft(s.text[end:], " \t\"'")
	if len(rest) < 6 || !strings.EqualFold(rest[:6], "secret") || len(rest) > 6 && isWord(rest[6]) {
		return
	}
	lo, hi := manifestBounds(s.text, start)
	s.skipTo(d, hi)
	indent, inside := 0, false
	for at := lo; at < hi; {
		next := hi
		if n := strings.IndexByte(s.text[at:hi], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := strings.TrimRight(s.text[at:next], "\r\n")
		body := strings.TrimLeft(line, " \t")
		depth := len(line) - len(body)
		switch {
		case body == "" || body[0] == '#':
		case inside && depth > indent:
			d.manifestValue(s, at+depth, body)
		default:
			inside = strings.HasPrefix(body, "data:") || strings.HasPrefix(body, "stringData:")
			indent = depth
		}
		at = next
	}
}

// manifestBounds returns the bounds of the YAML document around at.
func manifestBounds(text string, at int) (lo, hi int) {
	lo, hi = 0, len(text)
	if i := strings.LastIndex(text[:at], "\n---"); i >= 0 {
		lo = i + 1
	}
	if i := strings.Index(text[at:], "\n---"); i >= 0 {
		hi = at + i
	}
	return lo, hi
}

// minManifest is the shortest value worth hiding: six bytes in base64 are not a secret.
const minManifest = 9

// manifestValue reports the value of a "key: value" line, or a line of a block. Templates and empty values stay.
func (d *detector) manifestValue(s *scan, at int, body string) {
	from := 0
	if i := strings.Index(body, ": "); i > 0 && !strings.ContainsAny(body[:i], " \t") {
		from = i + 2
	} else if strings.HasSuffix(body, ":") {
		return
	}
	value := strings.Trim(body[from:], " \t\"'")
	if len(value) < minManifest || value[0] == '|' || value[0] == '>' || value[0] == '#' || isPlaceholder(value) {
		return
	}
	start := at + from + strings.Index(body[from:], value)
	s.addFinding(d, start, start+len(value))
}

// netrcLine finds the word after "password" in a line of a .netrc file.
func (d *detector) netrcLine(s *scan, start, _ int) {
	rest := s.text[start:min(len(s.text), start+512)]
	words := fieldsAt(rest)
	for i := 0; i+1 < len(words); i += 2 {
		key := rest[words[i].lo:words[i].hi]
		value := words[i+1]
		switch key {
		case "machine", "login", "account":
		case "password":
			if v := rest[value.lo:value.hi]; i >= 2 && len(v) >= 4 && !isPlaceholder(v) && !strings.ContainsAny(v, "{}\"'(=") {
				s.addFinding(d, start+value.lo, start+value.hi)
			}
			return
		default:
			return
		}
	}
}

// fieldsAt splits s at blanks and returns the positions of the words.
func fieldsAt(s string) (words []window) {
	lo := -1
	for i := 0; i <= len(s); i++ {
		blank := i == len(s) || isBlank(s[i])
		if blank && lo >= 0 {
			words = append(words, window{lo, i})
			lo = -1
		} else if !blank && lo < 0 {
			lo = i
		}
	}
	return words
}
