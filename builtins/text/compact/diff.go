package compact

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// diffRole is the role of a line in a diff, or in a log of commits with their diffs.
type diffRole uint8

const (
	ofCommit    diffRole = iota // its message, its statistics
	commitStart                 // names a commit
	fileStart                   // names a file
	fileDetail                  // repeats the file's name, or says what the file's note says
	hunkStart
	contextLine
	addedLine
	removedLine
)

// diffFile is a file of a diff.
type diffFile struct {
	head           int    // line that names it
	is             string // what happened to the whole file: "new file", "deleted"
	added, removed int    // lines
	part           bool   // some of its lines were not read
	test           bool   // it is a test file
	told           bool   // it is listed in its own right, not only as the parent of shown lines
}

// note returns the note of a file's changes, counted as git counts them.
func (f *diffFile) note() string {
	says := f.is
	if !f.part && f.added+f.removed > 0 {
		says = strings.TrimPrefix(says+", +"+withCommas(f.added)+" -"+withCommas(f.removed), ", ")
	}
	if says == "" {
		return ""
	}
	return " " + note("%s", says)
}

// diff is a parsed diff, or a parsed log of commits with their diffs.
type diff struct {
	roles   []diffRole
	files   []diffFile
	commits []int
	of      []int32 // the file of each line, counted from 1; 0 for none
}

// diffReader parses a diff. The counts in a hunk header tell which lines belong to the hunk: a removed line "-- x"
// looks like the header of a file.
type diffReader struct {
	diff
	lines    []string
	old, new int  // lines left in the hunk
	merge    bool // the hunk has a column of marks for each parent
	lost     bool // the file of the current line was not read
	binary   bool // lines are part of a binary patch
}

func readDiff(lines []string) *diff {
	r := &diffReader{lines: lines, diff: diff{roles: make([]diffRole, len(lines)), of: make([]int32, len(lines))}}
	for k := 0; k < len(lines); {
		n := r.readHeader(k)
		if n == 0 {
			r.roles[k] = r.roleOfLine(k)
			n = 1
		}
		k += n
	}
	return &r.diff
}

// readHeader reads the lines that name a file, and returns their number; 0 if none begin at k.
func (r *diffReader) readHeader(k int) int {
	n := r.headerLen(k)
	if n == 0 {
		return 0
	}
	f := diffFile{head: k}
	for i := k; i < k+n; i++ {
		r.roles[i] = fileDetail
		switch l := r.lines[i]; {
		case strings.HasPrefix(l, "+++ ") && l != "+++ /dev/null", strings.HasPrefix(l, "--- ") && i+1 < k+n && r.lines[i+1] == "+++ /dev/null":
			f.head = i
		case strings.HasPrefix(l, "new file "):
			f.is = "new file"
		case strings.HasPrefix(l, "deleted file "):
			f.is = "deleted"
		case hasPrefix(l, "rename from ", "copy from "):
			f.is = l
		case strings.HasPrefix(l, "Binary files "), l == "GIT binary patch":
			f.is = strings.TrimPrefix(f.is+", binary", ", ")
		case strings.HasPrefix(l, "new mode ") && f.is == "":
			f.is = l
		}
	}
	r.roles[f.head] = fileStart
	f.test = namesTest(r.lines[f.head])
	r.old, r.new, r.lost, r.binary = 0, 0, false, r.lines[k+n-1] == "GIT binary patch"
	r.files = append(r.files, f)
	r.of[f.head] = int32(len(r.files))
	return n
}

// headerLen returns the number of lines from k on that name a file; 0 if there are none.
func (r *diffReader) headerLen(k int) int {
	at := func(i int, prefix string) bool { return i < len(r.lines) && strings.HasPrefix(r.lines[i], prefix) }
	isLast := r.old == 1 && r.new == 1 // both lines belong to the hunk
	if at(k, "--- ") && at(k+1, "+++ ") && (r.old <= 0 && r.new <= 0 || at(k+2, "@@ ") && !isLast) {
		return 2
	}
	if !at(k, "diff -") && !at(k, "Index: ") {
		return 0
	}
	n := 1
	for k+n < len(r.lines) && isFileDetail(r.lines[k+n]) && !at(k+n-1, "+++ ") {
		n++
	}
	return n
}

// isFileDetail reports whether a line belongs between the first line of a file and its hunks.
func isFileDetail(l string) bool {
	return hasPrefix(l, "index ", "old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ", "dissimilarity index ",
		"rename from ", "rename to ", "copy from ", "copy to ", "--- ", "+++ ", "Binary files ", "GIT binary patch", "====")
}

