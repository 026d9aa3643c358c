package session

import "time"

// Limits of all sessions together.
const (
	maxSessions = 256
	idleTime    = time.Hour // a session unused for this long is forgotten
)

// Limits of one session, in bytes unless noted.
const (
	maxQuestions     = 8 // count
	maxQuestion      = 1 << 10
	maxFound         = 5        // places per question, count
	maxQuestionBytes = 24 << 10 // of all questions with their places

	maxCalls      = 64       // count
	maxArguments  = 1 << 10  // of one call
	maxCallsBytes = 24 << 10 // of all calls

	maxShown = 2048 // names, count: more than a list of max_tools has
	maxUsed  = 128  // names, count
	maxName  = 128  // of a tool, a server, a client or an outcome
)

// MaxRead is the size in bytes above which none of a call's arguments are kept, so that
// they need not be masked.
const MaxRead = 64 << 10

// overhead is the size of a value in addition to its texts, in bytes.
const overhead = 96
