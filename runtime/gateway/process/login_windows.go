package process

import "context"

// loginPath: a program that is started from the desktop has the whole PATH on Windows.
func loginPath(context.Context, []string) ([]string, string) { return nil, "" }
