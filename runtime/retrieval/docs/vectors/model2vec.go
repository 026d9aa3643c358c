package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of the files of a folder, in bytes.
const (
	maxTensors   = 4*maxFlat + 1<<20
	maxTokenizer = 256 << 20
)

// maxLetters limits the letters of a word that is split: the time for that grows with their square.
const maxLetters = 1_000

func readWhole(in fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(in, name)
	if err == nil {
		err = checkRegular(info, name, most)
	}
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(in, name)
}

// openFolder reads a table in the form that Model2Vec writes.
func openFolder(in fs.FS, dir string) (*Static, error) {
	tensors, err := readWhole(in, path.Join(dir, "model.safetensors"), maxTensors)
	if err != nil {
		return nil, err
	}
	tokenizer, err := readWhole(in, path.Join(dir, "tokenizer.json"), maxTokenizer)
	if err != nil {
		return nil, err
	}
	s, err := readModel(tensors, tokenizer)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return s, nil
}

// readModel reads the tensor "embeddings", with a row per token, and the tokens.
func readModel(tensors, tokenizer []byte) (*Static, error) {
	s := &Static{}
	rows, err := s.readTensor(tensors)
	if err != nil {
		return nil, err
	}
	if s.ids, s.pieces, err = readTokenizer(tokenizer); err != nil {
		return nil, err
	}
	for token, id := range s.ids {
		if id < 0 || int(id) >= rows {
			return nil, fmt.Errorf("%w: token %.40q is number %d of %d", ErrTable, token, id, rows)
		}
	}
	sum := sha256.Sum256(append(bytes.Clone(tensors), tokenizer...))
	s.id = LegStatic + "-" + hex.EncodeToString(sum[:8])
	return s, nil
}

// readTensor reads the rows: the length of the header in 64 bits, the header in JSON, and the
// numbers.
func (s *Static) readTensor(data []byte) (rows int, err error) {
	if len(data) < 8 {
		return 0, fmt.Errorf("%w: model.safetensors is empty", ErrTable)
	}
	size := binary.LittleEndian.Uint64(data)
	if size > uint64(len(data)-8) {
		return 0, fmt.Errorf("%w: model.safetensors is cut", ErrTable)
	}
	var head map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+size], &head); err != nil {
		return 0, fmt.Errorf("%w: the head of model.safetensors: %w", ErrTable, err)
	}
	var t struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	if err := json.Unmarshal(head["embeddings"], &t); err != nil {
		return 0, fmt.Errorf("%w: model.safetensors has no tensor embeddings", ErrTable)
	}
	wide := map[string]int{"F32": 4, "F16": 2, "I8": 1}[t.Type]
	body := data[8+size:]
	switch {
	case wide == 0:
		return 0, fmt.Errorf("%w: numbers are of type %.20q: want F32, F16 or I8", ErrTable, t.Type)
	case len(t.Shape) != 2 || len(t.Offsets) != 2 || t.Shape[0] < 1 || t.Shape[0] > maxWords || t.Shape[1] < 2 || t.Shape[1] > MaxDims || t.Shape[0]*t.Shape[1] > maxFlat,
		t.Offsets[0] < 0 || t.Offsets[1] > len(body) || t.Offsets[1]-t.Offsets[0] != t.Shape[0]*t.Shape[1]*wide:
		return 0, fmt.Errorf("%w: embeddings are %v at %v of %d bytes", ErrTable, t.Shape, t.Offsets, len(body))
	}
	s.dims = t.Shape[1]
	s.flat = make([]float32, t.Shape[0]*s.dims)
	readNumbers(s.flat, body[t.Offsets[0]:t.Offsets[1]], wide)
	return t.Shape[0], nil
}

