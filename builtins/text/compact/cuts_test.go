package compact

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// leftOut reads the note at the end of a summary.
var leftOut = regexp.MustCompile(`([\d,]+) of the ([\d,]+) [a-z]+ left out(?:; [\d,]+ lines in all)?\]$`)

// filesOf says of which file of a diff a line is.
var filesOf = sectionsBy(`^(?:\+\+\+ b/|--- a/|diff --git a/)(\S+)`, `^commit `)

// FuzzCuts cuts what real programs printed at two places, and gives any room.
func FuzzCuts(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no outputs: ", err)
	}
	var texts []string
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, string(text))
		for _, bytes := range []uint16{300, 1200, 4000} {
			f.Add(uint8(i), uint16(0), uint16(65535), bytes)
			f.Add(uint8(i), uint16(9000), uint16(40000), bytes)
		}
	}
	f.Fuzz(func(t *testing.T, file uint8, from, to, bytes uint16) {
		i := int(file) % len(texts)
		text := texts[i]
		text = text[len(text)*int(min(from, to))/65536 : len(text)*int(max(from, to))/65536]
		s := Shorten(text, Options{Bytes: int(bytes)})
		if s.Whole {
			return
		}
		if len(s.Text) > int(bytes) {
			t.Errorf("%d bytes, of %d", len(s.Text), bytes)
		}
		switch s.Kind {
		case HTML, Hits, JSON, YAML: // whose parts are put together, and quotation marks of two hits seem to be a pair
		default:
			if bad := Faithful(text, s.Text); len(bad) > 0 && bytes >= minNoted {
				t.Errorf("not in the source: %q", bad)
			}
		}
		if s.Kind == Diff && bytes >= minNoted {
			if wrong, _ := wrongParents(text, s.Text, filesOf); len(wrong) > 0 {
				t.Errorf("%d bytes of %s from %d to %d: %q\n%s", bytes, files[i], from, to, wrong, s.Text)
			}
		}
		if m := leftOut.FindStringSubmatch(s.Text); m != nil && len(splitOutputs(text, Detect(text))) < 2 {
			left, all := countOf(m[1]), countOf(m[2])
			if left+s.Kept != all || all != s.Units || left <= 0 {
				t.Errorf("%s, with %d of %d kept", m[0], s.Kept, s.Units)
			}
		}
		for _, more := range []int{int(bytes) * 3 / 2, int(bytes) * 3} {
			larger := Shorten(text, Options{Bytes: more})
			if larger.Whole || larger.Kind != s.Kind || larger.Units == 0 {
				continue
			}
			for line := range strings.SplitSeq(s.Text, "\n") {
				if int(bytes) >= minVerdict && decidesAlone(text, line) && !strings.Contains(larger.Text, line) {
					t.Errorf("%d bytes of %s from %d to %d: %q is not in %d\n%s", bytes, files[i], from, to, line, more, larger.Text)
				}
			}
		}
	})
}

// minVerdict is the size of a summary, of a line or two, from which a verdict that it shows stays in larger ones.
const minVerdict = 150

// decidesAlone reports whether a line of a summary is a whole line of its source that tells a verdict.
func decidesAlone(text, line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && isVerdict(t) && strings.Contains(text, "\n"+line+"\n")
}

func countOf(text string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	return n
}
