package main

import (
	"runtime/debug"
	"testing"
)

func TestProvenance(t *testing.T) {
	vcs := func(pairs ...string) (out []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	for _, c := range []struct {
		name           string
		info           *debug.BuildInfo
		version, commi string
	}{
		{"nothing known", nil, "devel", "unknown"},
		{"go build in a clone", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260101000000-0123456789ab+dirty"}, Settings: vcs("vcs.revision", "0123456789abcdef", "vcs.modified", "true")},
			"v0.0.0-20260101000000-0123456789ab+dirty", "0123456789abcdef (modified)"},
		{"go install of a tag", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3", Sum: "h1:x="}}, "v1.2.3", "that of module version v1.2.3, h1:x="},
		{"go install of a commit", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20260101000000-0123456789ab", Sum: "h1:x="}}, "v1.2.4-0.20260101000000-0123456789ab", "0123456789ab"},
		{"go build of an archive", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "devel", "unknown"},
	} {
		if v, from := provenance(c.info); v != c.version || from != c.commi {
			t.Errorf("%s: %q from %q", c.name, v, from)
		}
	}
	version, commit = "v9", "abc"
	defer func() { version, commit = "", "" }()
	if v, from := provenance(&debug.BuildInfo{Settings: vcs("vcs.revision", "other")}); v != "v9" || from != "abc" {
		t.Errorf("what make dist sets is not said: %q from %q", v, from)
	}
}
