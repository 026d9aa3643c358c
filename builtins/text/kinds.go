package text

// Kinds returns the kinds of text that have a builtin, as they appear in --kind and in the builtin's name.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k.kind)
	}
	return out
}
