package text

// Kinds are the kinds of text that have a builtin, as --kind and its name say them.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k.kind)
	}
	return out
}
