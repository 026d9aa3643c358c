package compact

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// shortHash is how much of the name of a commit is shown: git takes it for the whole.
const shortHash = 12

// commit is a commit of git log, without its patch.
type commit struct {
	hash, author, date, subject string
	changed                     string // "2 files, 79 insertions", where the log has statistics
	size                        int    // insertions and deletions
	about                       []aboutCommit
	line                        int // of the log
}

// aboutCommit is a line of the rest of a message, or names a file.
type aboutCommit struct {
	line    int
	text    string
	file    bool
	changes int
}

// readCommits reads git log without patches; nil where a text is none.
func readCommits(lines []string) []commit {
	if len(lines) == 0 || !isCommit(lines[0]) {
		return nil
	}
	var out []commit
	lost := false // the commit of a line was not read
	for k, line := range lines {
		line = strings.TrimRight(line, "\r")
		switch {
		case isCommit(line):
			hash, refs, _ := strings.Cut(line[len("commit "):], " ")
			out = append(out, commit{hash: strings.TrimSpace(abbreviate(hash) + " " + refs), line: k})
			lost = false
		case lost || line == omission:
			lost = true
		case !out[len(out)-1].take(k, line):
			return nil // a patch
		}
	}
	return out
}

// readOneline reads git log --oneline, drawn with --graph too: an abbreviated name of a commit and its subject a line; nil
// where a text is none.
func readOneline(text string) []commit {
	var out []commit
	for k, line := range strings.Split(text, "\n") {
		t := strings.TrimLeft(strings.TrimRight(line, "\r"), "*|/\\_ ")
		hash, subject, _ := strings.Cut(t, " ")
		switch {
		case t == "" && line != "", line == omission: // drawn by --graph, or not read
			continue
		case len(hash) < 7 || len(hash) > 40 || !isHex(hash) || strings.Trim(hash, "abcdef") == "":
			return nil
		}
		out = append(out, commit{hash: hash, subject: subject, line: k})
	}
	return out
}

// abbreviate returns the beginning of the name of a commit, to where it cannot be taken for a number.
func abbreviate(hash string) string {
	n := min(len(hash), shortHash)
	for n < len(hash) && !abbreviatesHash(hash[:n]) {
		n++
	}
	return hash[:n]
}

// take takes a line of a commit up, and reports whether commits have such lines.
func (c *commit) take(k int, line string) bool {
	name, value, _ := strings.Cut(line, ":")
	switch t := strings.TrimSpace(line); {
	case t == "":
	case name == "Date", name == "AuthorDate":
		c.date = shortDate(strings.TrimSpace(value))
	case name == "Author":
		c.author, _, _ = strings.Cut(strings.TrimSpace(value), " <")
	case name == "Merge", name == "Commit", name == "CommitDate", hasPrefix(line, "Notes"):
	case len(line) > 2 && isUpper(line[0]) && strings.Trim(line[1:strings.IndexByte(line+"\t", '\t')], "0123456789") == "" && strings.Contains(line, "\t"): // of --name-status
		c.about = append(c.about, aboutCommit{line: k, text: strings.ReplaceAll(t, "\t", " "), file: true})
	case strings.HasPrefix(line, "    ") && c.subject == "":
		c.subject = t
	case strings.HasPrefix(line, " "+t) && isDigit(t[0]) && (strings.Contains(t, " file changed") || strings.Contains(t, " files changed")):
		c.changed = statistics.Replace(t)
		for _, n := range strings.Fields(c.changed)[1:] {
			c.size += lineNumber(n) // of words 0
		}
	case strings.HasPrefix(line, " "):
		about := aboutCommit{line: k, text: t}
		if file, bars, ok := strings.Cut(t, " | "); ok && !strings.HasPrefix(line, "    ") {
			bars = strings.TrimSpace(bars)
			n := bars[:len(bars)-len(strings.TrimLeft(bars, "0123456789"))]
			about.text, about.file, about.changes = strings.TrimRight(file, " ")+" | "+cmp.Or(n, bars), true, lineNumber(n)
		}
		c.about = append(c.about, about)
	default:
		return false
	}
	return true
}

