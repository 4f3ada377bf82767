// Command gomutant breaks the Go code of the module on purpose. It changes one place at a time, and runs the tests that
// execute this place. If no test notices such a change (a mutant), the tests would not notice such a fault in the code
// either. It needs Linux and the go command. Package asmmutant does the same to the assembly.
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
// A comparison is negated. A comparison is also replaced by a similar one, such as < by <=. These two differ only if
// both sides are equal. An operator is replaced by its opposite (+ and -, * and /, & and |, << and >>, && and ||, and
// the same for assignment operators). One side of && or || is removed. The sign of a number or the operator ! is
// removed. A number is increased or decreased by one. A condition is replaced by true or false. A loop that ranges over
// a number gets one iteration less or more. The body of any other range loop is not executed. An assignment, a call, a
// defer, a break, a continue or a return is removed. A returned error becomes nil, and a returned truth value is
// negated. A name is replaced by a related name of the same type. For example, Add replaces Sub, lo replaces hi, and
// min replaces max. The file mutate.go lists all pairs of such names. Two adjacent arguments of the same type are
// exchanged. A term is halved. A term is a part of a floating-point sum or an argument of max or min. A floating-point
// number that is assigned or returned is a term too. An integer is halved if it is assigned to a variable with a name
// such as bound or slack (see errorName in mutate.go). Only changes with matching types are made. Mutants that the
// compiler still refuses are counted separately. The texts of errors and panics are not changed. If a function returns
// an error, the values that it returns with this error are not changed. Declared constants and package variables are
// not changed.
//
// # How they run
//
// For each mutant of a function, the command adds a changed copy of the function. The original function begins with a
// choice between the original code and these copies. An environment variable controls the choice. The flag -overlay of
// the go command replaces the files. So the source tree does not change. Each test binary is built only once for all
// mutants of all packages. For each test, the command records which code the test executes. So it knows which tests
// execute the changed code of a mutant. The tests of the mutant's own package run first, the cheapest ones before the
// others. A process runs one or more tests. Several tests share a process only if their total time is short. It must be
// at most 0.4 s, or at most the total time of all earlier tests. Then the tests of other packages run, such as the
// tests of verify that compare approx with exact. A mutant is killed by the first test that fails, crashes or takes
// three times its normal CPU time. That test is then repeated without a mutant. If the test also fails without a
// mutant, for example because it counts allocations, its failure does not count. Then the remaining tests run.
//
// A result is no longer valid if the text of the function changes. The result of a killed mutant also depends on the
// file with the test that killed it. The result of a survivor also depends on test files. They are the test files of
// the packages that execute it. With -resume the command continues a stopped run. A sample consists of the mutants with
// the lowest hashes for the given -seed, so a larger sample contains a smaller one. With -report the command prints the
// combined results of several parts, from their files results.jsonl.
//
// # Score
//
// summary.txt is the output of some runs, one after the other. For each run there is a table. For each package, the
// table has the number of mutants and the number of mutants that ran. The table also has the fraction of killed
// mutants, with an exact 95 % confidence interval (Clopper-Pearson). This interval is valid because the sample of a
// package is random. If no test executes a mutant, it counts as a survivor. Mutants in the list equivalent.txt are not
// counted. A list of the survivors follows the table.
//
// The file has several runs. The last run tested random samples of the mutants of all top folders at commit 16865a1. In
// this run, no mutant exchanged two arguments, and no mutant halved a term. Since then packages, files and functions
// were moved and renamed, so the survivors of this run are listed under their old names. The results of a function are
// no longer valid if its text has changed. So only a new run can update them.
//
// The list equivalent.txt names the mutants that have the same results as the original. It gives a reason for each. It
// has the same form as the list of asmmutant. Each line has the name of a file, the name of a function, the old text
// and the new text.
//
// # Results
//
// The survivors of the first samples were read one by one. They showed that some tests were missing. These tests exist
// now. TestUndefined of exact/internal/interval checks an interval. Its upper end overflows, but its lower end does not
// overflow. Without the code for this case the enclosure is wrong. TestFraction checks the remainder of a continued
// fraction, and TestBallSum checks sums near a full array. Another test checks the text with the name of a simulation.
// Three more tests were added after the last run that the file records. So the file still lists the mutants that these
// tests kill. TestRowsScale checks rows beyond the range of float64. TestPowAliases checks a power of an interval that
// begins at 0. TestComplementOfLittle checks the complement 1-f in a case where the rate f itself is not computed. The
// other survivors are of these kinds:
//
//   - in exact and approx: limits of work, choices between two right algorithms, and slack in error bounds (the bounds
//     also hold with less slack);
//   - in kernel/asm/asmtest: which cases the tests of the assembly include, how a failing case is made smaller, and its
//     message;
//   - in verify/claims: smaller ranges and weaker checks, which a true claim passes too. Many of these mutants are in
//     ranges that only the long tests include.
//
// Four groups of mutants were run. The first has all mutants of exact/internal/interval. The second has two thirds of
// the mutants of approx/internal/fm. The third has all mutants of nine functions of pair_below.go in
// exact/internal/occupancy. The fourth has 250 random mutants of exact/hashing_pairs.go and hashing_pairs_triples.go.
// For each group, a first run tested its mutants. Then tests were added, and further runs tested the survivors. Some of
// these runs had only the new tests. A mutant is killed if a test failed in one of the runs. In the first runs, the
// tests killed 77 % of the mutants of exact/internal/interval. They killed 87 % of the mutants of approx/internal/fm,
// and 64 % of those of hashing_pairs. The first run of pair_below.go was stopped after 119 random mutants, and 34 % of
// them were killed. In these percentages, mutants that give the same results count as survivors. The survivors did not
// reveal any wrong enclosure or wrong bound in the original code. But many survivors showed that a test was
// missing: no test compared an error bound with its formula. If such a bound is too small, guard bits can hide the
// mistake. Some functions sum a series in fixed point. Each of these functions now returns two numbers that are not yet
// rounded: the sum and its error bound. Tests compare the sum with the true value, and the bound with its formula.
// These tests are TestSeriesMissed, TestSinCosMissed, TestAtanTerms and TestAngleFine. The tests in edges_test.go of
// exact/internal/interval check operations in which one operand has no enclosure. They also check intervals that
// overflow or underflow at only one end, and comparisons of intervals that touch. The tests in outside_test.go of
// approx/internal/fm check numbers at the ends of the domains of the elementary functions. Some functions leave out
// terms of a sum. The sum is over the arrivals of a cycle, or over a distribution. TestCourseRest, TestStatesLost and
// TestLostOfFrozen check the bounds of the omitted terms.
//
// TestHitsOf, TestBernstein, TestOutsideVariance and the other tests of pair_below_test.go compare each part of a bound
// with its formula. TestPairsCounted and TestPairsDerivedTwice do the same for the pairs of positions.
//
// The next three runs have random mutants of the code in exact that bounds errors, except those of the package
// interval. They have 150 mutants with seed 7, at commit 5fd1634b, and 120 each with the seeds 8 and 9, at the commits
// 79926a0e and 8ccce821. Tests were added before the second run, and before the third one. Then the survivors were
// read. Some give the same results, or only decide how long a computation takes. They are in the list equivalent.txt
// now. Without these, the tests killed 76.8 %, 85.2 % and 84.1 %. With the list as it was before a run, the scores
// were 74.1 %, 78.6 % and 77.6 %. After the third run, only TestSureK was changed: it notices one of the survivors.
// The fourth run of this kind has 110 mutants with seed 21, at commit a303a182. Its tests killed 87.4 %, and 83.0 % with
// the list as it was before. Later tests kill eleven of the twelve survivors: TestRecordedBounds, TestRecordedWidths and
// TestFaults with more computations, TestLongDenominators, TestFewBits and TestRetainedFault, and two long tests,
// TestSlopeOfEquals and TestLeastBitsOfManySizes. In the other one, two numbers would have to be equal. In this run,
// survivors did not run the long tests.
// The fifth run has 130 mutants with seed 31, at commit edd7505f. Its tests killed 88.8 %, and 85.1 % with the list as it
// was before. In this run too, survivors did not run the long tests. Later tests kill its thirteen survivors: TestWidened,
// TestLoadsEnd, TestLikelyLoads, TestSearchBegins, TestStirlingRest, TestFaulty, TestRecordedBounds and TestRecordedWidths
// with more computations, and the long form of TestFaults.
// The sixth run has 130 mutants with seed 32, at commit a5ebc3c8, and only the tests of exact. They killed 83.7 %, and
// 82.4 % with the list as it was before. Later tests kill four of its twenty survivors: those in nextStart, layerFor,
// Compare, and Check of a Faulty (TestSlackCarried, TestLayerOfFewKeys, TestCompare and TestFaultyReports).
// The next run has 80 mutants of package kernel and its subpackages, without asmtest, at commit 5fd1634b. Its tests
// killed 94.7 %. Later tests kill its four survivors. The run after it has 150 mutants of the same code with seed 21, at
// commit a303a182, and its tests killed 90.4 %. With the list equivalent.txt as it was before this run, the score was
// 84.7 %. Later tests kill eleven of its thirteen survivors. One of the other two exchanges the texts of two errors that
// must both occur. The other one is in zero.go, the code of a test, which it weakens.
// A third run of this kind has 160 mutants with seed 31, at commit edd7505f, and only the tests of package kernel and its
// subpackages. They killed 90.7 %, and 85.2 % with the list as it was before. Later tests kill eleven of its thirteen
// survivors. These tests compare the texts of refusals with recorded texts, run pipelines as on hosts with other caches,
// and compare filters that differ in one parameter. The other two survivors let a CPU without AVX-512 run a kernel that
// needs it. Tests on a CPU with AVX-512 do not notice them. In this run, survivors did not run the long tests.
// A fourth run has the first 87 mutants of a sample with seed 32, at the same commit and with the same tests. They killed
// 89.3 %, and 83.8 % with the list as it was before. Survivors did not run the long tests. TestOtherForms and TestUnmade
// are later than this run, and TestSnapshotRefusesForgeries, TestSnapshotReaderAndWriterErrors and TestOtherLengths now
// check more.
//
// Almost half of the mutants of exact are in a statement with the variable err. TestFaults lets parts of a computation
// fail, one after the other, so that each place that passes on an error passes on one. The computation must then fail
// too. TestStarved, TestRecordedBounds and TestRecordedWidths compare the widths of enclosures, some bounds and
// working precisions with recorded ones. With large margins for rounding errors, each term of a bound shows. Most of
// the survivors of the third run that are not equivalent are of three kinds. Some change a bound in fixed point by
// less than the last bit that is kept. Some ignore an error that only arguments outside of a domain cause. Some change
// a guess from which a search starts. The summary lists them all.
//
// Two more runs have random mutants of the code in approx that bounds errors, except those of the package fm. Each of
// them is a sample of 150 mutants with a seed of its own. The first of them tested commit 5fd1634b. Its tests killed
// 81.2 % of the mutants. Its survivors led to more tests, and so did other samples with the seeds 11, 13 and 31 to 33.
// These tests exaggerate what causes errors. They draw the errors of curves, cycles and fillings, or cut off more of a
// distribution, and compute the results again. TestFaults of approx, approx/fnr and approx/recycling lets one part of a
// computation after the other fail, as in exact. The second one tested commit 2741bf69, with these tests. It killed
// 92.4 % of the mutants. With the list equivalent.txt as it was before a run, the scores were 79.6 % and 89.9 %. Later
// tests kill six of its eleven survivors: those in trapezoid, filling, overflows, renewalBy and bound. The other five
// were read. One makes a search longer that finds nothing. In two of them, two numbers would have to be equal, or a
// number would have to be below 1e-300. One takes another step to a radius, and no known filter takes such a step. One
// changes the limit of what an integral leaves out. TestListedRest notices this fault now.
//
// One more run has 120 mutants of the same code in approx with seed 21, at commit a303a182. Its tests killed 93.6 %. With
// the list equivalent.txt as it was before this run, the score was 89.5 %. TestTightest kills two of its seven survivors.
// It gives the search for bi-uniform popularities invented forecasts. Of the other five, two are returns that no test
// executes. In one, two numbers would have to be equal. One changes the k from which MostItems begins. One ignores an
// error of a part of the forecast leaveOneOut, and no test shows whether another part returns the same error.
// By now TestFaults and TestOverflows notice two of these five, and two are in code that was changed.
//
// The next run has 125 mutants with seed 31, at commit edd7505f, and only the tests of approx and its subpackages. They
// killed 87.2 %, and 83.6 % with the list as it was before. In this run too, survivors did not run the long tests. Later
// tests kill twelve of its fifteen survivors: TestRefusals, TestStepOfBits, TestOverflows, and the tests with exaggerated
// errors. Of the other three, one is in code that was changed. In one, two numbers would have to be equal. One is in a
// correction that no known filter needs.
//
// The last run of this kind has the first 88 mutants of a sample with seed 32, at the same commit and with the same tests.
// They killed 90.0 %. Survivors did not run the long tests. TestRefusals is later than this run, and TestTooCostlyRenewal
// now checks more.
//
// # Limits
//
// Three kinds of faults are not covered. A fault of the first kind needs two changes at once. A fault of the second
// kind is a missing piece of code. The third kind is in files for other systems or for the build tag purego. The
// summary has the number of these files.
//
// # Why not gremlins
//
// For each mutant, the mutation tool gremlins runs the tests of the mutant's package. So it does not run the tests of
// verify. In its integration mode, gremlins runs all tests for each mutant. Many of these tests compare exact with
// approx. In the integration mode of gremlins, each mutant takes as long as make test: three minutes. So 83,000 mutants
// would take 170 days. With gomutant, one mutant takes about 5 seconds on two busy CPUs.
package main
