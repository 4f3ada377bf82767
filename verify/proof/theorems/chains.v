(* Chains with finitely many states: what messages bring in the long run, and models with red and black steps. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Linear equations over a finite set. *)
Section Equations.
Variables (T : finType) (a : T -> T -> rat).

Let A : 'M_#|T| := \matrix_(i, j) a (enum_val i) (enum_val j).

(* Either some function that is not 0 solves the equations with the right side 0, or every right side has a solution. *)
Lemma alternative : (exists2 h : T -> rat, exists s, h s != 0 & forall s, \sum_t a s t * h t = 0) \/
  forall v : T -> rat, exists g : T -> rat, forall s, \sum_t a s t * g t = v s.
Proof.
have all (f : T -> rat) : \sum_t f t = \sum_(l < #|T|) f (enum_val l).
  by rewrite (reindex_onto enum_val enum_rank) /= => [|t _]; [apply: eq_bigl => l; rewrite enum_valK eqxx | exact: enum_rankK].
have [/eqP | ] := eqVneq (kermx A^T) 0; last first.
  case/rowV0Pn => u /sub_kermxP uA u0; left; exists (fun t => u 0 (enum_rank t)) => [|s].
    by have /matrix0Pn[i [j]] := u0; rewrite [i]ord1 => uj; exists (enum_val j); rewrite enum_valK.
  have /rowP/(_ (enum_rank s)) := uA; rewrite !mxE => e; rewrite -[RHS]e.
  by rewrite (all (fun t => a s t * u 0 (enum_rank t))); apply: eq_bigr => l _; rewrite [A^T _ _]mxE [A _ _]mxE enum_rankK enum_valK mulrC.
rewrite kermx_eq0 row_free_unit unitmx_tr => unit; right=> v.
pose V : 'cV_#|T| := \col_i v (enum_val i); pose G := invmx A *m V.
exists (fun t => G (enum_rank t) 0) => s.
have /colP/(_ (enum_rank s)) : A *m G = V by rewrite mulmxA mulmxV // mul1mx.
rewrite mxE [in RHS]mxE enum_rankK => <-.
by rewrite (all (fun t => a s t * G (enum_rank t) 0)); apply: eq_bigr => l _; rewrite [A _ _]mxE enum_rankK enum_valK.
Qed.

Lemma solvable (v : T -> rat) : (forall h : T -> rat, (forall s, \sum_t a s t * h t = 0) -> forall s, h s = 0) ->
  exists g : T -> rat, forall s, \sum_t a s t * g t = v s.
Proof.
by move=> kernel; have [[h [s /eqP hs] h0] | all] := alternative; [case: hs; exact: kernel | exact: all].
Qed.
End Equations.

Section Chain.
Variables (T E : finType) (w : E -> rat) (next : T -> E -> T).
Implicit Types (s t z : T) (e : E) (f pi : T -> rat) (r : T -> E -> rat).
Hypotheses (w0 : forall e, 0 <= w e) (w1 : \sum_e w e = 1).

(* The mean over a message, where w e is the probability of the message e; and the probability of a step. *)
Definition mean (f : E -> rat) : rat := \sum_e w e * f e.
Definition step s t : rat := mean (fun e => (next s e == t)%:R).
Definition leads : rel T := fun s t => 0 < step s t.

(* The distributions that steps preserve. *)
Definition preserved pi : Prop := [/\ forall t, 0 <= pi t, \sum_t pi t = 1 & forall t, \sum_s pi s * step s t = pi t].

(* The mean sum of what n messages bring after the state s: a message e brings r t e to the state t that it finds. *)
Fixpoint total r n s : rat := if n is n'.+1 then mean (fun e => r s e + total r n' (next s e)) else 0.

Lemma mean_add (f g : E -> rat) : mean (fun e => f e + g e) = mean f + mean g.
Proof. by rewrite /mean -big_split; apply: eq_bigr => e _; rewrite mulrDr. Qed.

