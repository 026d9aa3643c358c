package compact

import (
	"encoding/xml"
	"strings"
)

// looksLikeJUnit reports whether a text is a JUnit test report in XML.
func looksLikeJUnit(head string) bool {
	return strings.HasPrefix(head, "<") && strings.Contains(cut(head, 3000), "<testsuite")
}

// readJUnit reads a JUnit report as far as it goes, or returns nil if it has no tests.
func readJUnit(text string) *testReport {
	if !looksLikeJUnit(strings.TrimSpace(cut(text, looked))) {
		return nil
	}
	t := newTestReport()
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	var of, name, fault string
	for {
		token, err := d.Token()
		if err != nil {
			break // the end, or where it was cut off
		}
		switch x := token.(type) {
		case xml.StartElement:
			switch x.Name.Local {
			case "testcase":
				of, name, fault = attr(x, "classname"), attr(x, "name"), "passed"
			case "skipped":
				if fault != "" {
					fault = "skipped"
				}
			case "failure", "error":
				if fault == "" { // of a test whose beginning was not read
					continue
				}
				fault = "failed"
				t.addOutput(of, name, "--- FAIL: "+name+" ("+of+")\n"+attr(x, "message")+"\n")
			}
		case xml.CharData:
			if strings.Contains(string(x), "\n"+omission+"\n") { // what follows belongs to another test
				fault = ""
			}
			if fault == "failed" {
				t.addOutput(of, name, strings.TrimRight(string(x), " \n")+"\n")
			}
		case xml.EndElement:
			if x.Name.Local == "testcase" && fault != "" {
				t.count(fault)
				fault = ""
			}
		}
	}
	if t.passed+t.failed+t.skipped == 0 {
		return nil
	}
	return t
}

func attr(x xml.StartElement, name string) string {
	for _, a := range x.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
