(* Filters that recycle at the message of a cycle that sets a bit as the N-th (Dozier-FP, section III): cycles, and what the
   bounds of the rate are for. N is n + 1 here. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims machine recycling levels chains cycles.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ByMessages.
Variables (M k n : nat) (distinct retain : bool).
Hypotheses (k0 : (0 < k)%N) (M0 : (0 < M)%N) (kM : distinct -> (k <= M)%N) (n1 : retain -> (0 < n)%N).

Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).

(* How many messages of the cycle have set bits, and the set bits, which are at most k for each of these messages. *)
Definition state : finType := [finType of {x : 'I_n.+1 * {set 'I_M} | (#|x.2| <= x.1 * k)%N}].
Definition stage (s : state) : 'I_n.+1 := (val s).1.
Definition bits (s : state) : {set 'I_M} := (val s).2.
Implicit Types (s t : state) (e : hash) (B : {set 'I_M}) (pi : state -> rat).

Lemma empty_fits : (#|(set0 : {set 'I_M})| <= (ord0 : 'I_n.+1) * k)%N.
Proof. by rewrite cards0. Qed.
Definition empty : state := exist _ (ord0, set0) empty_fits.

(* A message that sets no bit changes nothing. If it sets a bit, and is the N-th that does, then the filter recycles, and
   the message is the first of the new cycle if it is retained. *)
Definition sets_bit s e : bool := ~~ (places e \subset bits s).
Definition recycles s e : bool := sets_bit s e && (stage s == ord_max).
Definition result s e : 'I_n.+1 * {set 'I_M} :=
  if ~~ sets_bit s e then val s
  else if stage s == ord_max then (if retain then (inord 1, places e) else (ord0, set0))
  else (inord (stage s).+1, bits s :|: places e).
Definition after s e : state := insubd empty (result s e).
Definition likely e : rat := #|hash|%:R^-1.

(* A message that sets no bit, if i messages of the cycle have set bits before. All messages are new, so these are the
   false positives. *)
Definition positive s e : rat := (~~ sets_bit s e)%:R.
Definition positive_at (i : nat) s e : rat := ((stage s == i :> nat) && ~~ sets_bit s e)%:R.

Lemma few e : (#|places e| <= k)%N.
Proof. exact: few_places. Qed.

Lemma afterE s e : val (after s e) = result s e.
Proof.
apply: insubdK; rewrite unfold_in /result; have le := valP s.
case: ifP => //= _; case: (stage s =P ord_max) => [_ | ne].
  by case: ifP => [/n1 n0 | _] /=; [rewrite inordK ?ltnS // mul1n few | rewrite cards0].
have lt : ((stage s).+1 < n.+1)%N by rewrite ltn_neqAle ltn_ord andbT eqSS; apply: contra_not_neq ne => e'; apply: val_inj.
by rewrite /= inordK // mulSn addnC (leq_trans (leq_card_setU _ _)) // leq_add // few.
Qed.

Lemma hash0 : (0 < #|hash|)%N.
Proof.
move: kM; rewrite /levels.hash; case: distinct => km; first by rewrite card_ord card_items bin_gt0 km.
by rewrite card_ffun !card_ord expn_gt0 M0.
Qed.

Lemma likely_gt0 e : 0 < likely e. Proof. by rewrite invr_gt0 ltr0n hash0. Qed.
Let likely_ge0 e : 0 <= likely e. Proof. exact: ltW (likely_gt0 e). Qed.

Lemma likely_sum : \sum_e likely e = 1.
Proof. by rewrite sumr_const -[_ *+ _]mulr_natr mulVf // pnatr_eq0 -lt0n hash0. Qed.

Lemma some_place e : exists x, x \in places e.
Proof.
apply/set0Pn; move: e; rewrite /levels.places /levels.hash; case: distinct => e.
  by have := enum_valP e; rewrite inE -card_gt0 => /eqP->.
by apply/set0Pn; exists (e (Ordinal k0)); apply/imsetP; exists (Ordinal k0).
Qed.

(* Some message has the place y and does not have the place x. *)
Lemma one_of_two x y : x != y -> (distinct -> (k < M)%N) -> exists e, y \in places e /\ x \notin places e.
Proof.
move=> xy; rewrite /levels.places /levels.hash; case: distinct => km.
  have /card_gt0P[D] : (0 < #|[set D : {set 'I_M} | D \subset ~: [set x; y] & #|D| == k.-1]|)%N.
    rewrite cards_draws bin_gt0 card_setC_ord cards2 xy.
    by rewrite -subn1 (subnDA 1 M 1) leq_sub2r // subn1 -ltnS prednK // km.
  rewrite inE => /andP[sub /eqP Dk]; have yD : y \notin D by apply/negP => /(subsetP sub); rewrite !inE eqxx orbT.
  have xD : x \notin D by apply/negP => /(subsetP sub); rewrite !inE eqxx.
  have Bk : y |: D \in items M k by rewrite inE cardsU1 Dk yD add1n prednK.
  exists (enum_rank_in Bk (y |: D)); rewrite /numbered enum_rankK_in //; split; first exact: setU11.
  by rewrite !inE negb_or xy.
exists [ffun=> y]; split; first by apply/imsetP; exists (Ordinal k0); rewrite ?ffunE.
by apply/imsetP => -[i _]; rewrite ffunE; apply/eqP.
Qed.

(* The first n messages cannot fill the filter. *)
Hypothesis nM : (n * k < M)%N.

Lemma fill_lt s : (#|bits s| < M)%N.
Proof.
apply: leq_ltn_trans nM; apply: leq_trans (valP s) _; rewrite leq_mul2r -ltnS ltn_ord orbT //.
Qed.

Lemma outside s : exists y, y \notin bits s.
Proof.
have /card_gt0P[y] : (0 < #|~: bits s|)%N by rewrite card_setC_ord subn_gt0 fill_lt.
by rewrite inE; exists y.
Qed.

Lemma setting s y : y \notin bits s -> exists e, sets_bit s e /\ y \in places e.
Proof.
move=> yB; rewrite /sets_bit; move: kM; rewrite /levels.places /levels.hash; case: distinct => km.
  have /card_gt0P[D] : (0 < #|[set D : {set 'I_M} | D \subset ~: [set y] & #|D| == k.-1]|)%N.
    by rewrite cards_draws bin_gt0 card_setC_ord cards1 subn1 -ltnS !prednK // ?(leq_trans k0) ?km.
  rewrite inE => /andP[sub /eqP Dk]; have yD : y \notin D by apply/negP => /(subsetP sub); rewrite !inE eqxx.
  have Bk : y |: D \in items M k by rewrite inE cardsU1 Dk yD add1n prednK.
  exists (enum_rank_in Bk (y |: D)); rewrite /numbered enum_rankK_in //; split; last exact: setU11.
  by apply/subsetPn; exists y; rewrite ?setU11.
have yh : y \in @hits M k [ffun=> y] by apply/imsetP; exists (Ordinal k0); rewrite ?ffunE.
by exists [ffun=> y]; split=> //; apply/subsetPn; exists y.
Qed.

(* The states from which a cycle goes on to its end, one stage after the other. *)
Lemma upwards (P : state -> Prop) (Q : state -> hash -> Prop) :
  (forall s, exists e, Q s e /\ sets_bit s e) ->
  (forall s e, Q s e -> recycles s e -> P s) ->
  (forall s e, Q s e -> sets_bit s e -> ~~ recycles s e -> P (after s e) -> P s) -> forall s, P s.
Proof.
move=> some last more s; have [d] := ubnP (n - stage s); elim: d s => // d IH s; rewrite ltnS => le.
have [e [Qe se]] := some s; case rec: (recycles s e); first exact: last Qe rec.
apply: (more s e) => //; first by rewrite rec.
move: rec; rewrite /recycles se /= => ne; apply: IH; rewrite /stage afterE /result se ne /=.
have lt : ((stage s).+1 < n.+1)%N by rewrite ltn_neqAle ltn_ord andbT eqSS; apply: contraFneq ne => e'; apply/eqP/val_inj.
by rewrite inordK //; apply: leq_trans le; rewrite ltn_sub2l.
Qed.

Lemma ends_once s : exists j, lasts likely after recycles j s < 1.
Proof.
move: s; apply: (@upwards (fun s => exists j, lasts likely after recycles j s < 1) (fun _ _ => True)) => [s | s e _ rec | s e _ se _ [j lt]].
- by have [y /setting[e [se _]]] := outside s; exists e.
- by exists 1%N; apply: (lasts_step likely_ge0 likely_sum) (likely_gt0 e) _; left.
by exists j.+1; apply: (lasts_step likely_ge0 likely_sum) (likely_gt0 e) _; right.
Qed.

Lemma lead s e : leads likely after s (after s e).
Proof. exact: (leads_to after likely_ge0 s (likely_gt0 e)). Qed.

Lemma home : exists z, forall s, connect (leads likely after) s z.
Proof.
have [ret | ret] := boolP retain; last first.
  exists empty; apply: (@upwards (fun s => connect (leads likely after) s empty) (fun _ _ => True)) => [s | s e _ rec | s e _ _ _].
  - by have [y /setting[e [se _]]] := outside s; exists e.
  - have -> : empty = after s e; last exact: connect1 (lead _ _).
    by apply: val_inj; rewrite afterE /result; have /andP[-> ->] := rec; rewrite (negbTE ret).
  by apply: connect_trans; exact: connect1 (lead _ _).
have kM' : (k < M)%N by apply: leq_ltn_trans nM; rewrite leq_pmull // n1.
have /card_gt0P[e0 _] := hash0; have [x x0] := some_place e0.
have fits e : (#|places e| <= (inord 1 : 'I_n.+1) * k)%N by rewrite inordK ?ltnS ?n1 // mul1n few.
pose begun e : state := exist _ (inord 1, places e) (fits e).
have ended s e : recycles s e -> after s e = begun e.
  by move=> /andP[se last]; apply: val_inj; rewrite afterE /result se last ret.
exists (begun e0).
have clear s : x \notin bits s -> connect (leads likely after) s (begun e0).
  have [d] := ubnP (n - stage s); elim: d s => // d IH s; rewrite ltnS => le xs.
  have [last | more] := eqVneq (stage s) ord_max.
    have rec : recycles s e0 by rewrite /recycles last eqxx andbT; apply/subsetPn; exists x.
    by rewrite -(ended _ _ rec); exact: connect1 (lead _ _).
  have lt : ((stage s).+1 < n.+1)%N by rewrite ltn_neqAle ltn_ord andbT eqSS; apply: contraNneq more => e'; apply/eqP/val_inj.
  have [y] : exists y, y \notin x |: bits s.
    have /card_gt0P[y] : (0 < #|~: (x |: bits s)|)%N.
      rewrite card_setC_ord subn_gt0 cardsU1 xs add1n; apply: leq_ltn_trans nM.
      apply: (@leq_trans ((stage s).+1 * k)); last by rewrite leq_mul2r -ltnS lt orbT.
      by rewrite mulSn -add1n leq_add //; exact: (valP s).
    by rewrite inE; exists y.
  rewrite !inE negb_or eq_sym => /andP[xy yB].
  have [e [ye xe]] := one_of_two xy (fun=> kM'); have se : sets_bit s e by apply/subsetPn; exists y.
  apply: connect_trans (connect1 (lead s e)) _; apply: IH.
    rewrite /stage afterE /result se (negbTE more) /= inordK //; apply: leq_trans le; rewrite ltn_sub2l //.
  by rewrite /bits afterE /result se (negbTE more) /= inE negb_or xs.
apply: (@upwards (fun s => connect (leads likely after) s (begun e0)) (fun s e => x \in bits s -> x \notin places e)) => [s | s e xe rec | s e xe _ _].
- have [xs | xs] := boolP (x \in bits s).
    have [y yB] := outside s; have xy : x != y by apply: contraNneq yB => <-.
    by have [e [ye xe]] := one_of_two xy (fun=> kM'); exists e; split=> //; apply/subsetPn; exists y.
  by have [e [se _]] := setting xs; exists e.
- have [xs | /clear //] := boolP (x \in bits s).
  apply: connect_trans (connect1 (lead s e)) _; rewrite ended //; apply: clear; exact: xe.
have [xs | /clear //] := boolP (x \in bits s).
by apply: connect_trans; exact: connect1 (lead _ _).
Qed.
Lemma chain_states : exists pi, preserved likely after pi.
Proof. exact: (chain_preserves after likely_ge0 likely_sum empty). Qed.

(* How often a message sets a bit in the stage i. *)
Definition sets_at pi (i : nat) : rat := \sum_s pi s * mean likely (fun e => ((stage s == i :> nat) && sets_bit s e)%:R).
Definition positives_at pi (i : nat) : rat := \sum_s pi s * mean likely (positive_at i s).

Lemma stage_after s e (i : 'I_n.+1) : (stage (after s e) == i :> nat)%:R =
  positive_at i s e + (((stage s).+1 == i :> nat) && sets_bit s e)%:R + (retain == i :> nat)%:R * (recycles s e)%:R :> rat.
Proof.
rewrite /positive_at /stage afterE /result /recycles -/(stage s); case: (sets_bit s e) => /=; last by rewrite !andbF andbT mulr0 !addr0.
rewrite andbF andbT add0r; have [last | more] := eqVneq (stage s) ord_max.
  rewrite mulr1 last /= [X in X%:R + _](_ : _ = 0%N) ?add0r; last by rewrite gtn_eqF.
  case ret: retain => //=; rewrite inordK // ltnS n1 //.
have lt : ((stage s).+1 < n.+1)%N by rewrite ltn_neqAle ltn_ord andbT eqSS; apply: contraNneq more => e'; apply/eqP/val_inj.
by rewrite mulr0 addr0 /= inordK.
Qed.

Lemma stages pi i : (i <= n)%N -> preserved likely after pi -> sets_at pi i = (retain <= i)%N%:R * often likely recycles pi.
Proof.
move=> le [_ _ st]; have lastE : often likely recycles pi = sets_at pi n.
  by apply: eq_bigr => s _; congr (_ * _); apply: eq_mean => e; rewrite /recycles andbC -val_eqE.
have flow (j : 'I_n.+1) : sets_at pi j = \sum_s pi s * mean likely (fun e => (((stage s).+1 == j :> nat) && sets_bit s e)%:R) + (retain == j :> nat)%:R * often likely recycles pi.
  have := pushed (fun s => (stage s == j :> nat)%:R) st.
  under eq_bigr => s _ do rewrite (eq_mean likely (fun e => stage_after s e j)) !mean_add mean_scale !mulrDr.
  rewrite !big_split /= -/(positives_at pi j) => e; have all : \sum_t pi t * (stage t == j :> nat)%:R = positives_at pi j + sets_at pi j.
    rewrite -big_split; apply: eq_bigr => t _ /=; rewrite -mulrDr -mean_add; congr (_ * _); rewrite -[LHS](mean_const likely_sum).
    by apply: eq_mean => d; rewrite /positive_at; case: (_ == _); case: (sets_bit t d); rewrite /= ?addr0 ?add0r.
  move: e; rewrite all -addrA => /addrI <-; congr (_ + _); rewrite /often mulr_sumr.
  by apply: eq_bigr => s _; rewrite mulrCA.
elim: i le => [|i IH] le.
  have := flow ord0; rewrite big1 ?add0r => [-> |s _]; last by rewrite /mean big1 ?mulr0 // => e _; rewrite mulr0.
  by case: (retain).
have := flow (Ordinal (le : (i.+1 < n.+1)%N)); rewrite /=; under [X in _ = X + _ -> _]eq_bigr => s _ do under eq_mean => e do rewrite eqSS.
rewrite -/(sets_at pi i) (IH (ltnW le)) => ->.
by case: (retain) => //=; case: i {le IH} => [|i]; rewrite ?mul0r ?mul1r ?add0r ?addr0.
Qed.

Lemma stage_totals pi : preserved likely after pi ->
  \sum_(i < n.+1 | (retain <= i)%N) (positives_at pi i + often likely recycles pi) = 1 /\
  \sum_(i < n.+1 | (retain <= i)%N) positives_at pi i = \sum_u pi u * mean likely (positive u).
Proof.
move=> pp; have [pi0 p1 _] := pp; have over u : \sum_(i < n.+1) (stage u == i :> nat)%:R = 1 :> rat.
  by rewrite (bigD1 (stage u)) //= eqxx big1 ?addr0 // => i; rewrite -val_eqE eq_sym => /negbTE ->.
have none (i : 'I_n.+1) : ~~ (retain <= i)%N -> positives_at pi i = 0.
  case: (retain) => //=; rewrite -eqn0Ngt => /eqP i0; rewrite /positives_at big1 // => u _.
  rewrite /mean big1 ?mulr0 // => e _; rewrite /positive_at i0; case: eqP => [s0 | _] /=; last by rewrite mulr0.
  have b0 : bits u = set0 by have := valP u; rewrite -/(stage u) s0 mul0n leqn0 cards_eq0 => /eqP.
  rewrite /sets_bit b0 negbK subset0; have [z0 | _] := eqVneq (places e) set0; last by rewrite mulr0.
  by have [x] := some_place e; rewrite z0 inE.
have one : \sum_(i < n.+1 | (retain <= i)%N) (positives_at pi i + often likely recycles pi) = 1.
  rewrite -p1 big_mkcond (eq_bigr (fun i : 'I_n.+1 => \sum_u pi u * (stage u == i :> nat)%:R)) => [|i _]; last first.
    have -> : \sum_u pi u * (stage u == i :> nat)%:R = positives_at pi i + sets_at pi i.
      rewrite -big_split; apply: eq_bigr => u _ /=; rewrite -mulrDr -mean_add; congr (_ * _); rewrite -[LHS](mean_const likely_sum).
      by apply: eq_mean => e; rewrite /positive_at; case: (_ == _); case: (sets_bit u e); rewrite /= ?addr0 ?add0r.
    by rewrite stages //; [case: ifP => [_ | /negbT /none ->]; rewrite ?mul1r // mul0r addr0 | rewrite -ltnS].
  by rewrite exchange_big; apply: eq_bigr => u _; rewrite -mulr_sumr over mulr1.
split=> //.
rewrite (eq_bigr (fun u => \sum_(i < n.+1) pi u * mean likely (positive_at i u))) => [|u _]; last first.
  rewrite -mulr_sumr; congr (_ * _); rewrite /mean exchange_big; apply: eq_bigr => e _ /=; rewrite -mulr_sumr; congr (_ * _).
  rewrite /positive; transitivity ((\sum_(i < n.+1) (stage u == i :> nat)%:R) * (~~ sets_bit u e)%:R : rat); first by rewrite over mul1r.
  rewrite mulr_suml; apply: eq_bigr => i _; by rewrite /positive_at; case: (_ == _); rewrite ?mul1r ?mul0r.
rewrite [RHS]exchange_big [RHS](bigID (fun i : 'I_n.+1 => (retain <= i)%N)) /= [X in _ = _ + X]big1 ?addr0 // => i /none; exact.
Qed.

(* Dozier-FP, section III, for the four filters: let R i be the mean number of messages of a cycle that come after i messages
   of the cycle have set bits, and set no bit. In the long run the share of the false positives is the sum of R i over the
   sum of R i + 1. If the filter retains the last message, this message is no arrival of the new cycle, and the sums
   begin with i = 1. *)
Theorem rate_by_stages : (exists pi, preserved likely after pi) /\
  forall pi, preserved likely after pi -> exists (R : 'I_n.+1 -> rat) (K : rat),
    (forall i : 'I_n.+1, converges (fun j => \sum_s begins likely after recycles pi s * cycle likely after recycles (positive_at i) j s) (R i)) /\
    forall T s, `|total likely after positive T s - T%:R * ((\sum_(i < n.+1 | (retain <= i)%N) R i) / (\sum_(i < n.+1 | (retain <= i)%N) (R i + 1)))| <= K.
Proof.
split=> [|pi pp]; first exact: chain_states.
have [o0 _ _ all] := cycle_means likely_ge0 likely_sum ends_once pp.
have [z reach] := home; have [K le] := chain_long_run likely_ge0 likely_sum reach positive pp.
exists (fun i => positives_at pi i / often likely recycles pi), K; split=> [i | T s]; first by have [_ lim] := all (positive_at i).
have [one rate] := stage_totals pp.
have := le T s; rewrite -rate; have -> : \sum_(i < n.+1 | (retain <= i)%N) (positives_at pi i / often likely recycles pi + 1) = (often likely recycles pi)^-1.
  rewrite -[RHS]mul1r -[X in _ = X * _]one [RHS]mulr_suml; apply: eq_bigr => i _; by rewrite mulrDl divff // gt_eqF.
by rewrite invrK -mulr_suml divfK ?gt_eqF.
Qed.
End ByMessages.