Lemma mean_const (c : rat) : mean (fun=> c) = c.
Proof. by rewrite /mean -mulr_suml w1 mul1r. Qed.

Lemma mean_scale (c : rat) (f : E -> rat) : mean (fun e => c * f e) = c * mean f.
Proof. by rewrite /mean mulr_sumr; apply: eq_bigr => e _; rewrite mulrCA. Qed.

Lemma eq_mean (f g : E -> rat) : f =1 g -> mean f = mean g.
Proof. by move=> fg; apply: eq_bigr => e _; rewrite fg. Qed.

Lemma mean_le (f g : E -> rat) : (forall e, f e <= g e) -> mean f <= mean g.
Proof. by move=> fg; apply: ler_sum => e _; rewrite ler_wpmul2l. Qed.

Lemma mean_norm (f : E -> rat) : `|mean f| <= mean (fun e => `|f e|).
Proof. by apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => e _; rewrite normrM ger0_norm. Qed.

Lemma step_ge0 s t : 0 <= step s t.
Proof. by rewrite sumr_ge0 // => e _; rewrite mulr_ge0 ?ler0n. Qed.

Lemma mean_next f s : mean (fun e => f (next s e)) = \sum_t step s t * f t.
Proof.
rewrite /step /mean; under [RHS]eq_bigr => t _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => e _; rewrite (bigD1 (next s e)) //= eqxx mulr1 big1 ?addr0 // => t ne.
by rewrite eq_sym (negbTE ne) mulr0 mul0r.
Qed.

Lemma steps1 s : \sum_t step s t = 1.
Proof. by have := mean_next (fun=> 1) s; rewrite mean_const => ->; apply: eq_bigr => t _; rewrite mulr1. Qed.

Lemma some_step s : exists t, leads s t.
Proof.
have /existsP[t lt] : [exists t, leads s t]; last by exists t.
apply: contraT; rewrite negb_exists => /forallP none; have := steps1 s; rewrite big1 => [/eqP|t _]; first by rewrite eq_sym oner_eq0.
by apply/eqP; have := none t; rewrite /leads lt_neqAle step_ge0 andbT negbK eq_sym.
Qed.

Lemma pushed f pi : (forall t, \sum_s pi s * step s t = pi t) -> \sum_s pi s * mean (fun e => f (next s e)) = \sum_t pi t * f t.
Proof.
move=> st; under eq_bigr => s _ do rewrite mean_next mulr_sumr.
by rewrite exchange_big; apply: eq_bigr => t _; rewrite -st mulr_suml; apply: eq_bigr => s _; rewrite mulrA.
Qed.

(* Some distribution is preserved. *)
Theorem chain_preserves (s0 : T) : exists pi, preserved pi.
Proof.
have [[h [s hs] h0] | all] := @alternative T (fun s t => step t s - (s == t)%:R); last first.
  have [g eqg] := all (fun s => (s == s0)%:R); have : \sum_s \sum_t (step t s - (s == t)%:R) * g t = 1.
    by rewrite (eq_bigr _ (fun s _ => eqg s)) (bigD1 s0) //= eqxx big1 ?addr0 // => s /negbTE ->.
  rewrite exchange_big big1 => [/eqP|t _]; first by rewrite eq_sym oner_eq0.
  rewrite -mulr_suml sumrB steps1 (bigD1 t) //= eqxx big1 ?addr0 ?subrr ?mul0r // => u /negbTE ->; exact: erefl.
have keep t : \sum_s step s t * h s = h t.
  have /eqP := h0 t; under eq_bigr => u _ do rewrite mulrBl; rewrite sumrB subr_eq0 => /eqP ->.
  by rewrite (bigD1 t) //= eqxx mul1r big1 ?addr0 // => u; rewrite eq_sym => /negbTE ->; rewrite mul0r.
have more t : `|h t| <= \sum_s `|h s| * step s t.
  by rewrite -{1}keep (le_trans (ler_norm_sum _ _ _)) //; apply: ler_sum => u _; rewrite normrM ger0_norm ?step_ge0 // mulrC.
