package model

import "context"

// Absent is an endpoint that is not available, and returns the reason from every method.
type Absent struct{ Err *Error }

// Chat returns the error.
func (a Absent) Chat(context.Context, Request, func(Delta)) (*Reply, error) { return nil, a.Err }

// Embed returns the error.
func (a Absent) Embed(context.Context, []string) ([][]float32, error) { return nil, a.Err }

// Info returns the error.
func (a Absent) Info(context.Context) (Info, error) { return Info{}, a.Err }
