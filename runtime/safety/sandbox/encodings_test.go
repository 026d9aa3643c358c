package sandbox

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// All ways to read a file give the same text, in UTF-8.
func TestTextOfOtherEncodings(t *testing.T) {
	const text = "// Prüft das Konto für Kunden\nint main;\n"
	files := map[string]string{"utf8.c": text}
	files["utf16.c"], _ = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	files["latin.c"], _ = charmap.Windows1252.NewEncoder().String(text)
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
