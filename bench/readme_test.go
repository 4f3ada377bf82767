package bench

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestREADME: the README's performance table is that of the last comparison.
func TestREADME(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	results, readme := read("RESULTS.md"), read("../README.md")
	table := regexp.MustCompile(`(?m)^\| k = 7 \|(.*\n\|)*.*`).FindString(readme)
	if strings.Count(table, "\n") < 10 {
		t.Fatalf("no performance table in the README, but %q", table)
	}
	if !strings.Contains(results, table) {
		t.Errorf("RESULTS.md has another table than the README, which has\n%s", table)
	}
	for _, line := range []string{"- CPU: ", "- Go: ", "Made by `make bench` on "} {
		if !strings.Contains(results, line) {
			t.Errorf("RESULTS.md does not say %q", line)
		}
	}
	cpu := regexp.MustCompile(`- CPU: (.*?)[,(;]`).FindStringSubmatch(results)
	date := regexp.MustCompile("Made by `make bench` on (.*?);").FindStringSubmatch(results)
	if cpu == nil || date == nil || !strings.Contains(readme, strings.TrimSpace(cpu[1])) || !strings.Contains(readme, date[1]) {
		t.Errorf("the README names another CPU or date than %q, %q", cpu, date)
	}
}
