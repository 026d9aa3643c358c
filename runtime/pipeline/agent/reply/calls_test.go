package reply

import "testing"

// grep is the call that most of the cases make.
const grep = `[{"Name":"code_grep","Arguments":{"pattern":"pool"}}]`

var spoken = []struct{ name, text, calls, rest string }{
	{"Hermes", "I will look.\n<tool_call>\n{\"name\": \"code_grep\", \"arguments\": {\"pattern\": \"pool\"}}\n</tool_call>", grep, "I will look."},
	{"Hermes never closed", `<tool_call>{"name":"code_grep","arguments":{"pattern":"pool"}}`, grep, ""},
	{"Hermes twice, the first never closed", `<tool_call>{"name":"a","arguments":{}}` + "\n" + `<tool_call>{"name":"code_grep","arguments":{"pattern":"pool"}}</tool_call>`, `[{"Name":"a","Arguments":{}},{"Name":"code_grep","Arguments":{"pattern":"pool"}}]`, ""},
	{"Hermes with broken JSON", `<tool_call>{'name': 'code_grep', 'arguments': {'pattern': 'pool'</tool_call>`, grep, ""},
	{"Hermes with arguments as text", `<tool_call>{"name":"code_grep","arguments":"{\"pattern\":\"pool\"}"}</tool_call>`, grep, ""},
	{"Hermes with arguments beside the name", `<tool_call>{"name":"code_grep","pattern":"pool"}</tool_call>`, grep, ""},
	{"Hermes without arguments", `<tool_call>{"name":"a"}</tool_call>`, `[{"Name":"a","Arguments":{}}]`, ""},
	{"LM Studio", `[TOOL_REQUEST]{"name":"code_grep","arguments":{"pattern":"pool"}}[END_TOOL_REQUEST]`, grep, ""},
	{"Mistral, list", `[TOOL_CALLS][{"name":"code_grep","arguments":{"pattern":"pool"}}]</s>`, grep, ""},
	{"Mistral, name first", `[TOOL_CALLS]code_grep[ARGS]{"pattern":"pool"}`, grep, ""},
	{"Mistral, name and object", `[TOOL_CALLS]code_grep{"pattern":"pool"}`, grep, ""},
	{"Llama, parameters", `{"name": "code_grep", "parameters": {"pattern": "pool"}}`, grep, ""},
	{"Llama, type and function", `{"type":"function","function":{"name":"code_grep","parameters":{"pattern":"pool"}}}`, grep, ""},
	{"Llama, python tag", `<|python_tag|>{"name":"code_grep","parameters":{"pattern":"pool"}}<|eom_id|>`, grep, ""},
	{"Llama, python tag and code", `<|python_tag|>code_grep.call(pattern="pool")`, grep, ""},
	{"Llama, function tag", `<function=code_grep>{"pattern":"pool"}</function>`, grep, ""},
	{"Llama, Python list", `[code_grep(pattern="pool")]`, grep, ""},
	{"Llama, Python list of two", `[a(x=1), code_grep(pattern="pool")]`, `[{"Name":"a","Arguments":{"x":1}},{"Name":"code_grep","Arguments":{"pattern":"pool"}}]`, ""},
	{"Qwen-coder", "<tool_call>\n<function=code_grep>\n<parameter=pattern>\npool\n</parameter>\n</function>\n</tool_call>", grep, ""},
	{"Qwen-coder without the outer tag", "<function=code_grep>\n<parameter=pattern>pool\n</function>", grep, ""},
	{"Qwen-coder with a number", "<function=code_read><parameter=line>12</parameter><parameter=all>true</parameter></function>", `[{"Name":"code_read","Arguments":{"all":true,"line":12}}]`, ""},
	{"invoke", `<invoke name="code_grep"><parameter name="pattern">pool</parameter></invoke>`, grep, ""},
	{"GLM", "<tool_call>code_grep\n<arg_key>pattern</arg_key>\n<arg_value>pool</arg_value>\n</tool_call>", grep, ""},
	{"DeepSeek", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>code_grep\n```json\n{\"pattern\":\"pool\"}\n```<｜tool▁call▁end｜>", grep, ""},
	{"Kimi", `<|tool_call_begin|>functions.code_grep:0<|tool_call_argument_begin|>{"pattern":"pool"}<|tool_call_end|>`, grep, ""},
	{"gpt-oss", `<|channel|>commentary to=functions.code_grep <|constrain|>json<|message|>{"pattern":"pool"}<|call|>`, grep, ""},
	{"a fence", "Let me search.\n```json\n{\"name\":\"code_grep\",\"arguments\":{\"pattern\":\"pool\"}}\n```", grep, "Let me search."},
	{"a fence of tool code", "```tool_code\ncode_grep(pattern=\"pool\")\n```", grep, ""},
	{"OpenAI's reply as text", `{"tool_calls":[{"id":"1","type":"function","function":{"name":"code_grep","arguments":"{\"pattern\":\"pool\"}"}}]}`, grep, ""},
	{"two objects", `{"name":"a","arguments":{}}` + "\n" + `{"name":"code_grep","arguments":{"pattern":"pool"}}`, `[{"Name":"a","Arguments":{}},{"Name":"code_grep","Arguments":{"pattern":"pool"}}]`, ""},
	{"the tool as key", `{"code_grep":{"pattern":"pool"}}`, grep, ""},
	{"tool and args", `{"tool":"code_grep","args":{"pattern":"pool"}}`, grep, ""},
	{"ReAct", "Thought: search.\nAction: code_grep\nAction Input: {\"pattern\": \"pool\"}\nObservation:", grep, "Thought: search.\n\nObservation:"},
	{"a line of code", "code_grep(pattern='pool')", grep, ""},
	{"the name in another form", `<tool_call>{"name":"Code.Grep","arguments":{"pattern":"pool"}}</tool_call>`, grep, ""},
	{"Qwen2.5-Coder, braces twice", `{{"name": "code_grep", "arguments": {"pattern": "pool"}}}`, grep, "}"},
	{"Qwen2.5-Coder, two of them", `{{"name": "a", "arguments": {}}}` + "\n" + `{{"name": "code_grep", "arguments": {"pattern": "pool"}}}`, `[{"Name":"a","Arguments":{}},{"Name":"code_grep","Arguments":{"pattern":"pool"}}]`, "}\n}"},
	{"inside thoughts, nothing after", `<think>search <tool_call>{"name":"code_grep","arguments":{"pattern":"pool"}}</tool_call></think>`, grep, ""},
	{"inside thoughts, an answer after", `<think><tool_call>{"name":"code_grep","arguments":{}}</tool_call></think>It is in pool.go.`, `null`, "It is in pool.go."},
	{"an unknown name", `<tool_call>{"name":"rm","arguments":{}}</tool_call>`, `null`, ""},
	{"an answer that has a name", `{"name":"code_grep","note":"a tool"}`, `null`, `{"name":"code_grep","note":"a tool"}`},
	{"a name in prose", "You can use code_grep(pattern) for that.", `null`, "You can use code_grep(pattern) for that."},
	{"values without keys", "code_grep(\"pool\", 3)", `null`, "code_grep(\"pool\", 3)"},
	{"plain text", "It is in [pool.go] <here>.", `null`, "It is in [pool.go] <here>."},
}

func TestCalls(t *testing.T) {
	for _, c := range spoken {
		calls, rest := Calls(c.text, tools)
		if got := marshal(t, calls); got != c.calls || rest != c.rest {
			t.Errorf("%s:\n got %s, rest %q\nwant %s, rest %q", c.name, got, rest, c.calls, c.rest)
		}
	}
}

func TestUnknownCallsAreTold(t *testing.T) {
	f := FindCalls(`<tool_call>{"name":"rm","arguments":{}}</tool_call><tool_call>{"name":"a"}</tool_call>`, tools)
	if len(f.Unknown) != 1 || f.Unknown[0] != "rm" || len(f.Calls) != 1 {
		t.Errorf("%+v", f)
	}
}