have same t : \sum_s `|h s| * step s t = `|h t|.
  have : \sum_t (\sum_s `|h s| * step s t - `|h t|) = 0.
    rewrite sumrB exchange_big /=; under eq_bigr => u _ do rewrite -mulr_sumr steps1 mulr1; by rewrite subrr.
  move=> /eqP; rewrite psumr_eq0 => [/allP/(_ t)|u _]; last by rewrite subr_ge0.
  by rewrite mem_index_enum => /(_ isT) /=; rewrite subr_eq0 => /eqP.
pose S := \sum_s `|h s|; have S0 : 0 < S.
  by rewrite /S (bigD1 s) //= ltr_spaddl ?normr_gt0 // sumr_ge0.
exists (fun t => `|h t| / S); split=> [t||t]; first by rewrite divr_ge0 // ltW.
  by rewrite -mulr_suml divff // gt_eqF.
by rewrite -same mulr_suml; apply: eq_bigr => u _; rewrite mulrAC.
Qed.

Variable z : T.
Hypothesis reach : forall s, connect leads s z.

(* A function that each state takes from the states other than z to which it leads is 0. *)
Lemma only_zero f : (forall s, f s = \sum_(t | t != z) step s t * f t) -> forall s, f s = 0.
Proof.
move=> eqf; pose most := [arg max_(s > z) `|f s|]%O.
have top s : `|f s| <= `|f most| by rewrite /most; case: arg_maxP => // i _ /(_ s); exact.
have [n0 s | pos] := eqVneq (`|f most|) 0; first by apply/eqP; rewrite -normr_le0 -n0.
have M0 : 0 < `|f most| by rewrite lt_neqAle eq_sym pos normr_ge0.
have keep s t : `|f s| = `|f most| -> leads s t -> t != z /\ `|f t| = `|f most|.
  move=> fs st; have : \sum_t step s t * `|f most| <= \sum_(t | t != z) step s t * `|f t|.
    rewrite -mulr_suml steps1 mul1r -fs {1}eqf (le_trans (ler_norm_sum _ _ _)) //.
    by apply: ler_sum => u _; rewrite normrM ger0_norm ?step_ge0.
  rewrite [X in _ <= X]big_mkcond /= => le.
  have each u : (if u != z then step s u * `|f u| else 0) <= step s u * `|f most|.
    by case: ifP => _; rewrite ?ler_wpmul2l ?step_ge0 // mulr_ge0 ?step_ge0 ?normr_ge0.
  have {}le : step s t * `|f most| <= (if t != z then step s t * `|f t| else 0).
    move: le; rewrite (bigD1 t) //= [X in _ <= X](bigD1 t) //= => le.
    rewrite -(ler_add2r (\sum_(u | u != t) step s u * `|f most|)); apply: le_trans le _.
    by rewrite ler_add2l; apply: ler_sum => u _; exact: each.
  have pt : 0 < step s t := st.
  case: (t =P z) le => [_ | _] /= le; first by move: le; rewrite leNgt mulr_gt0.
  by split=> //; apply/eqP; rewrite eq_le top -(ler_pmul2l pt).
have walk p s : path leads s p -> `|f s| = `|f most| -> last s p = z -> p = [::].
  elim: p s => //= t p IH s /andP[st pt] fs lz; have [tz ft] := keep s t fs st.
  by have p0 := IH t pt ft lz; move: lz tz; rewrite p0 /= => ->; rewrite eqxx.
have mz : most = z by have /connectP[p pp lp] := reach most; have p0 := walk p most pp erefl (esym lp); rewrite p0 in lp.
have [t zt] := some_step most; have [tz ft] := keep most t erefl zt.
have /connectP[p pp lp] := reach t; have p0 := walk p t pp ft (esym lp).
by rewrite p0 /= in lp; rewrite -lp eqxx in tz.
Qed.

