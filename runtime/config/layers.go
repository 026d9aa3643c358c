package config

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// layProject lays a project's tree between the shipped one and the user's own: the project adds,
// the user's value wins in a conflict, and the narrower limit on a run or a reader applies.
func (l *loader) layProject(shippedTree, project, own *node, by side) *node {
	project = project.clone()
	l.refuse(project)
	l.lower(project, own)
	said := project.clone()
	l.yield(project, own)
	tree := merge(shippedTree, project, l.config)
	tree = merge(tree, own.clone(), l.config)
	narrow(tree, said, own, l.config)
	return withUnions(tree, own, project)
}

// ofTheUser lists settings that only the user's own layers may contain, and why.
var ofTheUser = []struct {
	path []string
	why  string
}{
	{[]string{"store", "url"}, "approvals are kept there, and a project could bring its own"},
	{[]string{"store", "share"}, "it is yours what is kept of your sessions"},
	{[]string{"store", "collections"}, "it is yours where the text of your documents is kept"},
	{[]string{"log", "level"}, "a project could keep quiet about what it does"},
	{[]string{"log", "format"}, "whoever reads the log relies on it"},
	{[]string{"log", "file"}, "lines are written to it"},
	{[]string{"dashboard", "enabled"}, "it is yours what is shown of your sessions"},
	{[]string{"api", "enabled"}, "it is yours what programs are told of your sessions"},
	{[]string{"timeline"}, "it is yours what is kept of your sessions"},
	{[]string{"usage"}, "it is yours what is kept of the tools you use"},
	{[]string{"notes"}, "it is yours what is kept of what you pin"},
	{[]string{"profiles"}, "it is yours which of your tools a client has"},
	{[]string{"clients"}, "it is yours which of your tools a client has"},
	{[]string{"tracing", "endpoint"}, "it opens the network, and what you do is sent there"},
	{[]string{"network"}, "it opens the network"},
}

// refuse reports settings that a project may not contain at all, and drops them.
func (l *loader) refuse(project *node) {
	for _, x := range ofTheUser {
		section, last := project, x.path[len(x.path)-1]
		for _, name := range x.path[:len(x.path)-1] {
			section = section.get(name)
		}
		if n := section.get(last); n != nil {
			l.projectError(n, x.path, "is set in your own configuration only: "+x.why)
			section.drop(last)
		}
	}
	section := project.get("artifacts")
	if n := section.get("dir"); n != nil && n.text() != "" && (!filepath.IsLocal(filepath.FromSlash(n.text())) || strings.HasPrefix(n.text(), "~")) {
		l.projectError(n, []string{"artifacts", "dir"}, quoteShort(n.text())+" is outside of the working directory, where a project writes nothing")
		section.drop("dir")
	}
	if n := project.get("gateway").get("trust"); n != nil && n.text() == "off" {
		l.projectError(n, []string{"gateway", "trust"}, "a project cannot switch off trust for servers that are not its own")
		project.get("gateway").drop("trust")
	}
}

func (l *loader) projectError(n *node, at []string, message string) {
	help := "take it out here, or write it into your own configuration directory"
	l.diags = append(l.diags, diag.Diagnostic{Code: "C018", Severity: diag.Error, Range: n.value.rng(), Path: JoinPath(at...), Message: message, Help: help})
}

// wholly lists the sections whose entries belong to the user alone once the user has one with the same name: a leaf of
// the project's could send the user's key elsewhere, or limit where a pattern applies, or change who may read
// documents.
var wholly = [][]string{{"servers"}, {"dependencies"}, {"models"}, {"collections"}, {"redaction", "patterns"}, {"hooks"}}

// yield removes from the project's tree the entries that the user's own layers hold as a whole, and warns about it.
// Roles, pipelines and tools that the user wrote, as opposed to changes of shipped ones, can still be given smaller
// budgets (see narrow).
func (l *loader) yield(project, own *node) {
	for _, at := range wholly {
		theirs, mine := project, own
		for _, name := range at {
			theirs, mine = theirs.get(name), mine.get(name)
		}
		for _, f := range mine.fieldsOrNone() {
			if theirs.get(f.name) != nil {
				l.notUsed(theirs.get(f.name), append(slices.Clone(at), f.name))
				theirs.drop(f.name)
			}
		}
	}
	for _, section := range []string{"roles", "pipelines", "tools"} {
		for _, f := range own.get(section).fieldsOrNone() {
			theirs := project.get(section)
			if entry := theirs.get(f.name); entry != nil && replacesEntry(f.value, l.config.knownField(section).Rest) {
				budget := entry.get("budget")
				if len(entry.fields) > 1 || budget == nil {
					l.notUsed(entry, []string{section, f.name})
				}
				theirs.drop(f.name)
			}
		}
	}
}

