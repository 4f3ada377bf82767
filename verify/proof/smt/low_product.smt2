; proves   the low 64 bits of a product are al*bl + (al*bh + ah*bl)<<32, modulo 2^64 at every step
; assumes  what VPMULUDQ does: the product of two low halves
; of       kernel/position_forms_test.go
(set-logic QF_NIA)
(declare-const al Int) (declare-const ah Int) ; a = ah*2^32 + al
(declare-const bl Int) (declare-const bh Int) ; b = bh*2^32 + bl
(define-fun half () Int 4294967296)           ; 2^32
(define-fun word () Int 18446744073709551616) ; 2^64

(push 1)
(assert (not (= (* (+ (* half ah) al) (+ (* half bh) bl))
                (+ (* al bl) (* half (+ (* al bh) (* ah bl))) (* word ah bh)))))
(check-sat) ; unsat: a*b = al*bl + 2^32*(al*bh + ah*bl) + 2^64*ah*bh
(pop 1)

; Any numbers in place of the four products.
(declare-const ll Int) (declare-const lh Int) (declare-const hl Int) (declare-const hh Int)
(push 1)
(assert (and (<= 0 ll) (<= 0 lh) (<= 0 hl) (<= 0 hh)))
(check-sat) ; sat
(push 1)
(assert (not (= (mod (+ ll (mod (* half (mod (+ lh hl) word)) word)) word)
                (mod (+ ll (* half (+ lh hl)) (* word hh)) word))))
(check-sat) ; unsat: sums and shifts that drop what leaves 64 bits give the product modulo 2^64
(pop 1)
(push 1)
(assert (not (= (mod (+ ll (mod (* half (mod lh word)) word)) word)
                (mod (+ ll (* half (+ lh hl)) (* word hh)) word))))
(check-sat) ; sat, broken: without the product of ah and bl
(pop 1)
(pop 1)
