package coderank

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// A Bucket says what a file is for.
type Bucket string

// The buckets. Test holds fixtures and benchmarks too, Docs also examples and
// plain text, Config also scripts, build and data files.
const (
	Implementation Bucket = "implementation"
	Entry          Bucket = "entry" // where a program starts
	Types          Bucket = "types" // type declarations without code
	Test           Bucket = "test"
	Config         Bucket = "config"
	Docs           Bucket = "docs"
	Generated      Bucket = "generated"
	Vendored       Bucket = "vendored"
)

// isSource reports whether b is a bucket of code that people of the project write.
func (b Bucket) isSource() bool { return b == Implementation || b == Entry || b == Types }

// IsSource reports whether p has the extension of a programming language.
func IsSource(p string) bool { return sourceExts[strings.ToLower(path.Ext(p))] }

// headBytes is the length of the part of a file that is searched for the mark of a generator.
const headBytes = 1024

// BucketOf classifies a file by its slash-separated path and, to detect generated files, by its
// first bytes.
func BucketOf(p string, head []byte) Bucket {
	dir, _ := path.Split(p)
	return bucketIn(dirBucket(dir), p, func() bool { return generatedHead(head) })
}

// bucketIn classifies a file, like BucketOf, whose directory is already classified.
func bucketIn(byDir Bucket, p string, generated func() bool) Bucket {
	_, base := path.Split(p)
	low, ext := strings.ToLower(base), strings.ToLower(path.Ext(base))
	switch {
	case byDir == Vendored, byDir == Generated:
		return byDir
	case generatedName(low) || generated():
		return Generated
	case byDir == Test || testName(base):
		return Test
	case byDir == Docs || docExts[ext] || !sourceExts[ext] && docNames[strings.TrimSuffix(low, ext)]:
		return Docs
	case byDir == Config || !sourceExts[ext] || configNames[low] || strings.Contains(low, ".config."):
		return Config
	case strings.HasSuffix(low, ".d.ts"), strings.HasSuffix(low, ".d.mts"), strings.HasSuffix(low, ".d.cts"), ext == ".pyi":
		return Types
	case entryNames[strings.TrimSuffix(low, ext)]:
		return Entry
	}
	return Implementation
}

// dirBucket classifies a file by its directories; vendored and generated ones take precedence over
// test and document ones, at any depth.
func dirBucket(dir string) Bucket {
	var b Bucket
	for i, d := range strings.Split(strings.Trim(dir, "/"), "/") {
		low := strings.ToLower(d)
		switch {
		case vendorDirs[low]:
			return Vendored
		case generatedDirs[low]:
			return Generated
		case testDir(d, low) || low == "t" && i == 0:
			b = Test
		case b == "" && docDirs[low]:
			b = Docs
		case b == "" && configDirs[low]:
			b = Config
		}
	}
	return b
}

func testDir(d, low string) bool {
	if testDirs[low] || strings.HasSuffix(d, "Test") || strings.HasSuffix(d, "Tests") {
		return true
	}
	for _, s := range []string{"test", "tests", "benchmarks", "specs"} {
		if n := len(low) - len(s); n > 0 && low[n:] == s && strings.IndexByte("-_.", low[n-1]) >= 0 {
			return true
		}
	}
	return false
}

// testName reports whether base is a name that test runners look for.
func testName(base string) bool {
	name := strings.TrimSuffix(base, path.Ext(base))
	low := strings.ToLower(name)
	for _, s := range []string{"_test", ".test", "-test", ".spec", "_spec", ".bench", "_bench"} {
		if strings.HasSuffix(low, s) {
			return true
		}
	}
	for _, s := range []string{"Test", "Tests", "TestCase", "Spec", "Specs"} {
		if strings.HasSuffix(name, s) && len(name) > len(s) {
			return true
		}
	}
	return path.Ext(base) == ".bats" || strings.HasPrefix(low, "test_") || strings.HasPrefix(low, "tests_") || low == "test" || low == "tests" || low == "conftest"
}

func generatedName(low string) bool {
	return slices.ContainsFunc(generatedSuffixes, func(s string) bool { return strings.HasSuffix(low, s) })
}

// generatedHead reports whether head holds the line that generators leave at the top of a file.
func generatedHead(head []byte) bool {
	head = head[:min(len(head), headBytes)]
	return bytes.Contains(head, []byte("DO NOT EDIT")) && bytes.Contains(head, []byte("enerated")) ||
		bytes.Contains(head, []byte("@generated"))
}

var (
	testDirs = set(`test tests __tests__ spec specs testdata fixture fixtures __fixtures__ __snapshots__ __mocks__ mocks
		e2e bench benches benchmark benchmarks fuzz testing testutil testutils`)
	vendorDirs    = set(`vendor node_modules third_party thirdparty third-party extern bower_components .yarn`)
	generatedDirs = set(`dist generated __generated__`)
	docDirs       = set(`doc docs documentation website site www examples example samples sample demo demos playground
		playgrounds sandbox tutorial tutorials`)
	configDirs  = set(`.github .circleci .gitlab .vscode .idea ci script scripts hack`)
	docExts     = set(`.md .mdx .markdown .rst .txt .adoc .asciidoc .html .htm .svg .tex .po .pot`)
	docNames    = set(`readme license licence copying changelog changes news authors contributing history`)
	configNames = set(`setup.py noxfile.py conftest.py gruntfile.js gulpfile.js webpack.config.js build.rs rakefile.rb`)
	entryNames  = set(`main __main__`)
	sourceExts  = set(`.go .py .pyx .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .astro .java .kt .scala
		.groovy .clj .cljs .rs .c .h .cc .cpp .cxx .hpp .hh .hxx .inl .ipp .m .mm .cs .fs .vb .rb .php .swift .dart .lua
		.pl .pm .r .jl .ex .exs .erl .hrl .hs .ml .mli .elm .zig .nim .sol .proto .thrift .graphql .sql .y .l .g4 .peg
		.grammar .asm .s .cue .sh .bash .zsh .fish .ps1 .ipynb`)
	generatedSuffixes = strings.Fields(`.pb.go .pb.cc .pb.h .pb.gw.go _pb2.py _pb2_grpc.py .g.dart .designer.cs .min.js
		.min.css .bundle.js .lock .sum -lock.yaml -lock.json .snap .map`)
)
