package compact

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const memberBytes = 300 // maximum length of a shown value

// membersText writes the members that are worth most for their length, those of an object on one line after its path.
func (s *shortener) membersText(all []member, bytes int) (text string, kept int) {
	count := map[string]int{}
	for _, m := range all {
		count[m.text]++
	}
	worth := make([]float64, len(all))
	for i, m := range all {
		worth[i] = s.worthOfMember(m, count[m.text])
	}
	discountOld(all, worth)
	for i, m := range all { // the first members of an object say what it is
		if i == 0 || m.of != all[i-1].of {
			worth[i] += memberFirst
		}
	}
	order := indexesOf(all)
	moreWorth := func(a, b int) int { return cmp.Compare(worth[b], worth[a]) }
	slices.SortStableFunc(order, moreWorth)
	type group struct {
		of   string
		like uint64
	}
	before := map[group]int{} // members of the same object with a similar value
	for _, i := range order {
		of := group{all[i].of, templateHash(all[i].text)}
		worth[i] *= math.Pow(alikeMember, float64(before[of]))
		before[of]++
	}
	slices.SortStableFunc(order, moreWorth)
	taken := make([]bool, len(all))
	heads := map[string]int{}
	left := bytes
	for _, i := range order {
		head, key := all[i].split()
		cost := len(key) + min(len(all[i].text), memberBytes) + 3
		switch heads[head] {
		case 0:
			cost += len(head) + 2
		case minListed - 1:
			cost += len("; [… 99 more]")
		}
		if cost > left {
			continue
		}
		left -= cost
		taken[i] = true
		heads[head]++
		kept++
	}
	return writeMembers(all, taken), kept
}

// fewDates is the number of dates up to which an object's dates are not discounted.
const fewDates = 8

// discountOld discounts the members of an object with many dates, such as the releases of a package, by their age: the
// newest are the most likely to matter.
func discountOld(all []member, worth []float64) {
	dates := map[string][]int{} // members by their object
	for i, m := range all {
		if isDate(m.text) {
			dates[m.of] = append(dates[m.of], i)
		}
	}
	for _, of := range dates {
		if len(of) <= fewDates {
			continue
		}
		slices.SortStableFunc(of, func(a, b int) int { return strings.Compare(all[b].text, all[a].text) })
		for rank, i := range of {
			worth[i] /= 1 + float64(rank)/fewDates
		}
	}
}

// isDate reports whether a text begins with an ISO 8601 date.
func isDate(t string) bool {
	return len(t) >= 10 && len(t) < 40 && t[4] == '-' && t[7] == '-' && strings.Trim(t[:4]+t[5:7]+t[8:10], "0123456789") == ""
}

// sizeOfMembers returns the length of all members when written.
func sizeOfMembers(all []member) int {
	n := 0
	for _, m := range all {
		n += len(m.path) + min(len(m.text), memberBytes) + 4
	}
	return n
}

const minItems = 4 // of a long list, to be shown at all

// listText writes a list of scalars: whole, or its first and last items and those that are worth most, with omission
// marks and the number of items left out.
func (s *shortener) listText(p *section, bytes int) (text string, kept int) {
	n := len(p.list)
	head := strings.TrimLeft(p.path+" ", " ") + countOfUnits(s, n, "items")
	whole := head + ": " + strings.Join(p.list, ",\n")
	if few := head + foldedText(s, p.list); few != head && len(few) <= min(bytes, len(whole)/2) {
		s.tallied = true
		return few, n
	}
	if len(whole) <= bytes {
		return whole, n
	}
	picker := s.weigh(p.list, nil, func(int, string) float64 { return 0 })
	picker.beside = 1
	for room := bytes - len(head) - len(note("%v items left out", n)) - 3; ; {
		text, kept = itemsText(p.list, picker, picker.pick(room))
		text = head + " " + note("%v items left out", n-kept) + ": " + text
		if kept < minItems {
			return "", 0
		}
		if len(text) <= bytes {
			return text, kept
		}
		room -= max(len(text)-bytes, bytes/50+1)
	}
}

