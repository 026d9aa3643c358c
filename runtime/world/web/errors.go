package web

import "fmt"

// Error is the reason why a page was not read.
type Error struct{ code, message string }

func (e *Error) Error() string { return e.message }

// Code returns WEB_REFUSED if the configuration does not allow the page, and WEB_FAILED
// for failures of the other side.
func (e *Error) Code() string { return e.code }

func refusedError(format string, args ...any) error {
	return &Error{"WEB_REFUSED", fmt.Sprintf(format, args...)}
}

func failedError(format string, args ...any) error {
	return &Error{"WEB_FAILED", fmt.Sprintf(format, args...)}
}
