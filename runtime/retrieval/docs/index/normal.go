package index

import "strings"

// Normal returns a text as the legs of an index read a question: its words in lower case, except
// words that carry no meaning, which count only in a text without others. Texts of the same normal
// form are the same question to an index.
func Normal(text string) string {
	var told, idle strings.Builder
	eachWord(text, func(w string) {
		to := &told
		if stops[w] {
			to = &idle
		}
		to.WriteString(w)
		to.WriteByte(' ')
	})
	if told.Len() == 0 {
		return idle.String()
	}
	return told.String()
}
