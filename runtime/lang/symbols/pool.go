package symbols

import "sync"

// scanners are reused: the buffers of one grow to several times the size of the largest file that it has read.
var scanners = sync.Pool{New: func() any { return new(Scanner) }}

// Borrow returns a scanner whose buffers usually have grown already. Release returns it to the pool.
func Borrow() *Scanner { return scanners.Get().(*Scanner) }

// Release returns a borrowed scanner to the pool. Its results stay valid.
func (s *Scanner) Release() {
	s.lexer.src, s.file.cursor.source, s.file.outline.src = nil, nil, nil
	scanners.Put(s)
}

// Split calls Scanner.Split on a borrowed scanner.
func Split(lang Lang, src []byte, fn func(kind SpanKind, start, end int)) {
	s := Borrow()
	defer s.Release()
	s.Split(lang, src, fn)
}
