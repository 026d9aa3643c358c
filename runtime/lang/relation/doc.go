// Package relation tells from the text of one file what a name in it refers to: whether it is called, passed on or only
// named, and on what. A Reader reads a file and returns usages, which hold what the file shows: the qualifier, the
// import or declared type behind it, and the enclosing types. NameIndex.Decide then compares a usage with the
// definitions of that name in the whole tree.
//
//	read.go, place.go              whether a name at an offset is used, and how; its receiver
//	imports.go, module.go          imports and aliases; whether an import means a module of the tree
//	types.go, declared.go, value.go  types of variables: named, declared, created
//	scope.go, shadow.go, sight.go  local variables, parameters, and what they hide
//	word.go, shell.go              languages whose calls need no parentheses; shell scripts
//	decide.go, world.go            the verdict on a usage; what is known about a name in the whole tree
//	profile.go, profiles.go        what the rules above depend on in a language, and a row for each language
//	def.go, naming.go              what kind a definition or a name is of
//
// It opens no file. runtime/lang/symbols finds the definitions, builtins/code/usage reads the tree.
//
// Nothing is compiled for it. What the text does not show is Maybe, never Yes.
//
// # To add a language
//
// Add a row to profiles.go. Its booleans are rules that are true or false of any language, its functions read the
// syntax of its own, each next to those of other languages: imports in imports.go, the module that an import means in
// module.go, declarations in declared.go, calls without parentheses in word.go. Then add an archive to testdata/usages:
// TestLanguagesAreTested fails until it is there.
package relation
