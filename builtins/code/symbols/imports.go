package symbols

import (
	"bytes"
	"strings"
)

// Imports lists what a file imports, includes, requires or uses, in order. A
// path is what the language writes: "net/http", "./util.js", "a.b.C", "a::b",
// "stdio.h". A relative Python import keeps its dots, a Rust "mod x;" is
// "self::x", a braced list becomes one import a name.
func Imports(path string, src []byte) []Import {
	return new(Scanner).Imports(path, src)
}

// Imports is the package's Imports on buffers that are used again.
func (s *Scanner) Imports(path string, src []byte) []Import {
	lang := Detect(path, src)
	var lines []int32
	switch lang {
	case "", Markdown, AsciiDoc, RST, YAML, TOML, JSON, SQL:
		return nil
	case Component:
		lang, src = TypeScript, scriptParts(src)
	case Notebook:
		text, at := cellText(src, notebookCells(src), true)
		lang, src, lines = Python, text, at
	}
	s.tokenize(lang, src)
	im := importer{Scanner: s}
	im.scan()
	for i := range im.found {
		if lines != nil {
			im.found[i].Line = int(lines[im.found[i].Line-1])
		}
	}
	return im.found
}

// maxImports bounds what one file can yield.
const maxImports = 20_000

type importer struct {
	*Scanner
	found []Import
}

// add takes the source from token i to token j as a path.
func (im *importer) add(i, j int) {
	if i > j || j >= im.limit {
		return
	}
	im.path(string(im.src[im.tok(i).off:im.tok(j).end]), im.lineOf(i))
}

func (im *importer) path(p string, line int32) {
	p = strings.TrimSuffix(strings.Trim(p, " \t\"'`"), "::self")
	if p != "" && len(p) <= 512 && len(im.found) < maxImports {
		im.found = append(im.found, Import{Path: strings.ToValidUTF8(strings.Join(strings.Fields(p), " "), "\uFFFD"), Line: int(line)})
	}
}

// scan hands each token that may start an import to its language.
func (im *importer) scan() {
	at := im.importAt()
	for i := 0; i < im.limit && at != nil; {
		i = max(at(i), i+1)
	}
}

func (im *importer) importAt() func(i int) int {
	switch im.lang {
	case Go:
		return im.goAt
	case Python:
		return im.pythonAt
	case JavaScript, TypeScript, TSX:
		return im.scriptAt
	case Java, Kotlin, Scala, CSharp, Swift:
		return im.dottedAt
	case Rust:
		return im.rustAt
	case C, CPP:
		return im.includeAt
	case Ruby:
		return im.rubyAt
	case PHP:
		return im.phpAt
	case Shell:
		return im.shellAt
	case CUE, Protobuf:
		return im.quotedAt
	}
	return nil
}

// goAt reads import "p" and import ( name "p" … ).
func (im *importer) goAt(i int) int {
	if !im.is(i, "import") || !im.goStarts(i) {
		return im.past(i)
	}
	return im.group(i)
}

// quotedAt is the same without Go's rules for where a statement starts.
func (im *importer) quotedAt(i int) int {
	if !im.is(i, "import") || !im.nl(i) {
		return im.past(i)
	}
	return im.group(i)
}

func (im *importer) group(i int) int {
	end := im.past(i + 1)
	for j := i + 1; j < min(end+1, im.limit); j++ {
		if im.isString(j) && (j < end || !im.nl(j)) {
			im.add(j, j)
		}
	}
	return end
}

// pythonAt reads "import a.b as c, d" and "from .a import b".
func (im *importer) pythonAt(i int) int {
	if !im.nl(i) && im.ch(i-1) != ';' && im.ch(i-1) != ':' {
		return i + 1
	}
	switch {
	case im.is(i, "from"):
		j := i + 1
		for j < im.limit && !im.is(j, "import") && !im.nl(j) {
			j++
		}
		if !im.is(j, "import") {
			return j
		}
		if !im.ident(j - 1) { // only dots: the names are modules
			return im.pythonNames(i+1, j)
		}
		im.add(i+1, j-1)
		return j
	case im.is(i, "import"):
		j := i + 1
		for im.ident(j) {
			last := im.dotted(j)
			im.add(j, last)
			if j = last + 1; im.is(j, "as") {
				j += 2
			}
			if im.ch(j) != ',' {
				break
			}
			j++
		}
		return j
	}
	return i + 1
}

