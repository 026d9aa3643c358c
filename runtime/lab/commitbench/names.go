package commitbench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

const (
	minName    = 6        // letters of a name that is asked for
	maxScanned = 16 << 20 // bytes of a file that is searched for names
	spare      = 8        // made-up names for each that is wanted, since some do occur
)

// known is a name that the tree defines.
type known struct {
	name, path string
	line       int
}

// nameQuestions generates the questions that need no history: about names in the head's tree, and
// about names that do not occur in it.
func (s *session) nameQuestions(ctx context.Context, definitions, absent int) ([]eval.Case, error) {
	o, err := s.repo.Objects(ctx)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	s.Show("looking for names", 0, 1)
	all, err := s.uniqueNames(ctx, o)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b known) int {
		return cmp.Or(cmp.Compare(drawLot(s.Seed, a.name), drawLot(s.Seed, b.name)), strings.Compare(a.name, b.name))
	})
	var list []eval.Case
	for _, k := range onePerFile(all, definitions) {
		list = append(list, eval.Case{ID: "d-" + k.name, Kind: eval.Definition, Parent: s.repo.Head(), Question: whereIs(k.name),
			Gold: []string{k.path}, Line: k.line})
	}
	invented, err := s.inventNames(ctx, o, all, absent)
	if err != nil {
		return nil, err
	}
	for _, name := range invented {
		list = append(list, eval.Case{ID: "a-" + name, Kind: eval.Absent, Parent: s.repo.Head(), Question: whereIs(name)})
	}
	return list, nil
}

func whereIs(name string) string { return fmt.Sprintf("where is %s defined?", name) }

// uniqueNames lists the exported functions and types of source files whose names are defined only
// once in the whole tree.
func (s *session) uniqueNames(ctx context.Context, o *githistory.Objects) ([]known, error) {
	count := map[string]int{}
	var list []known
	err := s.repo.Files(ctx, o, s.repo.Head(), maxScanned, func(path string, text []byte) error {
		source := s.Source(path, text[:min(len(text), headBytes)])
		for _, d := range s.Definitions(path, text) {
			if count[d.Name]++; source && d.Exported && d.Asked && len(d.Name) >= minName {
				list = append(list, known{d.Name, path, d.Line})
			}
		}
		return nil
	})
	return slices.DeleteFunc(list, func(k known) bool { return count[k.name] != 1 }), err
}

func onePerFile(all []known, n int) []known {
	var out []known
	taken := map[string]bool{}
	for _, k := range all {
		if len(out) < n && !taken[k.path] {
			taken[k.path] = true
			out = append(out, k)
		}
	}
	return out
}

// inventNames joins halves of real names into names that occur nowhere.
func (s *session) inventNames(ctx context.Context, o *githistory.Objects, all []known, n int) ([]string, error) {
	var names, keys []string
	for i, a := range all {
		if len(names) == n*spare {
			break
		}
		if name := joinHalves(a.name, all[(i+1)%len(all)].name); name != "" && !slices.Contains(names, name) {
			names, keys = append(names, name), append(keys, string(squashText([]byte(name))))
		}
	}
	there := make([]bool, len(names))
	err := s.repo.Files(ctx, o, s.repo.Head(), maxScanned, func(path string, text []byte) error {
		flat := squashText(append([]byte(path+"\n"), text...))
		for i, key := range keys {
			there[i] = there[i] || bytes.Contains(flat, []byte(key))
		}
		return nil
	})
	var out []string
	for i, name := range names {
		if !there[i] && len(out) < n {
			out = append(out, name)
		}
	}
	return out, err
}

// joinHalves returns the first half of a joined to the second half of b, or "" if one of them has
// no halves or their styles of writing differ.
func joinHalves(a, b string) string {
	left, right := splitHumps(a), splitHumps(b)
	if len(left) < 2 || len(right) < 2 || strings.Contains(a, "_") != strings.Contains(b, "_") ||
		unicode.IsUpper(rune(a[0])) != unicode.IsUpper(rune(b[0])) {
		return ""
	}
	return strings.Join(left[:(len(left)+1)/2], "") + strings.Join(right[len(right)/2:], "")
}

// splitHumps splits a name into its words; an underscore stays before its word.
func splitHumps(name string) []string {
	var out []string
	start := 0
	r := []rune(name)
	for i := 1; i < len(r); i++ {
		up, next := unicode.IsUpper(r[i]), i+1 < len(r) && unicode.IsLower(r[i+1])
		if r[i] == '_' || r[i-1] != '_' && up && (next || !unicode.IsUpper(r[i-1])) {
			out = append(out, string(r[start:i]))
			start = i
		}
	}
	return append(out, string(r[start:]))
}

// squashText reduces a text, in place, to its letters and digits in lower case.
func squashText(text []byte) []byte {
	out := text[:0]
	for _, c := range text {
		switch {
		case 'A' <= c && c <= 'Z':
			out = append(out, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= 0x80:
			out = append(out, c)
		}
	}
	return out
}
