// Package cputime reads the processor time that this process has used, which a
// busy machine does not change as it changes elapsed time.
package cputime
