// Package storetest provides what a store is tested against: a real PostgreSQL from the system's packages, created in
// a temporary directory and listening on localhost only, and a connection to it that can be paused or cut.
//
// If no server is installed, the test is skipped; with COMPACTOR_TEST_POSTGRES=1 it fails instead. Neighbours: the
// tests of runtime/world/store, and of packages that keep something in a store.
package storetest
