package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// TestTheoremsExist asserts that each theorem that an answer names is one that make theorems checks, and that every
// formula of exact.Routes that has a theorem is a route of the hashing.
func TestTheoremsExist(t *testing.T) {
	as := regexp.MustCompile(`^(\w+) \((verify/proof/theorems/\w+\.v)\)$`)
	for blocks, hashings := range theoremsOf {
		for h, of := range hashings {
			g := bloomproof.Geometry{M: 64, K: 2, Hashing: h}
			if blocks {
				g.Block = 8
			}
			all := sizeTheorems(g, true, true, true)
			routes, err := exact.Routes(g)
			if err != nil {
				t.Fatal(err)
			}
			taken := 0
			for _, route := range routes {
				all = append(all, rateTheorems(g, route)...)
				if of.rate[route] != "" {
					taken++
				}
			}
			if taken != len(of.rate) || of.rate[routes[0]] == "" {
				t.Errorf("%v in blocks %t: the routes are %v, those with theorems %v", h, blocks, routes, of.rate)
			}
			for _, name := range all {
				m := as.FindStringSubmatch(name)
				if m == nil {
					t.Fatalf("%q is not a theorem and its file", name)
				}
				text, err := os.ReadFile("../../" + m[2])
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(text), "\nTheorem "+m[1]+" ") {
					t.Errorf("%s has no theorem %s", m[2], m[1])
				}
			}
		}
	}
}
