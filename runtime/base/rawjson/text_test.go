package rawjson

import (
	"encoding/json"
	"testing"
)

// FuzzText holds Text to encoding/json: the same strings are read, to the same text.
func FuzzText(f *testing.F) {
	for _, seed := range []string{`"a\nb"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx\ude00"`, `"\ude00\ud83d\ude00"`, `"\u00e9é"`, "\"\xff\"", "\"\x01\"", `"a\"`, `"\u12"`, `"\u+123"`, `"\x"`, `"a"b"`, `"ab`, ` "\/\b\f\r\t\\" `, `"`, `""`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Text(data)
		var want string
		bad := json.Unmarshal(data, &want)
		if isNull := string(trimSpace(data)) == "null"; isNull {
			return // no string to us
		}
		if (err == nil) != (bad == nil) || err == nil && got != want {
			t.Fatalf("%q: %q, %v; encoding/json has %q, %v", data, got, err, want, bad)
		}
	})
}

func BenchmarkText(b *testing.B) {
	line := "2026-11-02T10:00:00Z INFO worker-3 took job 17 of queue mail\n"
	text := ""
	for len(text) < 100_000 {
		text += line
	}
	data := Quote(text)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Text(data); err != nil {
			b.Fatal(err)
		}
	}
}
