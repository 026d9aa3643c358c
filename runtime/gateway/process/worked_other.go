//go:build !linux

package process

import "time"

// Worked returns false: the processor time of a program is only known on Linux.
func (p *Process) Worked() (time.Duration, bool) { return 0, false }
