package config

import "math"

// bounding lists settings of the gateway that a project can only lower: they keep results
// of servers from flooding a model, and servers from flooding the machine.
var bounding = []string{"result", "result_memory", "result_time", "starts"}

// lower removes from the project's tree values that would raise such a setting above the user's, or above the default
// if the user has none, and warns about it.
func (l *loader) lower(project, own *node) {
	section := project.get("gateway")
	for _, name := range bounding {
		theirs := section.get(name)
		if theirs == nil || amountOf(name, theirs) <= l.valueWithout(name, own) {
			continue
		}
		l.projectWarning(theirs, []string{"gateway", name}, "is not used: a project can lower it, not raise it", "take it out here, or write it into your own configuration directory")
		section.drop(name)
	}
}

// valueWithout returns the value of a setting without the project.
func (l *loader) valueWithout(name string, own *node) float64 {
	if mine := own.get("gateway").get(name); mine != nil {
		return amountOf(name, mine)
	}
	return amountOf(name, l.config.field("gateway").field(name).Preset)
}

// amountOf returns a count, a size or a duration as a number, for comparison.
func amountOf(name string, n *node) float64 {
	switch name {
	case "result":
		if n.number() == 0 { // no limit
			return math.Inf(1)
		}
	case "result_time":
		return float64(n.duration())
	}
	return float64(n.size())
}

// applyLowered applies settings that are lower in the project than in the user's layers.
func applyLowered(tree, project, own *node) {
	for _, name := range bounding {
		theirs, mine := project.get("gateway").get(name), own.get("gateway").get(name)
		if theirs != nil && mine != nil && amountOf(name, theirs) < amountOf(name, mine) {
			tree.get("gateway").set(name, theirs.clone())
		}
	}
}