Lemma weight_gt0 pi : preserved pi -> 0 < pi z.
Proof.
move=> [p0 p1 st]; rewrite lt_neqAle p0 andbT eq_sym; apply: contraT; rewrite negbK => /eqP pz.
have back s t : leads s t -> pi t = 0 -> pi s = 0.
  move=> lt pt; have := st t; rewrite pt => /eqP; rewrite psumr_eq0 => [/allP/(_ s)|u _]; last by rewrite mulr_ge0 ?step_ge0.
  by rewrite mem_index_enum => /(_ isT) /=; rewrite mulf_eq0 (gt_eqF lt) orbF => /eqP.
have all0 s : pi s = 0.
  have /connectP[p pp lp] := reach s; elim: p s pp lp => /= [s _ <- // | t p IH s /andP[lt pt] lp].
  by apply: back lt _; exact: IH.
by move: p1; rewrite big1 // => /eqP; rewrite eq_sym oner_eq0.
Qed.

Lemma potential r pi : preserved pi -> exists g : T -> rat, forall s,
  g s + \sum_t pi t * mean (r t) = mean (fun e => r s e + g (next s e)).
Proof.
move=> pp; have [p0 p1 st] := pp; set c := \sum_t _.
pose a s t : rat := (s == t)%:R - (if t != z then step s t else 0).
have sumE (h : T -> rat) s : \sum_t a s t * h t = h s - \sum_(t | t != z) step s t * h t.
  under eq_bigr => t _ do rewrite mulrBl; rewrite sumrB; congr (_ - _).
    by rewrite (bigD1 s) //= eqxx mul1r big1 ?addr0 // => t; rewrite eq_sym => /negbTE ->; rewrite mul0r.
  by rewrite [RHS]big_mkcond; apply: eq_bigr => t _; case: ifP; rewrite ?mul0r.
have [h h0 | g eqg] := @solvable T a (fun s => mean (r s) - c).
  by apply: only_zero => s; apply/eqP; rewrite -subr_eq0 -sumE h0.
have whole s : g s - mean (fun e => g (next s e)) + step s z * g z = mean (r s) - c.
  by rewrite -eqg sumE mean_next (bigD1 z) //= opprD addrA addrAC subrK.
have gz : g z = 0.
  have : \sum_s pi s * (g s - mean (fun e => g (next s e)) + step s z * g z) = 0.
    rewrite (eq_bigr _ (fun s _ => congr1 (fun x => pi s * x) (whole s))).
    under eq_bigr => s _ do rewrite mulrBr; by rewrite sumrB -mulr_suml p1 mul1r subrr.
  under eq_bigr => s _ do rewrite mulrDr mulrBr mulrA.
  rewrite big_split sumrB /= (pushed g st) subrr add0r -mulr_suml st => /eqP.
  by rewrite mulf_eq0 (gt_eqF (weight_gt0 pp)) => /eqP.
exists g => s; rewrite mean_add; have := whole s; rewrite gz mulr0 addr0 => /eqP.
by rewrite subr_eq => /eqP ->; rewrite addrAC subrK.
Qed.

(* All preserved distributions have the same means. *)
Lemma same_mean r pi pi' : preserved pi -> preserved pi' -> \sum_t pi' t * mean (r t) = \sum_t pi t * mean (r t).
Proof.
move=> pp [_ p1 st]; have [g eqg] := potential r pp; set c := \sum_t pi t * _ in eqg *.
have : \sum_s pi' s * (g s + c) = \sum_s pi' s * mean (r s) + \sum_s pi' s * mean (fun e => g (next s e)).
  by rewrite -big_split; apply: eq_bigr => s _; rewrite eqg mean_add mulrDr.
rewrite (pushed g st); under eq_bigr => s _ do rewrite mulrDr.
by rewrite big_split /= -mulr_suml p1 mul1r addrC => /addIr ->.
Qed.

(* In the long run: let a distribution be preserved, and let some state be reachable from all states. Then the mean sum
   of what n messages bring differs by at most a constant from n times the mean of what one message brings to a
   state that has this distribution. *)
Theorem chain_long_run r pi : preserved pi -> exists C : rat, forall n s, `|total r n s - n%:R * \sum_t pi t * mean (r t)| <= C.
Proof.
move=> pp; have [g eqg] := potential r pp; set c := \sum_t _ in eqg *.
pose most := \sum_t `|g t|; have small t : `|g t| <= most by rewrite /most (bigD1 t) //= ler_addl sumr_ge0.
have repay n : exists h : T -> rat, (forall s, `|h s| <= most) /\ forall s, total r n s = n%:R * c + g s - h s.
  elim: n => [|n [h [hs eqh]]]; first by exists g; split=> // s; rewrite mul0r add0r subrr.
  exists (fun s => mean (fun e => h (next s e))); split=> s.
    by apply: le_trans (mean_norm _) _; rewrite -[most](mean_const); apply: mean_le => e; exact: hs.
  rewrite /= (eq_mean (g := fun e => (r s e + g (next s e)) + (n%:R * c + -1 * h (next s e)))) => [|e]; last first.
    by rewrite eqh mulN1r [RHS]addrACA -!addrA.
  rewrite mean_add -eqg mean_add mean_const mean_scale mulN1r -[n.+1]addn1 natrD mulrDl mul1r.
  by rewrite addrA; congr (_ + _); rewrite addrC [g s + c]addrC addrA.
