package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
)

// sharesText is the file shares.txt. For each function, this file has the largest known quotient of the error and the
// stated bound. It also has the arguments at which this error occurs.
//
//go:embed shares.txt
var sharesText string

// A record is a row of shares.txt.
type record struct {
	share float64
	at    accuracy.Args
}

// The function "records" returns the records of the file shares.txt.
func records() (map[string]record, error) {
	all := map[string]record{}
	for line := range strings.Lines(sharesText) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		var name string
		var r record
		if _, err := fmt.Sscanf(line, "%s %f {%d, %d, %d, %d, %d}", &name, &r.share, &r.at.M, &r.at.N, &r.at.Sigma, &r.at.K, &r.at.Which); err != nil {
			return nil, fmt.Errorf("shares.txt: %q: %w", line, err)
		}
		all[name] = r
	}
	return all, nil
}

// The function "attack" prints shares.txt with the additional results of a search. The argument "budget" limits how
// often the search evaluates each function.
func attack(w io.Writer, budget int, seed uint64, only string) error {
	known, err := records()
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "# The largest error of each function as a share of its stated bound, and {m, n, sigma, k, which}: see accuracy.Args.")
	var broken []error
	for _, t := range accuracy.Targets() {
		r := known[t.Name]
		if strings.Contains(t.Name, only) {
			n := budget
			if t.Small {
				n = (budget + 9) / 10
			}
			best, at, err := accuracy.Climb(t, seed, n)
			if err != nil {
				broken = append(broken, err)
			}
			if best > r.share {
				r = record{best, at}
			}
		}
		fmt.Fprintf(w, "%-32s %.4f %v\n", t.Name, r.share, r.at)
	}
	return errors.Join(broken...)
}
