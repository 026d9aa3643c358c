package toolargs

import (
	"fmt"
	"strings"
)

// Problem is one mistake in one argument. Path is its name, with dots and indexes for nested values.
type Problem struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	For     string `json:"-"` // the argument that was probably meant
}

// Error is the error of Validate: every problem found, and the tool's arguments on one line.
type Error struct {
	Problems  []Problem
	Signature string
}

// Error returns the problems on one line, in the order of the arguments; after eight it counts the rest.
func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i == maxProblems {
			fmt.Fprintf(&b, "; and %d more", len(e.Problems)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.Path + ": " + p.Message)
	}
	return b.String()
}

// Details returns the problems for use by a program, as many as Error names.
func (e *Error) Details() []Problem { return e.Problems[:min(len(e.Problems), maxProblems)] }

// Code returns the stable code of the error.
func (e *Error) Code() string { return "TOOL_VALIDATION_ERROR" }

// Hint returns a text that says what to send instead.
func (e *Error) Hint() string {
	return "call it again with arguments as described: " + e.Signature
}

// Signature describes the arguments on one line, such as
// "question (string, required), roots (list of strings), tokens (whole number from 50 to 4000)".
func (s *Schema) Signature() string { return s.signature }
