package dashboard

import (
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Longest texts on a page, in characters.
const (
	shortText = 120
	longText  = 2000
)

// safeLine returns a foreign text in a form that may be shown on one line: masked as a whole,
// then with invisible characters written out, then cut.
func (d *dash) safeLine(text string, most int) string {
	if text == "" {
		return ""
	}
	text = d.opt.Source.Mask(text)
	if bytes := 4 * (most + 1); len(text) > bytes { // the rest is not shown, and would take time
		text = text[:bytes]
		for i := 0; i < utf8.UTFMax && !utf8.ValidString(text[max(len(text)-utf8.UTFMax, 0):]); i++ {
			text = text[:len(text)-1]
		}
	}
	return sanitize.Cut(sanitize.Line(strings.Join(strings.Fields(text), " ")), most)
}

// block returns a foreign text of several lines, cut to most bytes. It must be masked already.
func block(text string, most int) (shown string, left int) {
	if len(text) > most {
		end := most
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text, left = text[:end], len(text)-end
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = visibleLine(l)
	}
	return strings.Join(lines, "\n"), left
}

// visibleLine returns a line with invisible characters written out, except for tabs.
func visibleLine(l string) string {
	parts := strings.Split(strings.TrimSuffix(l, "\r"), "\t")
	for i, p := range parts {
		parts[i] = sanitize.Line(p)
	}
	return strings.Join(parts, "\t")
}

// functions has the functions of the templates.
var functions = template.FuncMap{
	"count": formatCount, "took": formatDuration, "stamp": formatTime, "plural": plural, "path": url.PathEscape, "utc": formatUTC, "percent": percent,
}

// formatCount formats a number with thousands separators.
func formatCount(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// plural formats a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return formatCount(n) + " " + noun + "s"
}

// formatDuration formats a duration in a suitable unit.
func formatDuration(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 ms"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// formatTime formats a time for programs; utc formats it for people, until the script converts
// it to their own time zone.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

func formatUTC(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// percent returns by how much b is less than a.
func percent(a, b int) string {
	if a <= 0 {
		return "0 %"
	}
	return fmt.Sprintf("%d %%", (a-b)*100/a)
}
