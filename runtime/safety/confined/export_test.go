package confined

import "context"

// Environ is what a child gets.
func Environ(ctx context.Context) []string {
	cmd, err := Child{}.buildCommand(ctx)
	if err != nil {
		panic(err)
	}
	return cmd.Env
}

// Located is why a program is not known that could not be found.
func Located(err error) error { return explainLocation(err) }
