package sampling_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/sampling"
)

var endpoint = sampling.Endpoint{Name: "client"}

// answering is a client whose model answers so.
func answering(a sampling.Answer, err error) (ctx context.Context, asked *[]sampling.Question) {
	asked = &[]sampling.Question{}
	return sampling.With(context.Background(), func(_ context.Context, q sampling.Question) (sampling.Answer, error) {
		*asked = append(*asked, q)
		return a, err
	}), asked
}

func words(role model.Role, text string) model.Message {
	return model.Message{Role: role, Content: text}
}

func TestChat(t *testing.T) {
	ctx, asked := answering(sampling.Answer{Model: "gpt", Text: `{"n":1}`, Stop: "endTurn"}, nil)
	var pieces []model.Delta
	reply, err := endpoint.Chat(ctx, model.Request{MaxTokens: 40, Schema: &model.Schema{Name: "n", JSON: []byte(`{}`)}, Messages: []model.Message{
		words(model.System, "a"), words(model.User, "u"), words(model.Assistant, "v"), words(model.System, "b"), words(model.User, "w"),
	}}, func(d model.Delta) { pieces = append(pieces, d) })
	if err != nil || reply.Content != `{"n":1}` || reply.Model != "gpt" || reply.Finish != "stop" || len(pieces) != 1 || pieces[0].Text != reply.Content {
		t.Errorf("%+v, %v, pieces %v", reply, err, pieces)
	}
	want := []sampling.Question{{System: "a\n\nb", MaxTokens: 40, Turns: []sampling.Turn{{Role: model.User, Text: "u"}, {Role: model.Assistant, Text: "v"}, {Role: model.User, Text: "w"}}}}
	if diff := cmp.Diff(want, *asked); diff != "" {
		t.Error(diff)
	}
}

// The protocol wants a number of tokens and a turn, which the port may leave out.
func TestChatFillsIn(t *testing.T) {
	ctx, asked := answering(sampling.Answer{Text: "x", Stop: "maxTokens"}, nil)
	reply, err := endpoint.Chat(ctx, model.Request{Messages: []model.Message{words(model.System, "only this")}}, nil)
	if err != nil || reply.Finish != "length" {
		t.Errorf("%+v, %v", reply, err)
	}
	if q := (*asked)[0]; q.MaxTokens < 1 || q.System != "" || len(q.Turns) != 1 || q.Turns[0].Text != "only this" {
		t.Errorf("asked %+v", q)
	}
}

type refusal struct{}

func (refusal) Error() string { return "User rejected\nsampling" }
func (refusal) RPCCode() int  { return -1 }

func TestErrors(t *testing.T) {
	user := model.Request{Messages: []model.Message{words(model.User, "u")}}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		answer sampling.Answer
		err    error
		req    model.Request
		kind   string
		text   string
	}{
		"refused":    {err: refusal{}, req: user, kind: model.Refused, text: "model client: User rejected sampling"},
		"garbled":    {err: errors.New("cannot be read"), req: user, kind: model.Broken, text: "cannot be read"},
		"empty":      {answer: sampling.Answer{Text: " \n"}, req: user, kind: model.Empty, text: "said nothing"},
		"long":       {answer: sampling.Answer{Text: strings.Repeat("x", model.MaxReply+1)}, req: user, kind: model.Broken, text: "longer"},
		"tools":      {req: model.Request{Tools: []model.Tool{{Name: "t"}}, Messages: user.Messages}, kind: model.Unsupported, text: "tools"},
		"tool reply": {req: model.Request{Messages: []model.Message{words(model.ToolRole, "r")}}, kind: model.Unsupported, text: "tools"},
	} {
		ctx, asked := answering(c.answer, c.err)
		if _, err := endpoint.Chat(ctx, c.req, nil); !model.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
		if c.kind == model.Unsupported && len(*asked) > 0 {
			t.Errorf("%s: the client was asked all the same", name)
		}
	}
	if _, err := endpoint.Chat(context.Background(), user, nil); !model.Is(err, model.Unsupported) {
		t.Errorf("without a client: %v", err)
	}
	ended := sampling.With(over, func(ctx context.Context, _ sampling.Question) (sampling.Answer, error) {
		return sampling.Answer{}, ctx.Err()
	})
	if _, err := endpoint.Chat(ended, user, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("over: %v", err)
	}
	if _, err := endpoint.Embed(context.Background(), []string{"x"}); !model.Is(err, model.Unsupported) {
		t.Errorf("embed: %v", err)
	}
}

// A user who said no is not asked again at once.
func TestRefusalIsRemembered(t *testing.T) {
	ctx, asked := answering(sampling.Answer{}, refusal{})
	gate := model.NewLimiter("client", endpoint, 1, 0)
	user := model.Request{Messages: []model.Message{words(model.User, "u")}}
	for range 3 {
		if _, err := gate.Chat(ctx, user, nil); err == nil {
			t.Error("answered")
		}
	}
	if len(*asked) != 1 {
		t.Errorf("the user was asked %d times", len(*asked))
	}
	if info, err := model.NewLimiter("client", endpoint, 1, 0).Info(ctx); err != nil || info.Window != 0 || info.Can[0] != model.CanChat || len(info.Can) != 1 || !info.CanTell {
		t.Errorf("%+v, %v", info, err)
	}
}
