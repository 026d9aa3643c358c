package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// kept is what is kept of a collection: segments, and the groups that there are.
type kept struct {
	set      Settings
	segments []Packed
	groups   []Group
	texts    map[Name][]Passage
}

func nameOf(s string) (n Name) {
	sum := sha256.Sum256([]byte(s))
	copy(n[:], sum[:])
	return n
}

// pack makes a segment of groups.
func (k *kept) pack(t testing.TB, groups ...Group) Packed {
	t.Helper()
	b, err := NewBuilder(k.set)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		b.Begin(g.Name)
		for _, p := range k.texts[g.Name] {
			if err := b.Add(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Segment()
}

func read(t testing.TB, list ...Packed) (out []*Segment) {
	t.Helper()
	for _, p := range list {
		s, err := ReadSegment(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func sources(list []*Segment) (out []Source) {
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// clean is an index of the groups that are there, built at once.
func (k *kept) clean(t testing.TB) *Index {
	t.Helper()
	var list []Passage
	for _, g := range k.groups {
		list = append(list, k.texts[g.Name]...)
	}
	return build(t, k.set, list...)
}

// assembled is the index of what is kept.
func (k *kept) assembled(t testing.TB, space *Space) *Index {
	t.Helper()
	from := read(t, k.segments...)
	if space != nil {
		for _, s := range from {
			v, err := space.Fold(k.set, s)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.SetVectors(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	ix, err := Assemble(k.set, k.groups, space, sources(from)...)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// words are what passages are made of in these tests.
var someWords = strings.Fields("cache page memory evict client request retry timeout backoff certificate rotate login password token 天気図 getUserName naïve the of and")

// Whatever is added, changed, removed and merged in whatever order, the index finds
// the same with the same scores as one that was built at once.
func TestAnIndexThatGrewIsTheOneOfACleanBuild(t *testing.T) {
	const seed = 17
	r := rand.New(rand.NewPCG(seed, seed))
	for round := range 12 {
		k := &kept{set: Default(), texts: map[Name][]Passage{}}
		k.set.LSI.Dimensions = 8
		var previous *Index
		for step := range 25 {
			var fresh []Group
			for range r.IntN(4) {
				g := k.write(r, fmt.Sprintf("%d-%d-%d", round, step, len(fresh)))
				at := r.IntN(len(k.groups) + 1)
				if len(k.groups) > 0 && r.IntN(2) == 0 { // in the place of another
					at = r.IntN(len(k.groups))
					k.groups[at] = g
				} else {
					k.groups = slices.Insert(k.groups, at, g)
				}
				fresh = append(fresh, g)
			}
			if len(k.groups) > 0 && r.IntN(3) == 0 {
				at := r.IntN(len(k.groups))
				k.groups = slices.Delete(k.groups, at, at+1)
			}
			fresh = slices.DeleteFunc(slices.Clone(k.groups), func(g Group) bool { return !slices.Contains(fresh, g) })
			if len(fresh) > 0 {
				k.segments = append(k.segments, k.pack(t, fresh...))
			}
			if len(k.segments) > 2 && r.IntN(3) == 0 {
				k.merge(t, r)
			}
			space, err := Learn(t.Context(), k.set, k.groups, read(t, k.segments...)...)
			if err != nil {
				t.Fatal(err)
			}
			got, want := k.assembled(t, space), k.clean(t)
			same(t, fmt.Sprintf("round %d, step %d", round, step), got, want)
			if previous != nil { // also of an index in memory and what is new
				again, err := Assemble(k.set, k.groups, nil, append([]Source{previous}, sources(read(t, k.segments...))...)...)
				if err != nil || again.Digest() != want.Digest() {
					t.Fatalf("round %d, step %d: from the index before it is another: %v", round, step, err)
				}
			}
			previous = got
			if t.Failed() {
				return
			}
		}
	}
}

// write makes a group of some passages.
func (k *kept) write(r *rand.Rand, name string) Group {
	g := Group{nameOf(name), r.IntN(4)}
	for i := range g.Passages {
		var text []string
		for range r.IntN(30) {
			text = append(text, someWords[r.IntN(len(someWords))])
		}
		k.texts[g.Name] = append(k.texts[g.Name], Passage{ID: fmt.Sprintf("%s-%d", name, i), Title: someWords[r.IntN(len(someWords))], Body: strings.Join(text, " ")})
	}
	return g
}

// merge puts some of the segments together, without what is gone.
func (k *kept) merge(t testing.TB, r *rand.Rand) {
	t.Helper()
	at := r.IntN(len(k.segments) - 1)
	end := at + 2 + r.IntN(len(k.segments)-at-1)
	from := read(t, k.segments[at:end]...)
	there := map[Name]bool{}
	for _, s := range from {
		for _, g := range s.Groups() {
			there[g.Name] = true
		}
	}
	want := slices.DeleteFunc(slices.Clone(k.groups), func(g Group) bool { return !there[g.Name] })
	merged, err := Merge(want, from...)
	if err != nil {
		t.Fatal(err)
	}
	k.segments = slices.Replace(k.segments, at, end, merged)
}

// same holds two indexes against each other: all of it, and what they find.
func same(t *testing.T, what string, got, want *Index) {
	t.Helper()
	if got.Digest() != want.Digest() {
		t.Errorf("%s: the index is another", what)
	}
	for _, q := range []string{"cache page", "retry the request after a timeout", "certificat rotaton", "天気図 getUserName", "the"} {
		a, b := search(t, got, Query{Text: q, Explain: true}), search(t, want, Query{Text: q, Explain: true})
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: %q finds\n%v and in a clean build\n%v", what, q, a, b)
		}
	}
}

// Between two times of learning only the leg that was learnt differs.
func TestASpaceOfBeforeLeavesTheOtherLegsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	k := &kept{set: Default(), texts: map[Name][]Passage{}}
	for i := range 20 {
		k.groups = append(k.groups, k.write(r, fmt.Sprint("old", i)))
	}
	k.segments = []Packed{k.pack(t, k.groups...)}
	space, err := Learn(t.Context(), k.set, k.groups, read(t, k.segments...)...)
	if err != nil {
		t.Fatal(err)
	}
	if space, err = ReadSpace(space.Packed()); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		g := k.write(r, fmt.Sprint("new", i))
		k.groups = append(k.groups[1:], g)
		k.segments = append(k.segments, k.pack(t, g))
	}
	got, want := k.assembled(t, space), k.clean(t)
	for _, q := range []string{"cache page", "retry the request", "password token"} {
		for _, leg := range []string{LegBM25, LegNGram} {
			a, b := search(t, got, Query{Text: q, Weights: Weights{leg: 1}}), search(t, want, Query{Text: q, Weights: Weights{leg: 1}})
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("%s of %q: %v, and of a clean build %v", leg, q, a, b)
			}
		}
		if a := search(t, got, Query{Text: q, Weights: Weights{LegLSI: 1}, Limit: 30}); len(a.Hits) == 0 {
			t.Errorf("%q: the old space finds nothing", q)
		}
	}
}

func TestWhatCannotBeAssembled(t *testing.T) {
	k := &kept{set: Default(), texts: map[Name][]Passage{}}
	for i, p := range shelf {
		g := Group{nameOf(p.ID), 1}
		k.texts[g.Name], k.groups = shelf[i:i+1], append(k.groups, g)
	}
	k.segments = []Packed{k.pack(t, k.groups...)}
	from := sources(read(t, k.segments...))
	for what, want := range map[string][]Group{
		"a group that is nowhere": {{nameOf("nowhere"), 1}},
		"a group of another size": {{k.groups[0].Name, 2}},
		"a group twice":           {k.groups[0], k.groups[0]},
		"another order":           {k.groups[1], k.groups[0]},
	} {
		if _, err := Assemble(k.set, want, nil, from...); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	part := k.segments[0]
	part.Grams = nil
	if _, err := Assemble(k.set, k.groups, nil, sources(read(t, part))...); err == nil {
		t.Error("an index without its sequences is assembled")
	}
	space, err := Learn(t.Context(), k.set, k.groups, read(t, part)...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Assemble(k.set, k.groups, space, from...); !errors.Is(err, ErrDamaged) {
		t.Errorf("without vectors: %v", err)
	}
}

// parts are all that is kept of a small index.
func parts(t testing.TB) (k *kept, all [][]byte) {
	k = &kept{set: Default(), texts: map[Name][]Passage{}}
	k.set.LSI.Dimensions = 2
	for i, p := range shelf[:4] {
		g := Group{nameOf(p.ID), 1}
		k.texts[g.Name], k.groups = shelf[i:i+1], append(k.groups, g)
	}
	p := k.pack(t, k.groups...)
	k.segments = []Packed{p}
	space, err := Learn(t.Context(), k.set, k.groups, read(t, p)...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := space.Fold(k.set, read(t, p)[0])
	if err != nil {
		t.Fatal(err)
	}
	return k, [][]byte{p.Groups, p.Words, p.Grams, space.Packed(), v}
}

// open reads all parts and searches.
func open(ctx context.Context, set Settings, all [][]byte) error {
	s, err := ReadSegment(Packed{all[0], all[1], all[2]})
	if err != nil {
		return err
	}
	space, err := ReadSpace(all[3])
	if err != nil {
		return err
	}
	if err := s.SetVectors(all[4]); err != nil {
		return err
	}
	ix, err := Assemble(set, s.Groups(), space, s)
	if err != nil {
		return err
	}
	if _, err = ix.Search(ctx, Query{Text: "cache request memory", Explain: true}); err != nil {
		return err
	}
	if _, err := Learn(ctx, set, s.Groups(), s); err != nil {
		return err
	}
	merged, err := Merge(s.Groups(), s)
	if err != nil {
		return err
	}
	again, err := ReadSegment(merged)
	if err != nil {
		return fmt.Errorf("what was merged: %v", err)
	}
	back, err := Assemble(set, again.Groups(), nil, again)
	if err != nil || back.Digest() != ix.Digest() {
		return fmt.Errorf("what was merged is another: %v", err)
	}
	return nil
}

func TestDamagedParts(t *testing.T) {
	k, all := parts(t)
	if err := open(t.Context(), k.set, all); err != nil {
		t.Fatal(err)
	}
	for part := range all {
		for n := range all[part] {
			damaged := slices.Clone(all)
			damaged[part] = all[part][:n]
			if err := open(t.Context(), k.set, damaged); !errors.Is(err, ErrDamaged) || Check(damaged[part]) == nil {
				t.Fatalf("the first %d bytes of part %d are read: %v", n, part, err)
			}
			damaged[part] = bytes.Clone(all[part])
			damaged[part][n] ^= 0x55
			if err := open(t.Context(), k.set, damaged); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) || Check(damaged[part]) == nil {
				t.Fatalf("part %d with another byte %d is read: %v", part, n, err)
			}
		}
		if err := Check(all[part]); err != nil {
			t.Errorf("part %d: %v", part, err)
		}
		other := slices.Clone(all)
		other[part] = bytes.Clone(all[part])
		other[part][len(magicWords)-1]++
		if err := open(t.Context(), k.set, other); !errors.Is(err, ErrVersion) {
			t.Errorf("another version of part %d is read: %v", part, err)
		}
	}
}

// FuzzParts: whatever bytes with right checksums are an error, or an index that can be
// searched, learnt from and merged.
func FuzzParts(f *testing.F) {
	_, all := parts(f)
	body := func(part int) []byte { return all[part][len(magicWords) : len(all[part])-4] }
	f.Add(body(0), body(1), body(2), body(3), body(4))
	f.Fuzz(func(t *testing.T, groups, words, grams, space, vectors []byte) {
		if len(groups)+len(words)+len(grams)+len(space)+len(vectors) > 1<<16 {
			return
		}
		set := Default()
		set.LSI.Dimensions = 2
		var parts [][]byte
		for i, body := range [][]byte{groups, words, grams, space, vectors} {
			data := append([]byte([]string{magicGroups, magicWords, magicGrams, magicSpace, magicVectors}[i]), body...)
			parts = append(parts, binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli)))
		}
		if err := open(t.Context(), set, parts); err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFull) {
			t.Fatal(err)
		}
	})
}
