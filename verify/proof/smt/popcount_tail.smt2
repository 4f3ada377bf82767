; proves   the mask (1<<left)-1 chooses exactly the last left lanes of a vector, 0 <= left < 8
; assumes  that a masked lane is neither read nor written
; of       kernel/asm/popcount_avx512_amd64.h
(set-logic QF_BV)
(define-sort Word () (_ BitVec 64))
(declare-const left Word)
(declare-const i Word)
(define-fun mask () Word ; MOVL $1; SHLQ, which shifts by left mod 64; DECQ
  (bvsub (bvshl (_ bv1 64) (bvand left (_ bv63 64))) (_ bv1 64)))
(define-fun exact () Bool (= (= ((_ extract 0 0) (bvlshr mask i)) #b1) (bvult i left)))

(push 1)
(assert (and (bvult left (_ bv8 64)) (bvult i (_ bv8 64))))
(check-sat) ; sat
(push 1)
(assert (not exact))
(check-sat) ; unsat: lane i is chosen exactly when i < left
(pop 1)
(pop 1)

(push 1)
(assert (and (bvule left (_ bv64 64)) (bvult i (_ bv64 64))))
(assert (not exact))
(check-sat) ; sat, broken: left = 64 shifts by 0
(pop 1)
