; proves   VPMADD52HUQ of x = word>>12 and s <= 2^48 is the specification's hi64((x<<12)*s), and adding j*step to it does not overflow
; assumes  what VPMADD52HUQ does: it adds the high 52 bits of the product of two low 52 bits
; of       kernel/position.go
; of       kernel/asm/positions_portable.go
(set-logic QF_NIA)
(declare-const x Int)
(declare-const s Int)
(declare-const base Int) ; j*step
(define-fun unit () Int 4503599627370496) ; 2^52
(define-fun word () Int 18446744073709551616) ; 2^64
(define-fun spec () Int (div (* 4096 x s) word))
(define-fun high () Int (div (* x s) unit))

(push 1)
(assert (and (<= 0 x) (< x unit) (<= 0 s 281474976710656)))
(check-sat) ; sat
(push 1)
(assert (not (and (= (mod x unit) x) (= (mod s unit) s))))
(check-sat) ; unsat: the instruction drops no bit of x or s
(pop 1)
(push 1)
(assert (not (= high spec)))
(check-sat) ; unsat: the high 52 bits are the high word of the specification
(pop 1)
(push 1)
(assert (<= 0 base 281474976710656))
(check-sat) ; sat
(assert (not (< (+ base high) word)))
(check-sat) ; unsat: the sum fits a word
(pop 1)
(pop 1)

(push 1)
(assert (and (<= 0 x) (< x unit) (= s 9007199254740992))) ; s = 2^53
(assert (not (and (= (mod x unit) x) (= (mod s unit) s))))
(check-sat) ; sat, broken: an s of more than 52 bits
(pop 1)
