package mcpfile

import (
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Limits of what is read from a file, far above what a client could start.
const (
	maxServers = 20_000
	maxName    = 256       // bytes
	maxServer  = 256 << 10 // bytes
	maxItems   = 1000      // of a list, and members of an object
)

// check refuses a server that is unreasonably large, before it is read.
func check(m rawjson.Member) error {
	server := "server " + quoteName(m.Name)
	if len(m.Name) > maxName {
		return tooMany(server+": its name", len(m.Name), "bytes", maxName)
	}
	if rawjson.Of(m.Value) == rawjson.Object {
		members, _ := rawjson.Members(m.Value) // an error is reported when the server is read
		if len(members) > maxItems {
			return tooMany(server, len(members), "members", maxItems)
		}
		for _, x := range members {
			if n, what := itemsOf(x.Value); n > maxItems {
				return tooMany(server+": "+quoteName(x.Name), n, what, maxItems)
			}
		}
	}
	if len(m.Value) > maxServer {
		return tooMany(server, len(m.Value), "bytes", maxServer)
	}
	return nil
}

// checkArgs refuses too many arguments from a split text.
func checkArgs(s Server) error {
	if len(s.Args) > maxItems {
		return tooMany("server "+quoteName(s.Name)+`: "args"`, len(s.Args), "elements", maxItems)
	}
	return nil
}

func itemsOf(value []byte) (n int, what string) {
	switch rawjson.Of(value) {
	case rawjson.Array:
		items, _ := rawjson.Items(value)
		return len(items), "elements"
	case rawjson.Object:
		members, _ := rawjson.Members(value)
		return len(members), "members"
	}
	return 0, ""
}

func tooMany(what string, n int, unit string, most int) error {
	return fmt.Errorf("%s has %d %s, and at most %d are taken", what, n, unit, most)
}

// quoteName quotes a name from the file for a message.
func quoteName(name string) string { return fmt.Sprintf("%q", sanitize.Cut(name, 60)) }
