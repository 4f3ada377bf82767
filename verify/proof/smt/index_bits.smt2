; proves   the function set changes only bit p&63 of a word, the function bit reads only this bit, and the fresh bit is 1 exactly when this bit was clear
; assumes  nothing
; of       kernel/words.go
; of       kernel/asm/probe_portable.go
(set-logic QF_BV)
(define-sort Word () (_ BitVec 64))
(declare-const old Word)
(declare-const p Word)
(declare-const i Word)
(define-fun at () Word (bvand p (_ bv63 64)))
(define-fun one () Word (_ bv1 64))
(define-fun new () Word (bvor old (bvshl one at)))
(define-fun get ((w Word) (n Word)) Word (bvand (bvlshr w n) one))

(push 1)
(assert (not (= (bvlshr p (_ bv6 64)) (bvudiv p (_ bv64 64)))))
(check-sat) ; unsat: p>>6 and p&63 are p's quotient and remainder by 64 (the latter by its definition)
(pop 1)
(push 1)
(assert (bvult i (_ bv64 64)))
(check-sat) ; sat
(push 1)
(assert (not (= (get new i) (ite (= i at) one (get old i)))))
(check-sat) ; unsat: set sets one bit and leaves the others
(pop 1)
(push 1)
(assert (not (= (bvand (bvlshr (bvnot old) at) one) (ite (= (get old at) one) (_ bv0 64) one))))
(check-sat) ; unsat: fresh is 1 exactly when the bit was clear
(pop 1)
(push 1)
(assert (not (= (bvand (bvlshr (bvnot old) at) one) (bvand (bvlshr (bvxor old new) at) one))))
(check-sat) ; unsat: the count of set bits grows by fresh
(pop 1)
(push 1)
(assert (not (= (bvand (bvlshr (bvnot new) at) one) (bvand (bvlshr (bvxor old new) at) one))))
(check-sat) ; sat, broken: fresh taken after the bit is set
(pop 1)
(pop 1)

