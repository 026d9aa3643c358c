// Package recording records real exchanges with model servers and replays them. It
// works on HTTP requests and responses, below the adapters: a replay runs through the
// same adapter that the recording was made with, and reads byte for byte what the
// server sent.
//
// A recording is a file of JSON lines, one exchange per line. It never contains a key,
// a host, a query or a header other than content-type and retry-after.
package recording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// version of the lines that are written, and the only one that can be read.
const version = 1

// Exchange is one request and its response.
type Exchange struct {
	Provider    string // the adapter that sent it: openai or ollama
	Method      string
	Path        string // of the URL, escaped; no host, no query
	Request     []byte // canonical if it is JSON, else as sent
	Status      int    // 0 if there was no response
	ContentType string
	RetryAfter  string
	Body        []byte // as the server sent it
	End         End    // how the body ended
}

// line is an Exchange as stored in a file. Bytes that are not text are base64; a
// request is in the first of its three fields that can hold it.
type line struct {
	V             int             `json:"v"`
	Provider      string          `json:"provider"`
	Method        string          `json:"method"`
	Path          string          `json:"path"`
	Request       json.RawMessage `json:"request,omitempty"`
	RequestText   string          `json:"request_text,omitempty"`
	RequestBase64 []byte          `json:"request_base64,omitempty"`
	Status        int             `json:"status,omitempty"`
	Header        *header         `json:"header,omitempty"`
	Body          string          `json:"body,omitempty"`
	BodyBase64    []byte          `json:"body_base64,omitempty"`
	End           End             `json:"end,omitempty"`
}

type header struct {
	ContentType string `json:"content-type,omitempty"`
	RetryAfter  string `json:"retry-after,omitempty"`
}

// MarshalLine returns the exchange as one line of a file, including the newline.
func (e Exchange) MarshalLine() ([]byte, error) {
	l := line{V: version, Provider: e.Provider, Method: e.Method, Path: e.Path, Status: e.Status, End: e.End}
	request, isJSON := canonicalJSON(e.Request)
	switch {
	case isJSON:
		l.Request = request
	case utf8.Valid(e.Request):
		l.RequestText = string(e.Request)
	default:
		l.RequestBase64 = e.Request
	}
	if utf8.Valid(e.Body) {
		l.Body = string(e.Body)
	} else {
		l.BodyBase64 = e.Body
	}
	if e.ContentType != "" || e.RetryAfter != "" {
		l.Header = &header{e.ContentType, e.RetryAfter}
	}
	return marshalPlain(l)
}

// unmarshalLine parses one line, strictly: a misspelled field in a line edited by hand
// would otherwise result in a silently empty answer.
func unmarshalLine(data []byte) (Exchange, error) {
	var l line
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); errors.Is(err, io.EOF) {
		return Exchange{}, errors.New("is empty; a line is an exchange")
	} else if err != nil {
		return Exchange{}, fmt.Errorf("is not an exchange: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Exchange{}, errors.New("holds more than one exchange")
	}
	if err := l.check(); err != nil {
		return Exchange{}, err
	}
	e := Exchange{Provider: l.Provider, Method: l.Method, Path: l.Path, Status: l.Status, End: l.End}
	e.Request, _ = canonicalJSON(firstOf(l.Request, []byte(l.RequestText), l.RequestBase64))
	e.Body = firstOf([]byte(l.Body), l.BodyBase64)
	if l.Header != nil {
		e.ContentType, e.RetryAfter = l.Header.ContentType, l.Header.RetryAfter
	}
	return e, nil
}

func isProvider(provider string) bool { return provider == "openai" || provider == "ollama" }

func (l *line) check() error {
	switch {
	case l.V != version:
		return fmt.Errorf("has version %d; only %d can be read", l.V, version)
	case !isProvider(l.Provider):
		return fmt.Errorf("has provider %q; want openai or ollama", l.Provider)
	case l.Method == "" || !strings.HasPrefix(l.Path, "/"):
		return errors.New("needs a method and a path that begins with /")
	case l.Body != "" && l.BodyBase64 != nil:
		return errors.New("has both body and body_base64")
	case l.RequestText != "" && l.RequestBase64 != nil, l.Request != nil && (l.RequestText != "" || l.RequestBase64 != nil):
		return errors.New("has its request twice")
	case !l.End.isKnown():
		return fmt.Errorf("has end %q; want nothing or one of %s", l.End, joinEnds(ends))
	case l.Status == 0 && l.End == Whole:
		return errors.New("has neither status nor end")
	case l.Status != 0 && (l.Status < 100 || l.Status > 999):
		return fmt.Errorf("has status %d, which HTTP does not have", l.Status)
	}
	return nil
}

func firstOf(all ...[]byte) []byte {
	for _, b := range all {
		if len(b) > 0 {
			return b
		}
	}
	return nil
}

// matchKey returns what a request is matched by.
func (e Exchange) matchKey() string { return e.Method + " " + e.Path + "\n" + string(e.Request) }

// Sort sorts exchanges into the order in which recordings are written, by their
// requests. Equal requests keep their order, since they are answered in it. Exchanges
// run concurrently and end in any order; after sorting, the same ones give the same
// file.
func Sort(all []Exchange) {
	slices.SortStableFunc(all, func(a, b Exchange) int {
		return cmp.Or(strings.Compare(a.Provider, b.Provider), strings.Compare(a.Path, b.Path),
			strings.Compare(a.Method, b.Method), bytes.Compare(a.Request, b.Request))
	})
}
