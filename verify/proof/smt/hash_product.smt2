; proves   four products of halves give both words of the product of two words, and no intermediate sum exceeds 64 bits
; assumes  what VPMULUDQ does: the product of two low halves
; of       kernel/asm/hash_avx2_amd64.s
; of       kernel/asm/hash_avx512_amd64.s
; of       kernel/asm/hash_portable.go
(set-logic QF_BV)
; Products of two halves; which halves they are does not matter to the sums.
(declare-const ll (_ BitVec 64))
(declare-const hl (_ BitVec 64))
(declare-const lh (_ BitVec 64))
(declare-const hh (_ BitVec 64))
(define-fun most () (_ BitVec 64) #xfffffffe00000001) ; (2^32-1)^2
(define-fun low ((x (_ BitVec 64))) (_ BitVec 64) (bvand x #x00000000ffffffff))
(define-fun up ((x (_ BitVec 64))) (_ BitVec 64) (bvlshr x #x0000000000000020))
(define-fun wide ((x (_ BitVec 64))) (_ BitVec 128) (concat #x0000000000000000 x))
; hl + up(ll), then lh + the low half of that, then hh + both high halves, as HASH has them.
(define-fun mid () (_ BitVec 64) (bvadd hl (up ll)))
(define-fun sum () (_ BitVec 64) (bvadd lh (low mid)))
(define-fun high () (_ BitVec 64) (bvadd hh (up mid) (up sum)))
(define-fun lower () (_ BitVec 64) (bvor (bvshl sum #x0000000000000020) (low ll)))
(define-fun shifted ((x (_ BitVec 64)) (by (_ BitVec 128))) (_ BitVec 128) (bvshl (wide x) by))
(define-fun product () (_ BitVec 128)
  (bvadd (wide ll) (shifted hl #x00000000000000000000000000000020) (shifted lh #x00000000000000000000000000000020)
         (shifted hh #x00000000000000000000000000000040)))

(push 1)
(assert (and (bvule ll most) (bvule hl most) (bvule lh most) (bvule hh most)))
(check-sat) ; sat
(push 1)
(assert (not (and (bvuge mid hl) (bvuge sum lh))))
(check-sat) ; unsat: neither sum in the middle has a carry
(pop 1)
(push 1)
(assert (not (= (concat high lower) product)))
(check-sat) ; unsat: the words are those of the product
(pop 1)
(push 1)
(define-fun lazy () (_ BitVec 64) (bvadd hh (up hl) (up (bvadd lh (low hl)))))
(assert (not (= (concat lazy lower) product)))
(check-sat) ; sat, broken: without the high half of the lowest product
(pop 1)
(pop 1)

(push 1)
(assert (not (and (bvuge mid hl) (bvuge sum lh))))
(check-sat) ; sat, broken: factors that are no products of halves
(pop 1)
