// Package redact finds secrets in text and takes them out. It is the only place where it is decided what a secret is:
// every exit of the program (replies, artifacts, logs, prompts) passes its text through a Redactor first, whole and
// before anything is cut from it, because half a private key is not recognised.
//
// # How it finds
//
// One pass of an automaton finds the keywords of all detectors; a detector then looks at the text around a keyword only.
// There are four groups:
//
//   - the rules of gitleaks (package gitleaks holds the data) with their entropy limits, stop words and allow lists, but
//     without what makes a scanner skip a finding: no "gitleaks:allow" comment and no list of paths counts here;
//   - forms that are secret whatever is in them: private keys, also without their END or BEGIN line, JSON web tokens,
//     credentials in URLs and HTTP headers, the data of Kubernetes secrets;
//   - the token formats of some two hundred services, with a lower bar than gitleaks'; behind a short prefix that names
//     have too, what follows must look drawn at random. A token counts too that is written as literals which code joins;
//   - guesses: a value that looks drawn at random under a name that says "secret", behind a prefix or standing alone, and
//     passwords, also below the name of their column (column.go, insert.go). Chance is judged by which letters follow
//     which (letters.go), not by entropy, which long identifiers have as much of as tokens.
//
// Guesses leave alone what an answer is made of: paths with lines, import paths, digests, UUIDs, plain URLs. A found
// value of eight bytes or more is then removed wherever else it stands in the same text, also as JSON, a URL or base64
// writes it.
//
// A text is also looked at as it reads: without colours and other control characters, without what takes no room, and
// with the letters of a token that are written as escapes of JSON, URLs or HTML, and with the lines joined that
// quoted-printable text breaks.
//
// # JSON
//
// JSON is the only masker of JSON: of what upstream servers send, of replies, of recordings. A member's name counts for
// its value, also where it stands around or beside it, and in JSON that is itself a text; a JSON schema describes a
// member of that name, and only its default, const, enum and examples hold a value. Value does the same for Go values.
// All strings of a value share one budget, which ends with the context of the call (watch.go).
//
// # Rules of a configuration
//
// They add and never take away (rounds.go): what the built-in rules find is settled before them, a mark is known by the
// place where it was put and not by its text, and only whole marks of built-in rules in an input are left as they are.
// They are charged for the size of their programs (cost.go), and a text that takes too long is withheld.
//
// # What it does not do
//
// It opens no files, knows no roots and keeps no state. It does not find a token that code puts together from more than
// literals, one that is split in its prefix, or by a line end alone, markup or letters of another alphabet, or one inside
// a compressed or encoded whole, and it does not take words for passwords. Text that a terminal might act on is the
// business of Strip, not of Redact.
//
// Neighbours: runtime/base/rawjson walks the JSON; runtime/config hands the user's rules to Compile and gives each RuleError
// a position in a file; runtime/safety/egress, runtime/gateway, runtime/model/recording and cmd/compactor call the rest.
package redact
