// Package consent decides which parts of a project's configuration take effect before
// the user has allowed them.
//
// Cloning a repository also brings its .compactor directory. Texts, budgets, patterns
// and stages over the working directory take effect at once; what reaches further
// (programs, addresses, keys, directories elsewhere, writes, texts that the chat model
// sees) is held until the user has seen and allowed it. An approval is stored as a
// digest of exactly what was shown and of the files that it runs and reads, so that any
// change is held again.
//
// The package reads configurations and files and starts nothing.
package consent
