package process

// ReplaceYoungGuards has a guard replaced however soon it ended.
func ReplaceYoungGuards(l *Launcher) { l.keeper.young = 0 }