exists (most + most) => n s; have [h [hs ->]] := repay n.
by rewrite -addrA addrC addKr (le_trans (ler_norm_sub _ _)) // ler_add.
Qed.
End Chain.

(* The red-black models of Dozier-FN, appendix A. When the state i is left, the next state is j with the probability
   p i j. The bias z i is 0 in Theorem 3. *)
Section RedBlack.
Variables (I : finType) (p : I -> I -> rat) (y z : I -> rat).
Implicit Types (i j : I) (x pi : I -> rat).
Hypotheses (p_ge0 : forall i j, 0 <= p i j) (p_self : forall i, p i i = 0) (p_sum : forall i, \sum_j p i j = 1).
Hypotheses (y01 : forall i, 0 <= y i <= 1) (z01 : forall i, 0 <= z i <= 1).

Definition stays x i : rat := (1 - x i) * y i.
Definition red_step x i j : rat := p i j * (x i * y i * (1 - z i)).
Definition black_step x i j : rat := p i j * (1 - y i + x i * y i * z i).
Definition goes x i j : rat := (i == j)%:R * stays x i + red_step x i j + black_step x i j.
Definition irreducible x : Prop := forall i j, connect (fun i j => 0 < goes x i j) i j.
Definition steady x pi : Prop := [/\ forall i, 0 <= pi i, \sum_i pi i = 1 & forall j, \sum_i pi i * goes x i j = pi j].

(* R: how often the steps are red. *)
Definition red x pi : rat := \sum_i pi i * \sum_j red_step x i j.

Let left x i : rat := 1 - stays x i.

Lemma goesE x i j : goes x i j = (i == j)%:R * stays x i + p i j * left x i.
Proof.
rewrite /goes -addrA -mulrDr /left /stays; congr (_ + _ * _).
by rewrite mulrBr mulr1 addrC addrACA subrr addr0 mulrBl mul1r opprB addrA addrAC.
Qed.

Lemma left_gt0 x i : (forall i, 0 <= x i <= 1) -> irreducible x -> 0 < left x i.
Proof.
move=> x01 irr; have /andP[x0 x1] := x01 i; have /andP[y0 y1] := y01 i.
have l0 : 0 <= left x i by rewrite subr_ge0 mulr_ile1 ?subr_ge0 // ler_subl_addr ler_addl.
rewrite lt_neqAle l0 andbT eq_sym; apply: contraT; rewrite negbK => /eqP none.
have [j ij] : exists j, i != j.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP same; have := p_sum i.
  rewrite big1 => [/eqP|j _]; first by rewrite eq_sym oner_eq0.
  by have := same j; rewrite negbK => /eqP <-.
