package eval

import "strconv"

// String is the form in which a reference is written.
func (p Place) String() string {
	if p.Line <= 0 {
		return p.Path
	}
	return p.Path + ":" + strconv.Itoa(p.Line)
}
