package code

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/builtins/code/relation"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// maxSiteRefs bounds the references of a list; its text has more.
const maxSiteRefs = 50

// result tells the uses in at most so many bytes.
func (c *calling) result(env *catalog.Env, room int) contract.Result {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.High}
	if len(c.defs) > 1 || len(c.defs) == 0 {
		r.Confidence = contract.Med
	}
	main, tests, values := c.split()
	if len(main)+len(tests)+len(values) == 0 && (len(c.may) > 0 || c.cut) {
		r.Confidence = contract.Med
	}
	for _, list := range [][]site{main, values, tests} {
		for _, s := range list {
			if len(r.References) < maxSiteRefs {
				r.References = append(r.References, s.ref())
			}
		}
	}
	where := c.where()
	r.References = contract.Dedupe(append(r.References, where...))
	if len(r.References) > maxSiteRefs+4 {
		r.References = r.References[:maxSiteRefs+4]
	}
	var b strings.Builder
	b.WriteString(c.head(main, tests, values))
	c.list(env, &b, "", main, room*3/5)
	c.list(env, &b, "Handed on as a value: ", values, room*3/4)
	c.inTests(&b, tests, room)
	if len(c.sure) > 0 && len(where) > 0 { // a paragraph of its own: what is listed above are the places
		fmt.Fprintf(&b, "\n\nDefined in %s", strings.Join(where[:min(len(where), 3)], ", "))
		if n := len(where) - 3; n > 0 {
			fmt.Fprintf(&b, " and %d more", n)
		}
	}
	if n := len(c.may); n > 0 {
		fmt.Fprintf(&b, "\n%s more may mean it, on a value whose type is not shown: %s", count(n, "place"), files(c.may, 3))
	}
	r.Summary = b.String()
	if c.cut {
		r.Note("some files hold the name so often that not all of their lines were counted")
	}
	return r
}

// split parts the places into calls, those in tests, and where it is handed on.
func (c *calling) split() (main, tests, values []site) {
	for _, s := range c.sure {
		switch {
		case s.bucket == rank.Test:
			tests = append(tests, s)
		case c.calls && s.Form == relation.Value:
			values = append(values, s)
		default:
			main = append(main, s)
		}
	}
	return main, tests, values
}

func (c *calling) where() (out []string) {
	for _, d := range c.defs {
		out = append(out, contract.Reference{Path: d.Path, Line: d.Line}.String())
	}
	return out
}

// head is the finding in one line.
func (c *calling) head(main, tests, values []site) string {
	verb, noun, who := "used", "use", "Users"
	if c.calls {
		verb, noun, who = "called", "call", "Callers"
	}
	place := ""
	if w := c.where(); len(w) > 0 {
		place = " (" + w[0] + ")"
	}
	switch {
	case len(main) > 0:
		return fmt.Sprintf("%s of `%s`, %s in %s:", who, c.name, count(len(main), noun), count(len(paths(main)), "file"))
	case len(values) > 0:
		return fmt.Sprintf("`%s` is not %s by name outside of tests, but handed on.", c.name, verb)
	case len(tests) > 0 && len(c.may) == 0:
		return fmt.Sprintf("`%s`%s is %s in tests alone.", c.name, place, verb)
	case len(c.may) == 0 && c.named == 0 && len(c.defs) == 1 && !c.cut:
		if calledByOthers(c.defs[0].Def.Def, c.where()[0]) {
			return fmt.Sprintf("Nothing in the tree names `%s`%s; a runtime or a test runner calls it.", c.name, place)
		}
		return fmt.Sprintf("`%s`%s is not %s anywhere else in the tree.", c.name, place, verb)
	}
	return fmt.Sprintf("No place is certain to use `%s`%s.", c.name, place)
}

// list writes the places a file a line, until the text has so many bytes; of the rest
// it tells the number, by directory.
func (c *calling) list(env *catalog.Env, b *strings.Builder, title string, all []site, room int) {
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].Path == all[i].Path {
			j++
		}
		line := inside(env, all[i:j])
		left := room - b.Len() - len(title) - 1
		if len(line) > left || len(line) > room/2 {
			line = linesAt(all[i:j])
		}
		if len(line) > left && i > 0 {
			fmt.Fprintf(b, "\n%sand %d more: %s", title, len(all)-i, elsewhere(all[i:]))
			return
		}
		b.WriteString("\n" + title + line)
		title = ""
		i = j
	}
}

// maxLines bounds the lines of one file in a list.
const maxLines = 16

// inside is "pool.go:41,57,80: `Pool.admit` (2), `Pool.close`" for the places of a file.
func inside(env *catalog.Env, all []site) string {
	at := linesAt(all)
	var in []string
	times := map[string]int{}
	for _, s := range all[:min(len(all), maxLines)] {
		if name := brief(s.In); name != "" && env.Ledger.Read(s.Path, int64(len(name))) == nil {
			if times[name]++; times[name] == 1 {
				in = append(in, name)
			}
		}
	}
	switch len(in) {
	case 0:
		return at
	case 1:
		return "`" + contract.Shorten(in[0], 90) + "` at " + at
	}
	first, _ := owned(in[0])
	for i, name := range in {
		own, short := owned(name)
		if i == 0 || own != first {
			short = name // else of the same type as the first
		}
		if in[i] = "`" + contract.Shorten(short, 90) + "`"; times[name] > 1 {
			in[i] += fmt.Sprintf(" (%d)", times[name])
		}
	}
	return at + ": " + strings.Join(in, ", ")
}

// linesAt is "pool.go:41,57,80".
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

// owned parts Pool.admit into Pool and admit.
func owned(name string) (owner, own string) {
	i := strings.LastIndexAny(name, `.:\`)
	return name[:i+1], name[i+1:]
}

// brief is the last two parts of a title: what stands before is told by the path.
func brief(name string) string {
	owner, own := owned(name)
	if owner == "" {
		return own
	}
	sep := "."
	if strings.HasSuffix(owner, "::") {
		sep = "::"
	} else if strings.HasSuffix(owner, `\`) {
		sep = `\`
	}
	_, last := owned(strings.TrimSuffix(owner, sep))
	return last + sep + own
}

// inTests counts the places in tests by file.
func (c *calling) inTests(b *strings.Builder, tests []site, room int) {
	if len(tests) == 0 {
		return
	}
	noun := "use"
	if c.calls {
		noun = "call"
	}
	fmt.Fprintf(b, "\nIn tests %s: ", count(len(tests), noun))
	most := 3
	if b.Len() > room {
		most = 1
	}
	b.WriteString(files(tests, most))
}

// files names the first files of some places, each with its first line.
func files(all []site, most int) string {
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
		text += fmt.Sprintf(", and %s", count(n, "file"))
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

// elsewhere counts places by file where these are few, else by directory.
func elsewhere(all []site) string {
	const mostFiles, mostDirs = 8, 6
	key, most := func(s site) string { return s.Path }, mostFiles
	if len(paths(all)) > mostFiles {
		key, most = func(s site) string { return path.Dir(s.Path) + "/" }, mostDirs
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
