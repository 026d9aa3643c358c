package server

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// Members of results that only one era knows.
const (
	resultTypeKey = "resultType"
	structuredKey = "structuredContent"
	metaKey       = "_meta"
	ttlKey        = "ttlMs"
	scopeKey      = "cacheScope"
)

var (
	errNoResult   = errors.New("the result is not a JSON object")
	errResultDup  = errors.New("the result has a JSON key twice")
	errNeedsInput = errors.New("more input is wanted, which this client's version of the protocol has no way to give")
)

// rawSuccess answers with the result of another server.
func (s *Server) rawSuccess(surf *surface, r *request, name string, raw json.RawMessage) answer {
	result, err := surf.fitResult(raw, r.modern)
	if t := surf.tools[name]; err == nil && t != nil {
		result = rawjson.Rewrite(result, func(name string, value json.RawMessage) json.RawMessage {
			if name == structuredKey {
				return t.output.shapeContent(value, r.modern)
			}
			return value
		})
	}
	switch {
	case errors.Is(err, errNeedsInput):
		return s.failureAnswer(surf, r, name, err)
	case err != nil:
		s.log.Error("the reply of a tool cannot be passed on", "tool", name, "error", err)
		return s.problemAnswer(surf, r, internalProblem(name))
	}
	return answer{result: result}
}

// fitResult converts another server's result to the client's era, as part of a frame, without line breaks. In the stateless
// era it adds the hints that are missing.
func (s *surface) fitResult(raw json.RawMessage, modern bool, hints ...rawjson.Member) (json.RawMessage, error) {
	if err := rawjson.Check(raw); err != nil {
		return nil, err
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil, errNoResult
	}
	fields, twice := byName(members)
	if twice != "" {
		return nil, errResultDup
	}
	needs := textOf(fields[resultTypeKey]) == string(mcp.ResultTypeInputRequired)
	switch {
	case modern && needs:
		members = s.addServerInfo(members)
	case modern:
		for i, m := range members {
			if m.Name == scopeKey { // what we pass on depends on the client
				members[i].Value = rawjson.Quote(string(mcp.CacheScopePrivate))
			}
		}
		members = s.addServerInfo(addMissing(members, hints...))
	case needs:
		return nil, errNeedsInput
	default:
		members = slices.DeleteFunc(members, isForeign)
	}
	return rawjson.Line(rawjson.Join(members)), nil
}

// isForeign reports whether the handshake era does not know a member.
func isForeign(m rawjson.Member) bool {
	switch m.Name {
	case resultTypeKey, ttlKey, scopeKey:
		return true
	}
	return false
}

// addMissing appends those members of more whose names are missing.
func addMissing(members []rawjson.Member, more ...rawjson.Member) []rawjson.Member {
	for _, m := range more {
		if count(members, m.Name) == 0 {
			members = append(members, m)
		}
	}
	return members
}

// addServerInfo adds what each result of the stateless era states: its kind, and in _meta the server.
func (s *surface) addServerInfo(members []rawjson.Member) []rawjson.Member {
	members = addMissing(members, rawjson.Member{Name: resultTypeKey, Value: rawjson.Quote(string(mcp.ResultTypeComplete))})
	server := rawjson.Member{Name: mcp.MetaKeyServerInfo, Value: s.info}
	for i, m := range members {
		if m.Name == metaKey {
			meta, _ := rawjson.Members(m.Value) // none if it is not an object, which the protocol does not allow
			members[i].Value = rawjson.Join(addMissing(meta, server))
			return members
		}
	}
	return append(members, rawjson.Member{Name: metaKey, Value: rawjson.Join([]rawjson.Member{server})})
}
