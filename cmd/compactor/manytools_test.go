package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const (
	manyTools = 1200
	manyPage  = 100 // tools in one page of the list
)

// The words of names and descriptions: each pair of them is one tool's.
var (
	manyVerbs = strings.Fields("create list delete update search archive restore export import merge approve reject assign rotate " +
		"schedule translate validate encrypt publish inspect")
	manyNouns = strings.Fields("invoice ticket branch calendar webhook customer deployment database certificate playlist recipe " +
		"shipment sensor contract vehicle passport firewall podcast translation thermostat ledger payroll campaign container " +
		"bucket replica snapshot pipeline milestone dashboard widget voucher booking flight hotel patient prescription lecture " +
		"exam library museum ticketing harvest orchard turbine satellite telescope glacier volcano reef forest canyon bridge " +
		"tunnel elevator escalator warehouse conveyor drone robot")
	manyUnicode = []string{"", " Für Größen in Zöllen.", " 日本語の説明。", " ⚠️ Careful 👩‍💻.", " <b>&amp;</b> \"quoted\" \\ back\nnew line\ttab", " Ελληνικά, русский, עברית, عربي."}
)

// manyKeywords are schemas that together use every keyword of JSON Schema.
var manyKeywords = []string{
	`{"type":"string","minLength":1,"maxLength":64,"pattern":"^[a-zA-Z\\d_/-]+\\.\"?$","format":"uri-reference"}`,
	`{"type":["integer","null"],"minimum":-9007199254740993,"exclusiveMaximum":18446744073709551616,"multipleOf":1}`,
	`{"type":"number","exclusiveMinimum":0.1,"maximum":1E+2,"multipleOf":0.010,"default":1.0}`,
	`{"enum":["a",1,1.50,null,true,{"k":[]},[]],"default":null}`,
	`{"const":{"deep":[1,{"er":"é"}]},"title":"T","deprecated":true}`,
	`{"type":"array","items":{"type":"string"},"minItems":0,"maxItems":9,"uniqueItems":true}`,
	`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"contains":{"type":"integer"},"minContains":1,"maxContains":2}`,
	`{"type":"array","unevaluatedItems":{"$ref":"#/$defs/leaf"}}`,
	`{"type":"object","properties":{"inner":{"$ref":"#/$defs/node"}},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":{"type":"boolean"},"propertyNames":{"pattern":"^[a-z]"},"minProperties":0,"maxProperties":5}`,
	`{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}},"unevaluatedProperties":false}`,
	`{"allOf":[{"type":"string"},{"maxLength":5}],"anyOf":[true,{"minLength":2}],"oneOf":[{"pattern":"^a"},{"pattern":"^b"}],"not":{"const":"zz"}}`,
	`{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"number"},"examples":["x",1]}`,
	`{"type":"string","contentEncoding":"base64","contentMediaType":"application/json","contentSchema":{"type":"object"},"readOnly":true,"writeOnly":false}`,
	`{"$ref":"#/$defs/leaf","$comment":"not shown","description":"beside a reference"}`,
	`{"$anchor":"here","type":"object","$dynamicAnchor":"tree"}`,
	`{"$dynamicRef":"#tree"}`,
	`{"definitions":{"old":{"type":"string"}},"dependencies":{"p":["q"]},"items":[{"type":"string"}],"additionalItems":false,"id":"old-id"}`,
	`{"type":"string","x-vendor":{"any":[1,2,{"thing":null}]},"nullable":true,"discriminator":{"propertyName":"kind"}}`,
	`true`,
	`{}`,
}

// manyTool is the definition of the nth tool. Its _meta tells which it is,
// whatever its name became.
func manyTool(n int) (name, raw string) {
	verb, noun := manyVerbs[n/len(manyNouns)], manyNouns[n%len(manyNouns)]
	switch n % 7 {
	case 0:
		name = verb + strings.ToUpper(noun[:1]) + noun[1:]
	case 1:
		name = verb + "-" + noun
	case 2:
		name = noun + "." + verb
	case 3:
		name = verb + "_" + noun + strings.Repeat("_of_the_department", 4) // longer than clients take
	default:
		name = verb + "_" + noun
	}
	var properties []string
	for i := range 1 + n%4 {
		properties = append(properties, fmt.Sprintf(`"p%d":%s`, i, manyKeywords[(n+i*5)%len(manyKeywords)]))
	}
	text := strings.ToUpper(verb[:1]) + verb[1:] + "s one " + noun + "." + manyUnicode[n%len(manyUnicode)]
	description, _ := json.Marshal(text)
	raw = fmt.Sprintf(`{"name":%q,"title":"%s %s","description":%s,"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://many.example/%d",
		"type":"object","properties":{%s},"$defs":{"leaf":{"type":"integer"},"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}}},`,
		name, noun, verb, description, n, strings.Join(properties, ","))
	if n%3 == 0 {
		raw += `"outputSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":[]},`
	}
	if n%2 == 0 {
		raw += fmt.Sprintf(`"annotations":{"title":"A","readOnlyHint":%v,"destructiveHint":false,"x":1},"icons":[{"src":"data:image/png;base64,AA==","sizes":["1x1"]}],`, n%4 == 0)
	}
	return name, strings.ReplaceAll(raw, "\n", " ") + fmt.Sprintf(`"execution":{"taskSupport":"optional"},"_meta":{"n":%d,"big":12345678901234567890.10}}`, n)
}

// manytools is a server of 1,200 tools that lists them in pages. The tool that
// is called answers with its name and arguments; grow adds one more, and ask
// wants something of the client that it did not declare.
func manytools() {
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...); out.Flush() }
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	grown := 0
	var asking json.RawMessage // id of the call that waits for the client
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Error  json.RawMessage
			Params struct {
				Cursor, Name string
				Arguments    json.RawMessage
			}
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := func(r string) { say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, r) }
		switch {
		case m.Method == "" && asking != nil:
			m.ID = asking
			said, _ := json.Marshal(string(m.Error))
			result(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, said))
		case m.Method == "initialize":
			result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"many","version":"1"}}`)
		case m.Method == "tools/list":
			result(manyList(m.Params.Cursor, grown))
		case m.Method == "tools/call" && m.Params.Name == "grow":
			grown++
			say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			result(`{"content":[]}`)
		case m.Method == "tools/call" && m.Params.Name == "ask":
			asking = m.ID
			say(`{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
		case m.Method == "tools/call":
			said, _ := json.Marshal(m.Params.Name + " " + string(m.Params.Arguments))
			result(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, said))
		default:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		}
	}
}

func manyList(cursor string, grown int) string {
	from, _ := strconv.Atoi(strings.TrimPrefix(cursor, "after "))
	var list []string
	for n := from; n < min(from+manyPage, manyTools); n++ {
		_, raw := manyTool(n)
		list = append(list, raw)
	}
	if from+manyPage < manyTools {
		return fmt.Sprintf(`{"tools":[%s],"nextCursor":"after %d"}`, strings.Join(list, ","), from+manyPage)
	}
	for i := range grown + 2 {
		name := []string{"ask", "grow"}[min(i, 1)]
		if i > 1 {
			name = fmt.Sprintf("grown_%d", i-1)
		}
		list = append(list, fmt.Sprintf(`{"name":%q,"description":"More.","inputSchema":{"type":"object"}}`, name))
	}
	return `{"tools":[` + strings.Join(list, ",") + `]}`
}
