package symbols

// Annotations before a declaration: decorators, written @name(…), and attributes, written #[…]. A file may have large
// numbers of them, so a backward search over them is limited.
const (
	maxDecorators = 16
	maxQualifiers = 8 // of a decorator's name
	maxAttributes = 64
)

// decoratorsBefore returns the first token of the decorators that end before token i, or i.
func (a *lookahead) decoratorsBefore(i int) int {
	for range maxDecorators {
		j := i - 1
		if a.punct(j) == ')' {
			j = a.partner(j) - 1
		}
		for n := 0; n < maxQualifiers && a.isIdent(j) && a.punct(j-1) == '.'; n++ {
			j -= 2
		}
		if a.isIdent(j) && a.punct(j-1) == ':' && a.isIdent(j-2) { // @get:Name
			j -= 2
		}
		if !a.isIdent(j) || a.punct(j-1) != '@' {
			return i
		}
		i = j - 1
	}
	return i
}

// skipDecorators returns the token after the decorators that start at i.
func (a *lookahead) skipDecorators(i int) int {
	for a.punct(i) == '@' && i < a.limit {
		for i++; a.isIdent(i) && a.punct(i+1) == '.'; {
			i += 2
		}
		if i++; a.punct(i) == '(' {
			i = a.skip(i)
		}
	}
	return i
}

// attributesBefore returns the first token of the attributes that end before token i, or i.
func (a *lookahead) attributesBefore(i int) int {
	for n := 0; n < maxAttributes && a.punct(i-1) == ']'; n++ {
		open := a.partner(i - 1)
		if open < 1 || a.punct(open-1) != '#' {
			break
		}
		i = open - 1
	}
	return i
}

// skipAttributes returns the token after the attributes that start at i.
func (a *lookahead) skipAttributes(i int) int {
	for a.punct(i) == '#' && a.punct(i+1) == '[' {
		i = a.skip(i + 1)
	}
	return i
}
