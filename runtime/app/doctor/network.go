package doctor

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/netscope"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// checkNetwork reports which hosts' pages may be read. It does not contact the hosts.
func checkNetwork(n config.Network) []Check {
	if !n.Open() {
		return nil
	}
	c := Check{"network", Good, "pages of " + strings.Join(sorted(n.Hosts), ", ") + " may be read", ""}
	starts := 0
	for _, name := range sorted(n.Hosts) {
		h := n.Hosts[name]
		starts += len(h.Start)
		if d, known := netscope.Named(name); h.HTTP && !(known && d != netscope.Public) && c.Level == Good {
			c.Level, c.Do = Warn, "pages of "+name+" may come in the clear, where others can read and change them: take http: true away if it answers over https"
		}
	}
	if starts == 0 && c.Do == "" {
		c.Do = "only pages that a question names are read; start of a host names pages for the others"
	}
	return []Check{c}
}
