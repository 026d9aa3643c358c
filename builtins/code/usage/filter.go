package usage

// keepIf returns the elements that keep reports true for, in a new slice.
func keepIf[T any](all []T, keep func(T) bool) []T {
	var out []T
	for _, d := range all {
		if keep(d) {
			out = append(out, d)
		}
	}
	return out
}
