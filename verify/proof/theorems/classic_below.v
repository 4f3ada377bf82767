(* The classic filter's rate f_C is below the standard filter's rate f_S, for the same m, n and k, if n items with k places
   each fill at most half of the places in the mean.

   Let y = (k - 1)/m and r = (1 - y)/(1 - y/2). An item with k places covers b given places, and leaves out others, with at
   most r^-b times the probability that k throws do so. So n items cover a given places with at most r^-a times the
   probability that n k throws do so: r^k f_C <= L. Let mu be the number of places that n items with k places each fill in
   the mean. The queries with fewer than k places make f_S so large that L (mu/m)^k is at most f_S times the product over
   i < k of (mu - i)/(m - i). If mu <= m/2, this product is less than (r mu/m)^k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search means claims occupancy order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Powers.
Implicit Types (v w y : rat) (i j b k : nat).

Lemma shrunk v w i : 0 <= w -> w <= v -> (v - w) ^+ i * (v + i%:R * w) <= v ^+ i * v.
Proof.
move=> w0 wv; have v0 := le_trans w0 wv; have d0 : 0 <= v - w by rewrite subr_ge0.
elim: i => [|i IH]; first by rewrite mul0r addr0.
apply: (@le_trans _ _ (v * ((v - w) ^+ i * (v + i%:R * w)))); last by rewrite exprS -mulrA ler_wpmul2l.
rewrite -subr_ge0 -[i.+1]addn1 natrD exprD expr1; set c := (v - w) ^+ i; set l : rat := i%:R.
rewrite [leRHS](_ : _ = c * ((l + 1) * (w * w))); last by rewrite mulr1n; identity.
by rewrite mulr_ge0 ?exprn_ge0 // mulr_ge0 ?mulr_ge0 // addr_ge0 ?ler0n // ler01.
Qed.

(* The logarithm of 1 - d is concave: (1 - j w)^i <= (1 - i w)^j if i <= j. *)
Lemma powers_of_gaps w i j : 0 < w -> (i <= j)%N -> j%:R * w <= 1 -> (1 - j%:R * w) ^+ i <= (1 - i%:R * w) ^+ j.
Proof.
move=> w0 ij; rewrite -(subnK ij); elim: (j - i)%N => [|d IH]; first by rewrite add0n.
set J := (d + i)%N in IH *; rewrite addSn -/J => le.
have v_w : w <= 1 - J%:R * w.
  by rewrite ler_subr_addr; apply: le_trans le; rewrite -[J.+1]addn1 natrD mulrDl mul1r addrC.
have v0 : 0 < 1 - J%:R * w := lt_le_trans w0 v_w.
have IH' : (1 - J%:R * w) ^+ i <= (1 - i%:R * w) ^+ J by apply: IH; rewrite -subr_ge0 ltW.
set v := 1 - J%:R * w in IH' v_w v0 *.
have -> : 1 - J.+1%:R * w = v - w by rewrite /v -[J.+1]addn1 natrD; set l : rat := J%:R; rewrite mulr1n; identity.
have iw : 1 - i%:R * w = v + d%:R * w by rewrite /v /J natrD; set l : rat := d%:R; set e : rat := i%:R; identity.
have s0 : 0 < v + i%:R * w by rewrite ltr_paddr // mulr_ge0 ?ler0n // ltW.
have g0 : 0 <= 1 - i%:R * w by rewrite iw addr_ge0 ?mulr_ge0 ?ler0n // ltW.
apply: (@le_trans _ _ ((1 - i%:R * w) * v ^+ i)); last by rewrite exprS ler_wpmul2l.
rewrite -(ler_pmul2r s0); apply: le_trans (shrunk i (ltW w0) v_w) _.
rewrite [leLHS]mulrC [leRHS]mulrAC ler_wpmul2r ?exprn_ge0 ?(ltW v0) // iw -subr_ge0.
set l : rat := d%:R; set e : rat := i%:R; have vE : v = 1 - (l + e) * w by rewrite /v /J natrD.
rewrite [leRHS](_ : _ = e * w * (l * w)); last by rewrite vE; identity.
by rewrite mulr_ge0 // mulr_ge0 ?ler0n // ltW.
Qed.
End Powers.

Section Factor.
Variables (m k : nat).
Hypothesis k1 : (1 < k)%N.
Hypothesis km : (k <= m)%N.
Variables w h : rat.
Hypothesis w0 : 0 < w.
Hypothesis mw : m%:R * w = 1.
Hypothesis h0 : 0 <= h.
Hypothesis hh : h + h = 1.
Let y : rat := k.-1%:R * w.
Lemma share_le1 (a : nat) : (a <= m)%N -> a%:R * w <= 1.
Proof. by move=> am; rewrite -[leRHS]mw ler_pmul2r // ler_nat. Qed.
Lemma last_share_lt1 : y < 1. Proof. by rewrite -[ltRHS]mw ltr_pmul2r // ltr_nat (leq_trans _ km) // prednK // ltnW. Qed.
Lemma last_share_gt0 : 0 < y. Proof. by rewrite mulr_gt0 // ltr0n -ltnS prednK // ltnW. Qed.
Lemma half_le1 : h <= 1. Proof. by rewrite -[leRHS]hh ler_addl. Qed.
Let y1 := last_share_lt1.
Let y0 := last_share_gt0.

Definition factor_of_places : rat := (1 - k.-1%:R * w) / (1 - k.-1%:R * w * h).
Let r := factor_of_places.
Let rE : r = (1 - y) / (1 - y * h). Proof. by []. Qed.
Lemma below_one : 0 < 1 - y * h.
Proof. by rewrite subr_gt0 (le_lt_trans _ y1) // ler_pimulr ?half_le1 // ltW. Qed.
Let yh1 := below_one.

Lemma r_gt0 : 0 < r. Proof. by rewrite rE divr_gt0 // subr_gt0. Qed.
Lemma r_le1 : r <= 1.
Proof. by rewrite rE ler_pdivr_mulr // mul1r ler_add2l ler_opp2 ler_pimulr ?half_le1 // ltW. Qed.

Let square_of_half (d : rat) : 1 - d <= (1 - d * h) ^+ 2.
Proof.
rewrite -subr_ge0 expr2; set c := d * h; have dE : d - (c + c) = 0 by rewrite /c -mulrDr hh mulr1 subrr.
rewrite [leRHS](_ : _ = c * c + (d - (c + c))); last by identity.
by rewrite dE addr0 -expr2 sqr_ge0.
Qed.

Let r_square : r ^+ 2 <= 1 - y.
Proof.
rewrite rE expr_div_n ler_pdivr_mulr ?exprn_gt0 // expr2.
by rewrite ler_wpmul2l ?square_of_half // subr_ge0 ltW.
Qed.

(* The product over l < b of 1 - l/m, times 1 - b/2m for each of the k - b other places, is at least r^b. *)
Lemma factor_power b : (b <= k)%N -> r ^+ b <= \prod_(l < b) (1 - l%:R * w) * (1 - b%:R * w * h) ^+ (k - b).
Proof.
move=> bk; set G := _ * _; have bm : (b <= m)%N := leq_trans bk km.
have gap (l : nat) : (l <= m)%N -> 0 <= 1 - l%:R * w by move=> lm; rewrite subr_ge0 share_le1.
have G1 : 0 <= \prod_(l < b) (1 - l%:R * w).
  by apply: prodr_ge0 => l _; rewrite gap // ltnW // (leq_trans (ltn_ord l)).
have hb : 0 <= 1 - b%:R * w * h.
  by rewrite subr_ge0 (le_trans _ (share_le1 bm)) // ler_pimulr ?half_le1 // mulr_ge0 ?ler0n // ltW.
have G0 : 0 <= G by rewrite mulr_ge0 // exprn_ge0.
have K0 : (0 < k.-1)%N by rewrite -ltnS prednK // ltnW.
suff le : (1 - y) ^+ b <= G ^+ 2.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?exprn_ge0 ?(ltW r_gt0) //; apply: le_trans le; rewrite exprAC.
  by rewrite ler_expn2r ?nnegrE ?exprn_ge0 ?(ltW r_gt0) // subr_ge0 ltW.
rewrite -(@ler_pexpn2r _ k.-1) ?nnegrE ?exprn_ge0 ?subr_ge0 ?(ltW y1) //.
have one (l : nat) : (l <= k.-1)%N -> (1 - y) ^+ l <= (1 - l%:R * w) ^+ k.-1.
  by move=> lk; apply: powers_of_gaps => //; rewrite share_le1 // (leq_trans (leq_pred k)).
have pairs_ : (1 - y) ^+ (b * b.-1) <= (\prod_(l < b) (1 - l%:R * w)) ^+ 2 ^+ k.-1.
  rewrite exprAC -prodrXl expr2 [X in _ * X](reindex_inj rev_ord_inj) /= -big_split /=.
  rewrite -[b in (b * _)%N]card_ord mulnC exprM -prodr_const; apply: ler_prod => l _.
  have lb : (l <= b.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans (leq0n l)).
  have sub : (b - l.+1 <= k.-1)%N by rewrite leq_subLR addSnnS prednK ?(ltnW k1) // (leq_trans bk) // leq_addl.
  rewrite exprn_ge0 ?subr_ge0 ?(ltW y1) //=.
  have -> : (b.-1 = l + (b - l.+1))%N by have /(congr1 predn) := subnKC (ltn_ord l); rewrite addSn /= => ->.
  by rewrite exprD; apply: ler_pmul; rewrite ?exprn_ge0 ?subr_ge0 ?(ltW y1) ?one // (leq_trans lb) // -!subn1 leq_sub2r.
have others : (1 - y) ^+ (b * (k - b)) <= (1 - b%:R * w * h) ^+ (k - b) ^+ 2 ^+ k.-1.
  have [-> | ne] := eqVneq b k; first by rewrite subnn muln0 !expr0 !expr1n.
  have bk1 : (b <= k.-1)%N by rewrite -ltnS prednK ?(ltnW k1) // ltn_neqAle ne.
  rewrite exprM [_ ^+ (k - b) ^+ 2]exprAC [leRHS]exprAC; apply: ler_expn2r; rewrite ?nnegrE ?exprn_ge0 ?subr_ge0 ?(ltW y1) //.
    by rewrite -subr_ge0.
  apply: le_trans (one b bk1) _; apply: ler_expn2r; rewrite ?nnegrE ?exprn_ge0 ?gap //.
rewrite -exprM (_ : b * k.-1 = b * b.-1 + b * (k - b))%N; last first.
  case: (b) bk => [|b'] bk; first by rewrite !mul0n.
  by rewrite -mulnDr; congr (_ * _)%N; have /(congr1 predn) := subnKC bk; rewrite addSn /= => ->.
have -> : G ^+ 2 ^+ k.-1 = (\prod_(l < b) (1 - l%:R * w)) ^+ 2 ^+ k.-1 * (1 - b%:R * w * h) ^+ (k - b) ^+ 2 ^+ k.-1.
  by rewrite -exprM exprMn !exprM.
by rewrite exprD; apply: ler_pmul; rewrite // exprn_ge0 // subr_ge0 ltW.
Qed.
End Factor.

Section Products.
Implicit Types u v : nat -> rat.

(* The difference of a product, by Leibniz's rule. *)
Lemma nabla_product u v a x : (a <= x)%N ->
  nabla a (fun y => u y * v y) x = \sum_(b < a.+1) 'C(a, b)%:R * (nabla b u (x - (a - b)) * nabla (a - b) v x).
Proof.
elim: a x => [|a IH] x; first by rewrite big_ord1 !nabla0 bin0 mul1r subn0.
case: x => // x ax; have ax' : (a <= x)%N := ax.
rewrite differences !IH ?leqW // (pascal (fun b => nabla b u (x.+1 - (a.+1 - b)) * nabla (a.+1 - b) v x.+1)) -sumrB.
apply: eq_bigr => b _; rewrite -mulrBr; congr (_ * _); have ba : (b <= a)%N by rewrite -ltnS ltn_ord.
have dx : (a - b <= x)%N by rewrite (leq_trans (leq_subr b a)).
rewrite !subSS (subSn ba) subSS (subSn dx) !differences.
set U := nabla b u _; set U' := nabla b u _; set V := nabla _ v _; set V' := nabla _ v _.
identity.
Qed.
End Products.

Section Middle.

Lemma centre_full i : (i`!)%:R <= centre i i.
Proof.
elim: i => [|i IH]; first by rewrite /centre big_ord1 bin0 !expr0 !mul1r.
rewrite centre_next (bigD1 (Ordinal (ltn0Sn i : (1 < i.+2)%N))) //= bin1 !expr1 subn1 /=.
apply: ler_paddr; last first.
  have -> : 2%:R^-1 - - 2%:R^-1 = 1 :> rat by rewrite opprK -mulr2n -[_ *+ 2]mulr_natl divff ?pnatr_eq0.
  by rewrite mulr1 factS natrM ler_wpmul2l ?ler0n.
apply: sumr_ge0 => r _; rewrite mulr_ge0 ?centre_ge0 // mulr_ge0 ?ler0n // subr_ge0.
rewrite exprNn -[leRHS]mul1r ler_wpmul2r ?exprn_ge0 ?invr_ge0 ?ler0n //.
by rewrite -signr_odd; case: (odd r); rewrite ?expr0 ?expr1 // (@le_trans _ _ 0) ?oppr_le0.
Qed.

(* The throws that hit b given places of x: at least as many as if every other throw had x - b/2 places to choose from. *)
Lemma hit_above N b x : (b <= N)%N -> (b <= x)%N -> (N ^_ b)%:R * (x%:R - b%:R / 2%:R) ^+ (N - b) <= hit N b x.
Proof.
move=> bN bx; rewrite /hit about_nabla //; set u := x%:R - _.
have u0 : 0 <= u by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n // -natrM ler_nat (leq_trans bx) // leq_pmulr.
rewrite /about (bigD1 (Ordinal (bN : (b < N.+1)%N))) //=; apply: ler_paddr.
  by apply: sumr_ge0 => p _; rewrite mulr_ge0 ?exprn_ge0 // mulr_ge0 ?ler0n ?centre_ge0.
rewrite -bin_ffact natrM; apply: ler_wpmul2r; first exact: exprn_ge0.
by rewrite ler_wpmul2l ?ler0n ?centre_full.
Qed.
End Middle.

Lemma ffact_split m b k : (b <= k)%N -> (k <= m)%N -> (m ^_ k = m ^_ b * (m - b) ^_ (k - b))%N.
Proof.
move=> bk km; apply/eqP; rewrite -(eqn_pmul2r (fact_gt0 (m - k))); apply/eqP.
have e : (m - k = m - b - (k - b))%N by rewrite subnBA // subnK // (leq_trans bk).
by rewrite ffact_fact // -mulnA e ffact_fact ?leq_sub2r // ffact_fact // (leq_trans bk).
Qed.

Section Item.
Variables (m k : nat).
Hypothesis k1 : (1 < k)%N.
Hypothesis km : (k <= m)%N.
Variables w h : rat.
Hypothesis w0 : 0 < w.
Hypothesis mw : m%:R * w = 1.
Hypothesis h0 : 0 <= h.
Hypothesis hh : h + h = 1.
Let m0 : (0 < m)%N. Proof. by rewrite (leq_trans _ km) // ltnW. Qed.
Let r : rat := factor_of_places k w h.
Let r0 : 0 < r := r_gt0 k1 km w0 mw h0 hh.
Let r1 : r <= 1 := r_le1 k1 km w0 mw h0 hh.

Lemma half_of (x : rat) : x / 2%:R = x * h.
Proof.
have two : (2%:R : rat) != 0 by rewrite pnatr_eq0.
by apply: (mulIf two); rewrite divfK // -mulrA mulr_natr mulr2n hh mulr1.
Qed.

Let falling b : (b <= m)%N -> (m ^_ b)%:R = m%:R ^+ b * \prod_(l < b) (1 - l%:R * w).
Proof.
move=> bm; rewrite ffact_prod natr_prod -[b in _ ^+ b]card_ord -prodr_const -big_split /=; apply: eq_bigr => l _.
have lm : (l <= m)%N by rewrite ltnW // (leq_trans (ltn_ord l)).
by rewrite natrB // mulrBr mulr1 mulrCA mw mulr1.
Qed.

(* An item with k places covers b of x given places, and none of the m - x others, with at most r^-b times the probability
   that k throws do so. *)
Lemma item_below b x : (b <= k)%N -> (b <= x)%N -> (x <= m)%N ->
  r ^+ b * ('C(x - b, k - b)%:R / 'C(m, k)%:R) <= hit k b x / (m ^ k)%:R.
Proof.
move=> bk bx xm; have C0 : (0 : rat) < 'C(m, k)%:R by rewrite ltr0n bin_gt0.
have M0 : (0 : rat) < (m ^ k)%:R by rewrite ltr0n expn_gt0 m0.
have bm := leq_trans bx xm; have F0 : (0 : rat) < (k`!)%:R by rewrite ltr0n fact_gt0.
rewrite mulrA ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -(ler_pmul2r F0) -[hit _ _ _ * _ * _]mulrA -natrM bin_ffact.
have -> : r ^+ b * 'C(x - b, k - b)%:R * (m ^ k)%:R * (k`!)%:R = (k ^_ b)%:R * ((x - b) ^_ (k - b))%:R * (r ^+ b * (m ^ k)%:R).
  rewrite -(ffact_fact bk) -[(x - b) ^_ _]bin_ffact !natrM; set a := r ^+ b; set c : rat := 'C(_, _)%:R.
  by set d : rat := (m ^ k)%:R; set e : rat := (k ^_ b)%:R; set f : rat := ((k - b)`!)%:R; identity.
rewrite (ffact_split bk km) [(m ^_ b * _)%N%:R]natrM falling //; set P := \prod_(l < b) _.
have P0 : 0 <= P.
  by apply: prodr_ge0 => l _; rewrite subr_ge0 (share_le1 w0 mw) // ltnW // (leq_trans (ltn_ord l)).
have rP : r ^+ b * (m ^ k)%:R <= m%:R ^+ b * P * (m%:R - b%:R * h) ^+ (k - b).
  have -> : m%:R ^+ b * P * (m%:R - b%:R * h) ^+ (k - b) = P * (1 - b%:R * w * h) ^+ (k - b) * (m ^ k)%:R.
    have -> : m%:R - b%:R * h = m%:R * (1 - b%:R * w * h) by rewrite mulrBr mulr1 mulrA mulrCA mw mulr1.
    have -> : (m ^ k)%:R = m%:R ^+ b * m%:R ^+ (k - b) :> rat by rewrite -exprD subnKC // natrX.
    rewrite exprMn; set c := m%:R ^+ b; set d := m%:R ^+ (k - b); set e := (1 - _) ^+ _.
    identity.
  by rewrite ler_pmul2r //; exact: (factor_power k1 km w0 mw h0 hh bk).
apply: (@le_trans _ _ ((k ^_ b)%:R * ((x - b) ^_ (k - b))%:R * (m%:R ^+ b * P * (m%:R - b%:R * h) ^+ (k - b)))).
  by rewrite ler_wpmul2l // mulr_ge0 ?ler0n.
have xm_ : ((x - b) ^_ (k - b))%:R * (m%:R - b%:R * h) ^+ (k - b) <= (x%:R - b%:R * h) ^+ (k - b) * ((m - b) ^_ (k - b))%:R.
  have s0 : 0 <= b%:R * h by rewrite mulr_ge0 ?ler0n.
  have sb : b%:R * h <= b%:R by rewrite ler_pimulr ?ler0n // (half_le1 h0 hh).
  have u0 : 0 <= x%:R - b%:R * h by rewrite subr_ge0 (le_trans sb) // ler_nat.
  have v0 : 0 <= m%:R - b%:R * h by rewrite subr_ge0 (le_trans sb) // ler_nat.
  have power_ (c : rat) : c ^+ (k - b) = \prod_(j < k - b) c by rewrite prodr_const card_ord.
  rewrite !ffact_prod !natr_prod !power_ -!big_split /=; apply: ler_prod => j _.
  rewrite mulr_ge0 ?ler0n //=; have jm : (j <= m - b)%N by rewrite ltnW // (leq_trans (ltn_ord j)) // leq_sub2r.
  have [jx | xj] := leqP j (x - b); last first.
    by move: (ltnW xj); rewrite -subn_eq0 => /eqP ->; rewrite mul0r mulr_ge0 ?ler0n.
  rewrite !natrB // -subr_ge0; set s := b%:R * h.
  have bE : b%:R = s + s by rewrite /s -mulrDr hh mulr1.
  rewrite bE; set l : rat := j%:R; set xx : rat := x%:R; set mm : rat := m%:R.
  rewrite [leRHS](_ : _ = (s + l) * (mm - xx)); last by identity.
  by rewrite mulr_ge0 ?subr_ge0 ?ler_nat // addr_ge0 ?ler0n.
apply: (@le_trans _ _ ((k ^_ b)%:R * (x%:R - b%:R * h) ^+ (k - b) * (m%:R ^+ b * P * ((m - b) ^_ (k - b))%:R))); last first.
  by apply: ler_wpmul2r; [rewrite mulr_ge0 ?ler0n // mulr_ge0 ?exprn_ge0 ?ler0n | rewrite -half_of; exact: hit_above].
set K : rat := (k ^_ b)%:R; set p := m%:R ^+ b * P; set a := ((x - b) ^_ _)%:R.
set c := (_ - _) ^+ _; set d := (x%:R - _) ^+ _; set e := (_ ^_ _)%:R.
rewrite [leLHS](_ : _ = K * p * (a * c)); last by identity.
rewrite [leRHS](_ : _ = K * p * (d * e)); last by identity.
by rewrite ler_wpmul2l // mulr_ge0 ?ler0n // mulr_ge0 ?exprn_ge0 ?ler0n.
Qed.

(* The recursion over the items. *)
Lemma classic_more n a : (a <= m)%N -> classic_rate m k n.+1 a =
  \sum_(b < a.+1) 'C(a, b)%:R * (nabla b (fun y => 'C(y, k)%:R) (m - (a - b)) / 'C(m, k)%:R * classic_rate m k n (a - b)).
Proof.
move=> am; rewrite classic_difference //.
rewrite -/(nabla a (fun y => ('C(y, k)%:R / 'C(m, k)%:R) ^+ n.+1) m).
rewrite (@eq_nabla _ _ (fun y => 'C(y, k)%:R / 'C(m, k)%:R * ('C(y, k)%:R / 'C(m, k)%:R) ^+ n)) => [|y]; last by rewrite exprS.
rewrite (nabla_product (fun y => 'C(y, k)%:R / 'C(m, k)%:R) (fun y => ('C(y, k)%:R / 'C(m, k)%:R) ^+ n)) //.
apply: eq_bigr => b _; rewrite nabla_scale classic_difference //.
by rewrite (leq_trans (leq_subr b a)).
Qed.

Lemma hit_more N a : (a <= m)%N -> hit (k + N) a m / (m ^ (k + N))%:R =
  \sum_(b < a.+1) 'C(a, b)%:R * (hit k b (m - (a - b)) / (m ^ k)%:R * (hit N (a - b) m / (m ^ N)%:R)).
Proof.
move=> am; rewrite /hit (@eq_nabla _ _ (fun y => (y ^ k)%:R * (y ^ N)%:R)) => [|y]; last by rewrite expnD natrM.
rewrite nabla_product // mulr_suml; apply: eq_bigr => b _; rewrite expnD natrM invfM -mulrA; congr (_ * _).
by rewrite mulrACA.
Qed.

(* n items with k places cover a given places with at most r^-a times the probability that n k throws do so. *)
Lemma items_below n a : (a <= m)%N -> r ^+ a * classic_rate m k n a <= hit (n * k) a m / (m ^ (n * k))%:R.
Proof.
elim: n a => [|n IH] a am.
  rewrite classic_difference // mul0n /hit expn0 divr1 -/(nabla a (fun y => ('C(y, k)%:R / 'C(m, k)%:R) ^+ 0) m).
  rewrite (@eq_nabla _ _ (fun y => (y ^ 0)%:R)) => [|y]; last by rewrite expr0 expn0.
  by rewrite -/(hit 0 a m) ler_pimull ?hit_ge0 // exprn_ile1 // ltW.
rewrite classic_more // mulSn hit_more // mulr_sumr; apply: ler_sum => b _.
have ba : (b <= a)%N by rewrite -ltnS ltn_ord.
have dm : (a - b <= m)%N by rewrite (leq_trans (leq_subr b a)).
have bx : (b <= m - (a - b))%N by rewrite leq_subRL // subnK.
rewrite mulrCA ler_wpmul2l ?ler0n // -{1}(subnKC ba) exprD mulrACA; apply: ler_pmul.
- rewrite mulr_ge0 ?exprn_ge0 ?(ltW r0) // divr_ge0 ?ler0n //.
  by have [bk | kb] := leqP b k; [rewrite nabla_choices ?ler0n | rewrite nabla_choices_above].
- by rewrite mulr_ge0 ?exprn_ge0 ?(ltW r0) ?classic_ge0.
- have [bk | kb] := leqP b k; first by rewrite nabla_choices // item_below ?leq_subr.
  by rewrite nabla_choices_above // mul0r mulr0 divr_ge0 ?ler0n ?hit_ge0.
- exact: IH.
Qed.
End Item.

Section Query.
Variables m k n : nat.
Hypothesis k0 : (0 < k)%N.
Hypothesis km : (k <= m)%N.
Hypothesis n0 : (0 < n)%N.
Let mu : rat := m%:R * (1 - (1 - k%:R / m%:R) ^+ n).
Let f (d : nat) : rat := \prod_(i < d) ((mu - i%:R) / (m%:R - i%:R)).
Let m0 : (0 < m)%N. Proof. exact: leq_trans k0 km. Qed.

Let f_ge0 d : (d <= k)%N -> 0 <= f d.
Proof.
move=> dk; apply: prodr_ge0 => i _; have ik : (i < k)%N := leq_trans (ltn_ord i) dk.
by rewrite divr_ge0 ?mu_ge // subr_ge0 ler_nat ltnW // (leq_trans ik).
Qed.

Let cross d e : (d + e <= k)%N -> hit (n * k) (d + e) m * f d <= hit (n * k) d m * f (d + e).
Proof.
elim: e => [|e IH] de; first by rewrite addn0.
rewrite addnS in de *; have le := IH (ltnW de).
rewrite [f (d + e).+1]big_ord_recr /= -/(f _) mulrA [leRHS]mulrC.
apply: (@le_trans _ _ ((mu - (d + e)%:R) / (m%:R - (d + e)%:R) * (hit (n * k) (d + e) m * f d))).
  by rewrite mulrA ler_wpmul2r ?next_hit // f_ge0 // (leq_trans (leq_addr e d)) // ltnW.
by rewrite ler_wpmul2l // divr_ge0 ?mu_ge // subr_ge0 ler_nat ltnW // (leq_trans de).
Qed.

(* L U <= f_S C(mu, k)/C(m, k), where U = (mu/m)^k, and mu is the number of places that n items with k places each fill in
   the mean. *)
Theorem standard_above_product :
  hit (n * k) k m / (m ^ (n * k))%:R * (1 - (1 - k%:R / m%:R) ^+ n) ^+ k <=
  rate m (n * k) k * \prod_(i < k) ((mu - i%:R) / (m%:R - i%:R)).
Proof.
rewrite -/(f k) rate_of_hits //; have pos e : (0 : rat) < (m ^ e)%:R by rewrite ltr0n expn_gt0 m0.
rewrite [leRHS]mulrAC ler_pdivl_mulr // -[leLHS]mulrA upper_sum // [leLHS]mulr_sumr [leRHS]mulr_suml; apply: ler_sum => q _.
rewrite mulrA divfK ?gt_eqF //; have qk : (#|hits q| <= k)%N by rewrite -[k in (_ <= k)%N]card_ord leq_imset_card.
by have := @cross #|hits q| (k - #|hits q|); rewrite subnKC //; apply.
Qed.
End Query.

Section Pair.
Variables p a b : rat.
Hypothesis a0 : 0 <= a.
Hypothesis b0 : 0 <= b.
Hypothesis ap : a <= p.
Hypothesis bp : b <= p.
Hypothesis p2 : p + p <= 1.
Let y : rat := a + b.

Lemma pair_gap : (p - a) * (p - b) * (1 + 1 - y) ^+ 2 + (p * (a - b)) ^+ 2 * (1 + 1 + 1 - (y + y)) <= (p * (1 + 1) * (1 - y)) ^+ 2 * ((1 - a) * (1 - b)).
Proof.
have p0 : 0 <= p := le_trans a0 ap.
have one (c : rat) : 0 <= c -> p - c <= p * (1 - (c + c)).
  move=> c0; rewrite -subr_ge0 (_ : _ - _ = c * (1 - (p + p))); last by identity.
  by rewrite mulr_ge0 // subr_ge0.
have two : (p - a) * (p - b) <= p * (1 - (a + a)) * (p * (1 - (b + b))) by apply: ler_pmul; rewrite ?subr_ge0 ?one.
apply: (@le_trans _ _ (p * (1 - (a + a)) * (p * (1 - (b + b))) * (1 + 1 - y) ^+ 2 + (p * (a - b)) ^+ 2 * (1 + 1 + 1 - (y + y)))).
  by rewrite ler_add2r ler_wpmul2r ?sqr_ge0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /y; identity.
Qed.

Variable h : rat.
Hypothesis hh : h + h = 1.
Hypothesis p0 : 0 < p.
Let y1 : y <= 1. Proof. by apply: le_trans p2; exact: ler_add. Qed.
Let a1 : 0 < 1 - a. Proof. by rewrite subr_gt0 (le_lt_trans ap) // (lt_le_trans _ p2) // ltr_addl. Qed.
Let b1 : 0 < 1 - b. Proof. by rewrite subr_gt0 (le_lt_trans bp) // (lt_le_trans _ p2) // ltr_addl. Qed.
Let three : 0 < 1 + 1 + 1 - (y + y) :> rat.
Proof. by rewrite subr_gt0 (le_lt_trans (ler_add y1 y1)) // ltr_addl ltr01. Qed.
Let yE : 1 + 1 - y = (1 + 1) * (1 - y * h).
Proof. by rewrite mulrDl mul1r addrACA -opprD -mulrDr hh mulr1. Qed.
Let B0 : 0 < 1 + 1 - y. Proof. by rewrite subr_gt0 (le_lt_trans y1) // ltr_addl ltr01. Qed.
Let rE : p * ((1 - y) / (1 - y * h)) = p * (1 + 1) * (1 - y) / (1 + 1 - y).
Proof. by rewrite yE invfM -!mulrA [(1 - y) * (_ * _)]mulrCA mulVKf. Qed.

Lemma pair_le : (p - a) / (1 - a) * ((p - b) / (1 - b)) <= (p * ((1 - y) / (1 - y * h))) ^+ 2.
Proof.
rewrite rE expr_div_n mulrACA -invfM ler_pdivr_mulr ?mulr_gt0 // mulrAC ler_pdivl_mulr ?exprn_gt0 //.
by apply: le_trans pair_gap; rewrite ler_addl mulr_ge0 ?sqr_ge0 // ltW.
Qed.

Lemma pair_lt : a != b -> (p - a) / (1 - a) * ((p - b) / (1 - b)) < (p * ((1 - y) / (1 - y * h))) ^+ 2.
Proof.
move=> ab; rewrite rE expr_div_n mulrACA -invfM ltr_pdivr_mulr ?mulr_gt0 // mulrAC ltr_pdivl_mulr ?exprn_gt0 //.
apply: lt_le_trans pair_gap; rewrite ltr_addl mulr_gt0 // exprn_even_gt0 //=.
by rewrite mulf_eq0 negb_or subr_eq0 ab gt_eqF.
Qed.
End Pair.

Section Gaps.
Variables m k : nat.
Hypothesis k1 : (1 < k)%N.
Hypothesis km : (k <= m)%N.
Variables w h mu : rat.
Hypothesis w0 : 0 < w.
Hypothesis mw : m%:R * w = 1.
Hypothesis h0 : 0 <= h.
Hypothesis hh : h + h = 1.
Hypothesis k_mu : k%:R <= mu.
Hypothesis mu_m : mu + mu <= m%:R.
Let r := factor_of_places k w h.
Let p : rat := mu * w.
Let g (i : nat) : rat := (p - i%:R * w) / (1 - i%:R * w).

Let mu0 : 0 < mu. Proof. by apply: lt_le_trans k_mu; rewrite ltr0n ltnW. Qed.
Let p0 : 0 < p. Proof. exact: mulr_gt0. Qed.
Let p2 : p + p <= 1. Proof. by rewrite /p -mulrDl -mw ler_pmul2r. Qed.
Let part0 i : 0 <= i%:R * w. Proof. by rewrite mulr_ge0 ?ler0n // ltW. Qed.
Let part_p i : (i < k)%N -> i%:R * w <= p.
Proof. by move=> ik; rewrite /p ler_pmul2r // (le_trans _ k_mu) // ler_nat ltnW. Qed.

Lemma gE i : (mu - i%:R) / (m%:R - i%:R) = g i.
Proof.
have e (c : rat) : c - i%:R = m%:R * (c * w - i%:R * w) by rewrite -mulrBl mulrCA mw mulr1.
by rewrite /g e [m%:R - _]e mw invfM mulrACA divff ?mul1r // pnatr_eq0 -lt0n (leq_trans _ km) // ltnW.
Qed.

Let g0 i : (i < k)%N -> 0 <= g i.
Proof. by move=> ik; rewrite divr_ge0 ?subr_ge0 ?part_p // (le_trans (part_p ik)) // (le_trans _ p2) // ler_addl ltW. Qed.

Let other (i : 'I_k) : (i + (k - i.+1) = k.-1)%N.
Proof. by have /(congr1 predn) := subnKC (ltn_ord i); rewrite addSn. Qed.

Lemma gaps_below : \prod_(i < k) g i < (p * r) ^+ k.
Proof.
have r0 : 0 < r := r_gt0 k1 km w0 mw h0 hh.
have P0 : 0 <= \prod_(i < k) g i by apply: prodr_ge0 => i _; rewrite g0.
have pr0 : 0 < p * r by rewrite mulr_gt0.
rewrite -(@ltr_pexpn2r _ 2) ?nnegrE ?exprn_ge0 ?(ltW pr0) // exprAC expr2.
rewrite [X in _ * X](reindex_inj rev_ord_inj) /= -big_split /=.
have pairE (i : nat) : (i < k)%N -> i%:R * w + (k - i.+1)%:R * w = k.-1%:R * w.
  by move=> ik; rewrite -mulrDl -natrD (other (Ordinal ik)).
have rest (i : 'I_k) : 0 <= g i * g (k - i.+1) <= (p * r) ^+ 2.
  have jk : (k - i.+1 < k)%N by rewrite ltn_subrL (leq_ltn_trans _ (ltn_ord i)).
  rewrite mulr_ge0 ?g0 //=; have := @pair_le p (i%:R * w) ((k - i.+1)%:R * w) (part0 i) (part0 _) (part_p (ltn_ord i)) (part_p jk) p2 h hh p0.
  by rewrite pairE.
rewrite -[X in _ ^+ X](card_ord k) -prodr_const.
have i0 : (0 < k)%N := ltnW k1; have jk : (k - 1 < k)%N by rewrite ltn_subrL.
rewrite (bigD1 (Ordinal i0)) //= [ltRHS](bigD1 (Ordinal i0)) //=.
apply: (@le_lt_trans _ _ (g 0 * g (k - 1) * \prod_(i < k | i != Ordinal i0) (p * r) ^+ 2)).
  apply: ler_wpmul2l; first by apply: mulr_ge0; exact: g0.
  apply: ler_prod => i _; exact: rest.
rewrite ltr_pmul2r; last by rewrite prodr_gt0 // => i _; rewrite exprn_gt0.
have := @pair_lt p (0%:R * w) ((k - 1)%:R * w) (part0 0) (part0 _) (part_p i0) (part_p jk) p2 h hh p0.
rewrite pairE //; apply; rewrite mul0r eq_sym mulf_neq0 ?gt_eqF // ltr0n subn_gt0 //.
Qed.
End Gaps.

(* Burns, section 3.3, where it holds: f_C < f_S if k >= 2, n >= 1 and (1 - k/m)^n >= 1/2, so that the items fill at most
   half of the places in the mean. *)
Theorem classic_below_standard m k n : (1 < k)%N -> (k <= m)%N -> (0 < n)%N -> 2%:R^-1 <= (1 - k%:R / m%:R) ^+ n :> rat ->
  classic_rate m k n k < rate m (n * k) k.
Proof.
move=> k1 km n0 half; have k0 := ltnW k1; have m0 : (0 < m)%N := leq_trans k0 km.
set mu : rat := m%:R * (1 - (1 - k%:R / m%:R) ^+ n).
have h0 : (0 : rat) <= 2%:R^-1 by rewrite invr_ge0 ler0n.
have hh : (2%:R^-1 : rat) + 2%:R^-1 = 1 by rewrite -mulr2n -[_ *+ 2]mulr_natl divff ?pnatr_eq0.
move: (2%:R^-1 : rat) h0 hh half => h h0 hh half.
have k_mu : k%:R <= mu.
  have /andP[x0 x1] := share01k km m0.
  have le : (1 - k%:R / m%:R) ^+ n <= 1 - k%:R / m%:R :> rat by rewrite -(prednK n0) exprS ler_pimulr // exprn_ile1.
  apply: (@le_trans _ _ (m%:R * (1 - (1 - k%:R / m%:R)))); last by rewrite ler_wpmul2l ?ler0n // ler_add2l ler_opp2.
  by rewrite opprB addrCA subrr addr0 mulrCA divff ?mulr1 // pnatr_eq0 -lt0n.
have mu_m : mu + mu <= m%:R.
  by rewrite /mu -mulrDr ler_pimulr ?ler0n // -[leRHS]hh; apply: ler_add; rewrite ler_subl_addr -[leLHS]hh ler_add2l.
have w0 : (0 : rat) < m%:R^-1 by rewrite invr_gt0 ltr0n.
have mw : (m%:R : rat) * m%:R^-1 = 1 by rewrite divff // pnatr_eq0 -lt0n.
set t : rat := 1 - (1 - k%:R / m%:R) ^+ n; have tE : mu * m%:R^-1 = t by rewrite /mu mulrAC mw mul1r.
set r := factor_of_places k m%:R^-1 h; have r0 : 0 < r := r_gt0 k1 km w0 mw h0 hh.
have t0 : 0 < t by rewrite -tE mulr_gt0 // (lt_le_trans _ k_mu) // ltr0n.
have gaps : \prod_(i < k) ((mu - i%:R) / (m%:R - i%:R)) < (t * r) ^+ k.
  rewrite -tE; apply: le_lt_trans (gaps_below k1 km w0 mw h0 hh k_mu mu_m); rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => i _; rewrite (gE k1 km mu mw i).
have f0 : 0 < rate m (n * k) k.
  have /andP[le _] := between_bounds k0 km k1 n0; apply: le_lt_trans le.
  by have /andP[x0 x1] := share01 m0; rewrite exprn_ge0 // subr_ge0 exprn_ile1.
rewrite -(ltr_pmul2l (exprn_gt0 k (mulr_gt0 t0 r0))) exprMn -mulrA.
apply: (@le_lt_trans _ _ (t ^+ k * (hit (n * k) k m / (m ^ (n * k))%:R))).
  by rewrite ler_wpmul2l ?exprn_ge0 ?(ltW t0) //; exact: items_below.
rewrite [ltLHS]mulrC; have product := standard_above_product k0 km n0; rewrite -/mu -/t in product.
apply: le_lt_trans product _.
by rewrite -exprMn [ltRHS]mulrC ltr_pmul2l.
Qed.

(* Burns, section 3.3: f_C < f_S if k >= 2, n >= 1 and 2 n k <= m. *)
Theorem classic_below_by_positions m k n : (1 < k)%N -> (0 < n)%N -> (2 * (n * k) <= m)%N -> classic_rate m k n k < rate m (n * k) k.
Proof.
move=> k1 n0 nk; have km : (k <= m)%N by rewrite (leq_trans _ nk) // (leq_trans (leq_pmull k n0)) // leq_pmull.
have m0 : (0 < m)%N by rewrite (leq_trans _ km) // ltnW.
apply: classic_below_standard => //; have share : 0 <= (k%:R / m%:R : rat) <= 1.
  by rewrite divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
apply: le_trans (bernoulli n share); rewrite ler_subr_addr -ler_subr_addl.
have -> : 1 - 2%:R^-1 = 2%:R^-1 :> rat by apply/eqP; rewrite subr_eq -mulr2n -[_ *+ 2]mulr_natl divff ?pnatr_eq0.
by rewrite mulrA ler_pdivr_mulr ?ltr0n // [leRHS]mulrC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat mulnC.
Qed.
