(* False-negative rates of filters without new messages that do not retain (Dozier-FN, section 4.2.4 and appendix D): the
   more uneven the popularity is, the lower is the rate. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers recycling levels renewal independent popularity domination.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cycle.
Variables (D M k sigma : nat) (distinct : bool) (d : 'I_D -> rat).
Implicit Types (q x : 'I_D -> rat) (A : {set 'I_D}) (B : {set 'I_M}) (i j n m N : nat) (g : nat -> rat).
Local Notation places := (@levels.places M k distinct).
Local Notation fills := (@fills M k sigma distinct).
Local Notation lucky := (@lucky M k distinct).

(* A cycle begins with nothing recorded. *)
Definition nothing A : rat := (A == set0)%:R.
Local Notation apart q := (apart false 1 q d nothing).

(* Over the first n arrivals of a cycle: the mean number of arrivals that the cycle lasts, and of false negatives among
   them. *)
Definition arrivals q n : rat := \sum_(i < n.+1) came k sigma distinct false 1 q d nothing n i (fun _ (_ : {set 'I_M}) => 1).
Definition negatives q n : rat :=
  \sum_(i < n.+1) came k sigma distinct false 1 q d nothing n i (fun A B => unrecorded q A * (1 - lucky B)).

Lemma chance_sum q (f : bool * 'I_D -> rat) : \sum_a chance 1 q d a * f a = \sum_y q y * f (true, y).
Proof.
rewrite (eq_bigr (fun a => chance 1 q d (a.1, a.2) * f (a.1, a.2))) => [|[b y] _] //.
rewrite -(pair_bigA _ (fun b y => chance 1 q d (b, y) * f (b, y))) /= big_bool /= /chance /=.
rewrite [X in _ + X]big1 ?addr0 => [|y _]; last by rewrite subrr !mul0r.
by apply: eq_bigr => y _; rewrite mul1r.
Qed.

Lemma apartS q j i A' : apart q j.+1 i A' =
  \sum_A \sum_y q y * ((y |: A == A')%:R * (if y \in A then apart q j i A else if i is i'.+1 then apart q j i' A else 0)).
Proof.
rewrite /=; apply: eq_bigr => A _; under eq_bigr => a _ do rewrite -mulrA.
by rewrite chance_sum.
Qed.

Lemma apart_size q j i A : i != #|A| -> apart q j i A = 0.
Proof.
elim: j i A => [|j IH] i A' iA.
  by rewrite /= /nothing; case: eqP => [e | _]; rewrite ?mul0r // mul1r; case: eqP => // A0; move: iA; rewrite A0 cards0 e.
rewrite apartS big1 // => A _; rewrite big1 // => y _; case: eqP => [e | _]; last by rewrite mul0r mulr0.
move: iA; rewrite mul1r -e; have [yA | yA] := boolP (y \in A).
  by rewrite (setUidPr _) ?sub1set // => iA; rewrite IH ?mulr0.
by case: i => [|i]; rewrite ?mulr0 // cardsU1 yA eqSS => iA; rewrite IH ?mulr0.
Qed.

Lemma apart_late q j i A : (j < i)%N -> apart q j i A = 0.
Proof.
elim: j i A => [|j IH] i A' lt; first by rewrite /= gtn_eqF ?mul0r.
rewrite apartS big1 // => A _; rewrite big1 // => y _.
by case: i lt => // i lt; rewrite !IH ?if_same ?mulr0 // ltnW.
Qed.

Lemma apart_draws q g N j m : (j <= N)%N ->
  \sum_(i < N.+1) \sum_A apart q j i A * draws (nseq m q) g A = draws (nseq (j + m) q) g set0.
Proof.
elim: j m => [|j IH] m jN.
  rewrite big_ord_recl /= [X in _ + X]big1 ?addr0 => [|i _]; last by rewrite big1 // => A _; rewrite !mul0r.
  rewrite (bigD1 set0) //= /nothing eqxx !mul1r big1 ?addr0 // => A /negbTE ->.
  by rewrite mulr0 mul0r.
rewrite addSnnS -IH 1?ltnW //; under eq_bigr => i _ do (under eq_bigr => A' _ do rewrite apartS mulr_suml).
under eq_bigr => i _ do rewrite exchange_big.
rewrite exchange_big [RHS]exchange_big; apply: eq_bigr => A _ /=.
under eq_bigr => i _ do (under eq_bigr => A' _ do rewrite mulr_suml).
under eq_bigr => i _ do rewrite exchange_big.
rewrite exchange_big; under [RHS]eq_bigr => i _ do rewrite mulr_sumr.
rewrite [RHS]exchange_big; apply: eq_bigr => y _ /=.
have pick i : \sum_A' q y * ((y |: A == A')%:R * (if y \in A then apart q j i A else if i is i'.+1 then apart q j i' A else 0)) *
    draws (nseq m q) g A' = q y * draws (nseq m q) g (y |: A) * (if y \in A then apart q j i A else if i is i'.+1 then apart q j i' A else 0).
  rewrite (bigD1 (y |: A)) //= eqxx mul1r mulrAC big1 ?addr0 // => A' /negbTE; rewrite eq_sym => ->.
  by rewrite mul0r mulr0 mul0r.
under eq_bigr => i _ do rewrite pick.
under [RHS]eq_bigr => i _ do rewrite mulrC.
case: (y \in A) => //; rewrite big_ord_recl mulr0 add0r /= [RHS]big_ord_recr /= apart_late //.
by rewrite mulr0 addr0.
Qed.

(* The probability that i messages fit, and that one more sets a bit then. *)
Definition fit i : rat := \sum_B fills i B.
Definition unlucky i : rat := \sum_B fills i B * (1 - lucky B).

Lemma mean_le1 (f : levels.hash M k distinct -> rat) : (forall e, f e <= 1) -> recycling.mean f <= 1.
Proof.
move=> f1; rewrite /recycling.mean; have [-> | E0] := posnP #|levels.hash M k distinct|; first by rewrite invr0 mulr0.
rewrite ler_pdivr_mulr ?ltr0n // mul1r -sumr_const; exact: ler_sum.
Qed.

Lemma fills_ge0 i B : 0 <= fills i B.
Proof.
elim: i B => [|i IH] B; first by rewrite ler0n.
by rewrite mulr_ge0 ?ler0n // sumr_ge0 // => C _; rewrite mulr_ge0 // step_ge0.
Qed.

Lemma lucky_le1 B : lucky B <= 1. Proof. by apply: mean_le1 => e; case: (_ \subset _). Qed.

Lemma fit_sinks : sinks fit.
Proof.
move=> i; rewrite /fit /=; apply: (@le_trans _ _ (\sum_B \sum_C fills i C * step places C B)).
  by apply: ler_sum => B _; case: leqP => _; rewrite ?mul1r // mul0r sumr_ge0 // => C _; rewrite mulr_ge0 ?fills_ge0 ?step_ge0.
rewrite exchange_big; apply: ler_sum => C _ /=; rewrite -mulr_sumr ler_pimulr ?fills_ge0 //.
have -> : \sum_B step places C B = inside places setT.
  by rewrite -(steps_within places (subsetT C)); apply: eq_bigl => B; rewrite subsetT.
by apply: mean_le1 => e; case: (_ \subset _).
Qed.

Lemma unlucky_ge0 i : 0 <= unlucky i.
Proof. by apply: sumr_ge0 => B _; rewrite mulr_ge0 ?fills_ge0 // subr_ge0 lucky_le1. Qed.

(* The mean number of false negatives until i messages are recorded, less than 0. *)
Definition lost i : rat := - \sum_(l < i) unlucky l.

Lemma lost_sinks : sinks lost.
Proof. by move=> i; rewrite /lost ler_opp2 big_ord_recr /= ler_addl unlucky_ge0. Qed.

Lemma arrivals_draws q n : arrivals q n = \sum_(j < n) draws (nseq j q) fit set0.
Proof.
rewrite /arrivals /came exchange_big; apply: eq_bigr => j _ /=; have := @apart_draws q fit n j 0 (ltnW (ltn_ord j)).
rewrite addn0 => <-; apply: eq_bigr => i _; apply: eq_bigr => A _.
under eq_bigr => B _ do rewrite mulr1 jointE; rewrite -mulr_sumr -/(fit i) /=.
by have [<- // | ne] := eqVneq (val i) #|A|; rewrite apart_size ?mul0r.
Qed.

Lemma negatives_draws q n : \sum_y q y = 1 -> negatives q n = - draws (nseq n q) lost set0.
Proof.
move=> q1; have step j : (j < n)%N -> \sum_(i < n.+1) \sum_A \sum_B joint k sigma distinct false 1 q d nothing j i A B *
    (unrecorded q A * (1 - lucky B)) =
    draws (nseq j q) lost set0 - draws (nseq j.+1 q) lost set0.
  move=> jn; have := @apart_draws q lost n j 0 (ltnW jn); rewrite addn0 => <-.
  have := @apart_draws q lost n j 1 (ltnW jn); rewrite addn1 => <-.
  rewrite -sumrB; apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => A _.
  rewrite -mulrBr (eq_bigr (fun B => apart q j i A * unrecorded q A * (fills i B * (1 - lucky B)))) => [|B _]; last by rewrite jointE mulrACA mulrA.
  rewrite -mulr_sumr -/(unlucky i) -mulrA; have [e | ne] := eqVneq (val i) #|A|; last by rewrite apart_size ?mul0r.
  congr (_ * _); rewrite /= /unrecorded mulr_suml -[lost _]mul1r -q1 mulr_suml -sumrB big_mkcond /=; apply: eq_bigr => y _.
  rewrite -mulrBr; case: ifP => [yA | /negbFE yA]; last by rewrite (setUidPr _) ?sub1set // subrr mulr0.
  by congr (_ * _); rewrite cardsU1 yA -e add1n /lost opprK big_ord_recr /= addKr.
rewrite /negatives /came exchange_big /=; under eq_bigr => j _ do rewrite step //.
elim: n {step} => [|n IH]; first by rewrite big_ord0 /= /lost cards0 big_ord0 !oppr0.
by rewrite big_ord_recr /= IH addrA addNr add0r.
Qed.

(* The false-negative rate over the first n arrivals of a cycle. *)
Definition cycle_rate q n : rat := negatives q n / arrivals q n.

Lemma draws_ge0 (L : seq ('I_D -> rat)) g A : (forall r y, 0 <= nth (fun=> 0) L r y) -> (forall i, 0 <= g i) -> 0 <= draws L g A.
Proof.
move=> + g0; elim: L A => [|a L IH] A L0 //=; apply: sumr_ge0 => y _.
by rewrite mulr_ge0 ?(L0 0%N) // IH // => r; exact: (L0 r.+1).
Qed.

Lemma draws_opp (L : seq ('I_D -> rat)) g A : draws L (fun i => - g i) A = - draws L g A.
Proof. by elim: L A => [|a L IH] A //=; rewrite -sumrN; apply: eq_bigr => y _; rewrite IH mulrN. Qed.

(* If q has at least the mean of x for all functions that do not grow from a message to a less popular one, then its rate
   is at most that of x. *)
Lemma rate_below q x n : (forall y, 0 <= q y) -> (forall y, 0 <= x y) -> \sum_y q y = 1 -> \sum_y x y = 1 ->
  (forall f, sorted_by set0 x q f -> \sum_y x y * f y <= \sum_y q y * f y) -> cycle_rate q n <= cycle_rate x n.
Proof.
move=> q0 x0 q1 x1 more; have below g m : sinks g -> draws (nseq m x) g set0 <= draws (nseq m q) g set0.
  by move=> fg; exact: draws_above.
have all0 w m : (forall y, 0 <= w y) -> forall r y, 0 <= nth (fun=> 0) (nseq m w) r y by move=> w0 r y; rewrite nth_nseq; case: ifP.
have fit0 i : 0 <= fit i by apply: sumr_ge0 => B _; exact: fills_ge0.
have neg : negatives q n <= negatives x n by rewrite !negatives_draws // ler_opp2 below //; exact: lost_sinks.
have neg0 : 0 <= negatives q n.
  rewrite negatives_draws // -(draws_opp (nseq n q) lost); apply: (@draws_ge0 (nseq n q) (fun i => - lost i)) => [|i]; first exact: all0.
  by rewrite opprK sumr_ge0 // => l _; exact: unlucky_ge0.
have arr : arrivals x n <= arrivals q n by rewrite !arrivals_draws; apply: ler_sum => j _; apply: below; exact: fit_sinks.
rewrite /cycle_rate; have [-> | n0] := posnP n; first by rewrite !arrivals_draws !big_ord0 !invr0 !mulr0.
have pos w : (forall y, 0 <= w y) -> 0 < arrivals w n.
  move=> w0; rewrite arrivals_draws; case: {+}n n0 => // m _; rewrite big_ord_recl ltr_paddr //.
    by apply: sumr_ge0 => j _; apply: draws_ge0 => //; exact: all0.
  by rewrite /= cards0 /fit /= (bigD1 set0) //= eqxx big1 ?addr0 ?ltr01 // => B /negbTE ->.
by apply: ler_pmul => //; rewrite ?invr_ge0 ?(ltW (pos _ _)) // lef_pinv ?posrE ?pos.
Qed.
End Cycle.

(* Dozier-FN, section 4.2.4: let the popularity q majorize x, where the ranks of both are in order. Of filters without new
   messages that do not retain, that with the popularity q has at most the false-negative rate, over the first n arrivals
   of a cycle, for all n. *)
Theorem majorized_rate D M k sigma distinct (q x d : 'I_D -> rat) n : (forall i, 0 <= q i) -> (forall i, 0 <= x i) ->
  (forall i j : 'I_D, (i <= j)%N -> q j <= q i) -> (forall i j : 'I_D, (i <= j)%N -> x j <= x i) -> \sum_i q i = 1 -> \sum_i x i = 1 ->
  (forall r, (r <= D)%N -> \sum_(i < D | (i < r)%N) x i <= \sum_(i < D | (i < r)%N) q i) ->
  @cycle_rate D M k sigma distinct d q n <= @cycle_rate D M k sigma distinct d x n.
Proof.
move=> q0 x0 qs xs q1 x1 prefix; apply: rate_below => // f [_ sorted].
have fs (i j : 'I_D) : (i <= j)%N -> f j <= f i by move=> ij; apply: sorted; rewrite ?inE ?xs ?qs.
rewrite -subr_ge0 -sumrB; under eq_bigr => i _ do rewrite -mulrBl.
suff abel r : (r <= D)%N -> forall c, (forall i : 'I_D, (i < r)%N -> c <= f i) ->
    c * (\sum_(i < D | (i < r)%N) (q i - x i)) <= \sum_(i < D | (i < r)%N) (q i - x i) * f i.
  have [D0 | D0] := posnP D; first by rewrite big1 // => i _; have := leq_trans (ltn_ord i) (eq_leq D0).
  have := abel D (leqnn D) (f (Ordinal (etrans (ltn_predL D) D0))).
  have all_in (F : 'I_D -> rat) : \sum_(i < D | (i < D)%N) F i = \sum_i F i by apply: eq_bigl => i; rewrite ltn_ord.
  rewrite !all_in sumrB q1 x1 subrr mulr0; apply=> i _; apply: fs => /=.
  by rewrite -ltnS prednK.
elim: r => [|r IH] rD c low; first by rewrite !big_pred0 ?mulr0.
pose z : 'I_D := Ordinal rD; have last (F : 'I_D -> rat) : \sum_(i < D | (i < r.+1)%N) F i = F z + \sum_(i < D | (i < r)%N) F i.
  rewrite (bigD1 z) ?ltnS //=; congr (_ + _); apply: eq_bigl => i; rewrite -val_eqE /= ltnS [RHS]ltn_neqAle andbC.
  by [].
have fz := low z (ltnSn r); have h := IH (ltnW rD) (f z); have p := prefix r.+1 rD.
rewrite -subr_ge0 -sumrB last in p.
rewrite last [leRHS]last; apply: (@le_trans _ _ (f z * (q z - x z + \sum_(i < D | (i < r)%N) (q i - x i)))).
  exact: ler_wpmul2r.
rewrite mulrDr mulrC ler_add2l; apply: h => i ir; apply: fs; exact: ltnW.
Qed.

(* Dozier-FN, Theorem 6 of appendix D: let the popularity q be at least x for the messages in top, and at most x for the
   others, which x makes equally popular and no more popular than those in top. Then the probability that the next message
   is not one of K distinct ones sampled before is at most that for x. So is the false-negative rate of filters without
   new messages that do not retain, over the first n arrivals of a cycle, for all n. *)
Theorem dominated_rates D (q x : 'I_D -> rat) (top : pred 'I_D) : (forall i, 0 <= q i) -> (forall i, 0 < x i) ->
  \sum_i q i = 1 -> \sum_i x i = 1 -> (forall i, top i -> x i <= q i) -> (forall i, ~~ top i -> q i <= x i) ->
  (forall i j, ~~ top i -> top j -> x i <= x j) -> (forall i j, ~~ top i -> ~~ top j -> x i = x j) ->
  (forall K, unrecorded_after q K <= unrecorded_after x K) /\
  forall M k sigma distinct d n, @cycle_rate D M k sigma distinct d q n <= @cycle_rate D M k sigma distinct d x n.
Proof.
move=> q0 x0 q1 x1 up down order flat; split=> [K | M k sigma distinct d n]; first exact: unrecorded_less flat K.
by apply: rate_below => // [y | f]; [exact: ltW | exact: (ordered_means q1 x1 up down order (erefl _))].
Qed.

(* The popularity h for the first s of D messages, and l for the others. *)
Definition biuniform D (s : nat) (h l : rat) (i : 'I_D) : rat := if (i < s)%N then h else l.

(* Dozier-FN, Corollary 5 of appendix D, and Lemma 1 of section 4.2.4 corrected: let the popularity q be at least h for
   each of the s more popular messages of a bi-uniform distribution. In every state, and for filters as in Theorem 6, the
   false-negative rate of q is at most that of the bi-uniform distribution. *)
Theorem biuniform_rates D (s : nat) (h l : rat) (q : 'I_D -> rat) : 0 < l -> l <= h -> \sum_i biuniform s h l (i : 'I_D) = 1 ->
  (forall i, 0 <= q i) -> \sum_i q i = 1 -> (forall i : 'I_D, (i < s)%N -> h <= q i) ->
  (forall K, unrecorded_after q K <= unrecorded_after (@biuniform D s h l) K) /\
  forall M k sigma distinct d n, @cycle_rate D M k sigma distinct d q n <= @cycle_rate D M k sigma distinct d (biuniform s h l) n.
Proof.
move=> l0 lh x1 q0 q1 qh; pose top i := biuniform s h l i <= q i.
have low i : ~~ top i -> (s <= i)%N by rewrite leqNgt; apply: contra => is_; rewrite /top /biuniform is_ qh.
apply: (@dominated_rates D q (biuniform s h l) top) => //.
- by move=> i; rewrite /biuniform; case: ifP => // _; exact: lt_le_trans l0 lh.
- by move=> i; rewrite /top -ltNge => /ltW.
- by move=> i j /low si _; rewrite /biuniform [(i < s)%N]ltnNge si /=; case: ifP.
- by move=> i j /low si /low sj; rewrite /biuniform ![(_ < s)%N]ltnNge si sj.
Qed.

(* Dozier-FN, Lemma 2 of section 4.2.4: of two bi-uniform distributions with the same s, that with the larger popularity
   of the first s messages has the lower rate in every state but the first and the last, and at most the rate of the other
   one for filters as in Theorem 6. *)
Theorem steeper_biuniform D (s : nat) (h l h' l' : rat) : (0 < s < D)%N -> 0 < l -> l <= h -> 0 < l' -> h < h' ->
  \sum_i biuniform s h l (i : 'I_D) = 1 -> \sum_i biuniform s h' l' (i : 'I_D) = 1 ->
  (forall K, (0 < K < D)%N -> unrecorded_after (@biuniform D s h' l') K < unrecorded_after (@biuniform D s h l) K) /\
  forall M k sigma distinct d n, @cycle_rate D M k sigma distinct d (biuniform s h' l') n <= @cycle_rate D M k sigma distinct d (biuniform s h l) n.
Proof.
move=> /andP[s0 sD] l0 lh l0' hh x1 q1; set x : 'I_D -> rat := biuniform s h l; set q : 'I_D -> rat := biuniform s h' l'.
have hq : forall i : 'I_D, (i < s)%N -> h <= q i by move=> i is_; rewrite /q /biuniform is_ ltW.
have h0 : 0 < h := lt_le_trans l0 lh.
have x0 i : 0 < x i by rewrite /x /biuniform; case: ifP.
have q0 i : 0 < q i by rewrite /q /biuniform; case: ifP => // _; exact: lt_trans h0 hh.
have [_ filters] := biuniform_rates l0 lh x1 (fun i => ltW (q0 i)) q1 hq; split=> // K /andP[K0 KD].
have KT : (K <= #|'I_D|)%N by rewrite card_ord ltnW.
pose a : 'I_D := Ordinal (ltn_trans s0 sD); pose b : 'I_D := Ordinal sD.
pose u : rat := #|[pred i : 'I_D | (i < s)%N]|%:R; pose v : rat := #|[pred i : 'I_D | ~~ (i < s)%N]|%:R.
have u0 : 0 < u by rewrite ltr0n; apply/card_gt0P; exists a; rewrite inE.
have v0 : 0 < v by rewrite ltr0n; apply/card_gt0P; exists b; rewrite inE -leqNgt.
have halves (F : 'I_D -> rat) : (forall i : 'I_D, (i < s)%N -> F i = F a) -> (forall i : 'I_D, ~~ (i < s)%N -> F i = F b) ->
    \sum_i F i = u * F a + v * F b.
  move=> Fa Fb; rewrite (bigID (fun i : 'I_D => (i < s)%N)) /= (eq_bigr (fun=> F a) Fa) sumr_const [X in _ + X](eq_bigr (fun=> F b) Fb).
  by rewrite sumr_const !mulr_natl.
have values (w : 'I_D -> rat) p r : w = @biuniform D s p r -> (forall i, 0 < w i) -> \sum_i w i = 1 ->
    let A := included w K a in let B := included w K b in
    [/\ u * p + v * r = 1, u * A + v * B = K%:R & unrecorded_after w K = 1 - (u * (p * A) + v * (r * B))].
  move=> wE w0 w1 A B; have wa (i : 'I_D) : (i < s)%N -> w i = p by move=> is_; rewrite wE /biuniform is_.
  have wb (i : 'I_D) : ~~ (i < s)%N -> w i = r by move=> /negbTE is_; rewrite wE /biuniform is_.
  have sa : (a < s)%N by []. have sb : ~~ (b < s)%N by rewrite -leqNgt.
  have equal i j : w i = w j -> included w K i = included w K j.
    by move=> e; apply/eqP; rewrite eq_le !(popular_first w0) ?e.
  have Aa (i : 'I_D) : (i < s)%N -> included w K i = A by move=> is_; apply: equal; rewrite !wa.
  have Bb (i : 'I_D) : ~~ (i < s)%N -> included w K i = B by move=> is_; apply: equal; rewrite !wb.
  have -> : p = w a by rewrite wa. have -> : r = w b by rewrite wb.
  split; first by rewrite -w1 halves // => i is_; [rewrite !wa | rewrite !wb].
    by rewrite -(samples_add_up w0 KT) halves.
  rewrite unrecorded_included ?(all_come w0) // => [|i]; last exact: ltW.
  by rewrite halves // => i is_; [rewrite wa // Aa // wa | rewrite wb // Bb // wb].
have [x2 xK ->] := values x h l erefl x0 x1; have [q2 qK ->] := values q h' l' erefl q0 q1.
have ll : l' < l.
  by rewrite -(ltr_pmul2l v0) -(ltr_add2l (u * h)) x2 -q2 ltr_add2r ltr_pmul2l.
have up (i : 'I_D) : (i < s)%N -> x i <= q i by move=> is_; rewrite /x /q /biuniform is_ ltW.
have down (i : 'I_D) : ~~ (i < s)%N -> q i <= x i by move=> /negbTE is_; rewrite /x /q /biuniform is_ ltW.
have order (i j : 'I_D) : ~~ (i < s)%N -> (j < s)%N -> x i <= x j by move=> /negbTE is_ js; rewrite /x /biuniform is_ js.
have Kq : (K <= #|support q|)%N by rewrite (all_come q0).
have AA := @included_more _ q x (fun i : 'I_D => (i < s)%N) (fun i => ltW (q0 i)) x0 q1 x1 up down order K a Kq s0.
have BA : included q K b < included q K a.
  apply: (popular_strictly q0); first by rewrite K0 card_ord.
  by rewrite /q /biuniform /= s0 ltnn (lt_trans ll) // (le_lt_trans lh).
move: AA BA xK qK; move: (included q K a) (included q K b) (included x K a) (included x K b) => A' B' A B AA BA xK qK.
rewrite ltr_add2l ltr_opp2 -subr_gt0.
have -> : u * (h' * A') + v * (l' * B') - (u * (h * A) + v * (l * B)) = u * ((h' - h) * (A' - B')) + u * ((A' - A) * (h - l)) +
    (B' * (u * h' + v * l' - (u * h + v * l)) + l * (u * A' + v * B' - (u * A + v * B))) by identity.
rewrite x2 q2 xK qK !subrr !mulr0 !addr0; apply: ltr_paddr; first by rewrite mulr_ge0 ?(ltW u0) // mulr_ge0 ?subr_ge0.
by rewrite !mulr_gt0 // subr_gt0.
Qed.

(* Dozier-FN, section 4.2.4, after Lemma 2: let q be in order and s < D, and let h = q_{s-1} be at least l, where
   s h + (D - s) l = 1. The bi-uniform distribution of h and l meets the condition of biuniform_rates, so that it bounds
   the rates of q. None with the same s and a larger h meets it. With a smaller h the rate is larger in every state but
   the first and the last, and at least as large for filters as in Theorem 6. *)
Theorem tightest_biuniform D (a : 'I_D) (s := a.+1) (l : rat) (q : 'I_D -> rat) (h := q a) : (s < D)%N ->
  (forall i j : 'I_D, (i <= j)%N -> q j <= q i) -> (forall i, 0 <= q i) -> \sum_i q i = 1 ->
  0 < l -> l <= h -> \sum_i biuniform s h l (i : 'I_D) = 1 ->
  [/\ forall i : 'I_D, (i < s)%N -> h <= q i,
      forall h', (forall i : 'I_D, (i < s)%N -> h' <= q i) -> h' <= h,
      (forall K, unrecorded_after q K <= unrecorded_after (@biuniform D s h l) K) /\
        (forall M k sigma distinct d n,
          @cycle_rate D M k sigma distinct d q n <= @cycle_rate D M k sigma distinct d (biuniform s h l) n) &
      forall h' l', 0 < l' -> l' <= h' -> h' < h -> \sum_i biuniform s h' l' (i : 'I_D) = 1 ->
        (forall K, (0 < K < D)%N ->
          unrecorded_after (@biuniform D s h l) K < unrecorded_after (@biuniform D s h' l') K) /\
        forall M k sigma distinct d n,
          @cycle_rate D M k sigma distinct d (biuniform s h l) n <=
          @cycle_rate D M k sigma distinct d (biuniform s h' l') n].
Proof.
move=> sD order q0 q1 l0 lh x1; have top (i : 'I_D) : (i < s)%N -> h <= q i by move=> is_; apply: order.
split=> [// | h' below | | h' l' l0' lh' hh x1'].
- exact: (below a (ltnSn a)).
- exact: biuniform_rates l0 lh x1 q0 q1 top.
- by apply: steeper_biuniform => //; rewrite sD.
Qed.
