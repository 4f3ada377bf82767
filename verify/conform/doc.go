// Package conform examines Bloom filters of any library. The functions verify.Conformance and verify.FuzzFilter run
// this examination. A filter must obey certain laws, which follow from package exact.
//
//   - [Subject]: how a filter is used and which hashing it declares; functions that it lacks are not examined
//   - [Examine] with [Options]: the examination, for use outside of tests
//   - [Report] and [Finding]: its result; [Law] and [Laws] name what was examined
//   - [ExamineProgram]: runs one program of operations, encoded in bytes, for fuzzing
//   - [Pipe]: makes a subject of a filter in another program, in any language (docs/pipe.md)
//
// # Laws
//
// Each [Law] forbids one kind of error. The function [Laws] returns the list of all laws. Some laws are exact: a filter
// breaks such a law with a single wrong answer. Others are statistical. For these laws each filter is one sample. The
// reason is that the results of look-ups in one filter depend on one another. Filters with different keys are
// independent.
//
// A subject may lack the functions that a law is about. Then the law is not examined, and the report says so. This is
// not a failure, with one exception. If New refuses every shape, the law "no false negative" cannot be examined. In
// this case Report.Err returns an error. Then verify.Conformance, verify.FuzzFilter and the command conform fail.
//
// # Programs
//
// Programs examine how operations affect one another. A program is a list of steps on up to four filters. Three of
// these have the same shape, and one has another shape. The first programs try pairs of steps on a filter. The first
// step of a pair reads or changes the filter, and the second step changes it. Every such pair is tried. Some changes
// are single calls, and others are batches. Some batches have no keys. Changes are also made after resets, unions and
// snapshots. Random programs follow.
//
// The expected answers come from the subject itself. Package conform adds the same keys to a new filter, one by one,
// and looks keys up in it. A union must give the same answers as a filter with the keys of both filters. An
// intersection must contain exactly the keys that both filters contain. After several unions and intersections, the
// expected content is an intersection of several new filters. An addition adds the key to each of them. The union of
// such an intersection with a filter C follows from this rule:
//
//	(A and B) or C = (A or C) and (B or C).
//
// This is exact for every filter that sets and tests fixed positions for a key, whatever its hashing. A filter must
// contain every key that was added to it. This holds even if the new filter does not contain the key. In some filters,
// the estimate or the snapshot depends on the number of additions. After a key was added twice, such a filter need not
// have the same snapshot as another filter with the same keys.
//
// A program that fails is shortened: steps, keys and bits are left out as long as it still fails. Finding.Program is
// what remains. It is Go code that calls the functions of the [Subject] by their names. For a filter in another
// program, Finding.Program has the lines that were sent to that program. Its last line shows the wrong answer and the
// right one.
//
// # False alarms
//
// Consider a filter that satisfies every law, and whose hash is a random function. The examination accuses it with
// probability at most Options.FalseAlarm. The default is 1e-6. Here is the proof. The statistical laws are examined by
// two kinds of tests. The first kind tests means or counts by betting (package sequential). For these tests a theorem
// limits the probability of a false alarm. This probability is called the level of the test. The second kind applies
// Chernoff's bound to one count. The sum of the levels of all tests is FalseAlarm (Bonferroni). These are the claims
// that are tested. Every filter that obeys the model satisfies them.
//
//   - the number of set bits: occupied urns are negatively associated (Joag-Dev and Proschan 1983), so the bounds for a
//     binomial distribution hold for their number. The shares of set bits of the blocks of a blocked filter are
//     negatively associated too: they are increasing functions of the numbers of items in the blocks, a multinomial
//     vector, and of positions that are independent of these numbers
//   - the share of q probes that hit: its mean is the exact rate (exact.FPR). To make the test more powerful, the share
//     is cut off at a value that it rarely exceeds. The probability of exceeding it is at most 1e-5, or a thousandth of
//     the rate. This changes the mean by at most that probability, and the claim allows for it
//   - pairs of positions of one key: all pairs of different positions have the same probability. So the mean share of
//     a key's pairs that lie in one part of the array equals this share among all pairs of bits
//   - hits in one filter: given its bits, they are independent, and their probability follows from the number of set
//     bits. If the subject does not tell this number, the probability is known only up to a range
//   - look-ups of keys that resemble the one key of a filter: they hit independently, each with a probability of at
//     most p, the largest rate of a filter with one item. So the probability of h hits among N is at most (N p)^h / h!.
//     If N p is not small, the hits are tested as a count
//   - hits in a filter that declares its own rate (Subject.OwnRate): the rate is declared for this very filter, so its
//     hits are tested as a count
//
// The cases depend on how the subject rounds sizes, and on the sizes that its own constructor accepts. All cases are
// listed before the first key is added, so that each case gets its share of FalseAlarm.
//
// # Cases
//
// A case has filters of one shape that are filled with a number of keys. Other keys are then looked up in them. Some
// shapes are from a grid. The subject may round such a shape to a shape that it supports. The subject's functions Make
// and Size choose other shapes, for rates from 0.1 to 1e-6. They are called for the smallest number of items that they
// accept, and for 1,000, 10^5 and 10^6 items. Some cases look for one kind of fault:
//
//   - quiet filters, with the largest load at which only 0.2 hits are expected among millions of look-ups. A few hits
//     then show one of three faults: positions depend on one another, as with double hashing; fewer positions are
//     looked up for some keys; or keys collide in a short hash
//   - a filter of 2^28 bits, for a hash of 40 bits or fewer
//   - many look-ups in filters that are half full, and in nearly empty filters with the least k above 1. They find
//     small deviations of the rate, and look-ups that test one position too few for some of the keys
//   - filters of one key. Its positions are counted, and so are the pairs of them that are in one word, cache line,
//     page or half of the array
//
// # Power
//
// Report.Power says which faults would have been found with probability at least 0.99. Smaller faults may not be found.
// For tests of a count, there is a proof that the probability is at least 0.99. If the fault has the stated size,
// Chernoff's bound limits the probability that the count passes the test. For tests by betting, the power is only
// estimated. The estimate uses the variance of the samples. The estimated size of the fault is increased by 15 %.
// Suppose that a value had been twice as large as the right one. If no case would have found this, the statistical law
// counts as not examined. A note then says so. Package soak counts how often faults of the stated size are found.
//
// The exact laws cannot raise a false alarm, with one exception. The law "hostile snapshot" depends on the speed and
// the memory of the host. The subject must read a snapshot within ten seconds, and has two attempts. The law also
// limits the memory that the process allocates while it reads. For this limit, the subject has three attempts. On a
// slow host, this law may raise a false alarm. The probability of 1e-6 does not include such alarms.
//
// Package soak examines filters without faults at levels 0.1, 1e-2 and 1e-3. It counts the false alarms. It also counts
// how often each deviation is found. The command make soak runs it, and docs/assurance.md has the figures. A confidence
// interval for the level follows from such counts. So the counts give an upper bound of the level. They cannot confirm
// a level as small as 1e-6. For this level, the proof above is the only evidence. Hash functions are not random
// functions, so a finding may also be a fault of the hash function. Each filter gets new keys. The same seed gives the
// same keys again.
//
// # Races
//
// A race shows only when one goroutine is interrupted by another in the middle of a call. The examination makes this
// happen often. From 2 to 8 goroutines share the work on one filter. Each part of the work consists of 16 calls. Then
// the goroutines go on to the next filter. Most filters are small, so all running goroutines work on the same words.
// GOMAXPROCS is changed for this and restored afterwards. In every second round, all goroutines are interrupted many
// times a second, wherever they are. Between the calls of a part there is no lock and no atomic operation.
//
// The parts of the work have an order. The examination compares the goroutines that begin two successive parts. If they
// are different, it counts one interruption. Suppose that a fault makes some of the interrupted calls fail. The
// examination finds the fault if the share of these calls is large enough. The report states how large the share must
// be. The rounds go on until there were enough interruptions, or until the effort is used up. If there were fewer than
// 460 interruptions, the law is reported as not examined, and a note says so. This is the only part of an examination
// that cannot be repeated exactly. The reason is that the host decides where each goroutine is interrupted. Some races
// can be seen only with two processors. The reason is that a single processor never interrupts a machine instruction
// between its read and its write.
//
// # Processes
//
// With Options.Child the examination runs in a child process. If something ends that process, this is a finding about
// the law under examination. The finding has the message of the Go runtime. Examples of such fatal faults are
// concurrent map writes, a stack overflow, lack of memory and a call of os.Exit. The process also ends when the filter
// starts a goroutine that panics. A call that does not return within ten seconds is a finding too. The process is then
// started again for the other laws. Another process reads the snapshots and looks up their keys. Each process may draw
// its own hash seed when it starts. The examination finds this fault. In a test, the function verify.Child makes the
// command. Without Child, such a fault ends the calling process or blocks it for ever. Without Child, a time limit
// exists only for the examinations of races.
package conform
