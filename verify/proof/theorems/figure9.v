(* Burns' Figure 9: the largest efficiency of a standard filter with 100 bits.

   As in efficiency.v, log is any function from the rationals to an ordered field with log (x y) = log x + log y, which
   grows. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard search cases efficiency decimals examples large figure7.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The first of the numbers whose test succeeds, or 0. *)
Fixpoint first_of (test : nat -> bool) (l : seq nat) : nat := if l is d :: l' then if test d then d else first_of test l' else 0.

(* From a on: tests of ranges, each of which begins where the range before ended, and at the end a test of all numbers from
   there on. Coq computes both arguments of && and ||, but only one branch after if. *)
Fixpoint reach (test : nat -> nat -> bool) (tail : nat -> bool) (most a : nat) : bool :=
  if tail a then true else if most is l.+1 then
    let b := (a + first_of (fun d => test a (a + d)) [:: a; a./2; a./2./2; a./2./2./2])%N in if test a b then reach test tail l b.+1 else false
  else false.

Lemma reachP (P : nat -> Prop) (test : nat -> nat -> bool) (tail : nat -> bool) most a n :
  (forall a b n, test a b -> (a <= n <= b)%N -> P n) -> (forall a n, tail a -> (a <= n)%N -> P n) ->
  reach test tail most a -> (a <= n)%N -> P n.
Proof.
move=> inner outer; elim: most a => [|l IH] a /=; first by case: ifP => // /outer tail_a _; exact: tail_a.
case: ifP => [/outer tail_a _ | _]; first exact: tail_a.
case: ifP => // test_b rest an.
have [nb | bn] := leqP n (a + first_of (fun d => test a (a + d)) [:: a; a./2; a./2./2; a./2./2./2])%N; last exact: IH rest bn.
by apply: inner test_b _; rewrite an; exact: nb.
Qed.

(* The number v of 2^-s is at most y, which is above it by at most e. Then (1 - y)^b is at most that of the case c. *)
Definition power_below_test (s : N) (c : N * N) (v e : N) (b : nat) : bool :=
  [&& (v + e <=? whole s)%num, (0 <? c.2)%num &
    ((powered s (whole s - (v + e)) b + bin_of_nat b * (e + 1)) * c.2 <=? c.1 * whole s)%num].

Lemma power_below_testP s c v e b (y : rat) : 0 <= y <= 1 -> near s v y (rat_of_N e) -> power_below_test s c v e b ->
  (1 - y) ^+ b <= as_rat c.
Proof.
move=> /andP[y0 y1] [lo hi] /and3P[ve /rat_gt0 c0 /rat_le]; rewrite !(ratM, ratD) rat_nat => le; have D0 := whole_gt0 s.
have part : near s (whole s - (v + e)) (1 - y) (rat_of_N e).
  rewrite /near; have -> : rat_of_N (whole s - (v + e))%num = rat_of_N (whole s) - (rat_of_N v + rat_of_N e).
    by apply/eqP; rewrite eq_sym subr_eq -!ratD N.sub_add //; exact/N.leb_le.
  rewrite mulrBr mulr1 ler_add2l ler_opp2; split=> //.
  by rewrite opprD -!addrA addNr addr0 ler_add2l ler_opp2.
have y01 : 0 <= 1 - y <= 1 by rewrite subr_ge0 y1 ler_subl_addr ler_addl.
have [_ top] := powered_near b y01 (rat_ge0 e) part.
rewrite /as_rat ler_pdivl_mulr // -(ler_pmul2r D0); apply: le_trans le.
by rewrite mulrAC ler_pmul2r // mulrC.
Qed.

(* With one position per item, f^n is least for best items, where f is the rate with n items. *)
Definition one_best_test (s u : N) (c : N * N) (m best most : nat) : bool :=
  reach (fun a b => (a == best) && (b == best) || standard_range_test s c m 1 a b) (fun a => (0 < a)%N && standard_tail_test s c m 1 a) most 1 &&
  power_below_test u c (powered u (base u m 1 1) best) (bin_of_nat (best * 2)) best.

Lemma one_bestP s u c m best most n : (0 < m)%N -> one_best_test s u c m best most -> (0 < n)%N -> n != best ->
  rate m best 1 ^+ best < rate m n 1 ^+ n.
