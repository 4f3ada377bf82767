package claims

// sections are the files of claims, in the order of the papers.
var sections = []func() []Claim{
	burns21Classic,
	burns22Committee,
	burns23Intersection,
	burns24Statistics,
	burns3Rates,
	burns34Optimum,
	burns4Efficiency,
	burns5Discussion,
	fan2Prior,
	fan3Entropy,
	fan4Bounds,
	fan5Counting,
	fan6Experiments,
}
