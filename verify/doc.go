// Package verify tests that the parts of the module agree, and that they do what their comments say. It exports what
// tests of other modules can use:
//
//   - Conformance and FuzzFilter: the laws of package conform as a test and as a fuzz target, for filters of any
//     library
//   - GenGeometry, GenRecycling, GenPopularity, GenWorkload and GenEnum: gopter generators for every type of the
//     vocabulary; GenSize: a generator for counts
//
// Its own tests are the ones that need more than one package. The subpackages are tools:
//
//   - conform: examines whether a Bloom filter of any library keeps the laws (Examine)
//   - stat: confidence intervals of proportions and of ratios. Packages sequential and numeric, in the module's folder
//     internal, have the statistical tests of our examinations and their numerical functions
//   - mutant: filters broken on purpose, which the examinations must catch
//   - model: the reference implementation that every filter is compared with, operation by operation
//   - claims: the papers' statements, each with a verdict and a check
//   - accuracy: compares every function of package approx with its counterpart in exact
//   - sweep: does this at millions of points (make sweep)
//   - sim: simulated filters, with rates and intervals from the runs
//   - trace: estimates the workload of a trace of requests
//   - asmmutant: breaks the assembly at every place; the tests of package kernel/asm must notice it (make mutate)
//   - gomutant: does the same for the Go code and all tests (make gomutate)
//   - soak: counts how often conform accuses sound and wrong filters (make soak)
//   - smt: proof obligations about the arithmetic, for an SMT solver (make prove)
//   - theorems: theorems about standard, partitioned, classic, blocked and recycling filters, for Coq (make theorems)
//   - machine: proofs about the linked machine code of the kernels, by two SMT solvers (make prove)
//   - interleave: every schedule of goroutines that share a concurrent filter (make interleavings)
//   - assurance: the page docs/assurance.md, which is the text below with figures (make assurance)
//
// # What is known, and how
//
// Each section below is about one promise of the module. It says what is proved (by an argument in a comment or by a
// theorem; by machine if it says so), what is enumerated (every case of a finite range), what is tested and how far,
// and what is assumed. The last line says under which condition the promise would be wrong. The names in parentheses
// are those of tests. TestHonestyNamesTests fails if one of them does not exist. A property test shows only that no
// counterexample was found with one seed; -verify.seed sets another one. docs/fuzzing.md says what each fuzz target
// shows, and how much of the code it reaches.
//
// # No false negative within a cycle
//
// Proved: the positions of a key are a function of its hash and the geometry, and a filter of bits clears bits only
// with the whole array. This argument is the whole proof.
// Tested: random sequences of operations are compared with a model that keeps the true sets (TestFilterStateMachine,
// TestFilterStateMachineEveryImplementation). For recycling filters this is done for every combination of rule,
// retaining, phases, freeze, copy-over, positions and hashing, on arrays of a few dozen bits
// (TestRecyclingStateMachine, TestRecyclingStateMachineCorners), and with a ledger of the recorded messages
// (TestTruthAgainstSets). Counting filters of every width and rule are compared with the sums over the keys in the
// filter, as long as only such keys are removed (TestCountingStateMachine, TestCountingRemoveRestores, FuzzCounting).
// They are also tested at their largest values (TestCountingSaturates, TestCountersOfAWord). Wrong rules and stray bits
// are caught (TestRunCatchesEveryWrongRule, TestRunCatchesTheWrongCounting, TestRunCatchesAStrayBit). The sequences
// call every exported method of every filter, mapped ones included (TestRunsCallEveryMethod). They also run on
// generated geometries, rules and counters (TestGeneratedFiltersFollowTheirModels).
// Assumed: memory keeps what is written; a filter that is not made for concurrent use is changed by one goroutine at a
// time.
// Wrong if: two operations interfere, and no tested sequence contains both.
//
// # A recycling filter follows the rule to the letter
//
// Tested: every combination of rule, retaining, phases, freeze, copy-over, positions and hashing runs against a model
// that keeps the recorded messages (TestRecyclingStateMachine), and histories worked out by hand check each clause of
// the rule on the filter, with single calls, in batches and with concurrent filters (TestRecyclingSemantics). Seventeen
// filters break one clause each. The histories find all of these faults, and each history finds at least one
// (TestRecyclingMutantsBreakClauses). The model also finds them (TestRecyclingMutantsAreToldFromModel).
// Assumed: the histories express what the papers and the specification mean.
// Wrong if: two clauses interact in a history that neither the model's sequences nor the written histories contain.
//
// # A batch does what its single calls do
//
// Proved: within a cycle bits are only set, and the frozen array does not change. So a bit that is set at the beginning
// of a block of arrivals is still set when the turn of each arrival comes. The other bits are read again (package
// kernel, RecyclingFilter.observe). This argument is the whole proof.
// Tested: results, events, counts and bits are compared with those of single calls in turn, with every implementation,
// hashing, scheme, rule and form of keys, at all sizes near that of a block, with repeats and recycles inside
// (TestFilterBatchIsSingleCalls, TestRecyclingBatchIsSingleCalls), Batches are also operations in the programs that are
// compared with the models (TestFilterStateMachine, TestRecyclingStateMachine, FuzzFilter, FuzzRecycling). Bulk loads
// are tested with parts and piles of every kind (TestBulkIsSingleCalls, TestBulkPlan), and once with their own plan
// (TestBulkSorts). Keys of 8 bytes hash as the library hashes them (TestHashOfWords).
// Assumed: the operations on words are right, as a section below shows.
// Wrong if: the plan of a bulk load is wrong for a filter of several gigabytes; the largest tested is 35 MiB.
//
// # Many goroutines do no harm
//
// Proved: bits are set by atomic OR, which never clears a bit. The goroutine that finds the old value of a bit clear
// counts the bit, so each bit is counted once (package kernel, ConcurrentFilter). A recycle holds all lanes. A
// goroutine that holds one lane records a message only if there is room, so only a goroutine that holds all lanes can
// pass the bound (ConcurrentRecycling).
// Enumerated: every schedule of small programs, up to three goroutines that share arrays of one or a few words
// (TestEverySchedule, make interleavings). What is explored is the code that ships for hosts without assembly, with
// sync and sync/atomic replaced by a scheduler. A schedule is an order of their operations; one case also has the
// failures of TryLock that Go's memory model permits when a lock is free. Each plain memory access is checked for a data race. There is none,
// so by the memory model, go.dev/ref/mem, no other behaviour exists, whatever the hardware reorders. In each
// schedule no bit is lost, answers and counts are those that the comments of the two types permit, no message is
// unknown within its cycle, each cycle ends at its bound, and every goroutine ends. Schedules that differ only in the
// order of independent operations are explored once; random programs show that no behaviour is lost by that
// (TestReductionLosesNothing). Each of 25 wrong variants of the code, and of the eleven filters below, is found
// (TestEveryWrongVariant).
// Tested: when one goroutine at a time uses them, the concurrent filters equal a Filter and a RecyclingFilter bit for
// bit, under every rule (TestConcurrentFilterStateMachine, TestConcurrentFilterBatchIsSingleCalls,
// TestConcurrentRecyclingStateMachine, TestConcurrentRecyclingBatchIsSingleCalls, FuzzFilter, FuzzRecycling). Six
// goroutines run random programs with GOMAXPROCS 8. In concurrent filters, keys that were added before are contained,
// counts never fall, the final bits and count are those of a Filter with the same keys, and the answers of Add agree
// with exactly one first setter for each bit (TestConcurrentFilterManyAdders). In concurrent recycling filters, no
// message is unknown within the cycle that recorded it, each cycle ends by one trigger and exactly at its bound, and
// every bit, message and arrival is counted in one cycle (TestConcurrentRecyclingManyObservers). Copies and unions that
// are made at the same time are tested (TestConcurrentFilterCopiesWhileAdding, TestConcurrentRecyclingWhileObserving),
// and so are the bits of a cycle with its messages in another order (TestConcurrentRecyclingSameBits). Eleven filters
// with races that the race detector cannot see, as all their accesses are atomic or under a lock, are caught
// (TestConcurrentFilterMutants, TestConcurrentRecyclingMutants). The same tests run under the race detector. The race
// detector does not see memory accesses from assembly. Assembly does not access the words of these filters while other
// goroutines may change them.
// Assumed: sync, sync/atomic and Go's compiler keep the memory model on the host. The tests ran on amd64. The hardware
// of arm64 reorders more; arm64 was tested only under qemu, which may reorder less.
// Wrong if: a fault needs four goroutines, larger arrays or longer programs than those whose schedules were all
// explored, and did not occur in the random runs.
//
// # Every implementation gives the same bits
//
// Proved: by machine, for the arithmetic as restated in verify/proof/smt: the sums and counters of the popcount
// kernels, the masks of tails and ranges, the test for overlap, the vector forms of the derivation and of the product
// in a hash, and indices and shifts up to m = 2^48. The table in verify/proof/smt/README.md says what each file proves
// and assumes. Each is shown to fail if its claim is broken (TestObligations, TestFormCatches, TestProveCatches).
// Proved: by machine, from the bytes that the linker wrote, for the functions that verify/proof/machine/report.txt
// lists as proved: they return and store the same as the portable functions, access only memory inside their slices,
// and end. For slices below 2^48 elements these are the popcount functions for amd64, by POPCNT, AVX2 and AVX-512;
// look-ups and additions of one position at a time, at given positions and from hashes, if the arguments are in the
// domain of the portable functions; additions to blocks of 512 bits by POPCNT; the functions in assembly that choose a
// kernel for Auto and for one key; HashWords by AVX2 and AVX-512, for slices that do not overlap; and the answers for
// one key in a block of 8 words of 32 or 64 bits, by AVX2 and AVX-512, for an array that has as many words as it
// states. The comment of that command says what a proof relies on. No proof needs a host that can run AVX-512. The
// other kernels are not proved yet.
// Enumerated: short lengths over extreme words, places to the byte, flush against
// forbidden pages on both sides (TestPopcount; TestGuarded that the pages exist).
// Tested: every operation in every implementation that the host has, at lengths near each threshold (TestOps), with
// random bit density (TestRandomWord), and by fuzzing (FuzzPopcount). Tests also check that the choice of an
// implementation reaches the kernel that it names (TestPath, TestJumps). The kernels on float64 are tested in the same
// way, to the last bit (TestTransition, FuzzTransition), and so are the functions of package kernel/vec that use them,
// on every architecture that runs the tests (TestBits). Kernels that hash keys are compared with the definition of
// XXH3-128 over bytes (TestHash, FuzzHash, TestHashBatch). Kernels broken on purpose are caught (TestMutants,
// TestTransitionMutants, TestHashMutants of asmtest).
// Tested: on every host, at the start of every program, each kernel that may be chosen, with one input. If one is
// wrong, Go code is used for all kernels of its family (TestWrongKernelFallsBack). This finds a CPU, an emulator or a
// binary that is always wrong. It does not find a fault that depends on the input, the core or the time, and an
// instruction that the CPU lacks ends the program.
// Assumed: the Go assembler and the CPU are right, and cpuid tells the truth. AVX-512 was tested only on hosts that
// have it, as none of our emulators does; NEON was tested under qemu.
// Wrong if: a fault occurs only with a length, alignment or word that neither the grid nor fuzzing tried.
//
// # Positions behave as ideal ones do
//
// Proved: that positions are in range, that the words of a stream are distinct, and that multiply-shift deviates from
// uniform by at most 2^-52 for each position (by machine, verify/proof/smt); how this changes a rate (overview of
// package kernel). It is not proved that the words of the stream behave like independent words, since this depends on a
// mixing function.
// Enumerated: the effect of uneven positions for short words
// (TestUnevenPositionsMoveTheRateInSecondOrder).
// Tested: rate, set bits, place, repeats and meetings of positions, compared with their exact distributions for m = 64,
// 96, 257, 1024 and 65536, k from 1 to 40, all three hashings, rates of about 0.03 and 0.4; ideal hashes, sequential
// integers, long common prefixes and hashes that count (TestPositionsAreGoodEnough). Filters are the sampling unit; the
// false-alarm probability of the whole, 1e-3, is a theorem given the exact variance and independent filters (package
// sequential). The test logs which deviations it can find. In the median cell, it finds a rate that is off by some 2.5%
// half of the time at its default effort, and one that is off by 0.6% at -probes=1000000000. Plain double hashing and
// three other mutants fail the same examination (TestMutantsAreCaught). The same filter without a fault passes it
// (TestMutantFilterWithoutFaultPasses).
// Assumed: XXH3 under random seeds, and ChaCha8, give independent uniform words.
// Wrong if: a dependence changes rates by less than that, or is visible only beyond m = 65536 or k = 40, or only for
// keys with another pattern. The default seed is public, so anyone who can choose the keys can choose the rate. SipHash
// is for such keys; its quality is assumed.
//
// # An enclosure contains the true value
//
// Proved: every step rounds outwards, given what math/big documents; comments next to the code bound the remainders of
// exponential and logarithm (package exact/internal/interval).
// Proved: by Coq, over finite spaces of hash outcomes and without axioms: the formulas of the routes for standard,
// classic, partitioned and blocked filters, that the rate falls with the bits and rises with the items, the bounds by
// which the search for the best k excludes others, and the order L <= f <= U of the rates and their bounds with a new
// proof of Theorem 15 of Burns (verify/proof/theorems has the list). Coq does not check the Go code that computes these
// formulas. Coq computes the rates of 902 small filters, and every route must give the same
// rates (TestCounted).
// Enumerated: all hash outcomes of small filters, in rationals, are compared with every route (TestBruteForce), and
// those of small sets of filters that share items (TestFilterSetsBruteForce). For small distributions all outcomes of
// the balls and committees are enumerated (TestDistributionBruteForce).
// Tested: interval operations are compared with rationals and with themselves at another precision (TestRationalOps,
// TestElementary, TestIdentities), also where they underflow or are undefined (TestUnderflow, TestUndefined). The error
// bounds of the lower-level functions are tested without guard bits, which could hide a missing error term
// (TestRawPoints, TestLn2Fixed, TestSeries, TestPowFixed, TestAltSum, TestMomentWeights, TestClassicPowers,
// TestHitsMissed). Exponentials, logarithms and powers are compared with bigfloat, which computes them in another way
// (TestWitness), within an error that follows from its code (TestWitnessErrors). Values of large filters and of
// distributions are compared with independent programs (TestReference, TestDistributionReference); the routes against
// one another, fuzzed (TestRoutesOverlap, TestDistributionRoutesOverlap, FuzzFPRRoutes, FuzzLaw).
// Assumed: Add, Sub, Mul, Quo and Set of big.Float round as they say; big.Int is right.
// Wrong if: a formula is right for all small filters and wrong for large ones, and all routes have the same error.
//
// # Bounds are ordered as claimed
//
// Enumerated: on a grid of small filters, in rationals, with the least counterexamples
// outside the domain (TestOrder, TestTheorem15, TestBoundsAgree, TestBoseUpper).
// Tested: with random parameters up to m, n = 2^64-1 and k = 64, by enclosures that decide
// the order or say that they cannot (TestBoundsAreOrdered).
// Assumed: for filters that are neither in the grid nor in the samples, the papers' proofs are right; no error in them
// is known.
// Wrong if: an order that is confirmed without proof fails for a large filter that is not among the samples.
//
// # What the papers claim
//
// Enumerated: identities on every filter of a few bits, all positions of all items, and inequalities and conjectures on
// the ranges that docs/claims.md gives for each; refuted claims with their counterexample (TestClaims; bloomproof
// claims -run -effort full checks all of it). Every equation and every theorem of Burns and of Fan has an entry
// (TestEveryEquation, TestEveryTheorem).
// Proved: the claims whose entry says so. A claim that is confirmed without proof has no counterexample in its range.
// Tested: in every domain that is not exhausted, counterexamples are searched for at points that are not round: the
// ends of the ranges, dense logarithmic grids, random points, and climbs towards a smaller margin of a law. This search
// finds the faults in domains that were recorded wrongly in the past (TestAttackFindsBreaks). The text of a domain is
// made from the same ranges that are visited and searched (TestDomains, TestDomainText). Checks fail when their law
// breaks, when nothing is in their domain, and when a smaller counterexample exists (TestChecksFail); the same laws on
// large filters by enclosures (TestLargeFilters, TestRoutesAgree, TestDistributionSums), the laws of package exact
// against the enumeration (TestDepartments). Every claim has a check (TestRegistry); in packages verify and
// verify/claims, and in no other, a test that runs a property or asks for numbers of exact or approx names the claims
// that it checks, or says that it checks none (TestTestsNameTheirClaims). Those that any Go file names exist
// (TestNamedClaimsExist).
// Assumed: the text of the papers is as it was read; the conversion lost underlines of
// falling factorials.
// Wrong if: a check does not express what the paper means, or the smallest counterexample of a claim that is confirmed
// without proof is outside the range.
//
// # A float64 result is within its stated bound
//
// Proved: in comments of the code, bounds for the truncation of series and of sums over the nodes of a circle, and for
// the roundings, to first order. One factor of 1.3 in the classic rate is measured instead.
// Tested: package approx is compared with enclosures of package exact, which shares no code with it (TestApprox,
// TestRates, TestSetBitsMoments, TestCorrectRates, TestOptima, TestEfficiencies; a sample of the sweep, TestSample; all
// of it by make sweep, as far as verify/internal/tools/sweep/summary.txt says), its arithmetic in two words with big
// floats (TestDouble, TestWhole), and everything with a slow reference (TestReferences). Package kernel/vec is compared
// with whole numbers and with 160 bits, from one bit to 2^53 (TestRows, TestSums, TestAdvance, TestVisits). These are
// in turn compared with all possible messages on 4 bits (TestOracle), and large filters with a closed form
// (TestVisitsLarge).
// Assumed: math.Exp, Log, Log1p and Expm1 are as accurate as was measured on amd64.
// Wrong if: an error is largest at points that the grids and millions of random points missed, or another architecture
// computes these functions less accurately.
//
// # A corrupt or hostile snapshot does no harm
//
// Enumerated: every byte of small snapshots changed, every cut, extra bytes
// (TestSnapshotEveryByteCounts); readers and writers that fail at every byte
// (TestSnapshotReaderAndWriterErrors).
// Tested: forgeries with right checksums (TestSnapshotRefusesForgeries), headers that claim more data than there are
// (TestSnapshotMemoryIsBounded), and keys (TestSnapshotKey). Fuzzing with corrected checksums must end in an error, or
// in a filter that is written as the same bytes (FuzzSnapshot). Snapshots of the golden files are read and written
// identically on little-endian and big-endian hosts (TestSnapshotGolden). A mapped snapshot with a bad header is
// refused in the same way (TestMapFilterRefuses). Its payload is checked when Verify is called (TestMappedVerify). It
// answers as the filter that was written (TestMappedIsTheFilter). A file that another process truncates at a page while
// it is mapped loses no key and ends no program, by any kernel (TestMappedTruncated, TestMappedTruncatedMeanwhile); Err
// tells of it, and of other changes (TestMappedErr).
// Assumed: Err is asked before the answers of a mapped filter are relied on. Whoever can write a snapshot can set any
// bits.
// Wrong if: a snapshot damaged in another way than these does harm, for example one with two faults that cancel in the
// checks.
//
// # A filter that keeps the laws is not accused
//
// Proved: Conformance accuses a filter that keeps its laws with probability at most 1e-6, if hash functions are random
// functions. Ville's inequality holds for every test, and the levels add up (package conform says what each test claims
// and why it holds).
// Tested: sound filters of every hashing pass (TestSoundFiltersPass), under many seeds; make soak counts how many are
// accused at 0.1, 1e-2 and 1e-3 (TestResumeAndShards and TestPower have samples of it). The counts say nothing about a
// level below the upper end of their interval. Our own filters pass (TestOurFiltersConform). The filters of package
// mutant are wrong in the ways of real libraries. Each is accused under the law that it breaks, and under no other law
// (TestEveryWrongFilterIsAccused; under all laws in make soak). The grid is the documented one (TestGrid). Programs of
// operations find faults of these operations, and the printed programs show them (TestProgramsRun,
// TestProgramsAreShort, FuzzOurFilter). Filters whose authors knew only the interface were examined before and after
// the examination was changed (TestFirstScore; make soak).
// Assumed: the families of keys that it tries represent the keys of users. The host is fast enough: whether a hostile
// snapshot is read in time and within memory depends on the host, and is not covered by the 1e-6.
// Wrong if: a fault is visible only in cases that the examination does not include.
//
// # The statistics themselves
//
// Proved: the level of MeanTest (Bennett's inequality and union bounds, cited), and that of BetTest and CountTest
// (Ville's inequality, Chernoff's moment generating function).
// Tested: the point at which MeanTest rejects, compared with the printed inequality (TestMeanTestRejectsAtBennett); the
// levels by simulation at 0.05 and 0.01, and the power on known shifts (TestMeanTestCalibration, TestMeanTestPower,
// TestBetTestCalibration, TestCountTestCalibration, TestBetTestPower, TestCountTestPower), CountRange by exact tails
// (TestCountRange); intervals by their exact coverage (TestClopperPearsonCoverage) over an incomplete beta function
// compared with exact sums (TestIncompleteBetaExact, TestIncompleteBetaLarge), whose accuracy beyond those is
// extrapolated.
// Assumed: the cited theorems hold, and samples are as each test requires.
// Wrong if: rounding changes a fortune or a tail probability by more than the slack allows.
//
// # Packages import only what they may
//
// Enumerated: every import of every package and test, for six targets with and without
// assembly (TestImportGraph); the checker finds each kind of violation
// (TestImportGraphCheckerCatches).
// Assumed: go list reports what is built.
// Wrong if: a target that is not among the six has another import.
//
// # Recycling filters do as their models say
//
// Enumerated: the exact rate and capacity of every rule are compared with chains over real bit sets, over all outcomes
// of the hash functions, in rationals (TestLongRunBruteForce, TestCycleBruteForce), and with those of the claims, which
// are written separately (TestCyclesAgree).
// Tested: the closed form against the chain (TestCycleRoutes); package approx within its bounds of exact
// (TestRecyclings, TestRecyclingLaws). Three things agree: the model, the filter of package kernel, and a filter that
// draws ideal positions and shares no code with package kernel except the words. They agree in these numbers: false
// positives and correct counts of filled filters, for every hashing (TestFillAgrees); rate and capacity of every rule
// and hashing under all-new traffic, and under repeats that change nothing (TestRecyclingAgrees); false negatives,
// false positives and the length of a cycle under repeats, every rule, fixed and fresh (TestFNRIsSimulated,
// TestFNRAtSize). For filters with slices no exact number is known. Under all-new traffic an enumeration takes its
// place, which elsewhere agrees with package exact (TestEnumeratedIsExact). Under repeats the two filters are compared
// with each other. verify/agreement_test.go has the table of all comparisons. It also has the false-alarm probability
// of the whole, which is below 1e-3 if sums over hundreds of cycles are normal (TestRatioTestCalibration), and the
// deviation of each figure that the same runs would reject, mostly 4 to 20 %. Neighbouring rules, workloads and (26) as
// printed are rejected (TestRecyclingDisagrees, TestFNRDisagrees). The ideal filter itself is compared with sets of
// positions (TestIdeal). Counts and classes equal those of a fully recorded history (TestTally), and arrivals follow
// the paper's process (TestWorkloadLaw, TestRanks, TestLaw).
// Assumed: ChaCha8 gives independent uniform words.
// Wrong if: a rate is off by less than these tests can find.
//
// # False-negative rates are as stated
//
// Proved: which models bound the rate from below or above, and where (package approx/fnr, System.kind); which formulas
// are exact at full size (exact/fnr, System.CycleRates) or bounds (System.CycleBounds). Nothing else is called a bound.
// Enumerated: the exact chain of tiny filters is compared with a chain that keeps real bits and merges no states, for
// every rule and every kind of workload (TestFNRBruteForce). Fillings, (1) to (4), are enumerated over every outcome of
// the hash functions (TestStatesBruteForce). The formulas for full-size filters are compared with the chain
// (TestGroupedAgainstChain, TestRepeatsOnlyAgainstGroups, TestArrivalsLast, TestCycleBounds). An identity that all of
// them obey is checked in rationals (TestUnluckyIdentity). The facts behind the bounds are checked for every order of
// the first arrivals (TestBoundsByOrders) and for all states (TestBoundsTheorem). The filters that can reach a state in
// which they never forget again are listed (TestFNRAbsorbs). Claims say that the kinds hold on grids of tiny filters,
// and have the counterexamples to stronger statements (TestFNRKinds has a sample).
// Tested: each model is compared with its formula as written (TestMarkovByEnumeration, TestMarkovBound, TestRenewal,
// TestLeaveOneOut, TestArrival), the large filters' expansion against the sum (TestLargeIsTheSum), the model exact
// within its bound of package exact (TestExactModel), models where they must be exact (TestEqualMessages,
// TestEqualMessagesTwoPhases). The deviation of models from filters is measured. The fluid limit deviates by the order
// of 1/m (TestFluidOrder). Renewal is within 1 % of simulations (TestRenewalIsSimulated), on either side of the rate
// (TestRenewalIsNoBound). Disabling is within half a per cent (TestDisablingIsClosest). docs/fnr.md has the other
// deviations (TestModelsOfFNR). Real filters have the exact false-negative rates (TestFNRIsSimulated, TestFNRAtSize),
// and the tests detect other rules and workloads (TestFNRDisagrees).
// Assumed: messages arrive independently of one another, and ranks move as in Dozier-FN 3.1.
// Wrong if: a model is wrong where neither exact rates nor simulations reach: large filters, two phases, popularities
// with new messages that become popular.
//
// # The estimates of a trace are right
//
// Tested: every estimate is compared with its definition, key by key (TestEstimateAgainstDefinitions), and the figures
// for random order with shuffles (TestShuffled). Order and change are detected (TestTellsOrder). The estimates of a
// simulated workload are that workload (TestEstimateOfWorkload), and a filter on its arrivals behaves as predicted
// (TestReplayPredicts). The bounds of the summary in bounded memory hold at every arrival, for bad orders too
// (TestSpaceSaving), and its sample is within six standard errors (TestSketch). The share forgotten by the gaps is
// compared with cycles that begin everywhere (TestForgotten).
// Assumed: the model in the comment of package trace, under "What a trace is taken for".
// Wrong if: popularities change within a cycle, or new keys soon become popular. Then predictions by models are wrong,
// by as much as docs/traces.md measures. Those by gaps were within 9 %.
package verify
