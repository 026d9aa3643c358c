package upstream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// event is one server-sent event. Its data belongs to the caller.
type event struct {
	name string // "message" when it has none
	data []byte // nil: an event that only carries an id
}

// eventReader reads server-sent events of bounded size.
type eventReader struct {
	in     *bufio.Reader
	limit  int64
	lastID string        // of the last event that was read whole
	retry  time.Duration // the server's wish; 0: none
	skipLF bool          // the last line ended with CR, whose LF may follow
	first  bool
}

func newEventReader(in io.Reader, limit int64) *eventReader {
	return &eventReader{in: bufio.NewReaderSize(in, 32<<10), limit: limit, first: true}
}

// next gives the next event that has data or an id. An event that the stream's end cuts off does not count.
func (r *eventReader) next() (event, error) {
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
				e.data = value // the usual one line is not copied
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
		}
	}
}

// byteOrder is the mark that a stream or a message may begin with.
const byteOrder = "\xef\xbb\xbf"

// line reads to the next CR, LF or both, without them.
func (r *eventReader) line(limit int64) ([]byte, error) {
	line := []byte{}
	if r.first {
		r.first = false
		if mark, _ := r.in.Peek(len(byteOrder)); string(mark) == byteOrder {
			_, _ = r.in.Discard(len(byteOrder))
		}
	}
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

// ended reports whether a stream was ended by the server, as opposed to broken off.
func ended(err error) bool { return errors.Is(err, io.EOF) }
