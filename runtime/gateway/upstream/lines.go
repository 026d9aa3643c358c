package upstream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// errLong ends a connection: after a message that was not read to its end, the stream cannot be resynchronized.
type errLong struct{ limit int64 }

func (e errLong) Error() string {
	return fmt.Sprintf("a message is over the limit of %d bytes: ask for less, or raise its max_message", e.limit)
}

// lineReader reads lines of limited length. A line is held once; its bytes belong to the caller.
type lineReader struct {
	in    *bufio.Reader
	limit int64
}

func newLineReader(in io.Reader, limit int64) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), limit: limit}
}

// next returns the next line that is not empty, without surrounding space. Its errors are io.EOF, errLong and those of
// the input; a last line without a line feed counts.
func (r *lineReader) next() ([]byte, error) {
	for {
		line, err := r.line()
		line = bytes.Trim(line, " \t\r\n")
		if len(line) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *lineReader) line() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if int64(len(line)+len(part)) > r.limit+1 {
			return nil, errLong{r.limit}
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
