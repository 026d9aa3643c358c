package rank

import (
	"bytes"
	"path"
	"strings"
)

// Bucket is what a file is for.
type Bucket string

// The buckets, by which an answer groups files.
const (
	Implementation Bucket = "implementation"
	Test           Bucket = "test"
	Config         Bucket = "config"
	Docs           Bucket = "docs"
	Types          Bucket = "types"
	Entry          Bucket = "entry"
	Vendored       Bucket = "vendored"
	Generated      Bucket = "generated"
)

var (
	testDirs      = set("test tests __tests__ spec specs testdata fixtures fixture __snapshots__ __mocks__ mocks e2e testing-helpers test-utils benches bench benchmark benchmarks fuzz")
	vendorDirs    = set("vendor node_modules third_party thirdparty third-party extern external bower_components .yarn")
	generatedDirs = set("dist generated __generated__")
	docDirs       = set("doc docs documentation website site examples example samples sample demo demos playground playgrounds sandbox tutorial tutorials ")
	configDirs    = set(".github .circleci .gitlab .vscode .idea ci scripts script hack")
	docExts       = set(".md .mdx .rst .txt .adoc .markdown .html .svg .tex .po .pot")
	configExts    = set(".json .yaml .yml .toml .ini .cfg .conf .xml .properties .lock .sum .mod .gradle .bat .cmd .ps1 .env .csv .tsv .snap .plist .css .scss .less .sass .sh .bash .mk .cmake .nix .in")
	sourceExts    = set(".go .py .pyx .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .java .kt .kts .scala .groovy .clj .rs .c .h .cc .cpp .cxx .hpp .hh .hxx .inl .ipp .m .mm .cs .fs .vb .rb .rake .php .swift .dart .lua .pl .pm .r .jl .ex .exs .erl .hs .ml .mli .elm .zig .nim .sol .proto .thrift .graphql .sql .y .l .g4 .peg .grammar .asm .s")
	configNames   = set("Makefile Dockerfile Jenkinsfile Gemfile Rakefile Procfile go.mod go.sum setup.py setup.cfg conftest.py .gitignore .editorconfig")
)

// BucketOf classes a file by its path and, for generated files, by its first bytes.
func BucketOf(p string, head []byte) Bucket {
	dirs := strings.Split(path.Dir(p), "/")
	base := path.Base(p)
	ext := strings.ToLower(path.Ext(base))
	lowBase := strings.ToLower(base)
	test, docs, config := false, false, false
	for i, d := range dirs {
		d = strings.ToLower(d)
		switch {
		case vendorDirs[d]:
			return Vendored
		case testDirs[d] || d == "t" && i == 0:
			test = true
		case generatedDirs[d]:
			return Generated
		case strings.HasSuffix(d, ".tests"), strings.HasSuffix(d, ".test"), strings.HasSuffix(d, "-tests"), strings.HasSuffix(d, "-test"), strings.HasSuffix(d, "_tests"), strings.HasSuffix(d, "_test"), strings.HasSuffix(dirs[i], "Test"), strings.HasSuffix(dirs[i], "Tests"), strings.HasSuffix(d, ".benchmarks"), strings.HasSuffix(d, "-benchmarks"):
			test = true
		case docDirs[d]:
			docs = true
		case configDirs[d]:
			config = true
		}
	}
	if generatedFile(lowBase, head) {
		return Generated
	}
	switch {
	case test || testName(base):
		return Test
	case docs || docExts[ext] || strings.HasPrefix(lowBase, "license") || strings.HasPrefix(lowBase, "changelog"):
		return Docs
	case config || configExts[ext] || configNames[base] || ext == "" || base[0] == '.' || strings.Contains(lowBase, ".config."):
		return Config
	case strings.HasSuffix(lowBase, ".d.ts") || ext == ".pyi":
		return Types
	case lowBase == "main.go" || lowBase == "__main__.py" || lowBase == "main.rs" || lowBase == "main.py":
		return Entry
	}
	if !sourceExts[ext] {
		return Docs
	}
	return Implementation
}

func testName(base string) bool {
	ext := path.Ext(base)
	stemName := strings.TrimSuffix(base, ext)
	low := strings.ToLower(stemName)
	switch {
	case strings.HasSuffix(low, "_test"), strings.HasSuffix(low, ".test"), strings.HasSuffix(low, ".spec"), strings.HasSuffix(low, "_spec"), strings.HasSuffix(low, "-test"), strings.HasSuffix(low, ".bench"):
		return true
	case strings.HasPrefix(low, "test_"), strings.HasPrefix(low, "tests_"), low == "test", low == "tests", low == "conftest":
		return true
	case strings.HasSuffix(stemName, "Test"), strings.HasSuffix(stemName, "Tests"), strings.HasSuffix(stemName, "TestCase"), strings.HasSuffix(stemName, "IT") && ext == ".java":
		return true
	}
	return false
}

func generatedFile(base string, head []byte) bool {
	switch {
	case strings.HasSuffix(base, ".pb.go"), strings.HasSuffix(base, ".min.js"), strings.HasSuffix(base, ".min.css"), strings.HasSuffix(base, "_pb2.py"),
		strings.HasSuffix(base, ".lock"), strings.HasSuffix(base, "-lock.yaml"), strings.HasSuffix(base, "-lock.json"), strings.HasSuffix(base, ".snap"), strings.HasSuffix(base, ".map"), base == "go.sum":
		return true
	}
	if len(head) > 1024 {
		head = head[:1024]
	}
	return bytes.Contains(head, []byte("DO NOT EDIT")) && bytes.Contains(head, []byte("enerated")) || bytes.Contains(head, []byte("@generated"))
}
