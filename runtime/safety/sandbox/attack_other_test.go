//go:build !linux

package sandbox

import "testing"

// What these attacks need cannot be set up without privileges here; the code that stands against them is shared with
// Linux but for the calls in the files named after a system.
func attackSpecial(t *testing.T, _ mode) { t.Skip("needs mkfifo and mknod") }
func attackProc(t *testing.T, _ mode)    { t.Skip("there is no /proc") }
func attackMounts(t *testing.T, _ mode)  { t.Skip("needs mount namespaces") }