func (l *loader) notUsed(n *node, at []string) {
	l.projectWarning(n, at, "is not used: your own configuration says what "+JoinPath(at...)+" is", "choose another name here, or take it out of your own configuration directory")
}

func (l *loader) projectWarning(n *node, at []string, message, help string) {
	l.diags = append(l.diags, diag.Diagnostic{Code: "C019", Severity: diag.Warning, Range: n.key.rng(), Path: JoinPath(at...), Message: message, Help: help})
}

// trustLevels go from careless to careful.
var trustLevels = []string{"off", "first", "ask"}

// narrow applies settings that the project has stricter than the user: budgets, roots inside the user's, and trust.
func narrow(tree, project, own *node, s *shape) {
	narrowBudgets(tree, project, own, s)
	applyLowered(tree, project, own)
	roots := tree.get("roots")
	for _, f := range project.get("roots").fieldsOrNone() {
		if mine := own.get("roots").get(f.name); mine != nil && isInside(f.value.texts(), mine.texts()) {
			roots.set(f.name, f.value.clone())
		}
	}
	if theirs := project.get("gateway").get("trust"); theirs != nil {
		mine := own.get("gateway").get("trust").text()
		if slices.Index(trustLevels, theirs.text()) > slices.Index(trustLevels, mine) {
			tree.get("gateway").set("trust", theirs.clone())
		}
	}
}

// isInside reports whether each directory lies in one of the others, judging by their names.
func isInside(inner, outer []string) bool {
	within := func(dir string) bool {
		return slices.ContainsFunc(outer, func(o string) bool {
			dir, o := path.Clean(filepath.ToSlash(dir)), path.Clean(filepath.ToSlash(o))
			if o == "." {
				return filepath.IsLocal(filepath.FromSlash(dir))
			}
			return dir == o || strings.HasPrefix(dir, strings.TrimSuffix(o, "/")+"/")
		})
	}
	return len(inner) > 0 && !slices.ContainsFunc(inner, func(d string) bool { return !within(d) })
}

// narrowBudgets walks the common part of all three trees and keeps the smaller limit.
func narrowBudgets(tree, project, own *node, s *shape) {
	if tree == nil || project == nil || own == nil || s == nil {
		return
	}
	limits := s.Name == "#Budget" || s.Name == "#PipelineBudget"
	for _, f := range project.fields {
		mine := own.get(f.name)
		switch {
		case mine == nil:
		case limits && hasLimit(f.value) && (less(f.value, mine) || !hasLimit(mine)):
			tree.set(f.name, f.value.clone())
		case !limits:
			narrowBudgets(tree.get(f.name), f.value, mine, s.field(f.name))
		}
	}
}

// hasLimit reports whether a limit is set: 0 means no limit.
func hasLimit(n *node) bool {
	return n.number() > 0 || n.size() > 0 || n.duration() > 0
}

// less compares two limits: counts, sizes or durations.
func less(a, b *node) bool {
	if a.kind != scalarNode || b.kind != scalarNode {
		return false
	}
	if x, err := parseDuration(a.text()); err == nil {
		y, err := parseDuration(b.text())
		return err == nil && x < y
	}
	return a.size() < b.size()
}

// withUnions sets the lists that accumulate over all layers: the denied files, and the
// rules for tools, the first layer's first.
func withUnions(tree *node, layers ...*node) *node {
	for _, at := range [][]string{{"sandbox", "deny"}, {"toolRules"}} {
		var lists []*node
		for _, layer := range layers {
			n := layer
			for _, name := range at {
				n = n.get(name)
			}
			if n != nil && n.kind == listNode {
				lists = append(lists, n)
			}
		}
		if len(lists) == 0 {
			continue
		}
		sum := *lists[0]
		sum.items = nil
		for _, n := range lists {
			sum.items = append(sum.items, n.clone().items...)
		}
		section := tree
		for _, name := range at[:len(at)-1] {
			section = section.get(name)
		}
		section.set(at[len(at)-1], &sum)
	}
	return tree
}
