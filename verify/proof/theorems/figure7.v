(* Burns' Figure 7: the best numbers of positions of filters with 1000 bits and 20 items.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases natural efficiency decimals figures examples large.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition dyadic (a : N) (e : N) : N * N := (a, 2 ^ e)%num.
Definition between (d e : N) (l : seq (N * N)) (lo hi : N * N) : bool := above_case lo d e l && below_case hi d e l.
Definition standard_scale (s : N) (m k : nat) : N := (whole s * raised (bin_of_nat m) k)%num.
Definition standard_between (s u : N) (m n k : nat) : N * N -> N * N -> bool := between (standard_scale s m k) (whole u) (standard_list s u m n k).
Definition classic_between (s : N) (m n k : nat) : N * N -> N * N -> bool := between (whole s) 1 (classic_list s m n k).
Definition as_rat (c : N * N) : rat := rat_of_N c.1 / rat_of_N c.2.

Lemma betweenP d e l lo hi F : enclosed d e l F -> between d e l lo hi -> as_rat lo < F /\ F <= as_rat hi.
Proof. by move=> enc /andP[a b]; split; [apply: above_caseP enc a | apply: below_caseP enc b]. Qed.

Lemma standard_betweenP s u m n k lo hi : (0 < m)%N -> standard_between s u m n k lo hi -> as_rat lo < rate m (n * k) k /\ rate m (n * k) k <= as_rat hi.
Proof. by move=> m0; apply: betweenP; exact: standard_enclosed. Qed.

Lemma classic_betweenP s m n k lo hi : (k <= m)%N -> classic_between s m n k lo hi -> as_rat lo < classic_rate m k n k /\ classic_rate m k n k <= as_rat hi.
Proof. by move=> km; apply: betweenP; exact: classic_enclosed. Qed.

Lemma as_rat_ge0 c : 0 <= as_rat c. Proof. by rewrite divr_ge0 ?rat_ge0. Qed.

Lemma halves (F : realFieldType) (x : F) p T : (0 < T)%N -> (p.*2%:R - 1) / (2 * T)%:R <= x -> x <= (p.*2%:R + 1) / (2 * T)%:R ->
  `|x - p%:R / T%:R| <= (2 * T)%:R^-1.
Proof.
move=> T0; have -> : p%:R / T%:R = p.*2%:R / (2 * T)%:R :> F.
  by rewrite -mul2n !natrM -mulf_div divff ?mul1r // pnatr_eq0.
rewrite mulrBl mulrDl mul1r => lo hi.
by rewrite ler_norml ler_subl_addl ler_subr_addl lo hi.
Qed.

(* For K <= k the rate is above that of the case c. *)
Definition standard_tail_test (s : N) (c : N * N) (m n K : nat) : bool :=
  let w := (bin_of_nat K * (powered s (base s m n 1) K + bin_of_nat (K * 2)))%num in
  [&& (w <=? whole s)%num, (bin_of_nat K.+1 * raised (bin_of_nat m.-1) n <=? bin_of_nat K * raised (bin_of_nat m) n)%num
    & lt_case c ((whole s - w)%num, whole s)].

Lemma bloom_tail_testP s c m n K k : (0 < m)%N -> (0 < K)%N -> standard_tail_test s c m n K -> (K <= k)%N ->
  as_rat c < (1 - (1 - m%:R^-1) ^+ (n * k)) ^+ k.
Proof.
move=> m0 K0; rewrite /standard_tail_test; set w := (_ * _)%num => /and3P[/N.leb_le ws /N.leb_le/bin_le steps /lt_caseP /= lt] Kk.
have /andP[x0 x1] := share01 m0; have D0 := whole_gt0 s.
have [_ hi] := powered_near K (unit_power n (part_le1 1 m0)) (@ler01 _) (base_near s n 1 m0).
rewrite -leave_out // in hi; set x := 1 - _ in x0 x1 hi.
apply: lt_le_trans lt _; apply: le_trans (bernoulli k _); last by rewrite exprn_ge0 ?exprn_ile1.
have -> : rat_of_N (whole s - w)%num / rat_of_N (whole s) = 1 - rat_of_N w / rat_of_N (whole s).
  by apply: complement => //; move: D0; rewrite /rat_of_N ltr0n.
rewrite ler_add2l ler_opp2 -/x; apply: le_trans (_ : K%:R * x ^+ (n * K) <= _); last first.
  rewrite exprM ler_pdivl_mulr // /w ratM rat_nat ratD rat_nat natrM -mulrA ler_wpmul2l ?ler0n //.
  by rewrite mulrC.
rewrite !exprM; apply: falls => //; first by rewrite exprn_ge0.
have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have -> : x = (m.-1)%:R / m%:R by rewrite /x leave_out // subn1.
rewrite expr_div_n mulrA ler_pdivr_mulr ?exprn_gt0 // -!natrX -!natrM ler_nat.
by move: steps; rewrite !nat_of_mul_bin !raisedE !bin_of_natK.
Qed.

Lemma standard_tail_testP s c m n K k : (0 < m)%N -> (0 < K)%N -> standard_tail_test s c m n K -> (K <= k)%N ->
  as_rat c < rate m (n * k) k.
Proof. by move=> m0 K0 test Kk; apply: lt_le_trans (bloom_tail_testP m0 K0 test Kk) (bloom_below (n * k) m0 k). Qed.

Definition in_range (k : nat) (r : nat * nat) : bool := (r.1 <= k <= r.2)%N.

(* The number best is the only best number of positions: other numbers in near have their rates computed, those in the
   ranges and from K on have lower bounds. *)
Definition standard_best_test (s u : N) (m n best : nat) (lo hi : N * N) (near : seq nat) (ranges : seq (nat * nat)) (K : nat) : bool :=
  [&& standard_between s u m n best lo hi,
      all (fun k => (k == best) || above_case hi (standard_scale s m k) (whole u) (standard_list s u m n k)) near,
      all (fun r => standard_range_test s hi m n r.1 r.2) ranges,
      all (fun k => (k \in near) || has (in_range k) ranges) (iota 1 K.-1) & standard_tail_test s hi m n K].

Lemma standard_bestP s u m n best lo hi near ranges K : (0 < m)%N -> (0 < K)%N -> (0 < best)%N ->
  standard_best_test s u m n best lo hi near ranges K -> best_standard m n best.
Proof.
move=> m0 K0 b0 /and5P[between /allP nears /allP inner /allP covered tail]; split=> // j j0 ne.
have [_ top] := standard_betweenP m0 between; apply: le_lt_trans top _.
have [Kj | jK] := leqP K j; first exact: standard_tail_testP tail Kj.
have := covered j; rewrite mem_iota j0 add1n prednK // => /(_ jK)/orP[jn | /hasP[r rr jr]].
  have := nears j jn; rewrite (negbTE ne) /=; apply: above_caseP; exact: standard_enclosed.
exact: standard_range_testP (inner r rr) jr.
Qed.

Definition classic_best_test (s : N) (m n best : nat) (lo hi : N * N) (near : seq nat) (ranges : seq (nat * nat)) : bool :=
  [&& classic_between s m n best lo hi,
      all (fun k => (k <= m)%N && ((k == best) || above_case hi (whole s) 1 (classic_list s m n k))) near,
      all (fun r => (0 < r.1)%N && classic_range_test2 s hi m n r.1 r.2) ranges
    & all (fun k => (k \in near) || has (in_range k) ranges) (iota 1 m)].

Lemma classic_bestP s m n best lo hi near ranges : (0 < n)%N -> (0 < best <= m)%N ->
  classic_best_test s m n best lo hi near ranges -> best_classic m n best.
Proof.
move=> n0 /andP[b0 bm] /and4P[between /allP nears /allP inner /allP covered]; split; first by rewrite b0.
move=> j /andP[j0 jm] ne; have [_ top] := classic_betweenP bm between; apply: le_lt_trans top _.
have := covered j; rewrite mem_iota j0 add1n ltnS => /(_ jm)/orP[jn | /hasP[r rr jr]].
  have /andP[_] := nears j jn; rewrite (negbTE ne) /=; apply: above_caseP; exact: classic_enclosed.
have /andP[r0 test] := inner r rr; exact: classic_range_test2P n0 r0 jm test jr.
Qed.

Lemma standard1000 : standard_best_test 120 220 1000 20 34 (dyadic 1640263038 65) (dyadic 1640263042 65) (iota 30 11)
  [:: (1, 6); (7, 11); (12, 15); (16, 18); (19, 20); (21, 22); (23, 23); (24, 24); (25, 25); (26, 26); (27, 27); (28, 28); (29, 29);
      (41, 41); (42, 42); (43, 43); (44, 44); (45, 45); (46, 46); (47, 48); (49, 50); (51, 53); (54, 57); (58, 63); (64, 73);
      (74, 92); (93, 141); (142, 396)]%N 397.
Proof. vm_cast_no_check isT. Qed.

Lemma classic1000 : classic_best_test 130 1000 20 33 (dyadic 1364677471 65) (dyadic 1364677475 65) (iota 25 23)
  [:: (1, 6); (7, 11); (12, 15); (16, 18); (19, 20); (21, 21); (22, 22); (23, 23); (24, 24); (48, 48); (49, 49); (50, 50); (51, 52);
      (53, 54); (55, 57); (58, 61); (62, 68); (69, 80); (81, 107); (108, 198); (199, 1000)]%N.
Proof. vm_cast_no_check isT. Qed.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Lemma times_low (c v w : N) (l : R) : (nat_of_bin v)%:R / (nat_of_bin w)%:R <= l ->
  (nat_of_bin (c * v)%num)%:R / (nat_of_bin w)%:R <= (nat_of_bin c)%:R * l.
Proof. by move=> le; rewrite nat_of_mul_bin natrM -mulrA ler_wpmul2l ?ler0n. Qed.

Lemma times_high (c v w : N) (l : R) : l <= (nat_of_bin v)%:R / (nat_of_bin w)%:R ->
  (nat_of_bin c)%:R * l <= (nat_of_bin (c * v)%num)%:R / (nat_of_bin w)%:R.
Proof. by move=> le; rewrite nat_of_mul_bin natrM -mulrA ler_wpmul2l ?ler0n. Qed.

Lemma ln2_bounds : (nat_of_bin (69 * 100 + 31)%num)%:R / (nat_of_bin (100 * 100)%num)%:R <= ln 2%:R /\
  ln 2%:R <= (nat_of_bin 139)%:R / (nat_of_bin 200)%:R.
Proof.
have [lo _] := ln2_digits expD above lnK; split; last exact: ln2_high expD above lnK.
by rewrite nat_of_add_bin !nat_of_mul_bin.
Qed.

Lemma figure7_test : (let b := bin_of_nat 347 in let P := raised 10 1 in let w := 100 * 100 in let v := 50 * (69 * 100 + 31) in let w' := 200 in let v' := 50 * 139 in
  [&& 0 <? w, 0 <? w', (2 * b) * w <=? (2 * P) * v + w & (2 * P) * v' <=? (2 * b) * w' + w'])%num.
Proof. by vm_compute. Qed.

(* Burns, Figure 7, with m = 1000 and n = 20: the standard filter has the lowest rate at k = 34 only, and the classic filter
   at k = 33 only. The number (m/n) ln 2 is 34.7, rounded. *)
Theorem figure7 : [/\ best_standard 1000 20 34, best_classic 1000 20 33
  & `|1000%:R / 20%:R * ln 2%:R - 347%:R / (10 ^ 1)%:R| <= (2 * 10 ^ 1)%:R^-1].
Proof.
split.
- exact: (@standard_bestP 120 220 1000 20 34 _ _ _ _ 397 isT isT isT standard1000).
- exact: (@classic_bestP 130 1000 20 33 _ _ _ _ isT isT classic1000).
have -> : 1000%:R / 20%:R = (nat_of_bin 50)%:R :> R by rewrite (_ : 1000 = 50 * 20)%N // natrM mulfK // pnatr_eq0.
have [lo hi] := ln2_bounds.
exact: (within (times_low 50 lo) (times_high 50 hi) figure7_test).
Qed.
End Exponential.
