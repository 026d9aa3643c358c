// Package storetest is what a store is tested against: a real PostgreSQL of the system's packages, made in a temporary
// directory and listening on this machine alone, and a wire to it that can be held up or cut.
//
// Where no server is installed a test is skipped; with COMPACTOR_TEST_POSTGRES=1 it fails instead. Neighbours: the tests of
// runtime/world/store, and of whoever keeps something in one.
package storetest
