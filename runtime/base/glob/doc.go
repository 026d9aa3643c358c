// Package glob matches names and paths against patterns with * and ?, sets and, if
// expanded beforehand, groups {a,b}.
//
// One matcher serves three syntaxes, which differ around it: ignore files and the deny
// list follow git (runtime/safety/sandbox), file patterns follow ripgrep
// (builtins/code), and tool rules ignore case and slashes (runtime/gateway/rules). Its
// time is bounded whatever the pattern.
package glob
