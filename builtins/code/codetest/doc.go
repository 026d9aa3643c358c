// Package codetest writes source trees and runs builtins on them, for the tests of builtins/code.
package codetest
