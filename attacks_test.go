package compactor_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// attacks are the cases against upstream servers (U), against local HTTP servers
// (H), those that once broke through trust, redaction and limits (B), places where
// secrets may pass (S), and further ways in which a repository, an upstream or a
// client may try (W), each with the tests that hold what must come of it: a
// function, one of its named parts, or a script of TestScripts.
var attacks = []struct {
	id, attack, must string
	tests            []string // directory and function
}{
	{"U01", "a definition changes after it was approved, also within a session", "the tool is set aside until it is approved again", []string{
		"runtime/gateway TestAChangedToolIsSetAsideUntilApproved", "runtime/gateway/trust TestHashChangesWithEveryPart", "runtime/gateway/trust TestJudge"}},
	{"U02", "only a hint such as readOnlyHint changes", "it counts as a change", []string{
		"runtime/gateway TestAChangedToolIsSetAsideUntilApproved", "runtime/gateway/trust TestHashChangesWithEveryPart"}},
	{"U03", "a tool takes the name of another, by the same letters or by letters that look so", "names are of one server; deceptive ones are refused", []string{
		"runtime/gateway TestDeceptiveDefinitions", "runtime/gateway TestNamesAsModelsWriteThem", "runtime/gateway/trust TestName", "runtime/gateway/trust TestOneNameTwice"}},
	{"U04", "a description holds text that nobody sees, or too much of it", "it is taken out, cut and flagged", []string{
		"runtime/gateway TestDeceptiveDefinitions", "runtime/gateway/trust TestCleanStripsHiddenText", "runtime/gateway/trust TestCleanCutsLongTexts"}},
	{"U05", "a tool is seen for the first time", "under ask nothing runs before approval; a pinned hash wins", []string{
		"runtime/gateway TestAskHoldsBackWhatIsNew", "runtime/gateway TestAPinOfTheConfigurationWins", "runtime/gateway/trust TestJudge"}},
	{"U06", "a server asks for sampling, elicitation or roots", "refused, and the client does not hear of it, unless allowed", []string{
		"cmd/compactor TestAServerAsksNothingUnlessAllowed", "runtime/gateway/upstream TestElicitationIsRefusedUnlessAllowed"}},
	{"U07", "answers that are endless, deep, garbled, twice, late or nobody's", "an error for the caller; others are served, memory is bounded", []string{
		"runtime/gateway TestFaultsOfProgramsTouchNobodyElse", "runtime/gateway TestFaultsOfWebServersTouchNobodyElse",
		"runtime/gateway TestAnErrorOfAServerIsReadable", "runtime/gateway/upstream TestUselessAnswersAreErrorsOfTheirCallersOnly",
		"runtime/gateway/upstream TestAMessageWithoutEndCostsNoMemory", "runtime/gateway/upstream TestTheSecondAnswerAndAnswersAfterCancelAreIgnored"}},
	{"U08", "a result holds links to files and addresses", "nobody follows them", []string{
		"cmd/compactor TestLinksInResultsAreNotFollowed", "runtime/gateway/upstream TestRedirectsDoNotCarryHeadersAway"}},
	{"U09", "arguments that the schema does not know", "refused before the server sees them", []string{
		"runtime/gateway TestArguments", "runtime/base/toolargs TestRefusesInWords"}},
	{"U10", "a server hangs or ends at any moment, or leaves a daemon", "time limits, back-off, an open circuit, and no process left", []string{
		"runtime/gateway TestFaultsOfProgramsTouchNobodyElse", "cmd/compactor TestServersThatHangOrCrashHoldNobodyUp", "cmd/compactor TestNothingOutlivesServe",
		"runtime/gateway/upstream TestTheCircuitOpensAndCloses", "runtime/gateway/upstream TestHangsEndInTime", "runtime/gateway/process TestNoProcessOutlivesUs"}},
	{"H01", "a foreign Host, as by DNS rebinding", "403", []string{"runtime/mcp/server TestAttacks"}},
	{"H02", "a foreign Origin", "403", []string{"runtime/mcp/server TestAttacks"}},
	{"H03", "a POST that needs no preflight", "415", []string{"runtime/mcp/server TestAttacks"}},
	{"H04", "no token, a wrong one, one in the query", "401, in constant time, never logged", []string{"runtime/mcp/server TestAttackToken"}},
	{"H05", "an address beyond this machine", "refused without a flag and a token", []string{"runtime/mcp/server TestAttackRemote"}},
	{"H06", "guessed sessions, many of them, slow and huge requests", "bounded", []string{
		"runtime/mcp/server TestAttackSessions", "runtime/mcp/server TestAttackSlowClients", "runtime/mcp/server TestAttackDrip"}},
	{"H07", "another user at the socket", "refused by mode, directory and peer", []string{
		"runtime/mcp/server TestAttackSocketFile", "runtime/mcp/listen TestUnixServesItsOwnUserOnly", "runtime/mcp/listen TestUnixNeedsAPrivateDirectory"}},
	{"B01", "a repository's configuration reads elsewhere, switches the deny list off and sends what it read to a model", "nothing leaves, and the usual answer is given", []string{"cmd/compactor TestAClonedRepositoryRobsNobody"}},
	{"B02", "doctor sends each variable that a repository's models name", "none is sent", []string{"cmd/compactor TestAClonedRepositoryRobsNobody"}},
	{"B03", "a running server takes a pulled change over", "it goes on with what was allowed, and says what waits", []string{"runtime/app/service TestARunningServerGoesOnWithWhatWasAllowed"}},
	{"B04", "--root replaces one kind of root, and the others stay open", "a project's roots elsewhere wait", []string{"cmd/compactor TestAClonedRepositoryRobsNobody", "runtime/app/consent TestReach"}},
	{"B05", "a repository's directory hides the user's patterns and deny list", "his own layer always holds", []string{"cmd/compactor TestTheUsersSafetyHoldsInARepository", "runtime/config TestAProjectAddsAndTheUsersWordHolds"}},
	{"B06", "seventy patterns whose replace is one character switch redaction off", "every built-in secret stays masked", []string{"runtime/safety/redact TestMoreRulesNeverRevealMore", "runtime/safety/redact FuzzMoreRulesNeverRevealMore"}},
	{"B07", "install in a clone names its configuration and starts its programs", "they wait all the same, and install says so", []string{"cmd/compactor TestInstallInACloneStartsNothing"}},
	{"B08", "compactor test runs servers", "it starts and contacts nothing", []string{"cmd/compactor TestAClonedRepositoryRobsNobody"}},
	{"B09", "a recording, root or replies of a test lie elsewhere or behind a link", "nothing is read or written there", []string{"runtime/app/configtest TestARecordingIsNotWrittenThroughALink", "runtime/app/configtest TestATestReadsNothingElsewhere"}},
	{"B10", "secrets.env, a program, trust or a rule beside an allowed server changes", "it waits again", []string{"runtime/app/consent TestAChangeIsAnotherDigest"}},
	{"B11", "a read-only tool's pipeline runs tools of servers", "it waits, and no tool can be claimed more innocent than it is", []string{"runtime/app/consent TestReach", "runtime/pipeline/plan TestHintsAreReadOffWhatAToolCanReach"}},
	{"B12", "store.url brings approvals of its own, or writes over any file", "it is the user's alone to set, and no file of another is touched", []string{"runtime/config TestAProjectIsToldWhatIsNotIts", "runtime/world/store TestNoFileOfAnotherIsTouched"}},
	{"B13", ".compactor is a link into another project", "refused", []string{"cmd/compactor TestScripts/allow"}},
	{"B14", "structured content keeps fields and data in clear that the text twin masks", "masked by field, exempt only where the protocol puts base64 that holds no text", []string{"runtime/gateway TestWhatIsMaskedInAResult", "runtime/safety/redact TestJSON", "runtime/safety/redact TestJSONOfMessages"}},
	{"B15", "the roots argument of a call takes off deny patterns and ignore files", "denied from above as before", []string{"runtime/app/service TestRootsOfACallTakeNothingOffTheDenyList", "runtime/safety/sandbox TestViewKeepsTheRulesOfItsRoot"}},
	{"B16", "links are exchanged while roots of calls are opened", "nothing outside is read", []string{"runtime/app/service TestRootsOfACallInARace"}},
	{"B17", "no Landlock call is made", "the process is shut in after start, on all threads", []string{"cmd/compactor TestServeShutsItselfIn", "runtime/safety/sandbox/landlock TestRestrict"}},
	{"B18", ".handoffs is a link in git", "nothing is read or written behind it", []string{"runtime/safety/sandbox TestArtifactsFollowNoLink", "builtins/handoff TestNotesBehindALink"}},
	{"B19", "artifacts.dir is /etc, or above", "refused", []string{"runtime/safety/sandbox TestArtifactPlaces", "runtime/config TestAProjectIsToldWhatIsNotIts"}},
	{"B20", "84 to 801 bytes of CUE end or hang every command and a running server", "a diagnostic within the limits of a child process", []string{"cmd/compactor TestBombsInEveryCommand", "runtime/config/bounded TestBombsEndWithADiagnostic"}},
	{"B21", "one expression doubles a text until memory ends", "EXPRESSION_LIMIT, and the next call is answered", []string{"runtime/pipeline/plan TestExpressionsEnd", "cmd/compactor TestBombsInEveryCommand"}},
	{"B22", "300 costly patterns take a minute for a text", "refused at their place, or the text is withheld in time", []string{"runtime/safety/redact TestCostlyRules", "runtime/safety/redact TestCostOfAllRules"}},
	{"B23", "a quoted line or a name writes the clipboard, a title or a line of its own", "it is written out", []string{"cmd/compactor TestScripts/quoted_text", "cmd/compactor FuzzTerminal", "runtime/safety/egress TestQuotesAreHarmless"}},
	{"B24", "chat template tokens and bidi characters reach the client's model", "taken apart, stripped", []string{"runtime/base/sanitize TestTextLeavesMarkupAlone", "runtime/safety/egress FuzzNothingIsObeyed"}},
	{"B25", "calls go out with the list of a server that has changed while it was away", "none arrives before the list is judged", []string{"runtime/gateway TestNoCallReachesAToolThatChangedWhileWeWereAway", "runtime/gateway TestNoCallReachesAToolThatChangedWhenItsServerStartedAnew"}},
	{"B26", "eval localize shows secrets of commit messages", "masked when the question is made", []string{"runtime/lab/commitbench TestQuestionsHoldNoSecrets"}},
	{"B27", "forty shapes of secrets pass", "masked", []string{"runtime/safety/redact TestShapes"}},
	{"B28", "digests near the word token are masked", "they stay", []string{"runtime/safety/redact TestExemptions"}},
	{"B29", "names of secret files are missing from the deny list", "denied, line by line", []string{"runtime/safety/sandbox TestDenyListLineByLine"}},
	{"B30", "config show, excerpts of validate and allow print keys", "masked; what runs stays readable", []string{"cmd/compactor TestAConfigurationIsShownWithoutItsKeys", "cmd/compactor TestDiagnosticsShowNoKeysAndStayOnTheirLines", "cmd/compactor TestScripts/allow"}},
	{"B31", "a store that is a directory opens trust", "everything unproven is withheld", []string{"runtime/world/store TestPlacesThatAreNoFile", "runtime/gateway TestAChangedToolIsNotTrustedWhereTheStoreIsNoFile"}},
	{"B32", "a list of tools from the future never ages", "it is of any age", []string{"runtime/gateway TestAListFromTheFutureIsNotRecalled"}},
	{"B33", "ping is refused by a full pool", "answered", []string{"runtime/app/service TestSignsOfLifeNeedNoWorker", "runtime/mcp/server TestPingIsAnsweredUnderLoad"}},
	{"B34", "a root is removed and made again under a running server, as by checking out another branch and back", "servers that wait for their user's word go on waiting", []string{"runtime/app/service TestAReplacedRootFreesNoServer", "runtime/app/service TestNoFieldOfASnapshotIsLost"}},
	{"B35", "a repository has git start a program, where git is what a process that shut itself in may start", "the kernel refuses it", []string{"runtime/app/service TestGitIsTheOnlyProgram", "runtime/safety/sandbox/landlock TestRestrict"}},
	{"B36", "a repository calls itself a worktree of another", "refused, and the other stays shut", []string{"runtime/world/githistory TestAWorktreeSharesItsOwnRepository"}},
	{"S01", "a password under its name, a bearer token and a URL with credentials: text of a result", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/text of a result", "cmd/compactor TestSecretsOfServersPassNowhere/text of a result, by discovery", "cmd/compactor TestSecretsOfServersPassNowhere/text of a result, by command", "runtime/safety/redact TestJSON"}},
	{"S02", "a password under its name, a bearer token and a URL with credentials: structured content", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/structured content", "cmd/compactor TestSecretsOfServersPassNowhere/structured content, by command"}},
	{"S03", "a password under its name, a bearer token and a URL with credentials: a resource, links and base64 in a result", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/embedded resource"}},
	{"S04", "a password under its name, a bearer token and a URL with credentials: _meta of a result", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/metadata of a result"}},
	{"S05", "a password under its name, a bearer token and a URL with credentials: error of a tool", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/error of a tool"}},
	{"S06", "a password under its name, a bearer token and a URL with credentials: message and data of an error of the protocol", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/error of the protocol", "cmd/compactor TestSecretsOfServersPassNowhere/error of the protocol, by discovery", "cmd/compactor TestSecretsOfServersPassNowhere/error of the protocol, by command"}},
	{"S07", "a password under its name, a bearer token and a URL with credentials: progress", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/progress"}},
	{"S08", "a password under its name, a bearer token and a URL with credentials: log message of a server", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/log"}},
	{"S09", "a password under its name, a bearer token and a URL with credentials: elicitation, its schema and default", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/elicitation"}},
	{"S10", "a password under its name, a bearer token and a URL with credentials: sampling and its system prompt", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/sampling"}},
	{"S11", "a password under its name, a bearer token and a URL with credentials: pages of a result that was cut", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/page of a long text", "cmd/compactor TestSecretsOfServersPassNowhere/page of long structured content"}},
	{"S12", "a password under its name, a bearer token and a URL with credentials: definition of a tool in a list: title, description, schemas, defaults, _meta", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/list of tools", "cmd/compactor TestSecretsOfServersPassNowhere/tools list", "cmd/compactor TestSecretsOfServersPassNowhere/tools list, as JSON", "runtime/gateway TestAKeptDefinitionHoldsNoSecret", "runtime/safety/redact TestDefinitionsOfRealServersHoldNoSecrets"}},
	{"S13", "a password under its name, a bearer token and a URL with credentials: definition of a tool in a search, its details, tools show and why", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/search for tools", "cmd/compactor TestSecretsOfServersPassNowhere/details of a tool", "cmd/compactor TestSecretsOfServersPassNowhere/tools show", "cmd/compactor TestSecretsOfServersPassNowhere/tools why"}},
	{"S14", "a password under its name, a bearer token and a URL with credentials: names of tools that cannot be offered", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/tools list, with those that are off", "cmd/compactor TestSecretsOfServersPassNowhere/servers"}},
	{"S15", "a password under its name, a bearer token and a URL with credentials: lists of resources and templates", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/list of resources", "cmd/compactor TestSecretsOfServersPassNowhere/list of templates"}},
	{"S16", "a password under its name, a bearer token and a URL with credentials: text, blob and _meta of a resource, and its updates", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/resource", "cmd/compactor TestSecretsOfServersPassNowhere/update of a resource"}},
	{"S17", "a password under its name, a bearer token and a URL with credentials: list of prompts, a prompt, its refusal", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/list of prompts", "cmd/compactor TestSecretsOfServersPassNowhere/prompt", "cmd/compactor TestSecretsOfServersPassNowhere/prompt that is refused"}},
	{"S18", "a password under its name, a bearer token and a URL with credentials: completion", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/completion"}},
	{"S19", "a password under its name, a bearer token and a URL with credentials: name, version, capabilities and instructions of a server", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/digest and instructions", "cmd/compactor TestSecretsOfServersPassNowhere/list of servers", "cmd/compactor TestSecretsOfServersPassNowhere/store, state and log"}},
	{"S20", "a password under its name, a bearer token and a URL with credentials: standard error, last words of a program", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/standard error", "cmd/compactor TestSecretsOfServersPassNowhere/last words of a program", "cmd/compactor TestSecretsOfServersPassNowhere/last words of a program, at another terminal"}},
	{"S21", "a password under its name, a bearer token and a URL with credentials: store, approvals, state and log of serve", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere/store, state and log", "runtime/gateway TestAKeptDefinitionHoldsNoSecret"}},
	{"S22", "a password under its name, a bearer token and a URL with credentials: errors that name arguments, tools, prompts, addresses and methods of a caller", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfArgumentsAreNotEchoed/unknown argument", "cmd/compactor TestSecretsOfArgumentsAreNotEchoed/name of a tool", "cmd/compactor TestSecretsOfArgumentsAreNotEchoed/name of a prompt", "cmd/compactor TestSecretsOfArgumentsAreNotEchoed/uri", "cmd/compactor TestSecretsOfArgumentsAreNotEchoed/method"}},
	{"S23", "a password under its name, a bearer token and a URL with credentials: reply and prompt of research in a codebase that holds some", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfACodebasePassNowhere/reply", "cmd/compactor TestSecretsOfACodebasePassNowhere/prompt"}},
	{"S24", "a password under its name, a bearer token and a URL with credentials: recording of what is said to a model, and of its answers", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfACodebasePassNowhere/recording", "cmd/compactor TestSecretsOfACodebasePassNowhere/files", "runtime/model/recording TestARecordingHoldsNoSecretOfAnAnswer"}},
	{"S25", "a password under its name, a bearer token and a URL with credentials: handoff, as it is written and as it is read back", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfACodebasePassNowhere/artifact", "cmd/compactor TestSecretsOfACodebasePassNowhere/artifact read back", "cmd/compactor TestSecretsOfACodebasePassNowhere/files"}},
	{"S26", "a password under its name, a bearer token and a URL with credentials: explain and doctor, also before a model that fails", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfACodebasePassNowhere/explain", "cmd/compactor TestSecretsOfACodebasePassNowhere/doctor", "cmd/compactor TestSecretsOfServersPassNowhere/doctor"}},
	{"S27", "a password under its name, a bearer token and a URL with credentials: config show, validate, servers and allow", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfAConfigurationAreNotShown"}},
	{"S28", "a password under its name, a bearer token and a URL with credentials: the log of every step (debug, JSON), from upstream servers, arguments and a model's server that refuses", "masked, and what stands beside it passes", []string{
		"cmd/compactor TestSecretsOfServersPassNowhere", "cmd/compactor TestSecretsOfArgumentsAreNotEchoed", "cmd/compactor TestSecretsOfAModelAreNotLogged", "runtime/observe/eventlog TestNoSecretIsWritten"}},
	{"W01", "a project redirects the user's model, whose key then goes elsewhere", "the user's entry is his alone", []string{"runtime/config TestAProjectAddsAndTheUsersWordHolds"}},
	{"W02", "a project's pattern takes the name of the user's and narrows it to a role", "the user's entry is his alone", []string{"runtime/config TestAProjectAddsAndTheUsersWordHolds"}},
	{"W03", "a pattern over all names adds environment to the user's servers", "it does not reach them", []string{"runtime/app/consent FuzzAProjectCannotLoosen"}},
	{"W04", "random pairs of layers", "nothing of the user's is looser, and nothing unallowed reaches anything", []string{"runtime/app/consent TestRandomLayersCannotLoosen", "runtime/app/consent FuzzAProjectCannotLoosen"}},
	{"W05", "a model at localhost.evil.example or 127.0.0.1.evil.example", "it is elsewhere", []string{"runtime/app/consent TestReach"}},
	{"W06", "a harmless model falls back to the user's model elsewhere", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W07", "a role is pointed at the user's model elsewhere", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W08", "a model of Ollama's that its maker runs", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W09", "a role, a nested pipeline or a tool's pipeline brings tools of servers to a read-only tool", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W10", "a role reads another of the user's roots", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W11", "words are told to the chat model by a tool's description, an input's, a held server's", "they wait", []string{"runtime/app/consent TestReach", "runtime/app/service TestHeldServersAreNamedAndNotStarted"}},
	{"W12", "a pattern rewrites what the user's servers say by its replace", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W13", "tags put words beside the user's tools", "they wait", []string{"runtime/app/consent TestReach"}},
	{"W14", "the user's server gets variables of the project's secrets.env, or a link there brings the user's", "each has its own; a link is not read", []string{"runtime/app/service TestSecretsOfAProjectAreItsServersAlone"}},
	{"W15", "import or init writes through a link of the repository", "refused", []string{"cmd/compactor TestScripts/allow"}},
	{"W16", "an allowed configuration is copied to another place", "it waits there", []string{"cmd/compactor TestScripts/allow"}},
	{"W17", "what waits changes between looking and allowing", "the digest that was looked at is not allowed", []string{"cmd/compactor TestScripts/allow"}},
	{"W18", "the list of what is allowed is damaged", "it allows nothing and is not written over", []string{"runtime/app/consent TestADamagedListAllowsNothingAndIsNotWrittenOver"}},
	{"W19", "what is left of a project's layer does not stand without what is held", "none of it acts, and research works", []string{"runtime/app/service TestWhatDoesNotStandWithoutWhatIsHeldIsLeftOut"}},
	{"W20", "a rule of the project enables what the user's list left out", "both must enable it", []string{"runtime/app/consent FuzzAProjectCannotLoosen"}},
	{"W21", "the artifact directory is exchanged for a link while notes are written", "nothing is written outside", []string{"runtime/safety/sandbox TestArtifactsInARace"}},
	{"W22", "denied files are asked for through any builtin, also a new one", "the same bytes whether they are there or not", []string{"builtins TestDeniedNamesGiveNothingThroughAnyBuiltin"}},
	{"W23", ".config is named as a root, to reach what is denied by its whole path", "denied", []string{"runtime/safety/sandbox TestRootBelowAnAnchor"}},
	{"W24", "an enclosing repository ignores everything, to blind the search", "it has no say over a root it ignores", []string{"runtime/safety/sandbox TestIgnoreFilesAboveARoot"}},
	{"W25", "a call names 100,000 roots, numbers, NUL, URLs", "refused", []string{"runtime/app/service TestRootsOfACallAreFew"}},
	{"W26", "a program or a root is added to a server that has shut itself in", "not started or opened, and said how", []string{"cmd/compactor TestProgramsAfterTheStartSayWhatToDo", "cmd/compactor TestServeShutsItselfIn"}},
	{"W27", "the process that evaluates a configuration is silent, babbles, lies, hangs or crashes", "a diagnostic; nothing of it is believed", []string{"runtime/config/bounded TestAChildThatMisbehaves"}},
	{"W28", "the process that evaluates a configuration sees keys of the environment, or outlives us", "it does neither", []string{"runtime/safety/confined TestAChildSeesNothingOfOurs", "runtime/config/bounded TestAChildDoesNotOutliveItsParent"}},
	{"W29", "a cheap configuration evaluates to a hundred thousand values, or a chain of a thousand stages", "refused before anything is held or compiled", []string{"runtime/config TestWhatIsTooLargeIsNotHandedOver", "cmd/compactor TestBombsInEveryCommand"}},
	{"W30", "completion is asked for where a bomb lies", "it ends and offers nothing", []string{"cmd/compactor TestBombsInEveryCommand"}},
	{"W31", "a value shares itself sixty times, is printed in an error, or is 90,000 deep", "EXPRESSION_LIMIT", []string{"runtime/pipeline/plan TestExpressionsEnd"}},
	{"W32", "user rules eat a token's prefix, its name, or the line around a key", "what the built-in rules find is settled first", []string{"runtime/safety/redact TestMoreRulesNeverRevealMore"}},
	{"W33", "a text puts marks beside or around a secret", "marks shield nothing", []string{"runtime/safety/redact TestMarksInTheTextShieldNothing"}},
	{"W34", "a value that is too costly to search", "withheld", []string{"runtime/safety/redact TestMoreRulesInValues"}},
	{"W35", "a secret is base64 of text in a blob, also UTF-16", "redacted decoded and encoded again", []string{"runtime/safety/redact TestJSONOfMessages"}},
	{"W36", "content and blob are imitated inside structured content", "no exemption there", []string{"runtime/safety/redact TestJSONOfMessages"}},
	{"W37", "a PIN is a number, a secret is a key", "masked, the shape stays", []string{"runtime/safety/redact TestJSON"}},
	{"W38", "secrets stand in elicitation, notifications and error data", "masked by field", []string{"runtime/gateway TestWhatAServerSaysBesideResultsIsMasked"}},
	{"W39", "a Markdown picture with a query stands in quoted text or a handoff", "inactive", []string{"runtime/base/sanitize TestMarkdown", "cmd/compactor TestScripts/quoted_text"}},
	{"W40", "a reference names a file with control characters", "written out, and it resolves when read back", []string{"runtime/safety/egress TestReferencesToStrangeNamesResolve"}},
	{"W41", "a configuration file's own name steers the terminal", "written out", []string{"cmd/compactor TestDiagnosticsShowNoKeysAndStayOnTheirLines"}},
	{"W42", "list_changed storms, flapping definitions, connections of a pool that differ", "each connection is judged before it carries a call", []string{"runtime/gateway TestAStormOfChangesHidesNoChange", "runtime/gateway TestADefinitionThatFlapsIsJudgedEachTime", "runtime/gateway TestEachConnectionOfAPoolIsJudged"}},
	{"W43", "a server's list cannot be had", "no call goes out unjudged", []string{"runtime/gateway TestAToolIsNotCalledUnjudged"}},
	{"W44", "a tool or prompt is named into another server's prefix", "it never gets the other's name", []string{"runtime/gateway TestNoServerTakesTheNameOfAnothersTool", "runtime/gateway TestNoServerTakesTheNameOfAnothersPrompt"}},
	{"W45", "arguments carry duplicate keys or other capitals to reach a disabled tool", "dropped or refused", []string{"runtime/gateway TestACallNamesOneTool", "runtime/gateway/upstream TestParamsMeanOneThing"}},
	{"W46", "a server tells of another's resource", "dropped", []string{"runtime/gateway TestAServerTellsOfWhatItWasAskedFor"}},
	{"W47", "clients subscribe to thousands of resources", "bounded", []string{"runtime/gateway/upstream TestSubscriptionsOfOneServerAreBounded"}},
	{"W48", "a store's journal is another program's, or a link", "refused before SQLite opens it", []string{"runtime/world/store TestTheJournalOfAnotherProgramIsNotRun"}},
	{"W49", "a store lies where everybody may write, or is another user's", "refused", []string{"runtime/world/store TestDirectoriesOfEverybody", "runtime/world/store TestFilesOfAnotherUser"}},
	{"W50", "a client cancels or answers for another, or takes its session", "nothing reaches the other", []string{"runtime/mcp/server TestNoClientCancelsForAnother", "runtime/mcp/server TestNoClientAnswersForAnother", "runtime/mcp/server TestASessionIsOfOneTransport"}},
	{"W51", "a flood of initialize", "sessions in use stay", []string{"runtime/mcp/server TestAFloodOfSessionsEndsNoneInUse"}},
	{"W52", "a .git file, a pipe or a link names another repository, or hangs git", "refused, or ended in time", []string{"runtime/world/githistory TestARepositoryIsNoOther", "runtime/world/githistory TestPipesInARepositoryAreNotWaitedFor", "runtime/world/githistory TestASilentGitIsEnded"}},
	{"W53", "a repository ships the list of what its user allowed, where no home is set", "nothing starts, no key leaves", []string{"cmd/compactor TestARepositoryBringsNoWordOfItsUser", "runtime/app/consent TestWithoutAStateDirectoryNothingIsAllowed"}},
	{"W54", "a project redirects the pipeline that runs the user's tools, or adds a call to it", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W55", "a project changes what the user's own hook makes of results", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W56", "an allowed tool of a project is pointed at the pipeline that runs tools", "it waits again", []string{"runtime/app/consent TestAChangeIsAnotherDigest"}},
	{"W57", "the inputs of a role that runs tools change after they were allowed", "they wait again", []string{"runtime/app/consent TestAChangeIsAnotherDigest"}},
	{"W58", "a prompt or a recording decides for a user's model that runs tools", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W59", "a pipeline brings words into a tool's schemas, or forges what a search for tools finds", "it waits, and the shipped one acts", []string{"runtime/app/consent TestReach", "runtime/app/consent TestWhatIsHeldIsAsItIsWithoutTheProject"}},
	{"W60", "a project lists the user's tools to the chat model itself", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W61", "an allowed program or secrets.env changes under a running server, which starts it anew", "it is not started; as it was, it is", []string{"runtime/app/service TestWhatChangedSinceItWasAllowedIsNotStarted"}},
	{"W62", "a file is given in a script, by a variable, in the environment, by PATH, or through a link", "its change waits", []string{"runtime/app/consent TestFilesOfAServer"}},
	{"W63", "a server names more files than anybody looks at", "it can never be allowed", []string{"runtime/app/consent TestTooManyNamesWaitForEver"}},
	{"W64", "a limit of 0 takes the user's limit away", "his holds", []string{"runtime/config TestAProjectAddsAndTheUsersWordHolds"}},
	{"W65", "a recording of a test, or of a replay model, leads out through a link", "refused, or it waits", []string{"runtime/app/configtest TestARecordingIsNotTakenThroughALink", "runtime/app/consent TestARecordingThatALinkLeadsTo"}},
	{"W66", "a directory on the way to the handoffs is a link", "nothing is written or read through it", []string{"cmd/compactor TestHandoffsAreNotWrittenThroughALink"}},
	{"W67", "artifacts.dir names the home directory by ~", "refused", []string{"runtime/config TestAProjectIsToldWhatIsNotIts"}},
	{"W68", "a pattern changes the server that import takes over, or a program's name means the clone's own file", "it waits; it is named and not taken", []string{"cmd/compactor TestScripts/allow"}},
	{"W69", "the name of a held server speaks in a tool's description", "it is not told", []string{"runtime/app/service TestHeldServersAreNamedAndNotStarted"}},
	{"W70", "worktrees, links above, other names, slashes at the end", "the place decides", []string{"runtime/app/consent TestThePlaceDecides"}},
	{"W71", "a directory is named so that the shown command runs something", "it is quoted", []string{"runtime/app/consent TestTheWayOutCanBePasted"}},
	{"W72", "spaces push a command out of sight", "they are counted", []string{"cmd/compactor TestScripts/allow"}},
	{"W73", "many allow and take back at once", "none is lost or comes back", []string{"runtime/app/consent TestAllowingAtOnce"}},
	{"W74", "an expression sums or counts a long list for each element of another, or formats a time with a huge layout in a loop", "EXPRESSION_LIMIT", []string{"runtime/pipeline/plan TestExpressionsEnd"}},
	{"W75", "a line separator, filler, variation selector or note mark hides a message or forges a line", "taken out of text, written out in names; emoji stay", []string{"runtime/base/sanitize TestNothingUnseenPasses"}},
	{"W76", "any character that is taken out of text stands inside a token", "the token is masked", []string{"runtime/safety/redact TestWhatIsNotSeenTakesNoTokenApart"}},
	{"W77", "megabytes of terminal sequences that are begun and never ended", "stripped in the time of other text", []string{"runtime/base/sanitize TestOpenSequencesAreCheap"}},
	{"W78", "a copy of a secret file as browsers, file managers and scripts name it", "denied as the original is; manuals and notes stay", []string{"runtime/safety/sandbox TestFileAttacks", "runtime/safety/sandbox TestDenyListLineByLine"}},
	{"W79", "the state directory is still to be made below one in which everybody may write", "refused, and nothing is made", []string{"runtime/world/store TestDirectoriesToBeMade"}},
	{"W80", "allow --digest with a short beginning of a digest", "refused; all that is shown must be named", []string{"cmd/compactor TestAShortDigestSaysNothing"}},
	{"W81", "Ctrl-C, end of input or another word at the question of allow", "it ends at once and allows nothing", []string{"cmd/compactor TestTheQuestionCanBeInterrupted", "cmd/compactor TestOnlyAYesAllows"}},
	{"W82", "import in a project writes keys of the user's chat clients where git offers to commit them", "they go to the user's own directory, unless the project's is named", []string{"cmd/compactor TestScripts/import"}},
	{"W83", "config show or validate lets what is held pass for being in force", "both name what waits", []string{"cmd/compactor TestScripts/allow"}},
	{"W84", "a server is looked for before it is allowed, and a reload follows that allows nothing", "it stays held and is not started", []string{"runtime/gateway TestWhatIsAllowedIsAskedAtOnce"}},
	{"W85", "a schema whose alternatives each repeat all defaults", "read in bounded memory", []string{"runtime/base/toolargs/judge TestDefaultsOfManyAlternatives"}},
	{"W86", "a schema that holds itself, explodes or asks to be loaded", "bounded steps, nothing is loaded, nothing refused by mistake", []string{"runtime/base/toolargs/judge TestHostileSchemas", "runtime/base/toolargs TestForeignSchemasBeyondReading"}},
	{"W87", "a tool of hundreds of thousands of arguments", "its list is read in time that grows with its size", []string{"runtime/base/toolargs/brief TestManyArguments"}},
	{"W88", "an error text that looks like a refusal after the work is done", "the call is not sent again", []string{"runtime/gateway TestAFailureOfTheToolsOwnIsNoRefusal"}},
	{"W89", "a call that has asked or told something refuses its arguments", "it is not repeated", []string{"runtime/gateway TestABegunCallIsNotRepeated"}},
	{"W90", "a result that hides text in odd blocks, twice-named members or links", "it is counted, cut and paged as any text", []string{"runtime/gateway/pages TestShapesThatHideText", "runtime/gateway/pages TestLinksAreCountedToo"}},
	{"W91", "results kept without end, or read by another session", "bounds in bytes and time, and only its own session reads one", []string{"runtime/gateway/pages TestWhatIsKeptIsBounded", "runtime/app/service TestLongResultsComeByPage"}},
	{"W92", "one word of megabytes", "it is counted in linear time, never too low", []string{"runtime/base/tokens TestCountOfAWordWithoutEnd"}},
	{"W93", "a repository switches off or raises the bounds of results and starts", "the user's or the shipped ones hold", []string{"runtime/config TestAProjectAddsAndTheUsersWordHolds", "runtime/app/consent TestRandomLayersCannotLoosen"}},
	{"W94", "a repository's .mcp.json.bak links to a file of the user's", "install replaces the link and not the file", []string{"runtime/app/install TestTheOldFileFollowsNoLink"}},
	{"W95", "a repository's client file leads out of it or to a device", "install refuses it and doctor does not read it", []string{"runtime/app/install TestReadTakesFilesOnly"}},
	{"W96", "a repository's client file holds $(…) or backticks where doctor proposes a command", "they are quoted and no shell runs them", []string{"runtime/app/doctor TestWordsOfAProjectInACommand"}},
	{"W97", "a repository changes the definitions that init writes for editors", "they are not read by the loader", []string{"runtime/config TestEditorFilesAreNotRead"}},
	{"W98", "metadata URLs that lead to this machine, a local network or a cloud's metadata", "not asked", []string{"runtime/gateway/oauth TestWhatAServerNamesIsNoNearerThanTheServer"}},
	{"W99", "a server's own name resolves to this machine, or does for a moment", "nothing nearer than the server comes in reach", []string{"runtime/gateway/oauth TestAServersNameThatLeadsHere"}},
	{"W100", "redirects of a request with a token, a code or a secret", "not followed", []string{"runtime/gateway/oauth TestRedirects"}},
	{"W101", "a token over http", "none is sent", []string{"runtime/gateway/oauth TestATokenGoesOverHTTPSOrNowhere"}},
	{"W102", "metadata of another issuer or resource, answers of another issuer or state, no PKCE, javascript: pages, metadata without end", "the login ends and nothing is kept", []string{"runtime/gateway/oauth TestALoginThatMustNotBe"}},
	{"W103", "a login page of one and a token endpoint of another", "the person is told before", []string{"runtime/gateway/oauth TestAPageOfOneAndAnAnswerToAnother"}},
	{"W104", "another server, client, issuer or Host at the address of a login", "it gets no token", []string{"runtime/gateway/oauth TestALoginIsForOneAddress", "runtime/gateway TestATokenGoesToNoOtherServer"}},
	{"W105", "links, modes and damage in the directory of logins", "not followed, refused, said", []string{"runtime/gateway/oauth TestWhatIsKept"}},
	{"W106", "many processes renew one login", "the refresh token is used once", []string{"runtime/gateway/oauth TestProcessesRenewOnce", "runtime/gateway/oauth TestATokenThatEndedIsRenewedOnce"}},
	{"W107", "a login is taken back", "no token is sent, and the error names the command", []string{"runtime/gateway/oauth TestALoginThatWasTakenBack", "runtime/gateway TestALoginThatWasTakenBackIsSaid"}},
	{"W108", "a scope with line breaks, quotes or of any length", "it is not asked for", []string{"runtime/gateway/oauth TestAScopeThatIsLackingIsAskedFor"}},
	{"W109", "a server's question while calls of several clients are under way", "it reaches its own caller or nobody", []string{"runtime/gateway/upstream TestAQuestionFindsItsCaller", "runtime/gateway/upstream TestAQuestionOfSomebodyElseIsRefused", "runtime/gateway/upstream TestALateQuestionIsNotTheNextCallers"}},
	{"W110", "requestState that is guessed, used twice, or of another session or request", "nothing runs because of it", []string{"runtime/mcp/server TestAStateIsOfOneRequest"}},
	{"W111", "questions without end, or clients that do not come again", "bounded and ended", []string{"runtime/mcp/server TestErrandsAreBounded", "runtime/mcp/server TestARoundIsBounded", "runtime/mcp/server TestErrandsEnd"}},
	{"W112", "a program that hangs or works for ever at its start", "it loses its turn and the others start", []string{"runtime/gateway/upstream TestAStartThatDoesNothingLosesItsTurn", "runtime/gateway/upstream TestAStartThatWorksForEverLosesItsTurn"}},
	{"W113", "a server that hangs slows each search", "it is waited for once, and not where another is asked for", []string{"runtime/gateway TestAServerThatHangsIsWaitedForOnce", "runtime/gateway TestOnlyTheServerThatIsNamedIsWaitedFor"}},
	{"W114", "commands, markup or endless words in what a server says of itself", "plain short words in the digest", []string{"runtime/gateway TestOwnPhrase", "runtime/gateway TestTheDigestSaysWhatServersDo"}},
	{"W115", "others on the machine reach the control socket; dead or false sockets lie in its directory", "mode 0700 and 0600; dead ones are removed and what is no socket is left alone", []string{"runtime/app/control TestTheSocketIsTheUsersOwn", "runtime/app/control TestWhatNobodyServesIsRemoved"}},
	{"W116", "a role's prompt of a megabyte of braces, or a check of ten thousand fields, holds every command up", "a few diagnostics, without a look at all of it", []string{"runtime/pipeline/plan TestRolesFullOfMistakesAreNotReadToTheEnd"}},
	{"W117", "a project's stage or role takes what the session gave to tools of other servers, for a model or into a handoff", "it waits, however it names the calls", []string{"runtime/app/consent TestReach", "runtime/pipeline/plan TestReadsConversation", "runtime/pipeline/plan TestMembersOfTheSessionAreKnown"}},
	{"W118", "a project's role writes or runs tools by what stands there without a model", "it waits", []string{"runtime/app/consent TestReach"}},
	{"W119", "a client's input or a model's reply says what only stages say of a result", "it is taken off, in any case of its letters", []string{"runtime/base/contract TestWhatIsInsideIsNobodyElsesToSay", "runtime/pipeline/engine TestAClientSaysNothingThatIsInside", "runtime/pipeline/agent TestAReplySaysNothingThatIsInside"}},
	{"W120", "a model says some digits of a number that was shown, digits of another script, or a name with a letter that looks alike", "it does not count as shown", []string{"runtime/pipeline/task TestNumbersAndNamesInDisguise"}},
	{"W121", "what a server or a client says makes a line of its own in the log, steers a terminal, or fills the queue", "it is written out on its line, or left out", []string{"runtime/observe/eventlog TestALineIsOneLineWhateverIsSaid", "runtime/base/event TestAnAttributeThatIsTooLongIsLeftOut", "runtime/base/event TestATextThatIsTooLongIsLeftOut"}},
	{"W122", "a project turns the log off or names its file", "refused", []string{"runtime/config TestAProjectIsToldWhatIsNotIts"}},
	{"W123", "a value within a prompt holds braces, marks of a fence or tokens of a chat template", "it is data, and no part of the system's prompt", []string{"runtime/pipeline/agent TestValuesInAPromptAreData"}},
	{"W124", "sessions, calls, names and arguments without end", "bounded, and none sees another", []string{"runtime/pipeline/session TestAHostileClientStaysWithinTheBounds", "runtime/pipeline/session TestSessionsAreBoundedInNumberAndTime", "runtime/pipeline/session TestARequestWithoutAnIDIsASessionOfItsOwn"}},
	{"W125", "a quoted line, comment or default is so long that its cut falls into a token", "no half of it is told", []string{"builtins TestNoBuiltinQuotesHalfOfASecret", "runtime/base/contract TestShortenLeavesNoHalfOfAToken"}},
	{"W126", "megabytes of calls on one line, or thousands of types that do the same", "an answer in seconds", []string{"builtins TestLongFilesOfOneKindEndInTime"}},
	{"W127", "a file is empty or shorter than a reference to it", "no builtin panics", []string{"builtins TestEveryBuiltinRuns"}},
	{"W128", "a project opens the network, or has its stages, roles and patterns read pages of hosts that its user opened", "refused, or it waits", []string{"runtime/config TestAProjectIsToldWhatIsNotIts", "runtime/app/consent TestReach", "runtime/app/consent FuzzAProjectCannotLoosen", "runtime/pipeline/plan TestMistakes"}},
	{"W129", "an address with another host, port, scheme or path, a user, dots, or signs that servers read in several ways", "nobody is asked", []string{"runtime/world/web TestWhatIsNotDeclaredIsNotAsked", "runtime/world/web FuzzAddress", "runtime/world/web FuzzNamed", "runtime/world/web TestAddressesAreFoundInTimeByBytes"}},
	{"W130", "a page redirects to a cloud's metadata, another host or port, or round and round", "refused before it is asked", []string{"runtime/world/web TestRedirectsLeadToDeclaredHostsOnly"}},
	{"W131", "the name of a host leads to this machine, a local network or a cloud's metadata, at once or at the second look", "refused as the connection is made", []string{"runtime/world/web TestANameThatLeadsNearIsRefused", "runtime/base/netscope TestOfIP"}},
	{"W132", "a page of 200 MB, packed or not, in drips, with endless headers, or that never answers", "cut or an error within the limits, and nothing is left running", []string{"runtime/world/web TestPagesAreBounded", "runtime/world/web TestCancelling", "runtime/world/web TestACallReadsSoManyPagesAndEachOnce"}},
	{"W133", "a page nests without end, lies about its letters, or hides text", "time by its bytes, valid text, and what is not seen is not said", []string{"builtins/web/page TestHostilePagesEndInTime", "builtins/web/page FuzzRead", "builtins/web/page TestHTML", "builtins/web/page TestCharsets"}},
	{"W134", "a page holds secrets, instructions, links that act, or links elsewhere", "masked, quoted, and not followed", []string{"builtins/web TestASecretAndAnInstructionOfAPage", "builtins/web TestASecretIsMaskedWhereItsTextIsCut", "builtins/web TestASecretWhereAPageIsCut", "builtins/web TestMaskingTakesTimeByTheBytesOfAPage", "builtins/web TestAnAnswerIsSentencesWithTheirAddresses", "runtime/world/web TestLinks"}},
	{"W135", "a model invents an address", "it does not leave as a reference", []string{"runtime/world/web TestReferences", "runtime/safety/egress TestReferencesToPagesThatWereReadResolve"}},
	{"W136", "a web page rebinds DNS to the dashboard, links to it, has it as a script, or runs on another port of this machine", "refused", []string{"runtime/mcp/guard TestBrowserIsLetIn"}},
	{"W137", "a session's names bring markup, direction marks, terminal sequences or ten thousand letters to the dashboard", "text, written out and cut", []string{"runtime/observe/dashboard TestHostileTextStaysText"}},
	{"W138", "the address that lets a browser in is used twice, looked up ahead, or found in a log", "it is good once, and in no log", []string{"runtime/mcp/guard TestACodeLetsOneBrowserIn", "cmd/compactor TestDashboardOverHTTPIsItsUsers"}},
	{"W139", "a server says secrets in 29 shapes: split over texts, in base64, in addresses, as names, in notes and errors", "they are nowhere: not in replies, prompts, originals, the log, metrics, traces, pages or files", []string{"cmd/compactor TestCanariesAreNowhere", "runtime/app/service TestSummariesHoldNoSecret", "runtime/gateway TestSecretsThatWereCutBetweenTexts"}},
	{"W140", "a result says that it was made short, or imitates our note with an id", "the one is taken out, the other reads otherwise and opens nothing", []string{"runtime/app/service TestAServerCannotSayThatItsResultWasMadeShort", "runtime/app/service TestNotesThatImitateOurs"}},
	{"W141", "a long result brings a hundred thousand links, pictures or unknown blocks, or a schema that nothing short satisfies", "what leaves is short and says what is left out", []string{"runtime/app/service TestAFloodOfBlocksIsMadeShort", "runtime/app/service TestASchemaThatNothingShortSatisfies"}},
	{"W142", "a long result, or the arguments of its call or of one before it, command the model that makes it short, or hold secrets", "they are data, masked, and what the model says for them must stand in the result", []string{
		"runtime/app/service TestWordsThatCommandTheSummarizer", "runtime/app/service TestASummarizerIsToldOfTheCalls"}},
	{"W143", "a result of a gigabyte, or a thousand at once", "memory is bounded and it is said; all are made short", []string{"cmd/compactor TestHugeResultsOfPrograms", "runtime/app/service TestAThousandResultsAtOnce"}},
	{"W144", "a result that cannot be masked is made short", "an error, and nothing of it is kept or asked", []string{"runtime/app/service TestAResultThatCannotBeMaskedLeavesNothing"}},
	{"W145", "somebody reads the file of the use of tools, or fills it", "names of tools and keyed digests; no argument, no name of a client, no id of a session; bounded, and a call waits for no disk", []string{
		"runtime/observe/usage TestWhatIsKeptOfASession", "runtime/observe/usage TestCallsWaitForALogThatComesBack", "runtime/observe/usage TestNothingIsKeptWhereItIsTurnedOff"}},
	{"W146", "a client asks for a collection that is not its own: by its name, ids, addresses, what is like it, errors, or after the right was taken away", "it is told nothing of it", []string{
		"runtime/app/service TestCollectionsAreKeptApart"}},
	{"W147", "a secret in a document begins in one passage and ends in the next", "no part of it leaves", []string{"runtime/app/service TestSecretsInDocuments"}},
	{"W148", "a project's collection lies outside of the project, or takes the place of the user's", "it waits for its user; his own stands", []string{
		"runtime/app/consent TestReach", "runtime/app/consent TestWhatIsHeldIsAsItIsWithoutTheProject", "runtime/config TestAProjectIsToldWhatIsNotIts"}},
	{"W149", "a process is killed while it indexes, or a document makes its extractor panic", "nothing is lost or there twice; the others are read", []string{
		"runtime/retrieval/docs/library TestKilledWhileIndexing", "runtime/retrieval/docs/library TestFailures"}},
	{"X40", "the disk fails at any call of a run of index, for a moment or from then on, or is full", "the version before or the one after, document by document, or a refusal with the way out; the next run goes on", []string{
		"cmd/compactor TestIndexWithIOFaults", "cmd/compactor TestIndexOnAFullDisk", "runtime/world/store TestADiskWithoutSpaceIsCalledFull"}},
	{"X41", "a hook on results fails after it had a result kept, or masking itself breaks", "an error; nothing is kept, shared or said", []string{
		"runtime/gateway TestWhatAHookLeftUnfinishedIsNotKept", "runtime/gateway TestAResultWhoseMaskingBreaksGoesNowhere"}},
	{"W150", "a web page, another host's name, or a wrong token asks the control API; a body is endless, torn, of another kind or has other fields", "refused with a code, and nothing is changed", []string{"cmd/compactor TestControlAPIRefuses", "runtime/app/api FuzzBodies"}},
	{"W151", "a program of another user of this machine changes the configuration where no token is set", "refused", []string{"cmd/compactor TestControlAPIWithoutAToken"}},
	{"W152", "a configuration is replaced by a bomb, by one that is not valid, from two sides at once, over an edit by hand, or as the process is killed", "the old one or a new one that was sent, whole; nobody's edit is lost", []string{
		"cmd/compactor TestControlAPIRefuses", "cmd/compactor TestControlAPIReplacesTheConfiguration", "cmd/compactor TestControlAPIChangesAtOnce", "cmd/compactor TestControlAPIKilledWhileItWrites"}},
	{"W153", "the configuration is replaced where a project has one", "the project's is not written, and what of it waits goes on waiting", []string{"cmd/compactor TestControlAPILeavesTheProjectAlone"}},
	{"W154", "a database server asks for a password that is wrong, lies about its name, or holds another program's tables", "said with the way out and without the password; nothing of another's is touched", []string{
		"runtime/world/store TestWhatIsWrongWithAServer", "runtime/world/store TestTheServerProvesItsName", "runtime/world/store TestURLs", "cmd/compactor TestMigrateAndDoctorByCommand"}},
	{"W155", "the database server is stopped, silent, or cut off in the middle", "calls go on, no tool is trusted whose approval was not read, nothing counts twice, and what is lost is said", []string{
		"cmd/compactor TestCallsGoOnWithoutTheServer", "runtime/world/store TestAServerThatIsSilent", "runtime/world/store TestALostAnswerCountsOnce", "runtime/world/store TestTheServerComesBack"}},
	{"W156", "a collection's name on a database server holds SQL, or two collections have the same documents in the same tables", "refused as none; neither has, changes or deletes anything of the other", []string{
		"runtime/world/store TestCollectionsInOneSchema", "runtime/app/service TestCollectionsAreKeptApart"}},
	{"W157", "a process that indexes on a database server is killed, or cut off and goes on as if it were not", "what is published is whole, and who has lost the lock writes nothing", []string{
		"runtime/retrieval/docs/library TestKilledWhileIndexing", "runtime/world/store TestTheOwnerOnAServer"}},
	{"X01", "a document makes its reader loop, unpack without end or nest without end", "an error that names the limit, or its text; nothing else is touched", []string{
		"runtime/retrieval/docs/extract TestHostileDocuments", "runtime/retrieval/docs/extractor TestHostilePDF", "runtime/safety/confined TestAnEndingSaysItsCause"}},
	{"X02", "text of a document is made so that answering from it takes for ever", "it ends, bounded", []string{"runtime/retrieval/docs/answer TestHostileTextEnds"}},
	{"X03", "a model words a quote, a figure or a name that the passages do not have", "the sentence is dropped", []string{"runtime/retrieval/docs/answer TestKeepDropsWhatDoesNotStand"}},
	{"X04", "a model words an answer from documents and makes things up, or a document hides a secret from those who quote it", "each quote stands in its file; no secret leaves or is shown to the model", []string{
		"runtime/app/service TestAnswersOfDocumentsAreWorded", "runtime/app/service TestAnswersOfDocumentsResolve"}},
	{"X05", "a client answers, summarizes or lists entities of a collection that is not its own", "not found, as what never was; nothing of it is kept or logged", []string{
		"runtime/app/service TestCollectionsAreKeptApart", "cmd/compactor TestServedAnswersOfDocuments"}},
	{"X10", "a Word document unpacks without end, has parts without number, parts that overlap, or a document in a document", "bounded, and said; what is packed in it is not unpacked", []string{
		"cmd/compactor TestIndexOfHostileDocuments", "runtime/retrieval/docs/extract TestHostileDocuments"}},
	{"X11", "a PDF names itself as its page, its table or its form, has a billion pages, or a page that takes all memory", "the process that reads it ends at its limit; the others are indexed", []string{
		"cmd/compactor TestIndexOfHostileDocuments", "runtime/retrieval/docs/extractor TestHostilePDF"}},
	{"X12", "a file of a gigabyte, of nothing, is called a document", "left out without being read, and named", []string{"cmd/compactor TestIndexOfHostileDocuments"}},
	{"X13", "a page nests or opens a hundred thousand elements; a notebook has millions of cells or printed a million lines", "time by its bytes, or a limit; what was printed is cut, which is said", []string{
		"cmd/compactor TestIndexOfHostileDocuments", "runtime/retrieval/docs/extract TestHostileDocuments"}},
	{"X14", "a text is UTF-16, Latin-1, claims an encoding that it is not in, has a NUL late in it, or is a PDF or a program by another name", "read as its writer meant it, or left out: no raw bytes, no line lost", []string{"runtime/base/charset TestTextWithoutADeclaration", "runtime/retrieval/docs/extract TestEncodings", "cmd/compactor TestIndexOfHostileDocuments"}},
	{"X15", "a Word document has macros, entities of entities, or names a file of this machine", "macros are left out, entities are refused, no file is opened", []string{"cmd/compactor TestIndexOfHostileDocuments"}},
	{"X16", "the process that reads a document crashes, takes all memory, or is killed", "an error of that document alone", []string{"runtime/retrieval/docs/extractor TestAChildIsKilled", "runtime/safety/confined TestAnEndingSaysItsCause"}},
	{"X17", "a secret stands in a PDF or a Word document", "masked, as in any text", []string{"cmd/compactor TestScripts/ingest"}},
	{"X18", "one collection of several cannot be indexed", "the others are, and the exit code and a message say so", []string{"cmd/compactor TestScripts/ingest"}},
	{"X19", "a file has a second name, by a hard link, that lies outside", "it is the file: who can make one can read it", []string{"runtime/retrieval/docs/library TestHardLinks"}},
	{"X06", "a client asks by header for a profile that is not its own, for two, by odd or endless bytes, or goes on in a session under another", "refused; no profile is named that cannot be asked for, and nothing that it sent is repeated that may be a secret", []string{
		"cmd/compactor TestProfileHeaderRefused", "cmd/compactor TestProfileFlagIsAWall", "cmd/compactor TestProfileTokensAloneShutTheRest"}},
	{"X07", "a session calls, searches for, or has predicted what only another profile has", "there is no such tool; nothing tells of its server", []string{
		"cmd/compactor TestProfilesAtOnce", "cmd/compactor TestProfilesLearnApart", "cmd/compactor TestProfilesReloaded"}},
	{"X30", "who has the token of one profile asks for another by header, name or path, with two tokens, or with one that is short, unset, of two profiles or taken back", "refused, and no profile is named; the dashboard and the control API stay shut", []string{
		"cmd/compactor TestProfileTokens", "cmd/compactor TestProfileTokensAlone", "runtime/mcp/guard TestHolders"}},
	{"X31", "a client leaves its profile by the session, stream of events, long result, request to take up or list of another", "refused or not found, and the other goes on", []string{
		"cmd/compactor TestProfilesAreNotLeft", "cmd/compactor TestProfileTokensStay"}},
	{"X32", "what clients of one profile call ranks what others find or are listed", "only in profiles that say learn_from", []string{
		"cmd/compactor TestProfilesCountApart", "cmd/compactor TestProfilesLearnApart"}},
	{"X25", "a client learns of a collection that is not its own by any tool, score, error, guess at a name or id, cache, page or stale index", "it is told what it would be told if the collection did not exist", []string{
		"runtime/app/service TestCollectionsDoNotInterfere", "runtime/app/service TestDocumentsStayInTheirReplies", "cmd/compactor TestServedAnswersOfDocuments"}},
	{"X26", "a client asks for pins of another client, or of a collection that is not its own or of another directory of that name", "not found, as what never was", []string{"runtime/app/service TestPinsAreKeptApart", "runtime/app/service TestPinsAreFoundAgain"}},
	{"X27", "a document changes under a pin, so that its quote would be put into its mouth", "shown as what was pinned, and never cited", []string{"runtime/app/service TestPinsFollowTheirDocuments"}},
	{"X50", "a model that words a question anew leaves its filters, repeats itself, hangs, or says nothing of use", "searched within the filters or not at all; the reply is as without it, and a note says so", []string{"runtime/app/service TestOtherWordingsOfAModel"}},
	{"X51", "front matter names tags without end, as aliases of aliases, or nested beyond measure", "no tags, and the text is read", []string{"runtime/retrieval/docs/chunk TestTagsOfFrontMatter", "runtime/retrieval/docs/library TestNewTags"}},
	{"X28", "a client pins what no document says, a secret, escape sequences, orders to a model, or without end", "refused in words, or kept bounded, masked and clean; it is data wherever it is shown", []string{"runtime/app/service TestPinsOfHostileClients", "runtime/retrieval/docs/notes FuzzFind"}},
	{"X29", "a project's collection has the user's model elsewhere read documents, or names a table of words that is a link out, a pipe, endless, or full of numbers and words beyond measure; a question opens quotes without end", "held until it is allowed, refused without a word of the file, or bounded", []string{
		"runtime/app/consent TestReach", "runtime/app/consent TestATableBehindALinkWaits", "runtime/retrieval/docs/vectors TestATableIsARegularFile", "runtime/retrieval/docs/vectors TestATokenizerCannotAskForLongWords",
		"runtime/retrieval/docs/vectors TestScoresAreNumbersWhateverTheTableHolds", "runtime/retrieval/docs/query TestAQuestionOfQuotesIsReadAtOnce"}},
	{"X08", "a client asks another serve for a session or a long result that is not its own, by guessing, with another token, or by the tables of the store", "not found; the tables hold neither ids nor words", []string{
		"runtime/pipeline/shared TestAResultIsItsSessionsOwn", "cmd/compactor TestClientsMoveBetweenServes", "cmd/compactor TestASessionIsRememberedElsewhere"}},
	{"X09", "results without end while the store is away, or a session that many serves change at once", "bounded, and it is said what was dropped; nothing is lost or there twice", []string{
		"runtime/pipeline/shared TestSessionsGoOnWithoutTheServer", "runtime/pipeline/shared TestManyServeOneSession", "runtime/world/store TestWhatIsSharedIsBounded"}},
	{"X71", "a tool is called what names a tool of another server, where that has none, waits, is off or does not start", "that server's or nobody's is run, and the error names the other; nothing tells of servers that a profile does not have", []string{
		"runtime/gateway TestANameOfAServerRunsNoToolOfAnother", "runtime/gateway TestNamesThatBeginWithSeveralServers",
		"runtime/gateway TestNamesOfServersThatAProfileDoesNotHave", "runtime/gateway TestANameApprovesNoToolOfAnotherServer"}},
	{"X72", "an approved tool changes in what only clients read: templates, icons, execution, a member nobody knows; or hides characters there", "set aside as for any change, and cleaned; what earlier versions approved holds where nothing has changed", []string{
		"runtime/gateway TestADefinitionIsJudgedByAllOfItsMembers", "runtime/gateway TestApprovalsOfEarlierVersionsHold", "runtime/gateway/trust TestRecordsOfEarlierVersions",
		"runtime/gateway/trust TestHashChangesWithEveryPart", "runtime/gateway/trust TestCleanReachesEveryText"}},
	{"X73", "a project's server stands at the address of one that its user has logged in to", "it gets no login but one that is made for it there", []string{
		"runtime/gateway TestAProjectsServerHasNoLoginOfTheUsers", "runtime/gateway/oauth TestLoginsAreFoundAgain", "cmd/compactor TestServersLoginOfAProject"}},
	{"X74", "a server writes compactor's own marks, notes or errors, or tokens of chat templates into a result that is made short", "taken out, set apart or taken apart", []string{
		"runtime/gateway TestAServerCannotSayWhatIsOurs", "runtime/gateway FuzzUnforged", "runtime/app/service TestAServerCannotSayThatItsResultWasMadeShort",
		"runtime/app/service TestNotesThatImitateOurs", "runtime/app/service TestASummaryHasNoMarksOfTheResult"}},
	{"X33", "a pull puts a link in the place of a project's directory of documents that a server follows", "it is not followed before the configuration is judged again, and then waits for its user", []string{"cmd/compactor TestServeFollowsNoLinkOutOfAProject"}},
	{"X60", "a client sends 150 large messages by half, byte by byte or as much as it is let, or keeps large calls and subscriptions running", "all share one budget; the largest give way with 503, small ones pass, and nothing is left behind", []string{
		"runtime/mcp/server TestAttackHalfSentBodies", "runtime/mcp/server TestAttackBodiesOfRunningCalls", "runtime/mcp/server TestAttackBodiesOfTheAPI"}},
	{"X61", "another account of this machine, or a tool that fetches addresses, opens the dashboard, reads the arguments of the browser, or uses a link again", "locked, with what its user can do; nothing of a code is in arguments, logs or files of others", []string{
		"cmd/compactor TestDashboardOverHTTPIsItsUsers", "cmd/compactor TestDashboardOverStdioIsItsUsers", "cmd/compactor TestDashboardWhereNobodyServes", "cmd/compactor TestDashboardIsOpenedByAFile",
		"runtime/mcp/guard TestBrowserIsLetIn", "runtime/mcp/guard TestACodeLetsOneBrowserIn", "runtime/mcp/guard TestAFileLeadsToTheEntrance"}},
	{"X62", "a secret is the value of a header or variable of a server whose name does not tell", "not on the dashboard nor in the control API, also where that value is wrong", []string{
		"cmd/compactor TestHeadersAndVariablesOfServersAreNotServed"}},
	{"X63", "a file to import has hundreds of thousands of arguments, a name of 60 MB, or more servers than a configuration can hold", "refused at once with the file, the member and the limit; nothing is written", []string{
		"runtime/gateway/mcpfile TestParseIsBounded", "cmd/compactor TestImportIsBounded"}},
	{"X80", "a pull changes the file of an allowed server that was named as a module, without its ending, behind an option's letter, in braces, as @file or from $PWD", "its change waits", []string{"runtime/app/consent TestFilesOfAServer"}},
	{"X81", "a server puts a key where a result has a cursor, a state or a progress token", "masked, and handles of random letters stay", []string{"runtime/safety/redact TestJSONOfMessages/keys that are called handles"}},
	{"X82", "a prompt's name is a key", "listed and got by what masking leaves of it", []string{"runtime/gateway TestAPromptsNameIsMasked"}},
	{"X83", "a search for tools or in a result has a secret in it, of which the answer says that nothing has it", "the answer does not repeat it, also not in small letters", []string{
		"builtins/tools TestSearchRepeatsNoSecrets", "runtime/gateway/pages/within TestFind"}},
	{"X84", "a password is the text of an element of XML that has a prefix and attributes, or of the element after its name", "masked, and what stands beside it passes", []string{"runtime/safety/redact TestElementsOfXML"}},
	{"X85", "the passwords of a table or an INSERT statement stand far from the name of their column; quoted-printable mail cuts a token", "masked, and what stands beside them passes", []string{
		"runtime/safety/redact TestColumnsOfPasswords", "runtime/safety/redact TestTablesWithoutPasswords", "runtime/safety/redact TestGroups"}},
	{"X86", "a server that may ask for sampling asks for the context of its client, which is that of all servers", "asked for without it, in both eras", []string{"runtime/gateway/upstream TestNoServerGetsTheContextOfOthers"}},
	{"X89", "a server of the handshake era answers a call with a question of the stateless one, which allow does not hold", "an error", []string{"runtime/gateway/upstream TestNoResultOfTheHandshakeEraAsks", "runtime/gateway/upstream TestNoQuestionIsSpelledOtherwise", "runtime/gateway TestNoResultAsksInDisguise"}},
	{"X90", "what a server logs of one session's call comes late, or while another calls", "the session that it can belong to alone is told, else nobody", []string{
		"runtime/gateway/upstream TestALogLineIsOfTheOneCallThereIs", "runtime/gateway TestLogLinesCarryTheServersNameAndNoSecret"}},
	{"X91", "a server tells of an update of a resource that others follow at another server, or puts a secret of one session's into its address", "only those who subscribed there are told, by the address that they know", []string{
		"runtime/gateway TestAServerTellsOfWhatItWasAskedFor", "runtime/mcp/server TestNotices"}},
	{"X92", "a server says a secret that it was given in a text of JSON, in an address, HTML, a shell's word or base64", "masked", []string{"runtime/gateway TestSecretsAreMaskedInEachSpelling", "runtime/gateway TestPasswordsOfAddressesAreMasked"}},
	{"X93", "a page of another site embeds what the control API answers, as a picture, a script or a frame", "refused", []string{"runtime/mcp/guard TestGuard"}},
	{"X94", "a client reads a resource of an address that no server lists, which the first server by name would be told", "its server is asked, or nobody", []string{"runtime/gateway TestAnUnlistedResourceIsAskedOfItsServer"}},
	{"X95", "who holds the token of a profile says the name of another profile's client", "finds neither its pins nor documents beyond its own profile", []string{
		"runtime/app/service TestPinsOfProfilesAreKeptApart", "runtime/app/service TestCollectionsAreKeptApart"}},
	{"X96", "a pipeline calls several servers; what the client sent beside the arguments is meant for one", "none of them gets it", []string{"cmd/compactor TestAPipelinePassesOnNoParams"}},
	{"X87", "a server hides characters or secrets in what is called a progress token and is none", "taken out and masked", []string{"runtime/safety/redact TestJSONTakesKnownTextsOutAndCleans"}},
	{"X88", "a page of a result, or what a path finds in one, begins with a note like ours, where the result did not", "set apart", []string{"runtime/gateway/pages TestPartsBeginWithNoNoteOfOurs", "runtime/base/sanitize TestUnmarked"}},
	{"X64", "the disk of the store is full, from the start or by and by", "calls go on; it is said once in the log, by doctor and on the dashboard, with the way out", []string{
		"cmd/compactor TestAFullStoreIsSaid", "runtime/world/store TestATimelineOnAFullDisk"}},
}

// TestEveryAttackIsTested holds that the tests named above are there and not
// skipped as a whole, and that no test names a case that is not in the table.
func TestEveryAttackIsTested(t *testing.T) {
	there, parts := map[string]*ast.FuncDecl{}, map[string][]string{}
	var ids []string
	for _, a := range attacks {
		ids = append(ids, a.id)
	}
	named := regexp.MustCompile(`\b[UH](0[1-9]|10)\b`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, id := range named.FindAllString(string(text), -1) {
			if !slices.Contains(ids, id) {
				t.Errorf("%s names %s, which is not in the table", path, id)
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				name := filepath.ToSlash(filepath.Dir(path)) + " " + fn.Name.Name
				there[name], parts[name] = fn, texts(fn)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("cmd/compactor/testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		there["cmd/compactor TestScripts/"+strings.TrimSuffix(filepath.Base(path), ".txtar")] = there["cmd/compactor TestScripts"]
	}
	for _, a := range attacks {
		if len(a.tests) == 0 {
			t.Errorf("%s (%s) has no test", a.id, a.attack)
		}
		for _, name := range a.tests {
			switch fn := find(there, parts, name); {
			case fn == nil:
				t.Errorf("%s (%s) is to be tested by %s, which is not there", a.id, a.attack, name)
			case skipsAll(fn):
				t.Errorf("%s (%s): %s is skipped", a.id, a.attack, name)
			}
		}
	}
}

// find is the function of a test, also of one of its parts: a text in it is the
// part's name.
func find(there map[string]*ast.FuncDecl, parts map[string][]string, name string) *ast.FuncDecl {
	if fn := there[name]; fn != nil {
		return fn
	}
	dir, function, _ := strings.Cut(name, " ")
	function, part, _ := strings.Cut(function, "/")
	whole := dir + " " + function
	if !slices.Contains(parts[whole], part) {
		return nil
	}
	return there[whole]
}

// texts are the strings that a function holds.
func texts(fn *ast.FuncDecl) (out []string) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// skipsAll reports whether a test begins by skipping itself.
func skipsAll(fn *ast.FuncDecl) bool {
	if len(fn.Body.List) == 0 {
		return true
	}
	x, ok := fn.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && strings.HasPrefix(sel.Sel.Name, "Skip")
}
