package predict

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// version is the version of the encoding. Any other version is refused: a model can be learnt again
// from the log.
const version = 1

// encoded is a model as JSON. Tools and servers are indexes into their lists; a follower is [from,
// to, count, sum of distances, last in Unix seconds].
type encoded struct {
	Version  int                    `json:"version"`
	Landmark time.Time              `json:"landmark,omitzero"`
	Latest   time.Time              `json:"latest,omitzero"`
	Sessions float64                `json:"sessions"`
	Stays    float64                `json:"stays"`
	Switches float64                `json:"switches"`
	Tools    []string               `json:"tools"`
	Uses     [][3]float64           `json:"uses"` // sessions, calls, last
	Servers  []string               `json:"servers"`
	After    [][5]float64           `json:"after"`
	Moves    [][5]float64           `json:"moves"`
	Chains   [][6]float64           `json:"chains"` // three calls, the latest first, -1 for none; to, count, last
	Words    map[string]encodedWord `json:"words"`
}

// encodedWord is a word of tasks.
type encodedWord struct {
	Sessions float64      `json:"sessions"`
	Tools    [][3]float64 `json:"tools"` // tool, count, last
}

// MarshalJSON encodes the learnt counts, but not the limits and the half-life. Equal models give
// equal bytes.
func (m *Model) MarshalJSON() ([]byte, error) {
	s := m.sortedByName()
	e := encoded{Version: version, Landmark: s.landmark, Latest: s.latest, Sessions: s.sessions, Stays: s.stays, Switches: s.switches,
		Tools: s.tools.names, Servers: s.servers.names, After: encodePairs(s.after), Moves: encodePairs(s.moves), Words: map[string]encodedWord{}}
	for _, u := range s.uses {
		e.Uses = append(e.Uses, [3]float64{u.sessions, u.calls, float64(u.last)})
	}
	for c, r := range s.chains.rows {
		for to, x := range r.to {
			e.Chains = append(e.Chains, [6]float64{float64(c[0]), float64(c[1]), float64(c[2]), float64(to), x.count, float64(x.last)})
		}
	}
	slices.SortFunc(e.Chains, func(a, b [6]float64) int { return slices.Compare(a[:], b[:]) })
	for w, n := range s.asked {
		x := encodedWord{Sessions: n}
		if r := s.words.rows[w]; r != nil {
			for _, to := range slices.Sorted(maps.Keys(r.to)) {
				x.Tools = append(x.Tools, [3]float64{float64(to), r.to[to].count, float64(r.to[to].last)})
			}
		}
		e.Words[w] = x
	}
	return json.Marshal(e)
}

// sortedByName returns the same model with tools and servers numbered by name.
func (m *Model) sortedByName() *Model {
	out := NewModel(m.halfLife, m.limits)
	for _, name := range slices.Sorted(slices.Values(m.tools.names)) {
		out.tools.add(name)
		out.uses = append(out.uses, toolUse{})
	}
	for _, name := range slices.Sorted(slices.Values(m.servers.names)) {
		out.servers.add(name)
	}
	out.add(m, 1)
	out.landmark, out.latest = m.landmark, m.latest
	return out
}

// encodePairs lists the followers of tools or servers.
func encodePairs(t table[int32]) [][5]float64 {
	var out [][5]float64
	for from, r := range t.rows {
		for to, c := range r.to {
			out = append(out, [5]float64{float64(from), float64(to), c.count, c.distance, float64(c.last)})
		}
	}
	slices.SortFunc(out, func(a, b [5]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return out
}

// UnmarshalJSON replaces the contents of the model by those that MarshalJSON encoded. Invalid data
// is an error and leaves the model unchanged.
func (m *Model) UnmarshalJSON(data []byte) error {
	var e encoded
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("no learnt counts: %w", err)
	}
	out := NewModel(m.halfLife, m.limits)
	if err := e.fillModel(out); err != nil {
		return fmt.Errorf("no learnt counts: %w", err)
	}
	out.trim()
	*m = *out
	return nil
}

// fillModel fills an empty model.
func (e *encoded) fillModel(m *Model) error {
	if e.Version != version {
		return fmt.Errorf("version %d, this program writes %d", e.Version, version)
	}
	if len(e.Uses) != len(e.Tools) {
		return fmt.Errorf("%d tools and %d uses", len(e.Tools), len(e.Uses))
	}
	d := decoder{tools: len(e.Tools), servers: len(e.Servers)}
	m.landmark, m.latest = e.Landmark.UTC(), e.Latest.UTC()
	m.sessions, m.stays, m.switches = d.count(e.Sessions), d.count(e.Stays), d.count(e.Switches)
	for i, name := range e.Tools {
		d.addFresh(&m.tools, name)
		m.uses = append(m.uses, toolUse{d.count(e.Uses[i][0]), d.count(e.Uses[i][1]), d.seconds(e.Uses[i][2])})
	}
	for _, name := range e.Servers {
		d.addFresh(&m.servers, name)
	}
	for _, p := range e.After {
		m.after.put(d.id(p[0], d.tools), d.id(p[1], d.tools), cell{d.count(p[2]), d.count(p[3]), d.seconds(p[4])})
	}
	for _, p := range e.Moves {
		m.moves.put(d.id(p[0], d.servers), d.id(p[1], d.servers), cell{d.count(p[2]), d.count(p[3]), d.seconds(p[4])})
	}
	for _, p := range e.Chains {
		m.chains.put(d.context(p), d.id(p[3], d.tools), cell{d.count(p[4]), 0, d.seconds(p[5])})
	}
	for w, x := range e.Words {
		m.asked[w] = d.count(x.Sessions)
		for _, p := range x.Tools {
			m.words.put(w, d.id(p[0], d.tools), cell{d.count(p[1]), 0, d.seconds(p[2])})
		}
	}
	return d.err
}

// decoder reads numbers and keeps the first error.
type decoder struct {
	tools, servers int
	err            error
}

func (d *decoder) fail(err error) { d.err = cmp.Or(d.err, err) }

func (d *decoder) count(x float64) float64 {
	if x < 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		d.fail(fmt.Errorf("%v is not a count", x))
		return 0
	}
	return x
}

func (d *decoder) seconds(x float64) int64 {
	if x < -1e12 || x > 1e12 || x != math.Trunc(x) {
		d.fail(fmt.Errorf("%v is not a time in seconds", x))
		return 0
	}
	return int64(x)
}

func (d *decoder) id(x float64, of int) int32 {
	if x < 0 || x >= float64(of) || x != math.Trunc(x) {
		d.fail(fmt.Errorf("%v is not the number of a name; there are %d", x, of))
		return 0
	}
	return int32(x)
}

func (d *decoder) context(p [6]float64) context {
	c := context{-1, -1, -1}
	for i := range c {
		if p[i] != -1 {
			c[i] = d.id(p[i], d.tools)
		}
	}
	if c[0] < 0 || c[1] < 0 && c[2] >= 0 {
		d.fail(errors.New("a chain with a gap"))
	}
	return c
}

func (d *decoder) addFresh(in *interner, name string) {
	if _, twice := in.find(name); twice {
		d.fail(fmt.Errorf("%q stands twice", name))
	}
	in.add(name)
}
