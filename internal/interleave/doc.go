// Package interleave runs a small concurrent program in every order that Go's memory model permits. It has the types
// and functions of sync and sync/atomic that package kernel uses; verify/proof/interleave builds package kernel with
// them in their place.
//
// # Why interleavings of synchronising operations suffice
//
// By Go's memory model (https://go.dev/ref/mem) the operations of sync and sync/atomic behave as if executed in one
// sequentially consistent order, and a program without data races behaves as if its goroutines took turns on one
// processor. Plain memory accesses are visible as weakly ordered only to programs with data races. So two things are
// to be shown, and the package explores both: that no sequentially consistent execution has a data race, and what can
// be observed in these executions.
//
// The explorer switches between goroutines only before a synchronising operation. Claim: a data race that occurs in
// any sequentially consistent execution occurs in one that switches only there. Proof: take a shortest execution E
// whose last access e races. All other conflicting plain accesses of E are ordered by happens-before. Keep the order of
// the synchronising operations, and move each plain access forward to the place directly after the preceding
// synchronising operation s of its goroutine. Let it pass a conflicting access d of another goroutine. If d happens
// before it, then by a path that enters its goroutine at a synchronising operation s' after d; s' is s or earlier, and
// s is before d: a contradiction. So it passes no access that is ordered before it, every read returns what it
// returned, and the happens-before relation is the same, with the race in it. And an execution without a race is
// turned in the same way into one that switches only there, with equal results.
//
// # Data races
//
// Every synchronising operation moves a vector clock as the memory model says: a read-like operation is synchronised
// after the write-like operation that it observes. A plain store thus hands on its own clock alone, and a
// read-modify-write also what it observed. Every plain access (R, W, RW and others, which the rewritten code calls)
// and every atomic one is compared with the last ones of each class by each goroutine. Two that conflict, of which one
// is plain, and which are not ordered are a race. The last of each class suffices: earlier ones of the same goroutine
// happen before it.
//
// # Why the reduction loses nothing
//
// Two operations are dependent if they are of one goroutine, or of one object and not both reads. Independent
// neighbours can be exchanged: no result, no later state and no happens-before edge changes. (The plain accesses that
// follow each of them conflict only if they race, because nothing orders neighbours. The exploration ends at a race.)
// Executions that turn into one another by such exchanges are equivalent. Every property that is checked depends on
// results and on happens-before, and is the same in all of them. So one of each class is enough.
//
// The exploration is source-DPOR of Abdulla, Aronis, Jonsson and Sagonas (Source Sets: A Foundation for Optimal Dynamic
// Partial Order Reduction, J. ACM 64, 2017). It is a depth-first search that runs the program anew for each schedule.
// Two rules choose what to explore in a state s.
//
//   - Sleep sets. When goroutine q was explored in s, q sleeps in the branches that are explored in s later, until an
//     operation dependent on q's is executed. A branch in which only sleeping goroutines are enabled is given up. Such
//     a branch is a prefix w of executions that all have an equivalent which begins with q at s: q's operation is
//     independent of all of w after s, so it can be moved to the front, and that branch was explored.
//   - Source sets. At first one enabled goroutine is explored in s. Let the next operation of p in some later state
//     be dependent on an executed operation e that does not happen before it (in the order of dependence), such that no
//     other such operation is between them, and let s be the state before e. Then executions exist in which p's
//     operation comes first. All of them begin with v: what was executed after e without depending on it, and p's
//     operation. They are equivalent to executions that begin with any goroutine whose first operation in v has no
//     predecessor in v. Unless one of these is already to be explored in s, or sleeps, one is added. The theorem of the
//     paper says that every class is then explored.
//
// Locks can disable others. An operation that waits for a lock is compared with the operations that took the lock:
// those can be reversed with it, and in the state before them the lock was free. It is not compared with those that
// released it, which can never come after it. It is compared also while it waits, so the reversal is found even where
// it never gets the lock. If the goroutine to be added is not enabled in s, all enabled ones are added.
//
// A choice (Choose) is explored in full, and depends on nothing.
//
// The theorem is not all that is relied on: TestReductionLosesNothing runs random programs with and without reduction
// and demands the same classes, each explored once.
//
// # TryLock
//
// The memory model lets TryLock return false even when the lock is free. With Options.Spurious a TryLock has both
// outcomes. A failure has no effect on anything and is independent of everything. A success waits until the lock is
// free: the wait stands for the executions in which the call comes later. A state in which a TryLock waits for ever
// stands for no execution, and the branch is given up; its sibling, in which the call fails, has the others' fate.
// Without Spurious TryLock fails only if the lock is held, as in Go's implementation outside of starvation.
package interleave
