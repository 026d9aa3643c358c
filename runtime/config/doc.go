// Package config turns CUE files into a plain, typed Config in which every value knows
// the file, line and column at which it was written.
//
// It is the only package that imports cuelang.org/go: nothing downstream sees a CUE
// value. It checks shape, ranges and defaults; names that refer to other things (roles,
// builtins, models, stages) are checked by runtime/pipeline/plan, which knows them all.
// Loading opens no socket. It runs on a goroutine of its own, because CUE cannot be interrupted.
//
// Files:
//
//	load.go, collect.go                    the order of loading; which files are read, and which are skipped
//	plain.go                               recognizing files that are safe to evaluate in any process
//	embedded.go                            evaluating the definitions and the shipped files, once
//	evaluated.go                           what they come to, kept in evaluated.cbor for a quick start
//	instance.go, cut.go                    evaluating a layer; cutting out what CUE rejects, to report all mistakes
//	translate.go                           CUE's errors in the user's terms
//	outline.go, place.go                   where each field is written; what CUE would silently ignore
//	walk.go, node.go, leave.go             turning CUE values into plain nodes; where a field was cut out
//	merge.go                               what wins when one layer lies over another, and what is replaced as a whole
//	layers.go, narrower.go                 what a project may not set, and what it may only make stricter
//	shape.go, shaping.go, disjunction.go   reading the CUE definitions: what a value may be
//	typeschema.go                          types of tools and pipelines as schemas for clients
//	check*.go                              unknown, missing and wrong fields; defaults; what was meant (checkhelp.go)
//	rules.go                               constraints between fields
//	config.go, upstreams.go, profile.go    the settings as Go types; servers and profiles are also decoded here
//	decode*.go, units.go                   decoding all other settings; durations and sizes
//	source.go, literal.go                  where a value, or a part of a text, is written
//	show.go, part.go                       settings as CUE, masked; finding a setting by its path
//	wire*.go                               handing a loaded configuration to another process
//	editor.go, starter.go                  the files that compactor init writes
//	steps.go                               reporting each step, to show where loading got stuck
package config
