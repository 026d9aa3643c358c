// Package plan compiles a configuration and a catalog of builtins into an immutable Plan:
// graphs in order, conditions type-checked, permissions resolved, every name looked up.
// Every possible mistake of a configuration is found here or in runtime/config, by the
// same code for validate, serve and reload.
//
// It is the only package that imports expr-lang/expr. It runs nothing but expressions;
// runtime/pipeline/engine runs plans.
//
// Files:
//
//	plan.go                             what a plan holds: tools, pipelines, stages, roles
//	compile.go, compileat.go            the order of all checks; models and tools; errors in expressions
//	stages.go, graph.go                 what a stage runs and needs; the order of stages, cycles
//	settings.go, literal.go             the inputs of a stage; values that are written out
//	repeat.go                           a stage that runs in rounds, and what its expressions see
//	budgets.go, asks.go                 limits that no run can meet; how many roles ask a model from a stage on
//	unread.go, network.go               values that nothing reads; builtins without a host or a collection
//	roles.go, roletypes.go              a role's builtins and permissions; its task and its types
//	rolebounds.go, rolechecks.go        limits on the length of its output; checks of its model's replies
//	rolefallback.go, template.go        its answer without a model; its prompt
//	program.go                          compiling and evaluating an expression
//	env.go, plain.go                    the names that an expression can use, and the values it sees
//	typing.go, schemaof.go, unlike.go   types in expressions: from schemas, inferred; how two types differ
//	absent.go, facts.go                 values that may be absent, and the conditions that rule this out
//	guard.go, limits.go                 how much work an evaluation may do
//	conversation.go                     whether an expression can see the arguments given to other tools
//	hooks.go                            pipelines that run on upstream traffic
//	hints.go, menu.go                   a tool's annotations; which tools and fields a client sees
//	explain.go, explainrole.go          what a call would do
//	tests.go                            the configuration's own tests
package plan
