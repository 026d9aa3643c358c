package bounded

type rlim = int64
