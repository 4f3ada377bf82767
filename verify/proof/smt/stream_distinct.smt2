; proves   the 64-bit words of a stream are distinct: multiplying by H1|1 is injective modulo 2^64, and mix is a bijection; word &^ 0xfff is (word>>12)<<12
; assumes  nothing
; of       kernel/position.go 0xbf58476d1ce4e5b9 0x94d049bb133111eb
; of       kernel/asm/positions_portable.go 0xbf58476d1ce4e5b9 0x94d049bb133111eb
(set-logic QF_BV)
(define-sort Word () (_ BitVec 64))
(declare-const h0 Word) (declare-const h1 Word)
(declare-const i Word) (declare-const j Word)
(declare-const z Word)
(define-fun one () Word (_ bv1 64))
(define-fun times ((n Word) (gamma Word)) Word (bvadd h0 (bvmul (bvadd n one) gamma)))
(define-fun gamma () Word (bvor h1 one))

; The states differ when their distance (i-j)*gamma does: the sum cancels, the product
; of an odd number and another is 0 only for 0.
(push 1)
(assert (not (=> (= (times i gamma) (times j gamma)) (= (bvmul (bvsub i j) gamma) (_ bv0 64)))))
(check-sat) ; unsat: equal states have a distance of 0
(pop 1)
(push 1)
(assert (not (=> (= (bvmul z gamma) (_ bv0 64)) (= z (_ bv0 64)))))
(check-sat) ; unsat: an odd increment reaches 0 after 2^64 steps and not before
(pop 1)
(push 1)
(assert (not (=> (= (bvmul z h1) (_ bv0 64)) (= z (_ bv0 64)))))
(check-sat) ; sat, broken: an increment that may be even
(pop 1)

; Each step of mix has an inverse.
(define-fun xs ((v Word) (n Word)) Word (bvxor v (bvlshr v n)))
(push 1)
(assert (not (= (xs (xs (xs z (_ bv30 64)) (_ bv30 64)) (_ bv60 64)) z)))
(check-sat) ; unsat: z ^ z>>30
(pop 1)
(push 1)
(assert (not (= (xs (xs (xs z (_ bv27 64)) (_ bv27 64)) (_ bv54 64)) z)))
(check-sat) ; unsat: z ^ z>>27
(pop 1)
(push 1)
(assert (not (= (xs (xs (xs z (_ bv31 64)) (_ bv31 64)) (_ bv62 64)) z)))
(check-sat) ; unsat: z ^ z>>31
(pop 1)
(push 1)
(assert (not (= (bvmul #x96de1b173f119089 #xbf58476d1ce4e5b9) one)))
(check-sat) ; unsat: the first factor
(pop 1)
(push 1)
(assert (not (= (bvmul #x319642b2d24d8ec3 #x94d049bb133111eb) one)))
(check-sat) ; unsat: the second factor
(pop 1)
(push 1)
(assert (not (= (bvmul #x319642b2d24d8ec3 #xbf58476d1ce4e5b9) one)))
(check-sat) ; sat, broken: the factors exchanged
(pop 1)

(push 1)
(assert (not (= (bvand z (bvnot #x0000000000000fff)) (bvshl (bvlshr z (_ bv12 64)) (_ bv12 64)))))
(check-sat) ; unsat: reduce takes the high 52 bits in place
(pop 1)
