package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// maxJSON bounds a body that is JSON, in bytes.
const maxJSON = 256 << 10

// maxDrained bounds how much of an oversized body is read and discarded, so that the
// sender gets to read the error response.
const maxDrained = 8 << 20

// Media types of bodies.
const (
	jsonMedia = "application/json"
	cueMedia  = "application/cue"
)

// readBody reads a body of the given media type and at most most bytes. Only media types
// that a web page cannot send cross-origin without a CORS preflight are accepted.
func readBody(w http.ResponseWriter, r *http.Request, kind string, most int64) ([]byte, error) {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || got != kind || r.Header.Get("Content-Encoding") != "" {
		return nil, NewProblem(BadMediaType, "this body is taken as plain "+kind, "send the header Content-Type: "+kind)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	var crowded interface{ Crowded() }
	switch {
	case errors.As(err, &crowded):
		w.Header().Set("Connection", "close")
		w.Header().Set("Retry-After", "1")
		return nil, NewProblem(Crowded, "the bodies of other requests take all room", "send it again in a moment")
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, NewProblem(TooSlow, "the body did not arrive whole and in time", "send it again")
	case int64(len(body)) > most:
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained) // a client that is still writing does not read the response
		w.Header().Set("Connection", "close")
		return nil, NewProblem(TooLarge, fmt.Sprintf("a body has at most %d bytes here", most), "send less")
	case !utf8.Valid(body):
		return nil, NewProblem(BadBody, "the body is not UTF-8 text", "send it as UTF-8")
	}
	return body, nil
}

// decodeObject parses a JSON object that may only have the fields of the schema.
func decodeObject(body []byte, s *schema.Schema, into any) error {
	members, err := parseObject(body)
	if err != nil {
		return err
	}
	for name := range members {
		if s.Field(name) == nil {
			do := "there are: " + strings.Join(s.Names(), ", ")
			if near := diag.Nearest(name, s.Names()); near != "" {
				do = "did you mean " + near + "?"
			}
			return NewProblem(BadBody, "field "+sanitize.Line(sanitize.Cut(name, 80))+" is not known", do)
		}
	}
	for _, f := range s.Fields {
		raw, there := members[f.Name]
		switch {
		case !there && f.Required:
			return NewProblem(BadBody, "field "+f.Name+" is missing", f.Schema.Doc)
		case there && string(raw) == "null" && !f.Schema.Nullable:
			return NewProblem(BadBody, "field "+f.Name+" is null: it is a "+f.Schema.Type, f.Schema.Doc)
		}
	}
	if err := json.Unmarshal(body, into); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && s.Field(wrong.Field) != nil {
			return NewProblem(BadBody, fmt.Sprintf("field %s is a %s: it is a %s", wrong.Field, wrong.Value, s.Field(wrong.Field).Schema.Type), "")
		}
		return NewProblem(BadBody, "the body does not have the form that is wanted", "see /openapi.json")
	}
	return nil
}

// parseObject parses a single JSON object and rejects trailing data.
func parseObject(body []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(body))
	err := d.Decode(&members)
	if err == nil && members == nil {
		err = errors.New("it is null")
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, NewProblem(BadBody, fmt.Sprintf("the body is not JSON: %s at byte %d", syntax.Error(), syntax.Offset), "send one JSON object")
	case errors.Is(err, io.EOF):
		return nil, NewProblem(BadBody, "the body is empty", "send one JSON object")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, NewProblem(BadBody, "the body is not JSON: it ends too early", "send one JSON object")
	case err != nil:
		return nil, NewProblem(BadBody, "the body is no JSON object", "send one JSON object")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, NewProblem(BadBody, "something stands behind the JSON object of the body", "send one JSON object")
	}
	return members, nil
}