Proof.
move=> m0 /andP[reached below] n0 ne; rewrite !(one_position_standard _ m0).
apply: (@le_lt_trans _ _ (as_rat c)).
  have x01 := part_le1 1 m0; rewrite (leave_out m0); apply: power_below_testP below; first exact: unit_power.
  have := base_near u 1 1 m0; rewrite expr1 => b1.
  by have := powered_near best x01 ler01 b1; rewrite rat_nat natrM.
suff : n = best \/ as_rat c < (1 - (1 - m%:R^-1) ^+ n) ^+ n by case=> // e; rewrite e eqxx in ne.
apply: (reachP (P := fun n => n = best \/ as_rat c < (1 - (1 - m%:R^-1) ^+ n) ^+ n) _ _ reached n0).
  move=> a b j /orP[/andP[/eqP -> /eqP ->] | test ab]; first by rewrite -eqn_leq => /eqP ->; left.
  by right; have := bloom_range_testP m0 test ab; rewrite mul1n.
move=> a j /andP[a0 test] aj; right.
by have := bloom_tail_testP m0 a0 test aj; rewrite mul1n.
Qed.

Lemma best9 : one_best_test 120 160 (dyadic 2414878744218983182390 140) 100 69 100. Proof. vm_cast_no_check isT. Qed.

Definition share_case (m n : nat) : N * N := (raised (bin_of_nat m) n - raised (bin_of_nat m.-1) n, raised (bin_of_nat m) n)%num.

Lemma share_caseE m n : (0 < m)%N -> (raised (bin_of_nat m.-1) n <=? raised (bin_of_nat m) n)%num -> rate m n 1 = as_rat (share_case m n).
Proof.
move=> m0 /N.leb_le less; rewrite (one_position_standard _ m0) (leave_out m0) subn1 /as_rat /share_case /=.
by rewrite complement ?raisedE ?bin_of_natK ?expn_gt0 ?m0 // !ratX !rat_nat expr_div_n.
Qed.

Lemma less9 : (raised (bin_of_nat 99) 69 <=? raised (bin_of_nat 100) 69)%num. Proof. by vm_compute. Qed.
Lemma power_high (c : N * N) b p (f : rat) : lt_case (raised c.1 b, raised c.2 b) (1, raised 2 p)%num -> 0 < f -> f <= as_rat c ->
  f ^+ b <= (2%:R ^+ p)^-1.
Proof.
move=> /lt_caseP; rewrite /= !ratX -expr_div_n -/(as_rat c) div1r => /ltW test f0 fc; apply: le_trans test.
by rewrite ler_expn2r ?nnegrE ?as_rat_ge0 // ltW.
Qed.

Lemma power_low (c : N * N) b p (f : rat) : lt_case (1, raised 2 p)%num (raised c.1 b, raised c.2 b) -> as_rat c <= f ->
  (2%:R ^+ p)^-1 <= f ^+ b.
Proof.
move=> /lt_caseP; rewrite /= !ratX -expr_div_n -/(as_rat c) div1r => /ltW test cf; apply: le_trans test _.
by rewrite ler_expn2r ?nnegrE ?as_rat_ge0 // (le_trans _ cf) ?as_rat_ge0.
Qed.

Definition low9 : N * N := (999, 2000)%num.
Definition high9 : N * N := (1001, 2000)%num.
Lemma half9 : lt_case low9 (share_case 100 69) && lt_case (share_case 100 69) high9. Proof. by vm_compute. Qed.
Lemma high_test9 : lt_case (raised high9.1 138, raised high9.2 138) (1, raised 2 (69.*2.-1))%num. Proof. by vm_compute. Qed.
Lemma low_test9 : lt_case (1, raised 2 (69.*2.+1))%num (raised low9.1 138, raised low9.2 138). Proof. by vm_compute. Qed.

Lemma near_half9 : as_rat low9 <= rate 100 69 1 /\ rate 100 69 1 <= as_rat high9.
Proof.
have m0 : (0 < 100)%N by []; rewrite (share_caseE m0 less9); have /andP[lo hi] := half9.
by split; apply: ltW; [exact: lt_caseP lo | exact: lt_caseP hi].
Qed.

