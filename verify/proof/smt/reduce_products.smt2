; proves   floor(x*s/2^52) follows from two products of 32 bits if s < 2^32, and from four such products if s <= 2^48, and every product and sum fits in 64 bits
; assumes  what VPMULUDQ does: the product of two low halves
; of       kernel/position_forms_test.go
(set-logic QF_NIA)
(declare-const xl Int) (declare-const xh Int) ; x = xh*2^32 + xl
(declare-const sl Int) (declare-const sh Int) ; s = sh*2^32 + sl
(define-fun half () Int 4294967296)               ; 2^32
(define-fun unit () Int 4503599627370496)         ; 2^52
(define-fun word () Int 18446744073709551616)     ; 2^64
(define-fun s () Int (+ (* half sh) sl))
(define-fun x () Int (+ (* half xh) xl))

; The products as numbers of their own: what is claimed holds for any ll, hl, lh, hh in
; their ranges, and the product of x and s is the sum of theirs.
(declare-const ll Int) (declare-const hl Int) (declare-const lh Int) (declare-const hh Int)
(push 1)
(assert (not (= (* x s) (+ (* xl sl) (* half (+ (* xh sl) (* xl sh))) (* half half xh sh)))))
(check-sat) ; unsat: x*s = xl*sl + 2^32*(xh*sl + xl*sh) + 2^64*xh*sh
(pop 1)
(push 1)
(assert (and (<= 0 xl) (< xl half) (<= 0 xh) (< xh 1048576) (<= 0 sl) (< sl half) (<= 0 sh 65536)))
(check-sat) ; sat
(push 1)
(assert (not (and (<= 0 (* xl sl) (* (- half 1) (- half 1))) (<= 0 (* xh sl) (* 1048575 (- half 1)))
                  (<= 0 (* xl sh) (* 65536 (- half 1))) (<= 0 (* xh sh) (* 1048575 65536)))))
(check-sat) ; unsat: the ranges of the products
(pop 1)
(pop 1)

(push 1)
(assert (and (<= 0 ll (* (- half 1) (- half 1))) (<= 0 hl (* 1048575 (- half 1)))))
(check-sat) ; sat
(push 1)
(assert (not (= (div (+ hl (div ll half)) 1048576) (div (+ ll (* half hl)) unit))))
(check-sat) ; unsat: two products, s < 2^32 (sh = 0)
(pop 1)
(push 1)
(assert (not (< (+ hl (div ll half)) word)))
(check-sat) ; unsat: and their sum does not overflow
(pop 1)
(push 1)
(assert (<= 0 lh (* 65536 (- half 1))))
(assert (not (= (div (+ hl (div ll half)) 1048576) (div (+ ll (* half (+ hl lh))) unit))))
(check-sat) ; sat, broken: two products where s has a high half
(pop 1)
(pop 1)

; Of four products, the halves: ll = ll1*2^32 + ll0 and so on.
(declare-const ll0 Int) (declare-const ll1 Int) (declare-const hl0 Int) (declare-const hl1 Int)
(declare-const lh0 Int) (declare-const lh1 Int) (declare-const mid0 Int) (declare-const mid1 Int)
(define-fun split ((p Int) (p1 Int) (p0 Int)) Bool (and (= p (+ (* half p1) p0)) (<= 0 p0) (< p0 half) (<= 0 p1)))
(define-fun mid () Int (+ ll1 hl0 lh0))
(define-fun top () Int (+ hl1 lh1 hh mid1))
(push 1)
(assert (and (<= 0 ll (* (- half 1) (- half 1))) (<= 0 hl (* 1048575 (- half 1)))
             (<= 0 lh (* 65536 (- half 1))) (<= 0 hh (* 1048575 65536))))
(assert (and (split ll ll1 ll0) (split hl hl1 hl0) (split lh lh1 lh0) (split mid mid1 mid0)))
(check-sat) ; sat
(push 1)
(assert (not (= (+ (* 4096 top) (div mid0 1048576))
                (div (+ ll (* half (+ hl lh)) (* word hh)) unit))))
(check-sat) ; unsat: four products, s <= 2^48
(pop 1)
(push 1)
(assert (not (and (< mid (* 4 half)) (< (* 4096 top) word))))
(check-sat) ; unsat: mid is below 2^34, and the shift by 12 drops no bit
(pop 1)
(push 1)
(assert (not (= (+ (* 4096 (- top mid1)) (div mid0 1048576))
                (div (+ ll (* half (+ hl lh)) (* word hh)) unit))))
(check-sat) ; sat, broken: the carry of mid is lost
(pop 1)
(pop 1)