// pythonNames reads "from .. import a, b", whose dots start at i and whose word
// import is at j.
func (im *importer) pythonNames(i, j int) int {
	dots := string(im.src[im.tok(i).off:im.tok(j-1).end])
	end := im.find(j+1, im.limit)
	for k := j + 1; k < im.limit && (k == j+1 || !im.nl(k)) || k < end && im.ch(j+1) == '('; k++ {
		if im.closer(k) || im.ch(k) == ';' {
			break
		}
		if im.is(k, "as") {
			k++
		} else if im.ident(k) {
			im.path(dots+string(im.text(k)), im.lineOf(k))
		}
	}
	return j + 1
}

// dotted is the last token of the name a.b.c at i.
func (im *importer) dotted(i int) int {
	for im.ch(i+1) == '.' && im.ident(i+2) {
		i += 2
	}
	return i
}

// scriptAt reads import and export … from, require() and import().
func (im *importer) scriptAt(i int) int {
	switch {
	case im.ch(i-1) == '.':
	case im.oneOf(i, "require", "import") && im.ch(i+1) == '(' && im.isString(i+2):
		im.add(i+2, i+2)
	case im.is(i, "import") && im.isString(i+1):
		im.add(i+1, i+1)
	case im.oneOf(i, "import", "export") && (im.nl(i) || im.ch(i-1) == ';' || i == 0):
		for j, n := i+1, 0; n < 24 && j < im.limit; n++ {
			if im.is(j, "from") && im.isString(j+1) {
				im.path(string(im.text(j+1)), im.lineOf(i))
				return j + 2
			}
			if im.ch(j) == ';' || im.ch(j) == '=' || im.ch(j) == '(' {
				break
			}
			j = im.past(j)
		}
	}
	return i + 1
}

// dottedAt reads "import [static] a.b.C;" and C#'s using.
func (im *importer) dottedAt(i int) int {
	word := "import"
	if im.lang == CSharp {
		word = "using"
	}
	if !im.is(i, word) || i > 0 && !im.nl(i) && im.ch(i-1) != ';' && !im.is(i-1, "global") && im.ch(i-2) != '@' {
		return i + 1
	}
	j := i + 1
	for im.oneOf(j, "static", "unsafe", "struct", "class", "enum", "protocol", "func", "typealias", "let", "var") && im.ident(j+1) {
		j++
	}
	if im.ident(j) && im.ch(j+1) == '=' { // using alias = a.b
		j += 2
	}
	if !im.ident(j) {
		return i + 1
	}
	last := im.dotted(j)
	if im.lang == CSharp && im.ch(last+1) != ';' && im.ch(last+1) != '<' {
		return i + 1 // a using statement
	}
	if im.lang == Scala && im.ch(last+1) == '.' && im.ch(last+2) == '{' {
		return im.braced(j, im.past(last+2), ".")
	}
	if im.ch(last+1) == '.' && (im.ch(last+2) == '*' || im.ch(last+2) == '{' || im.is(last+2, "_")) {
		last = im.past(last+2) - 1
	}
	im.add(j, last)
	return last + 1
}

// includeAt reads #include <a> and #include "a".
func (im *importer) includeAt(i int) int {
	t := im.tok(i)
	if t.kind != tokDirective {
		return i + 1
	}
	line := im.src[t.off:t.end]
	line = bytes.TrimLeft(line[1:], " \t")
	for _, word := range []string{"include_next", "include", "import"} {
		rest, ok := bytes.CutPrefix(line, []byte(word))
		if rest = bytes.TrimLeft(rest, " \t"); !ok || len(rest) < 2 {
			continue
		}
		end := rest[0]
		if end == '<' {
			end = '>'
		}
		if n := bytes.IndexByte(rest[1:], end); n > 0 && (rest[0] == '<' || rest[0] == '"') {
			im.path(string(rest[1:n+1]), t.line)
		}
		break
	}
	return i + 1
}

