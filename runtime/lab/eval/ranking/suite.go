package ranking

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Document is a text of a suite.
type Document struct{ ID, Title, Text string }

// Query is a question of a suite, with the grades of the documents that were
// judged for it.
type Query struct {
	ID, Text string
	Grades   map[string]int
}

// Suite is a set of documents with judged queries.
type Suite struct {
	Name      string
	Documents []Document
	Queries   []Query // those that have a relevant document
	Unjudged  int     // queries without one, which are left out
}

// maxLine limits a line of a suite, in bytes.
const maxLine = 64 << 20

// Read reads a folder with corpus.jsonl, queries.jsonl and qrels.tsv, or the file split.tsv
// of the folder qrels: an empty split means test, or the only file there.
func Read(dir fs.FS, name, split string) (*Suite, error) {
	s := &Suite{Name: name}
	err := readLines(dir, "corpus.jsonl", func(id, title, text string) error {
		s.Documents = append(s.Documents, Document{id, title, text})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", name, err)
	}
	if err := s.readQuestions(dir, split); err != nil {
		return nil, fmt.Errorf("suite %s: %w", name, err)
	}
	if len(s.Documents) == 0 || len(s.Queries) == 0 {
		return nil, fmt.Errorf("suite %s: %d documents and %d queries with a relevant document: want at least one of each", name, len(s.Documents), len(s.Queries))
	}
	return s, nil
}

// Questions reads a folder without documents, whose judgements are about a collection.
func Questions(dir fs.FS, name, split string) (*Suite, error) {
	s := &Suite{Name: name}
	if err := s.readQuestions(dir, split); err != nil {
		return nil, fmt.Errorf("suite %s: %w", name, err)
	}
	if len(s.Queries) == 0 {
		return nil, fmt.Errorf("suite %s: no query has a relevant document", name)
	}
	return s, nil
}

func (s *Suite) readQuestions(dir fs.FS, split string) error {
	grades, err := readJudgements(dir, split)
	if err != nil {
		return err
	}
	return s.readQueries(dir, grades)
}

func (s *Suite) readQueries(dir fs.FS, grades map[string]map[string]int) error {
	return readLines(dir, "queries.jsonl", func(id, _, text string) error {
		switch judged := grades[id]; {
		case countRelevant(judged) > 0:
			s.Queries = append(s.Queries, Query{id, text, judged})
		default:
			s.Unjudged++
		}
		return nil
	})
}

// countRelevant counts the documents with a grade above 0.
func countRelevant(grades map[string]int) int {
	n := 0
	for _, g := range grades {
		if g > 0 {
			n++
		}
	}
	return n
}

// readLines calls take for each object of a file of JSON lines; ids must differ.
func readLines(dir fs.FS, file string, take func(id, title, text string) error) error {
	f, err := dir.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	seen := map[string]int{}
	for n := 1; lines.Scan(); n++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		var o struct {
			ID    string `json:"id"`
			BEIR  string `json:"_id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return fmt.Errorf("%s:%d: want an object {\"_id\", \"title\", \"text\"}: %w", file, n, err)
		}
		if o.ID == "" {
			o.ID = o.BEIR
		}
		if o.ID == "" || strings.ContainsFunc(o.ID, isSpace) {
			return fmt.Errorf("%s:%d: the id is %q: want one without spaces, in _id or id", file, n, o.ID)
		}
		if first := seen[o.ID]; first > 0 {
			return fmt.Errorf("%s:%d: the id %q stands on line %d already", file, n, o.ID, first)
		}
		seen[o.ID] = n
		if err := take(o.ID, o.Title, o.Text); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// readJudgements reads the grades by query and document.
func readJudgements(dir fs.FS, split string) (map[string]map[string]int, error) {
	file, err := judgementsFile(dir, split)
	if err != nil {
		return nil, err
	}
	f, err := dir.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseJudgements(f, file)
}

// judgementsFile returns the file that holds the judgements of a split.
func judgementsFile(dir fs.FS, split string) (string, error) {
	if _, err := fs.Stat(dir, "qrels.tsv"); err == nil && split == "" {
		return "qrels.tsv", nil
	}
	files, err := fs.Glob(dir, "qrels/*.tsv")
	if err != nil {
		return "", err
	}
	want := "qrels/test.tsv"
	if split != "" {
		want = "qrels/" + split + ".tsv"
	}
	switch {
	case slices.Contains(files, want):
		return want, nil
	case split == "" && len(files) == 1:
		return files[0], nil
	case len(files) == 0:
		return "", fmt.Errorf("there is neither qrels.tsv nor %s", want)
	}
	return "", fmt.Errorf("there is no %s; choose with --split one of %s", want, strings.Join(files, ", "))
}

// parseJudgements parses lines of query, document and grade, separated by tabs, as BEIR
// writes them, or TREC's lines with a column between the first two. A first line whose grade
// is not a number is a header.
func parseJudgements(in io.Reader, file string) (map[string]map[string]int, error) {
	grades := map[string]map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		columns := strings.Fields(lines.Text())
		if strings.Count(lines.Text(), "\t") >= 2 { // the path of a document may have spaces
			columns = strings.Split(strings.TrimSpace(lines.Text()), "\t")
		}
		if len(columns) == 0 {
			continue
		}
		if len(columns) != 3 && len(columns) != 4 {
			return nil, fmt.Errorf("%s:%d: %d columns: want query, document and grade", file, n, len(columns))
		}
		last := columns[len(columns)-1]
		grade, err := strconv.Atoi(last)
		if err != nil && n == 1 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: the grade is %q: want a whole number", file, n, last)
		}
		query, document := columns[0], columns[len(columns)-2]
		if grades[query] == nil {
			grades[query] = map[string]int{}
		}
		grades[query][document] = grade
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return grades, nil
}
