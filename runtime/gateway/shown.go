package gateway

// ShownArgs are the arguments of a program as they may be shown: values of
// options that hold secrets, credentials in addresses and headers are left out.
func ShownArgs(args []string) []string {
	out := make([]string, len(args))
	before := ""
	for i, a := range args {
		out[i] = withoutSecret(before, a)
		before = a
	}
	return out
}
