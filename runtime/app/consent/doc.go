// Package consent decides what of a project's configuration acts before its user
// has allowed it.
//
// Who clones a repository gets its .compactor with it. Words, budgets, patterns
// and stages over the working directory act at once; what reaches further
// (programs, addresses, keys, directories elsewhere, writes, the words that a
// chat model is told) is held until the user has seen and allowed it. What is
// allowed is known by a digest of exactly what was shown, and of the files it
// runs and reads, so that a change of any of it is held again.
//
// The package reads configurations and files and starts nothing.
package consent
