// Package interleave runs a small concurrent program in every order that Go's memory model permits. It has replacements
// for the types and functions of sync and sync/atomic that package kernel uses. The command verify/proof/interleave
// builds package kernel with these replacements.
//
// # Why interleavings of synchronising operations suffice
//
// By Go's memory model (https://go.dev/ref/mem) the operations of sync and sync/atomic behave as if executed in one
// sequentially consistent order. A program without data races behaves as if its goroutines took turns on one processor.
// Only programs with data races can observe that plain memory accesses are weakly ordered. So two questions remain.
// Does any sequentially consistent execution have a data race? Which results can these executions have? The package
// answers both questions by exploring the executions.
//
// The explorer switches between goroutines only before a synchronising operation. Claim: suppose that a sequentially
// consistent execution has a data race. Then some execution has the same race and switches only at such places.
//
// Proof: consider the executions in which the last access is part of a race. Let E be one of the shortest of these
// executions. Let e be the last access of E. All other conflicting plain accesses of E are ordered by happens-before.
// Keep the order of the synchronising operations. For a plain access, let s be the last synchronising operation of the
// same goroutine before it. Move the plain access to the place directly after s, and do this for all plain accesses.
// Suppose that an access d of another goroutine conflicts with the moved access. Suppose that d came first in E, and
// comes second after the move. Suppose also that d happens before the moved access. Then a chain of happens-before
// edges leads from d to the moved access. At some synchronising operation s', this chain enters the goroutine of the
// moved access. In E, the operation s' comes after d, and d comes after s. So s' comes after s. But the goroutine
// performs no synchronising operation between s and the moved access. This is a contradiction. So the move never
// exchanges two conflicting accesses that are ordered by happens-before. Hence every read returns the same value as in
// E. The happens-before relation is also the same, so the race remains. In the same way, every execution without a race
// can be turned into an execution that switches only at such places. The results of the two executions are equal.
//
// # Data races
//
// Every synchronising operation updates a vector clock. The memory model gives the rule: a read-like operation is
// synchronised after the write-like operation that it observes. If a goroutine observes an atomic store, it gets the
// clock of the storing goroutine. A read-modify-write also reads, and so it gets a clock. A goroutine that observes the
// read-modify-write gets this clock too. The rewritten code calls R, W, RW and others for every plain access. An access
// belongs to one of four classes: plain or atomic, read or write. For each goroutine and each class, the explorer keeps
// the last access. Every new access is compared with these last accesses. Two accesses are a race if they conflict, if
// at least one of them is plain, and if they are not ordered. Earlier accesses of the same goroutine and class happen
// before the last one. So it is enough to keep the last one.
//
// # Why the reduction loses nothing
//
// Two operations are dependent if they belong to one goroutine. They are also dependent if they use the same object and
// at least one of them is not a read. Two independent operations that are neighbours in an execution can be exchanged.
// The results, the later states and the happens-before edges stay the same. The two neighbours belong to different
// goroutines. Each of these goroutines then makes plain accesses. These two groups of accesses are not ordered by
// happens-before. If two such accesses conflict, they are a race, and the exploration ends. Executions that can be
// turned into one another by such exchanges are called equivalent. Every property that is checked depends on results
// and on happens-before, so it is the same in all equivalent executions. Therefore it suffices to explore one execution
// of each class.
//
// The exploration uses the algorithm source-DPOR by Abdulla, Aronis, Jonsson and Sagonas. They published it in "Source
// Sets: A Foundation for Optimal Dynamic Partial Order Reduction" (Journal of the ACM 64, 2017). It is a depth-first
// search that runs the program anew for each schedule. Two rules choose what to explore in a state s.
//
//   - Sleep sets. After goroutine q was explored in s, q sleeps in the branches that are explored in s later. It sleeps
//     until some operation that depends on the operation of q is executed. A branch in which only sleeping goroutines
//     are enabled is given up. Let w be the operations that were executed up to this point. The operation of q is
//     independent of all operations of w after s, so it can be moved to the front. So every execution that begins with
//     w is equivalent to an execution in which q comes first in s. The executions in which q comes first were explored
//     before.
//   - Source sets. At first one enabled goroutine is explored in s. Later, suppose that the next operation of a
//     goroutine p depends on an executed operation e. Suppose that e does not happen before this next operation (in the
//     order of dependence). Suppose also that e happens before no other executed operation that has these two
//     properties. Let s be the state before e. Then executions exist in which p's operation comes first. All of them
//     can begin with v: first the operations that were executed after e and do not depend on e, and then p's operation.
//     They are equivalent to executions that begin with any goroutine whose first operation in v depends on no earlier
//     operation in v. If one of these goroutines is already to be explored in s, or sleeps, nothing is added. Otherwise
//     one of them is added. The theorem of the paper says that every class is then explored.
//
// Locks can disable other operations. An operation that waits for a lock is compared with each operation that took the
// lock. The lock was free before the second operation took it. So the two operations can also be executed in the
// opposite order. The waiting operation is not compared with the operations that released the lock. The reason: if an
// operation waits for a lock, it can never be executed before the lock is released. The comparison is made while the
// operation still waits. So the search also tries the waiting operation before the other operation. It does this even
// if the waiting operation never gets the lock. The goroutine that should be added may be disabled in s. Then all
// enabled goroutines are added instead.
//
// All results of a choice (Choose) are explored. A choice is independent of all operations.
//
// The test TestReductionLosesNothing supports these arguments. It explores random programs with and without the
// reduction, and checks that both explorations find the same classes. It also checks that the search with the reduction
// finds no class twice.
//
// # TryLock
//
// The memory model lets TryLock return false even when the lock is free. With Options.Spurious both results of a
// TryLock are explored. A failure has no effect on any state and is independent of all operations. In the branch for
// success, the call waits until the lock is free. This branch represents the executions in which TryLock is called only
// when the lock is free. If a TryLock can never succeed in a state, no execution corresponds to this state. So the
// search does not continue this branch. In the other branch the call fails. The operations of the other goroutines are
// explored in that branch. Without Spurious, TryLock fails only if the lock is held. Go's implementation does the same,
// except in the starvation mode of the lock.
package interleave
