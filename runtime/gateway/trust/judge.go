package trust

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Policy says how tools are treated that no one has approved.
type Policy string

// Policies. Under each except Off, a changed trusted tool is quarantined.
const (
	First Policy = "first" // a tool is trusted as first seen
	Ask   Policy = "ask"   // a tool is pending until approved
	Off   Policy = "off"   // every tool is trusted, whatever it was
)

// State says whether a tool may be shown and called; only Trusted allows it.
type State string

// States of a tool. Gone is never recorded.
const (
	Trusted     State = "trusted"
	Pending     State = "pending"     // not approved yet
	Quarantined State = "quarantined" // differs from what was approved, or cannot be approved
	Gone        State = "gone"        // recorded, and no longer listed by its server
)

// Verdict compares a listed tool with its record.
type Verdict string

// Verdicts.
const (
	New     Verdict = "new"
	Same    Verdict = "same"
	Changed Verdict = "changed"
	Missing Verdict = "missing" // recorded and not listed
	Unfit   Verdict = "unfit"   // cannot be decided on: no hash, a refused name, two different listings
)

// Pin is the record of one tool.
type Pin struct {
	Tool, Hash  string
	State       State
	Definition  json.RawMessage // with Hash: the approved one; for a pending tool the one to approve
	Offered     json.RawMessage // the changed one, for a quarantined tool
	OfferedHash string
}

// Listed is one tool as its server lists it now. Err says why it has no hash or must not be used (Hash, Clean, Name).
type Listed struct {
	Tool, Hash string
	Earlier    string // see the function Earlier
	Definition json.RawMessage
	Err        error
}

// Decision is the outcome for one tool.
type Decision struct {
	Tool    string
	State   State
	Verdict Verdict
	Reason  string // in words, for people
	Pinned  string // the recorded or configured hash; "" if there is none
	Offered string // the hash of what the server lists; "" if there is none
	Record  *Pin   // what to record in place of the pin; nil if the record is unchanged
	Bare    bool   // the trusted hash covers only its parts: no other member may be passed on; see the function Bare
}

// Judge decides on the tools of one server, in the order listed, then on those that are gone, by name. fixed are the
// hashes set by configuration, tool to SHA-256 in hex: they override records and policy, and leave no record.
//
// A record outlives a tool's absence, so a tool that disappears and returns changed is still a changed tool. A changed
// tool that returns to its approved form is trusted again. Off writes no record: what was pinned is still pinned when
// trust is turned on again.
func Judge(policy Policy, pins []Pin, fixed map[string]string, listed []Listed) []Decision {
	recorded := map[string]Pin{}
	for _, p := range pins {
		recorded[p.Tool] = p
	}
	twice := listedTwice(listed)
	seen := map[string]bool{}
	var out []Decision
	for _, l := range listed {
		if seen[l.Tool] {
			continue
		}
		seen[l.Tool] = true
		pin, has := recorded[l.Tool]
		want, isFixed := fixed[l.Tool]
		switch {
		case unfitReason(l, twice) != "":
			out = append(out, Decision{Tool: l.Tool, State: Quarantined, Verdict: Unfit, Pinned: pin.Hash, Offered: l.Hash,
				Reason: unfitReason(l, twice)})
		case isFixed:
			out = append(out, byConfiguration(want, l))
		case !has:
			out = append(out, firstSight(policy, l))
		default:
			out = append(out, decideAgain(policy, pin, l))
		}
	}
	return append(out, goneDecisions(recorded, fixed, seen)...)
}

func listedTwice(listed []Listed) map[string]bool {
	first, twice := map[string]string{}, map[string]bool{}
	for _, l := range listed {
		if hash, ok := first[l.Tool]; ok && hash != l.Hash {
			twice[l.Tool] = true
		}
		first[l.Tool] = l.Hash
	}
	return twice
}

func unfitReason(l Listed, twice map[string]bool) string {
	switch err := Name(l.Tool); {
	case l.Err != nil:
		return l.Err.Error()
	case err != nil:
		return err.Error()
	case l.Hash == "":
		return "its definition has no hash"
	case twice[l.Tool]:
		return "the server lists it twice, in two ways"
	}
	return ""
}

func byConfiguration(want string, l Listed) Decision {
	d := Decision{Tool: l.Tool, State: Trusted, Verdict: Same, Reason: "pinned by the configuration", Pinned: plainHash(want),
		Offered: l.Hash}
	switch {
	case d.Pinned == l.Hash:
	case l.Earlier != "" && d.Pinned == l.Earlier:
		d.Bare, d.Reason = true, "pinned by the configuration without some members, which are left out; all of it is "+l.Hash
	default:
		d.State, d.Verdict = Quarantined, Changed
		d.Reason = fmt.Sprintf("the configuration pins %s, the server offers %s", shortHash(d.Pinned), shortHash(l.Hash))
	}
	return d
}

