; proves   with step = m/k, position j*step + r of slice j is below m for j < k and r < step, and slices do not overlap
; assumes  that k divides m, or that the bits from k*step on are never used
; of       kernel/probe.go
; of       kernel/asm/positions_portable.go
(set-logic QF_NIA)
(declare-const m Int)
(declare-const k Int)
(declare-const step Int)
(declare-const j Int) (declare-const r Int)
(declare-const i Int) (declare-const q Int) ; another slice, and a place in it

(push 1)
(assert (and (<= 1 m 281474976710656) (<= 1 k 4096) (<= 1 step) (<= (* k step) m)))
(assert (and (<= 0 j) (< j k) (<= 0 r) (< r step) (<= 0 i) (< i k) (<= 0 q) (< q step)))
(check-sat) ; sat
(push 1)
(assert (not (and (<= 0 (+ (* j step) r)) (< (+ (* j step) r) m))))
(check-sat) ; unsat: within the array, so j*step does not overflow either
(pop 1)
(push 1)
(assert (not (=> (< j i) (< (+ (* j step) r) (+ (* i step) q)))))
(check-sat) ; unsat: slice j lies below slice i > j
(pop 1)
(push 1)
(assert (not (=> (<= j i) (<= (+ (* j step) r) (+ (* i step) q)))))
(check-sat) ; sat, broken: positions of one slice have no order
(pop 1)
(push 1)
(assert (not (< (+ (* j step) r step) m)))
(check-sat) ; sat, broken: j counted from 1
(pop 1)
(pop 1)
