package main

import (
	"embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed *.smt2
var files embed.FS

func main() {
	printTable := flag.Bool("table", false, "print the table of README.md and run nothing")
	flag.Parse()
	obligations, err := load()
	if err == nil && *printTable {
		fmt.Print(table(obligations))
		return
	}
	if err == nil {
		err = run(obligations, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The function "load" returns the obligations in the files of this folder, sorted by name.
func load() (all []obligation, err error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		o, err := parse(strings.TrimSuffix(e.Name(), ".smt2"), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// The function "run" proves the obligations whose names contain one of the given words. If there are no words, it
// proves all obligations.
func run(obligations []obligation, words []string) error {
	z3, err := exec.LookPath("z3")
	if err != nil {
		return fmt.Errorf("nothing is proved without z3 (Debian: apt-get install z3): %w", err)
	}
	ran, failed := 0, 0
	for _, o := range obligations {
		if !o.matches(words) {
			continue
		}
		ran++
		start := time.Now()
		if err := o.prove(z3); err != nil {
			failed++
			fmt.Printf("FAIL   %v\n", err)
			continue
		}
		n := [3]int{}
		for _, c := range o.checks {
			n[c.role]++
		}
		fmt.Printf("proved %-18s claims %d, premises %d, broken %d, %.1f s: %s\n",
			o.name, n[claim], n[premise], n[broken], time.Since(start).Seconds(), o.proves)
	}
	if ran == 0 || failed > 0 {
		return fmt.Errorf("%d of %d files failed", failed, ran)
	}
	return nil
}

func (o obligation) matches(words []string) bool {
	for _, w := range words {
		if strings.Contains(o.name, w) {
			return true
		}
	}
	return len(words) == 0
}

// The function "table" returns the table of the obligations that README.md contains.
func table(obligations []obligation) string {
	var b strings.Builder
	b.WriteString("| file | proved | assumed | of |\n| --- | --- | --- | --- |\n")
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	for _, o := range obligations {
		var of []string
		for _, s := range o.of {
			of = append(of, "`"+s.path+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.name, cell(o.proves), cell(o.assumes), strings.Join(of, ", "))
	}
	return b.String()
}
