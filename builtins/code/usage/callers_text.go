package usage

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// maxSiteRefs bounds the references of a list; its text may name more places.
const maxSiteRefs = 50

// result describes the uses of each definition in at most room bytes, the first definition in
// detail.
func (a *callerReport) result(env *catalog.Env, room int) contract.Result {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.High}
	c := &a.groups[0]
	main, tests, values := c.splitSites()
	if len(a.groups) > 1 || len(c.defs) != 1 || !c.doubt.none() || len(main)+len(tests)+len(values) == 0 && (c.named > 0 || c.cut) {
		r.Confidence = contract.Med
	}
	r.References = append(a.references(main, values, tests), c.doubt.refs()...)
	var b strings.Builder
	own := room
	if len(a.groups) > 1 {
		own = room * 2 / 3
	}
	if a.more > 0 {
		fmt.Fprintf(&b, "%d definitions are called `%s`: ask for one as `Type%s%s`. One of them:\n", len(a.groups)+a.more, a.name, c.defs[0].Lang.Separator(), a.name)
	}
	b.WriteString(a.head(c, main, tests, values))
	c.list(env, &b, "", main, own*3/5)
	c.list(env, &b, "Handed on as a value: ", values, own*3/4)
	c.inTests(&b, tests, own)
	if where := c.definedAt(); len(c.sure) > 0 && len(where) > 0 { // a separate paragraph: the lines above are uses
		fmt.Fprintf(&b, "\n\nDefined in %s", strings.Join(where[:min(len(where), 3)], ", "))
		if n := len(where) - 3; n > 0 {
			fmt.Fprintf(&b, " and %d more", n)
		}
		b.WriteString(c.tellAliases())
	}
	a.writeOthers(env, &b, room)
	a.writeUndecided(&b, room)
	r.Summary = b.String()
	if c.cut {
		r.Note("the name stands in so many places that not all of them were counted")
	}
	return r
}

// references returns the uses of the first definition, where that is defined, and the uses of the
// other definitions.
func (a *callerReport) references(lists ...[]site) []string {
	var out []string
	for _, list := range lists {
		for _, s := range list {
			if len(out) < maxSiteRefs {
				out = append(out, s.ref())
			}
		}
	}
	if len(out) == 0 {
		for _, s := range a.may[:min(len(a.may), fewMay)] {
			out = append(out, s.ref())
		}
	}
	out = append(out, a.groups[0].definedAt()...)
	for i := range a.groups[1:] {
		c := &a.groups[1+i]
		for _, s := range c.sure {
			if s.bucket != coderank.Test {
				out = append(out, s.ref())
			}
		}
	}
	out = contract.Dedupe(out)
	if out == nil {
		return []string{}
	}
	return out[:min(len(out), maxSiteRefs+4)]
}

// writeOthers describes each further definition of the name in one line, and only counts those
// without a certain use.
func (a *callerReport) writeOthers(env *catalog.Env, b *strings.Builder, room int) {
	if len(a.groups) < 2 {
		return
	}
	begun, unused := false, a.more
	for i := range a.groups[1:] {
		c := &a.groups[1+i]
		main, tests, values := c.splitSites()
		if len(main)+len(values) == 0 {
			unused++
			continue
		}
		line := fmt.Sprintf("`%s` (%s), %s: %s", c.name, c.definedAt()[0], words.Count(len(main)+len(values), c.noun()), nameFiles(append(main, values...), 3))
		if len(tests) > 0 {
			line += fmt.Sprintf("; %d in tests", len(tests))
		}
		if b.Len()+len(line) > room*9/10 && begun {
			unused++
			continue
		}
		if !begun {
			b.WriteString("\n\nThe name has other definitions:")
			begun = true
		}
		b.WriteString("\n" + line)
	}
	switch {
	case unused == 0:
	case a.more > 0: // reported in the first line
	case begun:
		fmt.Fprintf(b, "\nand %d more.", unused)
	default:
		fmt.Fprintf(b, "\n\nThe name has %s more, none of which is certain to be %s outside of tests.", words.Count(unused, "definition"), a.groups[0].verb())
	}
}

// Up to fewMay possible uses are listed one by one; above manyMay they are only counted.
const (
	fewMay  = 6
	manyMay = 50
)

