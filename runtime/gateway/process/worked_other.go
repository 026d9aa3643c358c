//go:build !linux

package process

import "time"

// Worked is the processor time that a program has used, which only Linux says here.
func (p *Process) Worked() (time.Duration, bool) { return 0, false }
