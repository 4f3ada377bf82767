package main

import (
	"math/big"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The type "theorems" lists theorems by file and name. They are about filters with one kind of hashing, with or without
// blocks. The theorems are in verify/proof/theorems, and Coq checks their proofs. An answer names the theorems that it
// uses.
type theorems struct {
	rate      map[exact.Route]string // by route, the theorem that the formula of the route equals the rate
	bits      string                 // the theorem that the rate decreases as the bits increase
	items     string                 // the theorem that the rate increases with the items
	positions []string               // the theorems that no k that a search for the best k skips can be the best
}

// Some hashings compute all positions from one random hash. The variable "derived" has the theorems for them. There is
// only one such theorem: it uses inclusion and exclusion over the values of the hash.
var derived = theorems{rate: map[exact.Route]string{"difference": "double.derived_exact"}}

var theoremsOf = map[bool]map[bloomproof.Hashing]theorems{
	false: {
		bloomproof.Standard: {
			rate:      map[exact.Route]string{"difference": "standard.difference", "stirling": "standard.stirling", "recursive": "standard.recursion"},
			bits:      "size.rate_falls_in_bits",
			items:     "standard.rate_rises",
			positions: []string{"search.standard_half_full", "search.standard_range"},
		},
		bloomproof.Classic: {
			rate:      map[exact.Route]string{"difference": "classic.classic_difference", "recursive": "classic.classic_recursion"},
			bits:      "size.classic_rate_falls_in_bits",
			items:     "size.classic_rate_rises",
			positions: []string{"search.classic_half_full", "search.classic_range", "means.classic_sharp", "means.classic_one_item", "means.choices_rise"},
		},
		bloomproof.Partitioned: {
			rate:      map[exact.Route]string{"closed": "partitioned.partitioned_exact"},
			bits:      "size.partitioned_rate_falls_in_bits",
			items:     "size.partitioned_rate_rises",
			positions: []string{"search.partitioned_half_full", "search.partitioned_range"},
		},
		bloomproof.Double:            derived,
		bloomproof.DoubleZero:        derived,
		bloomproof.DoubleOdd:         derived,
		bloomproof.DoublePartitioned: derived,
		bloomproof.EnhancedDouble:    derived,
		bloomproof.Triple:            derived,
	},
	true: {
		bloomproof.Standard: {
			rate:      map[exact.Route]string{"difference": "blocked.standard_blocked_exact"},
			bits:      "size_blocked.blocked_rate_falls_in_blocks",
			items:     "size_blocked.blocked_rate_rises",
			positions: []string{"search_blocked.blocked_union", "search_blocked.blocked_loads", "search_blocked.standard_one_block", "search.standard_range"},
		},
		bloomproof.Classic: {
			rate:      map[exact.Route]string{"difference": "search_blocked.classic_blocked_exact"},
			bits:      "size_blocked.blocked_rate_falls_in_blocks",
			items:     "size_blocked.blocked_rate_rises",
			positions: []string{"search_blocked.blocked_union", "search_blocked.blocked_loads", "search_blocked.classic_one_block", "search.classic_range"},
		},
		bloomproof.Partitioned: {
			rate:      map[exact.Route]string{"difference": "blocked.split_block_exact"},
			bits:      "size_blocked.blocked_rate_falls_in_blocks",
			items:     "size_blocked.blocked_rate_rises",
			positions: []string{"search_blocked.blocked_union", "search_blocked.blocked_loads", "search_blocked.split_one_block", "search.partitioned_range"},
		},
	},
}

// The function "named" formats theorems in the form that the registry and the answers use. In this form, the name of
// the theorem's file follows in brackets.
func named(all ...string) []string {
	var names []string
	for _, of := range all {
		if file, name, ok := strings.Cut(of, "."); ok {
			names = append(names, name+" (verify/proof/theorems/"+file+".v)")
		}
	}
	return names
}

// rateTheorems returns the theorems which prove that the formula of a route equals the rate. The list is empty if there
// is no such theorem.
func rateTheorems(g bloomproof.Geometry, route exact.Route) []string {
	names := named(theoremsOf[g.Block != 0][g.Hashing].rate[route])
	if g.Hashing == bloomproof.Double && route == "difference" && uint64(g.K) <= g.M && new(big.Int).SetUint64(g.M).ProbablyPrime(0) {
		names = append(names, named("double.double_exact")...)
	}
	return names
}

// sizeTheorems returns the theorems on which a computed size depends. The arguments "bits", "items" and "positions"
// tell whether a search has found m, n and k.
func sizeTheorems(g bloomproof.Geometry, bits, items, positions bool) []string {
	of := theoremsOf[g.Block != 0][g.Hashing]
	var all []string
	if bits {
		all = append(all, of.bits)
	}
	if items {
		all = append(all, of.items)
	}
	if positions {
		all = append(all, of.positions...)
	}
	return named(all...)
}
