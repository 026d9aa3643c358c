package confined

import "time"

// Limits bound one child.
type Limits struct {
	CPU    time.Duration // of all its threads: a busy machine does not shorten it
	Wall   time.Duration // for a disk that does not answer
	Memory int64         // bytes
}

// Causes for which a child ends without a result. Work may have others.
const (
	CauseCPU    = "cpu"
	CauseWall   = "wall"
	CauseMemory = "memory"
	CauseStack  = "stack"
	CauseCrash  = "crash"
)

// Ending is how a child ended, and what it was about then. Without a cause it has
// given a result.
type Ending struct {
	Cause string
	Said  string // its last words, of a crash, or that it was killed from outside
	Step  string // the last that it told of
}

// MaxResult bounds a result, in bytes.
const MaxResult = 32 << 20
