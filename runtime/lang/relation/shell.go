package relation

import (
	"bytes"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Limits of what is read before a name to find the command that it belongs to.
const (
	maxCommandWords = 64
	maxCommandBytes = 2 << 10
)

// Words of a shell script.
var (
	// beforeCommand lists the words after which a command begins.
	beforeCommand = []string{"if", "then", "elif", "else", "while", "until", "do", "!", "time", "eval", "coproc"}
	// takeFunctions lists commands that run functions given by name, exportFunctions those that export them with -f.
	takeFunctions   = []string{"trap", "complete", "compdef", "zle", "bind", "add-zsh-hook", "xargs", "run"}
	exportFunctions = []string{"export", "declare", "typeset"}
)

// shellReader reads a shell script.
type shellReader struct{ *Reader }

// readShell reads how a shell script uses the word from at to end: the first word of a command is called. A word that is
// passed to a function of the file or to a command that runs functions is a value, and so is an array item. It returns
// false for a part of a longer word, a variable, and a case pattern.
func readShell(reader *Reader, at, end int) (Form, bool) {
	r := shellReader{reader}
	if at > 0 && r.classify(at-1) == inWord || end < len(r.code) && r.classify(end) == inWord || r.inCasePattern(at, end) {
		return Other, false
	}
	if before := bytes.TrimRight(r.code[:at], " \t"); bytes.HasSuffix(before, []byte("<")) || bytes.HasSuffix(before, []byte(">")) {
		return Other, false // a file name
	}
	words, begin := r.commandBefore(at)
	switch before := r.code[:begin]; {
	case bytes.HasSuffix(before, []byte("((")): // arithmetic
		return Other, false
	case bytes.HasSuffix(before, []byte("=(")), bytes.HasSuffix(before, []byte("\n")) && r.inArray(begin):
		return Value, true
	}
	for len(words) > 0 && (slices.Contains(beforeCommand, words[0]) || isAssignment(words[0])) {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return Call, true
	case slices.Contains(takeFunctions, words[0]), slices.Contains(exportFunctions, words[0]) && slices.Contains(words, "-f"), r.definesFunction(words[0]):
		return Value, true
	}
	return Other, true
}

// isAssignment reports whether a word assigns a variable: a=1, a+=1, a[1]=2.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "+"), "[")
	return ok && name != "" && strings.IndexFunc(name, func(c rune) bool { return c >= 0x80 || c == '$' || !wordByte(byte(c)) }) < 0
}

// definesFunction reports whether the file defines a function with the given name.
func (r shellReader) definesFunction(name string) bool {
	return slices.ContainsFunc(r.src.Defs, func(d symbols.Def) bool { return d.Name == name && d.Kind == symbols.KindFunction })
}

// shellClass tells how a byte of a shell script affects the word next to it.
type shellClass uint8

const (
	inWord      shellClass = iota // it belongs to the word
	endsWord                      // it ends the word
	endsCommand                   // it ends the word and its command
)

func (r shellReader) classify(i int) shellClass {
	if r.src.IsQuiet(i) {
		return inWord // quoted
	}
	switch r.code[i] {
	case ' ', '\t', '\r', '<', '>':
		return endsWord
	case '\n':
		if i > 0 && r.code[i-1] == '\\' {
			return endsWord
		}
		return endsCommand
	case '\\':
		if i+1 < len(r.code) && r.code[i+1] == '\n' {
			return endsWord
		}
	case ';', '|', '(', ')', '`':
		return endsCommand
	case '&':
		if i == 0 || r.code[i-1] != '>' && r.code[i-1] != '<' { // 2>&1
			return endsCommand
		}
	}
	return inWord
}

// commandBefore returns the words of the command before a name, and where the command begins. A substitution, $(…) or
// `…`, is part of a word.
func (r shellReader) commandBefore(at int) (words []string, begin int) {
	least := max(0, at-maxCommandBytes)
	quoted := r.backquotesBefore(at, least)%2 == 1 // the name is in backquotes
	within := false                                // in backquotes that close before the name
	end := -1                                      // of the word being read backwards, -1 for none
	take := func() {
		if end >= 0 {
			words = append(words, string(r.src.Data[begin:end]))
			end = -1
		}
	}
	for begin = at; begin > least && len(words) < maxCommandWords; begin-- {
		i := begin - 1
		class := r.classify(i)
		switch c := r.code[i]; {
		case class != endsCommand:
		case c == ')':
			if open := r.bracketBefore(i, least); open >= 0 {
				class, end, begin = inWord, max(end, i+1), open+1
			}
		case c == '`' && !quoted:
			within, class = !within, inWord
		}
		if within || class == inWord {
			end = max(end, begin)
			continue
		}
		if take(); class == endsCommand {
			break
		}
	}
	take()
	slices.Reverse(words)
	if i := slices.Index(words, "{"); i >= 0 { // of a function or a group
		words = words[i+1:]
	}
	return words, begin
}

// backquotesBefore counts the backquotes before an offset on its line.
func (r shellReader) backquotesBefore(at, least int) (n int) {
	for i := at - 1; i >= least && r.code[i] != '\n'; i-- {
		if r.code[i] == '`' && !r.src.IsQuiet(i) {
			n++
		}
	}
	return n
}

// bracketBefore returns where the parenthesis that closes at an offset opens, if on the same line, or -1.
func (r shellReader) bracketBefore(at, least int) int {
	depth := 0
	for i := at; i >= least && r.code[i] != '\n'; i-- {
		switch c := r.code[i]; {
		case c != '(' && c != ')' || r.src.IsQuiet(i):
		case c == ')':
			depth++
		default:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// inArray reports whether an offset at the start of a line is inside the parentheses of an array.
func (r shellReader) inArray(at int) bool {
	depth := 0
	for i := at - 1; i >= max(1, at-maxCommandBytes); i-- {
		switch c := r.code[i]; {
		case r.src.IsQuiet(i):
		case c == ')':
			depth++
		case c == '(' && depth > 0:
			depth--
		case c == '(':
			return r.code[i-1] == '='
		}
	}
	return false
}

// inCasePattern reports whether the word from at to end is in a case pattern, before its closing ")": a | b) command.
func (r shellReader) inCasePattern(at, end int) bool {
	depth := 0
	for i := end; i < min(len(r.code), end+maxCommandBytes) && depth >= 0; i++ {
		switch c := r.code[i]; {
		case r.src.IsQuiet(i):
		case c == '(':
			depth++
		case c == ')':
			depth--
		case bytes.IndexByte([]byte(";&`\n"), c) >= 0:
			return false
		}
	}
	for i := at - 1; depth < 0 && i >= max(0, at-maxCommandBytes) && r.code[i] != '\n'; i-- {
		switch c := r.code[i]; {
		case r.src.IsQuiet(i):
		case c == ')':
			depth--
		case c == '(':
			depth++
		}
	}
	return depth < 0
}