const maxFolded = 20 // distinct values of a list that is written as counts

// foldedText writes each distinct value of a list once, in order of first occurrence, with its count; "" if too many.
func foldedText(s *shortener, list []string) string {
	times := map[string]int{}
	var values []string
	for _, v := range list {
		if times[v]++; times[v] == 1 {
			values = append(values, v)
		}
		if len(values) > maxFolded || strings.HasSuffix(v, " times]") {
			return ""
		}
	}
	for i, v := range values {
		if n := times[v]; n > 1 {
			values[i] = v + " " + countOfUnits(s, n, "times")
		}
	}
	return " by value: " + strings.Join(values, ",\n")
}

// itemsText writes the chosen items of a list, with omission marks for the items left out between them.
func itemsText(list []string, p *picker, chosen []int32) (text string, kept int) {
	var b strings.Builder
	last := -1
	for _, i := range chosen {
		k := p.units[i].line
		if k == last {
			continue // another piece of the same item
		}
		switch {
		case kept > 0 && k > last+1:
			b.WriteString(",\n" + omission + "\n")
		case kept > 0:
			b.WriteString(",\n")
		}
		b.WriteString(clipMiddle(list[k], pieceBytes*3/2))
		last = k
		kept++
	}
	return b.String(), kept
}

func (s *shortener) worthOfMember(m member, count int) float64 {
	v := .3 + worthOfName(m.path)*memberName
	if strings.HasPrefix(m.text, "http://") || strings.HasPrefix(m.text, "https://") {
		v -= memberAddr
	}
	if saysNo[m.text] {
		v -= memberNo
	}
	named := 0.0
	eachAtom(m.text, func(_ string, w float64) { named = max(named, w) })
	v += named
	v += memberOnce / float64(count)
	v += min(2, float64(len(s.subject.wordsOf(m.text))+len(s.subject.wordsOf(m.path))))
	return v / (1 + float64(min(len(m.text), memberBytes))/120)
}

// split returns the path of the object that a member belongs to, and the member's path from there.
func (m *member) split() (head, key string) {
	return m.of, strings.TrimPrefix(strings.TrimPrefix(m.path, m.of), ".")
}

// minListed is the number of shown members from which an object would seem to be shown whole.
const minListed = 4

// writeMembers writes the taken members. An object with many shown members also gets a count of its other members.
func writeMembers(all []member, taken []bool) string {
	shown, left := map[string]int{}, map[string]int{}
	for i, m := range all {
		if head, _ := m.split(); taken[i] {
			shown[head]++
		} else {
			left[head]++
		}
	}
	var b strings.Builder
	last, any, open := "", false, false
	end := func() {
		if n := left[last]; n > 0 && shown[last] >= minListed {
			b.WriteString("; " + note("%v more", n))
			left[last] = 0
		}
	}
	for i, m := range all {
		if !taken[i] {
			continue
		}
		head, key := m.split()
		if any && head != last {
			end()
		}
		switch {
		case any && head == last && !open:
			b.WriteString("; ")
		default:
			if any {
				b.WriteByte('\n')
			}
			if head != "" {
				b.WriteString(head + ": ")
			}
		}
		text := clipMiddle(m.text, memberBytes)
		b.WriteString(key + "=" + text)
		last, any = head, true
		open = strings.Count(text, `"`)%2 > 0 || strings.Count(text, "`")%2 > 0 // what follows would seem quoted
	}
	if any {
		end()
	}
	return b.String()
}

// clipMiddle returns a text of at most n bytes, with its middle left out if it is longer.
func clipMiddle(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if i := strings.Index(text, "["+omission); i >= 0 && i < n { // a note is not cut
		text = text[:i]
		return cutMarked(text+omission, min(n, i+len(omission)))
	}
	if n < 12 {
		return cutMarked(text, n)
	}
	tail := (n - 3) / 4
	end := len(text) - tail
	for end < len(text) && text[end]&0xC0 == 0x80 {
		end++
	}
	return cut(text, n-3-tail) + "…" + text[end:]
}
