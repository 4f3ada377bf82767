package claims

// theorems are those that Coq checks (make theorems), by the claim that they state: for a claim that was refuted or
// misprinted what is right instead, for a conditional one its domain. A claim has one only when the theorem covers all
// of it, for all parameters.
var theorems = map[string]string{
	"burns.eq4":       "law_of_hits (verify/proof/theorems/standard.v)",
	"burns.eq5":       "stirling (verify/proof/theorems/standard.v)",
	"burns.eq8":       "all_hit (verify/proof/theorems/standard.v)",
	"burns.eq53":      "power_mean (verify/proof/theorems/standard.v)",
	"burns.eq54":      "stirling (verify/proof/theorems/standard.v)",
	"burns.eq55":      "recursion (verify/proof/theorems/standard.v)",
	"burns.eq55.step": "recursion (verify/proof/theorems/standard.v)",
	"burns.eq56":      "difference (verify/proof/theorems/standard.v)",
	"burns.eq57":      "bloom_below (verify/proof/theorems/standard.v)",
	"burns.eq59":      "classic_mean (verify/proof/theorems/classic.v)",
	"burns.eq60":      "classic_difference (verify/proof/theorems/classic.v)",
	"burns.eq63":      "classic_recursion (verify/proof/theorems/classic.v)",
	"fan.eq1":         "bit_stays_zero (verify/proof/theorems/standard.v)",
	"fan.eq3":         "stirling (verify/proof/theorems/standard.v)",
	"fan.eq4":         "onto_counts (verify/proof/theorems/standard.v)",
	"fan.eq5.lower":   "bloom_strictly_below (verify/proof/theorems/standard.v)",
	"fan.eq7":         "stirling (verify/proof/theorems/standard.v)",
	"fan.eq19":        "partitioned_exact (verify/proof/theorems/partitioned.v)",
}
