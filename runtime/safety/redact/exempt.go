package redact

import "strings"

// References and addresses that an answer consists of, which a guess from a name or from randomness must leave alone.
// Detectors of a known kind of token ignore this file.

// isExempt reports whether text[start:end] is a reference, a digest, a UUID or a part of a plain URL.
func (s *scan) isExempt(start, end int) bool {
	v := s.text[start:end]
	return isUUID(v) || isNamedDigest(v) || isPath(s.text, start, end) || s.inURL(start, false) || behindDigestName(s.text, start) ||
		isHexDigest(v) && afterDigestMark(s.text, start)
}

// isUUID reports whether v has the form 8-4-4-4-12, optionally in braces.
func isUUID(v string) bool {
	v = strings.TrimSuffix(strings.TrimPrefix(v, "{"), "}")
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !isHex(v[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return alphabetOf[c]&(beyondHex|separator) == 0 }

func isAllHex(v string) bool {
	for i := range len(v) {
		if !isHex(v[i]) {
			return false
		}
	}
	return v != ""
}

// isHexDigest reports whether v has the length of a digest in hexadecimal.
func isHexDigest(v string) bool {
	switch len(v) {
	case 32, 40, 56, 64, 96, 128:
		return isAllHex(v)
	}
	return false
}

// digestBytes are the sizes of digests by name.
var digestBytes = map[string]int{
	"md5": 16, "sha1": 20, "sha": 20, "sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64, "h1": 32, "blake2b": 64, "blake2s": 32, "blake3": 32,
}

// isNamedDigest reports whether v is a digest that starts with its name, as lock files, images and policies write it:
// "sha256:" and hexadecimal, "sha512-" and base64. Its length must be exactly that of the named digest.
func isNamedDigest(v string) bool {
	i := strings.IndexAny(v, "-:")
	if i < 0 {
		return false
	}
	n, value := digestBytes[strings.ToLower(v[:i])], v[i+1:]
	if n == 0 {
		return false
	}
	if len(value) == 2*n && isAllHex(value) {
		return true
	}
	raw, ok := decodeBase64(value)
	return ok && len(raw) == n
}

// digestMarks are the words before a digest. They are looked for only on the same line.
var digestMarks = []string{
	"sha", "md5", "h1:", "integrity", "digest", "checksum", "chksum", "hash", "commit", "revision", "rev", "etag",
	"fingerprint", "thumbprint", "blob", "tree", "oid", "object", "version", "git", "@",
}

// markReach is how far before a value a digest mark counts, in bytes.
const markReach = 48

func afterDigestMark(text string, start int) bool {
	before := strings.ToLower(lineBefore(text, start, markReach))
	for _, mark := range digestMarks {
		if strings.Contains(before, mark) {
			return true
		}
	}
	return false
}

// behindDigestName reports whether the name of a digest is right before a value: "h1:", "sha512-".
func behindDigestName(text string, start int) bool {
	if start == 0 || strings.IndexByte("-:=_", text[start-1]) < 0 {
		return false
	}
	name := strings.ToLower(lineBefore(text, start-1, 7))
	for i := len(name); i > 0; i-- {
		if letterClass[name[i-1]] == other {
			name = name[i:]
			break
		}
	}
	return name == "h1" || name == "md5" || strings.HasPrefix(name, "sha") && strings.Trim(name[3:], "0123456789") == ""
}

// lineBefore returns at most n bytes of text before start, from the same line.
func lineBefore(text string, start, n int) string {
	part := text[max(0, start-n):start]
	return part[strings.LastIndexByte(part, '\n')+1:]
}

// isPath reports whether text[start:end] is or belongs to a file name: a path with an extension, perhaps with a line.
func isPath(text string, start, end int) bool {
	for limit := end + 64; end < len(text) && end < limit && (isWord(text[end]) || strings.IndexByte("./-", text[end]) >= 0); {
		end++
	}
	v := strings.TrimRight(text[start:end], ".")
	name := v[strings.LastIndexByte(v, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 {
		return strings.Count(v, "/") >= 2 && alphabetIn(v)&digit == 0
	}
	return fileExtensions[strings.ToLower(name[dot+1:])]
}

// fileExtensions are the extensions that make a name a file name: only short words that no token ends in.
var fileExtensions = wordSet(`c h cc cpp cxx hpp hh m mm go rs py pyi pyc rb java kt kts scala groovy clj cljs cs fs vb php pl pm lua r jl
	js mjs cjs jsx ts mts cts tsx vue svelte html htm xhtml css scss sass less styl json jsonc json5 jsonl yaml yml toml ini cfg conf
	xml xsd svg md mdx rst txt adoc tex csv tsv sql proto thrift graphql gql cue hcl tf nix sh bash zsh fish ps1 bat cmd mk cmake
	gradle sbt lock sum mod map png jpg jpeg gif webp ico bmp tif tiff woff woff2 ttf otf eot mp3 mp4 webm ogg wav pdf doc docx zip
	gz tgz bz2 xz tar jar war whl gem deb rpm exe dll so a o dylib wasm bin dat log tmp bak orig patch diff snap golden key pem crt
	cer der p12 pfx pub asc sig sha256 com org net io dev example test local`)

func wordSet(list string) map[string]bool {
	words := strings.Fields(list)
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// inURL reports whether text[start] lies in the host or path of a URL or, if parameters is set, in what follows them:
// parameters may hold a secret under a telling name, and hold IDs otherwise.
func (s *scan) inURL(start int, parameters bool) bool {
	if !s.links {
		return false
	}
	text, lo := s.text, max(0, start-512)
	for i := start; i > lo; i-- {
		switch c := text[i-1]; {
		case !parameters && strings.IndexByte("?#=&", c) >= 0, c <= ' ' || strings.IndexByte("\"'`<>()[]{},;\\", c) >= 0:
			return false
		case c == '/' && i >= 3 && text[i-3:i] == "://":
			return true
		}
	}
	return false
}
