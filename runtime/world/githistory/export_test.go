package githistory

import "time"

// SetPatience sets how long git may be silent, until the function returned is
// called.
func SetPatience(d time.Duration) (restore func()) {
	was := patience
	patience = d
	return func() { patience = was }
}
