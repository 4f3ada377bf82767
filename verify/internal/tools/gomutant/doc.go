// Command gomutant breaks the Go code of the module on purpose, one place at a time, and runs the tests that execute
// that place. If no test notices such a change (a mutant), the tests would not notice such a fault in the code either.
// It needs Linux and the go command. Package asmmutant does the same to the assembly.
//
//	make gomutate                                                   every mutant of every top folder, about 100,000
//	go run ./verify/internal/tools/gomutant -sample 100             100 random mutants of each top folder
//	go run ./verify/internal/tools/gomutant -shard 2/4 ./exact/...  a part of the mutants of one top folder
//	go run ./verify/internal/tools/gomutant -errors ./exact/...     the mutants of code that bounds errors
//	go run ./verify/internal/tools/gomutant -tests ./exact/internal/interval ./exact/internal/interval
//	                                                                only the tests of one package
//	go run ./verify/internal/tools/gomutant -resume DIR -long       the mutants without a result in DIR; adds the results;
//	                                                                runs the long tests on survivors of the short tests
//
// # Mutants
//
// A comparison is negated, or replaced by one that gives a different result only if both sides are equal (such as <=
// for <). An operator is replaced by its opposite (+ and -, * and /, & and |, << and >>, && and ||, and the same for
// assignment operators). One side of && or || is removed. A sign or a ! is removed. A number is increased or decreased
// by one. A condition is replaced by true or false. A loop that ranges over a number gets one iteration less or more,
// and any other range loop gets no iteration. An assignment, a call, a defer, a break, a continue or a return is
// removed. A returned error becomes nil, and a returned truth value is negated. Related names of the same type replace
// each other: Add and Sub, Mul and Quo, lo and hi, down and up, min and max, Floor and Ceil, and the others that
// mutate.go lists. Two adjacent arguments of the same type are exchanged. A term is halved: a part of a floating-point
// sum, an argument of max or min, a floating-point number that is assigned or returned, or an integer that is assigned
// to a variable with a name such as bound or slack (see errorName in mutate.go). Only changes with matching types are
// made; mutants that the compiler still refuses are counted separately. The texts of errors and panics, values returned
// together with an error, declared constants, and package variables are not changed.
//
// # How they run
//
// Each function with mutants gets a changed copy for each mutant. The function begins with a choice between the copies,
// by an environment variable. The files are replaced by Go's -overlay, so nothing in the source tree is written. So
// each test binary is built only once for all mutants of all packages. For each test, the command records which code it
// executes, and so knows which tests execute a place. The tests of the mutant's own package run first, the cheapest
// ones before the others. A process runs several tests, and each later process runs more of them than the one before.
// Then the tests of other packages run, such as the tests of verify that compare approx with exact. A mutant is killed
// by the first test that fails, crashes or takes three times its normal CPU time. That test is then repeated without a
// mutant. If it fails then too (for example because it counts allocations), it is not used, and the remaining tests
// run.
//
// The result of a killed mutant remains valid as long as the text of the function, and of the file with the test that
// killed it, is unchanged. The result of a survivor remains valid as long as the test files of the packages that
// execute it are unchanged. With -resume a stopped run continues. A sample consists of the mutants with the lowest
// hashes for the given -seed, so a larger sample contains a smaller one. -report prints the combined results of the
// files results.jsonl of several parts.
//
// # Score
//
// summary.txt is the output of some runs, one after the other. For each run there is a table. It has, for each package,
// the number of mutants, the number that ran, and the share that was killed, with its exact 95 % interval
// (Clopper-Pearson, because the sample of a package is random). A mutant that no test executes counts as survived; a
// mutant that equivalent.txt lists does not count. A list of the survivors follows the table.
//
// The file has several runs. The last run tested random samples of the mutants of all top folders at commit 16865a1.
// This run exchanged no arguments and halved no terms. Since then packages, files and functions were moved and renamed,
// so the survivors of this run are listed under their old names. Results are not valid for functions whose text has
// changed, so they can only be updated by a new run.
//
// equivalent.txt lists the mutants that have the same results as the original, and why. It has the same form as the
// list of asmmutant. Its lines name file, function, the old text and the new text.
//
// # Results
//
// The survivors of the first samples were read one by one, which showed that some tests were missing. These tests exist
// now. They check an interval whose upper end overflows while its lower end does not (TestUndefined of
// exact/internal/interval: without the check for this case the enclosure is wrong), the remainder of a continued
// fraction (TestFraction), sums near a full array (TestBallSum), and the name of a simulation. Three more tests were
// added after the last run that the file records. So the file still lists the mutants that these tests kill. The three
// tests check rows beyond the range of float64 (TestRowsScale), a power of an interval that begins at 0
// (TestPowAliases), and the complement 1-f in a case where the rate f itself is not computed (TestComplementOfLittle).
// The other survivors are of these kinds:
//
//   - in exact and approx: limits of work, choices between two right algorithms, and slack in error bounds (the bounds
//     also hold with less slack);
//   - in kernel/asm/asmtest: which cases the tests of the assembly include, how a failing case is made smaller, and its
//     message;
//   - in verify/claims: smaller ranges and weaker checks, which a true claim passes too. Many of these mutants are in
//     ranges that only the long tests include.
//
// Three groups of mutants were run: all mutants of exact/internal/interval, two thirds of the mutants of
// approx/internal/fm, and a small sample of the mutants of the code in approx that computes error bounds. For each
// group, a first run tested all its mutants. Then tests were added, and further runs tested the survivors, some of them
// with the new tests only. A mutant is killed if a test failed in one of the runs. The first run killed 77 % of the
// mutants of exact/internal/interval, and 87 % of the mutants of approx/internal/fm. In these percentages, mutants that
// give the same results count as survivors. No survivor showed a wrong enclosure or bound. But many survivors showed an
// error bound that no test compared with its formula. If such a bound is too small, guard bits can hide the mistake.
// Now the functions that sum a series in fixed point return the sum and its error bound before the two are rounded, and
// tests compare both with the true value and with the formula (TestSeriesMissed, TestSinCosMissed, TestAtanTerms,
// TestAngleFine). The tests in edges_test.go of exact/internal/interval check three things: operations in which one
// operand, the first or a later one, has no enclosure; intervals that overflow or underflow at only one end; and
// comparisons of intervals that touch. The tests in outside_test.go of approx/internal/fm check numbers at the ends of
// the domains of the elementary functions. Sums over the arrivals of a cycle or over a distribution leave out terms;
// TestCourseRest, TestStatesLost and TestLostOfFrozen check the omitted terms.
//
// Some tests compute the bounds of approx a second time. Most of these tests are not among the short tests that ran on
// approx: TestLargeBoundsDerivedTwice of verify checks every rule only in its long form. So the share of the mutants of
// this code that all tests together kill is at least the share that is recorded here.
//
// # Limits
//
// Three kinds of faults are not covered: faults that need two changes at once, missing code, and faults in files for
// other systems or for the build tag purego. The summary has the number of these files.
//
// # Why not gremlins
//
// For each mutant, the mutation tool gremlins runs the tests of the mutant's package. In its integration mode, the tool
// runs all tests instead. In its usual mode gremlins does not run the tests of verify. Many of these tests compare
// exact with approx. In its integration mode, each mutant takes as long as make test, which is three minutes. For
// 83,000 mutants this is 170 days. With gomutant, one mutant takes about 5 seconds on two busy CPUs.
package main
