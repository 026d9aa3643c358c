package confined

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// What a child says: a kind, a length and so many bytes.
const (
	frameStep   = 's' // what it is about to do
	frameBreach = 'x' // the cause for which it ends
	frameResult = 'r' // what the work gave
)

// framer writes frames, whole, from any goroutine.
type framer struct {
	mu  sync.Mutex
	out io.Writer
}

func (f *framer) write(kind byte, payload []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	head := binary.AppendUvarint([]byte{kind}, uint64(len(payload)))
	if _, err := f.out.Write(append(head, payload[:min(len(payload), 1<<10)]...)); err != nil {
		return err
	}
	_, err := f.out.Write(payload[min(len(payload), 1<<10):])
	return err
}

func (f *framer) step(s string) { _ = f.write(frameStep, []byte(s)) }

// heard is all that a child has said.
type heard struct {
	step   string
	cause  string
	result []byte // nil for none
}

var errFrame = errors.New("invalid frame")

// hear reads frames to their end. It holds no more than MaxResult bytes.
func hear(in io.Reader) (h heard, err error) {
	r := bufio.NewReader(in)
	for {
		kind, err := r.ReadByte()
		if err == io.EOF {
			return h, nil
		}
		size, bad := binary.ReadUvarint(r)
		if err != nil || bad != nil || size > MaxResult {
			return h, errFrame
		}
		payload, err := io.ReadAll(io.LimitReader(r, int64(size)))
		if err != nil || uint64(len(payload)) < size {
			return h, errFrame
		}
		switch kind {
		case frameStep:
			h.step = string(payload)
		case frameBreach:
			h.cause = string(payload)
		case frameResult:
			h.result = payload
		default:
			return h, errFrame
		}
	}
}