have /connectP[w] := irr i j; elim: w => [|k w IH] /=; first by move=> _ e; rewrite e eqxx in ij.
move=> /andP[]; rewrite goesE none mulr0 addr0; case: (i =P k) => [<- _ | _]; first exact: IH.
by rewrite mul0r ltxx.
Qed.

Lemma only_one_flow (mu nu : I -> rat) : (forall i j, connect (fun i j => 0 < p i j) i j) ->
  (forall i, 0 <= mu i) -> (forall i, 0 <= nu i) -> (forall j, \sum_i mu i * p i j = mu j) -> (forall j, \sum_i nu i * p i j = nu j) ->
  (exists i, 0 < nu i) -> exists2 c, 0 <= c & forall i, mu i = c * nu i.
Proof.
move=> irr m0 n0 em en [i0 ni0].
have back (d : I -> rat) i j : (forall i, 0 <= d i) -> (forall j, \sum_i d i * p i j = d j) -> d j = 0 -> d i = 0.
  move=> d0 ed dj; have /connectP[w] := irr i j; elim: w i => [|k w IH] i /=; first by move=> _ e; rewrite -e.
  move=> /andP[ik wk lw]; have dk := IH k wk lw; have := ed k; rewrite dk => /eqP.
  rewrite psumr_eq0 => [/allP/(_ i)|u _]; last by rewrite mulr_ge0.
  by rewrite mem_index_enum => /(_ isT) /=; rewrite mulf_eq0 (gt_eqF ik) orbF => /eqP.
have npos i : 0 < nu i.
  by rewrite lt_neqAle n0 andbT eq_sym; apply: contraT; rewrite negbK => /eqP ni; move: ni0; rewrite (back nu i0 i) ?ltxx.
pose low := [arg min_(i < i0) (mu i / nu i)]%O; pose c := mu low / nu low.
have least i : c <= mu i / nu i by rewrite /c /low; case: arg_minP => // l _ /(_ i); exact.
exists c => [|i]; first by rewrite divr_ge0.
have zero : mu i - c * nu i = 0.
  apply: (back (fun i => mu i - c * nu i) i low) => [l|l|].
  - by rewrite subr_ge0 -ler_pdivl_mulr.
  - under eq_bigr => u _ do rewrite mulrBl -mulrA; by rewrite sumrB em -mulr_sumr en.
  - by rewrite divfK ?subrr // gt_eqF.
by apply/eqP; rewrite -subr_eq0 zero.
Qed.

(* Dozier-FN, Theorem 3 of appendix A, which has no bias, so z i = 0, and Corollary 1: of two irreducible red-black models
   that are identical except for x, the model with the larger x i takes red steps at least as often. *)
Theorem red_rises x x' pi pi' : (forall i, 0 <= x' i) -> (forall i, x' i <= x i) -> (forall i, x i <= 1) ->
  irreducible x -> irreducible x' -> steady x pi -> steady x' pi' -> red x' pi' <= red x pi.
Proof.
move=> x'0 x'x x1 irr irr' [pi0 pi1 st] [pi'0 pi'1 st'].
have x01 i : 0 <= x i <= 1 by rewrite (le_trans (x'0 i)) //= x1.
have x'01 i : 0 <= x' i <= 1 by rewrite x'0 (le_trans (x'x i)).
have l0 i := left_gt0 i x01 irr; have l'0 i := left_gt0 i x'01 irr'.
have flow u rho : (forall j, \sum_i rho i * goes u i j = rho j) -> forall j, \sum_i rho i * left u i * p i j = rho j * left u j.
  move=> e j; have := e j; under eq_bigr => i _ do rewrite goesE mulrDr; rewrite big_split /= (bigD1 j) //= eqxx mul1r.
  rewrite big1 ?addr0 => [|i /negbTE ->]; last by rewrite mul0r mulr0.
  move=> /(canRL (addKr _)) h; under eq_bigr => i _ do rewrite -mulrA [left _ _ * _]mulrC.
  by rewrite h /left mulrBr mulr1 addrC.
