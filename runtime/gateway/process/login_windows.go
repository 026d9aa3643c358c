package process

import "context"

// loginPath returns nothing: on Windows a program started from the desktop has the whole PATH.
func loginPath(context.Context, []string) ([]string, string) { return nil, "" }
