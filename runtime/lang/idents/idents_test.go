package idents

import "testing"

func TestIndent(t *testing.T) {
	for line, want := range map[string]int{"": 0, "a": 0, "  a b": 2, "\t a": 5, "   ": 3, " \u00a0a": 1} {
		if got, same := Indent(line), Indent([]byte(line)); got != want || same != want {
			t.Errorf("%q is set in by %d and %d, want %d", line, got, same, want)
		}
	}
}

func TestWordByte(t *testing.T) {
	for _, c := range []byte("azAZ09_$\xc3") {
		if !WordByte(c) {
			t.Errorf("%q is of no name", c)
		}
	}
	for _, c := range []byte(" .-#:(\x00") {
		if WordByte(c) {
			t.Errorf("%q is of a name", c)
		}
	}
}
