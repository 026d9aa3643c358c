package symbols

import "sync"

// scanners are used again: the buffers of one grow to several times the size of the
// largest file that it read.
var scanners = sync.Pool{New: func() any { return new(Scanner) }}

// Borrow lends a scanner whose buffers have mostly grown already. Release gives it back.
func Borrow() *Scanner { return scanners.Get().(*Scanner) }

// Release gives a borrowed scanner back. What it returned stays valid.
func (s *Scanner) Release() {
	s.lexer.src, s.file.cursor.source, s.file.outline.src = nil, nil, nil
	scanners.Put(s)
}

// Split is the method of that name on a borrowed scanner.
func Split(lang Lang, src []byte, fn func(kind SpanKind, start, end int)) {
	s := Borrow()
	defer s.Release()
	s.Split(lang, src, fn)
}
