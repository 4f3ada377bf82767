// Command gomutant breaks the Go code of the module on purpose, one place at a time, and
// runs the tests that execute that place: a mutant that no test notices is a fault that no
// test would have noticed. It needs Linux and the go command. Package asmmutant does the
// same to the assembly.
//
//	make gomutate                                    every mutant of every room, 83,000
//	go run ./verify/internal/tools/gomutant -sample 100             so many of each room, at random
//	go run ./verify/internal/tools/gomutant -shard 2/4 ./exact/...  a part of those of one room
//	go run ./verify/internal/tools/gomutant -resume DIR -long       skips what DIR has, adds to it; the long
//	                                                 tests on what survives the short ones
//
// # Mutants
//
// A comparison becomes the negated one and the one that differs where both sides are
// equal; an operator becomes its opposite (+ and -, * and /, & and |, << and >>, && and ||,
// and so where they assign); one side of && and || stands alone; a sign or a ! is left out;
// a number is one more and one less; a condition is decided before it is asked; a range
// over a number ends one round early or late, and another has no round; an assignment, a
// call, a defer, a break, a continue or a return is left out; an error that is returned is
// nil, a truth the other one; and names with the same type take each other's place: Add
// and Sub, Mul and Quo, lo and hi, down and up, min and max, Floor and Ceil, and more in
// mutate.go. Types decide what is possible; what the compiler refuses all the same is
// counted apart. What errors and panics say, what is returned beside an error, constants that
// are declared, and variables of a package are left alone.
//
// # How they run
//
// Each function with mutants gets a copy for each, and begins with a choice among them by a
// variable of the environment; the packages are laid over with go's -overlay, and nothing
// in the tree is written. So one build of each test binary serves all mutants, of all
// packages. Coverage of each test by itself says which tests execute a place. Those of its
// own package run first, the cheap ones before the others, several in one process, the more
// the longer it takes; then those of other packages, as those of verify hold approx against
// exact. A mutant is killed by the first test that fails, crashes or takes three times the
// CPU time that it takes without; that test then runs without a mutant, and if it fails as
// well, because it looks at allocations, say, it is left out and the mutant runs on.
//
// A result counts as long as the text of the function, and of the file of the test that
// killed it, is what it was; that of a survivor, as long as the test files of the packages
// are that execute it. With -resume a run that was stopped goes on. A sample is of the
// lowest hashes under -seed, so that a larger one goes on from a smaller one. The files
// results.jsonl of several parts, put together, are reported by -report.
//
// # Score
//
// summary.txt is what a run says: for each package how many mutants there are, how many of
// them ran, and the share that is killed with its exact 95 % interval (Clopper-Pearson, the
// sample of a package being one at random). A mutant that no test executes counts as
// survived, one that equivalent.txt lists does not count. Below stand the survivors.
//
// The recorded run is of commit 16865a1. Packages, files and functions have been moved and
// renamed since; its survivors have the names of then. No result of a function counts whose
// text has changed, so that only a new run renews them.
//
// equivalent.txt lists mutants that give the same results, and why, as that of asmmutant
// does; its lines name file, function, what was there and what is there now.
//
// # What it showed
//
// The survivors of the first samples were read one by one. Tests that were missing and are
// there now: an interval whose upper end alone overflows (TestUndefined of
// exact/internal/interval: without the check for it the enclosure is wrong), the rest of a continued fraction
// (TestFraction), sums over balls near a full array (TestBallSum), and the name of a simulation;
// and, since summary.txt, which still names what they kill, rows beyond the range of float64
// (TestRowsScale), a power of an interval from 0 on (TestPowAliases), and 1-f where f is not
// computed (TestComplementOfLittle). What survives besides:
//
//   - in exact and approx: how much work is too much, which of two right ways is taken, and
//     slack in error bounds, which hold with less of it;
//   - in kernel/asm/asmtest: which cases the tests of the assembly go through, how a failing
//     one is made smaller, and what is said of it;
//   - in verify/claims: smaller ranges, and checks that are weaker, which a claim that holds
//     passes too. Many are of ranges that only the long tests go through.
//
// # What it does not show
//
// A fault that takes two changes at once; code that is missing; code of other systems and
// of the tag purego, whose files the summary counts.
//
// # Why not gremlins
//
// gremlins runs, for each mutant, the tests of its package or, in its integration mode, all
// tests. The first misses what verify finds in exact and approx, where many tests are of two
// packages against each other; the second takes the minutes of make test for each mutant:
// five for each of 83,000 are 290 days. Here one takes some 5 seconds on two busy CPUs.
package main