// roleOfLine returns the role of a line that is not part of a file header.
func (r *diffReader) roleOfLine(k int) diffRole {
	l := r.lines[k]
	var f *diffFile
	if n := len(r.files); n > 0 {
		f = &r.files[n-1]
		r.of[k] = int32(n)
	}
	switch {
	case r.binary && l != omission && !isCommit(l):
		return fileDetail
	case l == omission:
		if r.old, r.new, r.lost = 0, 0, true; f != nil {
			f.part = true
		}
	case isCommit(l):
		r.commits = append(r.commits, k)
		r.old, r.new, r.lost, r.binary = 0, 0, false, false
		return commitStart
	case strings.HasPrefix(l, "@@ "):
		r.old, r.new = hunkSize(l)
		r.merge = false
		return hunkStart
	case strings.HasPrefix(l, "@@@ "): // its sizes are not read: it ends at the first line that cannot be its own
		r.old, r.new, r.merge = math.MaxInt32, math.MaxInt32, true
		return hunkStart
	case r.old > 0, r.new > 0, r.lost:
		return r.roleInHunk(l, f)
	}
	return ofCommit
}

// roleInHunk returns the role of a line of a hunk, and counts it.
func (r *diffReader) roleInHunk(l string, f *diffFile) diffRole {
	marks := l[:min(len(l), 1)]
	if r.merge {
		marks = strings.TrimLeft(l[:min(len(l), 2)], " ")
	}
	switch {
	case strings.HasPrefix(marks, "+"):
		if r.new--; f != nil {
			f.added++
		}
		return addedLine
	case strings.HasPrefix(marks, "-"):
		if r.old--; f != nil {
			f.removed++
		}
		return removedLine
	case strings.HasPrefix(marks, `\`): // no newline at the end
		return contextLine
	case l == "", strings.HasPrefix(l, " "):
		r.old, r.new = r.old-1, r.new-1
		return contextLine
	}
	r.old, r.new = 0, 0 // a truncated hunk
	return ofCommit
}

// hunkSize returns the number of lines of a hunk in the old and the new file, from its header: "@@ -12,5 +12,7 @@".
func hunkSize(l string) (before, after int) {
	f := strings.Fields(l)
	if len(f) < 3 {
		return 0, 0
	}
	size := func(s string) int {
		_, n, ok := strings.Cut(s, ",")
		if !ok {
			return 1
		}
		size, err := strconv.Atoi(n)
		if err != nil || size < 0 {
			return 0
		}
		return size
	}
	return size(f[1]), size(f[2])
}

// Levels of a diff.
const (
	commitLevel = iota
	subjectLevel
	fileLevel
	hunkLevel
	changeLevel
)

// parentLines returns the parent of each line: its hunk; for a hunk its file; for a file its commit's subject, if the diff
// belongs to a commit.
func (d *diff) parentLines(lines []string) []int32 {
	over := make([]int32, len(lines))
	var o levels
	lost := false // the file or the commit of the current line was not read
	for k, l := range lines {
		if l == omission {
			lost, o.n = true, 0
		}
		level := int32(changeLevel)
		switch d.roles[k] {
		case commitStart:
			level, lost = commitLevel, false
		case fileStart:
			level, lost = fileLevel, false
		case fileDetail: // it may come after the line that names its file
			over[k] = o.top()
			continue
		case hunkStart:
			level = hunkLevel
		case ofCommit:
			if o.n == 1 && o.level[0] == commitLevel && strings.HasPrefix(l, "    ") {
				level = subjectLevel
			}
		}
		o.close(level)
		over[k] = o.top()
		if level < changeLevel && !lost {
			o.open(int32(k), level)
		}
	}
	return over
}

// worthByRole returns the worth of a line by its role and, for some roles, by its words.
func (d *diff) worthByRole(lines []string) func(k int, line string) float64 {
	return func(k int, line string) float64 {
		switch d.roles[k] {
		case fileDetail, contextLine:
			return leave
		case fileStart:
			if d.files[d.of[k]-1].told {
				return fileWorth
			}
			return 0
		case ofCommit:
			switch {
			case isSubject(lines, k):
				return subjectWorth * (1.5 - float64(k)/float64(len(lines))) // the newest first
			case len(d.commits) == 1 && strings.HasPrefix(line, "    "): // why
				return matters/2 + worthOfLine(line)
			}
		case addedLine, removedLine:
			return d.worthOfChange(k, line)
		}
		return worthOfLine(line)
	}
}

// worthOfChange returns the worth of a changed line, less in tests, deleted files and, unless it declares, new files.
func (d *diff) worthOfChange(k int, line string) float64 {
	own := worthOfLine(line)
	declared := declaresSymbol(line)
	if declared {
		if own += definedWorth; line[1] == ' ' || line[1] == '\t' {
			own -= definedWorth / 2
		}
	} else if d.roles[k] == removedLine {
		own += removedWorth // otherwise its replacement would seem to be new
	}
	if d.of[k] == 0 {
		return own
	}
	switch f := &d.files[d.of[k]-1]; {
	case strings.HasPrefix(f.is, "deleted"):
		return fillsOut
	case f.is != "" && !declared, f.test:
		own -= wholeWorth
	}
	return own
}

// declaresSymbol reports whether a changed line declares something other than a local variable, a package or the beginning of
// a group.
func declaresSymbol(line string) bool {
	if !beginsDefinition(line) || strings.HasSuffix(line, "(") && !strings.Contains(line, ")") {
		return false
	}
	indented := len(line) > 1 && (line[1] == ' ' || line[1] == '\t')
	code := codeOf(line)
	return !hasPrefix(code, "package ") && !(indented && hasPrefix(code, "var ", "let ", "const "))
}

// isSubject reports whether a line is the subject of a commit in a log.
func isSubject(lines []string, k int) bool {
	return k > 1 && strings.HasPrefix(lines[k], "    ") && strings.TrimSpace(lines[k-1]) == "" &&
		hasPrefix(lines[k-2], "Date:", "Author:", "AuthorDate:", "Commit:", "CommitDate:")
}

// fewParts is the number of parts that need no count: readers see them at a glance.
const fewParts = 4

// selectFiles selects the files listed in their own right: those that changed most, in a share of the given number of bytes.
func (d *diff) selectFiles(lines []string, bytes int) {
	files := make([]*diffFile, len(d.files))
	for i := range files {
		files[i] = &d.files[i]
	}
	changed := func(f *diffFile) int {
		if f.is != "" {
			return f.added + f.removed + changesOfNew
		}
		return f.added + f.removed
	}
	slices.SortStableFunc(files, func(a, b *diffFile) int { return cmp.Compare(changed(b), changed(a)) })
	room := bytes / filesShare
	for _, f := range files {
		if room -= len(lines[f.head]) + len(f.note()); room < 0 {
			break
		}
		f.told = true
	}
}

// The selection of files that are listed in their own right.
const (
	filesShare   = 2  // they take at most 1/filesShare of a summary
	changesOfNew = 20 // lines that a new file counts for in addition to its own
)

// layoutWithin returns the layout that keeps the lines of a diff in a number of bytes.
func (d *diff) layoutWithin(lines []string, bytes int) *layout {
	d.selectFiles(lines, bytes)
	pairs := d.findReplacements(lines)
	d.dropReflowed(lines, pairs)
	l := &layout{over: d.parentLines(lines), worth: d.worthByRole(lines), above: maxOver, least: math.MaxInt, alike: alikeTo, strict: true, pairs: pairs, notes: map[int]string{}}
	files := part{name: "files"}
	for _, f := range d.files {
		files.heads = append(files.heads, f.head)
		l.notes[f.head] = f.note()
	}
	for _, p := range []part{{name: "commits", heads: d.commits}, files} {
		if len(p.heads) > fewParts {
			l.parts = append(l.parts, p)
		}
	}
	return l
}

// findReplacements returns the line that replaced each removed line, or -1. In a run of removed lines followed by added
// ones it is the most similar added line, else the one at the same position, else the last. A removed line shown alone
// would wrongly suggest that its content is gone.
func (d *diff) findReplacements(lines []string) []int32 {
	out := make([]int32, len(d.roles))
	for k := 0; k < len(out); {
		out[k] = -1
		from := k
		for k < len(out) && d.roles[k] == removedLine {
			k++
		}
		if k == from {
			k++
			continue
		}
		added := k
		for added < len(out) && d.roles[added] == addedLine {
			added++
		}
		for n := from; n < k; n++ {
			if out[n] = -1; added > k {
				out[n] = int32(min(k+n-from, added-1))
				if like := mostLike(lines, n, k, min(added, k+maxAdded)); like > 0 {
					out[n] = int32(like)
				}
			}
		}
	}
	return out
}

// maxAdded is the number of added lines that a removed line is compared with.
const maxAdded = 30

// mostLike returns the line in [from, to) that is most similar to line k, by common prefix and suffix; 0 if none is
// more than half like it.
func mostLike(lines []string, k, from, to int) (like int) {
	removed := strings.TrimSpace(lines[k][1:])
	most := len(removed) / 2
	for i := from; i < to; i++ {
		added := strings.TrimSpace(lines[i][1:])
		n := min(len(added), len(removed))
		begin := 0
		for begin < n && added[begin] == removed[begin] {
			begin++
		}
		end := 0
		for end < n-begin && added[len(added)-1-end] == removed[len(removed)-1-end] {
			end++
		}
		if begin+end > most {
			like, most = i, begin+end
		}
	}
	return like
}

// dropReflowed turns lines that differ from their replacement only in spaces between words into context lines. A change
// of indentation is kept: it may matter.
func (d *diff) dropReflowed(lines []string, pairs []int32) {
	for k, with := range pairs {
		if with >= 0 && d.roles[with] == addedLine && idents.Indent(lines[k][1:]) == idents.Indent(lines[with][1:]) && slices.Equal(strings.Fields(lines[k][1:]), strings.Fields(lines[with][1:])) {
			d.roles[k], d.roles[with] = contextLine, contextLine
			pairs[k] = -1
		}
	}
}

// isCommit reports whether a line begins a commit of git log.
func isCommit(line string) bool {
	line, _, _ = strings.Cut(line, "\n")
	hash, refs, more := strings.Cut(strings.TrimPrefix(line, "commit "), " ")
	return strings.HasPrefix(line, "commit ") && len(hash) >= 7 && isHex(strings.TrimRight(hash, "\r")) && (!more || strings.HasPrefix(refs, "("))
}

// namesTest reports whether a path names a test, by its words.
func namesTest(path string) bool {
	path = strings.ToLower(path)
	return strings.Contains(path, "test") || strings.Contains(path, "spec.") || strings.Contains(path, "/spec/")
}
