package service

import (
	"context"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Override stores that an upstream tool is relevant to the sessions of a profile, or
// that it is not; nil removes the mark. tool is its listed name or "server/tool".
// client is the client's own name; "" means all clients of the profile. Override
// returns once the mark is stored, and later lists respect it. A wrong name is reported
// as a contract.Error with a stable code.
func (s *Service) Override(ctx context.Context, profile, client, tool string, relevant *bool) error {
	t := s.tracker.Load()
	if t == nil {
		return usage.ErrNotKept
	}
	id, err := s.toolID(profile, tool)
	if err != nil {
		// A mark outlives its tool, and can still be removed then.
		if relevant != nil || !t.Has(ctx, profile, client, tool) {
			return err
		}
		id = tool
	}
	return t.Override(ctx, profile, client, id, relevant)
}

// Marks returns people's marks on tools.
func (s *Service) Marks() []usage.Mark {
	if t := s.tracker.Load(); t != nil {
		return t.Marks()
	}
	return nil
}

// toolID returns the id of a profile's upstream tool, "server/tool".
func (s *Service) toolID(profile, name string) (string, error) {
	var names []string
	for _, t := range s.gatewayOf(profile).Listed() {
		id := t.Server + "/" + t.Tool
		if name == t.Name || name == id {
			return id, nil
		}
		names = append(names, t.Name)
	}
	message := fmt.Sprintf("there is no tool %q", s.Snapshot().Egress.Line(name))
	if near := diag.Nearest(name, names); near != "" {
		message += "; did you mean " + near + "?"
	}
	return "", &contract.Error{Name: "NotFoundError", Code: gateway.CodeNotFound, Message: message}
}
