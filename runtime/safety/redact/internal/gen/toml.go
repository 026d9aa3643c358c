package main

import (
	"fmt"
	"strconv"
	"strings"
)

// table is one [name] or [[name]] section of the rule file: scalar strings and numbers hold one value, arrays many.
type table struct {
	name   string
	values map[string][]string
}

// readTOML parses the part of TOML that gitleaks uses: sections, and keys with a string, a number or an array of
// strings. Anything else is an error, so that a change of the file's format is noticed and not skipped.
func readTOML(src string) ([]table, error) {
	tables := []table{{values: map[string][]string{}}}
	r := reader{rest: src}
	for {
		r.skipSpace()
		if r.rest == "" {
			return tables, nil
		}
		if strings.HasPrefix(r.rest, "[") {
			line, _, _ := strings.Cut(r.rest, "\n")
			tables = append(tables, table{name: strings.Trim(line, "[] \t\r"), values: map[string][]string{}})
			r.rest = r.rest[len(line):]
			continue
		}
		key, rest, ok := strings.Cut(r.rest, "=")
		if !ok {
			return nil, fmt.Errorf("no key at %.40q", r.rest)
		}
		r.rest = rest
		values, err := r.readValue()
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", strings.TrimSpace(key), err)
		}
		tables[len(tables)-1].values[strings.TrimSpace(key)] = values
	}
}

type reader struct{ rest string }

// skipSpace skips blanks, line ends and comments.
func (r *reader) skipSpace() {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\n")
		if !strings.HasPrefix(r.rest, "#") {
			return
		}
		_, r.rest, _ = strings.Cut(r.rest, "\n")
	}
}

func (r *reader) readValue() ([]string, error) {
	r.skipSpace()
	if !strings.HasPrefix(r.rest, "[") {
		v, err := r.readScalar()
		return []string{v}, err
	}
	r.rest = r.rest[1:]
	var list []string
	for {
		r.skipSpace()
		if strings.HasPrefix(r.rest, "]") {
			r.rest = r.rest[1:]
			return list, nil
		}
		v, err := r.readScalar()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		r.skipSpace()
		r.rest = strings.TrimPrefix(r.rest, ",")
	}
}

func (r *reader) readScalar() (string, error) {
	for _, quote := range []string{`'''`, `"""`, `'`} {
		if strings.HasPrefix(r.rest, quote) {
			v, rest, ok := strings.Cut(r.rest[len(quote):], quote)
			if !ok || quote == `"""` && strings.Contains(v, `\`) {
				return "", fmt.Errorf("string at %.40q", r.rest)
			}
			r.rest = rest
			return v, nil
		}
	}
	if strings.HasPrefix(r.rest, `"`) {
		q, err := strconv.QuotedPrefix(r.rest)
		if err != nil {
			return "", err
		}
		r.rest = r.rest[len(q):]
		return strconv.Unquote(q)
	}
	end := strings.IndexAny(r.rest, ",] \t\r\n")
	if end <= 0 {
		return "", fmt.Errorf("value at %.40q", r.rest)
	}
	v := r.rest[:end]
	r.rest = r.rest[end:]
	_, err := strconv.ParseFloat(v, 64)
	return v, err
}