// readNumbers reads numbers of wide bytes each; a value that is not a number, or too large, becomes 0.
func readNumbers(to []float32, from []byte, wide int) {
	for i := range to {
		switch at := from[i*wide:]; wide {
		case 4:
			to[i] = math.Float32frombits(binary.LittleEndian.Uint32(at))
		case 2:
			to[i] = fromFloat16(binary.LittleEndian.Uint16(at))
		default:
			to[i] = float32(int8(at[0]))
		}
		if !(math.Abs(float64(to[i])) <= maxValue) {
			to[i] = 0
		}
	}
}

// fromFloat16 converts a number of 16 bits (IEEE 754).
func fromFloat16(b uint16) float32 {
	sign, exponent, fraction := float64(1), int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		return 0
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}

// pieces splits words into those that a table has (WordPiece).
type pieces struct {
	inner string // before a piece that does not begin a word
	most  int    // maximum characters of a word; longer ones are unknown
	lower bool
	bare  bool // without accents
}

// readTokenizer reads the vocabulary of a tokenizer.json.
func readTokenizer(data []byte) (map[string]int32, *pieces, error) {
	var t struct {
		Normalizer struct {
			Type  string `json:"type"`
			Lower *bool  `json:"lowercase"`
			Strip *bool  `json:"strip_accents"`
		} `json:"normalizer"`
		Model struct {
			Type  string          `json:"type"`
			Unk   string          `json:"unk_token"`
			Inner string          `json:"continuing_subword_prefix"`
			Most  int             `json:"max_input_chars_per_word"`
			Vocab json.RawMessage `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, nil, fmt.Errorf("%w: tokenizer.json: %w", ErrTable, err)
	}
	if t.Model.Type != "WordPiece" {
		return nil, nil, fmt.Errorf("%w: the tokenizer is %.20q: want WordPiece", ErrTable, t.Model.Type)
	}
	var ids map[string]int32
	if err := json.Unmarshal(t.Model.Vocab, &ids); err != nil || len(ids) == 0 {
		return nil, nil, fmt.Errorf("%w: tokenizer.json has no vocabulary", ErrTable)
	}
	delete(ids, t.Model.Unk) // unknown pieces add nothing
	p := &pieces{inner: t.Model.Inner, most: t.Model.Most}
	if p.most <= 0 {
		p.most = 100
	}
	p.most = min(p.most, maxLetters)
	p.lower = t.Normalizer.Lower != nil && *t.Normalizer.Lower || t.Normalizer.Type == "Lowercase"
	p.bare = t.Normalizer.Strip != nil && *t.Normalizer.Strip || t.Normalizer.Strip == nil && p.lower
	return ids, p, nil
}

// each calls emit for the pieces of a text.
func (p *pieces) each(text string, ids map[string]int32, emit func(string, int32)) {
	if p.lower {
		text = strings.ToLower(text)
	}
	if p.bare {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	start := -1
	for i, r := range text {
		alone := unicode.IsPunct(r) || unicode.IsSymbol(r)
		if alone || unicode.IsSpace(r) {
			if start >= 0 {
				p.splitWord(text[start:i], ids, emit)
				start = -1
			}
			if id, ok := ids[string(r)]; alone && ok {
				emit(string(r), id)
			}
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		p.splitWord(text[start:], ids, emit)
	}
}

// splitWord splits a word greedily, the longest piece first. A word that cannot be split completely is
// unknown.
func (p *pieces) splitWord(word string, ids map[string]int32, emit func(string, int32)) {
	if utf8.RuneCountInString(word) > p.most {
		return
	}
	runes := []rune(word)
	type piece struct {
		text string
		id   int32
	}
	var list []piece
	for at := 0; at < len(runes); {
		end := len(runes)
		for ; end > at; end-- {
			text := string(runes[at:end])
			if at > 0 {
				text = p.inner + text
			}
			if id, ok := ids[text]; ok {
				list = append(list, piece{text, id})
				break
			}
		}
		if end == at {
			return
		}
		at = end
	}
	for _, x := range list {
		emit(x.text, x.id)
	}
}
