// Package settings finds what a user can set in a file: flags, settings, keys,
// environment variables, features and the fields and setters of option types,
// each with its default and help where the file tells them.
//
// A file is read line by line; the arguments of a registering call are taken
// up to a bound. Find never fails: what has no known shape is no option. It
// takes time linear in the file, and keeps at most maxOptions of them.
//
//   - calls.go: registrations such as flag.String, add_argument or os.getenv
//   - tables.go: tables and literals of settings, and files of configuration
//   - members.go: fields and setters of types that hold options
//   - documents.go: options that a document tells of
//   - asking.go, words.txt: which words of a question ask for an option and say
//     nothing of which one
//
// In does the same for a body of code, for what it reads or registers.
//
// The package opens no file and ranks nothing. builtins/code chooses the files,
// holds options against the question and tells where one is set and read.
//
// To add a form of registration, add it to the file of its shape and a row to
// option_test.go, with its name, default and help as that library writes them.
package settings