// writeUndecided reports the possible uses: calls on values whose type the text does not show.
func (a *callerReport) writeUndecided(b *strings.Builder, room int) {
	n := len(a.may)
	if n == 0 {
		return
	}
	it := "it"
	if len(a.groups) > 1 {
		it = "one of them"
	}
	more := ""
	if len(a.groups[0].sure) > 0 {
		more = " more"
	}
	fmt.Fprintf(b, "\n%s%s may mean %s, on a value whose type is not shown", words.Count(n, "place"), more, it)
	most := 3
	switch {
	case n > manyMay || b.Len() > room:
		b.WriteByte('.')
		return
	case more == "":
		most = fewMay
	}
	b.WriteString(": " + nameFiles(a.may, most))
}

// splitSites separates the uses into calls, uses in tests, and places that pass it as a value.
func (c *definitionUses) splitSites() (main, tests, values []site) {
	for _, s := range c.sure {
		switch {
		case s.bucket == coderank.Test:
			tests = append(tests, s)
		case c.calls && s.Form == relation.Value:
			values = append(values, s)
		default:
			main = append(main, s)
		}
	}
	return main, tests, values
}

func (c *definitionUses) definedAt() (out []string) {
	for _, d := range c.defs {
		out = append(out, contract.Reference{Path: d.Path, Line: d.Line}.String())
	}
	return out
}

func (c *definitionUses) verb() string {
	if c.calls {
		return "called"
	}
	return "used"
}

func (c *definitionUses) noun() string {
	if c.calls {
		return "call"
	}
	return "use"
}

// head returns the finding in one line.
func (a *callerReport) head(c *definitionUses, main, tests, values []site) string {
	who := "Users"
	if c.calls {
		who = "Callers"
	}
	place := ""
	if w := c.definedAt(); len(w) > 0 {
		place = " (" + w[0] + ")"
	}
	whole := len(a.may) == 0 && c.others == 0 && !c.cut // nothing else outside tests may be a use
	switch {
	case len(main) > 0:
		return fmt.Sprintf("%s of `%s`, %s in %s:", who, c.name, words.Count(len(main), c.noun()), words.Count(len(paths(main)), "file"))
	case len(values) > 0 && !whole:
		return fmt.Sprintf("No place outside of tests is certain to call `%s` by name, but it is handed on.", c.name)
	case len(values) > 0:
		return fmt.Sprintf("`%s` is not %s by name outside of tests, but handed on.", c.name, c.verb())
	case len(tests) > 0 && whole:
		if !c.doubt.none() {
			return fmt.Sprintf("Of `%s`%s %ss were found in tests alone.%s", c.name, place, c.noun(), c.doubt)
		}
		return fmt.Sprintf("`%s`%s is %s in tests alone.", c.name, place, c.verb())
	case len(a.may) == 0 && c.named == 0 && len(a.groups) == 1 && len(c.defs) == 1 && !c.cut:
		if calledByOthers(c.defs[0].Def.Def, c.definedAt()[0]) {
			if len(c.doubt.trails)+len(c.doubt.aliases) > 0 {
				return c.doubt.denyUses(c.name, place, c.verb()) + " A runtime or a test runner calls it."
			}
			return fmt.Sprintf("Nothing in the tree names `%s`%s; a runtime or a test runner calls it.", c.name, place)
		}
		return c.doubt.denyUses(c.name, place, c.verb())
	}
	begin := "No place"
	if len(tests) > 0 {
		begin = "Outside of tests no place"
	}
	return fmt.Sprintf("%s is certain to use `%s`%s.%s", begin, c.name, place, c.doubt)
}

// list writes one line per file until the text reaches room bytes; the rest is counted by file or
// directory.
func (c *definitionUses) list(env *catalog.Env, b *strings.Builder, title string, all []site, room int) {
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].Path == all[i].Path {
			j++
		}
		line := describeSites(env, all[i:j])
		left := room - b.Len() - len(title) - 1
		if len(line) > left || len(line) > room/2 {
			line = linesAt(all[i:j])
		}
		if len(line) > left && i > 0 {
			fmt.Fprintf(b, "\n%sand %d more: %s", title, len(all)-i, countElsewhere(all[i:]))
			return
		}
		b.WriteString("\n" + title + line)
		title = ""
		i = j
	}
}

// maxLines bounds how many line numbers of one file a list shows.
const maxLines = 16

