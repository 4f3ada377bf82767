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
// A comparison is negated, or replaced by the one that differs where both sides are equal. An operator is replaced by
// its opposite (+ and -, * and /, & and |, << and >>, && and ||, and likewise where they assign). One side of && and ||
// stands alone. A sign or a ! is left out. A number becomes one more and one less. A condition is decided before it is
// evaluated. A range over a number ends one round early or late, and any other range has no round. An assignment, a
// call, a defer, a break, a continue or a return is left out. A returned error becomes nil, and a returned truth value
// the other one. Names with the same type replace each other: Add and Sub, Mul and Quo, lo and hi, down and up, min and
// max, Floor and Ceil, and more in mutate.go. Types decide what is possible; mutants that the compiler still refuses
// are counted separately. The texts of errors and panics, values returned together with an error, declared constants,
// and variables of a package are left alone.
//
// # How they run
//
// Each function with mutants gets a copy for each of them. It begins with a choice among the copies by an environment
// variable. The packages are overlaid with go's -overlay, and nothing in the tree is written. So one build of each test
// binary serves all mutants of all packages. The coverage of each single test says which tests execute a place. The
// tests of the mutant's own package run first, the cheap ones before the others. Several run in one process, and more
// the longer it takes. Then the tests of other packages run, such as those of verify that compare approx with exact. A
// mutant is killed by the first test that fails, crashes or takes three times its normal CPU time. That test then runs
// without a mutant. If it fails then too (because it looks at allocations, say), it is left out and the mutant runs on.
//
// The result of a killed mutant counts as long as the text of the function, and of the file of the test that killed it,
// is unchanged. The result of a survivor counts as long as the test files of the packages that execute it are
// unchanged. With -resume a stopped run continues. A sample consists of the lowest hashes under -seed, so that a larger
// sample extends a smaller one. -report reports the files results.jsonl of several parts, put together.
//
// # Score
//
// summary.txt is the output of a run. For each package it gives the number of mutants, how many of them ran, and the
// share that is killed with its exact 95 % interval (Clopper-Pearson, because the sample of a package is random). A
// mutant that no test executes counts as survived; one that equivalent.txt lists does not count. The survivors follow.
//
// The recorded run is of commit 16865a1. Packages, files and functions have been moved and renamed since; its survivors
// have their old names. No result counts for a function whose text has changed, so only a new run renews them.
//
// equivalent.txt lists mutants that give the same results, and why, like that of asmmutant. Its lines name file,
// function, the old text and the new text.
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
// gremlins runs, for each mutant, the tests of its package or, in its integration mode, all tests. The first way misses
// what verify detects in exact and approx, where many tests compare two packages. The second takes the minutes of make
// test for each mutant: five minutes for each of 83,000 are 290 days. Here one mutant takes some 5 seconds on two busy
// CPUs.
package main
