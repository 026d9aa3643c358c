// Package cputime reads the processor time that this process has used. Unlike elapsed
// time, it does not depend on how busy the machine is.
package cputime
