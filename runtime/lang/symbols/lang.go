package symbols

import (
	"bytes"
	"path"
	"strings"
)

// Lang is a language, or "" if the package does not read it.
type Lang string

// The languages and formats that Scan knows.
const (
	Go         Lang = "go"
	Python     Lang = "python"
	JavaScript Lang = "javascript" // with JSX
	TypeScript Lang = "typescript"
	TSX        Lang = "tsx"
	Component  Lang = "component" // Vue, Svelte and Astro: markup with script parts
	Java       Lang = "java"
	Rust       Lang = "rust"
	C          Lang = "c"
	CPP        Lang = "cpp"
	CSharp     Lang = "csharp"
	Ruby       Lang = "ruby"
	PHP        Lang = "php"
	Kotlin     Lang = "kotlin"
	Swift      Lang = "swift"
	Scala      Lang = "scala"
	Shell      Lang = "shell"
	CUE        Lang = "cue"
	Protobuf   Lang = "protobuf"
	SQL        Lang = "sql"
	Dart       Lang = "dart"
	Lua        Lang = "lua"
	Elixir     Lang = "elixir"
	Perl       Lang = "perl"
	PowerShell Lang = "powershell"
	R          Lang = "r"
	Haskell    Lang = "haskell"
	Zig        Lang = "zig"
	HCL        Lang = "hcl" // Terraform
	Make       Lang = "make"
	Dockerfile Lang = "dockerfile"
	Markdown   Lang = "markdown"
	AsciiDoc   Lang = "asciidoc"
	RST        Lang = "rst"
	Notebook   Lang = "notebook" // Jupyter, as returned by notebook.Lines
	YAML       Lang = "yaml"
	TOML       Lang = "toml"
	JSON       Lang = "json"
)

// byExtension maps a lower-case extension to its language. ".h" counts as C; one lexer and one scanner serve C and C++,
// so classes in it are found, too.
var byExtension = map[string]Lang{
	".go": Go, ".py": Python, ".pyi": Python, ".pyx": Python, ".pyw": Python, ".bzl": Python, ".star": Python,
	".js": JavaScript, ".jsx": JavaScript, ".mjs": JavaScript, ".cjs": JavaScript, ".es6": JavaScript,
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript, ".tsx": TSX, ".vue": Component, ".svelte": Component, ".astro": Component,
	".java": Java, ".rs": Rust, ".c": C, ".h": C,
	".cc": CPP, ".cpp": CPP, ".cxx": CPP, ".c++": CPP, ".hh": CPP, ".hpp": CPP, ".hxx": CPP, ".h++": CPP,
	".ipp": CPP, ".inl": CPP, ".tcc": CPP, ".tpp": CPP, ".cu": CPP, ".cuh": CPP, ".ino": CPP,
	".cs": CSharp, ".csx": CSharp, ".rb": Ruby, ".rake": Ruby, ".gemspec": Ruby, ".ru": Ruby, ".podspec": Ruby,
	".php": PHP, ".phtml": PHP, ".php5": PHP, ".inc": PHP, ".kt": Kotlin, ".kts": Kotlin, ".swift": Swift,
	".scala": Scala, ".sc": Scala, ".sbt": Scala,
	".sh": Shell, ".bash": Shell, ".zsh": Shell, ".ksh": Shell, ".bats": Shell,
	".cue": CUE, ".proto": Protobuf, ".sql": SQL, ".ddl": SQL, ".pgsql": SQL,
	".dart": Dart, ".lua": Lua, ".ex": Elixir, ".exs": Elixir, ".pl": Perl, ".pm": Perl, ".t": Perl, ".psgi": Perl,
	".ps1": PowerShell, ".psm1": PowerShell, ".r": R, ".hs": Haskell, ".zig": Zig, ".tf": HCL, ".tfvars": HCL, ".hcl": HCL,
	".mk": Make, ".mak": Make, ".dockerfile": Dockerfile,
	".md": Markdown, ".markdown": Markdown, ".mdx": Markdown, ".mkd": Markdown,
	".adoc": AsciiDoc, ".asciidoc": AsciiDoc, ".rst": RST, ".ipynb": Notebook,
	".yaml": YAML, ".yml": YAML, ".toml": TOML, ".json": JSON, ".jsonc": JSON, ".json5": JSON,
}

