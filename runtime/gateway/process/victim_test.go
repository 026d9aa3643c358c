package process_test

func victim([]string) int { return 0 }
