(* Burns' section 5: filters of 1024 bits with five items.

   As in efficiency.v, log is any function from the rationals to an ordered field with log (x y) = log x + log y, which
   grows. As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is
   any function with exp (ln x) = x for x > 0. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases natural efficiency decimals figures examples large figure7 figure9 scan section5_standard section5_classic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma known_best w b top k k' best (f : nat -> rat) j : best_test b top best -> (k <= best <= k')%N ->
  (forall i, i = best \/ i = j -> if (k <= i <= k')%N then known w b top i (f i) else as_rat (dyadic top w) < f i) -> j != best -> f best < f j.
Proof.
move=> test inside all ne; have := all best (or_introl erefl); rewrite inside => best_known.
apply: (bestP test best_known _ ne); have := all j (or_intror erefl); by case: ifP; [left | right].
Qed.

Lemma best5_standard : best_standard 1024 5 133.
Proof.
split=> // j j0 ne; apply: (@known_best 175 _ _ 104 (104 + 85) _ (fun j => rate 1024 (5 * j) j) j standard_test5 isT _ ne).
by move=> i [-> | ->]; [exact: (@standard_known 133 isT) | exact: (standard_known j0)].
Qed.

Lemma best5_classic : best_classic 1024 5 124.
Proof.
split=> // j jm ne; apply: (@known_best 175 _ _ 97 (97 + 77) _ (fun j => classic_rate 1024 j 5 j) j classic_test5 isT _ ne).
by move=> i [-> | ->]; [exact: (@classic_known 124 isT) | exact: (classic_known jm)].
Qed.

(* The rates that are named. *)
Definition near (f : rat) (lo hi : N) : Prop := as_rat (dyadic lo 175) < f /\ f <= as_rat (dyadic hi 175).
Lemma near133 : near (rate 1024 (5 * 133) 133) 139553057000 139553200000. Proof. exact: (@standard_known 133 isT). Qed.
Lemma near142 : near (rate 1024 (5 * 142) 142) 161479700000 161479900000. Proof. exact: (@standard_known 142 isT). Qed.
Lemma near124 : near (classic_rate 1024 124 5 124) 4374600000 4374700000. Proof. exact: (@classic_known 124 isT). Qed.
Lemma near142c : near (classic_rate 1024 142 5 142) 9049500000 9049600000. Proof. exact: (@classic_known 142 isT). Qed.

Lemma near_gt0 f lo hi : near f lo hi -> 0 < f.
Proof. by case=> lt _; apply: le_lt_trans lt; exact: as_rat_ge0. Qed.

Lemma one_and p P : (0 < P)%N -> 1 + p%:R / P%:R = (P + p)%:R / P%:R :> rat.
Proof. by move=> P0; rewrite natrD mulrDl divff // pnatr_eq0 -lt0n. Qed.

(* The quotient g/f is between (2p - 1)/2P and (2p + 1)/2P. *)
Definition quotient_test (lo hi lo' hi' : N) (p P : nat) : bool :=
  [&& (0 <? lo)%num, (0 < p)%N, (0 < P)%N, (bin_of_nat p.*2.-1 * hi <=? bin_of_nat (2 * P) * lo')%num
    & (bin_of_nat (2 * P) * hi' <=? bin_of_nat p.*2.+1 * lo)%num].

Lemma quotient_rounds (f g : rat) lo hi lo' hi' p P : quotient_test lo hi lo' hi' p P -> near f lo hi -> near g lo' hi' ->
  `|g / f - p%:R / P%:R| <= (2 * P)%:R^-1.
Proof.
move=> /and5P[/rat_gt0 l0 p0 P0 /rat_le low /rat_le high] [fl fh] [gl gh].
have W0 : 0 < rat_of_N (2 ^ 175)%num := whole_gt0 175; move: fl fh gl gh; rewrite /as_rat /dyadic /=.
move: (rat_of_N (2 ^ 175)%num) W0 => W W0; rewrite ltr_pdivr_mulr // ler_pdivl_mulr // ltr_pdivr_mulr // ler_pdivl_mulr // => fl fh gl gh.
have f0 : 0 < f by rewrite -(pmulr_rgt0 _ W0) mulrC (lt_trans l0).
have Q0 : (0 : rat) < (2 * P)%:R by rewrite ltr0n muln_gt0.
rewrite !ratM !rat_nat in low high.
have pE : (p.*2.-1)%:R = p.*2%:R - 1 :> rat by rewrite -subn1 natrB // double_gt0.
have low' : (p.*2.-1)%:R * (f * W) <= (2 * P)%:R * (g * W).
  apply: (@le_trans _ _ ((p.*2.-1)%:R * rat_of_N hi)); first by apply: ler_wpmul2l; rewrite ?ler0n.
  by apply: le_trans low _; apply: ler_wpmul2l; rewrite ?ler0n // ltW.
have high' : (2 * P)%:R * (g * W) <= (p.*2.+1)%:R * (f * W).
  apply: (@le_trans _ _ ((2 * P)%:R * rat_of_N hi')); first by apply: ler_wpmul2l; rewrite ?ler0n.
  by apply: le_trans high _; apply: ler_wpmul2l; rewrite ?ler0n // ltW.
apply: halves => //.
  by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -(ler_pmul2r W0) -pE -mulrA [g * _]mulrC -[leRHS]mulrA.
by rewrite ler_pdivl_mulr // mulrAC ler_pdivr_mulr // -(ler_pmul2r W0) -mulrSr -[leRHS]mulrA [g * _]mulrC -[leLHS]mulrA.
Qed.

Lemma quotient5_standard : quotient_test 139553057000 139553200000 161479700000 161479900000 1157 1000. Proof. by vm_compute. Qed.
Lemma quotient5_classic : quotient_test 4374600000 4374700000 9049500000 9049600000 2069 1000. Proof. by vm_compute. Qed.

Section Logarithm.
Variables (R : realFieldType) (log : rat -> R).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.
Hypothesis log_rises : forall x y, 0 < x -> x < y -> log x < log y.

(* The share of the efficiency that is lost, by whole bounds of logarithms to base 2. *)
Lemma lost_rounds m n (f g : rat) (a b a' b' c c' p P : nat) (e := efficiency log m n%:R) : (0 < m)%N -> (0 < n)%N -> 0 < f -> 0 < g -> (0 < P)%N ->
  (f / g) ^+ b <= (2%:R ^+ a)^-1 -> (2%:R ^+ a')^-1 <= (f / g) ^+ b' -> f <= (2%:R ^+ c)^-1 -> (2%:R ^+ c')^-1 <= f ->
  [&& 0 < p, 0 < b, 0 < b', 0 < c, p.*2.-1 * (b * c') <= 2 * P * a & 2 * P * a' <= p.*2.+1 * (b' * c)]%N ->
  `|1 - e g / e f - p%:R / P%:R| <= (2 * P)%:R^-1.
Proof.
move=> m0 n0 f0 g0 P0 low high top bottom /and5P[p0 b0 b0' c0 /andP[small large]].
have low' : (p.*2.-1)%:R * (b%:R * c'%:R) <= (2 * P)%:R * a%:R :> R by rewrite -!natrM ler_nat.
have high' : (2 * P)%:R * a'%:R <= (p.*2.+1)%:R * (b'%:R * c%:R) :> R by rewrite -!natrM ler_nat.
have q0 : 0 < f / g by rewrite divr_gt0.
have := log2_at_least logM log_rises q0 low; have := log2_at_most logM log_rises q0 high.
have := @log2_at_least _ _ logM log_rises f c 1 f0; have := @log2_at_most _ _ logM log_rises f c' 1 f0.
rewrite !expr1 !mulr1n !mul1r => /(_ bottom) + /(_ top).
have -> : log2 log (f / g) = log2 log f - log2 log g by rewrite /log2 logM ?invr_gt0 // (logV logM) // mulrBl.
set lf := log2 log f; set lg := log2 log g; move=> uc' cu va av.
have u0 : 0 < - lf by apply: lt_le_trans cu; rewrite ltr0n.
have lf0 : lf != 0 by rewrite -oppr_eq0 gt_eqF.
have M0 : (m%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have N0 : (n%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have -> : 1 - e g / e f = - (lf - lg) / - lf.
  have z : - (n%:R / m%:R) != 0 :> R by rewrite oppr_eq0 mulf_neq0 ?invr_eq0.
  rewrite /e /efficiency -/lf -/lg invfM mulrACA divff // mul1r invrN mulrNN mulrBl divff //.
have B0 : (0 : R) < b%:R by rewrite ltr0n.
have B0' : (0 : R) < b'%:R by rewrite ltr0n.
have Q0 : (0 : R) < (2 * P)%:R by rewrite ltr0n muln_gt0.
have pE : (p.*2.-1)%:R = p.*2%:R - 1 :> R by rewrite -subn1 natrB // double_gt0.
move: (- (lf - lg)) (- lf) u0 uc' cu va av => v u u0 uc' cu va av; apply: halves => //.
  rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -(ler_pmul2l B0) -pE.
  apply: (@le_trans _ _ ((p.*2.-1)%:R * (b%:R * c'%:R))); first by rewrite mulrCA; apply: ler_wpmul2l; rewrite ?ler0n // ler_pmul2l.
  by apply: le_trans low' _; rewrite [leRHS]mulrA [leRHS]mulrC; apply: ler_wpmul2l; rewrite ?ler0n.
rewrite ler_pdivl_mulr // mulrAC ler_pdivr_mulr // -(ler_pmul2l B0') -mulrSr.
apply: (@le_trans _ _ ((2 * P)%:R * a'%:R)); first by rewrite [leLHS]mulrA [leLHS]mulrC ler_pmul2l.
by apply: le_trans high' _; rewrite [leRHS]mulrCA; apply: ler_wpmul2l; rewrite ?ler0n // ler_pmul2l.
Qed.

(* Bounds of the rate, and of a quotient of rates, by powers of 2. *)
Definition power_test (lo hi lo' hi' : N) (a b a' b' c c' : nat) : bool :=
  [&& (0 <? lo)%num, (0 <? lo')%num, (raised 2 a * raised hi b <=? raised lo' b)%num, (raised hi' b' <=? raised 2 a' * raised lo b')%num,
    (hi * raised 2 c <=? 2 ^ 175)%num & (2 ^ 175 <=? lo * raised 2 c')%num].

Lemma power_testP (f g : rat) lo hi lo' hi' a b a' b' c c' : power_test lo hi lo' hi' a b a' b' c c' -> near f lo hi -> near g lo' hi' ->
  [/\ (f / g) ^+ b <= (2%:R ^+ a)^-1, (2%:R ^+ a')^-1 <= (f / g) ^+ b', f <= (2%:R ^+ c)^-1 & (2%:R ^+ c')^-1 <= f].
Proof.
move=> /and5P[/rat_gt0 l0 /rat_gt0 l0' /rat_le t1 /rat_le t2 /andP[/rat_le t3 /rat_le t4]] [fl fh] [gl gh]; move: t1 t2 t3 t4; rewrite !ratM !ratX.
have W0 : 0 < rat_of_N (2 ^ 175)%num := whole_gt0 175; move: fl fh gl gh; rewrite /as_rat /dyadic /=.
move: (rat_of_N (2 ^ 175)%num) W0 => W W0; rewrite ltr_pdivr_mulr // ler_pdivl_mulr // ltr_pdivr_mulr // ler_pdivl_mulr // => fl fh gl gh t1 t2 t3 t4.
have f0 : 0 < f by rewrite -(pmulr_rgt0 _ W0) mulrC (lt_trans l0).
have g0 : 0 < g by rewrite -(pmulr_rgt0 _ W0) mulrC (lt_trans l0').
have two e : (0 : rat) < 2%:R ^+ e by rewrite exprn_gt0.
have two' : rat_of_N 2 = 2%:R by []; rewrite two' in t1 t2 t3 t4.
have fW : 0 < f * W by rewrite mulr_gt0.
have gW : 0 < g * W by rewrite mulr_gt0.
have q : f / g = (f * W) / (g * W) by rewrite -mulf_div divff ?mulr1 // gt_eqF.
have h0 := lt_le_trans fW fh; have h0' := lt_le_trans gW gh.
split.
- rewrite q expr_div_n ler_pdivr_mulr ?exprn_gt0 // [leRHS]mulrC ler_pdivl_mulr // [leLHS]mulrC.
  apply: (@le_trans _ _ (2%:R ^+ a * rat_of_N hi ^+ b)); first by rewrite ler_pmul2l // ler_expn2r // nnegrE ltW.
  by apply: le_trans t1 _; rewrite ler_expn2r // ?nnegrE ?(ltW l0') ?(ltW gW) ?(ltW gl).
- rewrite q expr_div_n ler_pdivl_mulr ?exprn_gt0 // [leLHS]mulrC ler_pdivr_mulr // [leRHS]mulrC.
  apply: (@le_trans _ _ (rat_of_N hi' ^+ b')); first by rewrite ler_expn2r // nnegrE ltW.
  by apply: le_trans t2 _; rewrite ler_pmul2l // ler_expn2r // ?nnegrE ?(ltW l0) ?(ltW fW) ?(ltW fl).
- rewrite -[leRHS]mul1r ler_pdivl_mulr // -(ler_pmul2r W0) mul1r mulrAC; apply: le_trans t3.
  by rewrite ler_pmul2r.
rewrite -[leLHS]mul1r ler_pdivr_mulr // -(ler_pmul2r W0) mul1r mulrAC; apply: le_trans t4 _.
by rewrite ler_pmul2r // ltW.
Qed.

Lemma powers5_standard : power_test 139553057000 139553200000 161479700000 161479900000 9 43 1 4 137 139. Proof. by vm_compute. Qed.
Lemma powers5_classic : power_test 4374600000 4374700000 9049500000 9049600000 1 1 17 16 142 143. Proof. by vm_compute. Qed.

(* Burns, section 5: with 1024 bits and five items, 142 positions in place of 133 increase the rate of the standard filter by
   15.7 %, rounded. *)
Theorem more_positives_standard : `|rate 1024 (5 * 142) 142 / rate 1024 (5 * 133) 133 - 1 - 157%:R / 1000%:R| <= (2 * 1000)%:R^-1.
Proof.
rewrite -addrA -opprD (one_and 157 (isT : 0 < 1000)%N); exact: quotient_rounds quotient5_standard near133 near142.
Qed.

(* Burns, section 5: with 1024 bits and five items, 142 positions in place of 133 decrease the efficiency of the standard
   filter by 0.2 % of itself, rounded. *)
Theorem less_efficiency_standard :
  `|1 - efficiency log 1024 5%:R (rate 1024 (5 * 142) 142) / efficiency log 1024 5%:R (rate 1024 (5 * 133) 133) - 2%:R / 1000%:R| <= (2 * 1000)%:R^-1.
Proof.
have [low high top bottom] := power_testP powers5_standard near133 near142.
exact: (@lost_rounds 1024 5 _ _ 9 43 1 4 137 139 2 1000 isT isT (near_gt0 near133) (near_gt0 near142) isT low high top bottom isT).
Qed.

(* Burns, section 5: with 1024 bits and five items, 142 positions in place of 124 increase the rate of the classic filter by
   106.9 %, and decrease its efficiency by 0.7 % of itself, both rounded. *)
Theorem worse_classic : let f k := classic_rate 1024 k 5 k in let e k := efficiency log 1024 5%:R (f k) in
  `|f 142%N / f 124%N - 1 - 1069%:R / 1000%:R| <= (2 * 1000)%:R^-1 /\ `|1 - e 142%N / e 124%N - 7%:R / 1000%:R| <= (2 * 1000)%:R^-1.
Proof.
have [low high top bottom] := power_testP powers5_classic near124 near142c; move=> f e; split.
  by rewrite -addrA -opprD (one_and 1069 (isT : 0 < 1000)%N); exact: quotient_rounds quotient5_classic near124 near142c.
exact: (@lost_rounds 1024 5 _ _ 1 1 17 16 142 143 7 1000 isT isT (near_gt0 near124) (near_gt0 near142c) isT low high top bottom isT).
Qed.
End Logarithm.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Lemma whole_low (c p v w : N) (l : R) : (nat_of_bin v)%:R / (nat_of_bin w)%:R <= l -> (0 <? w)%num && (p * w <=? c * v)%num ->
  (nat_of_bin p)%:R <= (nat_of_bin c)%:R * l.
Proof.
move=> /(times_low c) le /andP[/bin_gt0 w0 /N.leb_le/bin_le num]; apply: le_trans le.
by rewrite ler_pdivl_mulr ?ltr0n // -natrM ler_nat -nat_of_mul_bin.
Qed.

Lemma whole_high (c p v w : N) (l : R) : l <= (nat_of_bin v)%:R / (nat_of_bin w)%:R -> (0 <? w)%num && (c * v <=? p * w)%num ->
  (nat_of_bin c)%:R * l <= (nat_of_bin p)%:R.
Proof.
move=> /(times_high c) le /andP[/bin_gt0 w0 /N.leb_le/bin_le num]; apply: le_trans le _.
by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat -nat_of_mul_bin.
Qed.

(* Burns, section 5, with 1024 bits and five items: the standard filter has the lowest rate at k = 133 only, and the classic
   filter at k = 124 only. The number (m/n) ln 2 is 142, rounded. *)
Theorem best_positions5 : [/\ best_standard 1024 5 133, best_classic 1024 5 124 & `|1024%:R / 5%:R * ln 2%:R - 142%:R| <= 2%:R^-1].
Proof.
split; [exact: best5_standard | exact: best5_classic |].
have [lo hi] := ln2_bounds expD above lnK; have F0 : (0 : R) < 5%:R by rewrite ltr0n.
have low := whole_low (c := 2048) (p := 1415) lo isT; have high := whole_high (c := 2048) (p := 1425) hi isT.
have double : 1024%:R / 5%:R * ln 2%:R * 2%:R = (nat_of_bin 2048)%:R * ln 2%:R / 5%:R.
  have -> : nat_of_bin 2048 = (1024 * 2)%N by [].
  by rewrite natrM [LHS](AC (2*1*1) (((1*4)*3)*2)).
have two0 : (0 : R) < 2%:R by rewrite ltr0n.
have := @halves R (1024%:R / 5%:R * ln 2%:R) 142 1 isT; rewrite divr1 muln1; apply.
  rewrite ler_pdivr_mulr // double ler_pdivl_mulr // (_ : 142.*2 = 283.+1)%N // mulrSr addrK -natrM.
  by have -> : (283 * 5)%N = nat_of_bin 1415 by [].
rewrite ler_pdivl_mulr // double ler_pdivr_mulr // -mulrSr -natrM.
by have -> : (142.*2.+1 * 5)%N = nat_of_bin 1425 by [].
Qed.
End Exponential.