func firstSight(policy Policy, l Listed) Decision {
	d := Decision{Tool: l.Tool, State: Pending, Verdict: New, Offered: l.Hash, Reason: "seen for the first time; needs approval"}
	switch policy {
	case Off:
		d.State, d.Reason = Trusted, "trust is off: nothing is compared"
		return d
	case First:
		d.State, d.Reason = Trusted, "trusted as first seen"
	}
	d.Record = &Pin{Tool: l.Tool, Hash: l.Hash, State: d.State, Definition: l.Definition}
	return d
}

// decideAgain decides on a tool that has a record.
func decideAgain(policy Policy, pin Pin, l Listed) Decision {
	renewed := isAsBefore(pin, l)
	if renewed {
		pin.Hash = l.Hash
	}
	d := Decision{Tool: l.Tool, State: Trusted, Verdict: Same, Pinned: pin.Hash, Offered: l.Hash, Reason: "as approved"}
	if pin.Hash != l.Hash {
		d.Verdict = Changed
	}
	switch {
	case policy == Off:
		d.Reason = "trust is off: nothing is compared"
	case pin.State != Trusted && pin.State != Quarantined: // pending, or a state that no version of ours wrote
		first := firstSight(policy, l)
		d.State, d.Reason = first.State, first.Reason
		if d.Verdict == Changed || pin.State != d.State || renewed {
			d.Record = first.Record
		}
	case d.Verdict == Changed:
		d.State, d.Reason = Quarantined, whatChanged(pin, l)
		if pin.State != Quarantined || pin.OfferedHash != l.Hash {
			d.Record = &Pin{Tool: l.Tool, Hash: pin.Hash, State: Quarantined, Definition: pin.Definition, Offered: l.Definition,
				OfferedHash: l.Hash}
		}
	case pin.State == Quarantined:
		d.Reason = "again as approved"
		d.Record = &Pin{Tool: l.Tool, Hash: pin.Hash, State: Trusted, Definition: pin.Definition}
	case renewed:
		d.Record = &pin
	}
	return d
}

// isAsBefore reports whether a tool matches the record of an earlier version: its parts by their hash, the other
// members by the stored definition. A record without a definition says nothing about them.
func isAsBefore(pin Pin, l Listed) bool {
	if l.Earlier == "" || pin.Hash != l.Earlier {
		return false
	}
	_, old := divideMembers(pin.Definition)
	_, others := divideMembers(l.Definition)
	was, err := hashMembers(old)
	is, failed := hashMembers(others)
	return err == nil && failed == nil && was == is
}

// shortPath shortens the place of a change, for a sentence that models read too: names in a schema are foreign text.
func shortPath(at string) string {
	const most = 60
	if len(at) > most {
		return at[:most] + "…"
	}
	return at
}

// whatChanged names the parts of a tool that differ.
func whatChanged(pin Pin, l Listed) string {
	const most = 5
	if len(pin.Definition) == 0 || len(l.Definition) == 0 {
		return fmt.Sprintf("changed since it was approved: was %s, is %s", shortHash(pin.Hash), shortHash(l.Hash))
	}
	var changed []string
	for _, c := range compare(pin.Definition, l.Definition) {
		changed = append(changed, shortPath(c.at))
	}
	changed = slices.Compact(changed)
	if len(changed) > most {
		changed = append(changed[:most], "and more")
	}
	return "changed since it was approved: " + strings.Join(changed, ", ")
}

func goneDecisions(recorded map[string]Pin, fixed map[string]string, seen map[string]bool) []Decision {
	hashes := map[string]string{}
	for tool, pin := range recorded {
		hashes[tool] = pin.Hash
	}
	for tool, hash := range fixed {
		hashes[tool] = plainHash(hash)
	}
	var out []Decision
	for tool, hash := range hashes {
		if !seen[tool] {
			out = append(out, Decision{Tool: tool, State: Gone, Verdict: Missing, Pinned: hash, Reason: "its server no longer lists it"})
		}
	}
	slices.SortFunc(out, func(a, b Decision) int { return strings.Compare(a.Tool, b.Tool) })
	return out
}

// Approve returns the record of a pending or quarantined tool as trusted. hash is what the approving user was shown: if
// the server has offered something else since, it is an error.
func Approve(pin Pin, hash string) (Pin, error) {
	offered, definition := pin.Hash, pin.Definition
	if pin.State == Quarantined {
		offered, definition = pin.OfferedHash, pin.Offered
	}
	if plainHash(hash) != offered {
		return pin, fmt.Errorf("tool %s: what was to be approved is %s, and the server now offers %s; look at it again",
			pin.Tool, shortHash(plainHash(hash)), shortHash(offered))
	}
	return Pin{Tool: pin.Tool, Hash: offered, State: Trusted, Definition: definition}, nil
}

// plainHash normalizes a hash as people write it.
func plainHash(hash string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(hash)), "sha256:")
}

func shortHash(hash string) string {
	if len(hash) > 12 {
		return hash[:12] + "…"
	}
	return hash
}
