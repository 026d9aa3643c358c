package compact

import (
	"math"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// An OpenAPI or Swagger description is read as a table of its operations, a line for each schema, and members.

// isOpenAPI reports whether an object is an OpenAPI or Swagger description.
func isOpenAPI(v *value) bool {
	paths := v.member("paths")
	return (v.member("openapi") != nil || v.member("swagger") != nil) && paths != nil && paths.kind == rawjson.Object
}

// member returns the member of an object with a name, or nil.
func (v *value) member(name string) *value {
	for i, k := range v.keys {
		if k == name {
			return &v.kids[i]
		}
	}
	return nil
}

// joinNames returns the texts of a list, the member named by below of each of its objects, or the keys of an object.
func (v *value) joinNames(below string) string {
	var out []string
	if v == nil {
		return ""
	}
	if v.kind == rawjson.Object {
		return strings.Join(v.keys, ", ")
	}
	for i := range v.kids {
		k := &v.kids[i]
		switch {
		case k.kind != rawjson.Object:
			out = append(out, k.text)
		case below == "": // security requirements, any of which suffices
			out = append(out, k.keys...)
		case k.member(below) != nil:
			out = append(out, k.member(below).text)
		case k.member("$ref") != nil:
			out = append(out, lastOfRef(k.member("$ref").text))
		}
	}
	return strings.Join(out, ", ")
}

func lastOfRef(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// openAPI splits a description into sections.
func (b *blocks) openAPI(v *value, path string) {
	paths := v.member("paths")
	t := section{path: joinPath(path, "paths"), rows: operationRows(paths), size: math.Pow(float64(sizeOf(paths)), sectionSize)}
	if len(t.rows) > 0 {
		t.path += " " + note("%v operations, %v paths", len(t.rows), len(paths.kids))
		b.units += len(t.rows)
		b.tables = append(b.tables, t)
	}
	for i := range v.kids {
		switch k := &v.kids[i]; v.keys[i] {
		case "paths":
		case "components", "definitions":
			b.addSchemas(k, joinPath(path, v.keys[i]))
		default:
			b.walk(k, joinPath(path, v.keys[i]))
		}
	}
}

// operationRows returns a record for each method of each path.
func operationRows(paths *value) []value {
	var out []value
	for i := range paths.kids {
		item := &paths.kids[i]
		for m := range item.kids {
			op := &item.kids[m]
			if op.kind != rawjson.Object {
				continue
			}
			row := value{kind: rawjson.Object}
			add := func(name, text string) {
				if text != "" {
					row.keys = append(row.keys, name)
					row.kids = append(row.kids, value{kind: rawjson.String, text: text})
				}
			}
			add("path", item.keys[m]+" "+paths.keys[i])
			for _, name := range []string{"operationId", "summary"} {
				if k := op.member(name); k != nil {
					add(name, k.text)
				}
			}
			add("security", op.member("security").joinNames(""))
			add("parameters", op.member("parameters").joinNames("name"))
			if body := op.member("requestBody"); body != nil {
				add("requestBody", body.member("content").joinNames(""))
			}
			add("responses", op.member("responses").joinNames(""))
			out = append(out, row)
		}
	}
	return out
}

// addSchemas adds schemas as members, each with the names of its properties; other components are walked.
func (b *blocks) addSchemas(v *value, path string) {
	for i := range v.kids {
		k, at := &v.kids[i], joinPath(path, v.keys[i])
		switch {
		case k.kind != rawjson.Object, v.keys[i] == "securitySchemes":
			b.walk(k, at)
		case v.keys[i] == "schemas":
			b.addSchemas(k, at)
		default:
			b.units++
			for _, name := range []string{"required", "properties", "$ref"} {
				if text := k.member(name).joinNames(""); text != "" {
					b.members = append(b.members, member{path: joinPath(at, name), of: at, text: text})
				}
			}
		}
	}
}
