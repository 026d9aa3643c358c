package install

import (
	"bytes"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// Whatever a file holds: it is refused, or all of it is in what is written, and
// what is taken out again leaves it.
func FuzzPut(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"mcpServers":{"a":1,},}`, "{ // x\n\"mcpServers\": {\"a\": 1 // b\n}}", "[mcp_servers.a]\nb=1 # c\n", "mcp_servers.a.b = '''\n# x\n'''\n# y", "\r\n", "[[mcp_servers]]\n",
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, tables bool) {
		kind, key := clients.JSON, "mcpServers"
		if tables {
			kind, key = clients.TOML, "mcp_servers"
		}
		syntax, name := fileOf(clients.Client{Key: key, Format: kind}), "compactor"
		there := bytes.Contains(in, []byte("compactor")) || bytes.ContainsRune(in, '\\') // or it may be
		out, err := syntax.put(in, name, entry)
		if err != nil || checkEdit(syntax, in, out, key, name, entry.fields()) != nil {
			return // refused
		}
		again, err := syntax.put(out, name, entry)
		if err != nil || !bytes.Equal(again, out) {
			t.Errorf("%q became %q, and then %q: %v", in, out, again, err)
		}
		if there || bytes.Contains(in, []byte("null")) {
			return
		}
		if !within(in, out) {
			t.Errorf("of %q something is gone in %q", in, out)
		}
		left, err := syntax.remove(out, name)
		if err != nil || checkEdit(syntax, out, left, key, name, nil) != nil {
			t.Fatalf("%q cannot be taken out: %v", out, err)
		}
		if !within(in, left) {
			t.Errorf("of %q something is gone in %q", in, left)
		}
	})
}

// within reports whether all of a but space is in b, in its order.
func within(a, b []byte) bool {
	for _, c := range bytes.Join(bytes.Fields(a), nil) {
		i := bytes.IndexByte(b, c)
		if i < 0 {
			return false
		}
		b = b[i+1:]
	}
	return true
}
