package confined

type rlim = int64
