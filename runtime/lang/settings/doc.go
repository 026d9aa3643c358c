// Package settings finds what a user can set in a file: flags, settings, keys, environment variables, features, and the
// fields and setters of option types, each with its default and help if the file states them.
//
// A file is read line by line; the arguments of a registering call are read up to a limit. Find never fails: text of an
// unknown form is not an option. It takes time linear in the file, and keeps at most maxOptions options.
//
//   - calls.go: registrations such as flag.String, add_argument or os.getenv
//   - tables.go: tables and literals of settings, and configuration files
//   - members.go: fields and setters of types that hold options
//   - documents.go: options that a document describes
//   - asking.go, words.txt: the words of a query that ask for an option without telling which one
//
// In does the same for a body of code, for what it reads or registers.
//
// The package opens no file and ranks nothing. builtins/code chooses the files, compares options with the query and
// tells where an option is set and read.
//
// To add a form of registration, add it to the file of its kind and a row to settings_test.go, with its name, default
// and help as that library writes them.
package settings
