package upstream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"
)

// event is one server-sent event. Its data belongs to the caller.
type event struct {
	name string // "message" by default
	data []byte // nil: the event carries only an id
}

// eventReader reads server-sent events of limited size.
type eventReader struct {
	in     *bufio.Reader
	limit  int64
	lastID string        // of the last event that was read completely
	retry  time.Duration // requested by the server; 0: none
	skipLF bool          // the last line ended with CR, which an LF may follow
	first  bool
	bare   *bareReader // for a stream of messages without event framing; nil: a normal stream
	odd    []byte      // the first line without a known field; nil: none
}

// bareReader reads unframed JSON from a stream, value by value.
type bareReader struct {
	bounded io.LimitedReader
	values  *json.Decoder
}

func newBareReader(in io.Reader) *bareReader {
	b := &bareReader{bounded: io.LimitedReader{R: in}}
	b.values = json.NewDecoder(&b.bounded)
	return b
}

func (b *bareReader) next(limit int64) (event, error) {
	b.bounded.N = limit + 1
	var value json.RawMessage
	err := b.values.Decode(&value)
	if b.bounded.N <= 0 {
		err = errLong{limit}
	}
	return event{name: "message", data: value}, err
}

func newEventReader(in io.Reader, limit int64) *eventReader {
	return &eventReader{in: bufio.NewReaderSize(in, 32<<10), limit: limit, first: true}
}

// next returns the next event that has data or an id. An event cut off by the end of the stream is ignored.
func (r *eventReader) next() (event, error) {
	if r.first {
		r.skipPreamble()
	}
	if r.bare != nil {
		return r.bare.next(r.limit)
	}
	e := event{name: "message"}
	id, hasID := "", false
	var size int64
	for {
		line, err := r.line(r.limit - size)
		if err != nil {
			return event{}, err
		}
		size += int64(len(line))
		if len(line) == 0 {
			if hasID {
				r.lastID = id
			}
			if e.data != nil || hasID {
				return e, nil
			}
			e, size = event{name: "message"}, 0
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			e.name = string(value)
		case "data":
			if e.data == nil {
				e.data = value // the usual single line is not copied
			} else {
				e.data = append(append(e.data, '\n'), value...)
			}
		case "id":
			if !bytes.Contains(value, []byte{0}) && len(value) <= maxURI {
				id, hasID = string(value), true
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				r.retry = time.Duration(ms) * time.Millisecond
			}
		default:
			if r.odd == nil && len(name) > 0 { // otherwise it is a comment
				r.odd = line[:min(len(line), maxLine)]
			}
		}
	}
}

// skipPreamble skips what may precede a stream, and detects JSON in place of events: no field name begins with a brace.
func (r *eventReader) skipPreamble() {
	r.first = false
	if mark, _ := r.in.Peek(len(byteOrder)); string(mark) == byteOrder {
		_, _ = r.in.Discard(len(byteOrder))
	}
	for {
		c, err := r.in.Peek(1)
		if err != nil || !bytes.ContainsAny(c, "\r\n") {
			if err == nil && c[0] == '{' {
				r.bare = newBareReader(r.in)
			}
			return
		}
		_, _ = r.in.Discard(1)
	}
}

// byteOrder is the byte order mark that a stream or a message may begin with.
const byteOrder = "\xef\xbb\xbf"

// line reads up to the next CR, LF or CRLF, which it drops.
func (r *eventReader) line(limit int64) ([]byte, error) {
	line := []byte{}
	for {
		if _, err := r.in.Peek(1); err != nil {
			return nil, err
		}
		part, _ := r.in.Peek(r.in.Buffered())
		if r.skipLF {
			r.skipLF = false
			if part[0] == '\n' {
				_, _ = r.in.Discard(1)
				continue
			}
		}
		end := len(part)
		for _, c := range []byte("\r\n") {
			if n := bytes.IndexByte(part[:end], c); n >= 0 {
				end = n
			}
		}
		if int64(len(line)+end) > limit {
			return nil, errLong{r.limit}
		}
		line = append(line, part[:end]...)
		if end < len(part) {
			r.skipLF = part[end] == '\r'
			_, _ = r.in.Discard(end + 1)
			return line, nil
		}
		_, _ = r.in.Discard(end)
	}
}

// isStreamEnd reports whether the server ended a stream, as opposed to a broken connection.
func isStreamEnd(err error) bool { return errors.Is(err, io.EOF) }
