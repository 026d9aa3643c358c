package match

// Bounds on what may be compiled. Beyond them Compile and Any return an error that says which one was met.
const (
	// MaxPattern is the longest pattern, in bytes.
	MaxPattern = 4 << 10
	// MaxLiterals is how many literals Any takes, and MaxLiteralBytes how long they may be together.
	MaxLiterals, MaxLiteralBytes = 1000, 8 << 10
	// maxSteps bounds the instructions of the compiled pattern: they are what one byte of an unlucky text costs.
	maxSteps = 5000
)

// Options say how a pattern is read.
type Options struct {
	// Literal takes the pattern as plain text instead of as a regular expression.
	Literal bool
	// IgnoreCase makes letters match whatever their case, by simple Unicode folding as in `(?i)`.
	IgnoreCase bool
	// SmartCase ignores case unless the pattern has an upper-case letter; escapes such as \W do not count as one.
	SmartCase bool
	// Word asks for a match with no word character (ASCII letter, digit or underscore) right before or after it.
	Word bool
}
