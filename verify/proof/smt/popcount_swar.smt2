; proves   the sums over pairs, nibbles and bytes in math/bits.OnesCount64 give the number of ones of a word
; assumes  that OnesCount64, which the portable twins call, computes these sums, or runs POPCNT
; of       kernel/asm/popcount_portable.go
(set-logic QF_BV)
(define-sort Word () (_ BitVec 64))
(declare-const x Word)

(define-fun ones8 ((b (_ BitVec 8))) Word
  (bvadd (bvadd (bvadd ((_ zero_extend 63) ((_ extract 0 0) b)) ((_ zero_extend 63) ((_ extract 1 1) b)))
                (bvadd ((_ zero_extend 63) ((_ extract 2 2) b)) ((_ zero_extend 63) ((_ extract 3 3) b))))
         (bvadd (bvadd ((_ zero_extend 63) ((_ extract 4 4) b)) ((_ zero_extend 63) ((_ extract 5 5) b)))
                (bvadd ((_ zero_extend 63) ((_ extract 6 6) b)) ((_ zero_extend 63) ((_ extract 7 7) b))))))
(define-fun ones () Word
  (bvadd (bvadd (bvadd (ones8 ((_ extract 7 0) x)) (ones8 ((_ extract 15 8) x)))
                (bvadd (ones8 ((_ extract 23 16) x)) (ones8 ((_ extract 31 24) x))))
         (bvadd (bvadd (ones8 ((_ extract 39 32) x)) (ones8 ((_ extract 47 40) x)))
                (bvadd (ones8 ((_ extract 55 48) x)) (ones8 ((_ extract 63 56) x))))))

(define-fun by ((z Word) (n Word) (mask Word)) Word (bvadd (bvand (bvlshr z n) mask) (bvand z mask)))
(define-fun fold ((z Word) (n Word)) Word (bvadd (bvlshr z n) z))
(define-fun nibbles () Word (by (by x (_ bv1 64) #x5555555555555555) (_ bv2 64) #x3333333333333333))
(define-fun swar ((bytes Word)) Word
  (bvand (fold (fold (fold bytes (_ bv8 64)) (_ bv16 64)) (_ bv32 64)) #x000000000000007f))

(push 1)
(assert (not (= (swar (bvand (fold nibbles (_ bv4 64)) #x0f0f0f0f0f0f0f0f)) ones)))
(check-sat) ; unsat: the sum is the number of ones
(pop 1)

(push 1)
(assert (not (= (swar (fold nibbles (_ bv4 64))) ones)))
(check-sat) ; sat, broken: the carries of the nibbles are not masked off
(pop 1)
