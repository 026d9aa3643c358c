package lazyregexp

// MatchString works like [regexp.Regexp.MatchString].
func (r *Regexp) MatchString(s string) bool { return r.regexpFor(s).MatchString(s) }

// FindString works like [regexp.Regexp.FindString].
func (r *Regexp) FindString(s string) string { return r.regexpFor(s).FindString(s) }

// FindStringIndex works like [regexp.Regexp.FindStringIndex].
func (r *Regexp) FindStringIndex(s string) []int { return r.regexpFor(s).FindStringIndex(s) }

// FindStringSubmatch works like [regexp.Regexp.FindStringSubmatch].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.regexpFor(s).FindStringSubmatch(s) }

// FindStringSubmatchIndex works like [regexp.Regexp.FindStringSubmatchIndex].
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.regexpFor(s).FindStringSubmatchIndex(s)
}

// FindAllString works like [regexp.Regexp.FindAllString].
func (r *Regexp) FindAllString(s string, n int) []string { return r.regexpFor(s).FindAllString(s, n) }

// FindAllStringIndex works like [regexp.Regexp.FindAllStringIndex].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.regexpFor(s).FindAllStringIndex(s, n)
}

// FindAllStringSubmatch works like [regexp.Regexp.FindAllStringSubmatch].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.regexpFor(s).FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex works like [regexp.Regexp.FindAllStringSubmatchIndex].
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.regexpFor(s).FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString works like [regexp.Regexp.ReplaceAllString].
func (r *Regexp) ReplaceAllString(s, repl string) string {
	return r.regexpFor(s).ReplaceAllString(s, repl)
}

// ReplaceAllStringFunc works like [regexp.Regexp.ReplaceAllStringFunc].
func (r *Regexp) ReplaceAllStringFunc(s string, repl func(string) string) string {
	return r.regexpFor(s).ReplaceAllStringFunc(s, repl)
}

// Match works like [regexp.Regexp.Match].
func (r *Regexp) Match(b []byte) bool { return r.Regexp().Match(b) }