// rubyAt reads require, require_relative, load and autoload.
func (im *importer) rubyAt(i int) int {
	if im.oneOf(i, "require", "require_relative", "load") && im.nl(i) {
		j := i + 1
		if im.ch(j) == '(' {
			j++
		}
		if im.isString(j) {
			im.add(j, j)
		}
	}
	return i + 1
}

// phpAt reads use and the includes.
func (im *importer) phpAt(i int) int {
	switch lowered(im.text(i)) {
	case "require", "require_once", "include", "include_once":
		end := im.find(i, im.limit, ';')
		for j := i + 1; j < end && j < i+12; j++ {
			if im.isString(j) {
				im.add(j, j)
			}
		}
	case "use":
		if im.nl(i) && im.ch(i+1) != '(' {
			j := i + 1
			if im.oneOf(j, "function", "const") {
				j++
			}
			end := im.find(i, im.limit, ';', '{')
			if off := im.tok(end).off; im.ch(end) == '{' && off > 0 && im.src[off-1] == '\\' {
				end = im.find(i, im.limit, ';')
			} // any other brace lists what a trait's methods are called
			im.braced(j, end, `\`)
			return im.past(end)
		}
	}
	return i + 1
}

// shellAt reads "source file" and ". file".
func (im *importer) shellAt(i int) int {
	start := im.nl(i) || im.ch(i-1) == ';' || im.ch(i-1) == opLogic
	if !start || !im.is(i, "source") && im.ch(i) != '.' || im.nl(i+1) || im.tok(i+1).off == im.tok(i).end {
		return i + 1
	}
	rest := im.src[im.tok(i+1).off:min(len(im.src), int(im.tok(i+1).off)+256)]
	if n := bytes.IndexAny(rest, " \t\r\n;&|)"); n >= 0 && rest[0] != '"' {
		rest = rest[:n]
	} else if im.isString(i + 1) {
		rest = im.text(i + 1)
	}
	im.path(string(rest), im.lineOf(i))
	return i + 2
}

// rustAt reads use a::b::{c, d as e}, extern crate a and mod a;
func (im *importer) rustAt(i int) int {
	switch {
	case im.is(i, "use") && (im.nl(i) || im.is(i-1, "pub") || im.ch(i-1) == ')' || im.ch(i-1) == ';' || im.ch(i-1) == '{'):
		return im.braced(i+1, im.find(i, im.limit, ';'), "::")
	case im.is(i, "crate") && im.is(i-1, "extern"):
		im.add(i+1, i+1)
	case im.is(i, "mod") && im.ident(i+1) && im.ch(i+2) == ';':
		im.path("self::"+string(im.text(i+1)), im.lineOf(i))
	}
	return i + 1
}

// braced expands a list in braces, "a::{b, c::{d}}", from token i to end. The
// prefixes of the braces that are open are kept on a stack.
func (im *importer) braced(i, end int, sep string) int {
	prefixes := []string{""}
	part := ""
	line := im.lineOf(i)
	flush := func() {
		if part != "" {
			im.path(prefixes[len(prefixes)-1]+part, line)
		}
		part = ""
	} // a part may be written over several lines, its first one counts
	for ; i < min(end, im.limit); i++ {
		switch c := im.ch(i); {
		case c == '{' && len(prefixes) < 16:
			prefixes = append(prefixes, prefixes[len(prefixes)-1]+part)
			part = ""
		case c == '}':
			if flush(); len(prefixes) > 1 {
				prefixes = prefixes[:len(prefixes)-1]
			}
		case c == ',':
			flush()
		case im.is(i, "as"), c == opFatArrow:
			i++
		default:
			if part == "" {
				line = im.lineOf(i)
			}
			if t := im.tok(i); sep == `\` && (part != "" || len(prefixes) > 1) && t.off > 0 && im.src[t.off-1] == '\\' && !(part == "" && im.ch(i-1) == '{') {
				part += sep
			}
			if len(part) < 512 {
				part += string(im.text(i))
			}
			if sep == `\` && i+1 < end && im.ch(i+1) == '{' {
				part += sep
			}
		}
	}
	flush()
	return end
}
