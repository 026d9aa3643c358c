package vectors

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// LegEmbeddings is the name of the leg of an endpoint.
const LegEmbeddings = "embeddings"

// Embedder returns one vector per text. A model.Limiter is an Embedder.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Endpoint is the tier of an embedding model.
type Endpoint struct {
	From     Embedder
	Model    string              // identifies it, and its server
	Query    string              // put before a question, as the model was trained
	Passage  string              // put before a passage
	Wait     time.Duration       // for the vector of a question
	MostText int                 // maximum bytes of a passage that are sent; 0 for all
	Mask     func(string) string // for outgoing text; nil for none

	mu    sync.Mutex
	asked list.List // of *asked, the latest first
}

// Name returns embeddings.
func (e *Endpoint) Name() string { return LegEmbeddings }

// ID returns an id made from the model and the settings for passages.
func (e *Endpoint) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "endpoint %q %q %d", e.Model, e.Passage, e.MostText))
	return LegEmbeddings + "-" + hex.EncodeToString(sum[:8])
}

// Passages requests the vectors of texts. Of a text that is too long for the model the first half
// is sent, and then the half of that.
func (e *Endpoint) Passages(ctx context.Context, texts []string) ([][]float32, error) {
	sent := make([]string, len(texts))
	for i, t := range texts {
		sent[i] = e.Passage + truncateText(e.maskText(t), e.MostText)
	}
	return e.embed(ctx, sent)
}

// embed requests the vectors of all texts at once, or of fewer at a time if one is too long.
func (e *Endpoint) embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := e.From.Embed(ctx, texts)
	if !model.Is(err, model.Overflow) {
		return out, checkCount(out, len(texts), err)
	}
	if len(texts) > 1 {
		first, err := e.embed(ctx, texts[:len(texts)/2])
		if err != nil {
			return nil, err
		}
		rest, err := e.embed(ctx, texts[len(texts)/2:])
		return append(first, rest...), err
	}
	half := truncateText(texts[0], len(texts[0])/2)
	if len(half) < 64 {
		return nil, err
	}
	return e.embed(ctx, []string{half})
}

func checkCount(out [][]float32, want int, err error) error {
	if err == nil && len(out) != want {
		return fmt.Errorf("%d vectors came for %d texts", len(out), want)
	}
	return err
}

// truncateText returns the beginning of a text, in whole characters; all of it for 0.
func truncateText(text string, bytes int) string {
	if bytes <= 0 || len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes]
}

func (e *Endpoint) maskText(s string) string {
	if e.Mask == nil {
		return s
	}
	return e.Mask(s)
}

// asked is a question with its vector.
type asked struct {
	text string
	v    []float32
}

// maxAsked limits the questions that are remembered.
const maxAsked = 256

// Question returns the vector of a question, which is requested once.
func (e *Endpoint) Question(ctx context.Context, text string) ([]float32, []Part, error) {
	text = e.Query + e.maskText(strings.TrimSpace(text))
	if v := e.recallVector(text); v != nil {
		return v, nil, nil
	}
	if e.Wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.Wait)
		defer cancel()
	}
	out, err := e.embed(ctx, []string{text})
	if err != nil {
		return nil, nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked.PushFront(&asked{text, out[0]})
	for e.asked.Len() > maxAsked {
		e.asked.Remove(e.asked.Back())
	}
	return out[0], nil, nil
}

func (e *Endpoint) recallVector(text string) []float32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	for at := e.asked.Front(); at != nil; at = at.Next() {
		if q := at.Value.(*asked); q.text == text {
			e.asked.MoveToFront(at)
			return q.v
		}
	}
	return nil
}
