// Package store keeps what must outlive a process: approvals of upstream tools, their catalogs, how often they are
// used, and what happened in sessions. It is the only package that uses database drivers.
//
// Several processes use one store concurrently: a client such as LM Studio starts one compactor per connection, and
// several machines may share one PostgreSQL. Approvals are never discarded silently: a damaged store is an error
// (ErrDamaged), and only Renew starts a new one.
//
// Each kind of record has Go files of its own, whose queries work on every database: they use the SQL that SQLite and
// PostgreSQL share, with ? for arguments. Differences are in a dialect: sqlite.go, and postgres.go with its own
// migrations. To support another database, add a dialect and an entry in kinds; the tests of a store run on each.
//
// Files:
//
//	store.go, path.go, postgresurl.go   opening a store by its URL; the default place; URLs of database servers
//	access.go, gate.go                  transactions, retried after a conflict; not waiting for a server that is away
//	sqlite.go, schema.go                opening a file, checking it for damage, migrating it
//	create.go, sweep.go                 creating a file as a whole; removing what killed processes left unfinished
//	place*.go                           which files must not be opened
//	postgres.go, postgreserrors.go      connections to a server, its migrations; its errors
//	errors.go, full_*.go                failures in the user's terms, with remedies; full disks
//	renew.go, postgresrenew.go          moving a damaged store aside
//	migrate.go                          copying a store in files to a server
//	pins.go, catalogs.go                approvals of tools; tool lists of servers
//	uses.go                             call counts, gathered in memory and written a little later
//	usage*.go, marks.go                 the log of tool usage, and runs that were killed; people's marks on tools
//	timeline.go                         what happened in sessions
//	notes.go                            quotes that clients pinned
//	shared.go                           sessions and results that processes share
//	library.go                          collections of documents: opening, listing and removing them
//	libraryread.go, librarywrite.go     what searches read; what indexing writes and publishes
//	libraryfile.go, libraryserver.go    a collection in a file of its own; in tables on a server
//	libraryowner.go                     which process may index or watch a file; runs that were requested
//	libraryvectors.go, pgvector.go      vectors of passages; comparing them in the database
package store
