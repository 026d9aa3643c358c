package match

import (
	"bytes"
	"context"
)

// lineStart returns where the line of at begins; from must begin that line or an earlier one.
func lineStart(buf []byte, from, at int) int {
	return from + bytes.LastIndexByte(buf[from:at], '\n') + 1
}

// lineEnd returns the position of the newline after at, or the text's end.
func lineEnd(buf []byte, at int) int {
	if i := bytes.IndexByte(buf[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(buf)
}

// nextFold returns the position of the next U+017F or U+212A, or len(buf).
func nextFold(buf []byte, pos int) int {
	at := len(buf)
	for _, s := range []string{string(longS), string(kelvin)} {
		if i := bytes.Index(buf[pos:at], []byte(s)); i >= 0 {
			at = pos + i
		}
	}
	return at
}

// meter lets slow work notice that its context has ended.
type meter struct {
	ctx   context.Context
	spent int
}

// meterPeriod is the amount of work, a few nanoseconds per unit, between two checks of the context.
const meterPeriod = 1 << 18

func (m *meter) spend(n int) error {
	if m.spent += n; m.spent < meterPeriod {
		return nil
	}
	m.spent = 0
	return m.ctx.Err()
}
