; proves   range reduction is in bounds: floor(x*s/2^52) < s for x < 2^52 and every s >= 1
; assumes  nothing
; of       kernel/position.go
; of       kernel/asm/positions_portable.go
(set-logic QF_NIA)
(declare-const x Int)
(declare-const s Int)
(declare-const p Int) ; floor(x*s/2^52)
(define-fun unit () Int 4503599627370496) ; 2^52

(push 1)
(assert (and (<= 0 x) (< x unit) (<= 1 s)))
(assert (and (<= (* unit p) (* x s)) (< (* x s) (* unit (+ p 1)))))
(check-sat) ; sat
(push 1)
(assert (not (and (<= 0 p) (< p s))))
(check-sat) ; unsat: 0 <= p < s
(pop 1)
(pop 1)

(push 1)
(assert (and (<= 0 x) (<= x unit) (<= 1 s)))
(assert (and (<= (* unit p) (* x s)) (< (* x s) (* unit (+ p 1)))))
(assert (not (and (<= 0 p) (< p s))))
(check-sat) ; sat, broken: x = 2^52
(pop 1)
