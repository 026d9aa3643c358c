package eval

import "strconv"

// String returns the reference as it is written: path or path:line.
func (p Place) String() string {
	if p.Line <= 0 {
		return p.Path
	}
	return p.Path + ":" + strconv.Itoa(p.Line)
}
