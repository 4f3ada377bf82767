// Package conform examines anybody's Bloom filter: it is what verify.Conformance and
// verify.FuzzFilter run. The laws that a filter must keep follow from package exact.
//
//   - Subject: how a filter is used and which hashing it declares; what it does not have is not
//     examined
//   - Examine with Options: the examination, for programs that are no tests
//   - Report and Finding: its result; Law and Laws name what was examined
//   - ExamineProgram: one program of operations, which bytes encode, for fuzzing
//   - Pipe: a filter in another program, in any language, as a subject (docs/pipe.md)
//
// # Laws
//
// Each Law is an error class of its own (Laws lists them). Some are exact: one
// counterexample breaks them. Others are about chance, and there the filter is the unit of
// sampling: the probes of one filter depend on one another, filters with keys of their own
// do not.
//
// A law of which a subject shows nothing is not examined, and the report says so. That is no
// failure, with one exception: if "no false negative" was not examined, because New refused every
// shape, Report.Err returns an error, and verify.Conformance, verify.FuzzFilter and the command
// conform fail.
//
// # Programs
//
// What operations do to one another is examined by programs: lists of steps on up to four filters,
// three of one shape and one of another. Each way to change filters follows each way to look at one
// and each other change, in single calls and in batches, with and without keys, after resets, unions
// and snapshots; then random programs.
//
// The filter itself says what a program should see. Package conform fills a new filter with the keys,
// one by one, and asks it. A union must answer as the filter of all the keys, and an intersection as
// both filters do at once. In general what a filter holds is an intersection of such filters: an
// addition adds to each of them, and (A and B) or C is (A or C) and (B or C). That is exact for every
// filter that sets and tests fixed positions for a key, whatever its hashing. Keys that were added must
// be contained whatever the new filter says. Filters that count additions, in estimates or in
// snapshots, are not held to one snapshot for one set of keys once a key was added twice.
//
// A program that fails is shortened: steps, keys and bits are left out as long as it still fails.
// Finding.Program is what remains, in Go, with the functions of the Subject by their names, or in
// lines for the pipe. Its last line has what was seen and what it should have been.
//
// # False alarms
//
// A filter that keeps its laws, with a hash that is a random function, is accused with
// probability at most Options.FalseAlarm, 1e-6 unless said otherwise. Proof: every law of
// chance is decided by a bet on means or on counts (package sequential), whose level is a
// theorem, or by Chernoff's range of one count; their levels add up to FalseAlarm over all cases
// (Bonferroni). What they claim holds for every filter of the model:
//
//   - the number of set bits: occupied urns are negatively associated (Joag-Dev and Proschan
//     1983), so their count is a count as binomial ones are. So are the shares of set bits of
//     the blocks of a blocked filter, which are increasing functions of the numbers of items
//     in each, a multinomial vector, and of positions that are independent of them
//   - the share of q probes that hit: its mean is the exact rate (exact.FPR). To bet on it well it
//     is cut off where it is seldom enough (at most 1e-5, or a thousandth of the rate); that moves
//     its mean by no more than as much, which the claim allows for
//   - pairs of positions of one key: different positions of a key are any ones with the same
//     probability, so the mean share of pairs in one part of the array is that of all pairs of bits
//   - hits in one filter: they are independent given its bits, with a probability that follows
//     from the number of set bits; where that is not told, it lies in a range
//   - look-ups of keys that are like the one key of a filter: each hits with at most the largest
//     rate that one item leaves, by itself, so h of N hit with probability at most
//     (N p)^h / h!. Where that is no small number, the hits are a count
//   - hits in a filter with a rate of its own (Subject.OwnRate): the declared rate is about the
//     filter as it is, so its hits are a count
//
// The cases depend on the subject, on what it rounds and on the sizes that its own constructor
// takes. They are listed, and so each has its share of the level, before the first key is added.
//
// # Cases
//
// A case is filters of one shape, filled with a number of keys, and other keys that are looked up.
// The shapes are those of a grid, as the subject rounds them, and those that Make gives, or Size
// advises, for the fewest items that it takes, for 1,000, 10^5 and 10^6 items, at rates from 0.1 to
// 1e-6. Some cases are about one kind of fault:
//
//   - quiet filters, at the largest load at which a fifth of a hit is expected among millions of
//     look-ups: a few hits show that positions depend on one another, as by double hashing, that
//     some keys are looked up by fewer positions, or that keys collide in a short hash
//   - a filter of 2^28 bits, for a hash of 40 bits or fewer
//   - many look-ups at half fill, and at a low fill with the least k above 1, for small deviations
//     of the rate and for one probe fewer for a share of the keys
//   - filters of one key, whose positions are counted, and how many pairs of them stand in one
//     word, cache line, page or half of the array
//
// # Power
//
// Report.Power says what would have been found with probability 0.99 at least: a law is of use only
// as far as that. The power of a count follows from its test: Chernoff's bound on the counts that the
// test leaves, when the true probability is as stated. That of a bet is an estimate from the
// variance of the samples, with 15 % added. A law of chance that would not have seen the double of
// what is right in any case is not examined, and a note says so. Package soak counts how often
// faults of the stated size are found.
//
// The exact laws cannot err, save "hostile snapshot": it is about time and memory of the host, that
// reading ends within ten seconds (tried twice) and what the process allocates meanwhile (tried three
// times), and lies outside the 1e-6 unless the host keeps up.
//
// Package soak counts how many sound filters are accused at 0.1, 1e-2 and 1e-3, and what deviation
// is found how often (make soak; docs/assurance.md has the figures). A level is confirmed so as far
// as the interval of what was counted reaches, and not below its upper end: there it is the theorem
// that holds it. Hash functions are no random functions, so a finding may also be about the hash;
// keys are new for each filter, and the seed repeats them all.
//
// # Races
//
// A race shows only when one goroutine is interrupted by another in the middle of a call. The
// examination makes that happen often: 2 to 8 goroutines take parts of 16 calls from one filter
// after the other, most of them small, so that all who run work on the same words. GOMAXPROCS is
// changed for that and restored afterwards. In every second round all of them are
// stopped many times a second, wherever they are. There is no lock and no atomic operation
// between calls within a part.
//
// It counts how often a part was taken by another goroutine than the part before. The report
// states the share of interrupted calls that must go wrong to be found. Storms go on until
// there were enough interruptions, or the effort is spent. With fewer than 460 the law was
// not examined, and a note says so. This is the one part of an examination that does not repeat: the
// host decides who is interrupted where. Some races need two processors: a single machine
// instruction that reads and writes memory is never interrupted in the middle.
//
// # Processes
//
// With Options.Child the examination runs in a process of its own. What ends that process is a
// finding of the law under examination, with the message of the Go runtime: concurrent map
// writes, a stack overflow, too little memory, os.Exit, the panic of a goroutine that the filter
// started. So is a call that does not return for ten seconds. The process is started again for the other laws. A
// further process reads the snapshots and answers about their keys, so that a hash seed that each
// process draws when it starts is found. verify.Child makes the command in a test. Without Child
// all this ends the calling process, or never ends; only storms have a limit of their own.
package conform
