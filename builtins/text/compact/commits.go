package compact

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// shortHash is the length of a shown commit hash: git accepts it in place of the full one.
const shortHash = 12

// commit is a commit of git log, without its patch.
type commit struct {
	hash, author, date, subject string
	changed                     string // "2 files, 79 insertions", if the log has statistics
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

// readCommits reads git log without patches; nil if the text is something else.
func readCommits(lines []string) []commit {
	lines = withoutGraph(lines)
	if len(lines) == 0 || !isCommit(lines[0]) {
		return nil
	}
	var out []commit
	lost := false // the commit of the current line was not read
	for k, line := range lines {
		line = strings.TrimRight(line, "\r")
		switch {
		case isCommit(line):
			hash, refs, _ := strings.Cut(line[len("commit "):], " ")
			out = append(out, commit{hash: strings.TrimSpace(abbreviate(hash) + " " + refs), line: k})
			lost = false
		case lost || line == omission:
			lost = true
		case !out[len(out)-1].takeLine(k, line):
			return nil // a patch
		}
	}
	return out
}

// withoutGraph removes what git log --graph draws before the lines of commits.
func withoutGraph(lines []string) []string {
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "* commit ") {
		return lines
	}
	out := make([]string, len(lines))
	for k, l := range lines {
		drawn := 0
		for drawn < len(l) && strings.IndexByte("*|/\\_", l[drawn]) >= 0 {
			drawn = min(len(l), drawn+2)
		}
		if out[k] = l[drawn:]; drawn == 0 {
			out[k] = strings.TrimPrefix(l, "  ") // below the first commit
		}
	}
	return out
}

// readOneline reads git log --oneline, with or without --graph: an abbreviated hash and its subject per line; nil if
// the text is something else.
func readOneline(text string) []commit {
	var out []commit
	for k, line := range strings.Split(text, "\n") {
		t := strings.TrimLeft(strings.TrimRight(line, "\r"), "*|/\\_ ")
		hash, subject, _ := strings.Cut(t, " ")
		who, _, blamed := strings.Cut(subject, ") ")
		switch {
		case len(out) > 0 && out[len(out)-1].takeStat(t): // of --shortstat
			continue
		case blamed && strings.TrimLeft(who, " ") != "" && isDigit(who[len(who)-1]) && (strings.Contains(who, "(") || strings.Trim(who, " 0123456789") == ""): // a line of git blame
			return nil
		case len(out) > 0 && out[len(out)-1].takeFile(k, line):
			continue
		case t == "" && (line != "" || len(out) > 0), line == omission: // drawn by --graph, before statistics, or not read
			continue
		case len(hash) < 7 || len(hash) > 40 || !isHex(hash) || strings.Trim(hash, "abcdef") == "":
			return nil
		}
		out = append(out, commit{hash: hash, subject: subject, line: k})
	}
	return out
}

// abbreviate returns the beginning of a hash: shortHash digits, or more if they look like a number.
func abbreviate(hash string) string {
	n := min(len(hash), shortHash)
	for n < len(hash) && !abbreviatesHash(hash[:n]) {
		n++
	}
	return hash[:n]
}

// takeLine reads a line of a commit, and reports whether commits have such lines.
func (c *commit) takeLine(k int, line string) bool {
	name, value, _ := strings.Cut(line, ":")
	switch t := strings.TrimSpace(line); {
	case t == "":
	case name == "Date", name == "AuthorDate":
		c.date = shortDate(strings.TrimSpace(value))
	case name == "Author":
		c.author, _, _ = strings.Cut(strings.TrimSpace(value), " <")
	case name == "Merge", name == "Commit", name == "CommitDate", hasPrefix(line, "Notes"):
	case c.takeFile(k, line):
	case strings.HasPrefix(line, "    ") && c.subject == "":
		c.subject = t
	case strings.HasPrefix(line, " "+t) && c.takeStat(t):
	case strings.HasPrefix(line, " "):
		c.about = append(c.about, aboutCommit{line: k, text: t})
	default:
		return false
	}
	return true
}

// takeStat reads the line that sums up what a commit changed.
func (c *commit) takeStat(t string) bool {
	if t == "" || !isDigit(t[0]) || !strings.Contains(t, " file changed") && !strings.Contains(t, " files changed") {
		return false
	}
	c.changed = statistics.Replace(t)
	for _, n := range strings.Fields(c.changed)[1:] {
		c.size += lineNumber(n) // 0 for words
	}
	return true
}

