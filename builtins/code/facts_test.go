package code

import "testing"

// TestFactsAreNotFilteredAway holds the texts that are looked for first against
// what the expressions behind them match.
func TestFactsAreNotFilteredAway(t *testing.T) {
	for _, s := range []string{
		`os.Getenv("A")`, `os.LookupEnv("A")`, `os.environ["A"]`, `os.environ.get("A")`, `os.getenv("A")`, `process.env.A`, `process.env["A"]`,
		`import.meta.env.A`, `System.getenv("A")`, `System.getProperty("a.b")`, `env::var("A")`, `env::var_os("A")`, `env!("A")`, `getenv("A")`,
		`ENV["A"]`, `ENV.fetch("A")`, `Environment.GetEnvironmentVariable("A")`, `flag.String("a"`, `flag.IntVar(&x, "a"`, `viper.GetString("a")`,
		`conf.get("a")`, `config.getInt("a")`, `settings.get("a")`, `options.get("a")`, `cfg.get("a")`,
	} {
		if !setting.MatchString(s) || !hasAny(s, settingHas) {
			t.Errorf("setting %s: matches %t, looked at %t", s, setting.MatchString(s), hasAny(s, settingHas))
		}
	}
}
