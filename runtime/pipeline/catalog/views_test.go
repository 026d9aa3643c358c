package catalog_test

import (
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// TestATallyIsAViewOfWhatIsSaid holds that a change counts once, wherever it is made.
func TestATallyIsAViewOfWhatIsSaid(t *testing.T) {
	var tally catalog.Tally
	said := 0
	ctx := event.WithView(t.Context(), func(e event.Event) { said++; tally.View(e) }, event.Model)
	seen := tally.Through(func(by catalog.ModelUse) { event.Emit(ctx, event.Event{Kind: event.Model, Detail: by}) })
	for _, in := range []*catalog.Tally{seen, &tally, nil} {
		in.Add(func(u *catalog.ModelUse) { u.Calls++; u.TokensIn += 5 })
		in.Add(func(u *catalog.ModelUse) { u.Answered("m2", "clean") })
	}
	seen.Add(func(u *catalog.ModelUse) {
		u.Answered("m1", "clean")
		u.Failed++
		u.Tools++
		u.Refused++
		u.Dropped++
		u.TokensOut += 2
	})
	for _, use := range []catalog.ModelUse{seen.Use(), tally.Use()} {
		if said != 3 || use.Calls != 2 || use.TokensIn != 10 || use.TokensOut != 2 || use.Failed+use.Tools+use.Refused+use.Dropped != 4 ||
			!slices.Equal(use.Models, []string{"m1", "m2"}) || use.Rungs["clean"] != 3 {
			t.Errorf("%d said, %+v", said, use)
		}
	}
}

func TestAProbeIsAViewOfMarks(t *testing.T) {
	now := int64(0)
	p := catalog.NewProbe(func() catalog.Spent { return catalog.Spent{CPU: now, Wall: 2 * now} })
	ctx := event.WithView(t.Context(), p.View, event.Builtin)
	for _, part := range []string{"walk", "scan", "walk"} {
		now += 10
		event.Mark(ctx, part)
	}
	event.Emit(ctx, event.Event{Kind: event.Builtin, Name: "code.grep"}) // the end of one begins no part
	now += 10
	got := p.Parts()
	if got[catalog.PartRest].CPU != 10 || got["walk"].Wall != 40 || got["scan"].CPU != 10 || !slices.Equal(p.Names(), []string{"walk", "scan", "rest"}) {
		t.Errorf("%v %v", got, p.Names())
	}
}
