package symbols

import (
	"maps"
	"slices"
	"testing"
)

// TestLanguagesAreTested wants a sample in the golden files and a costly
// pattern of every language.
func TestLanguagesAreTested(t *testing.T) {
	sampled, tried := map[Lang]bool{}, map[Lang]bool{}
	for _, f := range samples(t) {
		if len(Scan(f.Name, f.Data)) > 0 {
			sampled[Language(f.Name)] = true
		}
	}
	for _, h := range hostile {
		tried[Language(h.file)] = true
	}
	langs := slices.Compact(slices.Sorted(maps.Values(byExtension)))
	if len(langs) == 0 {
		t.Fatal("no languages")
	}
	for _, l := range langs {
		if !sampled[l] {
			t.Errorf("%s: no sample in testdata/golden defines anything", l)
		}
		if !tried[l] {
			t.Errorf("%s: no pattern in hostile", l)
		}
	}
}
