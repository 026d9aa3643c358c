package words

import "unicode/utf8"

// Edits returns how many characters must be inserted, deleted, replaced or swapped with
// their neighbor to turn a into b (the optimal string alignment distance), or most+1 if
// that is more than most. Its work grows with the product of the lengths.
func Edits(a, b string, most int) int {
	if isASCII(a) && isASCII(b) {
		return editDistance([]byte(a), []byte(b), most)
	}
	return editDistance([]rune(a), []rune(b), most)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func editDistance[T byte | rune](a, b []T, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	var room [3][maxName + 1]int // most names are short: they need no allocation
	before, last, row := room[0][:], room[1][:], room[2][:]
	if len(b) > maxName {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], most+1)
}