// describeSites returns "pool.go:41,57,80: `Pool.admit` (2), top level" for the places of a file.
func describeSites(env *catalog.Env, all []site) string {
	at := linesAt(all)
	var in []string
	times := map[string]int{}
	top := 0
	for _, s := range all[:min(len(all), maxLines)] {
		if s.In == "" {
			top++
		}
		if name := shortTitle(s.In); name != "" && env.Ledger.Read(s.Path, int64(len(name))) == nil {
			if times[name]++; times[name] == 1 {
				in = append(in, name)
			}
		}
	}
	switch {
	case len(in) == 0:
		return at
	case len(in) == 1 && top == 0:
		return "`" + contract.Shorten(in[0], 90) + "` at " + at
	}
	first, _ := splitOwner(in[0])
	for i, name := range in {
		own, short := splitOwner(name)
		if i == 0 || own != first {
			short = name // otherwise of the same type as the first
		}
		if in[i] = "`" + contract.Shorten(short, 90) + "`"; times[name] > 1 {
			in[i] += fmt.Sprintf(" (%d)", times[name])
		}
	}
	switch {
	case top > 1:
		in = append(in, fmt.Sprintf("top level (%d)", top))
	case top > 0:
		in = append(in, "top level")
	}
	return at + ": " + strings.Join(in, ", ")
}

// linesAt returns the places of a file as "pool.go:41,57,80".
func linesAt(all []site) string {
	at := all[0].ref()
	for _, s := range all[1:min(len(all), maxLines)] {
		at += "," + strconv.Itoa(s.Line)
	}
	if n := len(all) - maxLines; n > 0 {
		at += fmt.Sprintf(" and %d more there", n)
	}
	return at
}

// splitOwner splits "Pool.admit" into "Pool." and "admit".
func splitOwner(name string) (owner, own string) {
	i := strings.LastIndexAny(name, `.:\`)
	return name[:i+1], name[i+1:]
}

// shortTitle returns the last two parts of a title: the path shows the rest.
func shortTitle(name string) string {
	owner, own := splitOwner(name)
	if owner == "" {
		return own
	}
	sep := "."
	if strings.HasSuffix(owner, "::") {
		sep = "::"
	} else if strings.HasSuffix(owner, `\`) {
		sep = `\`
	}
	_, last := splitOwner(strings.TrimSuffix(owner, sep))
	return last + sep + own
}

// inTests counts the uses in tests by file.
func (c *definitionUses) inTests(b *strings.Builder, tests []site, room int) {
	if len(tests) == 0 {
		return
	}
	fmt.Fprintf(b, "\nIn tests %s: ", words.Count(len(tests), c.noun()))
	most := 3
	if b.Len() > room {
		most = 1
	}
	b.WriteString(nameFiles(tests, most))
}

// nameFiles names up to most files of the places, each with its first line.
func nameFiles(all []site, most int) string {
	var out []string
	list := paths(all)
	for _, p := range list[:min(len(list), most)] {
		first, n := 0, 0
		for _, s := range all {
			if s.Path == p {
				if n++; first == 0 {
					first = s.Line
				}
			}
		}
		at := contract.Reference{Path: p, Line: first}.String()
		if n > 1 {
			at += fmt.Sprintf(" and %d more there", n-1)
		}
		out = append(out, at)
	}
	text := strings.Join(out, ", ")
	if n := len(list) - most; n > 0 {
		text += fmt.Sprintf(", and %s", words.Count(n, "file"))
	}
	return text
}

func paths(all []site) (out []string) {
	for _, s := range all {
		if n := len(out); n == 0 || out[n-1] != s.Path {
			out = append(out, s.Path)
		}
	}
	return out
}

// countElsewhere counts places by file if there are few files, else by directory.
func countElsewhere(all []site) string {
	const maxFiles, maxDirs = 8, 6
	key, most := func(s site) string { return s.Path }, maxFiles
	if len(paths(all)) > maxFiles {
		key, most = func(s site) string { return path.Dir(s.Path) + "/" }, maxDirs
	}
	var names []string
	n := map[string]int{}
	for _, s := range all {
		k := key(s)
		if n[k]++; n[k] == 1 {
			names = append(names, k)
		}
	}
	rest := 0
	var out []string
	for i, k := range names {
		if i >= most {
			rest += n[k]
			continue
		}
		out = append(out, fmt.Sprintf("%s (%d)", k, n[k]))
	}
	text := strings.Join(out, ", ")
	if rest > 0 {
		text += fmt.Sprintf(", elsewhere (%d)", rest)
	}
	return text
}
