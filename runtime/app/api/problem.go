package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
)

// Problem is an error response (RFC 9457). Its code is stable.
type Problem struct {
	Type        string           `json:"type" doc:"about:blank: code says which problem it is"`
	Title       string           `json:"title" doc:"of the status"`
	Status      int              `json:"status" min:"400" max:"599"`
	Code        string           `json:"code" doc:"stable, for programs"`
	Detail      string           `json:"detail" doc:"what is wrong, in one line"`
	Do          string           `json:"do,omitempty" doc:"the way out"`
	Tag         string           `json:"tag,omitempty" doc:"of CONFIG_CHANGED: of the file as it is now"`
	Diagnostics []DiagnosticJSON `json:"diagnostics,omitempty" doc:"of CONFIG_INVALID: each mistake with its place"`
}

// Error returns the detail and, if any, the suggested remedy.
func (p *Problem) Error() string {
	if p.Do == "" {
		return p.Detail
	}
	return p.Detail + "; " + p.Do
}

// Codes of problems.
const (
	NotFound         = "NOT_FOUND"
	MethodNotAllowed = "METHOD_NOT_ALLOWED"
	BadRequest       = "BAD_REQUEST"
	BadBody          = "BAD_BODY"
	BadMediaType     = "UNSUPPORTED_MEDIA_TYPE"
	TooLarge         = "BODY_TOO_LARGE"
	TooSlow          = "BODY_TOO_SLOW"
	Crowded          = "BODIES_TOO_MANY"
	HostRefused      = "HOST_REFUSED"
	OriginRefused    = "ORIGIN_REFUSED"
	TokenWrong       = "TOKEN_WRONG"
	TokenNeeded      = "TOKEN_NEEDED"
	TurnedOff        = "API_OFF"
	TagNeeded        = "TAG_NEEDED"
	ConfigChanged    = "CONFIG_CHANGED"
	ConfigInvalid    = "CONFIG_INVALID"
	ConfigHeld       = "CONFIG_HELD"
	ConfigNoPlace    = "CONFIG_NO_PLACE"
	ConfigNotWritten = "CONFIG_NOT_WRITTEN"
	SettingUnknown   = "SETTING_UNKNOWN"
	SessionUnknown   = "SESSION_UNKNOWN"
	ToolUnknown      = "TOOL_NOT_FOUND"
	ToolInput        = "TOOL_VALIDATION_ERROR"
	ProfileUnknown   = "PROFILE_UNKNOWN"
	UsageOff         = "USAGE_OFF"
	CollectionNone   = "COLLECTION_UNKNOWN"
	IndexRunning     = "INDEX_RUNNING"
	IndexOff         = "INDEX_OFF"
	Unreadable       = "STORE_UNREADABLE"
	Internal         = "INTERNAL"
)

// statuses maps codes to HTTP statuses. A code that is missing here comes from a tool
// and gets status 502.
var statuses = map[string]int{
	NotFound: 404, MethodNotAllowed: 405, BadRequest: 400, BadBody: 400, BadMediaType: 415, TooLarge: 413, TooSlow: 408, Crowded: 503,
	HostRefused: 403, OriginRefused: 403, TokenWrong: 401, TokenNeeded: 403, TurnedOff: 404,
	TagNeeded: 428, ConfigChanged: 412, ConfigInvalid: 422, ConfigHeld: 409, ConfigNoPlace: 409, ConfigNotWritten: 500,
	SettingUnknown: 404, SessionUnknown: 404, ToolUnknown: 404, ProfileUnknown: 404, ToolInput: 422, UsageOff: 409, CollectionNone: 404, IndexRunning: 409, IndexOff: 409, Unreadable: 503, Internal: 500,
	"VALIDATION_ERROR": 422, "INVALID_INPUT": 422, "ROOT_NOT_FOUND": 422, "TIMEOUT": 504, "TOOL_EXECUTION_TIMEOUT": 504, "POOL_FULL": 503,
}

// NewProblem returns a problem with the given code and the status that belongs to it.
func NewProblem(code, detail, do string) *Problem {
	status, ok := statuses[code]
	if !ok {
		status = http.StatusBadGateway
	}
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: detail, Do: do}
}

// problemType is the media type of problems.
const problemType = "application/problem+json"

// toProblem returns an error as a problem; one that is not a *Problem becomes an Internal problem.
func toProblem(err error) (p *Problem) {
	if !errors.As(err, &p) {
		p = NewProblem(Internal, err.Error(), "")
	}
	return p
}

// writeProblem writes an error response.
func writeProblem(w http.ResponseWriter, err error) {
	p := toProblem(err)
	w.Header().Set("Content-Type", problemType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have disconnected
}

// Refuse answers a request that guard rejected, in the API's error format.
func Refuse(w http.ResponseWriter, status int, code, detail, do string) {
	p := NewProblem(code, detail, do)
	p.Status, p.Title = status, http.StatusText(status)
	writeProblem(w, p)
}

// codesOf returns the codes that have the given status, sorted, for the description.
func codesOf(status int) (out []string) {
	for code, s := range statuses {
		if s == status {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}
