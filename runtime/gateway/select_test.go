package gateway

import (
	"strings"
	"testing"
)

// What a server calls its tools must not get them approved with those of
// another.
func TestANameApprovesNoToolOfAnotherServer(t *testing.T) {
	list := []Waiting{
		{Server: "github", Tool: "merge", Listed: "github__merge", Hash: "aa"},
		{Server: "evil", Tool: "github", Listed: "evil__github", Hash: "bb"},
		{Server: "evil", Tool: "quiet", Listed: "evil__quiet", Hash: "cc"},
		{Server: "evil", Tool: "b.c", Listed: "evil__b.c", Hash: "dd"},
		{Server: "evil.b", Tool: "c", Listed: "evil.b__c", Hash: "ee"},
		{Server: "evil", Tool: "github.pay", Listed: "evil__github.pay", Hash: "11"},
		{Server: "s", Tool: "read", Listed: "s__read", Hash: "ff"},
		{Server: "s", Tool: "READ", Listed: "s__READ", Hash: "00"},
	}
	for name, want := range map[string]string{
		"github": "github__merge", "quiet": "", "github@bb": "evil__github", "evil.github": "evil__github", "s.read": "s__read", "S.Read": "", "S.Quiet": "", "Evil.Quiet": "evil__quiet", "evil.b.c": "",
		"github.pay": "", "GitHub.pay": "", "github.pay@11": "evil__github.pay", "evil.github.pay": "evil__github.pay", "evil__github.pay": "evil__github.pay",
		"merge": "github__merge", "evil__quiet": "evil__quiet", "evil.quiet": "evil__quiet", "evil.b.c@ee": "evil.b__c",
	} {
		// "quiet" is a server too, of which nothing waits
		got, _ := Select(list, []string{name}, []string{"github", "evil", "evil.b", "quiet", "s"})
		var listed []string
		for _, w := range got {
			listed = append(listed, w.Listed)
		}
		if strings.Join(listed, " ") != want {
			t.Errorf("%s names %v, want %q", name, listed, want)
		}
	}
}
