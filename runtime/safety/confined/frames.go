package confined

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// A frame from the child is a kind byte, a uvarint length and that many bytes of payload.
const (
	frameStep   = 's' // the step it is about to start
	frameBreach = 'x' // the cause for which it ends
	frameResult = 'r' // the result of the work
)

// framer writes frames atomically; it may be used by several goroutines.
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

func (f *framer) writeStep(s string) { _ = f.write(frameStep, []byte(s)) }

// heard is everything that a child has sent.
type heard struct {
	step   string
	cause  string
	result []byte // nil if there was none
}

var errFrame = errors.New("invalid frame")

// readFrames reads frames until EOF. It holds at most MaxResult bytes of a frame.
func readFrames(in io.Reader) (h heard, err error) {
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
