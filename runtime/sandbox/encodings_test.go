package sandbox

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

// Readers get UTF-8 with composed letters, by whichever way they read, and under the version of the file as it lies.
func TestTextOfOtherEncodings(t *testing.T) {
	const text = "// Prüft 손님 ガ\nint main;\n"
	files := map[string]string{"nfd.c": norm.NFD.String(text), "nfc.c": text, "wide.c": wide(text)}
	r := modes[0].open(t, plant(t, files), Options{})
	for name := range files {
		served(t, r, name, text)
		data, _, err := r.ReadVersion(t.Context(), name, nil)
		if err != nil || string(data) != text {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
	got, stats := scanned(t, r, mustFiles(t, r))
	for name, data := range got {
		if data != text {
			t.Errorf("%s: %q", name, data)
		}
	}
	if stats.Files != len(files) {
		t.Errorf("%+v", stats)
	}
}

func wide(text string) string {
	out := "\xff\xfe"
	for _, r := range text {
		out += string([]byte{byte(r), byte(r >> 8)})
	}
	return out
}
