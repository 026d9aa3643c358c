package predict

import "math"

// Merge adds the counts of another model, weighted by the half-life of this one.
func (m *Model) Merge(from *Model) {
	switch {
	case m.landmark.IsZero():
		m.landmark = from.landmark
	case m.halfLives(from.landmark) > maxHalfLives:
		m.rebase(from.landmark)
	}
	if from.latest.After(m.latest) {
		m.latest = from.latest
	}
	m.add(from, math.Exp2(m.halfLives(from.landmark)))
	m.trim()
}

// add adds the counts of another model, scaled by the given factor.
func (m *Model) add(from *Model, by float64) {
	m.sessions += by * from.sessions
	m.stays += by * from.stays
	m.switches += by * from.switches
	tools, servers := m.addNames(from, by)
	for w, n := range from.asked {
		m.asked[w] += by * n
	}
	mergeTable(m.after, from.after, by, tools, func(a int32) int32 { return tools[a] })
	mergeTable(m.moves, from.moves, by, servers, func(a int32) int32 { return servers[a] })
	mergeTable(m.words, from.words, by, tools, func(w string) string { return w })
	mergeTable(m.chains, from.chains, by, tools, func(c context) context {
		for i, id := range c {
			if id >= 0 {
				c[i] = tools[id]
			}
		}
		return c
	})
}

// addNames adds the tools and servers of another model, and returns their numbers in this one.
func (m *Model) addNames(from *Model, by float64) (tools, servers []int32) {
	for i, name := range from.tools.names {
		u := from.uses[i]
		id := m.tools.add(name)
		if int(id) == len(m.uses) {
			m.uses = append(m.uses, toolUse{})
		}
		mine := &m.uses[id]
		mine.sessions += by * u.sessions
		mine.calls += by * u.calls
		mine.last = max(mine.last, u.last)
		tools = append(tools, id)
	}
	for _, name := range from.servers.names {
		servers = append(servers, m.servers.add(name))
	}
	return tools, servers
}

func mergeTable[K comparable](into, from table[K], by float64, to []int32, key func(K) K) {
	for k, r := range from.rows {
		for id, c := range r.to {
			into.put(key(k), to[id], cell{by * c.count, by * c.distance, c.last})
		}
	}
}
