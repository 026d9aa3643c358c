package config

// Starter is what `compactor init` writes: files by name. Every setting is
// commented out, so that the directory changes nothing until somebody wants
// it to.
func Starter() map[string][]byte {
	return map[string][]byte{"compactor.cue": []byte(starter)}
}

const starter = `// compactor: what differs from the built-in configuration.
// See it all with: compactor config show. Check an edit with: compactor validate.
package compactor

// Directories that may be searched, relative to where compactor is started.
// A "thoughts" root adds your notes to the answers.
// roots: code: ["."]
// roots: thoughts: ["./thoughts"]

// How much one question may read, and for how long.
// pipelines: research_codebase: budget: {files: 80, time: "20s"}

// A role does more, or less.
// roles: locator: bounds: references: 15

// A role of your own: a model fills its output, and its fallback stands without one.
// A stage runs it: stages: review: {role: "reviewer", with: text: "input.text"}
// roles: reviewer: {purpose: "review", task: "free", #input: text: string, #output: {risk: "low" | "high", why: string}, prompt: "Review {{ input.text }}", fallback: error: "NO_REVIEW"}

// What is masked in everything that leaves, beside the built-in rules. The
// example proves the pattern.
// redaction: patterns: acme_key: {regex: "ACME-[0-9A-F]{16}", example: "ACME-0123456789ABCDEF"}

// Names that are never opened, beside the built-in list.
// sandbox: deny: ["*.sqlite", "private/"]

// A tool of your own that runs a shipped pipeline.
// tools: where: {description: "Say where something is.", pipeline: "locate_in_codebase"}

// Other MCP servers, behind five tools that find and run theirs. compactor
// import takes them over from chat clients; ${VAR} comes from secrets.env
// beside this file. See how they are with: compactor servers.
// servers: files: {command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"]}
// servers: web: {url: "https://example.com/mcp", headers: Authorization: "Bearer ${WEB_TOKEN}"}

// Which of their tools can be seen and run: the first rule that matches decides.
// See why with: compactor tools why NAME.
// toolRules: [{pattern: ["delete_*", "/drop|purge/i"], enabled: false}]

// discovery: the five tools; proxy: the servers' own; both, or none. With trust
// "ask" each tool waits for: compactor tools approve.
// gateway: {surface: "discovery", trust: "first"}

// Where handoffs are written.
// artifacts: dir: "handoffs"
`
