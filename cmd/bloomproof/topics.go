package main

// The type "topic" represents a text that `bloomproof help NAME` prints. It concerns several commands.
type topic struct {
	name    string
	summary string // the description in one line
	text    string
}

var topics = []topic{
	{"numbers", "how numbers are written, and what lo, mid and hi promise", `
Sizes and counts are whole numbers up to 2^64-1: 1000000, 1,000,000, 1_000_000, 2^40, 1e9,
64Ki, 8Mi, 1Gi; of bits or of items, as the flag says. K, M, G, T, P and E are powers of 1024, with
or without the i. A flag that counts bits also takes bytes, with a B at the end: 16MiB is
2^27 bits. Rates and probabilities are decimals, read exactly: 0.01, .01, 1e-6, 1%. -p is
-fpr.

A number with lo, mid and hi is an enclosure: the true value is certain to lie between lo
and hi, which are rounded outward. They differ by at most one unit in the last of the
digits asked for with -digits (17), to which mid is rounded; they are equal when the value
is known exactly.

One of -m, -k, -n, -sigma, -fpr and -target takes a range, which makes a table with a row for
each of at most 10000 values:

  A..B         whole numbers, each
  A..B/STEPS   so many even steps from A to B; whole numbers are rounded
  A..B*F       A, A F, A F F and so on up to B, or down to B when F is below 1

The table has what differs between rows. -csv prints comma-separated values: a column for
the flag, and one for each number or word of -json by its path, without those in lists. With
-json the object has rows, each of them what the command prints for one value. -csv works
without a range, too.

With -json an enclosure is an object with the strings lo, hi and mid, and with rational,
such as "53/86", where the value was computed as a fraction of fewer than 10000 digits.
Other real numbers are strings, counts integers up to 2^53 and strings beyond, and null is
what is undefined or was not measured. NaN and infinity are never printed.`},
	{"rules", "recycling filters: when they clear themselves, and of what kinds they are", `
A recycling filter clears itself, so that an endless stream does not fill it. Its flags
mean the same in recycle, fnr, simulate and replay:

  -sigma S     clear when more than S bits are set after a message was inserted
  -messages N  clear at the N-th message of the cycle that sets a bit
  -retain      insert the message that caused it into the cleared array
  -phases 2    two arrays of -m bits: the active one records messages; when it is full it
               freezes, and the other is cleared and becomes active. A message is a repeat
               when either holds it
  -copy        two phases: a message that only the frozen array holds is recorded in the
               active one too (the default; -copy=false does without)
  -freeze      two phases: the array freezes with the bits of the message that caused it
               (after, the default) or without them (before)
  -positions   a message keeps its positions for the filter's life (fixed), or has new ones
               in each cycle (fresh), so that two arrays see independent ones

What the rule counts as a cycle ends when the filter recycles. Within it no message is
forgotten.`},
	{"workloads", "the traffic of fnr, simulate and recycle -fnr", `
The traffic is that of Dozier-FN, section 3.1: a pool of D messages in the order of their
popularity. With probability -repeat an arrival is one of them, drawn by -popularity;
otherwise it is a new message, which enters the pool at a rank drawn by -arrivals: the
messages from that rank on move down by one, and the last one never returns.

-popularity, the most popular first:
  zipf:ALPHA:D       proportional to j^-ALPHA for rank j = 1 to D
  uniform:D          all alike
  biuniform:S:PH:D   PH for each of the first S, the rest in equal parts for the others
  list:0.5,0.3,0.2   these weights
  file:PATH          one weight a line
-arrivals:
  popularity         by the same law as the repeats (the default)
  uniform            any rank alike
  last, first        that rank
  file:PATH          one weight a rank

replay takes its traffic from a trace, and recycle can (-trace).`},
	{"traces", "the files that replay and recycle -trace read", `
A trace is a stream of lines; a line is the key of an arrival: all of it but its newline.
An empty line is the empty key, a carriage return is part of the key, and a last line
without newline counts.

In a log the key is a part of a line. -field 7 takes the seventh field of lines whose fields
stand between blanks (spaces, tabs, carriage returns), and -field 3 -separator , the third
between commas. -regexp '"GET ([^ ?]+)' takes the first group of a regular expression of Go,
where it first matches in a line. Lines without such a key are left out and counted in a
warning. Another warning says that more than 90 % of the keys are different, as the lines of
a log with time stamps are when they are taken whole.

replay -time-field 4 -window 1d compares the filter with a memory that forgets a key a day after
its last arrival and errs in nothing else: what that would forget, how many keys it would hold,
and which window forgets as much as the filter. It also tells how long the filter's cycles took,
and the course of false negatives by the clock: in hours, or in shorter or longer spans where the
trace lasts less than some minutes or more than a week (at most 168, up to 24 of them printed).
A time is a Unix time in seconds, milliseconds, microseconds or nanoseconds, as its size says, or
like 2026-11-23T14:05:06Z, 2026-11-23, 14:05:06 or [23/Nov/2026:14:05:06; lines without one are
left out. A time before that of the last line counts as that. The number of keys is to 1/1024
of the window.

A line has at most 2^20 bytes. A trace that begins with the bytes
1f 8b is decompressed as gzip. The name - stands for standard input.

Traces are streamed and may be longer than memory. For the ground truth replay keeps 100
to 250 bytes a distinct key: keys are told apart by a 128-bit SipHash under a random
secret, so that two of n keys are confused with probability n^2/2^129. recycle keeps as much,
or a sample of the keys where -keys or -memory says so.

replay -memory bounds the ground truth. When the keys do not fit, those of an even sample are
kept, which their hash chooses: a half of all keys, a quarter, and so on. The filter sees every
arrival. Counts are then estimates, unbiased, with 99 % intervals that take keys as the unit
of the sample; arrivals, recycles and the filter's verdicts are counted exactly. Two of the n
keys in the sample are confused with probability n^2/2^65.`},
	{"pipe", "what a program answers that conform examines", `
bloomproof conform runs a program that reads lines and answers each with a line:

  line               answer
  hello              ok HASHING BLOCKBITS, then words, as below
  new ID M K         ok M K, the shape that the filter really has; or no, and why there is none
  add ID KEY ...     ok
  has ID KEY ...     a 1 or a 0 for each key, such as 0110
  free ID            ok: it will not be asked for again
  bits ID            the number of set bits
  union ID OTHER     ok: filter ID holds what OTHER holds, too; or no, and why, as for two shapes
  reset ID           ok: it is as new

This is version 1 of the protocol. The last three lines are sent only if they are among the words
after BLOCKBITS. A program of version 2 has the word version=2 there. Then new, too, must be named
to be sent, and these lines can be:

  make ID N P        as new, but of the program's own sizing for N items at a rate of P
  size N P           M K, what the program advises for them
  testadd ID KEY     1 if the key was contained before, or 0; now it is
  addbatch ID KEY .. ok, and
  hasbatch ID KEY .. a 1 or a 0 for each: as add and has, by the functions for many keys
  intersect ID OTHER as union: filter ID holds what both hold
  items ID           the estimated number of items
  rate ID            the rate that the filter states for its present bits
  ratefor M K N      the rate that the program states for M bits, K positions and N items
  save ID            ok HEX, a snapshot; or no, and why
  load ID HEX        ok M K: filter ID, new or not, is that of the snapshot; or no, and why, and
                     ID is what it was
  words ID           ok HEX, the bits of the array in any fixed order, whole bytes
  ownrate ID N       the rate to expect after N different keys, for what is no Bloom filter, such
                     as an exact set: M K may be left out of answers, and HASHING says nothing

Other words of version 2 declare something; those that are unknown say nothing:

  seeded             every filter draws its own hash function; a snapshot has it
  shards=N           the filter has N equal parts; the hash of a key chooses its part

HASHING is standard (k independent positions), classic (k distinct ones) or partitioned (one in
each of k slices), and BLOCKBITS the size of the blocks of a blocked filter, within which that
holds, or 0. Words are separated by one space. A KEY and HEX are bytes in hexadecimal, - for none.
No KEY has more than 65601 bytes. A line has at most 64 KiB, unless it has one key, a snapshot or a
batch. Filters of a program have the same hash function unless they are seeded. At most 32 are
alive at a time. The input ends when the examination does. The answers must not be held back in a
buffer.

The program has 20 s to greet and 2 min for each other answer. It runs twice at a time where it
knows save and load: the second process reads snapshots of the first. It is started again when it
ends or hangs.`},
	{"status", "exit statuses, errors, interrupts, and the environment", `
Exit status:
  0  fine
  1  the command ran and found a failure: a claim whose verdict is wrong, a law that is
     broken, a kernel that differs
  2  bad flags or parameters
  3  input or output failed, or the command was interrupted

An error is one line on standard error that names the flag and what it takes. With -json
the object {"error": {"parameter": ..., "message": ...}} is on standard output as well.

Commands that take more than a second show their progress on standard error when that is a
terminal. An interrupt ends them within a second; a second one, at once.

BLOOMPROOF_CPU, one of portable, popcnt, avx2, avx512 and neon, lowers the choice of kernels
(see bloomproof help cpu). BLOOMPROOF_CHECK=off turns off the check of the kernels at start.`},
}

func findTopic(name string) (topic, bool) {
	for _, t := range topics {
		if t.name == name {
			return t, true
		}
	}
	return topic{}, false
}
