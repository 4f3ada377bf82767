// Package verify tests that the parts of the module agree, and that they do what their comments say. It exports
// functions that tests of other modules can use:
//
//   - Conformance and FuzzFilter: the laws of package conform as a test and as a fuzz target, for filters of any
//     library
//   - GenGeometry, GenRecycling, GenPopularity, GenWorkload and GenEnum: gopter generators for every type of the
//     vocabulary; GenSize: a generator for counts
//
// The tests in this package are the tests that need more than one package. The subpackages are tools:
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
// Each section below is about one promise of the module. It says what is proved, what is enumerated, what is tested and
// how far, and what is assumed. A proof is an argument in a comment or a theorem. A proof was checked by machine only
// if the section says so. "Enumerated" means that every case of a finite range was computed. The line "Wrong if" says
// under which condition the promise would be wrong. The names in parentheses are names of tests. TestHonestyNamesTests
// fails if one of these tests does not exist. A property test shows only that no counterexample was found with the
// default seed. The flag -verify.seed sets another seed. docs/fuzzing.md says what each fuzz target shows, and how much
// of the code it reaches.
//
// # No false negative within a cycle
//
// Proved: the positions of a key are a function of its hash and the geometry. A filter of bits never clears a single
// bit, but only the whole array. This argument is the whole proof.
// Tested: random sequences of operations are compared with a model that keeps the true sets (TestFilterStateMachine,
// TestFilterStateMachineEveryImplementation). For recycling filters the sequences cover every combination of rule,
// retaining, phases, freeze, copy-over, positions and hashing. The arrays of these filters have a few dozen bits
// (TestRecyclingStateMachine, TestRecyclingStateMachineCorners). Recycling filters are also compared with a list of the
// recorded messages (TestTruthAgainstSets). Counting filters of every width and rule are compared with the sums over
// the keys in the filter. This comparison holds as long as only keys in the filter are removed
// (TestCountingStateMachine, TestCountingRemoveRestores, FuzzCounting). Counting filters are also tested at their
// largest values (TestCountingSaturates, TestCountersOfAWord). The comparison finds wrong rules, and bits that no key
// set (TestRunCatchesEveryWrongRule, TestRunCatchesTheWrongCounting, TestRunCatchesAStrayBit). The sequences call every
// exported method of every filter, mapped filters included (TestRunsCallEveryMethod). They also run on generated
// geometries, rules and counters (TestGeneratedFiltersFollowTheirModels).
// Assumed: memory does not lose or change what is written. Only one goroutine at a time changes a filter that is not
// made for concurrent use.
// Wrong if: two operations interfere with each other, and no tested sequence contains both.
//
// # A recycling filter follows the rule to the letter
//
// Tested: filters are compared with a model that keeps the recorded messages (TestRecyclingStateMachine). The
// comparison covers every combination of rule, retaining, phases, freeze, copy-over, positions and hashing. Short
// sequences of messages, called histories, check each clause of the rule (TestRecyclingSemantics). The expected results
// of the histories were worked out by hand. The histories run on the filter with single calls, in batches, and on
// concurrent filters. Seventeen filters that are wrong on purpose break one clause each. The histories find all of
// these faults, and each history finds at least one fault (TestRecyclingMutantsBreakClauses). The model also finds all
// of these faults (TestRecyclingMutantsAreToldFromModel).
// Assumed: the histories express what the papers and the specification mean.
// Wrong if: two clauses interact in a history that neither the model's sequences nor the written histories contain.
//
// # A batch does what its single calls do
//
// Proved: within a cycle bits are only set, and the frozen array does not change. So a bit that is set at the beginning
// of a block of arrivals is still set when each arrival of the block is processed. The other bits are read again
// (package kernel, RecyclingFilter.observe). This argument is the whole proof.
// Tested: the results, events, counts and bits of a batch are compared with those of single calls for the same keys.
// The comparison covers every implementation, hashing, scheme, rule and form of keys. Batches have all sizes near the
// size of a block, with repeats and recycles inside (TestFilterBatchIsSingleCalls, TestRecyclingBatchIsSingleCalls).
// Batches are also operations in the programs that are compared with the models (TestFilterStateMachine,
// TestRecyclingStateMachine, FuzzFilter, FuzzRecycling). A bulk load sorts the positions of the keys by parts of the
// array, according to a plan. Bulk loads are tested with plans of every kind (TestBulkIsSingleCalls, TestBulkPlan), and
// once with the plan that they choose themselves (TestBulkSorts). Our code for keys of 8 bytes computes the same hash
// as the hash library (TestHashOfWords).
// Assumed: the operations on words are right. The section "Every implementation gives the same bits" is about them.
// Wrong if: the plan of a bulk load is wrong for a filter of several gigabytes. The largest filter tested has 35 MiB.
//
// # Many goroutines do no harm
//
// Proved: bits are set by atomic OR, which never clears a bit. The goroutine that finds the old value of a bit clear
// counts the bit, so each bit is counted once (package kernel, ConcurrentFilter). A concurrent recycling filter has
// several locks, called lanes. A recycle holds all lanes. A goroutine that holds one lane records a message only if the
// number of set bits then stays below the bound. So only a goroutine that holds all lanes can pass the bound
// (ConcurrentRecycling).
// Enumerated: every schedule of small programs (TestEverySchedule, make interleavings). In these programs up to three
// goroutines share arrays of one or a few words. The explored code is the code that ships for hosts without assembly,
// with sync and sync/atomic replaced by a scheduler. A schedule is an order of the operations of these two packages.
// Go's memory model permits TryLock to fail although a lock is free. One case also explores such failures. Each plain
// memory access is checked for a data race, and none was found. So by the memory model, go.dev/ref/mem, no other
// behaviour exists, whatever the hardware reorders. In each schedule no bit is lost, and the comments of the two types
// permit all answers and counts. No message is unknown within its cycle, each cycle ends at its bound, and every
// goroutine ends. Schedules that differ only in the order of independent operations are explored once. For random
// programs, a test checks that this reduction loses no behaviour (TestReductionLosesNothing). The exploration finds a
// fault in each of 25 wrong variants of the code, and in each of the eleven wrong filters that the next paragraph
// describes (TestEveryWrongVariant).
// Tested: a concurrent filter that only one goroutine at a time uses equals a Filter or a RecyclingFilter bit for bit.
// This is tested under every rule (TestConcurrentFilterStateMachine, TestConcurrentFilterBatchIsSingleCalls,
// TestConcurrentRecyclingStateMachine, TestConcurrentRecyclingBatchIsSingleCalls, FuzzFilter, FuzzRecycling). Six
// goroutines run random programs with GOMAXPROCS 8. In concurrent filters, keys that were added before are contained,
// and counts never fall (TestConcurrentFilterManyAdders). The final bits and count equal the bits and count of a Filter
// with the same keys. The answers of Add agree with the fact that exactly one goroutine was the first to set each bit.
// In concurrent recycling filters, no message is unknown within the cycle that recorded it
// (TestConcurrentRecyclingManyObservers). Each cycle is ended by one message, exactly at its bound. Every bit, message
// and arrival is counted in one cycle. Copies and unions that are made at the same time are tested
// (TestConcurrentFilterCopiesWhileAdding, TestConcurrentRecyclingWhileObserving). The bits of a cycle are also compared
// with the bits after its messages came in another order (TestConcurrentRecyclingSameBits). Eleven filters have races
// that the race detector cannot see, as all their accesses are atomic or under a lock. The tests catch all eleven
// (TestConcurrentFilterMutants, TestConcurrentRecyclingMutants). The same tests run under the race detector. The race
// detector does not see memory accesses from assembly. But assembly does not access the words of these filters while
// other goroutines may change them.
// Assumed: sync, sync/atomic and Go's compiler implement Go's memory model on the host. The tests ran on amd64. The
// hardware of arm64 reorders memory accesses more, but arm64 was tested only under qemu, which may reorder them less.
// Wrong if: a fault did not occur in the random runs, and needs four goroutines, larger arrays or longer programs than
// the explored ones.
//
// # Every implementation gives the same bits
//
// Proved: by machine, for the arithmetic of the kernels, which verify/proof/smt states a second time for a solver. The
// proofs are about the sums and counters of the popcount kernels, the masks of tails and ranges, and the test for
// overlap. They are also about the vector code that derives positions, and about the vector code of the product in a
// hash. Indices and shifts are proved up to m = 2^48. The table in verify/proof/smt/README.md says what each file
// proves and assumes. Each proof is shown to fail if its claim is broken (TestObligations, TestFormCatches,
// TestProveCatches).
// Proved: by machine, from the bytes that the linker wrote, for the functions that verify/proof/machine/report.txt
// lists as proved. These functions return and store the same as the portable functions, access only memory inside their
// slices, and end. The proofs are for slices below 2^48 elements. The popcount functions for amd64 are proved, by
// POPCNT, AVX2 and AVX-512. Look-ups and additions of one position at a time are proved, at given positions and from
// hashes. Their arguments must be in the domain of the portable functions. Additions to blocks of 512 bits are proved
// for POPCNT. The functions in assembly that choose a kernel for Auto and for one key are proved. HashWords is proved
// for AVX2 and AVX-512, for slices that do not overlap. The answers for one key in a block of 8 words of 32 or 64 bits
// are proved for AVX2 and AVX-512. This proof is for an array that has as many words as it states. Positions are proved
// for AVX2 and AVX-512. Look-ups and additions of many keys in blocks of 8 words are proved for AVX2. Look-ups of one
// key in a block of 512 bits are proved for AVX2 and AVX-512, those of many keys for AVX2, and the addition of one key
// for AVX-512. For arm64, by NEON, the popcount functions are proved, and so are positions, look-ups and additions of
// one position at a time, additions of one key to a block of 512 bits, and look-ups and additions of one and of many
// keys in blocks of 8 words. The comment of the command verify/proof/machine says what a proof relies on. No proof
// needs a host that can run AVX-512. The other kernels are not proved yet.
// Enumerated: all short lengths with extreme words (TestPopcount), at every alignment in bytes. The inputs also lie
// directly before and directly behind memory pages that must not be accessed. TestGuarded checks that an access to
// these pages is detected.
// Tested: every operation runs in every implementation that the host has, at lengths near each threshold at which the
// code path changes (TestOps). The operations also run with random bit density (TestRandomWord), and under fuzzing
// (FuzzPopcount). Tests also check that the choice of an implementation reaches the kernel that it names (TestPath,
// TestJumps). The kernels on float64 are tested in the same way, to the last bit (TestTransition, FuzzTransition). So
// are the functions of package kernel/vec that use these kernels, on every architecture that runs the tests (TestBits).
// Kernels that hash keys are compared with the definition of XXH3-128 over bytes (TestHash, FuzzHash, TestHashBatch).
// Kernels broken on purpose are caught (TestMutants, TestTransitionMutants, TestHashMutants of asmtest).
// Tested: at the start of every program, on every host, each kernel that may be chosen runs with one input. If a kernel
// is wrong, Go code is used for all kernels of its family (TestWrongKernelFallsBack). This finds a CPU, an emulator or
// a binary that is always wrong. It does not find a fault that depends on the input, the core or the time. An
// instruction that the CPU lacks ends the program.
// Assumed: the Go assembler and the CPU are right, and cpuid tells the truth. AVX-512 was tested only on hosts that
// have it, as none of our emulators has it. NEON was tested only under qemu.
// Wrong if: a fault occurs only with a length, alignment or word that neither the enumeration nor fuzzing tried.
//
// # Positions behave as ideal ones do
//
// Proved: positions are in range, and the words of a stream are distinct. Multiply-shift deviates from uniform by at
// most 2^-52 for each position (by machine, verify/proof/smt). The overview of package kernel proves how much this
// deviation changes a rate. It is not proved that the words of the stream behave like independent words, since this
// depends on the mixing function of the stream.
// Enumerated: the effect of uneven positions for short words (TestUnevenPositionsMoveTheRateInSecondOrder).
// Tested: five statistics are compared with their exact distributions (TestPositionsAreGoodEnough): the rate, the
// number of set bits, where positions lie, how often a key's positions repeat, and how often two keys have positions in
// common. The filters have m = 64, 96, 257, 1024 and 65536, k from 1 to 40, all three hashings, and rates of about 0.03
// and 0.4. The keys are ideal hashes, sequential integers, long common prefixes and hashes that count. The sample
// consists of filters, not of look-ups. The probability that any of these tests fails by chance is at most 1e-3. This
// is a theorem, given the exact variance and independent filters (package sequential). The test logs which deviations
// it can find. In the median case at its default effort, it finds a rate that is off by some 2.5 % half of the time. At
// -probes=1000000000 it finds a rate that is off by 0.6 % half of the time. Plain double hashing and three other wrong
// derivations fail the same examination (TestMutantsAreCaught). The same filter without a fault passes it
// (TestMutantFilterWithoutFaultPasses).
// Assumed: XXH3 under random seeds, and ChaCha8, give independent uniform words.
// Wrong if: a dependence between positions changes rates by less than these deviations, or is visible only beyond m =
// 65536 or k = 40, or only for keys with another pattern. The default seed is public, so anyone who can choose the keys
// can choose the rate. Use SipHash for such keys. The quality of SipHash is assumed.
//
// # An enclosure contains the true value
//
// Proved: every step rounds outwards, given what math/big documents. Comments next to the code bound the remainders of
// exponential and logarithm (package exact/internal/interval).
// Proved: by Coq, over finite spaces of hash outcomes and without axioms. The theorems give the formulas by which
// package exact computes the rates of standard, classic, partitioned and blocked filters. They also show that the rate
// falls with the number of bits and rises with the number of items. The bounds by which the search for the best k
// excludes other k are proved. So is the order L <= f <= U of the rates and their bounds, with a new proof of Theorem
// 15 of Burns. verify/proof/theorems has the list. Coq does not check the Go code that computes these formulas. Coq
// computes the rates of 902 small filters, and every route must give the same rates (TestCounted).
// Enumerated: for small filters the rate is computed over all hash outcomes, in rationals, and compared with every
// formula of package exact (TestBruteForce). The same is done for small sets of filters that share items
// (TestFilterSetsBruteForce). For small distributions all outcomes of the balls and committees are enumerated
// (TestDistributionBruteForce).
// Tested: interval operations are compared with rationals and with themselves at another precision (TestRationalOps,
// TestElementary, TestIdentities). This includes operations that underflow or are undefined (TestUnderflow,
// TestUndefined). The error bounds of the lower-level functions are tested without extra precision, which could hide a
// missing error term (TestRawPoints, TestLn2Fixed, TestSeries, TestPowFixed, TestAltSum, TestMomentWeights,
// TestClassicPowers, TestHitsMissed). Exponentials, logarithms and powers are compared with bigfloat, which computes
// them in another way (TestWitness). The permitted error follows from the code of bigfloat (TestWitnessErrors). Values
// of large filters and of distributions are compared with independent programs (TestReference,
// TestDistributionReference). The different formulas for the same number are compared with one another, and fuzzed
// (TestRoutesOverlap, TestDistributionRoutesOverlap, FuzzFPRRoutes, FuzzLaw).
// Assumed: Add, Sub, Mul, Quo and Set of big.Float round as documented, and big.Int is right.
// Wrong if: a formula is right for all small filters and wrong for large filters, and all formulas for the same number
// have the same error.
//
// # Bounds are ordered as claimed
//
// Enumerated: the orders are checked on a grid of small filters, in rationals. For each order the smallest
// counterexample outside its domain is found (TestOrder, TestTheorem15, TestBoundsAgree, TestBoseUpper).
// Tested: the orders are checked with random parameters up to m, n = 2^64-1 and k = 64. The enclosures decide the order
// or say that they cannot (TestBoundsAreOrdered).
// Assumed: for filters that are neither in the grid nor in the samples, the papers' proofs are right. No error in them
// is known.
// Wrong if: an order that was checked but not proved fails for a large filter that is not among the samples.
//
// # What the papers claim
//
// Enumerated: identities are checked on every filter of a few bits, for all positions of all items. Inequalities and
// conjectures are checked on the ranges that docs/claims.md gives for each. Refuted claims are checked with their
// counterexample (TestClaims; bloomproof claims -run -effort full checks all of it). Every equation and every theorem
// of Burns and of Fan has an entry (TestEveryEquation, TestEveryTheorem).
// Proved: the claims whose entry says so. A claim that is confirmed without proof has no counterexample in its range.
// Tested: a search looks for counterexamples in every domain that is not exhausted. It tries points that are not round:
// the ends of the ranges, dense logarithmic grids, and random points. From each point it also moves to points at which
// the claimed inequality is closer to equality. This search finds the faults in domains that were recorded wrongly in
// the past (TestAttackFindsBreaks). The text of a domain is made from the same ranges that are visited and searched
// (TestDomains, TestDomainText). A check fails when its statement is false at some point, when its domain is empty, and
// when a smaller counterexample than the stated one exists (TestChecksFail). Enclosures check the same laws on large
// filters (TestLargeFilters, TestRoutesAgree, TestDistributionSums). The laws of package exact are checked against the
// enumeration (TestDepartments). Every claim has a check (TestRegistry). The tests of packages verify and verify/claims
// name the claims that they check, or say that they check none (TestTestsNameTheirClaims). This rule holds for tests
// that run a property or that ask for numbers of exact or approx. It does not hold in other packages. Every claim that
// a Go file names exists (TestNamedClaimsExist).
// Assumed: the text of the papers is as it was read. The conversion lost underlines of falling factorials.
// Wrong if: a check does not express what the paper means, or a claim that was checked but not proved has its smallest
// counterexample outside the range.
//
// # A float64 result is within its stated bound
//
// Proved: comments of the code bound the truncation of series and of sums over the nodes of a circle. They bound
// rounding errors to first order. The elementary functions (exponentials, logarithms, sine, cosine, arc tangent) are our
// own. A program reads their source and proves their error bounds on their whole domain: the error of the series with
// rational numbers, and the rounding errors with ranges of numbers (make floats, TestCertificate, TestTables). If the
// source has a fault, the program refuses it or finds a bound that is too small (TestFaults). Their results are the same
// on all architectures (TestSameEverywhere). The same program proves a factor of 1.3 in the error bound of the classic
// rate for all k, m and n, with ranges of parameters (TestCertificate, TestCircleOfPoisson, TestRanges).
// Tested: package approx is compared with enclosures of package exact, which shares no code with it (TestApprox,
// TestRates, TestSetBitsMoments, TestCorrectRates, TestOptima, TestEfficiencies). A sweep makes this comparison at many
// more points. A test runs a sample of the sweep (TestSample). The command make sweep runs the whole sweep, and
// verify/internal/tools/sweep/summary.txt says how far it has come. The arithmetic of package approx with pairs of
// float64 is compared with big floats (TestDouble, TestWhole). Slow references are compared with the functions of
// package approx, and with each other (TestReferences). Package kernel/vec is compared with computations in whole
// numbers and with 160 bits of precision, for arrays from one bit to 2^53 (TestRows, TestSums, TestAdvance,
// TestVisits). These two references are in turn compared with all possible messages on 4 bits (TestOracle). Large
// filters are compared with a closed form (TestVisitsLarge).
// Assumed: the derivations in comments, which no machine checks. In package approx/fnr these constants of error bounds
// are measured or estimated, with a margin, and not proven: steadyError (large_curve.go), smallSumError
// (exact_small.go), sumError (exact_large.go), fluidError (fluid.go), and the conditions of closeBy (biuniform.go).
// Wrong if: a derivation in a comment is wrong, and the error is largest at points that the grids and millions of random
// points missed.
//
// # A corrupt or hostile snapshot does no harm
//
// Enumerated: every byte of small snapshots is changed, snapshots are cut at every byte, and extra bytes are added
// (TestSnapshotEveryByteCounts). The underlying reader or writer fails at every byte
// (TestSnapshotReaderAndWriterErrors). Tested: forgeries with right checksums (TestSnapshotRefusesForgeries), and
// headers that claim more data than there are (TestSnapshotMemoryIsBounded). Wrong secret keys are refused
// (TestSnapshotKey). Fuzzing with corrected checksums must end in an error, or in a filter that is written as the same
// bytes (FuzzSnapshot). Stored snapshots are read and written identically on little-endian and big-endian hosts
// (TestSnapshotGolden). A mapped snapshot with a bad header is refused in the same way (TestMapFilterRefuses). The
// payload of a mapped snapshot is checked when Verify is called (TestMappedVerify). A mapped filter answers as the
// filter that was written (TestMappedIsTheFilter). Another process may truncate a file at a page boundary while the
// file is mapped. Then no key is lost and the program does not end, with any kernel (TestMappedTruncated,
// TestMappedTruncatedMeanwhile). Err reports the truncation, and other changes (TestMappedErr).
// Assumed: the program calls Err before it relies on the answers of a mapped filter. Anyone who can write a snapshot
// can set any bits.
// Wrong if: a snapshot that is damaged in another way does harm, such as a snapshot with two faults that cancel each
// other in the checks.
//
// # A filter that keeps the laws is not accused
//
// Proved: Conformance accuses a filter that keeps its laws with probability at most 1e-6, if hash functions are random
// functions. Ville's inequality bounds the false-alarm probability of each test, and the sum of these probabilities is
// at most 1e-6. Package conform says what each test claims and why it holds.
// Tested: sound filters of every hashing pass under many seeds (TestSoundFiltersPass). The command make soak counts how
// many sound filters are accused if the false-alarm probability is set to 0.1, 1e-2 and 1e-3. TestResumeAndShards and
// TestPower run samples of it. The counts are too few to confirm a probability as small as 1e-6. Our own filters pass
// (TestOurFiltersConform). The filters of package mutant are wrong in the ways of real libraries. Each of them is
// accused of breaking the law that it breaks, and no other law (TestEveryWrongFilterIsAccused; make soak tests all
// laws). The examination tries the m and k that its documentation lists (TestGrid). Random sequences of operations find
// faults of these operations, and the printed sequences show the faults (TestProgramsRun, TestProgramsAreShort,
// FuzzOurFilter). Wrong filters were also written by authors who knew only the interface of the examination. They were
// examined before and after the examination was changed (TestFirstScore; make soak).
// Assumed: the families of keys that Conformance tries represent the keys of users. The host is fast enough, and has
// enough memory, to read a hostile snapshot within the time limit. This depends on the host, and the probability 1e-6
// does not include it.
// Wrong if: a fault is visible only in cases that the examination does not include.
//
// # The statistics themselves
//
// Proved: the level of MeanTest follows from Bennett's inequality and union bounds, which are cited. The levels of
// BetTest and CountTest follow from Ville's inequality and Chernoff's moment generating function.
// Tested: the point at which MeanTest rejects is compared with the printed inequality (TestMeanTestRejectsAtBennett).
// The levels are simulated at 0.05 and 0.01, and the power is simulated on known shifts (TestMeanTestCalibration,
// TestMeanTestPower, TestBetTestCalibration, TestCountTestCalibration, TestBetTestPower, TestCountTestPower).
// CountRange is compared with exact tails (TestCountRange). For confidence intervals, the exact coverage is computed
// (TestClopperPearsonCoverage), which needs the incomplete beta function. Our incomplete beta function is compared with
// exact sums (TestIncompleteBetaExact, TestIncompleteBetaLarge). Beyond those sums its accuracy is extrapolated.
// Assumed: the cited theorems hold, and samples are as each test requires.
// Wrong if: rounding changes the value of a test statistic or a tail probability by more than the tests allow for.
//
// # Packages import only what they may
//
// Enumerated: every import of every package and test, for six targets with and without assembly (TestImportGraph). The
// checker finds each kind of violation (TestImportGraphCheckerCatches).
// Assumed: go list reports what is built.
// Wrong if: a target that is not among the six has another import.
//
// # Recycling filters do as their models say
//
// Enumerated: the exact rate and capacity of every rule are compared with rates and capacities from chains over real
// bit sets. The chains cover all outcomes of the hash functions, in rationals (TestLongRunBruteForce,
// TestCycleBruteForce). The claims compute the same numbers with separately written code, and the results must agree
// (TestCyclesAgree).
// Tested: the closed form is compared with the chain (TestCycleRoutes). Package approx is within its bounds of package
// exact (TestRecyclings, TestRecyclingLaws). Three things agree: the model, the filter of package kernel, and a
// simulated ideal filter. The ideal filter draws ideal positions, and shares only the code for words of bits with
// package kernel. The three agree in false positives and correct counts of filled filters, for every hashing
// (TestFillAgrees). They agree in rate and capacity of every rule and hashing under all-new traffic, and under repeats
// that change nothing (TestRecyclingAgrees). They also agree in false negatives, false positives and the length of a
// cycle under repeats (TestFNRIsSimulated, TestFNRAtSize). The last comparison is made for every rule, with fixed and
// fresh positions. For partitioned recycling filters no exact number is known. Under all-new traffic they are compared
// with an enumeration, which agrees with package exact for the other hashings (TestEnumeratedIsExact). Under repeats
// the filter of package kernel is compared with the ideal filter. verify/agreement_test.go has the table of all
// comparisons. The probability that any of them fails by chance is below 1e-3, if sums over hundreds of cycles are
// normal (TestRatioTestCalibration). For each rate the file has the deviation that the same runs would detect, mostly 4
// to 20 %. Neighbouring rules, workloads and (26) as printed are rejected (TestRecyclingDisagrees, TestFNRDisagrees).
// The ideal filter itself is compared with sets of positions (TestIdeal). The counts of true and false answers equal
// the counts from a fully recorded history (TestTally). Arrivals follow the paper's process (TestWorkloadLaw,
// TestRanks, TestLaw).
// Assumed: ChaCha8 gives independent uniform words.
// Wrong if: a rate is off by less than these tests can detect.
//
// # False-negative rates are as stated
//
// Proved: which models bound the rate from below or above, and where (package approx/fnr, System.kind). Also proved:
// which formulas are exact at full size (exact/fnr, System.CycleRates), and which are bounds (System.CycleBounds).
// Nothing else is called a bound.
// Enumerated: the exact chain of tiny filters is compared with a chain that keeps real bits and merges no states
// (TestFNRBruteForce). This is done for every rule and every kind of workload. The distributions (1) to (4) of the
// paper, of the set bits while a cycle fills the array, are compared with an enumeration of every outcome of the hash
// functions (TestStatesBruteForce). The formulas for full-size filters are compared with the chain
// (TestGroupedAgainstChain, TestRepeatsOnlyAgainstGroups, TestArrivalsLast, TestCycleBounds). An identity that all of
// them obey is checked in rationals (TestUnluckyIdentity). The facts behind the bounds are checked for every order of
// the first arrivals (TestBoundsByOrders) and for all states (TestBoundsTheorem). Some filters can reach a state in
// which they never forget again. These filters are listed (TestFNRAbsorbs). Claims in the registry say that each model
// is a bound, or is exact, on grids of tiny filters. They also give the counterexamples to stronger statements
// (TestFNRKinds has a sample).
// Tested: each model is compared with its formula as written (TestMarkovByEnumeration, TestMarkovBound, TestRenewal,
// TestLeaveOneOut, TestArrival). The expansion for large filters is compared with the sum (TestLargeIsTheSum). The
// results of the model exact differ from those of package exact by no more than the stated error bound
// (TestExactModel). Some models must be exact in special cases, which are tested (TestEqualMessages,
// TestEqualMessagesTwoPhases). The deviation of models from filters is measured. The fluid limit deviates by the order
// of 1/m (TestFluidOrder). Renewal is within 1 % of simulations (TestRenewalIsSimulated), on either side of the rate
// (TestRenewalIsNoBound). Disabling is within half a per cent (TestDisablingIsClosest). docs/fnr.md has the other
// deviations (TestModelsOfFNR). Real filters have the exact false-negative rates (TestFNRIsSimulated, TestFNRAtSize),
// and the tests detect other rules and workloads (TestFNRDisagrees).
// Assumed: messages arrive independently of one another, and ranks move as in Dozier-FN 3.1.
// Wrong if: a model is wrong where neither exact rates nor simulations reach. Such cases are large filters, two phases,
// and popularities with new messages that become popular.
//
// # The estimates of a trace are right
//
// Tested: every estimate is compared with its definition, key by key (TestEstimateAgainstDefinitions). The numbers for
// random order are compared with shuffled traces (TestShuffled). The estimates show whether the order of a trace is
// random, and whether popularities change (TestTellsOrder). From the arrivals of a simulated workload, the parameters
// of this workload are estimated (TestEstimateOfWorkload), and a filter on these arrivals behaves as predicted
// (TestReplayPredicts). The bounds of the summary in bounded memory hold at every arrival, for bad orders too
// (TestSpaceSaving). The estimates from the sample of keys are within six standard errors (TestSketch). The share of
// repeats that are forgotten, computed from the gaps, is compared with a count over cycles that begin at every arrival
// (TestForgotten).
// Assumed: the model in the comment of package trace, under "What a trace is taken for".
// Wrong if: popularities change within a cycle, or new keys soon become popular. Then predictions by models are wrong,
// by as much as docs/traces.md measures. Predictions by gaps were within 9 %.
package verify
