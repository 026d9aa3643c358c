package brief

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// writeAlternatives writes alternatives, each once. A bare object is dropped if another object is opened.
func (w *writer) writeAlternatives(alts []json.RawMessage, depth int) string {
	var out []string
	for _, a := range alts {
		if text := w.typeText(a, depth); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if slices.Contains(out, "any") {
		return "any"
	}
	if slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, "{") }) {
		out = slices.DeleteFunc(out, func(s string) bool { return s == "object" })
	}
	if len(out) > maxOthers {
		out = append(out[:maxOthers], "…")
	}
	return joinTypes(out)
}

// writeParts writes schemas that all apply: the members of all objects together, or the first part that says anything.
func (w *writer) writeParts(f fields, parts []json.RawMessage, depth int) string {
	var props, plain []rawjson.Member
	var required []string
	first := ""
	for _, p := range append([]json.RawMessage{rawjson.Join(withoutMember(f, "allOf"))}, parts...) {
		members := w.resolveMembers(p)
		own, err := rawjson.Members(members.get("properties"))
		if err == nil && len(own) > 0 {
			props = append(props, own...)
			required = append(required, requiredOf(members)...)
			continue
		}
		if text := w.typeText(p, depth); first == "" && text != "any" {
			first = text
		}
	}
	if len(props) == 0 {
		if first == "" {
			return "any"
		}
		return first
	}
	seen := map[string]bool{}
	for _, p := range props {
		if !seen[p.Name] {
			seen[p.Name] = true
			plain = append(plain, p)
		}
	}
	names, _ := json.Marshal(required)
	return w.writeObject(fields{{Name: "properties", Value: rawjson.Join(plain)}, {Name: "required", Value: names}}, depth)
}

// resolveMembers returns the members of a schema or of what it refers to.
func (w *writer) resolveMembers(schema json.RawMessage) fields {
	for range 4 {
		f, err := w.readMembers(schema)
		if err != nil {
			return nil
		}
		ref := f.text("$ref")
		if ref == "" {
			return f
		}
		if schema = w.resolveTarget(ref); schema == nil {
			return nil
		}
	}
	return nil
}

func withoutMember(f fields, name string) []rawjson.Member {
	return slices.DeleteFunc(slices.Clone([]rawjson.Member(f)), func(m rawjson.Member) bool { return m.Name == name })
}

// joinTypes writes alternatives, with spaces around the bar if one of them has spaces.
func joinTypes(texts []string) string {
	bar := "|"
	if slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") }) {
		bar = " | "
	}
	return strings.Join(texts, bar)
}

func enumText(values []json.RawMessage) string {
	var out []string
	for i, v := range values {
		if i == maxValues {
			out = append(out, "…")
			break
		}
		out = append(out, valueText(v))
	}
	return strings.Join(out, "|")
}

// valueText writes a value of an enumeration, strings without quotes.
func valueText(raw json.RawMessage) string {
	text, err := rawjson.Text(raw)
	switch {
	case err != nil:
		text = string(raw)
	case text == "":
		text = `""`
	}
	return clipWord(text)
}

// clipWord reduces a foreign word to one short line.
func clipWord(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxOne {
		return text
	}
	end := maxOne
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
