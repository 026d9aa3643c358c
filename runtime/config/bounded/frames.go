package bounded

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// What a child says: a kind, a length and so many bytes.
const (
	frameStep   = 's' // what it is about to do, and with which file
	frameBreach = 'x' // the cause for which it ends
	frameResult = 'r' // a config.Loaded
)

// maxResult bounds a result, in bytes.
const maxResult = 32 << 20

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

func (f *framer) step(s config.Step) { _ = f.write(frameStep, []byte(s.Doing+"\x00"+s.Name)) }

// heard is all that a child has said.
type heard struct {
	step   config.Step
	cause  string
	result []byte // nil for none
}

var errFrame = errors.New("said what is no frame")

// hear reads frames to their end. It holds no more than maxResult bytes.
func hear(in io.Reader) (h heard, err error) {
	r := bufio.NewReader(in)
	for {
		kind, err := r.ReadByte()
		if err == io.EOF {
			return h, nil
		}
		size, bad := binary.ReadUvarint(r)
		if err != nil || bad != nil || size > maxResult {
			return h, errFrame
		}
		payload, err := io.ReadAll(io.LimitReader(r, int64(size)))
		if err != nil || uint64(len(payload)) < size {
			return h, errFrame
		}
		switch kind {
		case frameStep:
			doing, name, _ := strings.Cut(string(payload), "\x00")
			h.step = config.Step{Doing: doing, Name: name}
		case frameBreach:
			h.cause = string(payload)
		case frameResult:
			h.result = payload
		default:
			return h, errFrame
		}
	}
}
