package relation

import "strings"

// calledAfter reports whether a variable is named after the type that a definition belongs to. A one-word name such as
// conn suits many things: it counts only if no other type has the definition. A longer name counts unless another type
// whose name ends in the same words has it.
func (w *NameIndex) calledAfter(recv string, d *Def) bool {
	if len(recv) < 4 || !sameWord(recv, d.owner()) || strings.EqualFold(recv, d.Name) {
		return false
	}
	if w.isUnique(d) || w.aloneCalled(d) {
		return true
	}
	if !strings.Contains(strings.Trim(recv, "_"), "_") && strings.ToLower(recv[1:]) == recv[1:] {
		return false
	}
	for owner, defs := range w.byOwner {
		if !endsInWord(owner, recv) {
			continue
		}
		for _, i := range defs {
			if !sameThing(&w.Defs[i], d) {
				return false
			}
		}
	}
	return true
}

// aloneCalled reports whether no other method in the language has the name. Other definitions do not count: a call on a
// value cannot mean a field.
func (w *NameIndex) aloneCalled(d *Def) bool {
	for i := range w.Defs {
		o := &w.Defs[i]
		if isCallable(o.Kind) && o.isMember() && SameFamily(o.Lang, d.Lang) && !sameThing(o, d) && (d.Test || !o.Test) {
			return false
		}
	}
	return true
}

// endsInWord reports whether the last words of name equal word: IdleConn, conn.
func endsInWord(name, word string) bool {
	for i := range name {
		if sameWord(name[i:], word) {
			return i == 0 || name[i] == '_' || name[i] >= 'A' && name[i] <= 'Z' || name[i-1] == '_'
		}
	}
	return false
}

// sameWord reports whether two names consist of the same words: idle_conn and IdleConn.
func sameWord(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && a[i] == '_' {
			i++
		}
		for j < len(b) && b[j] == '_' {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i]|0x20 != b[j]|0x20 {
			return false
		}
		i, j = i+1, j+1
	}
}
