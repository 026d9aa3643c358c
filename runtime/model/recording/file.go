package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile limits a recording, in bytes: it is read into memory.
const maxFile = 256 << 20

// Read reads a recording. Errors name the file and the line.
func Read(path string) ([]Exchange, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fileError(path, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file; a recording is a file of JSON lines", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is larger than %d MiB; record less in one file", path, maxFile>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	return Parse(path, data)
}

// Parse parses the text of a recording; errors call it name.
func Parse(name string, data []byte) ([]Exchange, error) {
	var out []Exchange
	for text := range bytes.Lines(bytes.TrimRight(data, "\r\n")) {
		e, err := unmarshalLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d %w", name, len(out)+1, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// Write writes exchanges, sorted, to a file. The file is either the old one or the
// complete new one, even if the program is killed.
func Write(path string, all []Exchange) error {
	Sort(all)
	var b bytes.Buffer
	for _, e := range all {
		text, err := e.MarshalLine()
		if err != nil {
			return fmt.Errorf("%s cannot hold an exchange: %w", path, err)
		}
		b.Write(text)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fileError(path, err)
	}
	_, err = f.Write(b.Bytes())
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fileError(path, err)
	}
	return nil
}

// fileError names the recording in an error, only once.
func fileError(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return fmt.Errorf("recording %s: %w", path, err)
}
