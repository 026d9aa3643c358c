package doctor

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
)

func TestNetwork(t *testing.T) {
	hosts := func(name string, h config.WebHost) config.Network {
		return config.Network{Hosts: map[string]config.WebHost{name: h}}
	}
	if got := checkNetwork(config.Network{}); got != nil {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		n     config.Network
		level Level
		do    string
	}{
		{hosts("a.example", config.WebHost{Start: []string{"https://a.example/"}}), Good, ""},
		{hosts("a.example", config.WebHost{}), Good, "start of a host"},
		{hosts("a.example", config.WebHost{HTTP: true}), Warn, "in the clear"},
		{hosts("127.0.0.1", config.WebHost{HTTP: true, Private: true}), Good, "start of a host"},
	} {
		got := checkNetwork(c.n)
		if len(got) != 1 || got[0].Level != c.level || !strings.Contains(got[0].Do, c.do) || c.do == "" && got[0].Do != "" || !strings.Contains(got[0].Found, "may be read") {
			t.Errorf("%+v: %+v", c.n, got)
		}
	}
}
