package match

// Bounds on what may be compiled. Beyond them Compile and Any return an error that names the bound.
const (
	// MaxPattern is the maximum length of a pattern, in bytes.
	MaxPattern = 4 << 10
	// MaxLiterals limits the literals that Any takes, and MaxLiteralBytes their total length.
	MaxLiterals, MaxLiteralBytes = 1000, 8 << 10
	// maxSteps limits the instructions of the compiled pattern: they are the cost of one byte of an unlucky text.
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
	// Word requires a match without a word character (ASCII letter, digit or underscore) right before or after it.
	Word bool
}
