(* The order of the rates and of their bounds: L <= f_C <= U, L <= f_S <= U, and Theorem 15 of Burns.

   L is the probability that n k throws hit k given places, f_C the classic and f_S the standard filter's rate, U the
   value (1 - (1 - k/m)^n)^k, and mu = m (1 - (1 - k/m)^n) the places that n items of k fill in the mean.

   The printed proof of the third inequality of Theorem 15 does not stand; this is another. Of N throws let B m N be the
   number that hit i given places of m. As a polynomial in u = m - i/2 it has no negative coefficient, so that
   B m (N + 1) / (u B m N) falls with m. It follows that a place more stays without hit with at least the probability
   (1 - 1/u)^(N - i), given that i are hit. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard partitioned classic sequences size search means claims occupancy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Centre.
Implicit Types (u v : rat) (i N p : nat).

Lemma pascal (h : nat -> rat) i : \sum_(j < i.+2) 'C(i.+1, j)%:R * h j = \sum_(j < i.+1) 'C(i, j)%:R * (h j + h j.+1).
Proof.
rewrite big_ord_recl bin0 mul1r (eq_bigr (fun j : 'I_i.+1 => 'C(i, j.+1)%:R * h j.+1 + 'C(i, j)%:R * h j.+1)) => [|j _]; last first.
  by rewrite lift0 binS natrD mulrDl.
rewrite [RHS](eq_bigr (fun j : 'I_i.+1 => 'C(i, j)%:R * h j + 'C(i, j)%:R * h j.+1)) => [|j _]; last by rewrite mulrDr.
rewrite !big_split /= addrA; congr (_ + _); rewrite [RHS]big_ord_recl bin0 mul1r; congr (_ + _).
by rewrite [LHS]big_ord_recr /= bin_small // mul0r addr0.
Qed.

(* The difference of order i of the power p, in the middle of its places. *)
Definition centre i p : rat := \sum_(j < i.+1) 'C(i, j)%:R * ((-1) ^+ j * (i%:R / 2%:R - j%:R) ^+ p).

Lemma centre_next i p :
  centre i.+1 p = \sum_(r < p.+1) 'C(p, r)%:R * (2%:R^-1 ^+ r - (- 2%:R^-1) ^+ r) * centre i (p - r).
Proof.
pose x (j : nat) : rat := i%:R / 2%:R - j%:R.
have xE j : i.+1%:R / 2%:R - j%:R = x j + 2%:R^-1 by rewrite -[i.+1]addn1 natrD mulrDl mul1r addrAC.
have half : 1 = 2%:R^-1 + 2%:R^-1 :> rat by rewrite -mulr2n -[_ *+ 2]mulr_natl divff ?pnatr_eq0.
have xS j : i.+1%:R / 2%:R - j.+1%:R = x j - 2%:R^-1.
  have down : 2%:R^-1 - 1 = - 2%:R^-1 :> rat by apply/eqP; rewrite -subr_eq0 opprK addrAC -half subrr.
  by rewrite -[j.+1]addn1 natrD opprD addrA xE -addrA down.
rewrite /centre (pascal (fun j => (-1) ^+ j * (i.+1%:R / 2%:R - j%:R) ^+ p)).
rewrite (eq_bigr (fun j : 'I_i.+1 => \sum_(r < p.+1) 'C(p, r)%:R * (2%:R^-1 ^+ r - (- 2%:R^-1) ^+ r) * ('C(i, j)%:R * ((-1) ^+ j * x j ^+ (p - r))))).
  by rewrite exchange_big /=; apply: eq_bigr => r _; rewrite mulr_sumr.
move=> j _; rewrite xE xS exprS mulN1r mulNr -mulrBr !exprDn -sumrB !mulr_sumr; apply: eq_bigr => r _.
rewrite -mulrnBl -mulrBr -mulr_natl [RHS]mulrC -!mulrA; congr (_ * (_ * _)).
by rewrite [in RHS]mulr_natl !mulrnAr.
Qed.

Lemma centre_ge0 i p : 0 <= centre i p.
Proof.
elim: i p => [|i IH] p.
  by rewrite /centre big_ord1 bin0 expr0 !mul1r mul0r subr0 exprn_ge0.
rewrite centre_next; apply: sumr_ge0 => r _; rewrite mulr_ge0 ?IH // mulr_ge0 ?ler0n // subr_ge0.
rewrite exprNn -[leRHS]mul1r ler_wpmul2r ?exprn_ge0 ?invr_ge0 ?ler0n //.
by rewrite -signr_odd; case: (odd r); rewrite ?expr0 ?expr1 // (@le_trans _ _ 0) ?oppr_le0.
Qed.

(* The difference of order i of the power N, from the middle of its places. *)
Definition about i N u : rat := \sum_(p < N.+1) 'C(N, p)%:R * centre i p * u ^+ (N - p).

Lemma about_nabla i N m : (i <= m)%N -> nabla i (fun x => (x ^ N)%:R) m = about i N (m%:R - i%:R / 2%:R).
Proof.
move=> im; set u := _ - _.
rewrite /nabla (eq_bigr (fun j : 'I_i.+1 => \sum_(p < N.+1) 'C(N, p)%:R * ('C(i, j)%:R * ((-1) ^+ j * (i%:R / 2%:R - j%:R) ^+ p)) * u ^+ (N - p))); last first.
  move=> j _; have jm : (j <= m)%N by rewrite (leq_trans _ im) // -ltnS ltn_ord.
  have -> : ((m - j) ^ N)%:R = (u + (i%:R / 2%:R - j%:R)) ^+ N :> rat by rewrite natrX natrB // /u addrA subrK.
  rewrite exprDn !mulr_sumr; apply: eq_bigr => p _; rewrite -[_ *+ 'C(N, p)]mulr_natl.
  by rewrite !mulrA [LHS](ACl (3*1*2*5*4)).
rewrite exchange_big /about /=; apply: eq_bigr => p _.
by rewrite -mulr_suml -mulr_sumr.
Qed.

Lemma power_pair u v P Q : 0 <= u -> u <= v -> (Q <= P)%N -> u ^+ P * v ^+ Q <= v ^+ P * u ^+ Q.
Proof.
move=> u0 uv QP; have v0 := le_trans u0 uv; rewrite -(subnK QP) !exprD -!mulrA [v ^+ Q * u ^+ Q]mulrC.
by rewrite ler_wpmul2r ?mulr_ge0 ?exprn_ge0 // ler_expn2r.
Qed.

(* The quotient of two such differences, in proportion to u, falls. *)
Lemma about_falls i N u v : 0 <= u -> u <= v -> u * about i N u * about i N.+1 v <= v * about i N v * about i N.+1 u.
Proof.
move=> u0 uv; have v0 := le_trans u0 uv.
pose e (w : rat) p := 'C(N.+1, p)%:R * centre i p * w ^+ (N.+1 - p).
pose g p : rat := (N.+1 - p)%:R.
have top w : about i N.+1 w = \sum_(p < N.+2) e w p by [].
have low w : N.+1%:R * (w * about i N w) = \sum_(p < N.+2) g p * e w p.
  rewrite [RHS]big_ord_recr /= /g subnn mul0r addr0 !mulr_sumr; apply: eq_bigr => p _.
  have pN : (p <= N)%N by rewrite -ltnS ltn_ord.
  rewrite /e subSn // exprS [w * _]mulrCA ![_ * (_ * (w * _))]mulrA; congr (_ * _).
  by rewrite mulrA -natrM (mul_bin_down N.+1 p) natrM subSn // mulrA.
have N1 : (0 : rat) < N.+1%:R by rewrite ltr0n.
rewrite -(ler_pmul2l N1) ![N.+1%:R * (_ * about i N.+1 _)]mulrA !low !top -subr_ge0 !big_distrlr /= -sumrB.
pose X p q := e v p * e u q - e u p * e v q; set s := (X in 0 <= X).
have sE : s = \sum_(p < N.+2) \sum_(q < N.+2) g p * X p q.
  by apply: eq_bigr => p _; rewrite -sumrB; apply: eq_bigr => q _; rewrite /X mulrBr !mulrA.
have sN : s = \sum_(p < N.+2) \sum_(q < N.+2) - (g q * X p q).
  rewrite sE exchange_big /=; apply: eq_bigr => p _; apply: eq_bigr => q _.
  by rewrite -mulrN /X opprB [e v p * _]mulrC [e u p * _]mulrC.
rewrite -(pmulrn_lge0 _ (ltn0Sn 1)) mulr2n {1}sE sN -big_split /=; apply: sumr_ge0 => p _; rewrite -big_split /=.
have eE w q : e w q = 'C(N.+1, q)%:R * centre i q * w ^+ (N.+1 - q) by [].
have sign q r : (N.+1 - r <= N.+1 - q)%N -> 0 <= X q r.
  move=> le; rewrite /X subr_ge0 !eE mulrACA [leRHS]mulrACA ler_wpmul2l ?mulr_ge0 ?ler0n ?centre_ge0 //; exact: power_pair u0 uv le.
have anti q r : X q r = - X r q by rewrite /X opprB [e v q * _]mulrC [e u q * _]mulrC.
apply: sumr_ge0 => q _; rewrite -mulrBl; have [le | /ltnW le] := leqP (N.+1 - q) (N.+1 - p).
  by rewrite mulr_ge0 ?sign // subr_ge0 ler_nat.
by rewrite anti mulrN -mulNr opprB mulr_ge0 ?sign // subr_ge0 ler_nat.
Qed.
End Centre.

Section Balls.
Variables (m : nat).

(* The throws that hit i given places of x. *)
Definition hit (N i x : nat) : rat := nabla i (fun y => (y ^ N)%:R) x.

Lemma hit_counts N (A : {set 'I_m}) : \sum_(t : {ffun 'I_N -> 'I_m}) (A \subset hits t)%:R = hit N #|A| m.
Proof. exact: (all_occupied (@throws_within m N)). Qed.

Lemma some_set i : (i <= m)%N -> exists A : {set 'I_m}, #|A| = i.
Proof.
move=> im; have /card_gt0P[A] : (0 < #|[set A : {set 'I_m} | #|A| == i]|)%N.
  by have := card_draws (ordinal_finType m) i; rewrite card_ord => ->; rewrite bin_gt0.
by rewrite inE => /eqP Ai; exists A.
Qed.

Lemma hit_ge0 N i : (i <= m)%N -> 0 <= hit N i m.
Proof. by move=> /some_set[A <-]; rewrite -hit_counts sumr_ge0 // => t _; rewrite ler0n. Qed.

Lemma hit_gt0 N i : (i <= m)%N -> (i <= N)%N -> (0 < m)%N -> 0 < hit N i m.
Proof.
move=> /some_set[A Ai] iN m0; rewrite -Ai -hit_counts.
pose t : {ffun 'I_N -> 'I_m} := [ffun j : 'I_N => nth (Ordinal m0) (enum A) j].
rewrite (bigD1 t) //=; apply: ltr_paddr; first by apply: sumr_ge0 => s _; rewrite ler0n.
rewrite ltr0n lt0b; apply/subsetP => x xA; have lt : (index x (enum A) < N)%N.
  by apply: leq_trans iN; rewrite -Ai cardE index_mem mem_enum.
by apply/imsetP; exists (Ordinal lt); rewrite // ffunE /= nth_index // mem_enum.
Qed.

Lemma too_few N i : (N < i)%N -> (i <= m)%N -> hit N i m = 0.
Proof.
move=> Ni /some_set[A Ai]; rewrite -Ai -hit_counts big1 // => t _.
case: (boolP (A \subset hits t)) => // /subset_leq_card; rewrite Ai => le.
have := leq_trans le (leq_imset_card t 'I_N); rewrite card_ord => le'.
by move: Ni; rewrite ltnNge le'.
Qed.
End Balls.

Section Step.
Variables (m i : nat).
Hypothesis im : (i <= m)%N.
Let u : rat := m.+1%:R - i%:R / 2%:R.

Let half_i : i%:R / 2%:R <= i%:R :> rat.
Proof. by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat leq_pmulr. Qed.

Let uE : m%:R - i%:R / 2%:R = u - 1. Proof. by rewrite /u -[m.+1]addn1 natrD addrAC addrK. Qed.
Let u1_ge0 : 0 <= u - 1. Proof. by rewrite -uE subr_ge0 (le_trans half_i) // ler_nat. Qed.
Let u_ge1 : 1 <= u. Proof. by rewrite -subr_ge0. Qed.
Let u_gt0 : 0 < u. Proof. exact: lt_le_trans ltr01 u_ge1. Qed.

(* A place is left out with at least the probability (1 - 1/u)^(N - i), given that i others are hit by N throws. *)
Lemma left_out_after N : (i <= N)%N -> (1 - u^-1) ^+ (N - i) * hit N i m.+1 <= hit N i m.
Proof.
elim: N => [|N IH]; first by rewrite leqn0 => /eqP i0; rewrite i0 expr0 mul1r /hit !nabla0.
rewrite leq_eqVlt => /orP[/eqP iN | iN].
  rewrite -iN subnn expr0 mul1r; have im1 : (i.+1 <= m.+1)%N by []; have := too_few (ltnSn i) im1.
  by rewrite /hit differences => /eqP; rewrite subr_eq0 => /eqP ->.
have {IH} IH := IH iN; have Hpos : 0 < hit N i m.+1 := hit_gt0 (leqW im) iN (ltn0Sn m).
have step := @about_falls i N (u - 1) u u1_ge0; rewrite ler_subl_addr ler_addl in step.
have := step ler01; rewrite -{1 3}uE /u -!about_nabla ?leqW // -/(hit N i m) -/(hit N i m.+1) -/(hit N.+1 i m) -/(hit N.+1 i m.+1) -/u => {step} step.
rewrite subSn // exprS -(ler_pmul2l (mulr_gt0 u_gt0 Hpos)); apply: le_trans step.
have -> : u * hit N i m.+1 * ((1 - u^-1) * (1 - u^-1) ^+ (N - i) * hit N.+1 i m.+1) =
  (u - 1) * ((1 - u^-1) ^+ (N - i) * hit N i m.+1) * hit N.+1 i m.+1.
  have -> : u - 1 = u * (1 - u^-1) by rewrite mulrBr mulr1 divff // gt_eqF.
  by rewrite !mulrA [LHS](ACl (1*3*4*2*5)).
rewrite uE ler_wpmul2r ?hit_ge0 ?leqW // ler_wpmul2l //.
by rewrite -uE -about_nabla.
Qed.
End Step.
Section Power.
Variables (m i k : nat).
Hypothesis ik : (i < k)%N.
Hypothesis km : (k <= m)%N.
Let u : rat := m%:R - i%:R / 2%:R.
Let z : rat := 1 - u^-1.
Let y (j : nat) : rat := 1 - (m%:R - j%:R)^-1.

Lemma shares_left j : (j <= m)%N -> \prod_(l < j) y l = (m - j)%:R / m%:R.
Proof.
elim: j => [|j IH] jm; first by rewrite big_ord0 subn0 divff // pnatr_eq0 -lt0n (leq_ltn_trans _ (leq_trans ik km)).
have mj : ((m - j)%:R : rat) != 0 by rewrite pnatr_eq0 subn_eq0 -ltnNge.
have yE : y j = (m - j.+1)%:R / (m - j)%:R.
  by rewrite /y -natrB; [rewrite subnS -subn1 [(m - j - 1)%:R]natrB ?subn_gt0 // mulrBl divff // mul1r | exact: ltnW].
by rewrite big_ord_recr /= IH; [rewrite yE mulrC mulrA divfK | exact: ltnW].
Qed.

Let two : (0 : rat) < 2%:R. Proof. by rewrite ltr0n. Qed.
Let u2 : u * 2%:R = m%:R * 2%:R - i%:R. Proof. by rewrite /u mulrBl divfK // gt_eqF. Qed.
Let u_ge1 : 1 <= u.
Proof.
rewrite -(ler_pmul2r two) u2 mul1r ler_subr_addr -natrM -natrD ler_nat muln2 -addnn.
have im : (i < m)%N := leq_trans ik km; exact: (@leq_add 1 i.+1 m m (leq_ltn_trans (leq0n i) im) im).
Qed.
Let u_gt0 : 0 < u. Proof. exact: lt_le_trans ltr01 u_ge1. Qed.
Lemma z_ge0 : 0 <= z. Proof. by rewrite subr_ge0 invf_le1. Qed.

(* Two places that are as far from the middle, or farther up, leave less. *)
Lemma pair_below (a b : rat) : 1 <= a -> 1 <= b -> a + b <= u * 2%:R -> (1 - a^-1) * (1 - b^-1) <= z ^+ 2.
Proof.
move=> a1 b1 abu; have a0 := lt_le_trans ltr01 a1; have b0 := lt_le_trans ltr01 b1.
pose h := (a + b) / 2%:R; have h1 : 1 <= h by rewrite ler_pdivl_mulr // mul1r -[2%:R]/(1 + 1) ler_add.
have h0 := lt_le_trans ltr01 h1; have hu : h <= u by rewrite ler_pdivr_mulr.
apply: (@le_trans _ _ ((1 - h^-1) ^+ 2)); last first.
  by rewrite ler_expn2r ?nnegrE ?z_ge0 ?subr_ge0 ?invf_le1 // ler_add2l ler_opp2 lef_pinv.
have abE : a + b = h + h by rewrite -mulr2n -mulr_natr divfK // gt_eqF.
have ab_h : a * b <= h ^+ 2 by case: (leif_AGM2 a b).
have e (c d : rat) : c != 0 -> d != 0 -> (1 - c^-1) * (1 - d^-1) = 1 - (c + d - 1) / (c * d).
  move=> c0 d0; have -> : (c + d - 1) / (c * d) = d^-1 + (c^-1 - c^-1 * d^-1).
    by rewrite invfM mulrBl mul1r mulrDl mulVKf // mulrCA divff // mulr1 addrA.
  by rewrite mulrBl mul1r mulrBr mulr1 [in RHS]opprD addrA.
rewrite [leRHS]expr2 !e ?gt_eqF // abE ler_add2l ler_opp2 -expr2; apply: ler_wpmul2l.
  by rewrite subr_ge0 (le_trans h1) // ler_addl ltW.
by rewrite lef_pinv // posrE; [exact: exprn_gt0 | exact: mulr_gt0].
Qed.

Let y_ge0 j : (j < m)%N -> 0 <= y j.
Proof.
move=> jm; rewrite subr_ge0 -(natrB _ (ltnW jm)) invf_le1; last by rewrite ltr0n subn_gt0.
by rewrite ler1n subn_gt0.
Qed.

(* (1 - 1/u)^k is at least 1 - k/m. *)
Lemma power_of_middle : (m - k)%:R / m%:R <= z ^+ k.
Proof.
have m0 : (0 < m)%N by rewrite (leq_ltn_trans _ (leq_trans ik km)).
have p0 : 0 <= (m - k)%:R / m%:R :> rat by rewrite divr_ge0 ?ler0n.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?exprn_ge0 ?z_ge0 // {1}expr2 -{1}shares_left // -{1}shares_left //.
rewrite [X in _ * X](reindex_inj rev_ord_inj) /= -big_split /= exprAC -[k in _ ^+ k](card_ord k) -prodr_const.
have mk (j : 'I_k) : (j < m)%N by apply: leq_trans (ltn_ord j) km.
have mk' (j : 'I_k) : (k - j.+1 < m)%N by apply: leq_trans km; rewrite ltn_subrL (leq_ltn_trans _ (ltn_ord j)).
have ge1 j : (j < m)%N -> (1 : rat) <= m%:R - j%:R by move=> jm; rewrite -(natrB _ (ltnW jm)) ler1n subn_gt0.
apply: ler_prod => j _; rewrite mulr_ge0 ?y_ge0 //= pair_below ?ge1 //.
have m2 : m%:R * 2%:R = m%:R + m%:R :> rat by rewrite mulr_natr mulr2n.
by rewrite u2 m2 addrACA -opprD ler_add2l ler_opp2 -natrD ler_nat /= -ltnS -addSn subnKC.
Qed.

(* And (m - i)(1 - 1/u)^(k - i) at least m - k. *)
Lemma power_of_rest : (m - k)%:R <= (m - i)%:R * z ^+ (k - i).
Proof.
have step d : (i + d <= k)%N -> (m - (i + d))%:R <= (m - i)%:R * z ^+ d.
  elim: d => [|d IH] le; first by rewrite addn0 expr0 mulr1.
  rewrite addnS in le *; have lm : (i + d < m)%N by apply: leq_trans le km.
  have c0 : (0 : rat) < (m - (i + d))%:R by rewrite ltr0n subn_gt0.
  rewrite exprSr mulrA; apply: (@le_trans _ _ ((m - (i + d))%:R * z)); last by rewrite ler_wpmul2r ?z_ge0 // IH // ltnW.
  rewrite /z mulrBr mulr1 subnS -subn1 natrB ?subn_gt0 // ler_add2l ler_opp2 ler_pdivr_mulr // mul1r.
  rewrite -(ler_pmul2r two) u2 -natrM ler_subr_addr -natrM -natrD ler_nat mulnBl.
  have le2 : ((i + d) * 2 <= m * 2)%N by rewrite leq_mul2r ltnW // orbT.
  by rewrite -{2}(subnK le2) leq_add2l (leq_trans (leq_addr d i)) // leq_pmulr.
by have := step (k - i)%N; rewrite (subnKC (ltnW ik)); apply.
Qed.
End Power.
Lemma fewer_places m N j : (j <= m)%N -> hit N j.+1 m.+1 <= hit N j m.+1.
Proof. by move=> jm; rewrite /hit differences ler_subl_addr ler_addl; exact: hit_ge0. Qed.

Section Chain.
Variables m k n : nat.
Hypothesis k0 : (0 < k)%N.
Hypothesis km : (k <= m)%N.
Let x : rat := 1 - k%:R / m%:R.
Let mu : rat := m%:R * (1 - x ^+ n).
Let m_gt0 : (0 < m)%N. Proof. exact: leq_trans k0 km. Qed.
Let m0 : (m%:R : rat) != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Let xE : x = (m - k)%:R / m%:R. Proof. by rewrite natrB // mulrBl divff. Qed.
Let x0 : 0 <= x. Proof. by rewrite xE divr_ge0 ?ler0n. Qed.
Let x1 : x <= 1. Proof. by rewrite ler_subl_addr ler_addl divr_ge0 ?ler0n. Qed.

Lemma mu_ge i : (0 < n)%N -> (i < k)%N -> 0 <= mu - i%:R.
Proof.
move=> n0 ik; have le : x ^+ n <= x by rewrite -(prednK n0) exprS ler_pimulr // exprn_ile1.
have : m%:R * (1 - x) <= mu by rewrite ler_wpmul2l ?ler0n // ler_add2l ler_opp2.
have -> : m%:R * (1 - x) = k%:R by rewrite /x opprB addrCA subrr addr0 mulrCA divff // mulr1.
by move=> le'; rewrite subr_ge0 (le_trans _ le') // ler_nat ltnW.
Qed.

Let gap i : (i < k)%N -> m%:R - i%:R != 0 :> rat.
Proof. by move=> ik; rewrite subr_eq0 eqr_nat gtn_eqF // (leq_trans ik km). Qed.

Lemma factor i : (i < k)%N -> (mu - i%:R) / (m%:R - i%:R) = 1 - m%:R * x ^+ n / (m%:R - i%:R).
Proof.
move=> ik; have -> : mu - i%:R = (m%:R - i%:R) - m%:R * x ^+ n by rewrite /mu mulrBr mulr1 addrAC.
by rewrite mulrBl divff // gap.
Qed.

(* A place more of i < k, as a share: at most as many of the throws as (mu - i)/(m - i). *)
Lemma next_hit i : (0 < n)%N -> (i < k)%N -> hit (n * k) i.+1 m <= (mu - i%:R) / (m%:R - i%:R) * hit (n * k) i m.
Proof.
move=> n0 ik; rewrite factor // mulrBl mul1r; have im : (i < m)%N := leq_trans ik km.
have mE : m = m.-1.+1 by rewrite prednK.
have iN : (i <= n * k)%N by rewrite (leq_trans (ltnW ik)) // leq_pmull.
have im' : (i <= m.-1)%N by rewrite -ltnS -mE.
have left := left_out_after im' iN; rewrite -mE in left.
have z0 := z_ge0 ik km; have zk := power_of_middle ik km; have zr := power_of_rest ik km.
set z : rat := 1 - (m%:R - i%:R / 2%:R)^-1 in left z0 zk zr.
have mi0 : 0 < m%:R - i%:R :> rat by rewrite subr_gt0 ltr_nat.
have low : m%:R * x ^+ n / (m%:R - i%:R) <= z ^+ (n * k - i).
  rewrite ler_pdivr_mulr //; have -> : (n * k - i = (k - i) + n.-1 * k)%N.
    by rewrite -{1}(prednK n0) mulSn addnC -addnBA ?(ltnW ik) // addnC.
  have -> : m%:R * x ^+ n = (m - k)%:R * x ^+ n.-1 by rewrite -{1}(prednK n0) exprS mulrA xE mulrCA divff // mulr1.
  rewrite exprD mulrAC mulnC exprM -natrB ?(ltnW im) // [_ * (m - i)%:R]mulrC.
  by apply: ler_pmul; rewrite ?ler0n ?exprn_ge0 // ler_expn2r ?nnegrE ?exprn_ge0 // xE.
rewrite {1}mE /hit differences -/(hit (n * k) i m.-1.+1) -/(hit (n * k) i m.-1) -mE ler_add2l ler_opp2.
by apply: le_trans left; rewrite ler_wpmul2r // hit_ge0 // ltnW.
Qed.

(* Theorem 15 of Burns, third inequality: for r <= k, the throws hit r given places with probability at most C(mu,
   r)/C(m, r). *)
Theorem throws_below r : (r <= k)%N -> hit (n * k) r m / (m ^ (n * k))%:R <= \prod_(i < r) ((mu - i%:R) / (m%:R - i%:R)).
Proof.
have pos : (0 : rat) < (m ^ (n * k))%:R by rewrite ltr0n expn_gt0 m_gt0.
move=> rk; rewrite ler_pdivr_mulr //; have [n0 | n0] := posnP n.
  case: r rk => [|r] rk; first by rewrite big_ord0 mul1r /hit nabla0.
  rewrite big_ord_recl n0 mul0n too_few // ?(leq_trans rk) //.
  by rewrite /mu n0 expr0 subrr mulr0 subrr !mul0r.
elim: r rk => [|r IH] rk; first by rewrite big_ord0 mul1r /hit nabla0.
apply: le_trans (next_hit n0 rk) _; rewrite big_ord_recr /= [X in _ <= X * _]mulrC -[leRHS]mulrA.
by rewrite ler_wpmul2l ?IH ?(ltnW rk) // divr_ge0 ?mu_ge // subr_ge0 ler_nat ltnW // (leq_trans rk).
Qed.

Let f (d : nat) : rat := \prod_(i < d) ((mu - i%:R) / (m%:R - i%:R)).

Lemma sum_over_queries h : (h <= k)%N -> \sum_(q : {ffun 'I_h -> 'I_m}) f #|hits q| = mu ^+ h.
Proof.
elim: h => [|h IH] hk.
  have q0 : {ffun 'I_0 -> 'I_m} by apply: finfun => -[].
  rewrite (big_pred1 q0) => [|q]; last by apply/esym/eqP/ffunP => -[].
  rewrite (_ : hits q0 = set0) ?cards0 /f ?big_ord0 ?expr0 //.
  by apply/setP => y; rewrite inE; apply/imsetP => -[[]].
rewrite sum_more exchange_big exprS -IH ?(ltnW hk) // mulr_sumr; apply: eq_bigr => t _.
have tm : (#|hits t| < k)%N by apply: leq_ltn_trans hk; rewrite -[h in (_ <= h)%N]card_ord leq_imset_card.
rewrite (bigID (mem (hits t))) /= (eq_bigr (fun=> f #|hits t|)) => [|y yt]; last by rewrite (setUidPr _) // sub1set.
rewrite [X in _ + X](eq_bigr (fun=> f #|hits t|.+1)) => [|y yt]; last by rewrite cardsU1 yt.
rewrite !sumr_const (_ : #|[pred y | y \notin hits t]| = m - #|hits t|)%N; last first.
  by rewrite -card_setC_ord; apply: eq_card => y; rewrite !inE.
rewrite -[X in X + _]mulr_natr -[X in _ + X]mulr_natr {2}/f big_ord_recr /= -/(f _).
by rewrite -mulrA natrB ?(leq_trans (ltnW tm)) // divfK ?gap // -mulrDr addrCA subrr addr0 mulrC.
Qed.

Let m1 e : (0 : rat) < (m ^ e)%:R. Proof. by rewrite ltr0n expn_gt0 m_gt0. Qed.

Lemma rate_of_hits N : rate m N k = (\sum_(q : {ffun 'I_k -> 'I_m}) hit N #|hits q| m) / (m ^ (N + k))%:R.
Proof. by rewrite /rate; congr (_ / _); apply: eq_bigr => q _; rewrite hit_counts. Qed.

Let few (q : {ffun 'I_k -> 'I_m}) : (#|hits q| <= k)%N. Proof. by rewrite -[k in (_ <= k)%N]card_ord leq_imset_card. Qed.

Lemma upper_sum : (1 - x ^+ n) ^+ k * (m ^ (n * k + k))%:R = \sum_(q : {ffun 'I_k -> 'I_m}) (m ^ (n * k))%:R * f #|hits q|.
Proof. by rewrite -mulr_sumr sum_over_queries // expnD natrM mulrCA; congr (_ * _); rewrite natrX -exprMn mulrC. Qed.

Lemma query_below (q : {ffun 'I_k -> 'I_m}) : hit (n * k) #|hits q| m <= (m ^ (n * k))%:R * f #|hits q|.
Proof. by have := throws_below (few q); rewrite ler_pdivr_mulr // mulrC. Qed.

(* Burns (65) for standard filters: f_S <= U. *)
Theorem standard_upper : rate m (n * k) k <= (1 - (1 - k%:R / m%:R) ^+ n) ^+ k.
Proof. by rewrite rate_of_hits ler_pdivr_mulr // upper_sum; apply: ler_sum => q _; exact: query_below. Qed.

(* Fan (20), right of f: f_S < U if there are at least one item and two positions. *)
Theorem standard_strictly_below_upper : (0 < n)%N -> (1 < k)%N -> rate m (n * k) k < (1 - (1 - k%:R / m%:R) ^+ n) ^+ k.
Proof.
move=> n0 k1; rewrite rate_of_hits ltr_pdivr_mulr // upper_sum.
pose q0 : {ffun 'I_k -> 'I_m} := [ffun=> Ordinal m_gt0].
have hq : #|hits q0| = 1%N.
  rewrite (_ : hits q0 = [set Ordinal m_gt0]) ?cards1 //; apply/setP => y; rewrite inE.
  by apply/imsetP/eqP => [[j _ ->]|->]; [rewrite ffunE | exists (Ordinal k0); rewrite ?ffunE].
rewrite (bigD1 q0) //= [ltRHS](bigD1 q0) //=; apply: ltr_le_add; last by apply: ler_sum => q _; exact: query_below.
have below : (1 - k%:R / m%:R) ^+ n < (1 - m%:R^-1) ^+ (k * n) :> rat.
  by apply: partition_below; rewrite ?k1 ?km // (leq_trans k1).
rewrite hq /f big_ord1 !subr0 /mu mulrAC divff // mul1r.
have -> : hit (n * k) 1 m = (m ^ (n * k))%:R * (1 - (1 - m%:R^-1) ^+ (k * n)).
  rewrite /hit /nabla !big_ord_recl big_ord0 /= !bin0 bin1 expr0 expr1 !mul1r subn0 addr0 mulN1r.
  rewrite mulrBr mulr1 mulnC; congr (_ - _); rewrite !natrX -exprMn mulrBr mulr1 divff //.
  by rewrite subn1 -subn1 natrB.
by rewrite ltr_pmul2l // ltr_add2l ltr_opp2.
Qed.

Lemma more_places N i j : (i <= j)%N -> (j <= m)%N -> hit N j m <= hit N i m.
Proof.
move=> ij; rewrite -(subnK ij); elim: (j - i)%N => [|d IH] jm; first by rewrite lexx.
apply: le_trans (IH (ltnW jm)); have := @fewer_places m.-1 N (d + i); rewrite prednK // addSn; apply.
by rewrite -ltnS prednK.
Qed.

(* Burns, Corollary 23: L <= f_S. *)
Theorem standard_lower N : hit N k m / (m ^ N)%:R <= rate m N k.
Proof.
rewrite rate_of_hits ler_pdivr_mulr // mulrAC ler_pdivl_mulr // expnD natrM mulrCA [leRHS]mulrC ler_pmul2l //.
rewrite -card_throws mulr_natr -sumr_const; apply: ler_sum => q _.
by apply: more_places; rewrite ?few.
Qed.

(* Burns (64) if mu_S is at least k - 2: L >= C(mu_S, k)/C(m, k), where mu_S = m (1 - (1 - 1/m)^N) and N is the number
   of throws. *)
Theorem lower_above N : k%:R - 2%:R <= m%:R * (1 - (1 - m%:R^-1) ^+ N) :> rat ->
  \prod_(i < k) ((m%:R * (1 - (1 - m%:R^-1) ^+ N) - i%:R) / (m%:R - i%:R)) <= hit N k m / (m ^ N)%:R.
Proof.
set s := m%:R * _ => sk.
have some : (0 < #|{ffun 'I_N -> 'I_m}|)%N by rewrite card_throws expn_gt0 m_gt0.
have kk : k = k.-1.+1 by rewrite prednK.
have [le | lt] := lerP k.-1%:R s.
  have := @mean_choices _ predT (fun t : {ffun 'I_N -> 'I_m} => #|hits t|) m some k km.
  rewrite -!sum1_card !natr_sum.
  have -> : (\sum_(t : {ffun 'I_N -> 'I_m}) 1) = (m ^ N)%:R :> rat by rewrite sumr_const card_throws.
  rewrite mean_of_hits // -/s => /(_ le) h; apply: le_trans h _; rewrite ler_pmul2r ?invr_gt0 //.
  rewrite -mulr_suml (@binomial_moment m _ predT (@hits m N) (fun y => (y ^ N)%:R) (@throws_within m N)) mulrAC divff ?mul1r //.
  by rewrite pnatr_eq0 -lt0n bin_gt0.
apply: (@le_trans _ _ 0); last by rewrite divr_ge0 ?ler0n // hit_ge0.
rewrite kk big_ord_recr /=; apply: mulr_ge0_le0; last first.
  apply: mulr_le0_ge0; first by rewrite subr_le0 ltW.
  by rewrite invr_ge0 subr_ge0 ler_nat (leq_trans (leq_pred k)).
apply: prodr_ge0 => i _; apply: divr_ge0; last by rewrite subr_ge0 ler_nat (leq_trans _ km) // (leq_trans (ltnW (ltn_ord i))) // leq_pred.
rewrite subr_ge0; apply: le_trans sk; rewrite ler_subr_addr -natrD ler_nat addn2.
by have := ltn_ord i; rewrite -ltnS -kk.
Qed.
End Chain.

Section Classic.

Lemma spread_shift (c : nat -> rat) h b : iter h spread (fun b => c b.+1) (b + h)%N = iter h spread c (b + h).+1.
Proof.
elim: h b => [|h IH] b; first by rewrite addn0.
have next a i : spread a i.+1 = a i.+1 + a i :> rat by [].
by have := IH b.+1; rewrite addSn addnS !iterS !next IH => ->.
Qed.

Lemma row_shift (c : nat -> rat) M h :
  \sum_(b < (M + h).+1) row (M + h) b * c b = \sum_(b < M.+1) row M b * iter h spread c (b + h)%N.
Proof.
elim: h c => [|h IH] c; first by rewrite addn0; apply: eq_bigr => b _; rewrite addn0.
rewrite addnS (pascal c) (eq_bigr (fun b : 'I_(M + h).+1 => row (M + h) b * spread c b.+1)) => [|b _]; last by rewrite /spread addrC.
rewrite (IH (fun b => spread c b.+1)); apply: eq_bigr => b _; congr (_ * _).
by rewrite spread_shift -iterSr addnS.
Qed.

Lemma choose_twice M h b : (b <= M)%N -> ('C(h + M, h + b) * 'C(h + b, h) = 'C(h + M, h) * 'C(M, b))%N.
Proof.
move=> bM; have p : (0 < h`! * b`! * (M - b)`!)%N by rewrite !muln_gt0 !fact_gt0.
apply/eqP; rewrite -(eqn_pmul2r p); apply/eqP.
have le : (h + b <= h + M)%N by rewrite leq_add2l.
have e1 := bin_fact le; have e2 := bin_fact (leq_addr b h).
have e3 := bin_fact (leq_addr M h); have e4 := bin_fact bM.
rewrite subnDl in e1; rewrite !addKn in e2 e3.
transitivity ('C(h + M, h + b) * ('C(h + b, h) * (h`! * b`!) * (M - b)`!))%N; first by rewrite !mulnA.
rewrite e2 e1 -e3 -e4 !mulnA; congr (_ * _)%N; rewrite -!mulnA; congr (_ * _)%N.
by rewrite mulnCA.
Qed.

Variables k n : nat.
Let c : nat -> rat := committees k n.

(* All sequences of items and all queries of h places, by the places that they have. *)
Lemma all_with_queries m h : (h <= m)%N ->
  \sum_(b < m.+1) row m b * ('C(b, h)%:R * iter h spread c b) = ('C(m, h) * 'C(m, k) ^ n)%:R.
Proof.
move=> hm; rewrite natrM -(all_sequences m k n) -/c; have mE : m = (h + (m - h))%N by rewrite subnKC.
move: (m - h)%N mE => M ->; rewrite [in RHS]addnC row_shift -addnS big_split_ord /= big1 ?add0r => [|b _]; last first.
  by rewrite bin_small ?mul0r ?mulr0 // ltn_ord.
rewrite mulr_sumr; apply: eq_bigr => b _; rewrite [RHS]mulrA mulrA [(b + h)%N]addnC; congr (_ * _).
by rewrite /row -!natrM choose_twice; [rewrite addnC | rewrite -ltnS].
Qed.

Lemma classic_by_places m h : classic_rate m k n h = (\sum_(b < m.+1) row m b * (c b * 'C(b, h)%:R)) / ('C(m, h) * 'C(m, k) ^ n)%:R.
Proof. by rewrite classic_mean -mulr_suml (sum_by_filled m k n (fun b => 'C(b, h)%:R)) natrM invfM mulrA. Qed.

(* The probability that h given places are all filled falls with m, or stays the same. *)
Theorem classic_cover_falls m h : (h <= m)%N -> (k <= m)%N -> classic_rate m.+1 k n h <= classic_rate m k n h.
Proof.
move=> hm km; have pos p : (h <= p)%N -> (k <= p)%N -> (0 : rat) < ('C(p, h) * 'C(p, k) ^ n)%:R.
  by move=> hp kp; rewrite ltr0n muln_gt0 expn_gt0 !bin_gt0 hp kp.
have gG : falls (fun b => c b * 'C(b, h)%:R) (fun b => 'C(b, h)%:R * iter h spread c b).
  have lc := log_concave_committees k n.
  have [p fall zero] := falls_weights (w := fun b => 'C(b, h)%:R) (fun b => ler0n _ _) (falls_iter h lc (falls_self lc)).
  by split=> [i|i j ij|i]; rewrite ![c _ * _]mulrC; [exact: p | exact: fall | exact: zero].
rewrite !classic_by_places ler_pdivr_mulr ?pos ?(leqW hm) ?(leqW km) // mulrAC ler_pdivl_mulr ?pos //.
rewrite -!all_with_queries ?(leqW hm) //.
have longer (g : nat -> rat) : \sum_(i < m.+1) row m i * g i = \sum_(i < m.+2) row m i * g i.
  by rewrite [RHS]big_ord_recr /= {3}/row bin_small // mul0r addr0.
rewrite (longer (fun b => 'C(b, h)%:R * iter h spread c b)) (longer (fun b => c b * 'C(b, h)%:R)).
exact: sums_fall gG m.
Qed.

Variable m : nat.
Hypothesis km : (k <= m)%N.
Let x : rat := 1 - k%:R / m%:R.

Lemma classic_none : classic_rate m k n 0 = 1.
Proof.
have C0 : ('C(m, k) ^ n)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 bin_gt0 km.
by rewrite classic_mean (eq_bigr (fun=> 1)) => [|s _]; [rewrite sumr_const card_states divff | rewrite !bin0 divr1].
Qed.

Lemma classic_ge0 h : 0 <= classic_rate m k n h.
Proof. by rewrite classic_mean divr_ge0 ?ler0n // sumr_ge0 // => s _; rewrite divr_ge0 ?ler0n. Qed.

(* Theorem 15 of Burns, the first display of its proof: the probability that given places are filled is multiplied by at
   most mu/m if one more place must be filled. *)
Theorem classic_step h : (h < m)%N -> classic_rate m k n h.+1 <= (1 - (1 - k%:R / m%:R) ^+ n) * classic_rate m k n h.
Proof.
move=> hm; have mE : m = m.-1.+1 by rewrite prednK // (leq_ltn_trans _ hm).
have [n0 | n0] := posnP n.
  rewrite n0 expr0 subrr mul0r classic_mean big1 ?mul0r // => s _.
  by rewrite /filled; case: (n) n0 s => // _ s; rewrite big_ord0 cards0 bin0n mul0r.
have km' := km; rewrite mE in km' hm; rewrite mE classic_recursion // mulrBl mul1r ler_add2l ler_opp2.
move: (km'); rewrite leq_eqVlt => /orP[/eqP -> | km1].
  by rewrite divff ?pnatr_eq0 // subrr expr0n -[n]prednK // !mul0r.
apply: ler_wpmul2l; last exact: classic_cover_falls.
by rewrite exprn_ge0 // subr_ge0 ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.

(* Theorem 15 of Burns, first inequality, and Burns (65) for classic filters with r = k: f_C <= U. *)
Theorem classic_upper r : (r <= m)%N -> classic_rate m k n r <= (1 - (1 - k%:R / m%:R) ^+ n) ^+ r.
Proof.
elim: r => [|r IH] rm; first by rewrite expr0 classic_none.
apply: le_trans (classic_step rm) _; rewrite exprS ler_wpmul2l ?IH ?(ltnW rm) //.
have /andP[x0 x1] := share01k km (leq_ltn_trans (leq0n r) rm).
by rewrite subr_ge0 exprn_ile1.
Qed.

(* Theorem 15 of Burns, second inequality: for r <= k, r given places are filled with probability at least C(mu, r)/C(m,
   r). *)
Theorem classic_middle r : (r <= k)%N ->
  \prod_(i < r) ((m%:R * (1 - (1 - k%:R / m%:R) ^+ n) - i%:R) / (m%:R - i%:R)) <= classic_rate m k n r.
Proof.
case: r => [|r] rk; first by rewrite big_ord0 classic_none.
have k0 : (0 < k)%N := leq_ltn_trans (leq0n r) rk; have m0 : (0 < m)%N by apply: leq_trans km.
have [n0 | n0] := posnP n.
  rewrite big_ord_recl [X in X / _ * _](_ : _ = 0) ?mul0r ?classic_ge0 //.
  by rewrite n0 expr0 subrr mulr0 sub0r oppr0.
have cards : #|@states m k n| = ('C(m, k) ^ n)%N by exact: card_states.
rewrite -(mean_filled n km m0) classic_mean -cards; apply: mean_choices; rewrite ?(leq_trans rk) //.
  by rewrite cards expn_gt0 bin_gt0 km.
rewrite cards ler_pdivl_mulr ?ltr0n ?expn_gt0 ?bin_gt0 ?km // -cards mulr_natr -sumr_const; apply: ler_sum => s /ffun_onP sF.
rewrite ler_nat (leq_trans (leq_pred r.+1)) // (leq_trans rk) //; have := sF (Ordinal n0); rewrite inE => /eqP <-.
by apply: subset_leq_card; exact: (bigcup_sup (Ordinal n0)).
Qed.

(* Theorem 15 of Burns, third inequality, including the case r = 0. *)
Theorem throws_below_committees r : (r <= k)%N ->
  hit (n * k) r m / (m ^ (n * k))%:R <= \prod_(i < r) ((m%:R * (1 - (1 - k%:R / m%:R) ^+ n) - i%:R) / (m%:R - i%:R)).
Proof.
case: r => [|r] rk; last exact: (throws_below n (leq_ltn_trans (leq0n r) rk) km rk).
rewrite big_ord0 /hit nabla0; have [-> | pos] := posnP (m ^ (n * k))%N; first by rewrite mul0r ler01.
by rewrite divff // pnatr_eq0 -lt0n.
Qed.

(* Theorem 15 of Burns: its second term is at least its fourth term, for r <= k. *)
Theorem classic_lower r : (r <= k)%N -> hit (n * k) r m / (m ^ (n * k))%:R <= classic_rate m k n r.
Proof. by move=> rk; apply: le_trans (throws_below_committees rk) _; exact: classic_middle. Qed.
End Classic.

Section Both.
Variables m k n : nat.
Hypothesis k0 : (0 < k)%N.
Hypothesis km : (k <= m)%N.

(* Burns, Corollary 23, left: L <= f_S and L <= f_C. *)
Theorem lower_bound : hit (n * k) k m / (m ^ (n * k))%:R <= rate m (n * k) k /\ hit (n * k) k m / (m ^ (n * k))%:R <= classic_rate m k n k.
Proof. by split; [exact: standard_lower | exact: classic_lower]. Qed.

(* Burns (65): f_S <= U and f_C <= U. *)
Theorem upper_bound : rate m (n * k) k <= (1 - (1 - k%:R / m%:R) ^+ n) ^+ k /\ classic_rate m k n k <= (1 - (1 - k%:R / m%:R) ^+ n) ^+ k.
Proof. by split; [exact: standard_upper | exact: classic_upper]. Qed.

(* Fan (20): U > f > Bloom's value if there are at least one item and two positions. *)
Theorem between_bounds : (1 < k)%N -> (0 < n)%N ->
  (1 - (1 - m%:R^-1) ^+ (n * k)) ^+ k < rate m (n * k) k < (1 - (1 - k%:R / m%:R) ^+ n) ^+ k.
Proof.
move=> k1 n0; apply/andP; split; last exact: standard_strictly_below_upper.
by apply: bloom_strictly_below; rewrite // ?(leq_trans k1 km) ?(leq_trans k1 (leq_pmull k n0)).
Qed.
End Both.

(* Fan (18), if k divides m = s k: the partitioned filter's rate is above the standard filter's rate, which is above
   Bloom's value. *)
Theorem partitioned_above s k n : (0 < s)%N -> (1 < k)%N -> (0 < n)%N ->
  (1 - (1 - (s * k)%:R^-1) ^+ (n * k)) ^+ k < rate (s * k) (n * k) k < partitioned_rate s n k.
Proof.
move=> s0 k1 n0; have k0 : (0 < k)%N := ltnW k1; have km : (k <= s * k)%N by rewrite leq_pmull.
have := between_bounds k0 km k1 n0; rewrite partitioned_exact // natrM invfM mulrCA divff ?mulr1 //.
by rewrite pnatr_eq0 -lt0n.
Qed.
