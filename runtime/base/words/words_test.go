package words

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"create_issue":              "create issue",
		"getUserName":               "getusername get user name",
		"HTTPServer":                "httpserver http server",
		"list the URLs and APIs":    "list the urls and apis",
		"mp3 to WAV2":               "mp3 mp to wav2 wav",
		"S3Bucket":                  "s3bucket bucket",
		"don't re-read Straße’s":    "don re read straße",
		"Übergrößen naïve":          "ubergroßen naive",
		"Погода в Москве":           "погода в москве",
		"天気図":                       "天 気 天気 図 気図",
		strings.Repeat("ab", 30):    "",
		strings.Repeat("x", 81):     "",
		" .,;:!\xff\xfe":            "",
		"v1.2.3":                    "v1 2 3",
		"snake_Case2MixedX":         "snake case2mixedx case mixed",
		"five 5µm pieces":           "five 5µm µm pieces",
		"x-forwarded-for, _private": "x forwarded for private",
	} {
		var got []string
		Split(text, nil, func(w Word) {
			if w.Text != "" {
				got = append(got, w.Text)
			}
		})
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q splits into %q, want %q", text, g, want)
		}
	}
}

func TestSplitTellsNamesAndCompounds(t *testing.T) {
	var names, joins, parts []string
	Split("ask GitHub for issue 42 of the repo", nil, func(w Word) {
		switch {
		case w.Join:
			joins = append(joins, w.Text)
		case w.Part:
			parts = append(parts, w.Text)
		}
		if w.Name {
			names = append(names, w.Text)
		}
	})
	if !slices.Equal(names, []string{"github", "42"}) || !slices.Equal(joins, []string{"github"}) || !slices.Equal(parts, []string{"git", "hub"}) {
		t.Errorf("names %q, compounds %q, pieces %q", names, joins, parts)
	}
}

func TestSplitFindsKnownWords(t *testing.T) {
	var got []string
	known := func(rest string) string {
		if strings.HasPrefix(rest, "ファイル") {
			return "ファイル"
		}
		return ""
	}
	Split("このファイルを", known, func(w Word) { got = append(got, w.Text) })
	if !slices.Contains(got, "ファイル") {
		t.Errorf("the words are %q", got)
	}
}

func TestNext(t *testing.T) {
	for name, want := range map[string]string{
		"parseURLs": "parse|URLs", "URLsX": "URLs|X", "HTTP2Server": "HTTP2|Server", "aB": "a|B", "x": "x", "größeMin": "größe|Min", "日本語text": "日本語|text",
	} {
		var got []string
		for i := 0; i < len(name); {
			j := Next(name, i)
			got = append(got, name[i:j])
			i = j
		}
		if g := strings.Join(got, "|"); g != want {
			t.Errorf("%q has the subwords %q, want %q", name, g, want)
		}
	}
}

func TestRoot(t *testing.T) {
	for _, forms := range []string{"handle handles handled handling", "choose chose chosen choosing", "formatter formatted formatting format",
		"query queries", "connection connected connecting connect", "child children"} {
		list := strings.Fields(forms)
		for _, w := range list[1:] {
			if Root(w) != Root(list[0]) {
				t.Errorf("the root of %s is %s, that of %s %s", w, Root(w), list[0], Root(list[0]))
			}
		}
	}
	for _, w := range []string{"", "at", "größe", "сервер", "x86"} {
		if Root(w) != w {
			t.Errorf("the root of %q is %q", w, Root(w))
		}
	}
}

func TestLists(t *testing.T) {
	got := slices.Collect(Lines("# what this is\n\n a b \n#c\nd"))
	if !slices.Equal(got, []string{"a b", "d"}) {
		t.Errorf("the lines are %q", got)
	}
	for name, list := range map[string]string{"stop": stop, "irregular": irregular} {
		if !strings.HasPrefix(list, "# ") || !strings.Contains(list, "\n# Source: ") || !strings.Contains(list, "Licence: ") {
			t.Errorf("the list %s does not say where it comes from", name)
		}
	}
	if stops := Set(CommonStops()); !stops["the"] || stops["#"] || stops["Source:"] {
		t.Error("the header is read as words")
	}
}

// FuzzSplit: the words of any text stand in it, cost no more than it and are
// valid; a stem never grows.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"getUserName mp3", "天気図とURLs", "don't é\xff5µmÀÉx", "ǅ ŒuvreX ﬁ", "٣abcÜ1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		Split(text, nil, func(w Word) {
			n++
			if utf8.ValidString(text) && !utf8.ValidString(w.Text) {
				t.Errorf("%q of %q is cut inside of a character", w.Text, text)
			}
			if len(w.Text) > 2*maxWord || len(Root(w.Text)) > len(w.Text)+1 {
				t.Errorf("%q has the root %q", w.Text, Root(w.Text))
			}
		})
		if n > 3*len(text)+1 {
			t.Errorf("%d words of %d bytes", n, len(text))
		}
	})
}
