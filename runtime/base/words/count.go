package words

import "strconv"

// Count returns a number with its noun, such as "1 file" or "3 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
