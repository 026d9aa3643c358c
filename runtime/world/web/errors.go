package web

import "fmt"

// Error says why a page was not read.
type Error struct{ code, message string }

func (e *Error) Error() string { return e.message }

// Code is WEB_REFUSED for what the configuration does not open, WEB_FAILED for what
// the other side does.
func (e *Error) Code() string { return e.code }

func refused(format string, args ...any) error {
	return &Error{"WEB_REFUSED", fmt.Sprintf(format, args...)}
}

func failed(format string, args ...any) error {
	return &Error{"WEB_FAILED", fmt.Sprintf(format, args...)}
}
