// Package redact finds and masks secrets in text. It is the only place that decides what a secret is: every exit of the
// program (replies, artifacts, logs, prompts) first passes its text through a Redactor, complete and before anything is
// cut from it, because half a private key is not recognized.
//
// # How it finds secrets
//
// One pass of an automaton finds the keywords of all detectors; a detector then looks only at the text around a
// keyword. There are four groups:
//
//   - the rules of gitleaks (package gitleaks holds the data) with their entropy limits, stop words and allow lists,
//     but without what makes a scanner skip a finding: no "gitleaks:allow" comment and no list of paths counts here;
//   - forms that are secret whatever they hold: private keys, even without their END or BEGIN line, JSON web tokens,
//     credentials in URLs and HTTP headers, the data of Kubernetes secrets;
//   - the token formats of some two hundred services, with a lower bar than gitleaks'; after a short prefix that names
//     share, what follows must look random. A token written as literals which code joins counts as well;
//   - guesses: a value that looks random under a name that says "secret", after a prefix or on its own, and passwords,
//     also below the name of their column (column.go, insert.go). Randomness is judged by which letters follow which
//     (letters.go), not by entropy: long identifiers have as much entropy as tokens.
//
// Guesses leave alone what an answer consists of: paths with lines, import paths, digests, UUIDs, plain URLs. A value
// of eight bytes or more that was found is then removed wherever else it occurs in the same text, even if it is escaped
// for JSON or a URL or encoded in base64.
//
// A text is also searched as it reads: without colors, other control characters and invisible ones, with the letters of
// a token decoded that are escaped for JSON, URLs or HTML, and with the lines joined that quoted-printable text breaks.
//
// # JSON
//
// JSON is the only masker of JSON: of what upstream servers send, of replies, of recordings. A member's name counts for
// its value, as does the name of a member around it or next to it, also in JSON inside a string; a JSON schema
// describes a member of that name, and only its default, const, enum and examples hold a value. Value does the same for
// Go values. All strings of a value share one budget, which ends with the context of the call (watch.go).
//
// # Rules of a configuration
//
// They add and never remove (rounds.go): findings of the built-in rules are settled before them, a mark is recognized
// by the place where it was put and not by its text, and only complete marks of built-in rules in an input are left as
// they are. Rules are charged for the size of their programs (cost.go), and a text that takes too long is withheld.
//
// # What it does not do
//
// It opens no files, knows no roots and keeps no state. It does not find a token that code builds from more than
// literals, or that is split within its prefix or only by a line end, markup or letters of another alphabet, or that is
// inside a compressed or encoded whole, and it does not treat words as passwords. Text that a terminal might act on is
// handled by Strip, not by Redact.
//
// Related packages: runtime/base/rawjson walks the JSON; runtime/config passes the user's rules to Compile and gives
// each RuleError a position in a file; runtime/safety/egress, runtime/gateway, runtime/model/recording and
// cmd/compactor call the rest.
//
// # Files
//
//	redact.go, rounds.go               compiling rules; searching until nothing more is found
//	span.go, mark.go                   joining and replacing findings; marks, and which of them are kept
//	keywords.go, scan.go               finding keywords; running detectors around them
//	detector.go, shape.go              which of several detectors names a finding; where an expression can match
//	gitleaks.go                        rules of gitleaks, and extra checks of their findings
//	vendors.go, glued.go               the token formats of services; tokens written as several literals
//	pem.go, keyparts.go                private keys, as PEM or as numbers; passwords that Terraform generated
//	forms.go, header.go, url.go        web tokens, Kubernetes secrets, .netrc; HTTP headers; URLs
//	encoded.go, encodedkey.go          secrets and private keys in base64
//	token.go, look.go, letters.go      values that look random, with a telling name or on their own
//	names.go, context.go               what the name of a value says about it; finding that name
//	password.go, call.go, command.go   passwords in assignments, in function calls, on command lines
//	column.go, insert.go, scalar.go    passwords and secrets in tables, INSERT statements, YAML blocks
//	exempt.go, placeholder.go          what is left alone: references and digests; templates and placeholders
//	spread.go                          the same value elsewhere in a text, also encoded
//	joined.go                          the text as it reads, without colors, invisible characters and escapes
//	json.go, json_scan.go, inner.go    masking JSON; which name counts for a value; JSON inside strings
//	value.go, jsonl.go                 masking Go values, and lines of JSON
//	rule.go, cost.go                   mistakes in rules of a configuration; what such rules may cost
//	watch.go                           how much work a text or a value may take
package redact
