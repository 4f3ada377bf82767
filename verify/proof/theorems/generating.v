(* The hypergeometric series of Burns for the union of batches and for what several committees share, and the generating
   functions of both. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims occupancy laws hypergeometric means order intersections averages.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The first J terms of the series F with the upper parameters u and the lower parameters l, at z. A term is 0 if an upper
   parameter's rising factorial is 0; here the lower one's may then be 0 too, as Coq has x/0 = 0. *)
Definition hypergeometric a b (u : 'I_a -> rat) (l : 'I_b -> rat) (z : rat) (J : nat) : rat :=
  \sum_(j < J) (\prod_d rising (u d) j) / (\prod_d rising (l d) j) * z ^+ j / j`!%:R.

(* A term where the parameters are whole numbers, none above 0, and the lower ones are all -x. *)
Lemma hypergeometric_term n x (b : 'I_n.+1 -> nat) (z : rat) j : (forall d, (b d <= x)%N) ->
  (\prod_d rising (- (b d)%:R) j) / (\prod_(d < n) rising (- x%:R) j) * z ^+ j / j`!%:R =
  'C(x, j)%:R * \prod_d ((b d ^_ j)%:R / (x ^_ j)%:R) * (- z) ^+ j.
Proof.
move=> bx; have j0 : (j`!%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n fact_gt0.
have [jx | xj] := leqP j x; last first.
  rewrite [in RHS]bin_small // !mul0r big_ord_recl risingN ffact_small ?mulr0 ?mul0r ?mulr0 ?mul0r //.
  exact: leq_ltn_trans xj.
have x0 : ((x ^_ j)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n ffact_gt0.
have s0 : (-1) ^+ j != 0 :> rat by rewrite signr_eq0.
have -> : 'C(x, j)%:R = (x ^_ j)%:R / j`!%:R :> rat by rewrite -bin_ffact natrM mulfK.
rewrite [\prod_d rising _ j](eq_bigr (fun d => (-1) ^+ j * (b d ^_ j)%:R)) => [|d _]; last exact: risingN.
rewrite prodf_div big_split /= !prodr_const !card_ord risingN exprMn [(- z) ^+ j]exprNn.
set B := \prod_d _; set X := (x ^_ j)%:R in x0 *; set s := (-1) ^+ j in s0 *.
rewrite !exprS !invfM; set sn := s ^+ n; set Xn := X ^+ n; set w := z ^+ j; set f := j`!%:R^-1.
have sn0 : sn / sn = 1 by rewrite divff // expf_neq0.
have X1 : X / X = 1 by rewrite divff.
transitivity (sn / sn * (s * B / Xn * w * f)); last rewrite sn0 -X1; set p := sn^-1; set q := Xn^-1; set r := X^-1; identity.
Qed.

Lemma hypergeometric_terms n x (b : 'I_n.+1 -> nat) (z : rat) J : (forall d, (b d <= x)%N) -> (x < J)%N ->
  hypergeometric (fun d => - (b d)%:R) (fun _ : 'I_n => - x%:R) z J =
  \sum_(j < x.+1) 'C(x, j)%:R * \prod_d ((b d ^_ j)%:R / (x ^_ j)%:R) * (- z) ^+ j.
Proof.
move=> bx xJ; rewrite /hypergeometric (eq_bigr _ (fun (j : 'I_J) _ => hypergeometric_term z j bx)).
rewrite -!(big_mkord predT (fun j => 'C(x, j)%:R * \prod_d ((b d ^_ j)%:R / (x ^_ j)%:R) * (- z) ^+ j)) /=.
rewrite (big_cat_nat _ _ _ (leq0n x.+1) xJ) /= [X in _ + X]big_nat_cond [X in _ + X]big1 ?addr0 // => j /andP[/andP[xj _] _].
by rewrite bin_small // !mul0r.
Qed.

Lemma union_outside m n (k : 'I_n -> nat) i d : (i < k d)%N || (m < i)%N ->
  \sum_(s in @batches m n k) (#|filled s| == i)%:R = 0 :> rat.
Proof.
move=> out; rewrite big1 // => s /familyP/(_ d); rewrite !inE => /eqP sd; case: eqP => // si; case/orP: out; rewrite -si.
  by rewrite -sd ltnNge => /negP[]; apply: subset_leq_card; exact: (bigcup_sup d).
by rewrite ltnNge (leq_trans (max_card _)) ?card_ord.
Qed.

(* Burns (24): the distribution of the number of places that batches occupy, as a series F with n upper and n - 1 lower
   parameters. It is 0 for fewer places than a batch has and for more than m. *)
Theorem union_series m n (k : 'I_n.+1 -> nat) i J : (forall d, (k d <= m)%N) -> (i < J)%N ->
  (\sum_(s in @batches m n.+1 k) (#|filled s| == i)%:R) / #|@batches m n.+1 k|%:R =
  'C(m, i)%:R * (\prod_d ('C(i, k d)%:R / 'C(m, k d)%:R)) *
  hypergeometric (fun d => (k d)%:R - i%:R) (fun _ : 'I_n => - i%:R) 1 J :> rat /\
  ([exists d, (i < k d)%N] || (m < i)%N -> \sum_(s in @batches m n.+1 k) (#|filled s| == i)%:R = 0 :> rat).
Proof.
move=> km iJ; split; last first.
  case/orP => [/existsP[d id] | mi]; first by apply: (@union_outside _ _ _ _ d); rewrite id.
  by apply: (@union_outside _ _ _ _ ord0); rewrite mi orbT.
rewrite batches_law -mulrA; congr (_ * _).
have [/forallP ki | ] := boolP [forall d, (k d <= i)%N]; last first.
  rewrite negb_forall => /existsP[d]; rewrite -ltnNge => id.
  rewrite (bigD1 d) //= bin_small // !mul0r /nabla big1 ?mul0r // => j _.
  have z : 'C(i - j, k d) = 0%N by rewrite bin_small // (leq_ltn_trans (leq_subr _ _)).
  by rewrite /choices (bigD1 d) //= z mul0r !mulr0.
have -> : hypergeometric (fun d => (k d)%:R - i%:R) (fun _ : 'I_n => - i%:R) 1 J =
    hypergeometric (fun d => - (i - k d)%:R) (fun _ : 'I_n => - i%:R) 1 J.
  apply: eq_bigr => j _; congr (_ / _ * _ / _); apply: eq_bigr => d _; by rewrite natrB // opprB.
rewrite hypergeometric_terms // => [|d]; last exact: leq_subr.
rewrite /nabla mulr_suml mulr_sumr; apply: eq_bigr => j _.
have ji : (j <= i)%N by rewrite -ltnS.
have -> : choices k (i - j) = \prod_d ('C(i, k d)%:R * (((i - k d) ^_ j)%:R / (i ^_ j)%:R)).
  apply: eq_bigr => d _; have x0 : ((i ^_ j)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n ffact_gt0.
  by rewrite mulrA -natrM -choose_fewer natrM mulfK.
rewrite big_split /=; set b := \prod_d ((_ ^_ _)%:R / _); rewrite prodf_div -/(choices k i) -/(choices k m).
set a := choices k i; set c := (choices k m)^-1; set e := (-1) ^+ j; set x := 'C(i, j)%:R; identity.
Qed.

Lemma binomial_sum (t : rat) x m : (x <= m)%N -> (1 + t) ^+ x = \sum_(j < m.+1) 'C(x, j)%:R * t ^+ j.
Proof.
move=> xm; rewrite exprDn; pose f j : rat := 'C(x, j)%:R * t ^+ j.
rewrite (eq_bigr (fun j : 'I_x.+1 => f j)) => [|j _]; last by rewrite expr1n mul1r /f mulr_natl.
rewrite -!(big_mkord predT f) [RHS](big_cat_nat _ _ _ (leq0n x.+1)) //= [X in _ = _ + X]big_nat_cond [X in _ = _ + X]big1 ?addr0 // => j /andP[/andP[xj _] _].
by rewrite /f bin_small // mul0r.
Qed.

(* The number of sets of j places that batches leave out, over all states. *)
Lemma empty_places m n (k : 'I_n -> nat) j :
  \sum_(s in @batches m n k) 'C(m - #|filled s|, j)%:R = 'C(m, j)%:R * choices k (m - j).
Proof.
rewrite -(@sum_over_sets m _ (@batches m n k) (fun A s => [disjoint filled s & A]%:R) j) => [|A <-]; last exact: (without_set (@batches_within m n k)).
apply: eq_bigr => s _; rewrite -card_setC_ord -cards_draws -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
apply: eq_bigr => A _; rewrite inE andbC; case: (_ == j) => //=.
by rewrite [[disjoint _ & _]]disjoint_sym disjoints_subset; case: (_ \subset _).
Qed.

(* Burns (26): the generating function of the number of places that batches occupy. *)
Theorem union_generates m n (k : 'I_n.+1 -> nat) (z : rat) J : (forall d, (k d <= m)%N) -> z != 0 -> (m < J)%N ->
  (\sum_(s in @batches m n.+1 k) z ^+ #|filled s|) / #|@batches m n.+1 k|%:R =
  z ^+ m * hypergeometric (fun d => - (m%:R - (k d)%:R)) (fun _ : 'I_n => - m%:R) (1 - z^-1) J.
Proof.
move=> km z0 mJ.
have -> : hypergeometric (fun d => - (m%:R - (k d)%:R)) (fun _ : 'I_n => - m%:R) (1 - z^-1) J =
    hypergeometric (fun d => - (m - k d)%:R) (fun _ : 'I_n => - m%:R) (1 - z^-1) J.
  by apply: eq_bigr => j _; congr (_ / _ * _ / _); apply: eq_bigr => d _; rewrite natrB.
rewrite hypergeometric_terms // => [|d]; last exact: leq_subr.
have power_of (s : {ffun 'I_n.+1 -> {set 'I_m}}) : z ^+ #|filled s| = z ^+ m * \sum_(j < m.+1) 'C(m - #|filled s|, j)%:R * (z^-1 - 1) ^+ j.
  rewrite -binomial_sum ?leq_subr // addrC subrK exprVn.
  have le : (#|filled s| <= m)%N by rewrite (leq_trans (max_card _)) ?card_ord.
  by move: #|filled s| le => x le; rewrite -{1}(subnKC le) exprD mulfK // expf_neq0.
rewrite (eq_bigr _ (fun s _ => power_of s)) -mulr_sumr -mulrA; congr (_ * _).
rewrite exchange_big /= mulr_suml; apply: eq_bigr => j _; have jm : (j <= m)%N by rewrite -ltnS.
rewrite -mulr_suml empty_places opprB mulrAC; congr (_ * _); rewrite -mulrA; congr (_ * _).
rewrite card_batches -prodf_div; apply: eq_bigr => d _.
have x0 : ((m ^_ j)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n ffact_gt0.
have C0 : 'C(m, k d)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
by apply/eqP; rewrite eqr_div // -!natrM choose_fewer mulnC.
Qed.

Section Committees.
Variables (m n : nat) (k : 'I_n.+1 -> nat).
Hypothesis km : forall d, (k d <= m)%N.
Let F (d : 'I_n.+1) := @batches m 1 (fun=> k d).
Let U (d : 'I_n.+1) (s : {ffun 'I_1 -> {set 'I_m}}) := filled s.
Let mean (f : nat -> rat) : rat := (\sum_(o in all_of F) f #|shared U o|) / #|all_of F|%:R.

(* Burns (31): the distribution of the number of places that all of n + 1 committees have, as a series F with n + 1 upper
   and n lower parameters. *)
Theorem shared_series i J : (i <= m)%N -> (m - i < J)%N ->
  (\sum_(o in all_of F) (#|shared U o| == i)%:R) / #|all_of F|%:R =
  (\prod_d 'C(k d, i)%:R) / 'C(m, i)%:R ^+ n * hypergeometric (fun d => i%:R - (k d)%:R) (fun _ : 'I_n => i%:R - m%:R) 1 J.
Proof.
move=> im iJ; rewrite committees_share_law //.
have [/forallP ik | ] := boolP [forall d, (i <= k d)%N]; last first.
  rewrite negb_forall => /existsP[d]; rewrite -ltnNge => id.
  rewrite (bigD1 d) //= (bin_small id) !mul0r /nabla big1 ?mulr0 // => j _.
  have z : 'C(m - i - j, m - k d) = 0%N by rewrite bin_small // (leq_ltn_trans (leq_subr _ _)) // ltn_sub2l // (leq_trans id).
  by rewrite (bigD1 d) //= z !mul0r !mulr0.
have -> : hypergeometric (fun d => i%:R - (k d)%:R) (fun _ : 'I_n => i%:R - m%:R) 1 J =
    hypergeometric (fun d => - (k d - i)%:R) (fun _ : 'I_n => - (m - i)%:R) 1 J.
  by apply: eq_bigr => j _; congr (_ / _ * _ / _); apply: eq_bigr => d _; rewrite natrB // opprB.
rewrite hypergeometric_terms // => [|d]; last by rewrite leq_sub2r.
have Ci : 'C(m, i)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
have -> : (\prod_d 'C(k d, i)%:R) / 'C(m, i)%:R ^+ n = 'C(m, i)%:R * \prod_d ('C(k d, i)%:R / 'C(m, i)%:R) :> rat.
  by rewrite prodf_div prodr_const card_ord exprS invfM mulrCA mulVKf.
rewrite -mulrA; congr (_ * _); rewrite /nabla mulr_sumr; apply: eq_bigr => j _.
have ji : (j <= m - i)%N by rewrite -ltnS.
have -> : \prod_d ('C(m - i - j, m - k d)%:R / 'C(m, m - k d)%:R) =
    \prod_d ('C(k d, i)%:R / 'C(m, i)%:R * (((k d - i) ^_ j)%:R / ((m - i) ^_ j)%:R)) :> rat.
  apply: eq_bigr => d _; have x0 : (((m - i) ^_ j)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n ffact_gt0.
  have C0 : 'C(m, m - k d)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0 leq_subr.
  have e : (m - i - (m - k d) = k d - i)%N by rewrite subnAC subKn.
  have both : ('C(m, k d) * 'C(k d, i) = 'C(m, i) * 'C(m - i, m - k d))%N.
    have := choose_twice i (leq_sub2r i (km d)); rewrite !subnKC // => ->; congr (_ * _)%N.
    by rewrite -[LHS]bin_sub ?leq_sub2r // -e subKn // leq_sub2l.
  rewrite mulf_div; apply/eqP; rewrite eqr_div ?mulf_neq0 // -!natrM eqr_nat; apply/eqP.
  by rewrite mulnCA choose_fewer e bin_sub // mulnA -both -mulnA mulnC.
rewrite big_split /=; set a := \prod_d _; set b := \prod_d _; set e := (-1) ^+ j; set x := 'C(_, j)%:R; identity.
Qed.

Let share_of r : (r <= m)%N -> mean (fun x => 'C(x, r)%:R) = 'C(m, r)%:R * \prod_d ((k d ^_ r)%:R / (m ^_ r)%:R).
Proof.
move=> rm; rewrite /mean (committees_share_moment km rm) -mulrA; congr (_ * _).
have r0 : (r`!%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n fact_gt0.
rewrite [RHS](eq_bigr (fun d => 'C(k d, r)%:R / 'C(m, r)%:R)) => [|d _]; last by rewrite -!bin_ffact !natrM -mulf_div divff // mulr1.
by rewrite prodf_div prodr_const card_ord.
Qed.

Let mean_power (t : rat) : mean (fun x => (1 + t) ^+ x) = \sum_(j < m.+1) mean (fun x => 'C(x, j)%:R) * t ^+ j.
Proof.
rewrite /mean (eq_bigr (fun o => \sum_(j < m.+1) 'C(#|shared U o|, j)%:R * t ^+ j)) => [|o _].
  rewrite exchange_big /= mulr_suml; apply: eq_bigr => j _; by rewrite -mulr_suml mulrAC.
by apply: binomial_sum; rewrite (leq_trans (max_card _)) ?card_ord.
Qed.

(* Burns, the proof of Theorem 11: the generating function at 1 + t of the number of places that all of n + 1 committees
   have, as a sum of the powers of t and as a series F. *)
Theorem shared_generates_powers (t : rat) J : (m < J)%N ->
  (\sum_(o in all_of F) (1 + t) ^+ #|shared U o|) / #|all_of F|%:R =
    \sum_(i < m.+1) 'C(m, i)%:R * (\prod_d ('C(k d, i)%:R / 'C(m, i)%:R)) * t ^+ i :> rat /\
  (\sum_(o in all_of F) (1 + t) ^+ #|shared U o|) / #|all_of F|%:R =
    hypergeometric (fun d => - (k d)%:R) (fun _ : 'I_n => - m%:R) (- t) J.
Proof.
move=> mJ; rewrite -/(mean (fun x => (1 + t) ^+ x)) mean_power; split; last rewrite hypergeometric_terms // opprK.
  apply: eq_bigr => i _; have im : (i <= m)%N by rewrite -ltnS.
  rewrite /mean (committees_share_moment km im) -mulrA prodf_div prodr_const card_ord; by rewrite -!mulrA.
by apply: eq_bigr => i _; rewrite share_of // -ltnS.
Qed.

(* Burns (33): the generating function of the number of places that all of n + 1 committees have. *)
Theorem shared_generates (z : rat) J : (m < J)%N ->
  (\sum_(o in all_of F) z ^+ #|shared U o|) / #|all_of F|%:R =
  hypergeometric (fun d => - (k d)%:R) (fun _ : 'I_n => - m%:R) (1 - z) J.
Proof. by move=> mJ; have [_] := shared_generates_powers (z - 1) mJ; rewrite addrC subrK opprB. Qed.

(* The operators t d/dt - a of Burns (35), on polynomials in t. *)
Definition theta_less (a : rat) (p : {poly rat}) : {poly rat} := 'X * p^`() - a *: p.

Lemma coef_theta a p r : (theta_less a p)`_r = (r%:R - a) * p`_r.
Proof.
rewrite /theta_less coefB coefZ coefXM mulrBl; congr (_ - _).
by case: r => [|r]; rewrite ?mul0r // coef_deriv mulr_natl.
Qed.

(* Burns (35), as an equation of polynomials and of their coefficients b_r, the means of C(X, r). The polynomial g is the
   generating function at 1 + t, and theta is t d/dt. *)
Theorem shared_equation :
  let b r := mean (fun x => 'C(x, r)%:R) in
  exists2 g : {poly rat}, (forall t, g.[t] = (\sum_(o in all_of F) (1 + t) ^+ #|shared U o|) / #|all_of F|%:R) /\ (forall r, g`_r = b r) &
  theta_less 0 (iter n (theta_less m.+1%:R) g) = - 'X * foldr (fun d => theta_less (k d)%:R) g (enum 'I_n.+1) /\
  forall r, r.+1%:R * (r.+1%:R - m.+1%:R) ^+ n * b r.+1 = - (\prod_d (r%:R - (k d)%:R)) * b r.
Proof.
move=> b; have above r : (m < r)%N -> b r = 0.
  move=> mr; rewrite /b /mean big1 ?mul0r // => o _; rewrite bin_small // (leq_ltn_trans (max_card _)) ?card_ord //.
have step r : r.+1%:R * (r.+1%:R - m.+1%:R) ^+ n * b r.+1 = - (\prod_d (r%:R - (k d)%:R)) * b r.
  have [rm | ] := ltnP r m; last first.
    rewrite leq_eqVlt => /orP[/eqP <- | mr]; last by rewrite !above ?mulr0 // ltnW.
    rewrite above // mulr0; have [/existsP[d /eqP kd] | ] := boolP [exists d, k d == m].
      by rewrite (bigD1 d) //= kd subrr mul0r oppr0 mul0r.
    rewrite negb_exists => /forallP/(_ ord0) km0; suff -> : b m = 0 by rewrite mulr0.
    have z : (k ord0 ^_ m = 0)%N by rewrite ffact_small // ltn_neqAle km0 km.
    by rewrite /b share_of // (bigD1 ord0) //= z !mul0r mulr0.
  have -> : b r.+1 = (m%:R - r%:R) / r.+1%:R * (\prod_d (((k d)%:R - r%:R) / (m%:R - r%:R))) * b r.
    by have [_ e] := committees_share_recursion km rm; exact: e.
  have g0 : (m%:R - r%:R : rat) != 0 by rewrite subr_eq0 eqr_nat gtn_eqF.
  have -> : r.+1%:R - m.+1%:R = - (m%:R - r%:R) :> rat by rewrite !mulrSr opprD addrACA subrr addr0 opprB.
  have -> : \prod_d (r%:R - (k d)%:R) = (-1) ^+ n.+1 * \prod_d ((k d)%:R - r%:R) :> rat.
    rewrite -[in X in (-1) ^+ X](card_ord n.+1) -prodr_const -big_split /=; by apply: eq_bigr => d _; rewrite mulN1r opprB.
  rewrite prodf_div prodr_const card_ord exprNn !exprS.
  set w := m%:R - r%:R in g0 *; set P := \prod_d _; set s := (-1) ^+ n; set W := w ^+ n.
  have W1 : W / W = 1 by rewrite divff // expf_neq0.
  have w1 : w / w = 1 by rewrite divff.
  have r1 : r.+1%:R / r.+1%:R = 1 :> rat by rewrite divff // pnatr_eq0.
  rewrite invfM; transitivity (r.+1%:R / r.+1%:R * (w / w) * (W / W) * (s * P * b r)).
    by set i1 := r.+1%:R^-1; set i2 := w^-1; set i3 := W^-1; set y := r.+1%:R; set B := b r; identity.
  by rewrite r1 w1 W1 !mul1r; set B := b r; identity.
exists (\poly_(r < m.+1) b r); first split=> [t | r].
- by rewrite horner_poly -/(mean (fun x => (1 + t) ^+ x)) mean_power.
- by rewrite coef_poly; case: ltnP => // mr; rewrite above.
split=> //; apply/polyP => r.
have coef_g e : (\poly_(r < m.+1) b r)`_e = b e by rewrite coef_poly; case: ltnP => // mr; rewrite above.
have iterE e p a : (iter e (theta_less a) p)`_r = (r%:R - a) ^+ e * p`_r.
  by elim: e => [|e IH]; rewrite ?mul1r //= coef_theta IH mulrA -exprS.
have foldE e p s : (foldr (fun d : 'I_n.+1 => theta_less (k d)%:R) p s)`_e = (\prod_(d <- s) (e%:R - (k d)%:R)) * p`_e.
  by elim: s => [|d s IH]; rewrite ?big_nil ?mul1r //= coef_theta IH mulrA big_cons.
rewrite coef_theta iterE subr0 coef_g mulNr coefN coefXM; case: r {iterE} => [|r]; first by rewrite mul0r oppr0.
by rewrite /= foldE coef_g mulrA step big_enum mulNr.
Qed.
End Committees.
