package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"time"
)

// inputLine is one line; long is its length if it was over the limit, in which case there is no data.
type inputLine struct {
	data []byte
	long int
}

// readLines sends the lines of in until it ends, cannot be read or ctx ends. Lines longer than limit are skipped,
// without keeping them in memory. Empty lines are skipped; a last line without a line feed counts.
func readLines(ctx context.Context, in io.Reader, limit int, lines chan<- inputLine) error {
	r := bufio.NewReaderSize(in, 16<<10)
	for {
		l, err := readLine(r, limit)
		if l.long > 0 || len(l.data) > 0 {
			select {
			case lines <- l:
			case <-ctx.Done():
				return nil
			}
		}
		if err != nil {
			return readError(err)
		}
	}
}

func readLine(r *bufio.Reader, limit int) (inputLine, error) {
	var data []byte
	total := 0
	for {
		part, err := r.ReadSlice('\n')
		total += len(part)
		if total <= limit+1 { // the line feed is not counted
			data = append(data, part...)
		} else {
			data = nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if size := total - bytes.Count(part, []byte("\n")); size > limit {
			return inputLine{long: size}, err
		}
		return inputLine{data: bytes.Trim(data, " \t\r\n")}, err // JSON white space, nothing else
	}
}

// readError drops the errors by which clients normally end.
func readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, fs.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) || isReset(err) {
		return nil
	}
	return err
}

// interruptRead ends a pending read of in, and reports whether that is certain.
func interruptRead(in io.Reader) bool {
	if d, ok := in.(interface{ SetReadDeadline(time.Time) error }); ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
		return true
	}
	if f, ok := in.(*os.File); ok {
		// Closing a file does not end a read of it if the system only has blocking reads.
		f.Close()
		return false
	}
	if c, ok := in.(io.Closer); ok {
		c.Close()
		return true
	}
	return false
}
