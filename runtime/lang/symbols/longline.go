package symbols

import "bytes"

// maxLine is the length in bytes above which a line counts as minified: text on it is not a definition. Except in
// scripts, the first maxLead bytes still count, because a table of data has its name there.
const (
	maxLine = 2000
	maxLead = 120
)

// onLongLine reports whether the text at offset off does not count because its line is longer than maxLine bytes. It
// looks no more than maxLine bytes in either direction.
func (o *outline) onLongLine(off uint32) bool {
	if o.longFrom <= off && off < o.longTo {
		return true
	}
	lo, hi := max(0, int(off)-maxLine), min(len(o.src), int(off)+maxLine)
	before := bytes.LastIndexByte(o.src[lo:off], '\n')
	after := bytes.IndexByte(o.src[off:hi], '\n')
	if before < 0 && lo > 0 {
		o.longFrom, o.longTo = off, off+1
		if after < 0 {
			o.longTo = uint32(hi)
		}
		return true
	}
	start := lo + before + 1
	if lead := int(off) - start; lead < maxLead && !o.lang.isOftenMinified() {
		return false
	}
	if after >= 0 {
		return int(off)+after-start > maxLine
	}
	if hi == len(o.src) && hi-start <= maxLine {
		return false
	}
	o.longFrom, o.longTo = off, uint32(hi)
	return true
}
