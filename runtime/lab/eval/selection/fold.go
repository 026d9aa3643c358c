package selection

import (
	"cmp"
	"crypto/sha256"
	"math/big"
)

// Split says what stays together when a log is cut into folds.
type Split string

const (
	ByTask    Split = "task"    // all sessions of a task are in one fold
	BySession Split = "session" // each session on its own
)

// foldOf returns the fold of a session in a log: SHA-256 of its task or its ID, as a number,
// modulo the folds. A session without a task is a task of its own.
func (s Session) foldOf(by Split, folds int) int {
	key := s.ID
	if by == ByTask {
		key = cmp.Or(s.Task, s.ID)
	}
	sum := sha256.Sum256([]byte(key))
	n := new(big.Int).SetBytes(sum[:])
	return int(n.Mod(n, big.NewInt(int64(folds))).Int64())
}
