package diag

// Code explains one kind of mistake. Codes below C100 are found while a configuration
// is read, C1xx while it is compiled into a plan. A code keeps its meaning forever; one
// that is no longer used is not assigned again.
type Code struct {
	ID    string
	Title string // a few words
	Text  string // what it means and what to do, in a few sentences
}

// Explain returns the entry of a code.
func Explain(id string) (Code, bool) {
	for _, c := range Codes {
		if c.ID == id {
			return c, true
		}
	}
	return Code{ID: id, Title: id, Text: id}, false
}

// Codes lists every code, in order.
var Codes = []Code{
	{"C001", "syntax error", "The file is not CUE. The other files were still checked. A quote, a brace or a comma is most often missing just before the place shown."},
	{"C002", "package clause", "Every file of a configuration begins with `package compactor`, so that all of them speak of one configuration."},
	{"C003", "import not available", "A configuration may import CUE's own packages (strings, list, ...) and \"compactor.local/schemas\". Nothing is ever fetched."},
	{"C004", "file cannot be used", "The file is too large, not UTF-8, a link that leads out of the directory, unreadable or not a file."},
	{"C005", "no configuration files", "The directory holds no *.cue file at its top or below pipelines/. The built-in configuration is used alone. `compactor init` writes a first file."},
	{"C006", "reference not found", "A name stands where CUE looks for a field, a definition or an import of that name, and there is none. A text needs quotes."},
	{"C007", "values disagree", "Two places give one field values that cannot both hold. Within your own files nothing overrides anything: take one of them away. What you write does override the built-in configuration."},
	{"C008", "value is not concrete", "A type such as string stands where a value is needed. Only input and output of tools and pipelines are types."},
	{"C009", "reference cycle", "A value is defined by itself, directly or through others."},
	{"C010", "evaluation error", "CUE could not work out the value; its own words are shown."},
	{"C011", "evaluation did not end", "Evaluating the configuration took more time or memory than any needs, or came to more than one may hold; nothing of it was used. Texts, lists or structs that are doubled again and again, and very large comprehensions, are the usual cause."},
	{"C012", "marker without effect", "`?` and `!` describe fields that may or must be written by somebody else. In a configuration write the value itself."},
	{"C013", "attribute not supported", "Attributes such as @if, @tag and @embed belong to the cue command and do nothing here."},
	{"C014", "does not look like a configuration", "None of the file's fields belongs to compactor. The top-level names are listed."},
	{"C015", "file is not read", "A configuration is *.cue at the top of its directory and below pipelines/. What stands elsewhere has no effect; move it."},
	{"C016", "declared and not used", "CUE wants every import and every let to be used."},
	{"C018", "not for a project to say", "The setting belongs to the user's own configuration directory: in a project's it could be turned against him."},
	{"C019", "the user's own holds", "The user's own configuration has an entry of this name, and what the project says of it is not used."},
	{"C020", "unknown field", "The field does not exist at this place. A field that nothing reads is always an error, because it is nearly always misspelt."},
	{"C021", "wrong kind of value", "A number stands where a text is wanted, a list where a struct is wanted, and so on."},
	{"C022", "value not allowed", "Only the listed values can stand here."},
	{"C023", "out of range", "The number, the length of the text or the length of the list is outside its bounds."},
	{"C024", "malformed name or text", "The text does not have the form that is needed here. Names of roles, pipelines, stages and tools begin with a letter and go on with letters, digits and _."},
	{"C025", "required field is missing", "The field has no default and nothing set it."},
	{"C026", "stage runs nothing", "A stage names what it runs: one of role, builtin and pipeline."},
	{"C027", "stage runs two things", "A stage names exactly one of role, builtin and pipeline. Use two stages instead."},
	{"C028", "malformed duration", "A duration is a number with a unit, in quotes: \"500ms\", \"20s\", \"1m30s\"."},
	{"C029", "malformed size", "A size is a number of bytes or a text with a unit: 65536, \"64KiB\", \"1MiB\", \"2GiB\"."},
	{"C030", "fields exclude each other", "Two fields are set of which only one can be used."},
	{"C031", "field needs another", "A field is set, or has a value, that makes another one necessary."},
	{"C040", "type cannot be shown to a client", "Input and output of tools are flat JSON schemas: structs, lists, texts, numbers, booleans, enumerations, bounds and defaults. Other CUE types have no form that small models and all clients understand."},
	{"C050", "regex cannot be used", "The pattern is not in RE2 syntax, where backreferences and lookarounds do not exist, or it is too large: counts within counts multiply."},
	{"C051", "regex matches nothing at all", "The pattern matches the empty text, and would replace the gap between any two characters."},
	{"C052", "example does not match", "Each redaction pattern is proved at load by its example, which it must match."},
	{"C100", "unknown stage", "needs names a stage that the pipeline does not have."},
	{"C101", "unknown role", "A stage runs a role that is not defined."},
	{"C102", "unknown builtin", "A stage or a role names a builtin that does not exist."},
	{"C103", "unknown tool", "A role is allowed a tool that does not exist. It is an error because a permission that is not what it looks like is dangerous."},
	{"C104", "unknown model", "A role or a fallback names a model that is not in models."},
	{"C105", "unknown pipeline", "A tool, a hook or a stage runs a pipeline that is not defined."},
	{"C106", "unknown or missing input", "with sets an input that the target does not have, or a tool and its pipeline do not agree on their inputs."},
	{"C107", "unknown redaction pattern", "A role lists a redaction pattern that is not defined."},
	{"C108", "builtin cannot ground a role", "The builtin of a role answers when no model does, so it must return a summary with references."},
	{"C109", "required input is not set", "What the stage runs needs an input that neither the stage nor the pipeline's input gives."},
	{"C110", "tool needs a root", "The role is allowed a tool that reads files, but may read no root."},
	{"C112", "wrong type of input", "An expression gives a value of another type than its target takes."},
	{"C113", "pattern matches no tool", "A glob in tools matches no builtin. It grants nothing."},
	{"C114", "stage is not needed", "An expression reads the output of a stage that its own stage does not need, so it might not have run."},
	{"C115", "cycle", "Stages need each other, or pipelines run each other, in a circle."},
	{"C116", "expression error", "The expression does not compile: a name or a field that does not exist, an operator that does not fit, or a syntax error."},
	{"C117", "each is not a list", "each fans out over a list; the expression gives something else."},
	{"C118", "fallback is missing", "onError: \"fallback\" needs a fallback, except on a role that has a builtin or a fallback of its own."},
	{"C119", "tools disagree on an input", "Two tools run one pipeline with an input of the same name and different types."},
	{"C120", "output does not fit", "The declared output is not what the pipeline gives."},
	{"C121", "pipeline has no output", "Without an output the pipeline has no reply."},
	{"C122", "budget outlives the deadline", "The pipeline's time is longer than the server's deadline, which ends the request first."},
	{"C123", "budget cannot be met", "A stage or a reply can never stay within this limit."},
	{"C124", "redaction rule cannot be used", "The pattern's name, keywords or replacement do not work: a name has letters, digits, _, - and ., a replacement is one line that the pattern itself does not match."},
	{"C125", "reserved name", "input, roots, collections, session, item, previous and rounds mean something else in expressions; a stage of that name could not be reached."},
	{"C126", "model cannot be reached as written", "The URL is not a valid HTTP address, holds a password, or a replay has no file."},
	{"C127", "builtin gives no text", "A role's evidence is a builtin that takes references and returns the text behind them."},
	{"C128", "upstream server cannot be reached as written", "A server is either a program (command) or an address (url), and what is set must fit."},
	{"C129", "tool rule cannot be used", "A pattern does not compile, matches everything by mistake, or the rule or selection says nothing that can be done."},
	{"C130", "unknown server", "A tool rule names a server that is not in servers."},
	{"C131", "store cannot be used as written", "store.url is sqlite:FILE, postgres://USER:${NAME}@HOST/DATABASE, or none. A password stands in secrets.env or the environment, and a server elsewhere is spoken to encrypted."},
	{"C132", "more than can be compiled", "A pipeline has 500 stages at most, a configuration 5,000. What works on many things is one stage with each."},
	{"C133", "annotation is too innocent", "A client may run what is read-only without asking, so the hints of a tool are read off what its pipeline can reach. They can be written more careful than that, never more innocent."},
	{"C134", "unknown group", "menu.only names a group that no tool has."},
	{"C135", "glob cannot be used", "The pattern of a client's name does not compile."},
	{"C136", "value may not be there", "An optional input that was not given, and an optional field that was left out, is nil. Give it a value with ??, ask for nil before, read on with ?., or give the input a default. As a condition alone it is false."},
	{"C137", "unknown task", "A role or a stage names a task that does not exist. `compactor builtins` lists them; off asks nothing."},
	{"C138", "types of a role do not fit", "What a role is given must be what its builtin and its task need, and what they give must be what it returns. An output of another type than the builtin's needs a fallback."},
	{"C139", "role cannot answer", "A task such as choose works on what a grounding builtin found, others need to know what the role returns, and a role that asks no model needs something in its place."},
	{"C140", "bound does not fit", "Bounds are by field of the role's output: bytes of a text, entries of a list and bytes of each."},
	{"C141", "check cannot be used", "verify names checks that a program does, of fields of the role's output that hold texts."},
	{"C142", "fallback does not fit", "What stands in a model's place must be what the role returns: the same fields of the same types, and no others."},
	{"C143", "prompt cannot be filled in", "Expressions over the input stand between {{ and }}."},
	{"C144", "two tools of one command", "A command of compactor runs one tool: take the command from the other."},
	{"C145", "nothing reads it", "An input that no expression reads, or a stage whose outcome none does, costs and changes nothing."},
	{"C146", "text that reads as an expression", "What is written out is taken as it stands, its texts too. A value that is an expression is one as a whole: \"{summary: input.text}\", with its texts in quotes of their own."},
	{"C147", "network is closed", "What runs a builtin that reads pages needs a host in network, which only your own configuration opens. A tool with surface: \"network\" is left out until then."},
	{"C148", "network cannot be used as written", "network.hosts names hosts, with the paths, ports and first addresses that may be read."},
	{"C149", "builtin does not make texts short", "A role's shorten is a builtin that takes a text and tokens, needs nothing else, and gives a text."},
	{"C150", "unknown profile", "--profile names one of profiles of the configuration, which says what clients have of the upstream servers."},
	{"C151", "two tools of one name", "A server's tools are told apart by their names: rename one of them to something else."},
	{"C152", "there is no collection", "What runs a builtin that searches documents needs a collection, which names their directories. A tool with surface: \"collections\" is left out until then."},
	{"C153", "collection cannot be used as written", "A collection names directories or kinds of roots, globs that can be read, and a length of passages that is whole: least is at most most, and overlap at most half of it."},
	{"C154", "repeat cannot be used as written", "repeat runs a stage in rounds: until is a condition and gain a number, over previous and rounds, and limit a whole number. Each round needs the result of the one before it. To repeat for each item, put the repeated stage in a pipeline of its own."},
	{"C155", "dependency cannot be run as written", "needs names other dependencies and forms no circle, addr is HOST:PORT, and health is the address of a page."},
	{"C160", "no such profile", "clients and learn_from name profiles of the configuration."},
	{"C161", "learn_from that does nothing", "A profile learns from its own sessions anyhow, and from others only where the use of tools is kept."},
	{"C162", "a client named twice", "Names of clients are compared without regard to capitals: keep one of them."},
	{"C163", "token that grants no access", "A token of a profile is set in the environment or in secrets.env, has at least 16 bytes, and belongs to one profile alone. One that is none of this opens nothing."},
	{"C170", "nothing can be shared", "Sessions are shared by way of a store that other processes reach: store.url names a file or a database server, or store.share is left out."},
	{"C190", "collection may find nothing", "A directory of a collection is not there, which may be so on this machine alone, or the collection has the name under which pins are searched."},
	{"C200", "collection cannot ask for a signal", "embeddings and rerank name a model of models that has a server; static names a file or a folder of word vectors that is there."},
}
