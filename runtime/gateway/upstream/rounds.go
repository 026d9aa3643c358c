package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxRounds = 10
	maxInputs = 32          // asked for in one round
	busyWait  = time.Second // pause before the next round with a server that only says "later"
)

// provideInput answers the requests for input in a stateless result and returns the params of the next round.
func (c *conn) provideInput(ctx context.Context, r Request, params, result json.RawMessage) (json.RawMessage, error) {
	var answers []rawjson.Member
	var failed error
	rawjson.Each(rawjson.Get(result, "inputRequests"), func(id string, wanted json.RawMessage) bool {
		if len(answers) == maxInputs {
			failed = &useless{fmt.Errorf("more than %d things are asked for at once", maxInputs)}
			return false
		}
		var answer json.RawMessage
		if answer, failed = c.askInput(ctx, r, wanted); failed != nil {
			return false
		}
		answers = append(answers, rawjson.Member{Name: id, Value: answer})
		return true
	})
	if failed != nil {
		return nil, failed
	}
	if len(answers) == 0 {
		if err := sleep(ctx, busyWait); err != nil {
			return nil, err
		}
	}
	next, err := rawjson.Members(paramsOrEmpty(params))
	if err != nil {
		return nil, errParams
	}
	next = withoutMembers(withoutMembers(next, "inputResponses"), "requestState")
	if len(answers) > 0 {
		next = append(next, rawjson.Member{Name: "inputResponses", Value: rawjson.Join(answers)})
	}
	if state := rawjson.Get(result, "requestState"); state != nil {
		next = append(next, rawjson.Member{Name: "requestState", Value: state})
	}
	return rawjson.Join(next), nil
}

// ErrQuestion refuses a result that asks for something its server may not ask for.
var ErrQuestion = errors.New("its result asks the client for something that allow does not name, or hides what it asks for; see allow of this server")

// Question returns a result in the form that a client may be given: requests for input lose their includeContext, and
// one that is not in allow is an error. Call it on the final result: cleaning, or moving to another object, can change
// names. Many clients ignore the case of names.
func Question(result json.RawMessage, allow []string) (json.RawMessage, error) {
	if isRespelled(result, "resultType", "inputRequests", "requestState") {
		return nil, ErrQuestion
	}
	if rawjson.GetText(result, "resultType") != string(mcp.ResultTypeInputRequired) {
		return result, nil
	}
	ok, n := true, 0
	rawjson.Each(rawjson.Get(result, "inputRequests"), func(_ string, wanted json.RawMessage) bool {
		what := askFor(rawjson.GetText(wanted, "method"))
		n++
		ok = slices.Contains(allow, what) && n <= maxInputs && !isRespelled(wanted, "method", "params")
		return ok
	})
	if !ok {
		return nil, ErrQuestion
	}
	return withoutContexts(result), nil
}

// isRespelled reports whether an object has one of the names with different case, or twice.
func isRespelled(object json.RawMessage, names ...string) (is bool) {
	seen := map[string]bool{}
	rawjson.Each(object, func(name string, _ json.RawMessage) bool {
		is = slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) && (n != name || seen[n]) })
		seen[name] = true
		return !is
	})
	return is
}

func (c *conn) askInput(ctx context.Context, r Request, wanted json.RawMessage) (json.RawMessage, error) {
	method := rawjson.GetText(wanted, "method")
	what := askFor(method)
	switch {
	case what == "":
		return nil, &useless{errors.New("the server asks for an unknown kind of input")}
	case !c.server.spec.allows(what):
		return nil, &useless{fmt.Errorf("the server asks for %s, which is not allowed to it", what)}
	case r.Ask == nil:
		return nil, &useless{fmt.Errorf("the server asks for %s, which this client cannot answer", what)}
	}
	answer, err := r.Ask(ctx, method, withoutContext(method, rawjson.Get(wanted, "params")))
	if err == nil && rawjson.Of(answer) != rawjson.Object {
		err = errors.New("the client did not respond")
	}
	return answer, err
}

// withoutContexts applies withoutContext to all requests for input in a result.
func withoutContexts(result json.RawMessage) json.RawMessage {
	return rawjson.Rewrite(result, func(name string, value json.RawMessage) json.RawMessage {
		if name != "inputRequests" {
			return value
		}
		return rawjson.Rewrite(value, func(_ string, wanted json.RawMessage) json.RawMessage {
			method := rawjson.GetText(wanted, "method")
			return rawjson.Rewrite(wanted, func(name string, value json.RawMessage) json.RawMessage {
				if name == "params" {
					return withoutContext(method, value)
				}
				return value
			})
		})
	})
}

func paramsOrEmpty(params json.RawMessage) json.RawMessage {
	if params == nil {
		return json.RawMessage(`{}`)
	}
	return params
}

func withoutMembers(members []rawjson.Member, name string) []rawjson.Member {
	var rest []rawjson.Member
	for _, m := range members {
		if m.Name != name {
			rest = append(rest, m)
		}
	}
	return rest
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return endOf(ctx)
	}
}