// takeFile reads a line that names a file: of --stat, --numstat and --name-status.
func (c *commit) takeFile(k int, line string) bool {
	about := aboutCommit{line: k, file: true}
	f := strings.SplitN(line, "\t", 3)
	file, bars, ok := strings.Cut(strings.TrimSpace(line), " | ")
	switch {
	case line == "":
		return false
	case ok && line[0] == ' ' && !strings.HasPrefix(line, "    "):
		bars = strings.TrimSpace(bars)
		n := bars[:len(bars)-len(strings.TrimLeft(bars, "0123456789"))]
		about.text, about.changes = strings.TrimRight(file, " ")+" | "+cmp.Or(n, bars), lineNumber(n)
	case len(f) == 3 && f[0] == "-" && f[1] == "-":
		about.text = f[2] + " | binary"
	case len(f) == 3 && f[0]+f[1] != "" && strings.Trim(f[0]+f[1], "0123456789") == "":
		about.changes = lineNumber(f[0]) + lineNumber(f[1])
		c.size += about.changes
		about.text = f[2] + " | +" + f[0] + " -" + f[1]
	case len(f) > 1 && isUpper(line[0]) && strings.Trim(f[0][1:], "0123456789") == "":
		about.text = strings.Join(f, " ")
	default:
		return false
	}
	c.about = append(c.about, about)
	return true
}

// shortDate returns a date of git log without weekday, time and zone: "Nov 28 2026", "2026-11-28".
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

// statistics shortens the statistics line of git log.
var statistics = strings.NewReplacer(" changed", "", "(+)", "", "(-)", "")

// shortenCommits writes a line for each commit, newest first, with its details below if there is room.
func (s *shortener) shortenCommits(t textLines, commits []commit, bytes int) Summary {
	out := textLines{text: t.text, total: t.total}
	add := func(k int, line string) {
		out.lines, out.first = append(out.lines, line), append(out.first, int32(t.startLine(k)))
	}
	of := part{name: "commits"}
	largest := slices.MaxFunc(commits, func(a, b commit) int { return cmp.Compare(a.size, b.size) }).size
	sameAuthor := !slices.ContainsFunc(commits, func(c commit) bool { return c.author != commits[0].author })
	l := (&layout{least: math.MaxInt, indents: true}).asStrict("")
	title := fmt.Sprintf("[%s commits]", s.formatCount(len(commits)))
	if last := commits[len(commits)-1].date; last != commits[0].date {
		title += "; " + last + " to " + commits[0].date
	}
	if sameAuthor && commits[0].author != "" {
		title += "; " + s.allOf("commits") + ": author=" + commits[0].author
	}
	bytes -= len(title) + 1
	var worth []float64
	room := bytes - partNote // what the lines of commits leave
	for i, c := range commits {
		of.heads = append(of.heads, len(out.lines))
		head := int32(len(out.lines))
		line := c.text(!sameAuthor)
		own := decides + subjectWorth*(1.5-float64(i)/float64(len(commits)))
		isLargest := c.size > 0 && c.size == largest
		if room -= len(line) + 1; room < 0 && !isLargest && !c.isNamedBy(&s.subject, line) {
			own = leave // keep the newest without a gap
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
			if worth[head+1+k] = a.worthIn(&s.subject, room*3 > bytes); worth[head] == leave {
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

// isNamedBy reports whether the subject names something in a commit.
func (c *commit) isNamedBy(s *subject, line string) bool {
	return len(s.wordsOf(line)) > 0 || slices.ContainsFunc(c.about, func(a aboutCommit) bool { return len(s.wordsOf(a.text)) > 0 })
}

// worthIn returns the worth of a line below a commit: of a file by the number of its changed lines, of a message line if
// there is room for messages or the subject names something in it.
func (a *aboutCommit) worthIn(s *subject, roomy bool) float64 {
	switch {
	case a.file:
		return math.Log2(1+float64(a.changes)) / 4
	case roomy, len(s.wordsOf(a.text)) > 0:
		return worthOfLine(a.text)
	}
	return leave
}

// text returns a commit on one line.
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
