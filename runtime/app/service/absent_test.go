package service_test

import (
	"encoding/json"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// A user's own pipeline, with each place where an expression may stand.
const absentTool = `package compactor

tools: mine: {description: "Mine.", pipeline: "mine", #input: {
	question?: string
	limit?:    int
	since:     int | *3
	files?: [...string]
	deep?: bool
	constraints?: {tokens?: int}
}}
pipelines: mine: {
	stages: {
		ping:  {builtin: "host.ping"}
		deep:  {builtin: "host.ping", when: "input.deep", needs: ["ping"]}
		plain: {builtin: "host.ping", when: "not input.deep", needs: ["ping"]}
		more:  {builtin: "host.ping", when: "input.limit != nil && input.limit > 3", needs: ["ping"]}
		all:   {builtin: "code.scope", each: "input.files", with: question: "item", needs: ["ping"]}
		inner: {pipeline: "inner", with: {limit: "input.limit", since: "input.limit"}}
	}
	output: """
		{question: input.question ?? 'x', limit: input.limit ?? 5, since: input.since, tokens: input.constraints?.tokens ?? 9, raw: input.limit,
		deep: deep.ok, plain: plain.ok, more: more.ok, files: len(all.value), inner: inner.value}
		"""
}
pipelines: inner: {
	#input: {limit?: int, since: int | *7}
	stages: ping: {builtin: "host.ping"}
	output: "{limit: input.limit ?? 1, since: input.since}"
}
`

func TestWhatWasNotGivenIsNilInUsersPipelines(t *testing.T) {
	svc := start(t, options(t, map[string]string{"mine.cue": absentTool}))
	for input, want := range map[string]string{
		`{}`: `{"deep":false,"files":0,"inner":{"limit":1,"since":7},"limit":5,"more":false,"plain":true,"question":"x","raw":null,"since":3,"tokens":9}`,
		`{"question":null,"limit":null,"since":null,"files":null,"deep":null,"constraints":null}`: `{"deep":false,"files":0,"inner":{"limit":1,"since":7},"limit":5,"more":false,"plain":true,"question":"x","raw":null,"since":3,"tokens":9}`,
		`{"question":"","limit":0,"deep":false,"constraints":{}}`:                                 `{"deep":false,"files":0,"inner":{"limit":0,"since":0},"limit":0,"more":false,"plain":true,"question":"","raw":0,"since":3,"tokens":9}`,
		`{"limit":4,"since":1,"deep":true,"files":["a","b"],"constraints":{"tokens":100}}`:        `{"deep":true,"files":2,"inner":{"limit":4,"since":4},"limit":4,"more":true,"plain":false,"question":"x","raw":4,"since":1,"tokens":100}`,
	} {
		for how, call := range map[string]func(service.Call) (*service.Reply, error){
			"checked": func(c service.Call) (*service.Reply, error) { return svc.Invoke(t.Context(), c) },
			"as sent": func(c service.Call) (*service.Reply, error) { return svc.Call(t.Context(), c) },
		} {
			reply, err := call(service.Call{Tool: "mine", Args: json.RawMessage(input), Deterministic: true})
			if err != nil {
				t.Errorf("%s, %s: %v", input, how, err)
				continue
			}
			var got any
			_ = json.Unmarshal(reply.JSON, &got)
			if sorted, _ := json.Marshal(got); string(sorted) != want {
				t.Errorf("%s, %s: %s\nwant %s", input, how, sorted, want)
			}
		}
	}
}
