package main

import (
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// theorems are what Coq checks of filters of one hashing, with or without blocks: of verify/proof/theorems, by file and
// name. Answers name those that they rest on.
type theorems struct {
	rate      map[exact.Route]string // the formula of the route
	bits      string                 // the rate falls with the bits
	items     string                 // it rises with the items
	positions []string               // what excludes the k that a search for the best skips
}

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

// named returns theorems as registry and answers write them: the name, and the file in brackets.
func named(all ...string) []string {
	var names []string
	for _, of := range all {
		if file, name, ok := strings.Cut(of, "."); ok {
			names = append(names, name+" (verify/proof/theorems/"+file+".v)")
		}
	}
	return names
}

// rateTheorems returns the theorems on which the rate by a route rests, if there are any.
func rateTheorems(g bloomproof.Geometry, route exact.Route) []string {
	return named(theoremsOf[g.Block != 0][g.Hashing].rate[route])
}

// sizeTheorems are those that a size rests on whose bits, items or positions were looked for.
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
