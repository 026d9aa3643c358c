package relation

import "github.com/compactor-mcp/compactor/runtime/lang/symbols"

// profiles holds the languages in which names are used. Their functions must not call profileOf, since Go forbids that
// a variable depends on itself; a Reader has the profile of its file.
var profiles = map[symbols.Lang]*profile{
	symbols.Go: {
		scope: ownPackage, packageDirs: true, localFunctions: true, blockScope: true, silentInterfaces: true, resultTypes: true,
		indexedGenerics: true, severalTargets: true, bareConditions: true,
		importWords: []string{"import ", "import("}, readImport: importReader.readGo, moduleIs: matchGo, isForeign: isForeignGo, placeImported: placeInModule,
		heads: openHeads, readDeclaration: declaredInGo, readResult: readGoResult, readMade: madeInGo, hides: hidesInGo,
	},
	symbols.Python: {
		scope: fromImports, importsTypes: true, localFunctions: true, silentInterfaces: true, listsHeads: true, resultTypes: true,
		setsAnyType: true, unionTypes: true, indexedGenerics: true, callsTypes: true, decorators: true, namedArguments: true, severalTargets: true,
		superWord: "super", isType: isOneType,
		importWords: []string{"import ", "from "}, readImport: importReader.readPython, moduleIs: matchPython, isForeign: isForeignPython,
		placeImported: placeImportedPython, heads: headsInBrackets, readDeclaration: declaredInPython, readResult: readResultAfter("->"),
	},
	symbols.JavaScript: scriptProfile(true), symbols.TypeScript: scriptProfile(false), symbols.TSX: scriptProfile(true), symbols.Component: scriptProfile(true),
	symbols.Java: {
		family: symbols.Java, impliesThis: true, hasOverloads: true, nestsTypes: true, importsTypes: true, blockScope: true, listsHeads: true,
		resultTypes: true, typesFirst: true, unionTypes: true,
		superWord: "super", fieldMarks: []string{".", "->"}, builtins: javaClasses, isType: isTypePath,
		importWords: []string{"import ", "package "}, readImport: importReader.readQualified, isForeign: isForeignJava, heads: parseExtends, readDeclaration: declaredInJava,
	},
	symbols.Kotlin: {
		family: symbols.Java, impliesThis: true, hasOverloads: true, nestsTypes: true, blockScope: true, listsHeads: true, resultTypes: true,
		unionTypes: true, callsTypes: true, passesMethods: true, quotesNames: true, trailingBlocks: true, blockInitializer: true, namedArguments: true,
		superWord: "super", keepsType: map[string]bool{"apply": true, "also": true}, isType: isTypePath,
		importWords: []string{"import ", "package "}, readImport: importReader.readQualified, moduleIs: matchPackage("."), isForeign: isForeignJava,
		heads: headsAfterParameters, readResult: readResultAfter(":"), isClosureParameter: isInBraces(lambdaBehind),
	},
	symbols.Scala: {
		family: symbols.Java, impliesThis: true, mixins: true, hasOverloads: true, nestsTypes: true, blockScope: true, listsHeads: true, resultTypes: true,
		unionTypes: true, callsBare: true, callsTypes: true, quotesNames: true, trailingBlocks: true, namedArguments: true,
		superWord: "super", isType: isTypePath,
		importWords: []string{"import ", "package "}, readImport: importReader.readQualified, moduleIs: matchPackage("."), isForeign: isForeignJava,
		heads: parseExtends, readName: wordReader.readScala, readResult: readResultAfter(":"), isClosureParameter: isBeforeArrow,
	},
	symbols.Rust: {
		scope: fromImports, blockScope: true, staticPaths: true, resultTypes: true, bareConditions: true,
		fieldMarks: []string{"."}, keepsType: map[string]bool{"await": true, "unwrap": true, "expect": true, "clone": true},
		importWords: []string{"use ", "pub use ", "pub(crate) use ", "extern crate ", "pub(super) use "}, readImport: importReader.readRust,
		moduleIs: matchRust, isForeign: isForeignRust, placeImported: placeImportedRust, heads: openHeads,
		readResult: readResultAfter("->"), readMade: madeInRust, isClosureParameter: isBeforeArrow,
	},
	symbols.C: cProfile(false), symbols.CPP: cProfile(true),
	symbols.CSharp: {
		impliesThis: true, hasOverloads: true, nestsTypes: true, blockScope: true, listsHeads: true, resultTypes: true, typesFirst: true,
		passesMethods: true, namedArguments: true,
		superWord: "base", isType: isTypePath, importWords: []string{"using "}, readImport: importReader.readNamespace,
		heads: addUnnamed(headsAfterColon), readDeclaration: declaredBefore, isClosureParameter: isInHead,
	},
	symbols.Swift: {
		impliesThis: true, hasOverloads: true, blockScope: true, listsHeads: true, resultTypes: true,
		callsTypes: true, passesMethods: true, quotesNames: true, trailingBlocks: true, blockInitializer: true, namedArguments: true,
		superWord: "super", isType: isTypePath, importWords: []string{"import ", "@testable import "}, readImport: importReader.readNamespace,
		heads: addUnnamed(headsAfterColon), readResult: readResultAfter("->"), isClosureParameter: isInBraces(inBehind),
	},
	symbols.Ruby: {
		impliesThis: true, mixins: true, listsHeads: true, setsAnyType: true, callsBare: true, markedNames: true, trailingBlocks: true, severalTargets: true,
		superWord: "super", isType: endsInType, heads: addUnnamed(headsAfterAngle),
		readName: wordReader.readRuby, readDeclaration: declaredInRuby, readMade: madeInRuby,
	},
	symbols.PHP: {
		hasNamespaces: true, staticPaths: true, listsHeads: true, resultTypes: true, setsAnyType: true, unionTypes: true, arrowMembers: true, namedArguments: true,
		superWord: "parent", separators: `\`, fieldMarks: []string{"->"}, importWords: []string{"use ", "namespace "}, readImport: importReader.readPHP,
		moduleIs: matchPackage(`\`), heads: addUnnamed(parseExtends), readDeclaration: declaredInPHP, readResult: readResultAfter(":"),
	},
	symbols.Dart: {
		impliesThis: true, mixins: true, blockScope: true, listsHeads: true, resultTypes: true, typesFirst: true, callsTypes: true, passesMethods: true, namedArguments: true,
		superWord: "super", isType: isTypePath, importWords: []string{"import ", "export ", "part ", "library "}, readImport: importReader.readDart,
		moduleIs: matchDart, placeImported: placeInModule, heads: parseExtends, readDeclaration: declaredInDart, isClosureParameter: isInHead,
	},
	symbols.Elixir: {
		impliesThis: true, modulesLikeTypes: true, looseModules: true, callsBare: true, passesMethods: true, markedNames: true,
		isType: isTypePath, importWords: []string{"alias ", "import ", "require ", "use "}, readImport: importReader.readElixir,
		readName: wordReader.readElixir,
	},
	symbols.Perl: {
		impliesThis: true, modulesLikeTypes: true, looseModules: true, callsBare: true, passesMethods: true, arrowMembers: true,
		fieldMarks: []string{"@", "%"}, isType: endsInType, importWords: []string{"use ", "package ", "require "}, readImport: importReader.readPerl,
		readName: wordReader.readPerl,
	},
	symbols.Lua: {
		looseModules: true, aliasVariables: true, setsAnyType: true, severalTargets: true,
		separators: ":", readName: wordReader.readLua,
	},
	symbols.Zig: {
		impliesThis: true, looseModules: true, aliasVariables: true, passesMethods: true,
	},
	symbols.Haskell: {
		looseModules: true, callsBare: true, importWords: []string{"import "}, readName: wordReader.readHaskell,
	},
	symbols.R:          {looseModules: true, namedArguments: true, readName: wordReader.readR},
	symbols.SQL:        {looseModules: true, readName: wordReader.readSQL},
	symbols.PowerShell: {readName: wordReader.readPowerShell},
	symbols.HCL:        {hasNamespaces: true, isType: isAnything},
	symbols.Shell:      {readCommand: readShell},
	symbols.Make:       {readCommand: readMake},
	symbols.Dockerfile: {readCommand: readMake},
}

// scriptProfile returns the profile of a script language, whose files may contain markup.
func scriptProfile(markup bool) *profile {
	return &profile{
		family: symbols.JavaScript, scope: fromScripts, importsTypes: true, localFunctions: true, blockScope: true, silentInterfaces: true,
		listsHeads: true, resultTypes: true, setsAnyType: true, unionTypes: true, decorators: true, elements: markup, superWord: "super",
		importWords: []string{"import ", "import{", "export {", "export{", "export * ", "export type {", "module.exports = {"},
		readImport:  importReader.readScript, moduleIs: matchScript, isForeign: isForeignScript, placeImported: placeImportedScript, heads: parseExtends,
		readResult: readResultAfter(":"), isClosureParameter: isInHead, hides: hidesInScript,
	}
}

// cProfile returns the profile of C or C++.
func cProfile(classes bool) *profile {
	return &profile{
		family: symbols.C, impliesThis: true, hasOverloads: true, hasNamespaces: true, blockScope: true, staticPaths: true,
		listsHeads: classes, typesFirst: true, arrowMembers: true, fieldMarks: []string{".", "->"},
		importWords: []string{"#include", "using ", "#undef", "#ifdef", "#ifndef"}, readDeclaration: declaredBefore,
	}
}

// javaClasses lists classes of Java that cannot be extended and whose names no project reuses.
var javaClasses = map[string]bool{
	"String": true, "Integer": true, "Long": true, "Double": true, "Float": true, "Boolean": true,
	"StringBuilder": true, "StringBuffer": true, "Math": true, "Class": true,
}

func endsInType(quals []string) bool { return isCapitalized(quals[len(quals)-1]) }
func isOneType(quals []string) bool  { return len(quals) == 1 && isCapitalized(quals[0]) }
func isTypePath(quals []string) bool { return endsInType(quals) && allNames(quals) }
func isAnything([]string) bool       { return true }
