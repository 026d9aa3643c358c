package vectors

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// LegStatic is the name of the leg of a table of words.
const LegStatic = "static"

// Static is the tier of a table with a vector for each word, or for each piece of a word. The
// vector of a text is their sum.
type Static struct {
	id     string
	dims   int
	ids    map[string]int32
	flat   []float32
	pieces *pieces // nil if words are whole
}

// Limits of a table.
const (
	maxWords = 4_000_000
	maxFlat  = 1 << 29 // numbers
	maxRow   = 1 << 20 // bytes of a line
	maxText  = 8 << 30 // bytes of a text file
	maxValue = 1e30    // of a number: the sum over all words of a text still fits 32 bits
)

// ErrTable reports that a file is not a table.
var ErrTable = errors.New("not a table of word vectors")

// OpenStatic reads a table: a folder with model.safetensors and tokenizer.json, as Model2Vec writes
// them, or a text file with a word and its numbers per line, like GloVe's.
func OpenStatic(in fs.FS, path string) (*Static, error) {
	info, err := fs.Stat(in, path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(in, path)
	}
	if err := checkRegular(info, path, maxText); err != nil {
		return nil, err
	}
	f, err := in.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := ReadText(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// checkRegular rejects files that would block or never end: a pipe, a device.
func checkRegular(info fs.FileInfo, path string, most int64) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w: want a file", path, ErrTable)
	}
	if info.Size() > most {
		return fmt.Errorf("%s: %w: it has %d bytes, more than %d", path, ErrTable, info.Size(), most)
	}
	return nil
}

// ReadText reads lines of a word and its numbers. A first line of two whole numbers, as word2vec
// writes it, is skipped. The words must be sorted by how common they are: the more common, the less
// a word counts, by the logarithm of its position.
func ReadText(in io.Reader) (*Static, error) {
	sum := sha256.New()
	s := &Static{ids: map[string]int32{}}
	lines := bufio.NewScanner(io.TeeReader(in, sum))
	lines.Buffer(nil, maxRow)
	for n := 1; lines.Scan(); n++ {
		word, numbers, ok := strings.Cut(strings.TrimRight(lines.Text(), " \r"), " ")
		if !ok || n == 1 && isCount(word) && isCount(numbers) {
			if n == 1 || word == "" {
				continue
			}
			return nil, fmt.Errorf("line %d: %w: want a word and its numbers", n, ErrTable)
		}
		if err := s.addWord(word, numbers); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	if len(s.ids) == 0 {
		return nil, fmt.Errorf("%w: there is no word in it", ErrTable)
	}
	s.id = LegStatic + "-" + hex.EncodeToString(sum.Sum(nil)[:8])
	return s, nil
}

func isCount(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

// addWord adds a word with its numbers.
func (s *Static) addWord(word, numbers string) error {
	fields := strings.Fields(numbers)
	if s.dims == 0 {
		s.dims = len(fields)
	}
	if len(fields) != s.dims || s.dims < 2 || s.dims > MaxDims {
		return fmt.Errorf("%w: %d numbers, and %d before", ErrTable, len(fields), s.dims) // quotes no word: it may be a file of secrets
	}
	if len(s.ids) >= maxWords || len(s.flat) >= maxFlat {
		return fmt.Errorf("%w: more than %d words", ErrTable, len(s.ids))
	}
	if _, twice := s.ids[word]; twice {
		return nil
	}
	weight := float32(math.Log(float64(2 + len(s.ids))))
	for _, f := range fields {
		x, err := strconv.ParseFloat(f, 32)
		if err != nil || !(math.Abs(x) <= maxValue) {
			return fmt.Errorf("%w: what follows the word is not a number", ErrTable)
		}
		s.flat = append(s.flat, weight*float32(x))
	}
	s.ids[word] = int32(len(s.ids))
	return nil
}

// Name returns static.
func (s *Static) Name() string { return LegStatic }

// ID returns an id made from the bytes of the table.
func (s *Static) ID() string { return s.id }

// Passages adds up the vectors of the words of each text.
func (s *Static) Passages(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = make([]float32, s.dims)
		s.each(t, func(_ string, id int32) { s.add(out[i], id) })
	}
	return out, ctx.Err()
}

// Question adds up the vectors of its words, and returns the part of each.
func (s *Static) Question(ctx context.Context, text string) ([]float32, []Part, error) {
	v := make([]float32, s.dims)
	var parts []Part
	at := map[int32]int{}
	s.each(text, func(word string, id int32) {
		s.add(v, id)
		if _, known := at[id]; !known {
			at[id] = len(parts)
			parts = append(parts, Part{Key: word, Vector: make([]float32, s.dims)})
		}
		s.add(parts[at[id]].Vector, id)
	})
	return v, parts, ctx.Err()
}

func (s *Static) add(v []float32, id int32) {
	for i, x := range s.flat[int(id)*s.dims : (int(id)+1)*s.dims] {
		v[i] += x
	}
}

// each calls emit for the words of a text that the table has.
func (s *Static) each(text string, emit func(word string, id int32)) {
	if s.pieces != nil {
		s.pieces.each(text, s.ids, emit)
		return
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }) {
		id, ok := s.ids[word]
		if !ok {
			word = strings.ToLower(word)
			id, ok = s.ids[word]
		}
		if ok {
			emit(word, id)
		}
	}
}
