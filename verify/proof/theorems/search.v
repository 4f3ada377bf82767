(* The numbers k of positions that a search for the best k skips: lower bounds of the rate for all k between a and b.

   A search that has found a filter with a smaller rate than such a bound need not look at those k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard partitioned classic sequences size.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Ranges.
Implicit Types (x y z : rat).

Lemma share01 (m : nat) : (0 < m)%N -> 0 <= 1 - (m%:R^-1 : rat) <= 1.
Proof. by move=> m0; rewrite subr_ge0 invf_le1 ?ltr0n // ler1n m0 ler_subl_addr ler_addl invr_ge0 ler0n. Qed.

Lemma share01k (a m : nat) : (a <= m)%N -> (0 < m)%N -> 0 <= 1 - (a%:R / m%:R : rat) <= 1.
Proof.
move=> am m0; rewrite subr_ge0 ler_pdivr_mulr ?ltr0n // mul1r ler_nat am ler_subl_addr ler_addl.
by rewrite divr_ge0 ?ler0n.
Qed.

(* With a larger base and a smaller exponent a power of a share is larger. *)
Lemma power_range y z k b : 0 <= z -> z <= y -> y <= 1 -> (k <= b)%N -> (1 - y) ^+ b <= (1 - z) ^+ k.
Proof.
move=> z0 zy y1 kb; have yy : 0 <= 1 - y <= 1 by rewrite subr_ge0 y1 ler_subl_addr ler_addl (le_trans z0).
case/andP: yy => yy0 yy1; apply: (@le_trans _ _ ((1 - y) ^+ k)); first exact: ler_wiexpn2l.
by rewrite ler_expn2r ?nnegrE ?ler_add2l ?ler_opp2 // subr_ge0 (le_trans zy).
Qed.

(* Standard filters: for all k between a and b the rate is at least (1 - (1 - 1/m)^(n a))^b. *)
Theorem standard_range m n a k b : (0 < m)%N -> (a <= k <= b)%N -> (1 - (1 - m%:R^-1) ^+ (n * a)) ^+ b <= rate m (n * k) k.
Proof.
move=> m0 /andP[ak kb]; apply: le_trans (bloom_below (n * k) m0 k); have /andP[x0 x1] := share01 m0.
by apply: power_range; rewrite ?exprn_ge0 ?exprn_ile1 // ler_wiexpn2l // leq_mul2l ak orbT.
Qed.

(* Partitioned filters of m = s k bits: for all k between a and b the rate is at least (1 - (1 - a/m)^n)^b. *)
Theorem partitioned_range s n a k b : (0 < s)%N -> (0 < k)%N -> (a <= k <= b)%N ->
  (1 - (1 - a%:R / (s * k)%:R) ^+ n) ^+ b <= partitioned_rate s n k.
Proof.
move=> s0 k0 /andP[ak kb]; have m0 : (0 < s * k)%N by rewrite muln_gt0 s0.
have am : (a <= s * k)%N by rewrite (leq_trans ak) // leq_pmull.
have /andP[x0 x1] := share01k am m0; have /andP[y0 y1] := share01 s0.
rewrite partitioned_exact //; apply: power_range => //; rewrite ?exprn_ge0 ?exprn_ile1 //.
rewrite ler_expn2r ?nnegrE // ler_add2l ler_opp2 ler_pdivr_mulr ?ltr0n // natrM mulrA mulVf ?mul1r ?ler_nat //.
by rewrite pnatr_eq0 -lt0n.
Qed.
End Ranges.

Section OnePosition.

(* With one position the rate is the share of the set bits. *)
Lemma one_position m N : (0 < m)%N -> rate m N 1 = 1 - (1 - m%:R^-1) ^+ N.
Proof.
move=> m0; have m1 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
rewrite /rate power_mean (eq_bigr (fun t : {ffun 'I_N -> 'I_m} => #|hits t|%:R)) => [|t _]; last by rewrite expn1.
rewrite mean_hits addn1 expnS natrM invfM mulrACA divff // mul1r mulrBl natrX divff ?expf_neq0 //; congr (_ - _).
by rewrite natrX -expr_div_n -subn1 natrB // mulrBl divff // mul1r.
Qed.

Lemma bernoulli (y : rat) k : 0 <= y <= 1 -> 1 - k%:R * y <= (1 - y) ^+ k.
Proof.
move=> /andP[y0 y1]; have := @tangent 1 (- y) k ler01; rewrite !expr1n mulr1 mulrN; apply.
by rewrite subr_ge0.
Qed.

Lemma halves (x : rat) k : 0 <= x -> x <= 2%:R^-1 -> (0 < k)%N -> k%:R * x ^+ k <= x.
Proof.
move=> x0 x2; case: k => // k _; rewrite exprSr mulrA ler_pimull //.
have le : (k.+1 <= 2 ^ k)%N by rewrite ltn_expl.
apply: (@le_trans _ _ ((2 ^ k)%:R * 2%:R^-1 ^+ k)).
  by apply: ler_pmul; rewrite ?ler0n ?exprn_ge0 ?ler_nat // ler_expn2r ?nnegrE ?invr_ge0 ?ler0n.
by rewrite natrX -exprMn divff ?pnatr_eq0 // expr1n.
Qed.

Lemma half_full (x y : rat) k : 0 <= y -> y <= x ^+ k -> 0 <= x -> x <= 2%:R^-1 -> (0 < k)%N -> 1 - x <= (1 - y) ^+ k.
Proof.
move=> y0 yx x0 x2 k0; have x1 : x <= 1 by apply: le_trans x2 _; rewrite invf_le1 ?ltr0n ?ler1n.
apply: le_trans (bernoulli k _); last by rewrite y0 (le_trans yx) ?exprn_ile1.
by rewrite ler_add2l ler_opp2 (le_trans _ (halves x0 x2 k0)) // ler_wpmul2l ?ler0n.
Qed.

(* Standard filters: if n positions fill half of the bits or more, then one position per item is best. *)
Theorem standard_half_full m n k : (0 < m)%N -> (0 < k)%N -> (1 - m%:R^-1) ^+ n <= (2%:R^-1 : rat) -> rate m n 1 <= rate m (n * k) k.
Proof.
move=> m0 k0 half; have /andP[x0 x1] := share01 m0.
rewrite one_position //; apply: le_trans (bloom_below (n * k) m0 k).
by apply: half_full; rewrite ?exprn_ge0 // exprM.
Qed.

(* Partitioned filters of m = s k bits: if n positions fill half of the bits or more, then one position per item is
   best. *)
Theorem partitioned_half_full s n k : (0 < s)%N -> (0 < k)%N -> (1 - (s * k)%:R^-1) ^+ n <= (2%:R^-1 : rat) ->
  partitioned_rate (s * k) n 1 <= partitioned_rate s n k.
Proof.
move=> s0 k0 half; have m0 : (0 < s * k)%N by rewrite muln_gt0 s0.
have /andP[x0 x1] := share01 m0; have /andP[y0 y1] := share01 s0.
rewrite !partitioned_exact // expr1; apply: half_full; rewrite ?exprn_ge0 //.
rewrite exprAC ler_expn2r ?nnegrE ?exprn_ge0 //.
have inv01 : 0 <= ((s * k)%:R^-1 : rat) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ltr0n ?ler1n.
apply: le_trans (bernoulli k inv01); rewrite ler_add2l ler_opp2 natrM invfM mulrCA divff ?mulr1 //.
by rewrite pnatr_eq0 -lt0n.
Qed.
End OnePosition.

Section Classic.
Variables m k n : nat.
Hypothesis km : (k <= m)%N.
Hypothesis m_positive : (0 < m)%N.

Lemma fewer : 'C(m.-1, k)%:R = (1 - k%:R / m%:R) * 'C(m, k)%:R :> rat.
Proof. by case: m m_positive km => // m' _ km'; exact: fewer_places. Qed.

Let C0 : (0 : rat) < 'C(m, k)%:R. Proof. by rewrite ltr0n bin_gt0. Qed.
Let Cn0 : (0 : rat) < ('C(m, k) ^ n)%:R. Proof. by rewrite ltr0n expn_gt0 bin_gt0 km. Qed.

(* The sequences of items that leave out a place. *)
Lemma left_out (x : 'I_m) :
  \sum_(s in @states m k n) (x \notin filled s)%:R = (1 - k%:R / m%:R) ^+ n * ('C(m, k) ^ n)%:R :> rat.
Proof.
rewrite natrX -exprMn -fewer -natrX -subn1 -(cards1 x) -card_items_without -card_left_out -sum1_card natr_sum.
rewrite [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => s _.
by rewrite in_set disjoint_sym disjoints1 /states; case: (s \in ffun_on _); case: (x \in filled s).
Qed.

(* Burns (16): on average, n items with k places each fill m (1 - (1 - k/m)^n) of the m places. *)
Theorem mean_filled :
  (\sum_(s in @states m k n) #|filled s|%:R) / ('C(m, k) ^ n)%:R = m%:R * (1 - (1 - k%:R / m%:R) ^+ n) :> rat.
Proof.
apply: (canLR (mulfK (lt0r_neq0 Cn0))).
have -> : \sum_(s in @states m k n) #|filled s|%:R = \sum_(x : 'I_m) \sum_(s in @states m k n) (1 - (x \notin filled s)%:R) :> rat.
  rewrite exchange_big /=; apply: eq_bigr => s _; rewrite -sum1_card natr_sum big_mkcond /=.
  by apply: eq_bigr => x _; case: (x \in filled s); rewrite /= ?subr0 ?subrr.
rewrite (eq_bigr (fun=> (1 - (1 - k%:R / m%:R) ^+ n) * ('C(m, k) ^ n)%:R)) => [|x _].
  by rewrite sumr_const card_ord mulr_natl -mulrA mulr_natl.
by rewrite sumrB left_out sumr_const card_states mulrBl mul1r.
Qed.

(* Of k bits one is unset with at most k times the probability of one. *)
Lemma classic_union : 1 - k%:R * (1 - k%:R / m%:R) ^+ n <= classic_rate m k n k.
Proof.
rewrite /classic_rate natrM ler_pdivl_mulr ?mulr_gt0 //.
have -> : (1 - k%:R * (1 - k%:R / m%:R) ^+ n) * ('C(m, k)%:R * ('C(m, k) ^ n)%:R) =
    \sum_(q : {set 'I_m} | #|q| == k) \sum_(s in @states m k n) (1 - \sum_(x in q) (x \notin filled s)%:R) :> rat.
  rewrite (eq_bigr (fun=> (1 - k%:R * (1 - k%:R / m%:R) ^+ n) * ('C(m, k) ^ n)%:R)) => [|q /eqP qk].
    rewrite sumr_const mulrCA [LHS]mulr_natl; congr (_ *+ _); rewrite -card_items.
    by apply: eq_card => q; rewrite inE.
  rewrite sumrB sumr_const card_states exchange_big /= (eq_bigr (fun=> (1 - k%:R / m%:R) ^+ n * ('C(m, k) ^ n)%:R)) => [|x _].
    by rewrite sumr_const qk mulrBl mul1r -mulrA [k%:R * (_ * _)]mulr_natl.
  exact: left_out.
apply: ler_sum => q _; apply: ler_sum => s _.
case: (boolP (q \subset filled s)) => [_ | /subsetPn[x xq xs]].
  by rewrite ler_subl_addr ler_addl sumr_ge0 // => x _; rewrite ler0n.
by rewrite subr_le0 (bigD1 x) //= xs ler_addl sumr_ge0 // => y _; rewrite ler0n.
Qed.

(* Classic filters: if n positions fill half of the bits or more, then one position per item is best. *)
Theorem classic_half_full : (0 < k)%N -> (1 - m%:R^-1) ^+ n <= (2%:R^-1 : rat) -> classic_rate m 1 n 1 <= classic_rate m k n k.
Proof.
move=> k0 half; have /andP[x0 x1] := share01 m_positive; apply: le_trans classic_union.
have -> : classic_rate m 1 n 1 = 1 - (1 - m%:R^-1) ^+ n.
  rewrite classic_difference // big_ord_recl big_ord1 /= subn0 !bin0 !bin1 divff ?pnatr_eq0 -?lt0n // expr1n !mul1r.
  by rewrite expr1 mulN1r subn1 -subn1 natrB // mulrBl divff ?pnatr_eq0 -?lt0n // mul1r.
rewrite ler_add2l ler_opp2; apply: le_trans (halves (exprn_ge0 n x0) half k0).
rewrite ler_wpmul2l ?ler0n // exprAC; have /andP[y0 y1] := share01k km m_positive.
rewrite ler_expn2r ?nnegrE ?exprn_ge0 //.
have inv01 : 0 <= (m%:R^-1 : rat) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ltr0n ?ler1n.
by have := bernoulli k inv01.
Qed.

(* The places that k places have among x, as a share: at least the last factor's power. *)
Lemma share_of_choices (x : nat) : (k <= x)%N -> (x <= m)%N -> (0 < k)%N ->
  ((x - k.-1)%:R / (m - k.-1)%:R) ^+ k <= 'C(x, k)%:R / 'C(m, k)%:R :> rat.
Proof.
move=> kx xm k0; have mk : (0 < m - k.-1)%N by rewrite subn_gt0 prednK.
have mk0 : (0 : rat) < ((m - k.-1) ^ k)%:R by rewrite ltr0n expn_gt0 mk.
rewrite expr_div_n -!natrX ler_pdivl_mulr // mulrAC ler_pdivr_mulr // -!natrM ler_nat.
rewrite -(leq_pmul2r (fact_gt0 k)) -mulnA bin_ffact [X in (_ <= X)%N]mulnAC bin_ffact.
have pc y : (y ^ k = \prod_(i < k) y)%N by rewrite prod_nat_const card_ord.
rewrite !ffact_prod !pc -!big_split /=.
apply: leq_prod => i _; have ik : (i <= k.-1)%N by rewrite -ltnS prednK.
have xi : (i <= x)%N by rewrite (leq_trans ik) // (leq_trans (leq_pred k)).
have e y : (i <= y)%N -> (y - k.-1 = y - i - (k.-1 - i))%N by move=> _; rewrite -subnDA subnKC.
rewrite !e // ?(leq_trans xi) //; move: (x - i)%N (m - i)%N (leq_sub2r i xm) => u M uM.
by rewrite mulnBl mulnBr; apply: leq_sub => //; rewrite mulnC leq_mul2l uM orbT.
Qed.

Let share (s : {ffun 'I_n -> {set 'I_m}}) : rat := (#|filled s| - k.-1)%:R / (m - k.-1)%:R.

(* Classic filters: the rate is at least (1 - (1 - k/m)^(n-1))^k. *)
Lemma classic_above : (0 < n)%N -> (0 < k)%N -> (1 - (1 - k%:R / m%:R) ^+ n.-1) ^+ k <= classic_rate m k n k.
Proof.
move=> n0 k0; set x : rat := 1 - k%:R / m%:R; have /andP[x0 x1] : 0 <= x <= 1 := share01k km m_positive.
have mean_x : _ = m%:R * (1 - x ^+ n) := mean_filled.
have mk : (0 < m - k.-1)%N by rewrite subn_gt0 prednK.
have mk0 : (0 : rat) < (m - k.-1)%:R by rewrite ltr0n.
have m1 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have least s : s \in @states m k n -> (k <= #|filled s|)%N.
  move=> /ffun_onP /(_ (Ordinal n0)); rewrite inE => /eqP <-; apply: subset_leq_card.
  exact: (bigcup_sup (Ordinal n0)).
pose a := (\sum_(s in @states m k n) share s) / ('C(m, k) ^ n)%:R.
have a_mean : a * ('C(m, k) ^ n)%:R = \sum_(s in @states m k n) share s by rewrite divfK ?gt_eqF.
have aE : a = 1 - m%:R * x ^+ n / (m - k.-1)%:R.
  rewrite /a /share -mulr_suml (eq_bigr (fun s => #|filled s|%:R - k.-1%:R)) => [|s sF]; last first.
    by rewrite natrB // (leq_trans (leq_pred k)) // least.
  rewrite sumrB sumr_const card_states mulrAC mulrBl mean_x -[_ *+ ('C(m, k) ^ n)]mulr_natr mulfK ?gt_eqF //.
  by rewrite mulrBr mulr1 addrAC -natrB ?(leq_trans (leq_pred k)) // mulrBl divff ?gt_eqF // -/x.
have low : 1 - x ^+ n.-1 <= a.
  rewrite aE ler_add2l ler_opp2 ler_pdivr_mulr // -(prednK n0) exprS mulrA [n.-1.+1.-1]/= [X in _ <= X]mulrC.
  rewrite ler_wpmul2r ?exprn_ge0 // /x mulrBr mulr1 mulrCA divff // mulr1 natrB ?(leq_trans (leq_pred k)) //.
  by rewrite ler_add2l ler_opp2 ler_nat leq_pred.
have low0 : 0 <= 1 - x ^+ n.-1 by rewrite subr_ge0 exprn_ile1.
have a0 : 0 <= a by apply: le_trans low.
rewrite classic_mean ler_pdivl_mulr //; apply: (@le_trans _ _ (a ^+ k * ('C(m, k) ^ n)%:R)).
  by rewrite ler_wpmul2r ?ler0n // ler_expn2r ?nnegrE.
have -> : a ^+ k * ('C(m, k) ^ n)%:R = \sum_(s in @states m k n) (a ^+ k + k%:R * a ^+ k.-1 * (share s - a)).
  rewrite big_split /= sumr_const card_states mulr_natr -mulr_sumr sumrB sumr_const card_states -a_mean.
  by rewrite -[a *+ _]mulr_natr subrr mulr0 addr0.
apply: ler_sum => s sF; have := @tangent a (share s - a) k a0; rewrite addrC subrK => tg.
apply: le_trans (tg _) _; first by rewrite divr_ge0 ?ler0n.
by apply: share_of_choices (least s sF) _ k0; rewrite -[m in (_ <= m)%N]card_ord max_card.
Qed.

(* Classic filters: for all k between a and b the rate is at least (1 - (1 - a/m)^(n-1))^b. *)
Theorem classic_range a b : (0 < n)%N -> (0 < k)%N -> (a <= k <= b)%N -> (1 - (1 - a%:R / m%:R) ^+ n.-1) ^+ b <= classic_rate m k n k.
Proof.
move=> n0 k0 /andP[ak kb]; apply: le_trans (classic_above n0 k0).
have /andP[x0 x1] := share01k (leq_trans ak km) m_positive; have /andP[y0 y1] := share01k km m_positive.
apply: power_range; rewrite ?exprn_ge0 ?exprn_ile1 // ler_expn2r ?nnegrE // ler_add2l ler_opp2.
by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
Qed.
End Classic.
