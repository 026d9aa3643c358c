package service

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// offersOf returns the capabilities of a client that can be reached: names such as
// elicitation, and declared parts such as elicitation.url.
func offersOf(c server.Client, reachable bool) []string {
	offers := []string{}
	if !reachable {
		return offers
	}
	offers = append(offers, c.Capabilities...)
	declared, _ := rawjson.Members(c.Declared) // empty if Declared is no object
	for _, m := range declared {
		if !slices.Contains(c.Capabilities, m.Name) {
			continue
		}
		parts, _ := rawjson.Members(m.Value)
		for _, part := range parts {
			if rawjson.Of(part.Value) == rawjson.Object {
				offers = append(offers, m.Name+"."+part.Name)
			}
		}
	}
	return offers
}
