// Package conform examines Bloom filters of any library. verify.Conformance and verify.FuzzFilter run it. The laws that
// a filter must keep follow from package exact.
//
//   - Subject: how a filter is used and which hashing it declares; functions that it lacks are not examined
//   - Examine with Options: the examination, for programs that are not tests
//   - Report and Finding: its result; Law and Laws name what was examined
//   - ExamineProgram: one program of operations, encoded in bytes, for fuzzing
//   - Pipe: a filter in another program, in any language, as a subject (docs/pipe.md)
//
// # Laws
//
// Each Law is a class of errors (Laws lists them). Some laws are exact: one counterexample breaks them. Others are
// about chance. Their unit of sampling is the filter: the probes of one filter depend on one another, but filters with
// different keys are independent.
//
// If a subject has no function that shows a law, the law is not examined, and the report says so. This is not a
// failure, with one exception: if "no false negative" was not examined, because New refused every shape, Report.Err
// returns an error, and verify.Conformance, verify.FuzzFilter and the command conform fail.
//
// # Programs
//
// Programs examine how operations affect one another. A program is a list of steps on up to four filters, three of one
// shape and one of another. Together, the programs put each way to change a filter after each way to look at one and
// after each other change: in single calls and in batches, with and without keys, after resets, unions and snapshots.
// Random programs follow.
//
// The filter itself says what a program should see. Package conform fills a new filter with the keys, one by one, and
// asks it. A union must answer as the filter of all the keys does. An intersection must contain a key exactly if both
// filters contain it. In general, what a filter holds is an intersection of such filters: an addition adds to each of
// them, and (A and B) or C is (A or C) and (B or C). This is exact for every filter that sets and tests fixed positions
// for a key, whatever its hashing. Keys that were added must be contained, whatever the new filter says. Some filters
// count additions, in estimates or in snapshots. Once a key was added twice, such a filter need not have the same
// snapshot as another filter of the same keys.
//
// A program that fails is shortened: steps, keys and bits are left out as long as it still fails. Finding.Program is
// what remains. It is in Go, with the functions of the Subject by their names, or in lines for the pipe. Its last line
// says what was seen and what should have been seen.
//
// # False alarms
//
// A filter that keeps its laws, with a hash that is a random function, is accused with probability at most
// Options.FalseAlarm, by default 1e-6. Proof: every law of chance is decided by a bet on means or on counts (package
// sequential), whose level is a theorem, or by Chernoff's range of one count. Their levels add up to FalseAlarm over
// all cases (Bonferroni). The claims that they test hold for every filter of the model:
//
//   - the number of set bits: occupied urns are negatively associated (Joag-Dev and Proschan 1983), so their number
//     keeps the bounds of a binomial one. The shares of set bits of the blocks of a blocked filter are negatively
//     associated too: they are increasing functions of the numbers of items in the blocks, a multinomial vector, and of
//     positions that are independent of these numbers
//   - the share of q probes that hit: its mean is the exact rate (exact.FPR). To make a good bet possible, the share is
//     cut off at a value that it rarely exceeds (with probability at most 1e-5, or a thousandth of the rate). This
//     moves its mean by no more than that probability, and the claim allows for it
//   - pairs of positions of one key: all pairs of different positions have the same probability, so the mean share of a
//     key's pairs in one part of the array equals the share of all pairs of bits
//   - hits in one filter: given its bits, they are independent, with a probability that follows from the number of set
//     bits. If the subject does not tell this number, the probability lies in a range
//   - look-ups of keys that resemble the one key of a filter: each hits independently, with probability p at most the
//     largest rate that one item leaves. So h of N hit with probability at most (N p)^h / h!. If N p is not small, the
//     hits are tested as a count
//   - hits in a filter that declares its own rate (Subject.OwnRate): the declared rate is that of the present filter,
//     so its hits are a count
//
// The cases depend on the subject, on how it rounds sizes and on the sizes that its own constructor takes. They are
// listed before the first key is added, and so each case has its share of the level.
//
// # Cases
//
// A case has filters of one shape, filled with a number of keys, and other keys that are looked up. Some shapes are
// from a grid, as the subject rounds them. Others are the shapes that Make gives, or Size advises, for the fewest items
// that it takes, for 1,000, 10^5 and 10^6 items, at rates from 0.1 to 1e-6. Some cases are about one kind of fault:
//
//   - quiet filters, at the largest load at which a fifth of a hit is expected among millions of look-ups. A few hits
//     show that positions depend on one another, as with double hashing, that fewer positions are looked up for some
//     keys, or that keys collide in a short hash
//   - a filter of 2^28 bits, for a hash of 40 bits or fewer
//   - many look-ups at half fill, and at a low fill with the least k above 1. They find small deviations of the rate,
//     and look-ups that test one position too few for a share of the keys
//   - filters of one key. Its positions are counted, and so are the pairs of them that are in one word, cache line,
//     page or half of the array
//
// # Power
//
// Report.Power says which faults would have been found with probability at least 0.99. A law says nothing about smaller
// faults. The power of a count follows from its test: Chernoff's bound limits the probability of the counts that pass
// the test, if the true probability is as stated. The power of a bet is an estimate from the variance of the samples,
// with 15 % added. If a law of chance would not have found twice the right value in any case, it counts as not
// examined, and a note says so. Package soak counts how often faults of the stated size are found.
//
// The exact laws cannot raise a false alarm, with one exception. "hostile snapshot" depends on the time and memory of
// the host: reading must end within ten seconds (tried twice), and the process must not allocate too much meanwhile
// (tried three times). The 1e-6 covers this law only if the host is fast enough.
//
// Package soak counts how many sound filters are accused at levels 0.1, 1e-2 and 1e-3, and how often each deviation is
// found (make soak; docs/assurance.md has the figures). Such counts confirm a level only down to the upper end of their
// confidence interval. Below it, the level rests on the theorem. Hash functions are not random functions, so a finding
// may also be about the hash. Each filter gets new keys, and the same seed repeats them all.
//
// # Races
//
// A race shows only when one goroutine is interrupted by another in the middle of a call. The examination makes this
// happen often: 2 to 8 goroutines take parts of 16 calls from one filter after the other. Most filters are small, so
// that all running goroutines work on the same words. GOMAXPROCS is changed for this and restored afterwards. In every
// second round, all goroutines are stopped many times a second, wherever they are. There is no lock and no atomic
// operation between calls within a part.
//
// The examination counts how often a part was taken by another goroutine than the part before. The report states what
// share of interrupted calls must go wrong for a fault to be found. The rounds go on until there were enough
// interruptions or the effort is spent. With fewer than 460 interruptions the law counts as not examined, and a note
// says so. Only this part of an examination cannot be repeated exactly: the host decides which goroutine is interrupted
// where. Some races need two processors: a single machine instruction that reads and writes memory is never interrupted
// in the middle.
//
// # Processes
//
// With Options.Child the examination runs in a process of its own. Whatever ends that process is a finding about the
// law under examination, with the message of the Go runtime: concurrent map writes, a stack overflow, too little
// memory, os.Exit, or the panic of a goroutine that the filter started. A call that does not return for ten seconds is
// a finding too. The process is then started again for the other laws. A further process reads the snapshots and
// answers about their keys. This finds a hash seed that each process draws when it starts. verify.Child makes the
// command in a test. Without Child, such a fault ends the calling process or blocks it for ever; only the examinations
// of races have their own time limit.
package conform
