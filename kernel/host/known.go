package host

// The array "known" has the right digest for each operation, in the order of the constants of type operation. The
// digests were computed with the reference implementations in Go. TestKnownAnswers computes them again, and prints
// those that differ.
var known = [operations]uint64{
	0x00140fc28003d4e5, // Count
	0x434a2ef5fad22bca, // AndCount
	0x21e3c929c5e29f2c, // OrCount
	0xcadc3a70bfc4cc3e, // XorCount
	0x720b6e1b69bcff7e, // AndNotCount
	0x1c2ab2d0d7efb74f, // AndInto
	0xc43c96c76e2362f9, // OrInto
	0x35aabe6aef4473ba, // AndNotInto
	0x3703daa1b195f701, // Positions
	0x0ed35291cdb7fa62, // Contains
	0x77382dc402166652, // ContainsOne
	0xe1005ca7567337bb, // ContainsAt
	0x711f085e0cedc645, // ContainsPair
	0x3f84894551bfa582, // ContainsPairAt
	0x7446d7cb8c75bcbf, // Add
	0xdbe897092ef272fa, // AddOne
	0x7f4d455f2d4e4f27, // AddAt
	0x058852344995ac4f, // AddSlicesAt
	0x5ee2b83ac39e9cbe, // AddPairAt
	0x697fbcb374a11898, // Prefetch
	0x47f9d685bf150ce9, // HashWords
	0xd1402889817489e0, // BlockContains512
	0xcf54619b51ab31ad, // BlockContains512One
	0x3abf03e31f3d5527, // BlockContains8x64
	0xbc53e217fa76400e, // BlockContains8x64One
	0x38e526d345b87bf6, // BlockContains8x32
	0x5b5fdab0861f54da, // BlockContains8x32One
	0x5a478a9058f3c30c, // BlockAdd512
	0xcdb4ee0c45a7b4d9, // BlockAdd512One
	0x482d508c4efa7030, // BlockAdd8x64
	0xeebeac4d645a927d, // BlockAdd8x64One
	0x8c287d4a8afa476b, // BlockAdd8x32
	0x7dfeba21ca419ea9, // BlockAdd8x32One
	0xc05e8a67b7934024, // TransitionRows
	0x3d0cf972ae457c91, // TransitionSums
	0xb6ddd27a5f225aa2, // TransitionStep
}
