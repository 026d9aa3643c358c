package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Report is the reply to a question about code: the answer first, then what each role found. These
// sections are JSON members between references and meta, named by the configuration. A role that
// did not run has none.
type Report struct {
	Question      string              `json:"question" doc:"the question as it was asked"`
	RootsSearched []string            `json:"rootsSearched" doc:"directories that were searched"`
	Answer        string              `json:"answer" doc:"the direct answer with its evidence"`
	References    []string            `json:"references" doc:"where to look, best first: path, path:line or path:line:col"`
	Places        []string            `json:"places,omitempty" doc:"references that the answer does not tell of, each with its name and what it does"`
	Confidence    contract.Confidence `json:"confidence,omitempty" doc:"how far to trust the answer" enum:"low,med,high"`
	Sections      []Section           `json:"-"`
	Meta          Meta                `json:"meta" doc:"what was run, searched and cut"`
}

// Section is the outcome of one role. Its value is a contract.Result, or for other types a plain
// value; in a report that was decoded, raw JSON.
type Section struct {
	Name    string
	Outcome contract.Outcome[any]
}

// Meta says what a run did and what it left out.
type Meta struct {
	TasksSpawned int      `json:"tasksSpawned" doc:"stages and fan-out items that ran"`
	RolesRun     []string `json:"rolesRun" doc:"roles that ran, in order"`
	Timeouts     int      `json:"timeouts,omitempty" doc:"stages that ran out of time"`
	Keywords     []string `json:"keywords" doc:"what was searched for"`
	Limits       Limits   `json:"limits" doc:"budget used, and which limits were hit"`
	Notes        []string `json:"notes,omitempty" doc:"what was made of the call itself, and what the answer lacks"`
	Truncations  []string `json:"truncations,omitempty" doc:"what was cut to fit"`
	Dropped      int      `json:"dropped,omitempty" doc:"references that did not resolve and were dropped"`
	Redacted     int      `json:"redacted,omitempty" doc:"secrets masked in this reply"`
	Model        *Spoken  `json:"model,omitempty" doc:"what models did; left out where none was asked"`
	Artifact     string   `json:"artifact,omitempty" doc:"path of the handoff, when one was asked for"`
}

// Limits is the state of the ledger at the end.
type Limits struct {
	FilesScanned int      `json:"filesScanned" doc:"files ranked"`
	FilesRead    int      `json:"filesRead" doc:"files read as evidence"`
	BytesRead    int64    `json:"bytesRead" doc:"bytes read as evidence"`
	Hit          []string `json:"hit,omitempty" doc:"limits that cut the work short"`
}

// Spoken is what models did for a report.
type Spoken struct {
	Names     []string `json:"names" doc:"models that answered"`
	Calls     int      `json:"calls" doc:"requests sent"`
	Failed    int      `json:"failed,omitempty" doc:"requests without a usable reply"`
	TokensIn  int      `json:"tokensIn" doc:"tokens put before them"`
	TokensOut int      `json:"tokensOut" doc:"tokens they wrote"`
	Tools     int      `json:"tools,omitempty" doc:"tool calls made for them"`
	Refused   int      `json:"refused,omitempty" doc:"tool calls that their roles may not make"`
	Dropped   int      `json:"dropped,omitempty" doc:"claims left out because nothing supports them"`
}

// afterSections is the member that follows the sections.
const afterSections = "meta"

// reportMembers are the members that are not sections.
var reportMembers = []string{"question", "rootsSearched", "answer", "references", "places", "confidence", afterSections}

// Section returns the section of that name, or nil.
func (r Report) Section(name string) *Section {
	for i := range r.Sections {
		if r.Sections[i].Name == name {
			return &r.Sections[i]
		}
	}
	return nil
}

// Result returns the section's value; nil if it has none, or one of another type.
func (s *Section) Result() *contract.Result {
	if s == nil || s.Outcome.Value == nil {
		return nil
	}
	if r, ok := (*s.Outcome.Value).(contract.Result); ok {
		return &r
	}
	return nil
}

// MarshalJSON writes the sections as members between the others.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	all, err := rawjson.Marshal(plain(r))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = eachMember(all, func(name string, value json.RawMessage) error {
		if name == afterSections {
			for _, s := range r.Sections {
				v, err := rawjson.Marshal(s.Outcome)
				if err != nil {
					return err
				}
				writeMember(&b, s.Name, v)
			}
		}
		writeMember(&b, name, value)
		return nil
	})
	return append(b.Bytes(), '}'), err
}

func writeMember(b *bytes.Buffer, name string, value json.RawMessage) {
	b.WriteByte(map[bool]byte{true: '{', false: ','}[b.Len() == 0])
	key, _ := rawjson.Marshal(name) // a string always has a JSON form
	b.Write(key)
	b.WriteByte(':')
	b.Write(value)
}

// UnmarshalJSON treats members that are not the report's own as sections.
func (r *Report) UnmarshalJSON(raw []byte) error {
	type plain Report
	if err := json.Unmarshal(raw, (*plain)(r)); err != nil {
		return err
	}
	r.Sections = nil
	return eachMember(raw, func(name string, value json.RawMessage) error {
		if slices.Contains(reportMembers, name) {
			return nil
		}
		var o contract.Outcome[json.RawMessage]
		if err := json.Unmarshal(value, &o); err != nil {
			return fmt.Errorf("section %s: %w", name, err)
		}
		s := Section{name, contract.Outcome[any]{Status: o.Status, Error: o.Error, Timing: o.Timing}}
		if o.Value != nil {
			v := valueOf(*o.Value)
			s.Outcome.Value = &v
		}
		r.Sections = append(r.Sections, s)
		return nil
	})
}

// valueOf decodes a role's value: as a contract.Result if it has that form, else it stays raw.
func valueOf(raw json.RawMessage) any {
	var v any
	if json.Unmarshal(raw, &v) == nil {
		if r, ok := resultOf(v); ok {
			return r
		}
	}
	return raw
}

// resultOf returns a plain value as a contract.Result if it has that form.
func resultOf(v any) (r contract.Result, ok bool) {
	m, _ := v.(map[string]any)
	for _, member := range []string{"summary", "references", "key_findings"} {
		if m[member] == nil {
			return r, false
		}
	}
	r, err := catalog.Decode[contract.Result](m)
	return r, err == nil
}

// eachMember calls fn for the members of an object, in order.
func eachMember(raw json.RawMessage, fn func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("want an object: %w", err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		name, _ := key.(string) // a key is always a string
		if err := fn(name, value); err != nil {
			return err
		}
	}
	return nil
}
