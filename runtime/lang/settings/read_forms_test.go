package settings

import (
	"testing"
)

// TestFactsAreNotFilteredAway holds the texts that are looked for first against
// what the expressions behind them match.
func TestFactsAreNotFilteredAway(t *testing.T) {
	for _, s := range []string{
		`os.Getenv("AB")`, `os.LookupEnv("AB")`, `os.environ["AB"]`, `os.environ.get("AB")`, `os.getenv("AB")`, `process.env.AB`, `process.env["AB"]`,
		`import.meta.env.AB`, `System.getenv("AB")`, `System.getProperty("a.b")`, `env::var("AB")`, `env::var_os("AB")`, `env!("AB")`, `getenv("AB")`,
		`ENV["AB"]`, `ENV.fetch("AB")`, `Environment.GetEnvironmentVariable("AB")`, `flag.String("ab", "", "x")`, `flag.IntVar(&x, "ab", 1, "x")`, `viper.GetString("ab")`,
		`conf.get("ab")`, `config.getInt("ab")`, `settings.get("ab")`, `options.get("ab")`, `cfg.get("ab")`,
	} {
		if len(In(s)) != 1 {
			t.Errorf("setting %s: %v", s, In(s))
		}
	}
}