// byName maps well-known file names whose extension does not identify the language.
var byName = map[string]Lang{
	"Rakefile": Ruby, "Gemfile": Ruby, "Podfile": Ruby, "Vagrantfile": Ruby, "Guardfile": Ruby, "Capfile": Ruby,
	"Brewfile": Ruby, "Fastfile": Ruby, "BUILD": Python, "BUILD.bazel": Python, "WORKSPACE": Python,
	"SConstruct": Python, "SConscript": Python, "wscript": Python, "Tiltfile": Python,
	".bashrc": Shell, ".bash_profile": Shell, ".profile": Shell, ".zshrc": Shell, "PKGBUILD": Shell, "gradlew": Shell,
	"Makefile": Make, "makefile": Make, "GNUmakefile": Make, "Dockerfile": Dockerfile, "Containerfile": Dockerfile,
	"Cargo.lock": TOML, "poetry.lock": TOML, "Pipfile": TOML, "uv.lock": TOML,
	".prettierrc": JSON, ".babelrc": JSON, ".eslintrc": JSON,
}

// Language returns the language of a file by its name alone, or "" if unknown.
func Language(name string) Lang {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if l, ok := byName[base]; ok {
		return l
	}
	if strings.HasPrefix(base, "Dockerfile.") {
		return Dockerfile
	}
	return byExtension[strings.ToLower(path.Ext(base))]
}

// Detect returns the language by the name of a file or, if that does not identify it, by a "#!" line at the start of
// src. For a notebook it is the language of its code.
func Detect(name string, src []byte) Lang {
	switch l := Language(name); l {
	case "":
		return readShebang(src)
	case Notebook:
		return notebookLang(src)
	default:
		return l
	}
}

// interpreters maps the program of a "#!" line, without version digits.
var interpreters = map[string]Lang{
	"sh": Shell, "bash": Shell, "zsh": Shell, "ksh": Shell, "dash": Shell, "ash": Shell, "bats": Shell,
	"python": Python, "pypy": Python, "node": JavaScript, "nodejs": JavaScript, "bun": TypeScript, "deno": TypeScript,
	"tsx": TypeScript, "ts-node": TypeScript, "ruby": Ruby, "jruby": Ruby, "php": PHP, "scala": Scala,
	"kotlin": Kotlin, "swift": Swift, "dart": Dart, "lua": Lua, "luajit": Lua, "elixir": Elixir, "perl": Perl,
	"pwsh": PowerShell, "Rscript": R, "runhaskell": Haskell, "make": Make,
}

// readShebang returns the language of the program that a "#!" line names.
func readShebang(src []byte) Lang {
	src = bytes.TrimPrefix(src, bom)
	if !bytes.HasPrefix(src, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(src[2:min(len(src), 256)], []byte("\n"))
	for _, word := range strings.Fields(string(line)) {
		word = path.Base(word)
		if word == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		return interpreters[strings.TrimRight(word, "0123456789.")]
	}
	return ""
}

// isOftenMinified reports whether files in the language are often minified into one line.
func (l Lang) isOftenMinified() bool {
	switch l {
	case JavaScript, TypeScript, TSX, JSON:
		return true
	}
	return false
}

// Separator returns the text that the language writes between a container and a name in it.
func (l Lang) Separator() string {
	switch l {
	case Rust, C, CPP, Ruby, PHP, Perl:
		return "::"
	case Markdown, AsciiDoc, RST:
		return " > "
	default:
		return "."
	}
}
