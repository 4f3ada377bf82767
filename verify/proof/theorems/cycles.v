(* Cycles of a chain: some messages end a cycle. The means over a cycle, and the means in the long run. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import chains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The sequence f has the limit c. *)
Definition converges (f : nat -> rat) (c : rat) : Prop :=
  forall d, 0 < d -> exists n0, forall n, (n0 <= n)%N -> `|f n - c| < d.

Lemma powers_vanish (a c d : rat) : 0 <= a < 1 -> 0 < d -> exists n, c * a ^+ n < d.
Proof.
move=> /andP[a0 a1] d0; have [c0 | c0] := lerP c 0.
  by exists 0%N; rewrite expr0 mulr1 (le_lt_trans c0).
have [-> | an] := eqVneq a 0; first by exists 1%N; rewrite expr1 mulr0.
have {an} a0 : 0 < a by rewrite lt_neqAle eq_sym an.
pose b := a^-1 - 1; have b0 : 0 < b by rewrite subr_gt0 invf_gt1.
exists (Num.bound (c / d / b)); set n := Num.bound _.
have le : n%:R * b <= a^-1 ^+ n.
  elim: n => [|n IH]; first by rewrite mul0r.
  have one : 1 <= a^-1 ^+ n by rewrite exprn_ege1 // invf_ge1 // ltW.
  apply: (@le_trans _ _ (b * a^-1 ^+ n + a^-1 ^+ n)); last by rewrite exprS {3}(_ : a^-1 = b + 1) ?mulrDl ?mul1r // subrK.
  by rewrite -[n.+1]add1n natrD mulrDl mul1r ler_add // ler_pemulr // ltW.
have lt : c / d < a^-1 ^+ n.
  apply: lt_le_trans le; rewrite -ltr_pdivr_mulr //; apply: archi_boundP.
  by apply: divr_ge0; [apply: divr_ge0|]; exact: ltW.
by move: lt; rewrite ltr_pdivr_mulr // exprVn mulrC ltr_pdivl_mulr ?exprn_gt0.
Qed.

Section Cycles.
Variables (T E : finType) (w : E -> rat) (next : T -> E -> T) (ends : T -> E -> bool).
Implicit Types (s t : T) (e : E) (nu pi : T -> rat) (r : T -> E -> rat).
Hypotheses (w0 : forall e, 0 <= w e) (w1 : \sum_e w e = 1).

(* The probability that a message ends the cycle; that it leads from s to t within a cycle; that it ends a cycle at s and
   begins one at t. *)
Definition ending s : rat := mean w (fun e => (ends s e)%:R).
Definition within s t : rat := mean w (fun e => (~~ ends s e && (next s e == t))%:R).
Definition renews s t : rat := mean w (fun e => (ends s e && (next s e == t))%:R).

(* A cycle begins in the state s with the probability nu s. The probability that it lasts beyond j arrivals, and that
   the arrival after these finds the state t. *)
Fixpoint finds nu j t : rat := if j is j'.+1 then \sum_s finds nu j' s * within s t else nu t.

(* The mean of what those of n arrivals bring that come in the cycle, after the state s; and the probability that none of
   n arrivals ends the cycle. *)
Fixpoint cycle r n s : rat := if n is n'.+1 then mean w (fun e => r s e + (~~ ends s e)%:R * cycle r n' (next s e)) else 0.
Fixpoint lasts n s : rat := if n is n'.+1 then mean w (fun e => (~~ ends s e)%:R * lasts n' (next s e)) else 1.

(* How often messages end a cycle, and where cycles begin, if the states have the distribution pi. *)
Definition often pi : rat := \sum_s pi s * ending s.
Definition begins pi t : rat := (\sum_s pi s * renews s t) / often pi.

Lemma mean_ge0 (f : E -> rat) : (forall e, 0 <= f e) -> 0 <= mean w f.
Proof. by move=> f0; apply: sumr_ge0 => e _; rewrite mulr_ge0. Qed.

Lemma mean_within s (h : T -> rat) : mean w (fun e => (~~ ends s e)%:R * h (next s e)) = \sum_t within s t * h t.
Proof.
rewrite /within /mean; under [RHS]eq_bigr => t _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => e _; rewrite (bigD1 (next s e)) //= eqxx andbT mulrA big1 ?addr0 // => t ne.
by rewrite eq_sym (negbTE ne) andbF mulr0 mul0r.
Qed.

Lemma within_ge0 s t : 0 <= within s t.
Proof. by apply: mean_ge0 => e; rewrite ler0n. Qed.

Lemma stepE s t : step w next s t = within s t + renews s t.
Proof.
rewrite /step /within /renews -mean_add; apply: eq_mean => e.
by case: (ends s e); case: (_ == _); rewrite ?addr0 ?add0r.
Qed.

Lemma finds_ge0 nu j t : (forall t, 0 <= nu t) -> 0 <= finds nu j t.
Proof. by move=> n0; elim: j t => //= j IH t; apply: sumr_ge0 => s _; rewrite mulr_ge0 ?within_ge0. Qed.

Lemma finds_later nu j t : finds nu j.+1 t = finds (finds nu 1) j t.
Proof. by elim: j t => //= j IH t; apply: eq_bigr => s _; rewrite -IH. Qed.

Lemma finds_lasts nu n : \sum_t finds nu n t = \sum_s nu s * lasts n s.
Proof.
elim: n nu => [|n IH] nu; first by apply: eq_bigr => s _; rewrite mulr1.
rewrite (eq_bigr _ (fun t _ => finds_later nu n t)) IH /=; under eq_bigr => s _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => s _; rewrite mean_within mulr_sumr.
by apply: eq_bigr => t _; rewrite mulrA.
Qed.

Lemma cycle_finds nu r n : \sum_s nu s * cycle r n s = \sum_(j < n) \sum_t finds nu j t * mean w (r t).
Proof.
elim: n nu => [|n IH] nu; first by rewrite big_ord0 big1 // => s _; rewrite mulr0.
rewrite big_ord_recl /=; under eq_bigr => s _ do rewrite mean_add mulrDr.
rewrite big_split; congr (_ + _); under eq_bigr => s _ do rewrite mean_within mulr_sumr.
rewrite exchange_big /=; under eq_bigr => t _ do under eq_bigr => s _ do rewrite mulrA.
under eq_bigr => t _ do rewrite -mulr_suml.
rewrite (IH (fun t => \sum_s nu s * within s t)); apply: eq_bigr => j _; apply: eq_bigr => t _.
by rewrite -[fun t => _]/(finds nu 1) -finds_later.
Qed.

Lemma lasts01 n s : 0 <= lasts n s <= 1.
Proof.
elim: n s => [|n IH] s /=; first by [].
apply/andP; split; first by apply: mean_ge0 => e; have /andP[l0 _] := IH (next s e); rewrite mulr_ge0 ?ler0n.
rewrite -[leRHS](mean_const w1); apply: (mean_le w0) => e; have /andP[l0 l1] := IH (next s e).
by case: (ends s e); rewrite ?mul0r ?mul1r ?ler01.
Qed.

Lemma lasts_falls n m s : lasts (n + m) s <= lasts n s.
Proof.
elim: n s => [|n IH] s; first by have /andP[] := lasts01 m s.
by apply: (mean_le w0) => e; rewrite ler_wpmul2l ?ler0n.
Qed.

Lemma lasts_add b m n s : (forall t, lasts n t <= b) -> lasts (m + n) s <= lasts m s * b.
Proof.
move=> le; elim: m s => [|m IH] s; first by rewrite mul1r add0n le.
rewrite /= mulrC -(mean_scale w); apply: (mean_le w0) => e; rewrite mulrCA ler_wpmul2l ?ler0n //.
by rewrite mulrC IH.
Qed.

(* A message that ends the cycle, or after which the cycle can end. *)
Lemma lasts_step s e n : 0 < w e -> ends s e \/ lasts n (next s e) < 1 -> lasts n.+1 s < 1.
Proof.
move=> we sooner; rewrite -[ltRHS](mean_const w1) /= /mean (bigD1 e) //= [ltRHS](bigD1 e) //=; apply: ltr_le_add.
  rewrite ltr_pmul2l //; case: sooner => [-> | lt]; rewrite ?mul0r ?ltr01 //.
  by case: (ends s e); rewrite ?mul0r ?mul1r ?ltr01.
apply: ler_sum => d _; rewrite ler_wpmul2l //; have /andP[_ l1] := lasts01 n (next s d).
by case: (ends s d); rewrite ?mul0r ?mul1r ?ler01.
Qed.

Lemma leads_to s e : 0 < w e -> leads w next s (next s e).
Proof.
move=> we; rewrite /leads /step /mean (bigD1 e) //= eqxx mulr1 ltr_spaddl // sumr_ge0 // => d _.
by rewrite mulr_ge0 ?ler0n.
Qed.

Hypothesis ends_once : forall s, exists n, lasts n s < 1.

Lemma lasts_fast (s0 : T) : exists N (a : rat), 0 <= a < 1 /\ forall n s, lasts (N * n) s <= a ^+ n.
Proof.
have [f lt] := fin_all_exists ends_once.
pose N := (\max_s f s)%N; pose most := [arg max_(s > s0) lasts N s]%O.
have top s : lasts N s <= lasts N most by rewrite /most; case: arg_maxP => // i _ /(_ s); exact.
have lt1 : lasts N most < 1.
  apply: le_lt_trans (lt most); rewrite -(subnKC (leq_bigmax most : (f most <= N)%N)); exact: lasts_falls.
have /andP[l0 _] := lasts01 N most.
exists N, (lasts N most); split=> [|n s]; first by rewrite l0.
elim: n s => [|n IH] s; first by rewrite muln0.
rewrite mulnS exprS; apply: le_trans (lasts_add _ _ IH) _.
by rewrite ler_wpmul2r // exprn_ge0.
Qed.

(* The mean number of arrivals of a cycle has a bound. *)
Lemma cycle_bounded (s0 : T) : exists K : rat, forall n s, cycle (fun _ _ => 1) n s <= K.
Proof.
have [N [a [/andP[a0 a1] fast]]] := lasts_fast s0; have {}fast s : lasts N s <= a by have := fast 1%N s; rewrite muln1 expr1.
have b0 : 0 < 1 - a by rewrite subr_gt0.
have add b m n s : 0 <= b -> (forall t, cycle (fun _ _ => 1) n t <= b) -> cycle (fun _ _ => 1) (m + n) s <= m%:R + lasts m s * b.
  move=> b00 le; elim: m s => [|m IH] s /=; first by rewrite add0n add0r mul1r le.
  rewrite mean_add (mean_const w1) -[m.+1]add1n natrD -addrA ler_add2l [_ * b]mulrC -(mean_scale w) -[m%:R](mean_const w1) -mean_add.
  apply: (mean_le w0) => e; case: (ends s e); rewrite ?mul0r ?mulr0 ?addr0 ?ler0n // !mul1r mulrC; exact: IH.
exists (N%:R / (1 - a)) => n; have K0 : 0 <= N%:R / (1 - a) by rewrite divr_ge0 ?ler0n // ltW.
have le0 m s : cycle (fun _ _ => 1) m s <= m%:R.
  by have := add 0 m 0%N s (lexx 0) (fun=> lexx 0); rewrite addn0 mulr0 addr0.
have [d] := ubnP n; elim: d n => // d IH n; rewrite ltnS => nd s.
have [small | big] := leqP n N.
  apply: le_trans (le0 n s) _; apply: (@le_trans _ _ N%:R); first by rewrite ler_nat.
  by rewrite ler_pdivl_mulr // ler_pimulr ?ler0n // ler_subl_addr ler_addl.
have [N0 | N0] := posnP N.
  by have := fast s; rewrite N0 /= => le1; move: a1; rewrite ltNge le1.
rewrite -(subnKC (ltnW big)); apply: le_trans (add _ _ _ _ K0 (IH (n - N)%N _)) _.
  by apply: leq_trans nd; rewrite ltn_subrL N0 (leq_ltn_trans _ big).
set K := _ / _; have e : N%:R + a * K = K by rewrite -{1}[N%:R](@divfK _ (1 - a)) ?gt_eqF // -/K mulrBr mulr1 [K * a]mulrC subrK.
by rewrite -[leRHS]e ler_add2l ler_wpmul2r.
Qed.

Variable pi : T -> rat.
Hypothesis pp : preserved w next pi.

Lemma some_state : exists s0 : T, true.
Proof.
have [s0 _ | none] := pickP (@predT T); first by exists s0.
by have [_ p1 _] := pp; move: p1; rewrite big1 => [/eqP|s _]; [rewrite eq_sym oner_eq0 | have := none s].
Qed.

Lemma often_gt0 : 0 < often pi.
Proof.
have [pi0 p1 st] := pp; have o0 : 0 <= often pi by apply: sumr_ge0 => s _; rewrite mulr_ge0 // mean_ge0 // => e; rewrite ler0n.
rewrite lt_neqAle o0 andbT eq_sym; apply: contraT; rewrite negbK => /eqP zero.
have no s t : pi s * renews s t = 0.
  have : pi s * ending s = 0.
    have /allP/(_ s) : all (fun s => pi s * ending s == 0) (index_enum T).
      have e : \sum_s pi s * ending s == 0 by exact/eqP.
      by move: e; rewrite psumr_eq0 // => u _; rewrite mulr_ge0 // mean_ge0 // => e; rewrite ler0n.
    by rewrite mem_index_enum => /(_ isT) /eqP.
  move=> /eqP; rewrite mulf_eq0 => /orP[/eqP -> | /eqP e]; first by rewrite mul0r.
  have le : renews s t <= ending s by apply: (mean_le w0) => e'; case: (ends s e'); case: (_ == t).
  by rewrite (_ : renews s t = 0) ?mulr0 //; apply/eqP; rewrite eq_le -{1}e le mean_ge0 // => e'; rewrite ler0n.
have keep t : \sum_s pi s * within s t = pi t.
  by rewrite -[RHS]st; apply: eq_bigr => s _; rewrite stepE mulrDr no addr0.
have same n t : finds pi n t = pi t.
  by elim: n t => //= n IH t; rewrite -[RHS]keep; apply: eq_bigr => s _; rewrite IH.
have [s0 _] := some_state; have [N [a [a01 fast]]] := lasts_fast s0; have [n] := powers_vanish 1 a01 ltr01.
rewrite mul1r ltNge => /negP[]; rewrite -[leLHS]p1 -(eq_bigr _ (fun t _ => same (N * n)%N t)) finds_lasts.
rewrite -[leRHS]mul1r -p1 mulr_suml; apply: ler_sum => s _; exact: (ler_wpmul2l (pi0 s)).
Qed.

Lemma begins_ge0 t : 0 <= begins pi t.
Proof.
have [pi0 _ _] := pp; apply: divr_ge0; last exact: ltW often_gt0.
by apply: sumr_ge0 => s _; rewrite mulr_ge0 // mean_ge0 // => e; rewrite ler0n.
Qed.

Lemma begins_sum : \sum_t begins pi t = 1.
Proof.
rewrite -mulr_suml exchange_big (eq_bigr (fun s => pi s * ending s)) => [|s _]; last first.
  rewrite -mulr_sumr; congr (_ * _); rewrite /renews /mean exchange_big; apply: eq_bigr => e _ /=.
  rewrite -mulr_sumr (bigD1 (next s e)) //= eqxx andbT big1 ?addr0 // => t ne.
  by rewrite eq_sym (negbTE ne) andbF.
by rewrite divff // gt_eqF // often_gt0.
Qed.

Lemma finds_total n t : pi t / often pi = \sum_(j < n) finds (begins pi) j t + finds (fun t => pi t / often pi) n t.
Proof.
have [_ _ st] := pp; elim: n => [|n ->]; first by rewrite big_ord0 add0r.
rewrite big_ord_recr /= -addrA; congr (_ + _).
elim: n t => [|n IH] t /=.
  rewrite -{1}st mulr_suml /begins mulr_suml -big_split; apply: eq_bigr => s _.
  by rewrite stepE addrC mulrDr mulrDl; congr (_ + _); rewrite mulrAC.
by rewrite -big_split; apply: eq_bigr => s _ /=; rewrite {1}IH mulrDl.
Qed.

(* Let the states have a distribution that messages preserve, and let every cycle end. The means over a cycle are sums over
   its arrivals: what an arrival brings, if the cycle lasts until it. In the long run a message brings what it brings in
   a cycle in the mean, divided by the mean number of arrivals of a cycle. *)
Theorem cycle_means : [/\ 0 < often pi, forall t, 0 <= begins pi t, \sum_t begins pi t = 1 &
  forall r, (forall n, \sum_s begins pi s * cycle r n s = \sum_(j < n) \sum_t finds (begins pi) j t * mean w (r t)) /\
  converges (fun n => \sum_s begins pi s * cycle r n s) ((\sum_t pi t * mean w (r t)) / often pi)].
Proof.
split; [exact: often_gt0 | exact: begins_ge0 | exact: begins_sum | move=> r; split=> [n | d d0]; first exact: cycle_finds].
have [pi0 p1 _] := pp; have o0 := often_gt0; pose x t := pi t / often pi.
have x0 t : 0 <= x t by rewrite divr_ge0 // ltW.
pose R := \sum_t `|mean w (r t)|; have R0 : 0 <= R by exact: sumr_ge0.
have [s0 _] := some_state; have [N [a [a01 fast]]] := lasts_fast s0; have [n0 small] := powers_vanish ((\sum_t x t) * R) a01 d0.
exists (N * n0)%N => n le; rewrite cycle_finds distrC (_ : _ - _ = \sum_t finds x n t * mean w (r t)); last first.
  rewrite exchange_big mulr_suml -sumrB; apply: eq_bigr => t _ /=.
  by rewrite mulrAC (finds_total n t) mulrDl mulr_suml addrAC subrr add0r.
