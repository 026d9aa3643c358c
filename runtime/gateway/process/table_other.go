//go:build unix && !linux && !darwin

package process

// processes returns false: on other systems only process groups are known.
func processes() ([]proc, bool) { return nil, false }

func startOf(int) string { return "" }

func environOf(int) []string { return nil }
