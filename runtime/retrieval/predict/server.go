package predict

import "fmt"

// server estimates by servers: the chance that the next new tool is from a server, given the
// servers used so far, is shared out among the server's tools that were not used yet. It reaches
// tools that no session used. A server that the task names counts as used.
type server struct{}

func (server) Name() string { return "server" }

// The tools of a server share its chance in proportion to the sessions that used each, plus unseen
// more, so that tools without any use get a part. A name that is like the names of used tools gets
// more.
const (
	unseen      = 2.0
	unseenAlike = 3.0
)

// The share of new tools from the server of the previous call before anything was counted, and how
// many calls it counts as.
const (
	stay       = 0.6
	stayBehind = 4.0
)

func (server) Predict(s *State, out []float64) {
	like := make([]float64, s.Len())
	s.catalog.addCosines(s.usedVector(), s.catalog.own, like)
	for srv, chance := range s.serverChances() {
		if chance == 0 {
			continue
		}
		all := 0.0
		for _, i := range s.catalog.members[srv] {
			if !s.inUse[i] {
				all += s.toolPart(i, like[i])
			}
		}
		for _, i := range s.catalog.members[srv] {
			if !s.inUse[i] {
				out[i] += chance * s.toolPart(i, like[i]) / all
			}
		}
	}
}

// toolPart returns a tool's part in the chance of its server, in proportion to the server's other tools.
func (s *State) toolPart(tool int, like float64) float64 {
	p := unseen * (1 + unseenAlike*like)
	if id := s.known[tool]; id >= 0 {
		p += s.fadedCount(s.model.uses[id].sessions)
	}
	return p
}

// serverChances estimates for each server of the catalog that the next new tool is one of
// its tools.
func (s *State) serverChances() []float64 {
	out := make([]float64, len(s.catalog.servers))
	from := map[string]float64{}
	for _, u := range s.used {
		from[ServerOf(u.name)] += u.weight
	}
	share := 1.0
	if named := s.namedServers(); len(named) > 0 {
		if share = 0; len(from) > 0 {
			share = 0.5
		}
		for _, i := range named {
			out[i] += (1 - share) / float64(len(named))
		}
	}
	for at, name := range s.catalog.servers {
		if weight := from[name]; weight > 0 {
			s.addMoves(at, share*weight, out)
		}
	}
	return out
}

// addMoves adds the chances of the servers to provide the next new tool after a server: as counted
// before, and with the weight of one session, the same server as often as after any server.
func (s *State) addMoves(at int, weight float64, out []float64) {
	m := s.model
	total := 0.0
	if id, ok := m.servers.find(s.catalog.servers[at]); ok && m.moves.rows[id] != nil {
		r := m.moves.rows[id]
		total = s.fadedCount(r.total)
		for i, other := range s.catalog.servers {
			if n, ok := m.servers.find(other); ok {
				out[i] += weight * s.fadedCount(r.to[n].count) / (total + 1)
			}
		}
	}
	staying := (s.fadedCount(m.stays) + stay*stayBehind) / (s.fadedCount(m.stays+m.switches) + stayBehind)
	out[at] += weight * staying / (total + 1)
}

// namedServers returns the servers whose name the task mentions.
func (s *State) namedServers() []int {
	var out []int
	for i, name := range s.catalog.named {
		if len(name) > 0 && containsAll(name, s.task) {
			out = append(out, i)
		}
	}
	return out
}

func (server) Why(s *State, tool int) string {
	at := s.catalog.server[tool]
	name := s.catalog.servers[at]
	for _, u := range s.used {
		if ServerOf(u.name) == name {
			return fmt.Sprintf("server %s is in use", name)
		}
	}
	for _, i := range s.namedServers() {
		if i == at {
			return fmt.Sprintf("the task names server %s", name)
		}
	}
	if len(s.used) == 0 {
		return ""
	}
	return fmt.Sprintf("server %s was used after %s", name, ServerOf(s.used[0].name))
}