Section Logarithm.
Variables (R : realFieldType) (log : rat -> R).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.
Hypothesis log_rises : forall x y, 0 < x -> x < y -> log x < log y.

Lemma one_most m best n k : (1 < m)%N -> (forall n, (0 < n)%N -> n != best -> rate m best 1 ^+ best < rate m n 1 ^+ n) ->
  (0 < best)%N -> (0 < n)%N -> (0 < k)%N -> (n, k) != (best, 1)%N ->
  efficiency log m n%:R (rate m (n * k) k) < efficiency log m best%:R (rate m (best * 1) 1).
Proof.
move=> m2 least best0 n0 k0 ne; have m0 := ltnW m2; rewrite muln1.
have f0 N : (0 < N)%N -> 0 < rate m N 1 by move=> N0; rewrite (one_position_standard _ m0); exact: below_one.
have one N : (0 < N)%N -> N != best -> efficiency log m N%:R (rate m N 1) < efficiency log m best%:R (rate m best 1).
  by move=> N0 Nb; apply: (less_efficient logM log_rises m0 (f0 _ N0) (f0 _ best0)); exact: least.
have [k1 | k1] := eqVneq k 1%N.
  by rewrite k1 muln1; apply: one => //; apply: contraNneq ne => ->; rewrite k1.
have k2 : (1 < k)%N by rewrite ltn_neqAle eq_sym k1.
apply: lt_le_trans (one_is_best logM log_rises m2 n0 k2) _.
have N0 : (0 < n * k)%N by rewrite muln_gt0 n0.
by have [-> // | /(one _ N0)/ltW] := eqVneq (n * k)%N best.
Qed.

(* An efficiency between (2p - 1)/2P and (2p + 1)/2P, by powers of the rate: n/m = d/P. *)
Lemma efficiency_rounds m n (f : rat) (b p P : nat) : (0 < P)%N -> n%:R / m%:R = b%:R / (2 * P)%:R :> R -> 0 < f ->
  f ^+ b <= (2%:R ^+ p.*2.-1)^-1 -> (2%:R ^+ p.*2.+1)^-1 <= f ^+ b -> (0 < p)%N ->
  `|efficiency log m n%:R f - p%:R / P%:R| <= (2 * P)%:R^-1.
Proof.
move=> P0 part f0 high low p0; have Q0 : (0 : R) < (2 * P)%:R by rewrite ltr0n muln_gt0.
have least := log2_at_least logM log_rises f0 high; have most := log2_at_most logM log_rises f0 low.
apply: halves => //; rewrite /efficiency part mulNr -mulrN mulrAC ler_pmul2r ?invr_gt0 //.
  by apply: le_trans least; rewrite -subn1 natrB // double_gt0.
by apply: le_trans most _; rewrite mulrSr.
Qed.

(* Burns, Figure 9, with m = 100: the standard filter has the largest efficiency at n = 69 and k = 1 only, over all n and k.
   This efficiency is 0.69, rounded. *)
Theorem figure9 : let e n k := efficiency log 100 n%:R (rate 100 (n * k) k) in
  (forall n k, (0 < n)%N -> (0 < k)%N -> (n, k) != (69, 1)%N -> e n k < e 69%N 1%N) /\ `|e 69%N 1%N - 69%:R / (10 ^ 2)%:R| <= (2 * 10 ^ 2)%:R^-1.
Proof.
have m0 : (0 < 100)%N by []; have m2 : (1 < 100)%N by []; split=> [n k n0 k0 ne |].
  exact: (one_most m2 (fun N => one_bestP m0 best9)).
rewrite muln1; have F0 : 0 < rate 100 69 1 by rewrite (one_position_standard _ m0); exact: below_one.
have part : 69%:R / 100%:R = 138%:R / (2 * 10 ^ 2)%:R :> R.
  by rewrite (_ : 138 = 69 * 2)%N // (_ : 2 * 10 ^ 2 = 100 * 2)%N // !natrM -mulf_div divff ?mulr1 // pnatr_eq0.
have [lo hi] := near_half9; have high := power_high high_test9 F0 hi; have low := power_low low_test9 lo.
exact: (@efficiency_rounds 100 69 _ 138 69 (10 ^ 2) isT part F0 high low isT).
Qed.
End Logarithm.