pose nu i := pi' i * left x' i; pose mu i := pi i * left x i.
have irrp i j : connect (fun i j => 0 < p i j) i j.
  apply: connect_sub (irr i j) => {}i {}j; rewrite goesE; case: (i =P j) => [-> _ | _]; first exact: connect0.
  by rewrite mul0r add0r pmulr_lgt0 // => lt; apply: connect1.
have [i ni] : exists i, 0 < nu i.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP none; move: pi'1; rewrite big1 => [/eqP|i _]; first by rewrite eq_sym oner_eq0.
  apply/eqP; have := none i; rewrite /nu pmulr_lgt0 // lt_neqAle pi'0 andbT negbK eq_sym; exact.
have [| | | | |c c0 muE] := @only_one_flow mu nu irrp; rewrite /mu /nu.
- by move=> j; rewrite mulr_ge0 // ltW.
- by move=> j; rewrite mulr_ge0 // ltW.
- exact: flow st.
- exact: flow st'.
- by exists i.
have {muE} muE j : pi j * left x j = c * nu j := muE j.
pose r u i := u i * y i * (1 - z i) / left u i.
have redE u rho : (forall i, 0 < left u i) -> red u rho = \sum_i rho i * left u i * r u i.
  move=> lu; apply: eq_bigr => j _; rewrite /red_step -mulr_suml p_sum mul1r -[RHS]mulrA; congr (_ * _).
  by rewrite /r mulrCA mulfV ?mulr1 // gt_eqF.
have total u rho : (forall i, 0 < left u i) -> \sum_i rho i = \sum_i rho i * left u i / left u i.
  by move=> lu; apply: eq_bigr => j _; rewrite mulfK // gt_eqF.
have nu0 j : 0 <= nu j by rewrite mulr_ge0 // ltW.
have ll j : left x' j <= left x j.
  by have /andP[y0 _] := y01 j; rewrite /left ler_add2l ler_opp2 ler_wpmul2r // ler_add2l ler_opp2.
have rr j : r x' j <= r x j.
  have /andP[y0 y1] := y01 j; have /andP[_ z1] := z01 j.
  rewrite /r ler_pdivr_mulr // [X in _ <= X]mulrAC ler_pdivl_mulr // mulrAC [X in _ <= X]mulrAC ler_wpmul2r ?subr_ge0 //.
  rewrite mulrAC [X in _ <= X]mulrAC ler_wpmul2r //.
  have e (a b : rat) : a * (1 - (1 - b) * y j) = a * (1 - y j) + a * b * y j.
    by rewrite mulrBl mul1r opprB [X in a * X](_ : _ = (1 - y j) + b * y j) ?mulrDr ?mulrA // addrA addrAC.
  by rewrite /left /stays !e [x j * x' j]mulrC ler_add2r ler_wpmul2r ?subr_ge0.
have c1 : 1 <= c.
  have e : c * (\sum_i nu i / left x i) = 1.
    by rewrite mulr_sumr -[RHS]pi1 [RHS](total x) //; apply: eq_bigr => j _; rewrite muE; exact: mulrA.
  rewrite -e -[leRHS]mulr1 ler_wpmul2l // -pi'1 [leRHS](total x') //; apply: ler_sum => j _.
  by rewrite -/(nu j) ler_wpmul2l // lef_pinv ?posrE.
have r0 j : 0 <= r x j.
  have /andP[y0 _] := y01 j; have /andP[_ z1] := z01 j; have /andP[x0 _] := x01 j.
  by apply: divr_ge0; rewrite ?(ltW (l0 j)) // !mulr_ge0 // subr_ge0.
rewrite !redE //; apply: (@le_trans _ _ (\sum_i nu i * r x i)); apply: ler_sum => j _; first by apply: (ler_wpmul2l (nu0 j)).
by rewrite muE; apply: (ler_wpmul2r (r0 j)); apply: ler_pemull c1; exact: nu0.
Qed.
End RedBlack.
