package redact

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Rule is a pattern that a user adds to the built-in ones. Only ID and Regex are required.
type Rule struct {
	ID       string   // names the rule in placeholders and spans: letters, digits, "_", "-", "."; at most 64
	Regex    string   // RE2 syntax, of bounded cost (cost.go); a match longer than 8 KiB may be missed
	Keywords []string // the regex is tried only near one of these, ignoring ASCII case; if empty, over the whole text
	Entropy  float64  // Shannon entropy, in bits per character, that the secret must exceed; 0: no limit
	Group    int      // capture group that is the secret; 0: the first group that matched, or the whole match
	Allow    []string // RE2 expressions; a secret that one of them matches is left alone
	Replace  string   // literal text that replaces the secret; if empty, "[REDACTED:<ID>]"
	Example  string   // a text that holds such a secret; checked by Compile
	Counter  string   // a text that the rule must leave alone; checked by Compile
}

// RuleError is a mistake in a user's rule. Field is the name of the Rule field in lower case.
type RuleError struct {
	Index   int // index in the slice passed to Compile
	Rule    string
	Field   string
	Problem string
}

// Error returns a message that names the rule, the field and the problem.
func (e RuleError) Error() string {
	return fmt.Sprintf("redaction pattern %q: %s: %s", e.Rule, e.Field, e.Problem)
}

// userDetector checks everything about one rule that can be checked without the others.
func userDetector(rule Rule) (*detector, []RuleError) {
	c := ruleCheck{rule: rule}
	c.checkID()
	re := c.compileRegex()
	c.checkKeywords()
	allow := c.compileAllow()
	if rule.Entropy < 0 || rule.Entropy > 8 {
		c.addError("entropy", "must lie between 0 and 8 bits per character")
	}
	c.checkReplace(re, allow)
	c.checkExamples()
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	d := &detector{
		id: rule.ID, rank: rankUser, keywords: userKeywords(rule, re), expr: rule.Regex, group: rule.Group,
		entropy: rule.Entropy, mask: rule.Replace, steps: c.steps,
	}
	if len(allow) > 0 {
		d.allow = func(_ *scan, m match) bool { return matchesAny(allow, m.secret) }
	}
	return d, nil
}

// userKeywords returns the rule's keywords or, if it has none, the text that every match starts with.
func userKeywords(rule Rule, re *regexp.Regexp) []string {
	if prefix, _ := re.LiteralPrefix(); len(rule.Keywords) == 0 && len(prefix) >= 3 && isASCII(prefix) {
		return []string{strings.ToLower(prefix)}
	}
	var list []string
	for _, k := range rule.Keywords {
		list = append(list, strings.ToLower(k))
	}
	return list
}

// ruleCheck collects the mistakes of one rule.
type ruleCheck struct {
	rule  Rule
	steps int
	errs  []RuleError
}

func (c *ruleCheck) addError(field, format string, args ...any) {
	c.errs = append(c.errs, RuleError{Rule: c.rule.ID, Field: field, Problem: fmt.Sprintf(format, args...)})
}

func (c *ruleCheck) checkID() {
	if !validID(c.rule.ID) {
		c.addError("id", `must be 1 to 64 letters, digits, "_", "-" or "."`)
	}
}

func validID(id string) bool {
	for i := range len(id) {
		if letterClass[id[i]] == other && !strings.ContainsRune("_-.", rune(id[i])) {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

// compileRegex compiles the expression. It returns nil if it cannot be used.
func (c *ruleCheck) compileRegex() *regexp.Regexp {
	if c.rule.Regex == "" {
		c.addError("regex", "is missing")
		return nil
	}
	re := c.compileExpr("regex", c.rule.Regex)
	switch {
	case re == nil:
		return nil
	case re.MatchString(""):
		c.addError("regex", "matches the empty text, so it would match everywhere")
		return nil
	case c.rule.Group < 0 || c.rule.Group > re.NumSubexp():
		c.addError("group", "is %d but the regex has %d groups", c.rule.Group, re.NumSubexp())
	}
	c.steps += ruleSteps
	return re
}

// compileExpr returns nil for an expression with a mistake, or one that costs too much.
func (c *ruleCheck) compileExpr(field, expr string) *regexp.Regexp {
	_, steps, problem := parseExpr(expr)
	if problem != "" {
		c.addError(field, "%s", problem)
		return nil
	}
	c.steps += steps
	return regexp.MustCompile(expr)
}

func (c *ruleCheck) checkKeywords() {
	for _, k := range c.rule.Keywords {
		if k == "" || len(k) > 64 || !isASCII(k) {
			c.addError("keywords", "%q: a keyword has 1 to 64 ASCII characters", k)
		}
	}
}

func (c *ruleCheck) compileAllow() (list []*regexp.Regexp) {
	for _, expr := range c.rule.Allow {
		if re := c.compileExpr("allow", expr); re != nil {
			list = append(list, re)
		}
	}
	return list
}

// checkExamples limits the text that is searched when a configuration is loaded.
func (c *ruleCheck) checkExamples() {
	for _, f := range []struct{ field, text string }{{"example", c.rule.Example}, {"counter", c.rule.Counter}} {
		if len(f.text) > MaxExample {
			c.addError(f.field, "has %d bytes; at most %d", len(f.text), MaxExample)
		}
	}
}

// checkReplace rejects a replacement that would itself be matched as a secret, that would change line numbers or that a
// terminal would act on.
func (c *ruleCheck) checkReplace(re *regexp.Regexp, allow []*regexp.Regexp) {
	mask, field := c.rule.Replace, "replace"
	if mask == "" {
		mask, field = markFor(c.rule.ID), "regex"
	}
	switch {
	case strings.ContainsAny(mask, "\r\n"):
		c.addError("replace", "must be a single line")
	case !utf8.ValidString(mask):
		c.addError("replace", "is not valid UTF-8")
	case len(mask) > maxReplace:
		c.addError("replace", "has %d bytes; at most %d", len(mask), maxReplace)
	case strings.ContainsFunc(mask, func(r rune) bool { return r == '\t' || isUnsafe(r) }):
		c.addError("replace", "holds control characters or such as are not seen")
	case re != nil && validID(c.rule.ID) && re.MatchString(mask) && !matchesAny(allow, re.FindString(mask)):
		c.addError(field, "the replacement %q is itself matched by the regex", mask)
	}
}

func matchesAny(list []*regexp.Regexp, s string) bool {
	for _, re := range list {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
