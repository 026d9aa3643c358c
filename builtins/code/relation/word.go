package relation

import (
	"bytes"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
)

// wordReader reads languages in which a call needs no parentheses.
type wordReader struct{ *Reader }

// word is a name in the code and what stands beside it.
type word struct {
	at, end    int
	qualified  bool
	prev, next byte   // the bytes beside it, 0 for none
	behind     []byte // what follows on its line, without blanks
	first      byte   // of that
}

// maxBehind bounds the bytes behind a name that are looked at.
const maxBehind = 80

func newWord(r *Reader, at, end int, qualified bool) word {
	w := word{at: at, end: end, qualified: qualified, prev: byteAt(r.code, at-1), next: byteAt(r.code, end)}
	w.behind = bytes.TrimLeft(r.code[end:min(len(r.code), end+maxBehind)], " \t")
	w.first = byteAt(w.behind, 0)
	return w
}

// wordReaders read what is done with a name. found is false where the rules of all languages hold.
var wordReaders = map[symbols.Lang]func(wordReader, word) (form Form, ok, found bool){
	symbols.Lua: wordReader.readLua, symbols.Elixir: wordReader.readElixir, symbols.Perl: wordReader.readPerl,
	symbols.Haskell: wordReader.readHaskell, symbols.R: wordReader.readR,
	symbols.Ruby: wordReader.readRuby,
}

// readLua takes calls with a table or a string alone: f{…}, f "…".
func (r wordReader) readLua(w word) (form Form, ok, found bool) {
	data := r.src.Data[w.end:min(len(r.src.Data), w.end+maxBehind)]
	switch byteAt(bytes.TrimLeft(data, " \t"), 0) {
	case '{', '"', '\'':
		return Call, true, true
	}
	return Other, false, false
}

func (r wordReader) readElixir(w word) (form Form, ok, found bool) {
	switch {
	case w.next == ':' && byteAt(r.code, w.end+1) != ':': // a key
		return Other, false, true
	case w.prev == ':' && !w.qualified, w.prev == '&' && w.first == '/': // an atom, by which apply calls; &name/1
		return Value, true, true
	case w.qualified || w.next != ' ' || bytes.HasPrefix(w.behind, []byte("do\n")):
		return Other, false, false
	case wordByte(w.first) || bytes.IndexByte([]byte("%:@"), w.first) >= 0:
		return Call, true, true
	}
	return Other, false, false
}

