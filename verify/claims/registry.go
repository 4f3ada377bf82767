package claims

// sections are the files of claims, in the order of the papers.
var sections = []func() []Claim{
	burns21Classic,
	burns22Committee,
	burns23Intersection,
	burns24Statistics,
	burns31Sets,
	burns32Rates,
	burns34Optimum,
	burns411Standard,
	burns412Classic,
	burns42Valleys,
	burns5Discussion,
	fan2Prior,
	fan3Entropy,
	fan4Bounds,
	fan5Counting,
	fan6Experiments,
	dozierFP1Introduction,
	dozierFP2Background,
	dozierFP3Messages,
	dozierFP4Chain,
	dozierFP4Stationary,
	dozierFP4Capacity,
	dozierFP5Results,
}
