package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// reading reads one answer, streamed or in one piece.
type reading struct {
	asked string // model; "" accepts any
	on    func(model.Delta)
	start time.Time

	reply gathered
	named bool // the server has said which model answers
	seen  bool // something that follows the protocol has arrived
	ended bool // a finish reason has arrived, or the end mark after it
}

// readBody reads the body to its end, or until the rest is useless. It returns a
// *model.Error or the context's error.
func (r *reading) readBody(ctx context.Context, body io.Reader) error {
	// One byte more than allowed distinguishes too much from just enough.
	limit := &io.LimitedReader{R: body, N: model.MaxReply + 1}
	in := bufio.NewReaderSize(limit, 16<<10)
	err := r.readWhole(ctx, in)
	if errors.Is(err, errStream) {
		err = r.readStream(ctx, in)
	}
	switch {
	case ctx.Err() != nil && !r.ended:
		return ctx.Err()
	case err != nil && limit.N <= 0:
		return &model.Error{Kind: model.Broken, Message: fmt.Sprintf("the reply passed %d bytes and was stopped", model.MaxReply)}
	case err != nil:
		return err
	case r.reply.isBlank():
		return emptyError(r.reply.finish)
	}
	return nil
}

var errStream = errors.New("a stream")

// readWhole reads an answer that is a single JSON object: from servers that do not stream,
// and for errors. It returns errStream if the body is something else.
func (r *reading) readWhole(ctx context.Context, in *bufio.Reader) error {
	first, err := firstByte(in)
	if err != nil {
		return r.endError(err)
	}
	if first != '{' {
		return errStream
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return r.endError(err)
	}
	if len(data) > model.MaxReply || !json.Valid(data) {
		// A stream may also begin like this, if it has one object per line.
		if line, _, ok := bytes.Cut(data, []byte("\n")); !ok || len(data) > model.MaxReply || !json.Valid(line) {
			return r.endError(io.ErrUnexpectedEOF)
		}
		return r.readStream(ctx, bufio.NewReader(bytes.NewReader(data)))
	}
	if err := r.readEvent(data); err != nil {
		return err
	}
	if !r.seen {
		return alienError(data)
	}
	r.ended = true
	return nil
}

// firstByte peeks at the first byte that is not white space.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return b, in.UnreadByte()
		}
	}
}

// readStream reads server-sent events. The data lines of an event are joined; an event with
// one complete line is handled at once, since some servers forget the empty line after
// it.
func (r *reading) readStream(ctx context.Context, in *bufio.Reader) error {
	var line, pending []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		line, err = readLine(in, line[:0])
		data, kind := parseField(line)
		switch {
		case kind == lineData && len(pending) == 0 && (json.Valid(data) || isDone(data)):
			if stop, err := r.takeEvent(data); stop || err != nil {
				return err
			}
		case kind == lineData:
			pending = append(append(pending, data...), '\n')
		case kind == lineAlien && !r.seen && err == nil:
			return alienError(line)
		}
		if kind == lineEmpty || err != nil {
			if stop, failed := r.flushPending(&pending, err != nil); stop || failed != nil {
				return failed
			}
		}
		if err != nil {
			return r.endError(err)
		}
	}
}

// flushPending handles the joined lines. At the end of the body they may be incomplete, which
// endError reports.
func (r *reading) flushPending(pending *[]byte, last bool) (stop bool, err error) {
	data := bytes.TrimSpace(*pending)
	*pending = (*pending)[:0]
	if len(data) == 0 || last && !json.Valid(data) {
		return false, nil
	}
	return r.takeEvent(data)
}

// takeEvent handles one event. It stops at the end mark.
func (r *reading) takeEvent(data []byte) (stop bool, err error) {
	if isDone(data) {
		r.ended, r.seen = true, true
		return true, nil
	}
	return false, r.readEvent(data)
}

func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// endError returns the error for a body that ended, or nil if the end mark came before.
func (r *reading) endError(err error) error {
	clean := errors.Is(err, io.EOF)
	switch {
	case r.ended:
		return nil
	case clean && r.reply.isBlank():
		return emptyError(r.reply.finish)
	case clean:
		return &model.Error{Kind: model.Broken, Message: "the reply ends in the middle"}
	}
	return &model.Error{Kind: model.Broken, Message: "the connection broke in the middle of the reply", Do: "look whether the server still runs", Err: err}
}

// readLine appends one line without its line end. With an error it appends the rest.
func readLine(in *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}

type lineKind int

const (
	lineOther lineKind = iota
	lineEmpty
	lineData
	lineAlien // does not occur in an event stream
)

// parseField returns the data of a line and its kind. Old servers write errors as a field of
// their own, others as bare JSON.
func parseField(line []byte) ([]byte, lineKind) {
	if len(line) == 0 {
		return nil, lineEmpty
	}
	if line[0] == '{' {
		return line, lineData
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	switch {
	case !ok && string(name) != "data":
		return nil, lineAlien
	case string(name) == "data", string(name) == "error":
		return bytes.TrimPrefix(value, []byte(" ")), lineData
	case len(name) == 0, string(name) == "event", string(name) == "id", string(name) == "retry":
		return nil, lineOther
	}
	return nil, lineAlien
}
