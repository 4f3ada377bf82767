(* Filters that recycle at the message of a cycle that sets a bit as the N-th (Dozier-FP, section III), if the filter does
   not retain: they can fill if N is large, and otherwise the bounds (2) and (3) of the rate hold. N is n + 1 here. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic claims machine recycling levels ranks bounded chains cycles by_messages.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Both.
Variables (M k n : nat) (distinct : bool).
Hypotheses (k0 : (0 < k)%N) (M0 : (0 < M)%N) (kM : distinct -> (k <= M)%N).

Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).
Local Notation state := (by_messages.state M k n).
Local Notation after := (@by_messages.after M k n distinct false).
Local Notation likely := (@by_messages.likely M k distinct).
Local Notation positive := (@by_messages.positive M k n distinct).
Local Notation empty := (by_messages.empty M k n).
Local Notation afterE := (by_messages.afterE M0 kM (retain := false) (fun e => False_ind _ (Bool.diff_false_true e))).
Local Notation total := (total likely after positive).
Implicit Types (s t : state) (e : hash) (B D : {set 'I_M}).

Lemma any_places D : (0 < #|D| <= k)%N -> (distinct -> #|D| = k) -> exists e : hash, places e = D.
Proof.
move=> /andP[D0 Dk]; rewrite /levels.places /levels.hash; case: distinct => is_k.
  have Dm : D \in items M k by rewrite inE is_k.
  by exists (enum_rank_in Dm D); rewrite /numbered enum_rankK_in.
have /card_gt0P[x xD] := D0; exists [ffun i : 'I_k => nth x (enum D) i]; apply/setP => y; apply/imsetP/idP => [[i _ ->] | yD].
  rewrite ffunE; have [lt | le] := ltnP i (size (enum D)); last by rewrite nth_default.
  by rewrite -mem_enum mem_nth.
have lt : (index y (enum D) < k)%N by apply: leq_trans Dk; rewrite cardE index_mem mem_enum.
by exists (Ordinal lt); rewrite // ffunE /= nth_index // mem_enum.
Qed.

(* A message can have as many new places as fit. *)
Lemma grow B : exists e : hash, #|B :|: places e| = minn M (#|B| + k).
Proof.
have BM : (#|B| <= M)%N by rewrite -[X in (_ <= X)%N]card_ord max_card.
have some := any_places.
have [le | lt] := leqP (#|B| + k) M.
  have /card_gt0P[D] : (0 < #|[set D : {set 'I_M} | D \subset ~: B & #|D| == k]|)%N.
    by rewrite cards_draws bin_gt0 card_setC_ord leq_subRL.
  rewrite inE => /andP[DB /eqP Dk]; have [| |e eD] := some D; rewrite ?Dk ?k0 ?leqnn //.
  exists e; rewrite eD cardsU Dk (_ : B :&: D = set0) ?cards0 ?subn0 //; apply/eqP; rewrite setI_eq0 disjoint_sym disjoints_subset //.
have full D : ~: B \subset D -> #|B :|: D| = M.
  move=> sub; rewrite (_ : B :|: D = setT) ?cardsT ?card_ord //; apply/eqP; rewrite -subTset -(setUCr B); exact: setUS.
have Ck : (#|~: B| < k)%N by rewrite card_setC_ord ltn_subLR.
have [Mk | big] := leqP k M; last first.
  have [| di |e eD] := some setT; first by rewrite cardsT card_ord M0 ltnW.
    by move: big; rewrite ltnNge kM.
  by exists e; rewrite eD full ?subsetT.
have /card_gt0P[A] : (0 < #|[set A : {set 'I_M} | A \subset B & #|A| == k - #|~: B|]|)%N.
  by rewrite cards_draws bin_gt0 leq_subLR card_setC_ord subnK.
rewrite inE => /andP[AB /eqP Ak]; have Dk : #|~: B :|: A| = k.
  rewrite cardsU (_ : ~: B :&: A = set0) ?cards0 ?subn0 ?Ak ?subnKC ?(ltnW Ck) //.
  by apply/eqP; rewrite setI_eq0 disjoint_sym disjoints_subset setCK.
have [| |e eD] := some (~: B :|: A); rewrite ?Dk ?k0 ?leqnn //.
by exists e; rewrite eD full ?subsetUl.
Qed.

Lemma resultE s e : val (after s e) = by_messages.result false s e.
Proof. exact: by_messages.afterE. Qed.

Lemma stays s e : bits s = setT -> after s e = s.
Proof. by move=> full; apply: val_inj; rewrite resultE /by_messages.result /sets_bit full subsetT. Qed.

Lemma leave B : (#|B| <= n * k)%N -> (n * k < M)%N -> exists e, ~~ (places e \subset B).
Proof.
move=> le lt; have [e more] := grow B; exists e; apply: contraTN k0 => /setUidPl same.
by move: more; rewrite same; case: (leqP M (#|B| + k)) => [_ e1 | _ e1]; [move: lt; rewrite -e1 ltnNge le | rewrite -eqn0Ngt -(eqn_add2l #|B|) -e1 addn0].
Qed.

Let no_retain : false -> (0 < n)%N. Proof. by []. Qed.
Let l0 e : 0 <= likely e. Proof. exact: ltW (likely_gt0 M0 kM e). Qed.
Let l1 : \sum_e likely e = 1. Proof. exact: likely_sum. Qed.

Section Fills.
Hypothesis Mn : (M <= n * k)%N.

Let fills s e : bool := bits (after s e) == setT.

Lemma full_once s : exists j, lasts likely after fills j s < 1.
Proof.
have /card_gt0P[e0 _] := hash0 M0 kM.
have done t : bits t = setT -> exists j, lasts likely after fills j t < 1.
  by move=> full; exists 1%N; apply: (lasts_step l0 l1 (likely_gt0 M0 kM e0)); left; rewrite /fills stays // full.
have sets t e : bits t != setT -> #|bits t :|: places e| = minn M (#|bits t| + k) -> sets_bit t e.
  move=> part le; apply: contra part => /setUidPl same; move: le; rewrite same /minn; case: ifP => _.
    by move=> full; rewrite eqEcard subsetT cardsT card_ord full leqnn.
  by move=> e1; move: k0; rewrite -(ltn_add2l #|bits t|) -e1 addn0 ltnn.
have onwards t e : sets_bit t e -> stage t != ord_max ->
    stage (after t e) = (stage t).+1 :> nat /\ bits (after t e) = bits t :|: places e.
  move=> se ne; rewrite /stage /bits resultE /by_messages.result se (negbTE ne) /= inordK //.
  by rewrite ltn_neqAle ltn_ord andbT eqSS; apply: contraNneq ne => e'; apply/eqP/val_inj.
have next t e : sets_bit t e -> (exists j, lasts likely after fills j (after t e) < 1) -> exists j, lasts likely after fills j t < 1.
  by move=> _ [j lt]; exists j.+1; apply: (lasts_step l0 l1 (likely_gt0 M0 kM e)); right.
have fast t : #|bits t| = minn M (stage t * k) -> exists j, lasts likely after fills j t < 1.
  have [d] := ubnP (n - stage t); elim: d t => // d IH t; rewrite ltnS => le size.
  have [/done // | part] := eqVneq (bits t) setT.
  have ne : stage t != ord_max.
    apply: contra part => /eqP last; move: size; rewrite last /= (minn_idPl Mn) => full.
    by rewrite eqEcard subsetT cardsT card_ord full leqnn.
  have [e more] := grow (bits t); have se := sets t e part more; apply: (next t e se); have [up bitsE] := onwards t e se ne.
  apply: IH; first by rewrite up; apply: leq_trans le; rewrite ltn_sub2l // ltn_neqAle -ltnS ltn_ord andbT.
  rewrite bitsE up more size mulSn addnC; have [small | /ltnW big] := leqP (stage t * k) M; first by rewrite addnC.
  by rewrite !(minn_idPl _) // ?leq_addl ?leq_addr // (leq_trans big) // leq_addl.
have [d] := ubnP (n - stage s); elim: d s => // d IH s; rewrite ltnS => le.
have [/done // | part] := eqVneq (bits s) setT.
have [e more] := grow (bits s); have se := sets s e part more; apply: (next s e se).
have [last | ne] := eqVneq (stage s) ord_max.
  by apply: fast; rewrite /stage /bits resultE /by_messages.result se last /= eqxx /= cards0 mul0n minn0.
have [up _] := onwards s e se ne.
by apply: IH; rewrite up; apply: leq_trans le; rewrite ltn_sub2l // ltn_neqAle -ltnS ltn_ord andbT.
Qed.

Lemma few_new : exists K : rat, forall T s, `|total T s - T%:R| <= K.
Proof.
have [K le] := cycle_bounded l0 l1 full_once empty; exists K => T s.
have up j t : total j t <= j%:R.
  elim: j t => [|j IH] t //=; rewrite -[j.+1]add1n natrD -[leRHS](mean_const l1); apply: (mean_le l0) => e.
  by rewrite ler_add // /by_messages.positive; case: (sets_bit t e).
have full j t : bits t = setT -> total j t = j%:R.
  move=> ft; elim: j => [|j IH] //=; rewrite -[j.+1]add1n natrD -[RHS](mean_const l1); apply: eq_mean => e.
  by rewrite stays // IH /by_messages.positive /sets_bit ft subsetT.
rewrite distrC ger0_norm ?subr_ge0 //; apply: le_trans (le T s); elim: T s => [|T IH] s /=; first by rewrite subrr.
rewrite ler_subl_addr -mean_add -[leLHS](mean_const l1); apply: (mean_le l0) => e.
have pos : 0 <= by_messages.positive s e by rewrite ler0n.
rewrite -[T.+1]add1n natrD -[leRHS]addrA ler_add2l [leRHS]addrCA ler_paddl //; case fe: (fills s e).
  by rewrite mul0r add0r full //; exact/eqP.
by rewrite mul1r -ler_subl_addr.
Qed.
End Fills.

Lemma actual_form (f : 'I_n.+1 -> rat) : (forall i, f i < 1) ->
  let S := \sum_i (1 + f i / (1 - f i)) in 0 < S /\ actual f = 1 - n.+1%:R / S.
Proof.
move=> f1 S; have g0 i : 0 < 1 - f i by rewrite subr_gt0.
have inv i : 1 + f i / (1 - f i) = (1 - f i)^-1 by rewrite -[X in X + _](@divff _ (1 - f i)) ?gt_eqF // -mulrDl subrK div1r.
have S0 : 0 < S.
  by rewrite /S (bigD1 ord0) //= ltr_spaddl ?inv ?invr_gt0 // sumr_ge0 // => i _; rewrite inv invr_ge0 ltW.
split=> //; have e : \sum_i f i / (1 - f i) = S - n.+1%:R by rewrite /S big_split /= sumr_const card_ord [X in _ = X - _]addrC addrK.
by rewrite /actual -/S e mulrBl divff ?gt_eqF.
Qed.

Section Bounds.
Hypothesis nM : (n * k < M)%N.
Variable pi : state -> rat.
Hypothesis pp : preserved likely after pi.
Local Notation recycles := (@by_messages.recycles M k n distinct).

(* The sum of g over the bits of the states in the stage i, weighted with pi; and how often the filter recycles. *)
Let over i (g : {set 'I_M} -> rat) : rat := \sum_s pi s * ((stage s == i :> nat)%:R * g (bits s)).
Let often : rat := cycles.often likely recycles pi.
Let p B : rat := inside places B.

Lemma meanE (f : hash -> rat) : chains.mean likely f = recycling.mean f.
Proof. by rewrite /chains.mean /recycling.mean mulr_suml; apply: eq_bigr => e _; rewrite mulrC. Qed.

Lemma over_first g : over 0 (fun B => (1 - p B) * g B) = often * g set0.
Proof.
have [_ _ st] := pp; have := pushed (fun s => (stage s == 0%N :> nat)%:R * g (bits s)) st.
rewrite -/(over 0 g) (_ : \sum_s _ = over 0 (fun B => p B * g B) + often * g set0) => [e|].
  have -> : over 0 (fun B => (1 - p B) * g B) = over 0 g - over 0 (fun B => p B * g B).
    by rewrite /over -sumrB; apply: eq_bigr => s _; rewrite -mulrBr -mulrBr mulrBl mul1r.
  by rewrite -e addrAC subrr add0r.
rewrite /often /cycles.often mulr_suml /over -big_split; apply: eq_bigr => s _ /=; rewrite -mulrA -mulrDr; congr (_ * _).
rewrite (_ : _ + _ = chains.mean likely (fun e => ((stage s == 0%N :> nat)%:R * g (bits s)) * (places e \subset bits s)%:R + g set0 * (recycles s e)%:R)); last first.
  by rewrite mean_add !mean_scale (meanE (fun e => _%:R)) -mulrA [g (bits s) * _]mulrC [g set0 * _]mulrC.
apply: eq_mean => e; have rE := resultE s e; rewrite /stage /bits rE /by_messages.result /by_messages.recycles /sets_bit -/(stage s).
case: (places e \subset bits s) => /=; first by rewrite mulr0 addr0 mulr1.
rewrite mulr0 add0r; case: (stage s =P ord_max) => [_ | ne] /=; first by rewrite mulr1 mul1r.
rewrite inordK ?mul0r ?mulr0 //; rewrite ltn_neqAle ltn_ord andbT eqSS; apply: contra_not_neq ne => e'; exact: val_inj.
Qed.

Lemma over_next i g : (i < n)%N ->
  over i.+1 (fun B => (1 - p B) * g B) = over i (fun B => recycling.mean (fun e => (~~ (places e \subset B))%:R * g (B :|: places e))).
Proof.
move=> lt; have [_ _ st] := pp; have := pushed (fun s => (stage s == i.+1 :> nat)%:R * g (bits s)) st.
rewrite -/(over i.+1 g) (_ : \sum_s _ = over i.+1 (fun B => p B * g B) + over i (fun B => recycling.mean (fun e => (~~ (places e \subset B))%:R * g (B :|: places e)))) => [e|].
  have -> : over i.+1 (fun B => (1 - p B) * g B) = over i.+1 g - over i.+1 (fun B => p B * g B).
    by rewrite /over -sumrB; apply: eq_bigr => s _; rewrite -mulrBr -mulrBr mulrBl mul1r.
  by rewrite -e addrAC subrr add0r.
rewrite /over -big_split; apply: eq_bigr => s _ /=; rewrite -mulrDr; congr (_ * _).
rewrite (_ : _ + _ = chains.mean likely (fun e => ((stage s == i.+1 :> nat)%:R * g (bits s)) * (places e \subset bits s)%:R +
    (stage s == i :> nat)%:R * ((~~ (places e \subset bits s))%:R * g (bits s :|: places e)))); last first.
  by rewrite mean_add !mean_scale !meanE -mulrA [g (bits s) * _]mulrC.
apply: eq_mean => e; have rE := resultE s e; rewrite /stage /bits rE /by_messages.result /sets_bit -/(stage s).
case: (places e \subset bits s) => /=; first by rewrite mul0r mulr0 addr0 mulr1.
rewrite mulr0 add0r mul1r; case: (stage s =P ord_max) => [-> | ne] /=.
  by rewrite mul0r (gtn_eqF lt) mul0r.
by rewrite inordK ?eqSS // ltn_neqAle ltn_ord andbT eqSS; apply: contra_not_neq ne => e'; exact: val_inj.
Qed.

(* The bits at the stage i, where every message that sets a bit leaves the stage. *)
Lemma over_setting i g : (i <= n)%N -> over i (fun B => (1 - p B) * g B) = often * after_setting places i g set0.
Proof.
elim: i g => [|i IH] g le; first exact: over_first.
pose S h B := recycling.mean (fun e => (~~ (places e \subset B))%:R * h (B :|: places e)) / (1 - p B).
have comm j h B : after_setting places j (S h) B = after_setting places j.+1 h B.
  elim: j B => [|j IHj] B //; rewrite [LHS]/=; congr (_ / _); apply: recycling.eq_mean => e; by rewrite IHj.
rewrite over_next // -comm -IH ?(ltnW le) //; apply: eq_bigr => s _; congr (_ * (_ * _)).
rewrite mulrC divfK // subr_eq0 eq_sym lt_eqF //; apply: (inside_lt1 (sigma := (n * k)%N) (fun B le => leave le nM)).
by apply: leq_trans (valP s) _; rewrite leq_mul2r -ltnS ltn_ord orbT.
Qed.

(* What a rate x of at most p_i says of the messages that come in the stage i and set no bit. *)
Lemma stage_above i x : (i <= n)%N -> x < 1 -> x <= positive_after places i -> x / (1 - x) <= positives_at distinct pi i / often.
Proof.
move=> le x1 xp; have [pi0 _ _] := pp; have o0 : 0 < often := often_gt0 l0 l1 (by_messages.ends_once k0 M0 kM no_retain nM) pp.
have x10 : 0 < 1 - x by rewrite subr_gt0.
have xm : x <= after_setting places i p set0.
  have le' : (i.-1 * k <= n * k)%N by rewrite leq_mul2r (leq_trans (leq_pred i) le) orbT.
  by apply: le_trans xp _; exact: (matches_above (hash0 M0 kM) (fun B le => leave le nM) (@few_places M k distinct) le').
have posE : positives_at distinct pi i = over i p.
  apply: eq_bigr => s _; congr (_ * _); rewrite /p /inside -meanE -mean_scale; apply: eq_mean => e.
  by rewrite /positive_at /sets_bit negbK; case: (_ == _); rewrite ?mul1r ?mul0r.
have whole : over i (fun B => 1 - p B) = often.
  transitivity (sets_at distinct pi i); last by rewrite (stages M0 kM no_retain le pp) mul1r.
  apply: eq_bigr => s _; congr (_ * _); have -> : 1 - p (bits s) = chains.mean likely (fun e => (sets_bit s e)%:R).
    apply/eqP; rewrite subr_eq /p /inside -meanE -mean_add -[X in X == _](mean_const l1); apply/eqP; apply: eq_mean => e.
    by rewrite /sets_bit; case: (_ \subset _); rewrite ?add0r ?addr0.
  by rewrite -mean_scale; apply: eq_mean => e; case: (_ == _); rewrite ?mul0r ?mul1r.
have lo : often * (x - x ^+ 2) <= over i p * (1 - x) ^+ 2.
  apply: (@le_trans _ _ (over i (fun B => (1 - p B) * p B) - x ^+ 2 * over i (fun B => 1 - p B))).
    by rewrite over_setting // whole mulrBr [x ^+ 2 * _]mulrC ler_add2r ler_wpmul2l // ltW.
  rewrite /over !mulr_sumr mulr_suml -sumrB; apply: ler_sum => s _; set u := p _; set c := (_ == _)%:R.
  rewrite [x ^+ 2 * _]mulrCA -mulrBr -mulrA; apply: (ler_wpmul2l (pi0 s)); rewrite [x ^+ 2 * _]mulrCA -mulrBr -mulrA; apply: (ler_wpmul2l (ler0n _ _)).
  rewrite -subr_ge0; have -> : u * (1 - x) ^+ 2 - ((1 - u) * u - x ^+ 2 * (1 - u)) = (u - x) ^+ 2 by identity.
  exact: sqr_ge0.
rewrite posE ler_pdivr_mulr // mulrAC ler_pdivl_mulr //; rewrite -(ler_pmul2r x10) -[leRHS]mulrA -expr2; apply: le_trans lo.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; identity.
Qed.

Let share : \sum_s pi s * chains.mean likely (positive s) = 1 - n.+1%:R * often.
Proof.
have [one <-] := stage_totals k0 M0 kM no_retain pp; move: one; rewrite big_split /= sumr_const card_ord -/often => e.
by rewrite mulr_natl; apply/eqP; rewrite -subr_eq opprK e.
Qed.

(* If no rate is above P(F_i = 1), then the averages (2) and (3) of the rates are at most the rate of the filter. *)
Lemma averages_below (f : 'I_n.+1 -> rat) : (forall i, f i < 1) -> (forall i, f i <= positive_after places i) ->
  oracle f <= actual f /\ actual f <= \sum_s pi s * chains.mean likely (positive s).
Proof.
move=> f1 fp; have [le _] := averages_in_order f1 (ltn0Sn n); split=> //.
have o0 : 0 < often := often_gt0 l0 l1 (by_messages.ends_once k0 M0 kM no_retain nM) pp.
have [S0 actualE] := actual_form f1; move: S0 actualE; set S := \sum_i _ => S0 actualE.
have So : S * often <= 1.
  have [one _] := stage_totals k0 M0 kM no_retain pp; rewrite -one mulr_suml; apply: ler_sum => i _.
  rewrite -/often -ler_pdivl_mulr // mulrDl divff ?gt_eqF // addrC ler_add2r; apply: stage_above => //.
  by rewrite -ltnS.
rewrite actualE share ler_add2l ler_opp2 ler_pdivl_mulr // -mulrA; apply: ler_pimulr; first exact: ler0n.
by rewrite mulrC.
Qed.
Lemma below_one : \sum_s pi s * chains.mean likely (positive s) < 1.
Proof.
have o0 : 0 < often := often_gt0 l0 l1 (by_messages.ends_once k0 M0 kM no_retain nM) pp.
by rewrite share ltr_subl_addr ltr_addl mulr_gt0 ?ltr0n.
Qed.
End Bounds.

(* Dozier-FP, section III, for k independent and for k distinct positions: if the first N - 1 messages cannot fill the filter,
   then in the long run the share of the false positives is below 1. If they can, then it is 1. *)
Theorem counted_fills :
  ((n * k < M)%N -> exists r K : rat, r < 1 /\ forall T, `|total T empty - T%:R * r| <= K) /\
  ((M <= n * k)%N -> exists K : rat, forall T, `|total T empty - T%:R| <= K).
Proof.
split=> [nM | Mn]; last by have [K le] := few_new Mn; exists K.
have [pi pp] := @chain_states M k n distinct false M0 kM; have [z reach] := by_messages.home k0 M0 kM no_retain nM.
have [K le] := chain_long_run l0 l1 reach positive pp.
by exists (\sum_s pi s * chains.mean likely (positive s)), K; split=> //; exact: below_one.
Qed.

(* The rate in the long run is at least the averages of lower rates. *)
Lemma averages_lower (f : 'I_n.+1 -> rat) : (forall i, f i < 1) -> (forall i, f i <= positive_after places i) ->
  exists r K : rat, [/\ forall T, `|total T empty - T%:R * r| <= K, oracle f <= actual f & actual f <= r].
Proof.
move=> f1 fp; have [nM | Mn] := ltnP (n * k) M.
  have [pi pp] := @chain_states M k n distinct false M0 kM; have [z reach] := by_messages.home k0 M0 kM no_retain nM.
  have [K le] := chain_long_run l0 l1 reach positive pp; have [oa ar] := averages_below nM pp f1 fp.
  by exists (\sum_s pi s * chains.mean likely (positive s)), K.
have [K le] := few_new Mn; have [oa _] := averages_in_order f1 (ltn0Sn n).
exists 1, K; split=> // [T|]; first by rewrite mulr1.
have [S0 ->] := actual_form f1; by rewrite ler_subl_addr ler_addl divr_ge0 ?ler0n // ltW.
Qed.
End Both.

Section Allowed.
Variables (M k : nat).
Hypotheses (k0 : (0 < k)%N) (M1 : (1 < M)%N).
Local Notation throws := (@hits M k).
Implicit Types (B : {set 'I_M}).

Let q : rat := (1 - M%:R^-1) ^+ k.
Let M0 : (0 < M)%N. Proof. exact: ltnW M1. Qed.
Let MR : (M%:R : rat) != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

(* The mean number of bits that are not set, after i messages. *)
Lemma unset_after (a b : rat) i B :
  after_messages throws i (fun B => a + b * (M - #|B|)%:R) B = a + b * q ^+ i * (M - #|B|)%:R.
Proof.
have some : (0 < #|{ffun 'I_k -> 'I_M}|)%N by rewrite card_ffun !card_ord expn_gt0 M0.
elim: i B => [|i IH] B; first by rewrite expr0 mulr1.
rewrite /= (recycling.eq_mean (fun e => IH _)) recycling.mean_add (mean_constant some) recycling.mean_scale; congr (_ + _).
rewrite exprSr [in RHS]mulrA -[RHS]mulrA; congr (_ * _); rewrite (recycling.eq_mean (g := fun e => \sum_(x | x \notin B) (throws e \subset ~: [set x])%:R)) => [|e].
  rewrite recycling.mean_sum (eq_bigr (fun=> q)) => [|x _].
    rewrite sumr_const -[_ *+ _]mulr_natr; congr (_ * _%:R); rewrite -card_setC_ord; apply: eq_card => x; by rewrite !inE.
  rewrite -/(inside throws _) throws_inside card_setC_ord cards1 /q; congr (_ ^+ _).
  by rewrite natrB // mulrBl divff // mul1r.
rewrite -card_setC_ord -sum1_card natr_sum big_mkcond [RHS]big_mkcond; apply: eq_bigr => x _.
rewrite !inE negb_or; case: (x \in B) => //=; rewrite subsetC sub1set inE; by case: (x \in _).
Qed.

(* The rate by (1) is at most P(F_i = 1). *)
Lemma worst_below i : (1 - q ^+ i) ^+ k <= positive_after throws i.
Proof.
have q01 : 0 <= q <= 1.
  have x : 0 <= (1 - M%:R^-1 : rat) <= 1 by rewrite subr_ge0 invf_le1 ?ltr0n // ler1n M0 /= ler_subl_addr ler_addl invr_ge0 ler0n.
  by have /andP[x0 x1] := x; rewrite exprn_ge0 //= exprn_ile1.
have /andP[q0 q1] := q01; pose c := 1 - q ^+ i; have c0 : 0 <= c by rewrite subr_ge0 exprn_ile1.
pose d : rat := k%:R * c ^+ k.-1; pose g B : rat := (c ^+ k + d * q ^+ i) + (- d / M%:R) * (M - #|B|)%:R.
have gE : after_messages throws i g set0 = c ^+ k.
  by rewrite unset_after cards0 subn0 [_ * _ * M%:R]mulrAC divfK // mulNr addrK.
rewrite -/c -gE /positive_after; have low B : g B <= inside throws B.
  rewrite throws_inside /g; have BM : (#|B| <= M)%N by rewrite -[X in (_ <= X)%N]card_ord max_card.
  set X : rat := #|B|%:R / M%:R; have X0 : 0 <= c + (X - c) by rewrite addrC subrK divr_ge0 ?ler0n.
  have := @tangent c (X - c) k c0 X0; rewrite [c + (X - c)]addrC subrK -/d; apply: le_trans.
  rewrite natrB // mulrBr divfK // mulNr mulNr (_ : d / M%:R * #|B|%:R = d * X); last by rewrite mulrAC -mulrA.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /c; set Q := q ^+ i; set C := _ ^+ k; identity.
have up (h : {set 'I_M} -> rat) j B : (forall B, g B <= h B) -> after_messages throws j g B <= after_messages throws j h B.
  by move=> le; elim: j B => //= j IH B; apply: mean_mono => e; exact: IH.
exact: up.
Qed.

(* Dozier-FP, section III, last paragraph, for k independent positions and a filter that does not retain, with (1) for the
   rate that the message after i messages meets: the filter has a rate r in the long run. If r is at most F < 1, so is f_a
   by (3), and if f_a is, so is f_o by (2). So the N that a rate F allows is at most the N by f_a, and this is at most the
   N by f_o. *)
Theorem allowed_messages N (F : rat) : (0 < N)%N -> F < 1 ->
  let f (i : 'I_N) : rat := (1 - (1 - M%:R^-1) ^+ (k * i)) ^+ k in
  let positives T := total (@by_messages.likely M k false) (@by_messages.after M k N.-1 false false)
    (@by_messages.positive M k N.-1 false) T (by_messages.empty M k N.-1) in
  exists r K : rat, [/\ forall T, `|positives T - T%:R * r| <= K, r <= F -> actual f <= F & actual f <= F -> oracle f <= F].
Proof.
case: N => // n _ F1 f positives; have fE i : f i = (1 - q ^+ i) ^+ k by rewrite /f exprM.
have [f1 _] := actual_above_oracle M1 k0 (ltn0Sn n).
have [r [K [long oa ar]]] := @averages_lower M k n false k0 M0 (fun e => False_ind _ (Bool.diff_false_true e)) f f1 (fun i => eq_ind_r (fun x => x <= _) (worst_below i) (fE i)).
by exists r, K; split=> // [rF | aF]; [exact: le_trans ar rF | exact: le_trans oa aF].
Qed.
End Allowed.
