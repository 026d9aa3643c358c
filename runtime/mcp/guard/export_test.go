package guard

import "time"

// Ahead puts a browser's clock forward.
func Ahead(b *Browser, by time.Duration) { b.now = func() time.Time { return time.Now().Add(by) } }