// shortDate returns a date of git log without the day of the week, the time and the zone: "Nov 28 2026", "2026-11-28".
func shortDate(date string) string {
	f := strings.Fields(date)
	switch {
	case len(f) == 6 && len(f[0]) == 3 && len(f[3]) == 8:
		return f[1] + " " + f[2] + " " + f[4]
	case len(f) == 3 && len(f[0]) == 10 && len(f[1]) == 8, len(f) == 1 && len(date) > 10 && date[4] == '-' && date[10] == 'T':
		return date[:10]
	}
	return date
}

// statistics writes what git log says of a commit in fewer words.
var statistics = strings.NewReplacer(" changed", "", "(+)", "", "(-)", "")

// shortenCommits writes a line for each commit, the newest first, with what is said of it below where there is room.
func (s *shortener) shortenCommits(t textLines, commits []commit, bytes int) Summary {
	out := textLines{text: t.text, total: t.total}
	add := func(k int, line string) {
		out.lines, out.first = append(out.lines, line), append(out.first, int32(t.at(k)))
	}
	of := part{name: "commits"}
	largest := slices.MaxFunc(commits, func(a, b commit) int { return cmp.Compare(a.size, b.size) }).size
	sameAuthor := !slices.ContainsFunc(commits, func(c commit) bool { return c.author != commits[0].author })
	l := (&layout{least: math.MaxInt, indents: true}).strictly("")
	title := fmt.Sprintf("[%s commits]", s.count(len(commits)))
	if last := commits[len(commits)-1].date; last != commits[0].date {
		title += "; " + last + " to " + commits[0].date
	}
	if sameAuthor && commits[0].author != "" {
		title += "; " + s.allOf("commits") + ": author=" + commits[0].author
	}
	bytes -= len(title) + 1
	var worth []float64
	room := bytes - partNote // that the lines of commits leave
	for i, c := range commits {
		of.heads = append(of.heads, len(out.lines))
		head := int32(len(out.lines))
		line := c.text(!sameAuthor)
		own := decides + subjectWorth*(1.5-float64(i)/float64(len(commits)))
		isLargest := c.size > 0 && c.size == largest
		if room -= len(line) + 1; room < 0 && !isLargest && !c.named(&s.subject, line) {
			own = leave // the newest without a gap
		}
		add(c.line, line)
		l.over, worth = append(l.over, -1), append(worth, own)
		for _, a := range c.about {
			add(a.line, "  "+a.text)
			l.over, worth = append(l.over, head), append(worth, 0)
		}
	}
	for i, head := range of.heads {
		for k, a := range commits[i].about {
			if worth[head+1+k] = a.worth(&s.subject, room*3 > bytes); worth[head] == leave {
				worth[head+1+k] = leave
			}
		}
	}
	out.last = out.first
	l.worth, l.parts = func(k int, _ string) float64 { return worth[k] }, []part{of}
	kept := s.keep(out, l, bytes)
	kept.Text = title + "\n" + kept.Text
	return kept
}

// named reports whether the subject names something in a commit.
func (c *commit) named(s *subject, line string) bool {
	return len(s.in(line)) > 0 || slices.ContainsFunc(c.about, func(a aboutCommit) bool { return len(s.in(a.text)) > 0 })
}

// worth returns what a line below a commit is worth: a file by how many lines of it were changed, a line of the message
// where there is room for messages, or where the subject names something in it.
func (a *aboutCommit) worth(s *subject, roomy bool) float64 {
	switch {
	case a.file:
		return math.Log2(1+float64(a.changes)) / 4
	case roomy, len(s.in(a.text)) > 0:
		return worthOfLine(a.text)
	}
	return leave
}

// text writes a commit on a line.
func (c *commit) text(author bool) string {
	line := strings.TrimSpace(c.hash + " " + c.date + " " + c.subject)
	if c.changed != "" {
		line += " [" + c.changed + "]"
	}
	if author && c.author != "" {
		line += " (" + c.author + ")"
	}
	return line
}