func (r wordReader) readPerl(w word) (form Form, ok, found bool) {
	switch {
	case bytes.HasPrefix(w.behind, []byte("=>")), w.prev == '{' && w.next == '}': // a key
		return Other, false, true
	case w.prev == '&':
		return Call, true, true
	case w.qualified:
		return Other, false, false
	case w.first == ';', w.next == ' ' && (wordByte(w.first) || bytes.IndexByte([]byte(`@%\`), w.first) >= 0):
		return Call, true, true
	}
	return Other, false, false
}

// readRuby takes a name alone for a call, unless it is a variable: a name with a mark cannot be one.
func (r wordReader) readRuby(w word) (form Form, ok, found bool) {
	name := r.code[w.at:w.end]
	switch last := name[len(name)-1]; {
	case last == '?' || last == '!':
		return Call, true, true
	case w.qualified, w.prev == ':', w.prev == '@', w.next == ':', !isLower(name[0]), w.first == '=' && byteAt(w.behind, 1) != '=':
		return Other, false, false
	case w.first == '(', r.isLocal(string(name), w.at):
		return Other, false, false
	}
	return Call, true, true
}

// isLower reports that a name of Ruby is that of a method or a variable.
func isLower(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 0x80 }

// isLocal reports that the method around an offset, or the file outside of methods, has a variable of a name: it takes
// one, sets one or hands one to a block.
func (r wordReader) isLocal(name string, at int) bool {
	from, to := 0, len(r.code)
	if d, ok := r.function(r.lineOf(at)); ok {
		from, to = r.start(d.Line), r.start(d.EndLine+1)
		if head := r.code[from:r.start(d.Line+1)]; indexWord(head[min(len(head), len("def ")+len(d.Name)):], name) >= 0 && d.Name != name {
			return true
		}
	}
	for i := from; i < to; {
		if r.steps -= 64; r.steps < 0 {
			return true
		}
		k := indexWord(r.code[i:to], name)
		if k < 0 {
			r.steps -= to - i
			return false
		}
		r.steps -= k
		begin := i + k
		i = begin + len(name)
		line := r.code[begin-len(r.headWhole(begin)) : begin]
		rest := bytes.TrimLeft(r.code[i:min(to, i+maxBehind)], " \t")
		switch {
		case setsVariable(rest), bytes.Count(line, []byte("|"))%2 == 1 && bytes.Contains(firstLine(rest), []byte("|")):
			return true
		case bytes.HasSuffix(bytes.TrimRight(line, " "), []byte("=>")), bytes.HasSuffix(bytes.TrimRight(line, " "), []byte("for")):
			return true
		}
	}
	return false
}

// headWhole is the line of an offset up to it.
func (r wordReader) headWhole(at int) []byte { return r.code[r.start(r.lineOf(at)):at] }

// setsVariable reports that what follows a name sets it: = 1, ||= 1, , b = 1.
func setsVariable(rest []byte) bool {
	line := firstLine(rest)
	i := bytes.IndexByte(line, '=')
	if i < 0 || bytes.IndexByte([]byte("=~>"), byteAt(line, i+1)) >= 0 || i > 0 && bytes.IndexByte([]byte("=!<>"), line[i-1]) >= 0 {
		return false
	}
	return len(bytes.Trim(line[:i], "+-*/|&% ")) == 0 || line[0] == ',' && !bytes.ContainsAny(line[:i], "(){}[]:'\"")
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// readHaskell takes what stands behind another word as handed to it. In the first column a name is defined.
func (r wordReader) readHaskell(w word) (form Form, ok, found bool) {
	switch {
	case w.prev == '\'', w.next == '\'', r.start(r.lineOf(w.at)) == w.at, r.inHeader(w.at):
		return Other, false, true
	case r.isApplied(w.at):
		return Value, true, true
	}
	return Call, true, true
}

// readR leaves out parts of longer names, in which dots stand.
func (r wordReader) readR(w word) (form Form, ok, found bool) {
	return Other, false, w.prev == '.' || w.next == '.'
}

// maxModuleHead bounds how far the head of a module of Haskell is looked for.
const maxModuleHead = 8 << 10

// inHeader reports that an offset stands in the list of what a module gives away.
func (r wordReader) inHeader(at int) bool {
	if at >= maxModuleHead {
		return false
	}
	head := r.code[:min(len(r.code), maxModuleHead)]
	from := indexWord(head, "module")
	if from < 0 || from > at {
		return false
	}
	n := indexWord(head[from:], "where")
	return n < 0 || from+n > at
}

// isApplied reports that a word stands before an offset on its line, to which a name is handed.
func (r wordReader) isApplied(at int) bool {
	switch r.wordBefore(at) {
	case "", "then", "else", "in", "of", "do", "if", "case", "let", "where", "return", "pure":
		return false
	}
	return true
}

// readCommand reads what files of commands do with the word from at to end: those of make, of PowerShell and of the
// build of a container. The names that they define are words of many commands, too.
func (r wordReader) readCommand(at, end int) (Form, bool) {
	w := newWord(r.Reader, at, end, false)
	before := byteAt(r.code, at-2)
	switch {
	case w.prev == '-', w.next == '-', w.prev == '/', w.next == '/', w.prev == '.' && r.src.Lang != symbols.PowerShell: // a part of a longer word
		return Other, false
	case w.prev == '$', before == '$' && (w.prev == '(' || w.prev == '{'): // a variable
		return Other, true
	}
	head := r.headOf(max(0, at-maxCommandBytes), at)
	switch r.src.Lang {
	case symbols.Make:
		return Call, r.makes(head, at)
	case symbols.Dockerfile:
		words := bytes.Fields(bytes.ToUpper(head))
		return Other, len(words) == 1 && string(words[0]) == "FROM" || bytes.HasSuffix(head, []byte("--from="))
	}
	return Call, true
}

// makes reports that the line up to an offset makes what is named there: before another target, or by a call of make.
func (r wordReader) makes(head []byte, at int) bool {
	for _, call := range []string{"make ", "$(MAKE) ", "${MAKE} "} {
		if bytes.Contains(head, []byte(call)) {
			return true
		}
	}
	indent := byteAt(r.code, r.start(r.lineOf(at)))
	return indent != ' ' && indent != '\t' && bytes.IndexByte(head, ':') > 0 && bytes.IndexByte(head, '=') < 0 && head[0] != '.'
}

// byteAt is the byte at an offset, 0 outside of a text.
func byteAt(text []byte, i int) byte {
	if i < 0 || i >= len(text) {
		return 0
	}
	return text[i]
}
