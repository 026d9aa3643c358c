// Package words splits text into words and reduces words to their stems.
//
// There is one splitter and one stemmer for everything that compares words: the rankers
// of code and of tools, and the check of a model's claims. Next finds the end of a
// subword by the bytes of a name or of source code, at the speed of a scan. Split reads
// prose and names in any script and splits its compounds with Next. Stem is Porter's
// algorithm for English.
package words
