package web

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Limits for addresses.
const (
	maxAddress = 2_000 // bytes of one address
	maxNamed   = 16    // addresses found in a text
)

// parseAddress parses an address and normalizes it: host in lower case, no default port, no
// dot segments in the path, no fragment. It rejects anything that is not the address of
// a page.
func parseAddress(text string) (*url.URL, error) {
	if len(text) > maxAddress {
		return nil, refusedError("an address of %d bytes is not read: %d is the most", len(text), maxAddress)
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, refusedError("%s is not an address", cleanText(text))
	}
	return tidyAddress(u)
}

// tidyAddress normalizes an address as described at parse.
func tidyAddress(u *url.URL) (*url.URL, error) {
	u = &url.URL{Scheme: strings.ToLower(u.Scheme), User: u.User, Opaque: u.Opaque, Host: strings.ToLower(u.Host), Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
	switch {
	case usual[u.Scheme] == "" || u.Opaque != "" || u.Hostname() == "":
		return nil, refusedError("%s is not an address of a page: write https:// and its host", cleanText(u.String()))
	case u.User != nil:
		return nil, refusedError("an address with a user name or password is not read")
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '%' }):
		return nil, refusedError("%s is not written as hosts are: one in other letters begins with xn--", cleanText(u.Host))
	}
	if port := u.Port(); port == usual[u.Scheme] || strings.HasSuffix(u.Host, ":") {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	if clean := path.Clean(u.Path); u.RawPath == "" && strings.Contains(u.Path, "/.") && clean != u.Path {
		if strings.HasSuffix(u.Path, "/") && clean != "/" {
			clean += "/"
		}
		u.Path = clean
	}
	if len(u.String()) > maxAddress {
		return nil, refusedError("an address of %d bytes is not read: %d is the most", len(u.String()), maxAddress)
	}
	return u, nil
}

// findAddresses finds the addresses in a text: words with a scheme, or beginning with a host
// that the rules name.
func (r *Rules) findAddresses(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		if len(out) == maxNamed {
			break
		}
		lower := strings.ToLower(word)
		if i := strings.Index(lower, "https://"); i >= 0 {
			word = word[i:]
		} else if i := strings.Index(lower, "http://"); i >= 0 {
			word = word[i:]
		} else if host, _, _ := strings.Cut(lower, "/"); slices.Contains(r.names, strings.Trim(host, ".,:;!?()[]'*_")) && strings.Contains(host, ".") {
			word = "https://" + strings.TrimLeft(word, "([*_'")
		} else {
			continue
		}
		address := trimSentence(word)
		if u, err := parseAddress(address); err == nil {
			address = u.String()
		}
		if !slices.Contains(out, address) {
			out = append(out, address)
		}
	}
	return out
}

// isSeparator reports whether r is a character that never occurs in an address within a text.
func isSeparator(r rune) bool { return r <= ' ' || strings.ContainsRune("\"<>`|{}\u00a0", r) }

// trimSentence removes trailing characters that end a sentence rather than the address:
// punctuation, or a closing bracket that was opened before the address.
func trimSentence(word string) string {
	round := strings.Count(word, ")") - strings.Count(word, "(") // counted only once, since a word may have a megabyte
	square := strings.Count(word, "]") - strings.Count(word, "[")
	for word != "" {
		last := word[len(word)-1]
		switch {
		case strings.IndexByte(".,;:!?'*_", last) >= 0:
		case last == ')' && round > 0:
			round--
		case last == ']' && square > 0:
			square--
		default:
			return word
		}
		word = word[:len(word)-1]
	}
	return word
}

// resolveLink returns the address that a link of a page leads to, or "" if it must not be
// followed: requesting an address with a query may have side effects.
func (r *Rules) resolveLink(base, href string) string {
	from, err := url.Parse(base)
	if err != nil || len(href) > maxAddress {
		return ""
	}
	to, err := from.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	to, err = tidyAddress(to)
	if err != nil || to.RawQuery != "" || r.checkAddress(to) != nil {
		return ""
	}
	return to.String()
}

// formatReference returns an address with the fragment in it. A trailing colon and number is
// escaped, since it would be read as a line number.
func formatReference(page, fragment string) string {
	if fragment != "" {
		page += "#" + (&url.URL{Fragment: fragment}).EscapedFragment()
	}
	if i := strings.LastIndexByte(page, ':'); i > len("https:") && strings.Trim(page[i+1:], "0123456789") == "" {
		page = page[:i] + "%3A" + page[i+1:]
	}
	return page
}
