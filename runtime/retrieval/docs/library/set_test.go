package library_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	docindex "github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// TestADamagedIndexNamesTheWayOut holds that who searches is told the command that makes
// a damaged index again: compactor index alone finds nothing changed.
func TestADamagedIndexNamesTheWayOut(t *testing.T) {
	for _, damage := range []error{docindex.ErrDamaged, docindex.ErrVersion} {
		set := library.Set{{Name: "manual", Open: func(context.Context) (*library.Library, error) { return nil, fmt.Errorf("index: %w", damage) }}}
		_, _, searched := set.Search(t.Context(), "", library.Query{Text: "crank"})
		_, looked := set.LookUp(t.Context(), "manual/a.md")
		for _, err := range []error{searched, looked} {
			if !errors.Is(err, damage) || !strings.Contains(err.Error(), "compactor index --collection manual") {
				t.Errorf("%v", err)
			}
		}
	}
}

// A directory that cannot be read matters where the collection takes files below it.
func TestDirectoriesThatAFilterEnters(t *testing.T) {
	for _, c := range []struct {
		include, exclude []string
		dir              string
		want             bool
	}{
		{nil, nil, "data", true}, {[]string{"*.md"}, nil, "data/pg", true}, {[]string{"docs/**"}, nil, "data", false}, {[]string{"docs/**"}, nil, "docs/a/b", true},
		{[]string{"docs/*/a/*.md"}, nil, "docs/x", true}, {[]string{"docs/*/a/*.md"}, nil, "docs/x/b", false}, {[]string{"docs/*.md"}, nil, "docs/x", false}, {[]string{"docs/*.md"}, nil, "docs", true},
		{nil, []string{"data/"}, "data", false}, {nil, []string{"data/**"}, "data/pg", false}, {nil, []string{"*.txt"}, "data", true}, {nil, []string{"data"}, "data", true},
	} {
		f, err := library.NewFilter(c.include, c.exclude)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Enters(c.dir); got != c.want {
			t.Errorf("%q without %q enters %s: %v", c.include, c.exclude, c.dir, got)
		}
	}
}
