// Package gitleaks holds the detection rules of the gitleaks project as Go data: regular expressions, the keywords
// that must be near a match, entropy limits and lists of what is not a secret. The rules are used under gitleaks' MIT
// licence (see LICENSE in this directory); rules.go is converted from its config/gitleaks.toml and never edited.
//
// The package holds no logic. Its only neighbour is runtime/safety/redact, whose engine runs the rules.
package gitleaks

// Rule is one kind of secret.
type Rule struct {
	ID       string
	Regex    string   // RE2 syntax
	Keywords []string // lower case; without one of them near by the regex is not tried
	Entropy  float64  // bits per character that the secret must exceed; 0 for no limit
	Group    int      // capture group that is the secret; 0 for the first that matched
	Path     string   // RE2 syntax: the rule holds for matching paths only; empty for all
	Allow    []Allow
}

// Allow says when a match is not a secret: when a regex matches the target or when the secret holds a stop word.
type Allow struct {
	Target    string // "" for the secret, or "match", or "line"
	All       bool   // every given condition must hold, not just one
	Regexes   []string
	StopWords []string // lower case
	Paths     []string // with All: only in files with such a path
}

// Rules returns the rules in gitleaks' order. The slice is shared and must not be changed.
func Rules() []Rule { return rules }

// Global returns what no rule takes for a secret. It is shared and must not be changed.
func Global() Allow { return global }
