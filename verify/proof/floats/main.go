package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	printTables := flag.Bool("tables", false, "print the tables of package fm and prove nothing")
	out := flag.String("out", "", "write the certificate to this file")
	root := flag.String("root", ".", "the folder of the module")
	flag.Parse()
	if *printTables {
		os.Stdout.Write(tables())
		return
	}
	text, err := certificate(*root)
	fmt.Print(text)
	if err == nil && *out != "" {
		err = os.WriteFile(*out, []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The function "certificate" returns the proven bounds of the functions of package fm. There is one line for each part
// of a function's domain. The comment of each function states a bound. If a proven bound is larger than the stated
// bound, the function "certificate" returns an error.
func certificate(root string) (string, error) {
	s, err := read(os.DirFS(filepath.Join(root, "approx/internal/fm")))
	if err != nil {
		return "", err
	}
	results, err := (&prover{s, 1}).prove(all...)
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintln(&b, r)
		if !(r.bound <= r.stated) && err == nil {
			err = fmt.Errorf("%s: proven within %g u, stated %g u", r.name, r.bound, r.stated)
		}
	}
	return b.String(), err
}
