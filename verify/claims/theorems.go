package claims

// theorems are the theorems that Coq checks (make theorems), by the claim that they state. For a refuted or
// misprinted claim the theorem states the correct form, and for a conditional claim it states the claim on its domain.
// A claim has a theorem only when the theorem covers the whole claim, for all parameters.
var theorems = map[string]string{
	"burns.3.1.positives": "positives (verify/proof/theorems/claims.v)",
	"burns.eq16":          "mean_filled (verify/proof/theorems/search.v)",
	"burns.eq4":           "law_of_hits (verify/proof/theorems/standard.v)",
	"burns.eq42":          "mean_filled (verify/proof/theorems/search.v)",
	"burns.eq44":          "mean_of_hits (verify/proof/theorems/claims.v)",
	"burns.eq5":           "stirling (verify/proof/theorems/standard.v)",
	"burns.eq52":          "queries_within (verify/proof/theorems/claims.v)",
	"burns.eq53":          "power_mean (verify/proof/theorems/standard.v)",
	"burns.eq54":          "stirling (verify/proof/theorems/standard.v)",
	"burns.eq55":          "recursion (verify/proof/theorems/standard.v)",
	"burns.eq55.step":     "recursion (verify/proof/theorems/standard.v)",
	"burns.eq56":          "difference (verify/proof/theorems/standard.v)",
	"burns.eq57":          "bloom_below (verify/proof/theorems/standard.v)",
	"burns.eq59":          "classic_mean (verify/proof/theorems/classic.v)",
	"burns.eq60":          "classic_difference (verify/proof/theorems/classic.v)",
	"burns.eq61":          "classic_difference (verify/proof/theorems/classic.v)",
	"burns.eq63":          "classic_recursion (verify/proof/theorems/classic.v)",
	"burns.eq8":           "all_hit (verify/proof/theorems/standard.v)",
	"dozier-fp.eq17":      "queries_within (verify/proof/theorems/claims.v)",
	"fan.eq1":             "bit_stays_zero (verify/proof/theorems/standard.v)",
	"fan.eq16":            "partition_bit_stays_zero (verify/proof/theorems/claims.v)",
	"fan.eq17":            "partition_below (verify/proof/theorems/claims.v)",
	"fan.eq19":            "partitioned_exact (verify/proof/theorems/partitioned.v)",
	"fan.eq3":             "stirling (verify/proof/theorems/standard.v)",
	"fan.eq4":             "onto_counts (verify/proof/theorems/standard.v)",
	"fan.eq5.lower":       "bloom_strictly_below (verify/proof/theorems/standard.v)",
	"fan.eq7":             "stirling (verify/proof/theorems/standard.v)",
	"fan.eq8":             "sum_over_set_bits (verify/proof/theorems/claims.v)",
}
