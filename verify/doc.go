// Package verify tests that the parts of the module agree, and that they do what their comments say. It exports
// functions that tests of other modules can use:
//
//   - Conformance and FuzzFilter: the laws of package conform as a test and as a fuzz target, for filters of any
//     library
//   - GenGeometry, GenRecycling, GenPopularity, GenWorkload and GenEnum: gopter generators for every type of the
//     vocabulary; GenSize: a generator for counts
//
// This package has the tests that use several packages together. The subpackages are tools:
//
//   - conform: examines whether a Bloom filter of any library keeps the laws (Examine)
//   - stat: confidence intervals of proportions and of ratios. Packages sequential and numeric, in the module's folder
//     internal, have the statistical tests of our examinations and their numerical functions
//   - mutant: filters broken on purpose, which the examinations must catch
//   - model: the reference implementation that every filter is compared with, operation by operation
//   - claims: the papers' statements, each with a verdict and a check
//   - accuracy: compares every function of package approx with its counterpart in exact
//   - sweep: makes the same comparison at millions of points (make sweep)
//   - sim: simulated filters, with rates and intervals from the runs
//   - trace: estimates the workload of a trace of requests
//   - asmmutant: breaks the assembly at every place; the tests of package kernel/asm must notice it (make mutate)
//   - gomutant: does the same for the Go code and all tests (make gomutate)
//   - exported: tests that look at the exported names of all packages at once (make test-tools)
//   - soak: counts how often conform accuses sound and wrong filters (make soak)
//   - smt: proof obligations about the arithmetic, for an SMT solver (make prove)
//   - theorems: theorems about standard, partitioned, classic, blocked and recycling filters, for Coq (make theorems)
//   - machine: proofs about the linked machine code of the kernels, by two SMT solvers (make prove)
//   - interleave: every schedule of goroutines that share a concurrent filter (make interleavings)
//   - assurance: the page docs/assurance.md, which is the text below with figures (make assurance)
//
// # What is known, and how
//
// Each section below is about one promise of the module. It says what is proved, what is enumerated, what is tested,
// and what is assumed. A proof is either an argument in a comment, or a theorem. If a proof was checked by a machine,
// the section says so. The label "Enumerated" means that a range of cases is finite, and that all of them were
// computed. The line "Wrong if" says under which condition the promise would be wrong. The names in parentheses are
// names of tests. TestHonestyNamesTests fails if one of these tests does not exist. A property test shows only that no
// counterexample was found with the default seed. The flag -verify.seed sets another seed. The page docs/fuzzing.md
// says what each fuzz target shows, and how much of the code the target reaches.
//
// # No false negative within a cycle
//
// Proved: the positions of a key depend only on its hash and the geometry. A filter of bits clears only the whole
// array, never a single bit. This argument is the whole proof.
// Tested: random sequences of operations are compared with a model that keeps the true sets (TestFilterStateMachine,
// TestFilterStateMachineEveryImplementation). For recycling filters the sequences cover every combination of rule,
// hashing and options. The options are Retain, TwoPhase, FreezeBefore, NoCopyOver and FreshPositions. The arrays of
// these filters have a few dozen bits (TestRecyclingStateMachine, TestRecyclingStateMachineCorners). Recycling filters
// are also compared with a list of the recorded messages (TestTruthAgainstSets). The tests of counting filters cover
// every counter width and every rule. They compare each filter with counts that are summed over the keys in the filter.
// The comparison ends if a sequence removes a key that is not in the filter (TestCountingStateMachine,
// TestCountingRemoveRestores, FuzzCounting). Counting filters are also tested at their largest values
// (TestCountingSaturates, TestCountersOfAWord). The comparison with the model detects wrong rules
// (TestRunCatchesEveryWrongRule, TestRunCatchesTheWrongCounting). It also detects a set bit that belongs to no key
// (TestRunCatchesAStrayBit). The sequences call every exported method of every filter, including mapped filters
// (TestRunsCallEveryMethod). The sequences also run on generated geometries, rules and counters
// (TestGeneratedFiltersFollowTheirModels).
// Assumed: memory does not lose or change what is written. Only one goroutine at a time changes a filter that is not
// made for concurrent use.
// Wrong if: two operations interfere with each other, and no tested sequence contains both of them.
//
// # A recycling filter follows the rule to the letter
//
// Tested: filters are compared with a model that keeps the recorded messages (TestRecyclingStateMachine). The
// comparison covers every combination of rule, hashing and options. The options are Retain, TwoPhase, FreezeBefore,
// NoCopyOver and FreshPositions. Short sequences of messages, called histories, check each clause of the rule
// (TestRecyclingSemantics). The expected results of the histories were worked out by hand. The histories run on the
// filter with single calls, in batches, and on concurrent filters. Seventeen wrong filters were written on purpose.
// Each of them breaks one clause of the rule. The histories find all of these faults, and each history finds at least
// one fault (TestRecyclingMutantsBreakClauses). The comparison with the model also finds all of these faults
// (TestRecyclingMutantsAreToldFromModel).
// Assumed: the histories and their expected results agree with the papers and the specification.
// Wrong if: two clauses of the rule interact, and no tested sequence or history shows this interaction.
//
// # A batch does what its single calls do
//
// Proved: within a cycle bits are only set, and the frozen array does not change. At the beginning of a block of
// arrivals, the bits are read. A bit that is set at this time stays set during the whole block. A bit that is clear at
// this time may be set later in the block. So each arrival that needs this bit reads it again (package kernel,
// RecyclingFilter.observe). This argument is the whole proof.
// Tested: the results, events, counts and bits of a batch are compared with those of single calls for the same keys.
// The comparison covers every implementation, hashing, scheme, rule and form of keys. The batches have every size near
// the size of a block, and contain repeats and recycles (TestFilterBatchIsSingleCalls,
// TestRecyclingBatchIsSingleCalls). Batches also occur in the random sequences of operations that are compared with the
// models (TestFilterStateMachine, TestRecyclingStateMachine, FuzzFilter, FuzzRecycling). A bulk load sorts the
// positions of the keys by the part of the array in which they lie. A plan says how the array is divided. Bulk loads
// are tested with plans of every kind (TestBulkIsSingleCalls, TestBulkPlan), and once with the plan that a load chooses
// by itself (TestBulkSorts). Our code for keys of 8 bytes computes the same hash as the hash library (TestHashOfWords).
// Assumed: every operation on words gives the right result. These operations have their own section, "Every
// implementation gives the same bits".
// Wrong if: a filter has several gigabytes, and a bulk load divides its array wrongly. The largest filter tested has 35
// MiB.
//
// # Many goroutines do no harm
//
// Proved: bits are set by atomic OR, which never clears a bit. Each bit is counted only by the goroutine whose OR found
// the bit clear, so each bit is counted once (package kernel, ConcurrentFilter). A concurrent recycling filter has
// several locks, called lanes. A recycle holds all lanes. The rule of the filter has a bound. When the filter reaches
// this bound, it must recycle. Suppose that a goroutine holds only one lane. It records a message only if the filter
// then stays within the bound. So only a goroutine that holds all these locks can take the filter beyond the bound
// (ConcurrentRecycling).
// Enumerated: for small programs, every schedule is explored (TestEverySchedule and the command "make interleavings").
// In these programs up to three goroutines share arrays of one or a few words. The exploration runs the code for hosts
// without assembly. In this code, a scheduler replaces the packages sync and sync/atomic. A schedule is an order of the
// operations of these two packages. Go's memory model permits TryLock to fail although a lock is free. One case also
// explores such failures. Each plain memory access is checked for a data race, and no data race was found. So Go's
// memory model (go.dev/ref/mem) excludes every other behaviour, even if the hardware reorders memory accesses. No
// schedule loses a bit. In each schedule, every answer and count is permitted by the comments of the two types. Every
// recorded message is recognised until its cycle ends. Each cycle ends at the bound of the filter's rule, and every
// goroutine ends. If schedules differ only in the order of independent operations, only one of them is explored. For
// random programs, a test checks that this reduction loses no behaviour (TestReductionLosesNothing). The exploration
// finds a fault in each of 25 wrong variants of the code. It also finds a fault in each of the eleven wrong filters
// that the next paragraph describes (TestEveryWrongVariant).
// Tested: concurrent filters are compared, bit for bit, with a Filter or a RecyclingFilter. In this comparison only one
// goroutine at a time uses the concurrent filter. The comparison covers every rule (TestConcurrentFilterStateMachine,
// TestConcurrentFilterBatchIsSingleCalls, TestConcurrentRecyclingStateMachine,
// TestConcurrentRecyclingBatchIsSingleCalls, FuzzFilter, FuzzRecycling). Six goroutines run random programs with
// GOMAXPROCS 8. A concurrent filter contains every key whose Add has returned, and its counts never fall
// (TestConcurrentFilterManyAdders). The final bits and count equal the bits and count of a Filter with the same keys.
// The answers of Add are consistent: exactly one goroutine was the first to set each bit. In concurrent recycling
// filters, every message is recognised during the cycle that recorded it (TestConcurrentRecyclingManyObservers). Each
// cycle is ended by exactly one message, at the bound of the rule. Every bit, message and arrival is counted in exactly
// one cycle. Copies and unions are also tested while other goroutines change the filter
// (TestConcurrentFilterCopiesWhileAdding, TestConcurrentRecyclingWhileObserving). Another test sends the messages of
// one cycle in any order, and checks that the bits are the same as in a RecyclingFilter
// (TestConcurrentRecyclingSameBits). Eleven filters are wrong on purpose: they have races. The race detector cannot see
// these races, because all accesses are atomic or under a lock. The tests find the fault of each of these eleven
// filters (TestConcurrentFilterMutants, TestConcurrentRecyclingMutants). The same tests also run under the race
// detector. The race detector does not see memory accesses from assembly. But assembly does not access the words of
// these filters while other goroutines may change them.
// Assumed: sync, sync/atomic and Go's compiler implement Go's memory model on the host. The tests ran on amd64. The
// hardware of arm64 reorders memory accesses more than the hardware of amd64. But arm64 was tested only under qemu. An
// arm64 processor may reorder more memory accesses than qemu does.
// Wrong if: there is a fault that neither the random runs nor the exploration can show. The exploration is limited to
// few goroutines, small arrays and short programs.
//
// # Every implementation gives the same bits
//
// Proved: a solver proves facts about the arithmetic of the kernels. The files in verify/proof/smt state this
// arithmetic a second time, for the solver. Some proofs are about the sums and counters of the popcount kernels, and
// about the test for overlapping slices. Some proofs are about masks. The kernels use these masks for the last vector
// of a slice and for the ends of a range of bits. Other proofs are about two kinds of vector code. The first kind
// derives positions, and the second kind computes the product in a hash. Indices and shifts are proved to be right up
// to m = 2^48. The table in verify/proof/smt/README.md says what each file proves and assumes. Each proof is also tried
// with a false claim in place of the true one. Tests check that this proof fails (TestObligations, TestFormCatches,
// TestProveCatches).
// Proved: two solvers prove three facts about each function in assembly that verify/proof/machine/report.txt lists as
// proved. First, the function returns and stores the same values as its twin. A twin is a program of steps that
// restates the portable function. Second, the function accesses only memory inside its slices and its stack frame.
// Third, it terminates. The proofs read the bytes that the linker wrote. All 37 functions for arm64 are proved, and all
// 97 for amd64. The functions that choose a kernel are proved too. No proof needs a host that can run AVX-512. That a
// twin equals the portable function is not proved. Tests compare them (TestTwinsArePortable, TestKeysArePortable,
// TestRingsArePortable, TestTransitionsArePortable, TestRowsArePortable). Some functions look up keys with a ring of
// keys in flight. A theorem says that such a ring ends, and that it answers every key as a loop over the keys does
// (verify/proof/theorems/ring.v). The proofs are for slices with fewer than 2^48 elements. The arguments must be in the
// domain of the portable function. For HashWords, the slices do not overlap. For look-ups of one key in a block of 8
// words, the array has as many words as its stated length. In the proofs about float64 numbers, an unknown function
// stands for each operation. So the proof says that a kernel computes the same expressions as its twin, in the same
// order of operations. A twin adds up the numbers of set and clear bits in another order than the portable function. In
// the domain of these functions these sums are exact, so they are equal. The comment of the command
// verify/proof/machine says what a proof relies on.
// Enumerated: the popcount functions run on slices of every short length, with extreme words, at every alignment in
// bytes (TestPopcount). The inputs also lie directly before and directly behind memory pages that must not be accessed.
// TestGuarded checks that an access to these pages is detected.
// Tested: every operation runs in every implementation that the host has. The lengths are near each threshold at which
// the code path changes (TestOps). The operations also run on words with random bit density (TestRandomWord), and on
// inputs that a fuzzer chooses (FuzzPopcount). Tests also check that the chosen implementation is the one that runs
// (TestPath, TestJumps). The kernels that compute with float64 are tested in the same way, to the last bit
// (TestTransition, FuzzTransition). The functions of package kernel/vec that use these kernels are tested to the last
// bit too, on every architecture that runs the tests (TestBits). Kernels that hash keys are compared with a plain
// implementation of XXH3-128 that follows its definition (TestHash, FuzzHash, TestHashBatch). Tests catch kernels that
// are broken on purpose (TestMutants, TestTransitionMutants, TestHashMutants of asmtest).
// Tested: when a program starts, each kernel that it can use on this host runs once on a fixed input. If the result of
// a kernel is wrong, Go code replaces all kernels of its family (TestWrongKernelFallsBack). A CPU, an emulator or a
// binary may give wrong results for every input. This check finds such a fault. The check does not find a fault that
// depends on the input, the core or the time. A kernel with an instruction that the CPU lacks ends the program.
// Assumed: the Go assembler and the CPU are right, and cpuid tells the truth. AVX-512 was tested only on hosts that
// have it, because none of our emulators has it. NEON was tested only under qemu.
// Wrong if: a fault occurs only with a length, alignment or word that neither the enumeration nor fuzzing tried.
//
// # Positions behave as ideal ones do
//
// Proved: positions are in range, and the words of a stream are distinct. Multiply-shift draws each position with
// almost the uniform probability. A solver proves that the difference is at most 2^-52 (verify/proof/smt). The page
// docs/format.md proves how much this deviation changes a rate. There is no proof that the words of the stream behave
// like independent words. This depends on the mixing function of the stream.
// Enumerated: multiply-shift makes some positions slightly more probable than others. For short words, the effect on
// the rate is computed exactly (TestUnevenPositionsMoveTheRateInSecondOrder).
// Tested: five statistics are compared with their exact distributions (TestPositionsAreGoodEnough). The first two are
// the rate and the number of set bits. The third statistic shows in which parts of a filter the positions lie. The
// fourth statistic shows how often a key's positions repeat. The fifth statistic shows how often two keys have
// positions in common. The filters have m = 64, 96, 257, 1024 and 65536, and k from 1 to 40. They have all three
// hashings, and rates of about 0.03 and 0.4. Some keys are ideal hashes, and others are sequential integers or keys
// with long common prefixes. Hashes with a regular pattern are also tried. The first half of these hashes is a counter.
// It grows by one from each hash to the next. Each sample is a filter, not a look-up. The probability that any of these
// tests fails by chance is at most 1e-3. This follows from a theorem, if the filters are independent and the variance
// is exact (package sequential). The test logs which deviations it can detect. The following numbers are medians over
// the cases. With the default effort, a rate that is wrong by some 2.5 % is detected with probability one half. With
// the flag -probes=1000000000, a rate that is wrong by 0.6 % is detected with this probability. Plain double hashing
// and three other wrong derivations fail the same examination (TestMutantsAreCaught). The same filter without a fault
// passes the examination (TestMutantFilterWithoutFaultPasses).
// Assumed: XXH3 under random seeds, and ChaCha8, give independent uniform words.
// Wrong if: a dependence between positions changes the rates too little for the test to detect. The promise is also
// wrong if a dependence shows only in filters with m > 65536 or k > 40. It is wrong too if a dependence shows only for
// keys with a pattern that was not tested. The default seed is public, so anyone who can choose the keys can choose the
// rate. Use SipHash for such keys. The quality of SipHash is assumed.
//
// # An enclosure contains the true value
//
// Proved: every step rounds outwards, if math/big rounds as documented. Comments next to the code bound the remainders
// of the series for exponential and logarithm (package exact/internal/interval).
// Proved: theorems in Coq give the formulas by which package exact computes rates. These are the rates of standard,
// classic, partitioned and blocked filters. The theorems are about finite spaces of hash outcomes, and use no axioms.
// The theorems also show that the rate falls with the number of bits and rises with the number of items. The search for
// the best k uses bounds to exclude other values of k. The theorems prove these bounds. For a rate f and its bounds L
// and U, the theorems also prove that L <= f <= U. A part of this proof is a new proof of Theorem 15 of Burns. Another
// theorem proves that the classic rate is below the standard rate under three conditions. The conditions are k >= 2, n
// >= 1, and a mean fill of at most one half for the classic filter. The file verify/proof/theorems/README.md lists all
// theorems. Coq does not check the Go code that computes these formulas. Coq computes the rates of 902 small filters,
// and every route of package exact must give the same rates (TestCounted).
// Enumerated: for small filters the rate is computed in rationals over all hash outcomes. It is compared with every
// formula of package exact (TestBruteForce). Small sets of filters that share items are checked in the same way
// (TestFilterSetsBruteForce). For small numbers of balls and committees, the distributions are compared with an
// enumeration of all outcomes (TestDistributionBruteForce).
// Tested: interval operations are compared with rationals, and with the same operations at another precision
// (TestRationalOps, TestElementary, TestIdentities). Among the operations are some that underflow or are undefined
// (TestUnderflow, TestUndefined). Extra precision could hide a missing error term. So some tests run without extra
// precision. These tests check the error bounds of the lower-level functions (TestRawPoints, TestLn2Fixed, TestSeries,
// TestPowFixed, TestAltSum, TestMomentWeights, TestClassicPowers, TestHitsMissed). Exponentials, logarithms and powers
// are compared with bigfloat, which computes them in another way (TestWitness). The permitted error follows from the
// code of bigfloat (TestWitnessErrors). Values of large filters and of distributions are compared with the results of
// independent programs (TestReference, TestDistributionReference). The different formulas for the same number are
// compared with one another, and fuzzed (TestRoutesOverlap, TestDistributionRoutesOverlap, FuzzFPRRoutes, FuzzLaw).
// Assumed: the methods Add, Sub, Mul, Quo and Set of big.Float round as documented. The results of big.Int are right.
// Wrong if: for large filters only, all formulas for a number give the same wrong result.
//
// # Bounds are ordered as claimed
//
// Enumerated: two bounds or rates are compared for each filter of a grid of small filters. The comparison uses rational
// arithmetic. Outside the domain of each of these inequalities, the smallest counterexample is found (TestOrder,
// TestTheorem15, TestBoundsAgree, TestBoseUpper).
// Tested: the same inequalities are checked with random parameters up to m, n = 2^64-1 and k = 64. Enclosures decide
// which of the two numbers is larger, or say that they cannot decide this (TestBoundsAreOrdered).
// Assumed: for filters that are neither in the grid nor in the samples, the papers' proofs are right. No error in these
// proofs is known.
// Wrong if: an unproved inequality fails for some large filter, and this filter is not among the samples.
//
// # What the papers claim
//
// Enumerated: identities are checked on every filter of a few bits, for all positions of all items. Inequalities and
// conjectures are checked on the ranges that docs/claims.md gives for each. For a refuted claim, the counterexample is
// checked (TestClaims). The command "bloomproof claims -run -effort full" checks all ranges and counterexamples. Every
// equation and every theorem of Burns and of Fan has an entry (TestEveryEquation, TestEveryTheorem).
// Proved: a claim is proved if its entry in docs/claims.md says so. A claim that is confirmed without proof has no
// counterexample in its range.
// Tested: some domains have too many points to check them all. In each of these domains, a search looks for
// counterexamples. This search tries not only round numbers, but also the ends of the ranges, dense logarithmic grids,
// and random points. From each point the search also moves to points where the claimed inequality is closer to
// equality. Some domains were recorded wrongly in the past, and this search finds the fault in each of them
// (TestAttackFindsBreaks). The printed description of a domain is made from its ranges. The check and the search use
// the same ranges (TestDomains, TestDomainText). A check fails when its statement is false at some point, or when its
// domain is empty. It also fails when there is a smaller counterexample than the stated one (TestChecksFail). On large
// filters, the same statements are checked by enclosures (TestLargeFilters, TestRoutesAgree, TestDistributionSums). The
// distributions that package exact computes are compared with the enumeration (TestDepartments). Every claim has a
// check (TestRegistry). The tests of packages verify and verify/claims name the claims that they check, or say that
// they check none (TestTestsNameTheirClaims). A test of another package does not have to name a claim. In these two
// packages, two kinds of tests must name claims. The first kind checks a property. The second kind computes numbers
// with package exact or approx. Every claim that a Go file names exists (TestNamedClaimsExist).
// Assumed: the text of the papers was read correctly. The conversion of the papers to text lost the underlines that
// mark falling factorials.
// Wrong if: a check does not express what the paper means. The promise is also wrong if an unproved claim is false, and
// all its counterexamples lie outside the checked range.
//
// # A float64 result is within its stated bound
//
// Proved: comments of the code bound the truncation errors of series. They also bound the truncation errors of sums
// that approximate integrals over a circle. The comments bound rounding errors to first order. The elementary functions
// (exponentials, logarithms, sine, cosine, arc tangent, e^x-1-x, ln(1+x)-x and x-sin x) are our own. A program reads
// the source of these functions and proves their error bounds on their whole domain. It uses rational arithmetic to
// bound the errors of the series, and interval arithmetic to bound the rounding errors (make floats, TestCertificate,
// TestTables). The program was tested with faults in the source. It then refuses the source, or can only prove a bound
// that is above the stated bound (TestFaults). The elementary functions give the same results on all architectures
// (TestSameEverywhere). The formula for the error bound of the classic rate contains the factor 1.3. The same program
// proves that this factor is large enough for all k, m and n. For this it uses interval arithmetic over ranges of these
// parameters (TestCertificate, TestCircleOfPoisson, TestRanges).
// Tested: the results of package approx are compared with enclosures. The enclosures come from package exact, which
// shares no code with package approx (TestApprox, TestRates, TestSetBitsMoments, TestCorrectRates, TestOptima,
// TestEfficiencies). A sweep makes this comparison at many more points. A test runs a sample of the sweep (TestSample).
// The command "make sweep" runs the whole sweep. The number of points that the sweep has reached is in the file
// verify/internal/tools/sweep/summary.txt. Package approx also computes with pairs of float64 numbers. This arithmetic
// is compared with big floats (TestDouble, TestWhole). Slow reference implementations are compared with the functions
// of package approx, and with each other (TestReferences). For arrays of 1 to 2^53 bits, package kernel/vec is compared
// with two reference computations. One uses whole numbers, and the other has 160 bits of precision (TestRows, TestSums,
// TestAdvance, TestVisits). These two computations are in turn compared with an enumeration of all possible messages on
// 4 bits (TestOracle). For a large filter, the results of package kernel/vec are compared with a closed form
// (TestVisitsLarge). Some functions compute sums over the ranks of a workload, or integrals over the arrivals of a
// cycle. Their results are compared with slow sums or closed forms. The constants in these functions are computed a
// second time (TestSteadySums, TestGramRule, TestIntegrals, TestListedIntegrals, TestPanelError, TestListedError,
// TestLargeBoundsDerivedTwice). The bounds of sums over characteristic functions are compared with the distributions
// themselves. A certificate covers all arguments of the logarithms in these sums (TestSmallWave, TestSmallBounds,
// TestEllipse).
// Assumed: the derivations in comments are right. No machine checks them. Some error bounds of package approx/fnr rest
// on estimates. Some of these bounds limit the errors of expansions. These expansions are used for large filters. Other
// bounds are for sums and integrals over ranks, in workloads where the ranks of messages change. Others are for exact
// rates of large filters, computed from characteristic functions. The text in Forecast.Assumes says what was estimated.
// The field Estimated says how much of the error bound rests on the estimates (TestAssumes). All other bounds are
// derived in comments.
// Wrong if: a derivation in a comment is wrong, and none of the tested points shows this. Tests are made on grids of
// points and at millions of random points.
//
// # A corrupt or hostile snapshot does no harm
//
// Enumerated: every byte of small snapshots is changed. Snapshots are also cut at every byte, and extra bytes are added
// (TestSnapshotEveryByteCounts). The underlying reader or writer is also made to fail, at each byte in turn
// (TestSnapshotReaderAndWriterErrors).
// Tested: forgeries with right checksums are refused (TestSnapshotRefusesForgeries). If a header claims more data than
// the snapshot contains, the reader does not allocate memory for the missing data (TestSnapshotMemoryIsBounded). Wrong
// secret keys are refused (TestSnapshotKey). The checksums of fuzzed snapshots are corrected. Such a snapshot must be
// refused with an error, or give a filter that writes exactly the same bytes (FuzzSnapshot). Stored snapshots are read
// and written identically on little-endian and big-endian hosts (TestSnapshotGolden). MapFilter also refuses a snapshot
// with a bad header (TestMapFilterRefuses). The payload of a mapped snapshot is checked when Verify is called
// (TestMappedVerify). A mapped filter gives the same answers as the filter that was written (TestMappedIsTheFilter).
// Another process may truncate a file at a page boundary while the file is mapped. Even then, the filter loses no key
// and the program continues. This was tested with every kernel (TestMappedTruncated, TestMappedTruncatedMeanwhile). Err
// reports this truncation, and also other changes of the file (TestMappedErr).
// Assumed: the program calls Err before it relies on the answers of a mapped filter. Anyone who can write a snapshot
// can set any bits.
// Wrong if: a damaged snapshot does harm, and no test damages a snapshot in this way. An example is a snapshot with two
// faults that cancel each other in the checks.
//
// # A filter that keeps the laws is not accused
//
// Proved: consider a filter that satisfies every law. Suppose that hash functions are random functions. Then
// Conformance reports a fault of the filter with probability at most 1e-6. Ville's inequality bounds the false-alarm
// probability of each test, and the sum of these probabilities is at most 1e-6. Package conform says what each test
// claims, and why the claim holds.
// Tested: sound filters of every hashing pass the examination, with many seeds (TestSoundFiltersPass). The command make
// soak sets the false-alarm probability to 0.1, 1e-2 and 1e-3, and counts how many sound filters are accused.
// TestResumeAndShards and TestPower run small parts of what this command runs. The runs are too few to confirm a
// probability as small as 1e-6. Our own filters pass (TestOurFiltersConform). The filters of package mutant have faults
// of the kinds that occur in real libraries. Each of these filters breaks one law. The examination reports that this
// law is broken, and reports no other law (TestEveryWrongFilterIsAccused). The command "make soak" tests this for all
// laws. The examination tries the m and k that its documentation lists (TestGrid). The examination finds faults of
// operations, such as union and reset, by random sequences of operations. Each sequence that it prints reproduces the
// fault that was found (TestProgramsRun, TestProgramsAreShort, FuzzOurFilter). Wrong filters were also written by
// authors who knew only the interface of the examination. After a first run on these filters, the code of the
// examination was changed. The changed examination was run on the same filters again (TestFirstScore and the command
// "make soak").
// Assumed: the families of keys that Conformance tries represent the keys of users. The host is fast enough, and has
// enough memory, to read a hostile snapshot within the time limit. The probability 1e-6 does not include the case that
// the host is too slow or has too little memory.
// Wrong if: a fault is visible only in cases that the examination does not include.
//
// # The statistics themselves
//
// Proved: the level of MeanTest follows from Bennett's inequality and union bounds, which are cited. The levels of
// BetTest and CountTest follow from Ville's inequality and Chernoff's moment generating function.
// Tested: MeanTest rejects a mean beyond a threshold. This threshold is compared with the printed inequality
// (TestMeanTestRejectsAtBennett). These tests are simulated at the levels 0.05 and 0.01. Their power is simulated for
// known shifts (TestMeanTestCalibration, TestMeanTestPower, TestBetTestCalibration, TestCountTestCalibration,
// TestBetTestPower, TestCountTestPower). CountRange is compared with exact tail probabilities (TestCountRange). For
// confidence intervals, the exact coverage is computed (TestClopperPearsonCoverage). Confidence intervals need the
// incomplete beta function. Our incomplete beta function is compared with exact sums (TestIncompleteBetaExact,
// TestIncompleteBetaLarge). For arguments that these sums do not cover, the accuracy of our function is extrapolated.
// Assumed: the cited theorems hold, and samples meet the conditions of each test.
// Wrong if: a test statistic or a tail probability has a larger rounding error than the tests permit.
//
// # Packages import only what they may
//
// Enumerated: every import of every package and test is checked. This is done for six targets, with and without
// assembly (TestImportGraph). The checker finds each kind of violation (TestImportGraphCheckerCatches).
// Assumed: the command "go list" reports the imports of the code that is built.
// Wrong if: a package has a forbidden import on a target other than these six.
//
// # Recycling filters do as their models say
//
// Enumerated: the exact rate and capacity of every rule are compared with those of Markov chains. The states of these
// chains are sets of bits. The chains are computed in rationals, over all outcomes of the hash functions
// (TestLongRunBruteForce, TestCycleBruteForce). The checks of the claims compute the same rates and capacities with
// separately written code. The results must agree (TestCyclesAgree).
// Tested: the closed form is compared with the Markov chain (TestCycleRoutes). The results of package approx and
// package exact differ by no more than the stated error bounds (TestRecyclings, TestRecyclingLaws). Three things agree:
// the model, the filter of package kernel, and a simulated ideal filter. The ideal filter draws ideal positions, and
// shares only the code for words of bits with package kernel. For every hashing, the three give the same false-positive
// rate of filled filters. A counting filter returns the right count for a certain share of the keys. For this share,
// too, the three give the same value (TestFillAgrees). For every rule and hashing, the three agree in rate and
// capacity. In this comparison, either the traffic has no repeats, or a repeat never changes the filter
// (TestRecyclingAgrees). A further comparison uses other traffic with repeats. There, the three agree in false
// negatives, false positives and the length of a cycle (TestFNRIsSimulated, TestFNRAtSize). This comparison is made for
// every rule, with fixed and fresh positions. For partitioned recycling filters no exact rate or capacity is known. On
// traffic without repeats, these filters are compared with an enumeration. For the other hashings this enumeration
// agrees with package exact (TestEnumeratedIsExact). On traffic with repeats, the partitioned filter of package kernel
// is compared with the ideal filter. The file verify/agreement_test.go has the table of all comparisons. Assume that
// sums over hundreds of cycles are normally distributed. Then the probability that any comparison fails by chance is
// below 1e-3 (TestRatioTestCalibration). For each rate, verify/agreement_test.go also states a deviation that the runs
// must be able to detect. In a long run, most of these deviations are 4 to 20 %. The comparisons fail if the expected
// rates are those of a similar rule or a similar workload. They also reject equation (26) of Dozier-FP as printed
// (TestRecyclingDisagrees, TestFNRDisagrees). The ideal filter itself is compared with sets of positions (TestIdeal).
// The counts of true and false answers equal the counts from a fully recorded history (TestTally). Arrivals follow the
// paper's process (TestWorkloadLaw, TestRanks, TestLaw).
// Assumed: ChaCha8 gives independent uniform words.
// Wrong if: a rate is wrong by so little that these tests do not detect it.
//
// # False-negative rates are as stated
//
// Proved: some models bound the rate from below or above. The comment of System.kind in package approx/fnr lists these
// models and cases. It also has the proofs. Other proofs are about the formulas for full-size filters. Some of these
// formulas are exact (exact/fnr, System.CycleRates), and others are bounds (System.CycleBounds). No other model or
// formula is called a bound.
// Enumerated: the exact chain of tiny filters is compared with a chain that keeps real bits and merges no states
// (TestFNRBruteForce). The comparison covers every rule and every kind of workload. Equations (1) to (4) of the paper
// give the distribution of the number of set bits while a cycle fills the array. These equations are compared with an
// enumeration of every outcome of the hash functions (TestStatesBruteForce). The formulas for full-size filters are
// compared with the chain (TestGroupedAgainstChain, TestRepeatsOnlyAgainstGroups, TestArrivalsLast, TestCycleBounds).
// An identity that all these formulas obey is checked in rationals (TestUnluckyIdentity). The facts behind the bounds
// are checked for every order of the first arrivals (TestBoundsByOrders) and for all states (TestBoundsTheorem). Some
// filters can reach a state after which they never forget a message again. These filters are listed (TestFNRAbsorbs).
// Claims in the registry say which models are bounds and which are exact. These claims were checked for grids of tiny
// filters. For some stronger statements, the claims give counterexamples (TestFNRKinds has a sample).
// Tested: each model is compared with its formula as written (TestMarkovByEnumeration, TestMarkovBound, TestRenewal,
// TestLeaveOneOut, TestArrival). The expansion for large filters is compared with the sum that it approximates
// (TestLargeIsTheSum). The results of the model "exact" differ from those of package exact by no more than the stated
// error bound (TestExactModel). Some models must be exact in special cases, and these cases are tested
// (TestEqualMessages, TestEqualMessagesTwoPhases). The deviation of models from filters is measured. The deviation of
// the fluid limit is of the order of 1/m (TestFluidOrder). The renewal model is within 1 % of simulations
// (TestRenewalIsSimulated). It can be above or below the rate (TestRenewalIsNoBound). The disabling model is within
// half a per cent of the exact rate (TestDisablingIsClosest). The page docs/fnr.md has the other deviations
// (TestModelsOfFNR). The measured false-negative rates of real filters agree with the exact rates (TestFNRIsSimulated,
// TestFNRAtSize). If the filter has another rule, or there is another workload, the tests detect this
// (TestFNRDisagrees).
// Assumed: messages arrive independently of one another, and ranks move as in Dozier-FN 3.1.
// Wrong if: a model is inaccurate in a case for which there is no exact rate and no simulation. Such cases are large
// filters, filters with two phases, and workloads in which new messages become popular.
//
// # The estimates of a trace are right
//
// Tested: every estimate is compared with its definition, key by key (TestEstimateAgainstDefinitions). The estimates
// for a trace in random order are compared with estimates from shuffled traces (TestShuffled). The estimates show
// whether the order of a trace is random, and whether popularities change (TestTellsOrder). The parameters of a
// simulated workload are estimated from its arrivals (TestEstimateOfWorkload). A filter that reads these arrivals
// behaves as predicted (TestReplayPredicts). One summary of a trace needs only bounded memory. The bounds that this
// summary promises hold after every arrival, even for bad orders (TestSpaceSaving). Estimates from a sample of the keys
// differ from the numbers for all keys by at most six standard errors (TestSketch). The share of repeats that a filter
// forgets is computed from the gaps between arrivals. The test computes this share a second time, by a count over many
// cycles, and compares the two results. For this count, each arrival is taken as the beginning of one cycle
// (TestForgotten).
// Assumed: real traffic follows the model of a trace. The comment of package trace describes this model under "The
// model of a trace".
// Wrong if: popularities change within a cycle, or new keys soon become popular. Then predictions from models are
// wrong, and docs/traces.md measures by how much. The page docs/traces.md also has predictions from the gaps between
// arrivals of the same key. These predictions were within 1.5 % of the measured rates.
package verify
