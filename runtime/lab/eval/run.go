package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Version is the version of the format in which a run is saved.
const Version = 1

// Choice says which questions were asked; equal choices of one repository
// give equal questions.
type Choice struct {
	Kind    string `json:"kind"`
	Commits int    `json:"commits"`
	Since   string `json:"since,omitempty"`
	Seed    uint64 `json:"seed"`
	Cases   bool   `json:"recorded,omitempty"` // read from a file, not made here
}

// Run is one complete evaluation: what --save writes and --against reads.
type Run struct {
	Version int      `json:"version"`
	Tool    string   `json:"tool"`
	Config  string   `json:"config"` // digest of the configuration
	Head    string   `json:"head,omitempty"`
	Choice  Choice   `json:"choice"`
	Looked  Looked   `json:"looked"`
	Groups  []Group  `json:"groups"`
	Levels  []Level  `json:"confidence"`
	Against []Row    `json:"against,omitempty"` // compared with another run; not saved
	Cases   []Result `json:"cases"`
}

// Looked says how the history's questions were found.
type Looked struct {
	Commits int      `json:"commits"`       // looked at
	Usable  int      `json:"usable"`        // of which the questions were drawn
	Out     []Reason `json:"out,omitempty"` // why the others fell out, the most frequent first
}

// Reason is why some commits gave no question.
type Reason struct {
	Why string `json:"why"`
	N   int    `json:"n"`
}

// Finish fills in the figures.
func (r *Run) Finish() {
	r.Version = Version
	r.Groups, r.Levels = Groups(r.Cases), Levels(r.Cases)
}

// Unresolved counts the references that do not resolve.
func (r *Run) Unresolved() int {
	n := 0
	for _, c := range r.Cases {
		n += c.Unresolved
	}
	return n
}

// Failed lists the questions that got no reply.
func (r *Run) Failed() []Result {
	return filterResults(r.Cases, func(c Result) bool { return c.Failed != "" })
}

// Misses returns the questions without a right file among the first five, the definitions
// whose line does not come first, and the questions about absent things that were answered or
// failed.
func (r *Run) Misses() []Result {
	return filterResults(r.Cases, func(c Result) bool {
		switch c.Kind {
		case Absent:
			return c.Answered || c.Failed != ""
		case Definition:
			return c.Rank != 1 || c.LineRank != 1
		}
		return c.Rank == 0 || c.Rank > 5
	})
}

// JSON returns the run as a file holds it.
func (r *Run) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(r)
	return b.Bytes(), err
}

// Read reads what JSON wrote.
func Read(data []byte, name string) (*Run, error) {
	var r Run
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s is not a saved evaluation: %w", name, err)
	}
	if r.Version != Version {
		return nil, fmt.Errorf("%s is not a saved evaluation of this version (%d, want %d); make it again with --save", name, r.Version, Version)
	}
	return &r, nil
}

// Questions returns the run's cases without their results.
func (r *Run) Questions() []Case {
	out := make([]Case, len(r.Cases))
	for i, c := range r.Cases {
		out[i] = c.Case
	}
	return slices.Clip(out)
}
