package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

func find(path, text string) []Option {
	return Find(path, []byte(text), new(symbols.Scanner).Scan(path, []byte(text)))
}

func TestShapesOfOptions(t *testing.T) {
	for _, c := range []struct{ path, text, name, value, help string }{
		{"main.go", "package p\n\nfunc f() {\n\ta.Flag(\"query.max-samples\", \"Maximum number of samples.\").\n\t\tDefault(\"50000000\").IntVar(&cfg.max)\n}\n", "query.max-samples", "50000000", "Maximum number"},
		{"a.go", "package p\n\nfunc f() {\n\tfs.IntVarP(&o.n, \"retries\", \"r\", 3, \"times to try again\")\n}\n", "retries", "3", "times to try"},
		{"a.py", "def f(p):\n    p.add_argument('-w', '--workers', type=int,\n                   default=4, help='how many processes')\n", "--workers", "4", "how many processes"},
		{"defaults.py", "NAMESPACES = Namespace(\n    worker=Namespace(\n        max_tasks=Option(type='int'),\n        timeout=Option(4.0, type='float'),\n    ),\n)\n", "worker_timeout", "4.0", ""},
		{"F.java", "enum SerializationFeature {\n    /**\n     * Dates are numbers.\n     * Feature is enabled by default.\n     */\n    WRITE_DATES(true),\n    B(false);\n}\n", "WRITE_DATES", "enabled", "Dates are numbers"},
		{"o.ts", "export interface ParserOptions {\n  /**\n   * Whitespace handling\n   * @default 'condense'\n   */\n  whitespace?: string\n}\n", "whitespace", "condense", "Whitespace handling"},
		{"hashing.php", "<?php\nreturn [\n    'rounds' => env('BCRYPT_ROUNDS', 12),\n];\n", "BCRYPT_ROUNDS", "12", ""},
		{"redis.conf", "# Set the max number of clients.\n# By default this limit is set to the value of 10000.\n#\n# maxclients 10000\n", "maxclients", "10000", "Set the max"},
		{"base.yml", "FORKS:\n  name: Forks\n  default: 5\n  description: How many run at once.\n  env: [{name: ANSIBLE_FORKS}]\n", "FORKS", "5", "How many run"},
		{"config.rst", ".. py:data:: MAX_LENGTH\n\n    The most bytes.\n\n    Default: ``None``\n", "MAX_LENGTH", "None", "The most bytes"},
		{"CMakeLists.txt", "option(FMT_DOC \"Generate the doc target.\" ON)\n", "FMT_DOC", "ON", "Generate"},
		{"P.java", "@ConfigurationProperties(\"server.web\")\nclass P {\n    /**\n     * Most threads.\n     */\n    private int maxThreads = 200;\n}\n", "server.web.max-threads", "200", "Most threads"},
		{"api.py", "def get(url, verify=True):\n    \"\"\"Gets.\n\n    :param verify: (optional) whether to check the\n        certificate. Defaults to ``True``.\n    \"\"\"\n    return 1\n", "verify", "True", "check the certificate"},
		{"api.js", "/**\n * @param {Object} [opts.depth=3] how deep to go\n */\nfunction f (opts) {}\n", "opts.depth", "3", "how deep"},
		{"x.go", "package p\n\ntype Config struct {\n\tPort int `yaml:\"port\" default:\"8080\"` // where to listen\n}\n", "port", "8080", "where to listen"},
		{"one.conf", "# Of another.\n# sock /run/x\n\n# Seconds to wait.\nidle 30\n", "idle", "30", "Seconds to wait"},
		{"a.rb", "timeout = ENV.fetch(\"APP_TIMEOUT\", 5)\n", "APP_TIMEOUT", "5", ""},
	} {
		var got *Option
		all := find(c.path, c.text)
		for i := range all {
			if all[i].Name == c.name {
				got = &all[i]
				break
			}
		}
		if got == nil {
			t.Errorf("%s: no %s in %+v", c.path, c.name, all)
			continue
		}
		if got.Default != c.value || !strings.Contains(got.Help, c.help) {
			t.Errorf("%s: default %q, help %q; want %q, %q", c.name, got.Default, got.Help, c.value, c.help)
		}
	}
}

func TestDefaultsThatAreNotKnownAreLeftOut(t *testing.T) {
	for _, s := range []string{"The default is 5. In batches the default is 9.", "Resets to its default.", "no word of it", "The default depends on the platform."} {
		if got := DefaultIn(s); got != "" {
			t.Errorf("%q: default %q", s, got)
		}
	}
}

func TestHostileFilesTakeLinearTime(t *testing.T) {
	for _, unit := range []string{"option(", "x = {\n", "flag.String(\"a\", ", "# a\n", "- `a", "default: ", "(((((", "\"", "ENV['A"} {
		for _, path := range []string{"a.py", "a.md", "a.conf", "a.yml", "a.go", "config.js"} {
			t.Run(path+" of "+unit, func(t *testing.T) {
				clocktest.Linear(t, 1<<12, func(size int) func() {
					text := []byte(strings.Repeat(unit, size/len(unit)))
					return func() { Find(path, text, nil) }
				})
			})
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a.py", "p.add_argument('--x', default=1)\nX = {\n 'a': env('B', 1),\n}\n")
	f.Add("a.md", "### `key`\nDefault: `x`\n| `a` | b |\n")
	f.Add("a.conf", "# text\n# key value\n")
	f.Add("a.yml", "A:\n  default: 1\n  description: x\n")
	f.Add("A.java", "@Value(\"${a.b:c}\")\nenum F { A(true) }")
	f.Fuzz(func(t *testing.T, path, text string) {
		if len(path) > 40 {
			return
		}
		lines := strings.Count(text, "\n") + 1
		for _, o := range find(path, text) {
			if o.Line < 1 || o.Line > lines || !isName(o.Name) || strings.Contains(o.Default+o.Help, "\n") {
				t.Errorf("%+v", o)
			}
		}
		In(text)
	})
}

// A variable whose name stands in a constant is named as a user writes it.
func TestEnvironmentByConstant(t *testing.T) {
	for path, text := range map[string]string{
		"a.go":   "package a\n\n// envLog is the level of the log.\nconst envLog = \"APP_LOG\"\n\nfunc f() string { return os.Getenv(envLog) }\n",
		"a.py":   "ENV_LOG = \"APP_LOG\"\n\ndef f():\n    return os.environ.get(ENV_LOG)\n",
		"A.java": "class A {\n  private static final String LOG = \"APP_LOG\";\n  String f() { return System.getenv(LOG); }\n}\n",
		"a.ts":   "const LOG: string = 'APP_LOG'\nexport const f = () => process.env[LOG]\n",
		"a.rs":   "const LOG: &'static str = \"APP_LOG\";\nfn f() { env::var(LOG); }\n",
	} {
		var names []string
		for _, o := range find(path, text) {
			names = append(names, o.Name)
		}
		if !slices.Contains(names, "APP_LOG") {
			t.Errorf("%s: %q", path, names)
		}
	}
}
