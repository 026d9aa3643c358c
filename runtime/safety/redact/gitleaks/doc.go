// Package gitleaks holds the detection rules of the gitleaks project as Go data: regular expressions, the keywords that
// must be near a match, entropy limits and lists of exceptions. The rules are used under gitleaks' MIT license (see
// LICENSE in this directory); rules.go is converted from its config/gitleaks.toml and never edited.
//
// The package contains no logic. Only runtime/safety/redact uses it, whose engine runs the rules.
package gitleaks

// Rule is one kind of secret.
type Rule struct {
	ID       string
	Regex    string   // RE2 syntax
	Keywords []string // lower case; the regex is tried only near one of them
	Entropy  float64  // bits per character that the secret must exceed; 0 for no limit
	Group    int      // capture group that is the secret; 0 for the first that matched
	Path     string   // RE2 syntax: the rule applies only to matching paths; empty for all
	Allow    []Allow
}

// Allow describes a match that is not a secret: a regex matches the target, or the secret contains a stop word.
type Allow struct {
	Target    string // "" for the secret, or "match", or "line"
	All       bool   // all given conditions must hold, not just one
	Regexes   []string
	StopWords []string // lower case
	Paths     []string // with All: only in files with such a path
}

// Rules returns the rules in gitleaks' order. The slice is shared and must not be changed.
func Rules() []Rule { return rules }

// Global returns the exceptions that apply to every rule. It is shared and must not be changed.
func Global() Allow { return global }
