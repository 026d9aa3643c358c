package config

import (
	"path"
	"path/filepath"
	"regexp"

	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// checkRules checks constraints between fields, which CUE's errors would phrase as a disjunction.
func (c *checker) checkRules(tree *node) {
	for _, f := range tree.get("redaction").get("patterns").fieldsOrNone() {
		c.checkPattern(f.value, []string{"redaction", "patterns", f.name})
	}
	for _, f := range tree.get("models").fieldsOrNone() {
		c.checkModel(f.value, []string{"models", f.name})
	}
	for _, f := range tree.get("tests").fieldsOrNone() {
		if files, root := f.value.get("files"), f.value.get("root"); files != nil && root.text() != "" {
			c.report("C030", root.key, []string{"tests", f.name, "root"}, "root and files are both set").Help = "a test searches one of them; take the other away"
		}
	}
	c.checkReplies(tree.get("tests"))
}

// checkReplies checks the paths of recordings: below the configuration, since they are written
// there, and one for each test, since recording one again must not overwrite another's.
func (c *checker) checkReplies(tests *node) {
	owner := map[string]string{}
	for _, f := range tests.fieldsOrNone() {
		n, at := f.value.get("replies"), []string{"tests", f.name, "replies"}
		file := n.text()
		if file == "" {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(file)) || path.Ext(file) != ".jsonl" {
			c.report("C024", n.value, at, quoteShort(file)+" is not the path of a recording").Help = "write a path below the configuration that ends in .jsonl, such as recordings/" + f.name + ".jsonl"
			continue
		}
		clean := path.Clean(file)
		if other, taken := owner[clean]; taken {
			c.report("C030", n.value, at, quoteShort(file)+" is also the recording of test "+other).Help = "give each test a file of its own, such as recordings/" + f.name + ".jsonl"
		}
		owner[clean] = f.name
	}
}

// checkPattern checks a redaction pattern against its example. The limits of redact come
// first: a project can write an expression that takes minutes.
func (c *checker) checkPattern(n *node, path []string) {
	expr, example := n.get("regex"), n.get("example")
	if expr.text() == "" {
		return
	}
	at := append(path[:len(path):len(path)], "regex")
	if problem := redact.CheckRegex(expr.text()); problem != "" {
		c.report("C050", expr.value, at, problem)
		return
	}
	re := regexp.MustCompile(expr.text()) // CheckRegex has parsed it
	switch text := example.text(); {
	case re.MatchString(""):
		c.report("C051", expr.value, at, "the pattern matches the empty text")
	case text != "" && len(text) <= redact.MaxExample && !re.MatchString(text): // redact.Compile reports a longer one
		c.report("C052", example.value, append(path[:len(path):len(path)], "example"), "the example does not match the pattern")
	}
}

// checkModel checks that an endpoint has the fields that its provider needs.
func (c *checker) checkModel(n *node, path []string) {
	provider := n.get("provider")
	needs := map[string][]string{"openai": {"url"}, "replay": {"url"}}[provider.text()]
	for _, name := range needs {
		if field := n.get(name); field != nil && field.kind == scalarNode && field.text() == "" {
			c.report("C031", provider.value, path, "provider "+quoteShort(provider.text())+" needs "+name).Help = name + ": " + c.config.field("models").Rest.knownField(name).Doc
		}
	}
}
