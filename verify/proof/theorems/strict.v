(* Where rates and moments change strictly: with one more bit, with one more item, and with one more position. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims moments.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma few_committees k n b : (b < k)%N -> committees k n.+1 b = 0.
Proof. by move=> bk; rewrite /= bin_small // mul0r. Qed.

Lemma committees_of_least k n : committees k n.+1 k = 1.
Proof.
have := all_sequences k k n.+1; have := @few_committees k n; move: (committees k n.+1) => c z.
rewrite binn exp1n big_ord_recr /= big1 => [|b _]; last by rewrite z ?mulr0.
by rewrite add0r /row binn mul1r.
Qed.

Lemma committees_of_next k n : committees k n.+1 k.+1 = (k.+1 ^ n.+1)%:R - k.+1%:R.
Proof.
have := all_sequences k.+1 k n.+1; have := committees_of_least k n; have := @few_committees k n.
move: (committees k n.+1) => c z c1; rewrite binSn !big_ord_recr /= c1 /row binn binSn mul1r mulr1.
rewrite big1 => [|b _]; last by rewrite z ?mulr0.
by rewrite add0r => <-; rewrite addrC addKr.
Qed.

(* One more bit lowers a classic filter's rate strictly if there are at least one item and one position. *)
Theorem classic_rate_falls_strictly_in_bits m k n : (0 < k)%N -> (k <= m)%N -> (0 < n)%N ->
  classic_rate m.+1 k n k < classic_rate m k n k.
Proof.
move=> k0 km; case: n => // n _.
have pos p : (k <= p)%N -> (0 : rat) < ('C(p, k) ^ n.+2)%:R by move=> kp; rewrite ltr0n expn_gt0 bin_gt0 kp.
rewrite !classic_by_filled ltr_pdivr_mulr ?pos ?leqW // mulrAC ltr_pdivl_mulr ?pos ?leqW // -!all_sequences.
have longer (f : nat -> rat) : \sum_(i < m.+1) row m i * f i = \sum_(i < m.+2) row m i * f i.
  by rewrite [RHS]big_ord_recr /= {3}/row bin_small // mul0r addr0.
rewrite (longer (committees k n.+2)) (longer (fun b => committees k n.+1 b * 'C(b, k)%:R)).
apply: (@sums_fall_strictly _ _ (classic_falls k n.+1) m k k.+1) => //; first exact: leqW.
  have C0 : (0 < 'C(m, k))%N by rewrite bin_gt0.
  rewrite /row -!natrM ltr_nat -(ltn_pmul2l (ltn0Sn k)) mulnA mul_bin_left [X in (_ < X)%N]mulnCA mul_bin_left.
  by rewrite -mulnA [X in (_ < X)%N]mulnCA ltn_pmul2r ?muln_gt0 ?C0 ?bin_gt0 ?leqW // subSn.
rewrite !committees_of_least !committees_of_next binn binSn !mulr1 mul1r mulrBl -natrM -expnSr.
by rewrite ltr_add2l ltr_opp2 -natrM ltr_nat -[X in (X < _)%N]muln1 ltn_pmul2l.
Qed.

(* Burns 3.4, item 1: the rate decreases when m increases, for k independent positions and for k distinct positions. *)
Theorem rates_fall_in_bits m n k : (0 < m)%N -> (0 < n)%N -> (0 < k)%N ->
  rate m.+1 (n * k) k < rate m (n * k) k /\ ((k <= m)%N -> classic_rate m.+1 k n k < classic_rate m k n k).
Proof.
move=> m0 n0 k0; split=> [|km]; first by rewrite rate_falls_strictly_in_bits ?muln_gt0 ?n0.
exact: classic_rate_falls_strictly_in_bits.
Qed.

Lemma two_choices m k : (0 < k)%N -> (k < m)%N -> (1 < 'C(m, k))%N.
Proof.
case: m => // m; case: k => // k _; rewrite ltnS => km; rewrite binS; apply: (@leq_add 1 1); rewrite bin_gt0 //.
exact: ltnW.
Qed.

(* One more item raises a classic filter's rate strictly if an item has at least one position and not all. *)
Theorem classic_rate_rises_strictly m k n : (0 < k)%N -> (k < m)%N -> classic_rate m k n k < classic_rate m k n.+1 k.
Proof.
move=> k0 lt; have km := ltnW lt; have pos e : (0 : rat) < ('C(m, k) ^ e)%:R by rewrite ltr0n expn_gt0 bin_gt0 km.
pose total n : rat := \sum_(s in @states m k n) ('C(#|filled s|, k))%:R.
have more : total n * ('C(m, k))%:R < total n.+1.
  rewrite /total mulr_suml [in ltRHS]/states big_sequences exchange_big /=.
  have [a aF [b bF ab]] : exists2 a, a \in items m k & exists2 b, b \in items m k & a != b.
    have : (1 < #|items m k|)%N.
      by rewrite card_items two_choices.
    by move/card_gt1P => [a [b [aF bF ab]]]; exists a => //; exists b.
  have kept (s : {ffun 'I_n -> {set 'I_m}}) (x : {set 'I_m}) : 'C(#|filled s|, k)%:R <= 'C(#|filled (prepend (x, s))|, k)%:R :> rat.
    have -> : filled (prepend (x, s)) = x :|: filled s by exact: (covered_prepend id x s).
    by rewrite ler_nat leq_bin2l // subset_leq_card // subsetUr.
  have each (s : {ffun 'I_n -> {set 'I_m}}) : 'C(#|filled s|, k)%:R * 'C(m, k)%:R <= \sum_(x in items m k) 'C(#|filled (prepend (x, s))|, k)%:R :> rat.
    by rewrite mulr_natr -(card_items m k) -sumr_const; apply: ler_sum => x _.
  pose s0 : {ffun 'I_n -> {set 'I_m}} := [ffun=> a].
  have s0F : s0 \in ffun_on (mem (items m k)) by apply/ffun_onP => i; rewrite ffunE.
  rewrite (bigD1 s0) //= [ltRHS](bigD1 s0) //=; apply: ltr_le_add; last by apply: ler_sum.
  rewrite mulr_natr -(card_items m k) -sumr_const (bigD1 b) //= [ltRHS](bigD1 b) //=; apply: ltr_le_add; last by apply: ler_sum.
  have -> : filled (prepend (b, s0)) = b :|: filled s0 by exact: (covered_prepend id b s0).
  have bk : #|b| = k by move: bF; rewrite inE => /eqP.
  have ak : #|a| = k by move: aF; rewrite inE => /eqP.
  have Fs : filled s0 = if n is 0 then set0 else a.
    rewrite /filled (eq_bigr (fun=> a)) => [|i _]; last by rewrite ffunE.
    case: (n) => [|e]; first by rewrite big_ord0.
    by apply/setP => x; apply/bigcupP/idP => [[i _] //| xa]; exists ord0.
  rewrite ltr_nat Fs; case: (n) => [|_]; first by rewrite cards0 bin_small // setU0 bk binn.
  rewrite ak binn; have : (k < #|b :|: a|)%N.
    rewrite ltn_neqAle -{2}bk subset_leq_card ?subsetUl // andbT; apply: contraNneq ab => e.
    have ba : b == b :|: a by rewrite eqEcard subsetUl -e bk /=.
    have aa : a == b :|: a by rewrite eqEcard subsetUr -e ak /=.
    by rewrite (eqP aa) -(eqP ba).
  exact: two_choices.
have rateE e : classic_rate m k e k = total e / ('C(m, k) ^ e.+1)%:R.
  by rewrite classic_mean -mulr_suml expnS natrM invfM mulrA.
rewrite !rateE ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr // [('C(m, k) ^ n.+2)%:R]natrX exprS -natrX mulrA.
by rewrite ltr_pmul2r.
Qed.

(* Burns 3.4, item 2: the rate decreases when n decreases, for k independent positions and for k distinct positions. *)
Theorem rates_rise_in_items m n k : (1 < m)%N -> (0 < k)%N ->
  rate m (n * k) k < rate m (n.+1 * k) k /\ ((k < m)%N -> classic_rate m k n k < classic_rate m k n.+1 k).
Proof.
move=> m2 k0; split=> [|km]; last exact: classic_rate_rises_strictly.
have rises e N : (0 < e)%N -> rate m N k < rate m (e + N) k.
  elim: e => [|[|e] IH] // _; first exact: rate_rises.
  by apply: lt_trans (IH isT) _; exact: rate_rises.
by rewrite mulSn; exact: rises.
Qed.

(* The square of a moment is less than the product of its neighbours if there are at least two bits and two throws. *)
Lemma moments_strictly_convex m N r : (1 < m)%N -> (1 < N)%N -> power_sum m N r.+1 ^+ 2 < power_sum m N r * power_sum m N r.+2.
Proof.
move=> m2 N2; pose x (t : {ffun 'I_N -> 'I_m}) : rat := #|hits t|%:R.
have pairs_of (f g : {ffun 'I_N -> 'I_m} -> rat) : (\sum_t f t) * (\sum_t g t) = \sum_t \sum_u f t * g u.
  by rewrite mulr_suml; apply: eq_bigr => t _; rewrite mulr_sumr.
suff : 0 < (power_sum m N r * power_sum m N r.+2 - power_sum m N r.+1 ^+ 2) *+ 2.
  by rewrite pmulrn_lgt0 // subr_gt0.
rewrite expr2 mulr2n {1}[power_sum m N r * _]mulrC addrACA -opprD /power_sum !pairs_of -!big_split -sumrB /=.
have e t u : x t ^+ r.+2 * x u ^+ r + x t ^+ r * x u ^+ r.+2 - (x t ^+ r.+1 * x u ^+ r.+1 + x t ^+ r.+1 * x u ^+ r.+1) =
    x t ^+ r * x u ^+ r * (x t - x u) ^+ 2.
  by rewrite -square_of_difference !exprS.
rewrite (eq_bigr (fun t => \sum_u x t ^+ r * x u ^+ r * (x t - x u) ^+ 2)) => [|t _]; last first.
  by rewrite -!big_split -sumrB /=; apply: eq_bigr => u _; exact: e.
have term_ge0 t u : 0 <= x t ^+ r * x u ^+ r * (x t - x u) ^+ 2.
  by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 // exprn_ge0 // ler0n.
pose p0 : 'I_m := Ordinal (ltnW m2); pose p1 : 'I_m := Ordinal m2; pose i0 : 'I_N := Ordinal (ltnW N2); pose i1 : 'I_N := Ordinal N2.
pose t0 : {ffun 'I_N -> 'I_m} := [ffun=> p0]; pose u0 : {ffun 'I_N -> 'I_m} := [ffun i => if i == i0 then p0 else p1].
have x1 : x t0 = 1.
  rewrite /x (_ : hits t0 = [set p0]) ?cards1 //; apply/setP => y; rewrite inE; apply/imsetP/eqP => [[i _]|->].
    by rewrite ffunE.
  by exists i0; rewrite ?ffunE.
have x2 : 1 < x u0.
  rewrite ltr1n; apply/card_gt1P; exists p0; exists p1; split=> //.
    by apply/imsetP; exists i0; rewrite ?ffunE.
  by apply/imsetP; exists i1; rewrite ?ffunE.
rewrite (bigD1 t0) //= ltr_paddr ?sumr_ge0 // => [t _|]; first exact: sumr_ge0.
rewrite (bigD1 u0) //= ltr_paddr ?sumr_ge0 //.
rewrite x1 expr1n mul1r; apply: mulr_gt0; first by rewrite exprn_gt0 // (lt_trans ltr01).
by rewrite lt_neqAle sqr_ge0 andbT eq_sym expf_neq0 // subr_eq0 lt_eqF.
Qed.

(* Burns (73) strictly: (E[X^k])^(k+1) < (E[X^(k+1)])^k. *)
Lemma moments_rise_strictly m N k : (1 < m)%N -> (1 < N)%N -> (0 < k)%N ->
  (power_sum m N k / (m ^ N)%:R) ^+ k.+1 < (power_sum m N k.+1 / (m ^ N)%:R) ^+ k.
Proof.
move=> m2 N2; have m0 : (0 < m)%N := ltnW m2; have T0 : (0 : rat) < (m ^ N)%:R by rewrite ltr0n expn_gt0 m0.
pose e r : rat := power_sum m N r / (m ^ N)%:R; rewrite -![power_sum m N _ / _]/(e _).
have e_ge0 r : 0 <= e r by apply: divr_ge0; [apply: sumr_ge0 => t _; rewrite exprn_ge0 // ler0n | exact: ltW].
have convex r : e r.+1 ^+ 2 < e r * e r.+2.
  rewrite /e expr_div_n mulrACA -invfM -expr2 ltr_pmul2r ?moments_strictly_convex // invr_gt0 exprn_gt0 //.
have e_gt0 r : 0 < e r.
  rewrite lt_neqAle e_ge0 andbT eq_sym; apply/eqP => z; have := convex r; rewrite z mul0r => /(le_lt_trans (sqr_ge0 _)).
  by rewrite ltxx.
case: k => // k _; elim: k => [|k IH].
  have e0 : e 0%N = 1 by rewrite /e /power_sum (eq_bigr (fun=> 1)) // sumr_const card_ffun !card_ord divff ?gt_eqF.
  by have := convex 0%N; rewrite e0 mul1r expr1.
have pk : 0 < e k.+2 ^+ k.+1 by rewrite exprn_gt0.
rewrite -(ltr_pmul2l pk) -exprD (_ : k.+1 + k.+3 = 2 * k.+2)%N; last by rewrite mul2n -addnn !addSn !addnS.
rewrite exprM; apply: (@lt_trans _ _ ((e k.+1 * e k.+3) ^+ k.+2)).
  by rewrite ltr_expn2r // ?nnegrE ?sqr_ge0 // mulr_ge0 // e_ge0.
by rewrite exprMn ltr_pmul2r // exprn_gt0.
Qed.

Lemma rate_by_moment m N k : rate m N k = power_sum m N k / (m ^ N)%:R / (m ^ k)%:R.
Proof. by rewrite /rate power_mean expnD natrM invfM mulrA; congr (_ / _ / _); apply: eq_bigr => t _; rewrite natrX. Qed.

(* With the same N throws, N/k items of k positions and N/(k+1) items of k + 1 positions: f^(k+1) < g^k for the rates f and
   g, which says that the first filter has the larger efficiency. *)
Theorem fewer_positions_efficient m N k : (1 < m)%N -> (1 < N)%N -> (0 < k)%N -> rate m N k ^+ k.+1 < rate m N k.+1 ^+ k.
Proof.
move=> m2 N2 k0; have M0 e : (0 : rat) < (m ^ e)%:R by rewrite ltr0n expn_gt0 (ltnW m2).
rewrite !rate_by_moment; set a := power_sum _ _ _ / _; set b := power_sum _ _ _ / _.
rewrite [(a / _) ^+ _]expr_div_n [(b / _) ^+ _]expr_div_n -!natrX -!expnM [(k.+1 * k)%N]mulnC.
by rewrite ltr_pmul2r ?invr_gt0 //; exact: moments_rise_strictly.
Qed.

