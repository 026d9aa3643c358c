package gateway

// ShownArgs returns a program's arguments in a form that may be shown: values of options that hold secrets, and
// credentials in URLs and headers, are left out.
func ShownArgs(args []string) []string {
	out := make([]string, len(args))
	before := ""
	for i, a := range args {
		out[i] = withoutSecret(before, a)
		before = a
	}
	return out
}
