package contract

// Report is the reply to a question about code: the answer first, then what each
// role found, keyed by role. A role that did not run has no key.
type Report struct {
	Question      string           `json:"question" doc:"the question as it was asked"`
	RootsSearched []string         `json:"rootsSearched" doc:"directories that were searched"`
	Answer        string           `json:"answer" doc:"the direct answer with its evidence"`
	References    []string         `json:"references" doc:"where to look, best first: path, path:line or path:line:col"`
	Locator       Outcome[Result]  `json:"locator" doc:"where things live"`
	Analyzer      *Outcome[Result] `json:"analyzer,omitempty" doc:"how they work"`
	Patterns      *Outcome[Result] `json:"patterns,omitempty" doc:"similar examples"`
	Thoughts      *Outcome[Result] `json:"thoughts,omitempty" doc:"notes and decisions on the subject"`
	Meta          Meta             `json:"meta" doc:"what was run, searched and cut"`
}

// Meta says what a run did and what it left out.
type Meta struct {
	TasksSpawned int      `json:"tasksSpawned" doc:"stages and fan-out items that ran"`
	RolesRun     []string `json:"rolesRun" doc:"roles that ran, in order"`
	Timeouts     int      `json:"timeouts,omitempty" doc:"stages that ran out of time"`
	Keywords     []string `json:"keywords" doc:"what was searched for"`
	Limits       Limits   `json:"limits" doc:"budget used, and which limits were hit"`
	Truncations  []string `json:"truncations,omitempty" doc:"what was cut to fit"`
	Dropped      int      `json:"dropped,omitempty" doc:"references that did not resolve and were dropped"`
	Redacted     int      `json:"redacted,omitempty" doc:"secrets masked in this reply"`
	Model        *Spoken  `json:"model,omitempty" doc:"what models did; left out where none was asked"`
	Artifact     string   `json:"artifact,omitempty" doc:"path of the handoff, when one was asked for"`
}

// Limits is the ledger as it stood at the end.
type Limits struct {
	FilesScanned int      `json:"filesScanned" doc:"files ranked"`
	FilesRead    int      `json:"filesRead" doc:"files read as evidence"`
	BytesRead    int64    `json:"bytesRead" doc:"bytes read as evidence"`
	Hit          []string `json:"hit,omitempty" doc:"limits that cut the work short"`
}

// Spoken is what models did for a report.
type Spoken struct {
	Names     []string `json:"names" doc:"models that answered"`
	Calls     int      `json:"calls" doc:"requests sent"`
	Failed    int      `json:"failed,omitempty" doc:"requests without a usable reply"`
	TokensIn  int      `json:"tokensIn" doc:"tokens put before them"`
	TokensOut int      `json:"tokensOut" doc:"tokens they wrote"`
	Tools     int      `json:"tools,omitempty" doc:"tool calls made for them"`
	Refused   int      `json:"refused,omitempty" doc:"tool calls that their roles may not make"`
	Dropped   int      `json:"dropped,omitempty" doc:"claims left out because nothing supports them"`
}
