(* Claims of the papers that follow from the theorems in a line or some: laws and means of what is hit.

   Throws and items are as in standard.v and classic.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard partitioned classic sequences size search.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Throws.
Variables m N : nat.

(* Burns (44), and the mean of his Theorem 3: on average, N throws hit m (1 - (1 - 1/m)^N) bits. *)
Theorem mean_of_hits : (0 < m)%N ->
  (\sum_(t : {ffun 'I_N -> 'I_m}) #|hits t|%:R) / (m ^ N)%:R = m%:R * (1 - (1 - m%:R^-1) ^+ N) :> rat.
Proof.
move=> m0; have pow : (m ^ N)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
rewrite mean_hits -mulrA; congr (_ * _); rewrite mulrBl divff //; congr (_ - _).
by rewrite !natrX -expr_div_n -subn1 natrB // mulrBl divff ?mul1r // pnatr_eq0 -lt0n.
Qed.

(* Fan (8): the rate with N throws is his sum over the number x of set bits. *)
Theorem sum_over_set_bits k : (0 < m)%N ->
  rate m N k = \sum_(x < m.+1) (x%:R / m%:R) ^+ k * ('C(m, x)%:R * \sum_(j < x.+1) 'C(x, j)%:R * ((-1) ^+ j * ((x - j)%:R / m%:R) ^+ N)).
Proof.
move=> m0; have pow e : (m ^ e)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
rewrite /rate stirling mulr_suml; apply: eq_bigr => x _.
have -> : \sum_(j < x.+1) 'C(x, j)%:R * ((-1) ^+ j * ((x - j)%:R / m%:R) ^+ N) = onto N x / (m ^ N)%:R.
  rewrite /onto mulr_suml; apply: eq_bigr => j _; rewrite -!mulrA; congr (_ * (_ * _)).
  by rewrite expr_div_n !natrX.
rewrite expr_div_n -!natrX expnD natrM invfM [RHS]mulrCA -!mulrA; congr (_ * _).
by rewrite [LHS]mulrCA; congr (_ * _); rewrite [RHS]mulrCA; congr (_ * _); rewrite mulrC.
Qed.
End Throws.

(* Burns (52): the share of the queries that have all positions in B is (|B|/m)^k for k independent positions, and
   C(|B|, k)/C(m, k) for k distinct positions. *)
Theorem queries_within m k (B : {set 'I_m}) :
  (#|[set q : {ffun 'I_k -> 'I_m} | hits q \subset B]|%:R / (m ^ k)%:R = (#|B|%:R / m%:R) ^+ k :> rat) /\
  (#|[set q in items m k | q \subset B]|%:R / #|items m k|%:R = 'C(#|B|, k)%:R / 'C(m, k)%:R :> rat).
Proof.
split; first by rewrite card_within expr_div_n -!natrX.
rewrite card_items -cards_draws; congr (_%:R / _); apply: eq_card => q.
by rewrite !inE andbC.
Qed.

(* Fan (16): in a partition of s = m/k bits, a given bit is 0 after n items with probability (1 - k/m)^n. *)
Theorem partition_bit_stays_zero s k n (x : 'I_s) : (0 < k)%N ->
  #|[set t : {ffun 'I_n -> 'I_s} | x \notin hits t]|%:R / (s ^ n)%:R = (1 - k%:R / (s * k)%:R) ^+ n :> rat.
Proof.
move=> k0; rewrite bit_stays_zero natrM invfM mulrCA divff ?mulr1 // pnatr_eq0 -lt0n //.
Qed.

(* Fan (17), which is Bernoulli's inequality: (1 - k/m)^n < (1 - 1/m)^(k n). *)
Theorem partition_below m k n : (1 < m)%N -> (0 < n)%N -> (1 < k <= m)%N -> (1 - k%:R / m%:R) ^+ n < (1 - m%:R^-1) ^+ (k * n) :> rat.
Proof.
move=> m1 n0 /andP[k1 km]; have m0 : (0 < m)%N by apply: ltn_trans m1.
have /andP[x0 x1] := share01k km m0; have /andP[y0 y1] := share01 m0.
have lt : 1 - k%:R / m%:R < (1 - m%:R^-1) ^+ k :> rat.
  have := @tangent_strict 1 (- m%:R^-1) k ltr01; rewrite oppr_eq0 invr_eq0 pnatr_eq0 -lt0n m0 => /(_ isT y0 k1).
  by rewrite !expr1n mulr1 mulrN.
by rewrite exprM ltr_expn2r // -lt0n.
Qed.

(* Burns 3.1: what tests positive for one of several arrays of bits also tests positive for their OR, and what tests
   positive for their AND also tests positive for each of them. *)
Theorem positives m c (B : 'I_c -> {set 'I_m}) (q : {set 'I_m}) i :
  (q \subset B i -> q \subset \bigcup_j B j) /\ (q \subset \bigcap_j B j -> q \subset B i).
Proof.
by split=> h; [exact: subset_trans h (bigcup_sup i isT) | exact: subset_trans h (bigcap_inf i isT)].
Qed.
