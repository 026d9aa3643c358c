package usage

import (
	"bytes"
	"context"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// Definition lists where a name that a traced place calls may be defined.
type Definition struct {
	Name string   `json:"name" doc:"name that is called"`
	Refs []string `json:"refs" doc:"path:line of each definition, by path"`
}

// These bound how many names are looked for, and how many places are kept for each.
const (
	calleesOfPlace = 20
	minCallee      = 4 // bytes: shorter names are ambiguous across files
	maxDefiners    = 6
)

// wantedCallees are the names whose definitions a scan collects in addition to its main task.
type wantedCallees struct {
	names []string
	index map[string]int
	sites [][]string // per name, ordered by path
}

// calledElsewhere lists the names that the places call and their own files do not define.
func calledElsewhere(ctx context.Context, env *catalog.Env, refs []string) *wantedCallees {
	c := &wantedCallees{index: map[string]int{}}
	for _, ref := range refs {
		src, line, err := source.LoadAt(ctx, env, ref)
		if err != nil {
			continue
		}
		d, ok := src.DefNear(line)
		if !ok || d.Kind != symbols.KindFunction && d.Kind != symbols.KindMethod {
			continue
		}
		here := map[string]bool{}
		for _, o := range src.Defs {
			here[o.Name] = true
		}
		n := 0
		for _, call := range src.Text().Calls(d) {
			if _, have := c.index[call.Name]; have || here[call.Name] || len(call.Name) < minCallee || !identifiesOne(call) {
				continue
			}
			c.index[call.Name] = len(c.names)
			c.names = append(c.names, call.Name)
			if n++; n == calleesOfPlace {
				break
			}
		}
	}
	c.sites = make([][]string, len(c.names))
	return c
}

// identifiesOne reports whether the name may identify one definition: it has two words, is
// unqualified, or is qualified by a capitalized name.
func identifiesOne(c keylines.Call) bool {
	return source.IsCompoundName(c.Name) || c.Qualifier == "" || c.Qualifier != "" && c.Qualifier[0] >= 'A' && c.Qualifier[0] <= 'Z'
}

// definer finds definitions of callees, one file after the other. Each worker has one.
type definer struct {
	of    *wantedCallees
	found []defSite
}

type defSite struct{ name, line int }

// line looks for a wanted name that the line defines.
func (f *definer) line(text []byte, number int) {
	if f.of == nil || len(f.of.names) == 0 {
		return
	}
	const most = 400 // bytes of a line that may begin a definition
	if len(text) > most {
		return
	}
	for i := 0; i < len(text); {
		if !idents.WordByte(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && idents.WordByte(text[end]) {
			end++
		}
		if n, ok := f.of.index[string(text[i:end])]; ok && mayDefine(text[:i], text[end:]) {
			f.found = append(f.found, defSite{n, number})
			return
		}
		i = end
	}
}

// take returns and clears the definitions found in a file.
func (f *definer) take() []defSite {
	out := f.found
	f.found = nil
	return out
}

// add records the definitions found in a file; it must be called in the order of the files.
func (c *wantedCallees) add(ref string, list []defSite) {
	if len(list) == 0 || coderank.BucketOf(ref, nil) == coderank.Test {
		return
	}
	for _, s := range list {
		if len(c.sites[s.name]) <= maxDefiners {
			c.sites[s.name] = append(c.sites[s.name], contract.Reference{Path: ref, Line: s.line}.String())
		}
	}
}

// definitions returns the names that have few enough places to tell them apart.
func (c *wantedCallees) definitions() []Definition {
	var out []Definition
	for i, n := range c.names {
		if len(c.sites[i]) > 0 && len(c.sites[i]) <= maxDefiners {
			out = append(out, Definition{n, c.sites[i]})
		}
	}
	return out
}

// mayDefine reports whether a line with these bytes before and after a name looks like its
// definition. False positives are eliminated when the file is parsed.
func mayDefine(before, after []byte) bool {
	if definesHere(before) {
		return true
	}
	b, a := bytes.TrimSpace(before), bytes.TrimSpace(after)
	if len(a) == 0 {
		return false
	}
	if a[0] == '=' || a[0] == ':' {
		return bytes.Contains(a, []byte("function")) || bytes.Contains(a, []byte("=>"))
	}
	if a[0] != '(' && a[0] != '<' || bytes.HasSuffix(a, []byte(";")) && !bytes.Contains(a, []byte("{")) {
		return false
	}
	if len(b) == 0 {
		return bytes.HasSuffix(a, []byte("{")) && !bytes.ContainsAny(a, "'\"`")
	}
	if last := b[len(b)-1]; !idents.WordByte(last) && last != '>' && last != ']' && last != '*' && last != '&' && last != '?' {
		return false
	}
	if len(b) == len(bytes.TrimLeft(before, " \t")) && b[len(b)-1] != '*' && b[len(b)-1] != '&' {
		return false // nothing in between: part of another word
	}
	return !bytes.ContainsAny(b, "=(\"'") && !notType[string(b[bytes.LastIndexAny(b, " \t")+1:])]
}

// notType are words that precede a call, but not the name of a definition.
var notType = map[string]bool{"return": true, "throw": true, "new": true, "await": true, "else": true, "yield": true, "in": true, "and": true,
	"or": true, "not": true, "case": true, "raise": true, "assert": true, "typeof": true, "delete": true, "go": true, "defer": true, "if": true,
	"do": true, "is": true, "import": true, "when": true, "unless": true, "while": true}
