package store_test

// Permissions and limits of files are others there; nothing is tried.
func denied(string) int  { return 0 }
func limited(string) int { return 0 }
func theirs(string) int  { return 0 }
