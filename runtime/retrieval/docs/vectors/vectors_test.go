package vectors

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

func TestRowsKeepDirections(t *testing.T) {
	r, err := NewRows([][]float32{{3, 4, 0}, {0, 0, 0}, {-1, 0.5, 1e-9}})
	if err != nil || r.Len() != 3 || r.Check(3) != nil || !errors.Is(r.Check(2), ErrRows) {
		t.Fatal(r, err)
	}
	out := make([]float32, 9)
	r.Into(out)
	for i, want := range []float64{0.6, 0.8, 0, 0, 0, 0, -0.8944, 0.4472, 0} {
		if math.Abs(float64(out[i])-want) > 0.005 {
			t.Errorf("number %d is %v, want %v", i, out[i], want)
		}
	}
	for _, list := range [][][]float32{{{1, 2}, {1}}, {{}}, {make([]float32, MaxDims+1)}} {
		if _, err := NewRows(list); err == nil {
			t.Errorf("rows of %d and more numbers are kept", len(list[0]))
		}
	}
}

func TestReadText(t *testing.T) {
	for text, want := range map[string]string{
		"3 2\na 1 0\nb 0 1\nc 1 1\n": "",
		"a 1 0\nb 0 1":               "",
		"":                           "no word",
		"a\n":                        "no word",
		"a 1 2\nb 1\n":               "line 2",
		"a 1 2\nb\n":                 "line 2",
		"a 1 x\n":                    "line 1",
		"a NaN 1\n":                  "not a number",
	} {
		s, err := ReadText(strings.NewReader(text))
		if want == "" && (err != nil || s.dims != 2) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// safetensors writes a tensor as Model2Vec does.
func safetensors(kind string, rows, dims int, numbers []byte) []byte {
	head := fmt.Sprintf(`{"embeddings":{"dtype":%q,"shape":[%d,%d],"data_offsets":[0,%d]}}`, kind, rows, dims, len(numbers))
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	return append(append(out, head...), numbers...)
}

const tokenizer = `{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
	"vocab":{"[UNK]":0,"car":1,"##s":2,"cafe":3,".":4}}}`

func TestFolderOfModel2Vec(t *testing.T) {
	var f32, f16 bytes.Buffer
	for i := range 10 {
		_ = binary.Write(&f32, binary.LittleEndian, float32(i))
		_ = binary.Write(&f16, binary.LittleEndian, []uint16{0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800, 0x4880}[i])
	}
	for kind, data := range map[string][]byte{"F32": f32.Bytes(), "F16": f16.Bytes(), "I8": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		dir := t.TempDir()
		for name, content := range map[string][]byte{"model.safetensors": safetensors(kind, 5, 2, data), "tokenizer.json": []byte(tokenizer)} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := OpenStatic(os.DirFS(dir), ".")
		if err != nil {
			t.Fatal(kind, err)
		}
		v, parts, err := s.Question(t.Context(), "Cars, CAFÉ. unknownword")
		var keys []string
		for _, p := range parts {
			keys = append(keys, p.Key)
		}
		if err != nil || strings.Join(keys, " ") != "car ##s cafe ." || v[0] != 2+4+6+8 || v[1] != 3+5+7+9 {
			t.Errorf("%s: %v of %v, %v", kind, v, keys, err)
		}
	}
}

func TestDamagedFolders(t *testing.T) {
	good := safetensors("I8", 5, 2, make([]byte, 10))
	for name, c := range map[string][2][]byte{
		"nothing":         {nil, []byte(tokenizer)},
		"cut":             {good[:len(good)-1], []byte(tokenizer)},
		"a long head":     {append(bytes.Repeat([]byte{0xff}, 8), good...), []byte(tokenizer)},
		"another type":    {safetensors("BF16", 5, 2, make([]byte, 20)), []byte(tokenizer)},
		"too few rows":    {safetensors("I8", 2, 2, make([]byte, 4)), []byte(tokenizer)},
		"no vocabulary":   {good, []byte(`{"model":{"type":"WordPiece"}}`)},
		"other tokens":    {good, []byte(`{"model":{"type":"BPE"}}`)},
		"no tokenizer":    {good, nil},
		"a negative size": {bytes.ReplaceAll(good, []byte("[5,2]"), []byte("[5,-]")), []byte(tokenizer)},
	} {
		if _, err := readModel(c[0], c[1]); !errors.Is(err, ErrTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadText(f *testing.F) {
	f.Add("a 1 2\nb 3 4\n")
	f.Add("2 3\n\xff 1e39 2 3")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadText(strings.NewReader(text))
		if err != nil {
			return
		}
		if _, err := s.Passages(t.Context(), []string{text}); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzReadModel(f *testing.F) {
	f.Add(safetensors("I8", 5, 2, make([]byte, 10)), []byte(tokenizer), "cars")
	f.Add(safetensors("F16", 5, 2, make([]byte, 20)), []byte(tokenizer), "\xff")
	f.Fuzz(func(t *testing.T, tensors, tokens []byte, text string) {
		if s, err := readModel(tensors, tokens); err == nil {
			if _, _, err := s.Question(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// shortWindow takes texts of so many bytes.
type shortWindow int

func (w shortWindow) Embed(_ context.Context, texts []string) (out [][]float32, err error) {
	for _, text := range texts {
		if len(text) > int(w) {
			return nil, &model.Error{Kind: model.Overflow, Message: "too long"}
		}
		out = append(out, []float32{float32(len(text)), 1})
	}
	return out, nil
}

// Of a text that the model cannot take the beginning is; the others are taken whole.
func TestLongTextsAreHalved(t *testing.T) {
	e := &Endpoint{From: shortWindow(300), Passage: "passage: ", Mask: func(s string) string { return strings.ReplaceAll(s, "secret", "•") }}
	got, err := e.Passages(t.Context(), []string{"short", strings.Repeat("ä", 500), "secret"})
	if err != nil || len(got) != 3 || got[0][0] != 14 || got[1][0] > 300 || got[1][0] < 150 || got[2][0] != 9+3 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := (&Endpoint{From: shortWindow(10)}).Passages(t.Context(), []string{strings.Repeat("a", 500)}); !model.Is(err, model.Overflow) {
		t.Errorf("%v of a window that nothing fits", err)
	}
	vectors, err := (&Endpoint{Query: "query: ", From: shortWindow(300)}).Passages(t.Context(), []string{""})
	if err != nil || vectors[0][0] != 0 {
		t.Errorf("%v, %v", vectors, err)
	}
}

func TestLegScoresOverTheMean(t *testing.T) {
	rows, err := NewRows([][]float32{{1, 0}, {0.8, 0.6}, {0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable(2, 4) // the last passage has none
	table.Put(0, rows)
	l := NewLeg("x", table, []float32{2, 0}, nil)
	allow := index.NewSet(4)
	for _, p := range []int{0, 1, 3} {
		allow.Add(p)
	}
	scores := make([]float64, 4)
	if err := l.Score(t.Context(), nil, allow, scores); err != nil {
		t.Fatal(err)
	}
	for p, want := range []float64{0.1, -0.1, 0, 0} {
		if math.Abs(scores[p]-want) > 0.01 {
			t.Errorf("passage %d scores %v, want %v", p, scores[p], want)
		}
	}
	parts, err := l.Explain(t.Context(), nil, []int{0, 3})
	if err != nil || len(parts[0]) != 2 || len(parts[1]) != 0 || math.Abs(parts[0][0].Score+parts[0][1].Score-scores[0]) > 1e-9 {
		t.Errorf("%+v, %v", parts, err)
	}
}