apply: le_lt_trans small; apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_t finds x n t * R)).
  apply: ler_sum => t _; rewrite normrM ger0_norm ?finds_ge0 // ler_wpmul2l ?finds_ge0 //.
  by rewrite /R (bigD1 t) //= ler_addl sumr_ge0.
rewrite -mulr_suml mulrAC ler_wpmul2r // finds_lasts mulr_suml; apply: ler_sum => s _.
apply: (ler_wpmul2l (x0 s)); apply: le_trans (fast n0 s); rewrite -(subnKC le); exact: lasts_falls.
Qed.

(* The sums over the arrivals of a cycle, of the probability that the arrival comes in the cycle and of what it brings in
   the mean, have limits. If some state can be reached from all states, then what n messages bring in the mean differs
   by at most a constant from n times the quotient of the limits. *)
Theorem cycle_rate z : (forall s, connect (leads w next) s z) -> forall r, exists arrivals gain K : rat,
  [/\ 0 < arrivals, converges (fun n => \sum_(j < n) \sum_t finds (begins pi) j t) arrivals,
      converges (fun n => \sum_(j < n) \sum_t finds (begins pi) j t * mean w (r t)) gain &
      forall n s, `|total w next r n s - n%:R * (gain / arrivals)| <= K].
Proof.
move=> reach r; have [o0 _ _ all] := cycle_means; have [eqr lim] := all r; have [eq1 lim1] := all (fun _ _ => 1).
have [K le] := chain_long_run w0 w1 reach r pp; have [_ p1 _] := pp.
exists (often pi)^-1, ((\sum_t pi t * mean w (r t)) / often pi), K; split; first by rewrite invr_gt0.
- move=> d d0; have [n0 near] := lim1 d d0; exists n0 => n nn; have := near n nn.
  rewrite eq1 (_ : (\sum_t pi t * _) / _ = (often pi)^-1) => [|]; last first.
    by rewrite (eq_bigr pi) => [|t _]; rewrite ?mean_const ?p1 ?mul1r ?mulr1.
  by under eq_bigr => j _ do under eq_bigr => t _ do rewrite mean_const // mulr1.
- by move=> d d0; have [n0 near] := lim d d0; exists n0 => n nn; have := near n nn; rewrite eqr.
by move=> n s; rewrite invrK divfK ?gt_eqF.
Qed.
End Cycles.
