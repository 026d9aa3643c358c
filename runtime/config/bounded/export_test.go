package bounded

import "context"

// Environ is what a child gets.
func Environ(ctx context.Context) []string {
	cmd, err := command(ctx, nil)
	if err != nil {
		panic(err)
	}
	return cmd.Env
}
