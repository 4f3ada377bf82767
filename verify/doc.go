// Package verify brings the parts of the module together and holds them to their
// word. What it exports is for tests of other modules:
//
//   - Conformance and FuzzFilter: the laws of package conform as a test and as a fuzz target
//     of anybody's filter
//   - GenGeometry, GenRecycling, GenPopularity, GenWorkload and GenEnum: gopter
//     generators for every type of the vocabulary; GenSize: for the counts beside them
//
// Its own tests are the examinations that need more than one package. The subpackages are the
// tools:
//
//   - conform: what tells whether anybody's Bloom filter keeps the laws (Examine)
//   - stat: intervals of proportions and of ratios; sequential and numeric, in the module's own
//     folder internal: the tests that our examinations decide by, and what they stand on
//   - mutant: filters broken on purpose, which the examinations must catch
//   - model: the oracle that every filter is compared with, operation by operation
//   - claims: what the papers say, each with a verdict and the check that decides it
//   - accuracy: every number of package approx beside its witness in exact
//   - sweep: the same at millions of points (make sweep)
//   - sim: filters simulated, and what the runs say
//   - trace: the workload that a trace of requests is
//   - asmmutant: assembly broken at every place, which the tests of package kernel/asm must
//     catch (make mutate)
//   - gomutant: the same for the Go code and all tests (make gomutate)
//   - soak: what conform says of many sound and wrong filters, and how often (make soak)
//   - smt: proof obligations of the arithmetic, for an SMT solver (make prove)
//   - theorems: the laws of standard, partitioned, classic and blocked filters, for Coq (make theorems)
//   - machine: the machine code of the kernels that link, for two SMT solvers (make prove)
//   - assurance: the page docs/assurance.md, which is what follows with figures (make assurance)
//
// # What is known, and how
//
// For each promise of the module: what is proved (an argument in a comment or a theorem;
// by machine where it says so), what is enumerated (every case of a finite range), what
// is tested and how far, what is assumed, and what would have to be so for it to be wrong. The
// names are those of the tests; TestHonestyNamesTests fails when one of them is gone. A property
// test shows that it found no counterexample with one seed; -verify.seed takes others. What each
// fuzz target shows, and how much of the code it reaches, stands in docs/fuzzing.md.
//
// # No false negative within a cycle
//
// Proved: the positions of a key are a function of its hash and the geometry, and a
// filter of bits clears them only with the whole array. Nothing more formal than that.
// Tested: random sequences of operations against a model that keeps the true sets
// (TestFilterStateMachine, TestFilterStateMachineEveryImplementation), for recycling
// filters over every combination of rule, retaining, phases, freeze, copy-over,
// positions and hashing on arrays of a few dozen bits (TestRecyclingStateMachine,
// TestRecyclingStateMachineCorners) and against a ledger of what is recorded
// (TestTruthAgainstSets). Counting filters of every width and rule, while no key is
// removed that was not there, also against what the keys that are there add up to
// (TestCountingStateMachine, TestCountingRemoveRestores, FuzzCounting) and at their
// largest values (TestCountingSaturates, TestCountersOfAWord). Wrong rules and stray bits
// are caught (TestRunCatchesEveryWrongRule, TestRunCatchesTheWrongCounting,
// TestRunCatchesAStrayBit). No exported method of a filter, mapped ones included, is left out
// of the sequences (TestRunsCallEveryMethod), which run on generated geometries, rules and
// counters too (TestGeneratedFiltersFollowTheirModels).
// Assumed: memory keeps what is written; one goroutine at a time changes a filter that is
// not made for more.
// Wrong if: two operations that the model never sees in one sequence interfere.
//
// # A recycling filter follows the rule to the letter
//
// Tested: every combination of rule, retaining, phases, freeze, copy-over, positions
// and hashing runs against a model that keeps the recorded messages
// (TestRecyclingStateMachine), and histories worked out by hand pin each clause on the
// filter, alone, in batches and concurrent (TestRecyclingSemantics). Seventeen filters
// that each break one clause are caught by the histories, of which none is idle
// (TestRecyclingMutantsBreakClauses), and by the model (TestRecyclingMutantsAreToldFromModel).
// Assumed: math and papers mean what the histories say.
// Wrong if: two clauses interact in a history that neither kind met.
//
// # A batch is its single calls
//
// Proved: within a cycle bits are only set and the frozen array does not change, so what
// a block of arrivals finds set at its beginning is set at each one's turn; the rest is
// looked at again (package kernel, RecyclingFilter.observe). Nothing more formal.
// Tested: results, events, counts and bits against single calls in turn, with every
// implementation, hashing, scheme, rule and form of keys, about every size of a block,
// with repeats and recycles inside (TestFilterBatchIsSingleCalls,
// TestRecyclingBatchIsSingleCalls), and batches as operations of the programs that run
// against the models (TestFilterStateMachine, TestRecyclingStateMachine, FuzzFilter,
// FuzzRecycling). Bulk loads with parts and piles of every kind (TestBulkIsSingleCalls,
// TestBulkPlan) and one by its own plan (TestBulkSorts). Keys of 8 bytes hash as the
// library hashes them (TestHashOfWords).
// Assumed: what the operations beneath are shown to be, below.
// Wrong if: the plan of a filter of gigabytes goes wrong where that of 35 MiB does not.
//
// # Many goroutines do no harm
//
// Proved: bits are set by atomic OR, which never clears one, and whoever finds its old
// value clear counts it: so each is counted once (package kernel, ConcurrentFilter). A
// recycle holds all lanes, and without room no message is recorded under one lane: so no
// bound is passed but by one who holds them all (ConcurrentRecycling).
// Tested: used by one goroutine at a time, the concurrent filters are a Filter and a
// RecyclingFilter bit for bit, under every rule (TestConcurrentFilterStateMachine,
// TestConcurrentFilterBatchIsSingleCalls, TestConcurrentRecyclingStateMachine,
// TestConcurrentRecyclingBatchIsSingleCalls, FuzzFilter, FuzzRecycling). With six
// goroutines on eight processors of Go and random programs: what was added before is
// contained, counts never fall, at rest bits and count are those of a Filter with the same
// keys, and the answers of Add agree with one first setter a bit
// (TestConcurrentFilterManyAdders); no message is unknown within the cycle that recorded
// it, each cycle ends by one trigger and exactly at its bound, and every bit, message and
// arrival is counted in one cycle (TestConcurrentRecyclingManyObservers); copies and
// unions made meanwhile (TestConcurrentFilterCopiesWhileAdding,
// TestConcurrentRecyclingWhileObserving); the bits of a cycle in another order
// (TestConcurrentRecyclingSameBits). Eleven filters with races that the race detector
// cannot see, as all their accesses are atomic or under a lock, are caught
// (TestConcurrentFilterMutants, TestConcurrentRecyclingMutants). The same tests run under
// the race detector. It does not see memory accesses from assembly; the words of these
// filters have none while others may change them.
// Assumed: sync, sync/atomic and Go's memory model on the host. The tests ran on amd64;
// arm64, whose hardware reorders more, only under qemu, which may reorder less.
// Wrong if: an interleaving that these runs did not meet is wrong.
//
// # Every implementation gives the same bits
//
// Proved: by machine, over the arithmetic as written down once more in verify/proof/smt: the
// sums and counters of the popcount kernels, the masks of tails and ranges, the test for
// overlap, the vector forms of the derivation and of the product in a hash, indices and
// shifts up to m = 2^48. The table in verify/proof/smt/README.md has what each file proves and
// assumes; each is shown to fail when its claim is broken (TestObligations,
// TestFormCatches, TestProveCatches).
// Proved: by machine, from the bytes that the linker wrote: the functions that
// verify/proof/machine/report.txt has as proved return and store what the portable functions do,
// access only what lies inside their slices, and end. For slices below 2^48 elements these are the
// popcount functions for amd64, by POPCNT, AVX2 and AVX-512; look-ups and
// additions of one position at a time, at given positions and from hashes, where the arguments
// lie in the domain of the portable functions; additions to blocks of 512 bits by POPCNT; the
// functions in assembly that choose a kernel for Auto and for one key; HashWords by AVX2 and
// AVX-512, for slices that do not overlap; and the answers for one key in a block of 8 words of
// 32 or 64 bits, by AVX2 and AVX-512, for an array whose words are as many as it says. The comment
// of that command says what a proof rests on. No proof needs a host that can run AVX-512. The
// other kernels are not proved yet.
// Enumerated: short lengths over extreme words, places to the byte, flush against
// forbidden pages on both sides (TestPopcount; TestGuarded that the pages exist).
// Tested: every operation on every implementation of the host, about each threshold
// (TestOps), with random bit density (TestRandomWord), fuzzed (FuzzPopcount); that the
// choice reaches the kernel it names (TestPath, TestJumps). The kernels on float64 alike,
// to the last bit (TestTransition, FuzzTransition), and what package kernel/vec makes of
// them, on every architecture that runs the tests (TestBits). Those that hash keys against
// the definition of XXH3-128 over bytes (TestHash, FuzzHash, TestHashBatch). Kernels broken
// on purpose are caught (TestMutants, TestTransitionMutants, TestHashMutants of asmtest).
// Tested: on every host, at the start of every program: each kernel that may be chosen, on one
// input. If one is wrong, Go code runs its family (TestWrongKernelFallsBack). This finds a
// CPU, an emulator or a binary that is wrong always. It does not find a fault that depends on
// the input, the core or the time, and an instruction that the CPU lacks ends the program.
// Assumed: the Go assembler; the CPU; that cpuid tells the truth. AVX-512 runs on a host
// that has it, and on no emulator of ours; NEON runs under qemu.
// Wrong if: a fault needs a length, alignment or word that neither grid nor fuzzing met.
//
// # Positions are as good as ideal ones
//
// Proved: that positions are in range, that the words of a stream are distinct, and how
// far multiply-shift is from uniform, at most 2^-52 for each position (by machine,
// verify/proof/smt); what that does to a rate (overview of package kernel). That the words of
// the stream behave as independent is not proved: it is a claim about a mixing function.
// Enumerated: the effect of uneven positions for short words
// (TestUnevenPositionsMoveTheRateInSecondOrder).
// Tested: rate, set bits, place, repeats and meetings of positions against their exact
// laws for m = 64, 96, 257, 1024 and 65536, k from 1 to 40, all three hashings, rates of
// about 0.03 and 0.4; ideal hashes, sequential integers, long common prefixes and hashes
// that count (TestPositionsAreGoodEnough). Filters are the sampling unit; the
// false-alarm probability of the whole, 1e-3, is a theorem given the exact variance and
// independent filters (package sequential). The test logs what it can see: at its default
// effort a rate that is off by some 2.5% in the median cell is found half of the time, at
// -probes=1000000000 one that is off by 0.6%. Plain double hashing and three other
// mutants fail the same examination (TestMutantsAreCaught) and the same filter without a
// fault passes it (TestMutantFilterWithoutFaultPasses).
// Assumed: XXH3 under random seeds, and ChaCha8, give independent uniform words.
// Wrong if: a dependence moves rates by less than that, shows only beyond m = 65536 or
// k = 40, or for keys of another pattern. The default seed is public: whoever chooses keys
// against it chooses the rate. For such keys there is SipHash, whose quality is assumed.
//
// # An enclosure contains the true value
//
// Proved: outward rounding step by step over what math/big documents, remainders of
// exponential and logarithm counted beside the code (package exact/internal/interval).
// Proved: by Coq, over finite spaces of hash outcomes and without axioms: the formulas of the
// routes for standard, classic, partitioned and blocked filters, that the rate falls with the
// bits and rises with the items, and the bounds by which the search for the best k excludes
// others (verify/proof/theorems has the list). Coq does not check the Go code that computes
// these formulas. It computes the rates of 902 small filters, which every route must have
// (TestCounted).
// Enumerated: all hash outcomes of small filters, in rationals, against every route
// (TestBruteForce), of small sets of filters that share items (TestFilterSetsBruteForce),
// and all outcomes of the balls and committees of small laws (TestDistributionBruteForce).
// Tested: interval operations against rationals and against themselves at another
// precision (TestRationalOps, TestElementary, TestIdentities), where they underflow or are
// undefined (TestUnderflow, TestUndefined). The counted error bounds beneath, before
// guard bits can hide one that is missing (TestRawPoints, TestLn2Fixed, TestSeries,
// TestPowFixed, TestAltSum, TestMomentWeights, TestClassicPowers, TestHitsMissed).
// Exponentials, logarithms and powers against bigfloat, which computes them in another way
// (TestWitness), within an error that follows from its code (TestWitnessErrors).
// Values of large filters and of laws against independent programs (TestReference,
// TestDistributionReference); the routes against one another, fuzzed (TestRoutesOverlap,
// TestDistributionRoutesOverlap, FuzzFPRRoutes, FuzzLaw).
// Assumed: Add, Sub, Mul, Quo and Set of big.Float round as they say; big.Int is right.
// Wrong if: a formula is right on all small filters and wrong on large ones, in every
// route alike.
//
// # Bounds are ordered as claimed
//
// Enumerated: on a grid of small filters, in rationals, with the least counterexamples
// outside the domain (TestOrder, TestTheorem15, TestBoundsAgree, TestBoseUpper).
// Tested: with random parameters up to m, n = 2^64-1 and k = 64, by enclosures that decide
// the order or say that they cannot (TestBoundsAreOrdered).
// Assumed: the papers' proofs, where they are sound, for what lies between the grid and the
// samples.
// Wrong if: an order that is confirmed without proof fails for a large filter that no sample met.
//
// # What the papers claim
//
// Enumerated: identities on every filter of a few bits, all positions of all items, and
// inequalities and conjectures on the ranges that docs/claims.md gives for each; refuted
// claims with their counterexample (TestClaims; all of it by bloomproof claims -run -effort
// full). Every equation and every theorem of Burns and of Fan has an entry (TestEveryEquation,
// TestEveryTheorem).
// Proved: where the entry says so. A claim that is confirmed without proof is one without
// a counterexample in its range.
// Tested: every domain that is not exhausted is attacked at points that are not round: the
// ends of the ranges, dense logarithmic grids, random points, climbs on the margin of a law.
// The attack finds the breaks of domains that were once recorded (TestAttackFindsBreaks). The
// words of a domain are made from the box that is visited and attacked (TestDomains,
// TestDomainText). Checks fail when their law breaks, when nothing is in their domain, and
// when a smaller counterexample exists (TestChecksFail); the same laws on large filters by
// enclosures (TestLargeFilters, TestRoutesAgree, TestDistributionSums), the laws of package exact
// against the enumeration (TestDepartments). Every claim has a check (TestRegistry); in
// packages verify and verify/claims, and in no other, a test that runs a property or asks for
// numbers of exact or approx names the claims that it checks, or says that it checks none
// (TestTestsNameTheirClaims). Those that any Go file names exist
// (TestNamedClaimsExist).
// Assumed: the text of the papers is as it was read; the conversion lost underlines of
// falling factorials.
// Wrong if: the papers mean something else than the check says, or a claim that is confirmed
// without proof has its smallest counterexample beyond the range.
//
// # A float64 result is within its stated bound
//
// Proved: the truncation of series and of sums over the nodes of a circle, the roundings
// counted to first order, over the code; one factor of 1.3 in the classic rate is measured.
// Tested: package approx against enclosures of package exact, which shares no code with
// it (TestApprox, TestRates, TestSetBitsMoments, TestCorrectRates,
// TestOptima, TestEfficiencies; a sample of the sweep, TestSample; all of it by make sweep,
// as far as verify/internal/tools/sweep/summary.txt says), its arithmetic in two words against
// big floats (TestDouble, TestWhole), and all against a slow reference (TestReferences).
// Package kernel/vec against whole numbers and 160 bits, from one bit to 2^53 (TestRows, TestSums,
// TestAdvance, TestVisits), those in turn against every message that there is on 4 bits
// (TestOracle); large filters against a closed form (TestVisitsLarge).
// Assumed: math.Exp, Log, Log1p and Expm1 are as accurate as was measured on amd64.
// Wrong if: an error peaks at points that millions of draws and the grids missed, or another
// architecture computes these functions worse.
//
// # A corrupt or hostile snapshot does no harm
//
// Enumerated: every byte of small snapshots changed, every cut, extra bytes
// (TestSnapshotEveryByteCounts); readers and writers that fail at every byte
// (TestSnapshotReaderAndWriterErrors).
// Tested: forgeries with right checksums (TestSnapshotRefusesForgeries), headers that
// claim more than there is (TestSnapshotMemoryIsBounded), keys (TestSnapshotKey), fuzzing
// with checksums mended: an error, or a filter that encodes to the same bytes
// (FuzzSnapshot). Snapshots of the golden files are read and written on little-endian and
// big-endian hosts alike (TestSnapshotGolden).
// A snapshot that is mapped is refused by its header alike (TestMapFilterRefuses), whose
// payload is checked when asked for (TestMappedVerify), and answers as the filter that was
// written (TestMappedIsTheFilter).
// Assumed: a file stays as long as it was while it is mapped. Whoever may write a snapshot
// may set any bits.
// Wrong if: a snapshot of another kind than these does harm, such as two faults that mend each
// other's checks.
//
// # A filter that keeps the laws is not accused
//
// Proved: that Conformance accuses a filter that keeps its laws with probability at most
// 1e-6, over hash functions that are random functions: Ville's inequality for every test, and
// levels that add up (package conform says what each test claims and why it holds).
// Tested: sound filters of every hashing pass (TestSoundFiltersPass), under many seeds; how many
// are accused at 0.1, 1e-2 and 1e-3 is counted (make soak, of which TestResumeAndShards and
// TestPower have samples), which says nothing of a level below the upper end of its interval; our
// own filters pass (TestOurFiltersConform). The filters of package mutant, wrong in the ways of
// real libraries, are accused, each under the law that it breaks, and of nothing else
// (TestEveryWrongFilterIsAccused; under all laws in make soak). The grid is the one that is said
// (TestGrid). Programs of a filter's operations find what is wrong with those, and what is printed
// shows it (TestProgramsRun, TestProgramsAreShort, FuzzOurFilter). Filters of authors who had the
// interface alone were examined before and after the examination was changed (TestFirstScore; make
// soak).
// Assumed: keys of the families that it tries stand for those of users. The host keeps up:
// whether a hostile snapshot is read in time and within memory depends on it, outside the 1e-6.
// Wrong if: a fault shows elsewhere than where it looks.
//
// # The statistics themselves
//
// Proved: the level of MeanTest (Bennett's inequality and union bounds, cited), that of
// BetTest and CountTest (Ville's inequality, Chernoff's moment generating function).
// Tested: where it rejects against the inequality as printed
// (TestMeanTestRejectsAtBennett), that level by simulation at 0.05 and 0.01, its power on
// known shifts (TestMeanTestCalibration, TestMeanTestPower, TestBetTestCalibration,
// TestCountTestCalibration, TestBetTestPower, TestCountTestPower), CountRange by exact tails
// (TestCountRange); intervals by their exact coverage
// (TestClopperPearsonCoverage) over an incomplete beta function compared with exact sums
// (TestIncompleteBetaExact, TestIncompleteBetaLarge), whose accuracy beyond those is
// extrapolated.
// Assumed: the theorems as cited; samples are what each test says that it takes.
// Wrong if: rounding moves a fortune or a tail by more than the slack that is paid for it.
//
// # The rooms stay apart
//
// Enumerated: every import of every package and test, for six targets with and without
// assembly (TestImportGraph); the checker finds each kind of violation
// (TestImportGraphCheckerCatches).
// Assumed: go list tells what is built.
// Wrong if: a target that is not among the six brings an import of its own.
//
// # Recycling filters do as their models say
//
// Enumerated: the exact rate and capacity of every rule against chains over real bit sets,
// all outcomes of the hash functions, in rationals (TestLongRunBruteForce,
// TestCycleBruteForce); those of the claims, written apart (TestCyclesAgree).
// Tested: the closed form against the chain (TestCycleRoutes); package approx within its
// bounds of exact (TestRecyclings, TestRecyclingLaws).
// The model, the filter of package kernel and one that draws ideal positions and
// shares no code with it but the words agree: false positives and correct counts of what is
// filled, every hashing (TestFillAgrees); rate and capacity of every rule and hashing under
// all-new traffic, and under repeats that change nothing (TestRecyclingAgrees); false
// negatives, false positives and the length of a cycle under repeats, every rule, fixed and
// fresh (TestFNRIsSimulated, TestFNRAtSize). With slices there is no exact
// number: an enumeration that is package exact's elsewhere takes its place under all-new
// traffic (TestEnumeratedIsExact), and under repeats the two filters are compared with each
// other. The table of it all, the false-alarm probability of the whole, below 1e-3 as far as
// sums over hundreds of cycles are normal (TestRatioTestCalibration), and what deviation of
// each figure the same runs are shown to reject, mostly 4 to 20 %, stand in
// verify/agreement_test.go. Neighbouring rules, workloads and (26) as printed are rejected
// (TestRecyclingDisagrees, TestFNRDisagrees). The ideal filter itself is compared with
// sets of positions (TestIdeal).
// Counts and classes are those of a history kept whole (TestTally), arrivals those of the
// paper's process (TestWorkloadLaw, TestRanks, TestLaw).
// Assumed: ChaCha8 gives independent uniform words.
// Wrong if: a rate is off by less than these tests see.
//
// # What a filter forgets is what is said
//
// Proved: which models bound the rate from below or above, and where (package approx/fnr,
// System.kind), and the formulas that are exact at full size (exact/fnr, System.CycleRates) or
// bounds (System.CycleBounds); no more than that is called a bound.
// Enumerated: the exact chain of tiny filters against one that keeps real bits and merges
// nothing, every rule and every kind of workload (TestFNRBruteForce); fillings, (1) to
// (4), over every outcome of the hash functions (TestStatesBruteForce); the formulas at full
// size against the chain (TestGroupedAgainstChain, TestRepeatsOnlyAgainstGroups,
// TestArrivalsLast, TestCycleBounds), and the sum that all of them keep, in rationals
// (TestUnluckyIdentity). What the bounds rest on is that of every order of the first arrivals
// (TestBoundsByOrders) and of all states (TestBoundsTheorem).
// Which filters can come to forget no more (TestFNRAbsorbs). That the kinds hold on grids
// of tiny filters, and the counterexamples that forbid more, are claims (TestFNRKinds has
// a sample).
// Tested: each model against its formula as it is written (TestMarkovByEnumeration, TestMarkovBound,
// TestRenewal, TestLeaveOneOut, TestArrival), the large filters' expansion against the sum
// (TestLargeIsTheSum), the model exact within its bound of package exact (TestExactModel),
// models where they must be exact (TestEqualMessages, TestEqualMessagesTwoPhases). How far
// models are from filters is measured: the fluid limit by the order of 1/m (TestFluidOrder), renewal
// by 1 % of simulations (TestRenewalIsSimulated) and on both sides of the rate
// (TestRenewalIsNoBound), disabling by half a per cent (TestDisablingIsClosest), and as
// docs/fnr.md says (TestModelsOfFNR). Real filters forget as the exact rates
// say (TestFNRIsSimulated, TestFNRAtSize), and other rules and workloads are told
// apart (TestFNRDisagrees).
// Assumed: messages arrive independently of one another, and ranks move as in Dozier-FN 3.1.
// Wrong if: a model strays where neither exact rates nor simulations reach: large filters, two
// phases, popularities with new messages that become popular.
//
// # A trace is what is said of it
//
// Tested: every estimate against its definition, key by key (TestEstimateAgainstDefinitions);
// what is said of random order against shuffles (TestShuffled), and that order and change are
// told (TestTellsOrder); a simulated workload comes out as it went in
// (TestEstimateOfWorkload), and a filter on its arrivals as predicted (TestReplayPredicts).
// The bounds of the summary in bounded memory at every arrival, for bad orders too
// (TestSpaceSaving); what it samples within six standard errors (TestSketch). What the gaps
// say is forgotten against cycles that begin everywhere (TestForgotten).
// Assumed: what stands in the comment of package trace under "What a trace is taken for".
// Wrong if: popularities move within a cycle, or keys that are new soon become popular; then
// predictions by models are, by what docs/traces.md measures. Those by gaps were within 9 %.
package verify
