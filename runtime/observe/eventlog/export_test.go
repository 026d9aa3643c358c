package eventlog

import "time"

// A busy machine must not cut off what tests read after Close.
func init() { patience = time.Minute }
