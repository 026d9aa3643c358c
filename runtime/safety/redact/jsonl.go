package redact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxLine is the longest line that JSONL reads, in bytes.
const maxLine = 64 << 20

// maxPath is the longest path that rules check, in bytes.
const maxPath = 4 << 10

// JSONL reads lines {"id": …, "text": "…"} and writes a line {"id": …, "redacted": "…"} for each, in the same order.
// The id may be any JSON value and is copied, except for tokens of a known kind in it; an optional "path" is the
// root-relative path of the text. Empty lines are skipped. A line that is not such an object ends the work with an
// error that has its number; the lines before it are written.
func (r *Redactor) JSONL(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	err := r.redactLines(in, w)
	if flushErr := w.Flush(); flushErr != nil && err == nil {
		err = fmt.Errorf("write redacted lines: %w", flushErr)
	}
	return err
}

func (r *Redactor) redactLines(in io.Reader, w *bufio.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		id, path, text, err := readRecord(lines.Bytes())
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if len(path) > maxPath {
			path = ""
		}
		redacted, _ := r.RedactFile(path, text)
		record := struct {
			ID       json.RawMessage `json:"id"`
			Redacted string          `json:"redacted"`
		}{r.cleanID(id), redacted}
		if err := enc.Encode(record); err != nil {
			return fmt.Errorf("write redacted lines: %w", err)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: longer than %d MiB", n+1, maxLine>>20)
	}
	if lines.Err() != nil {
		return fmt.Errorf("read lines: %w", lines.Err())
	}
	return nil
}

// cleanID removes secrets from an ID. Values that merely look random stay, since IDs do.
func (r *Redactor) cleanID(id json.RawMessage) json.RawMessage {
	text := string(id)
	spans := slices.DeleteFunc(r.findSpans("", text, newWatch(len(text))), func(s span) bool { return s.by.rank == rankGeneric })
	if len(spans) == 0 {
		return id
	}
	if clean := []byte(replaceSpans(text, spans)); json.Valid(clean) {
		return clean
	}
	return json.RawMessage(`"` + markFor(withheldID) + `"`)
}

func readRecord(line []byte) (id json.RawMessage, path, text string, err error) {
	var record struct {
		ID   json.RawMessage `json:"id"`
		Path string          `json:"path"`
		Text *string         `json:"text"`
	}
	var syntax *json.SyntaxError
	switch err = json.Unmarshal(line, &record); {
	case errors.As(err, &syntax):
		return nil, "", "", fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	case err != nil:
		return nil, "", "", fmt.Errorf(`want an object {"id", "text"}: %w`, err)
	case record.ID == nil:
		return nil, "", "", errors.New(`"id" is missing`)
	case record.Text == nil:
		return nil, "", "", errors.New(`"text" is missing`)
	}
	return record.ID, record.Path, *record.Text, nil
}
