package confined

import "time"

// Limits bound one child.
type Limits struct {
	CPU    time.Duration // of all its threads; unlike Wall, a busy machine does not shorten it
	Wall   time.Duration // guards against a disk that does not answer
	Memory int64         // bytes
}

// Causes for which a child ends without a result. Work may add its own.
const (
	CauseCPU    = "cpu"
	CauseWall   = "wall"
	CauseMemory = "memory"
	CauseStack  = "stack"
	CauseCrash  = "crash"
)

// Ending describes how a child ended and what it was doing then. Without a Cause, the child returned a result.
type Ending struct {
	Cause string
	Said  string // the most telling line of a crash report, or a note that the process was killed from outside
	Step  string // the last one reported
}

// MaxResult bounds a result, in bytes.
const MaxResult = 32 << 20
