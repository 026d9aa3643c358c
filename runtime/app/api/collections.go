package api

import (
	"net/http"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Collections holds all collections of the configuration.
type Collections struct {
	Collections []Collection `json:"collections"`
}

// Collection is a set of documents that are indexed and searched.
type Collection struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Watched     bool       `json:"watched" doc:"its files are followed: watch in the configuration"`
	Index       string     `json:"index" enum:"none,cold,warm" doc:"none: not indexed yet; cold: the first search reads it; warm: in memory"`
	Version     string     `json:"version" doc:"that is searched; empty for none"`
	Published   *time.Time `json:"published" doc:"when that was; null for none"`
	Documents   int        `json:"documents" min:"0"`
	Passages    int        `json:"passages" min:"0"`
	IndexBytes  int64      `json:"index_bytes" min:"0"`
	Failed      int        `json:"failed" doc:"documents that could not be read" min:"0"`
	Left        int        `json:"left" doc:"files that were left out" min:"0"`
	Running     bool       `json:"running" doc:"it is being indexed, by this process or another"`
	Process     int        `json:"process,omitempty" doc:"that indexes it, where that is known"`
	Progress    *Progress  `json:"progress" doc:"of what runs; null where that is not known"`
	Run         *IndexRun  `json:"run" doc:"the last one that was asked for here; null for none"`
	Problem     string     `json:"problem,omitempty" doc:"why it cannot be searched or indexed"`
}

// Progress is the progress of an indexing run.
type Progress struct {
	Stage string `json:"stage" enum:"discover,extract,chunk,embed,upsert"`
	Done  int    `json:"done" min:"0"`
	Total int    `json:"total" doc:"0 while that is not known" min:"0"`
}

// IndexRun is a requested indexing run.
type IndexRun struct {
	ID      string     `json:"id"`
	State   string     `json:"state" enum:"waiting,running,done,failed,stopped" doc:"waiting: for another to end; stopped: with the process, the next one goes on"`
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended" doc:"null while it runs"`
	Added   int        `json:"added" min:"0"`
	Changed int        `json:"changed" min:"0"`
	Removed int        `json:"removed" min:"0"`
	Failed  int        `json:"failed" doc:"documents that could not be read" min:"0"`
	Error   string     `json:"error,omitempty" doc:"why it failed"`
}

// CollectionDetail is a collection with its jobs and problems.
type CollectionDetail struct {
	Collection
	Directories []string     `json:"directories"`
	Jobs        []JobCount   `json:"jobs" doc:"how many there are of each stage and state"`
	Problems    []JobProblem `json:"problems" doc:"files that could not be read or were left out, the newest first and so many at most"`
}

// JobCount is the number of jobs of one stage and state.
type JobCount struct {
	Stage string `json:"stage"`
	State string `json:"state" enum:"done,failed,left"`
	Jobs  int    `json:"jobs" min:"0"`
}

// JobProblem describes a file that failed or was left out.
type JobProblem struct {
	URI      string    `json:"uri"`
	Stage    string    `json:"stage"`
	State    string    `json:"state" enum:"failed,left"`
	Attempts int       `json:"attempts" min:"0"`
	Error    string    `json:"error"`
	At       time.Time `json:"at"`
}

// Indexing identifies a run that was started.
type Indexing struct {
	Collection string `json:"collection"`
	Run        string `json:"run" doc:"its id, as GET /collections/{name} has it"`
}

func (a *api) collections(r request) (*reply, error) {
	list, err := a.opt.Source.Collections(r.Context())
	return &reply{value: Collections{list}}, err
}

func (a *api) collection(r request) (*reply, error) {
	c, err := a.opt.Source.Collection(r.Context(), r.PathValue("name"))
	return &reply{value: c}, err
}

func (a *api) index(r request) (*reply, error) {
	again := r.URL.Query().Get(againOf.name)
	if again != "" && again != "failed" && again != "all" {
		return nil, NewProblem(BadRequest, "parameter again is "+sanitize.Line(sanitize.Cut(again, 40)), "write failed or all, or leave it out")
	}
	out, err := a.opt.Source.Index(r.Context(), r.PathValue("name"), again)
	return &reply{value: out, status: http.StatusAccepted}, err
}
