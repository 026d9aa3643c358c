package main

import (
	"bytes"
	"strings"
	"testing"
)

const ruleFile = `# a comment
title = "t"
[allowlist]
paths = ['''go\.sum''']
regexes = [
    '''^\$x$''', # why
    "y",
]
[[rules]]
id = "one"
description = "d"
regex = '''\bone-(?i)[a-z]{4}\b'''
entropy = 3.5
keywords = ["one-"]
[[rules.allowlists]]
regexTarget = "line"
stopwords = ["stop"]
[[rules]]
id = "file"
path = '''\.p12$'''
`

func TestWriteRules(t *testing.T) {
	var out bytes.Buffer
	if err := writeRules(&out, "v1", []byte(ruleFile)); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, part := range []string{
		"const Version = \"v1\"", "var global = Allow{ Regexes: []string{`^\\$x$`, \"y\", }, }",
		"ID: \"one\", Regex: `\\bone-(?i)[a-z]{4}\\b`, Keywords: []string{\"one-\", }, Entropy: 3.5,",
		"Allow: []Allow{ { Target: \"line\", StopWords: []string{\"stop\", }, }, },",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in\n%s", part, got)
		}
	}
	if strings.Contains(got, "p12") || strings.Contains(got, "go\\.sum") {
		t.Errorf("paths are not left out: %s", got)
	}
}

// A form that the reader does not know must stop the conversion, not lose a rule.
func TestWriteRulesRefuses(t *testing.T) {
	for name, src := range map[string]string{
		"unknown key":  "[[rules]]\nid = \"a\"\nnew = 1\n",
		"unknown form": "[[rules]]\nentropy = yes\n",
		"open string":  "title = '''a\n",
		"no key":       "title\n",
	} {
		if err := writeRules(&bytes.Buffer{}, "v1", []byte(src)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
