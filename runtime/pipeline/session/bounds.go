package session

import "time"

// What is kept of all sessions together.
const (
	maxSessions = 256
	idleTime    = time.Hour // one that was unused for so long is forgotten
)

// What is kept of one session, in bytes where nothing else is said.
const (
	maxQuestions     = 8 // in number
	maxQuestion      = 1 << 10
	maxFound         = 5        // places of one question, in number
	maxQuestionBytes = 24 << 10 // of all questions with their places

	maxCalls      = 64       // in number
	maxArguments  = 1 << 10  // of one call
	maxCallsBytes = 24 << 10 // of all calls

	maxShown = 2048 // names, in number: more than a list of max_tools has
	maxUsed  = 128  // names, in number
	maxName  = 128  // of a tool, a server, a client or an outcome
)

// MaxRead is how large the arguments of a call are, in bytes, above which nothing of
// them is kept: they need not be masked.
const MaxRead = 64 << 10

// overhead is what a value takes beside its texts, in bytes.
const overhead = 96
