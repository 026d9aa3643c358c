package symbols

// tokKind is the class of a token.
type tokKind uint8

const (
	tokPunct     tokKind = iota // ch is the byte, or one of the op constants
	tokIdent                    // identifier or keyword
	tokNumber                   // number, character literal, Rust lifetime
	tokString                   // a string, or one part of an interpolated one
	tokHole                     // the brackets around code inside a string or JSX
	tokDirective                // a whole preprocessor line
)

// Operators of several bytes that a scanner must not mistake for two. Their codes differ from all single-byte
// operators.
const (
	opFatArrow  = 'A' // =>
	opThinArrow = 'R' // ->
	opScope     = 'S' // ::
	opCompare   = 'E' // == != <= >= === !==
	opDefine    = 'D' // :=
	opUpdate    = 'U' // += ||= and the like
	opLogic     = 'L' // && ||
	opSpread    = 'P' // ... and ..
	opStep      = 'I' // ++ --
	opMarkup    = 'J' // the end of a JSX element
)

// token is one lexical unit; off and end are byte offsets into the source.
type token struct {
	off, end uint32
	line     int32 // 1-based
	kind     tokKind
	ch       byte // for tokPunct and tokHole
	nl       bool // first token on its line
}

// comment is one comment, delimiters included.
type comment struct {
	off, end      uint32
	line, endLine int32
	own           bool // nothing but white space before it on its line
}

var bom = []byte{0xEF, 0xBB, 0xBF}

// Classes of bytes, for the lexer's main switch.
const (
	clsOther = iota
	clsSpace
	clsNewline
	clsIdent
	clsDigit
)

var classes = classTable()

func classTable() (t [256]uint8) {
	for c := range t {
		switch {
		case c == '\n':
			t[c] = clsNewline
		case c <= ' ' || c == 0x7f:
			t[c] = clsSpace
		case 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80, c == '_', c == '$', c >= 0x80:
			t[c] = clsIdent
		case '0' <= c && c <= '9':
			t[c] = clsDigit
		}
	}
	return t
}

func isWord(c byte) bool  { return classes[c] >= clsIdent }
func isIdent(c byte) bool { return classes[c] == clsIdent }
func isDigit(c byte) bool { return classes[c] == clsDigit }
func isBlank(c byte) bool { return classes[c] == clsSpace }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
