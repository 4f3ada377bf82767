(* The number of set bits of a recycling filter, after i messages that did not make it recycle (Dozier-FN, section 4.1.1).

   The machine is that of machine.v. All sequences of i hashes are equally likely. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import sequences standard classic steps claims machine recycling.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Levels.
Variables (M k sigma : nat) (distinct : bool).
Hypothesis M0 : (0 < M)%N.
Hypothesis kM : (k <= M)%N.
Implicit Types (A B : {set 'I_M}) (i j l : nat).

(* The hashes of a message with k independent positions, or with k distinct positions; and their places. *)
Definition hash : finType := if distinct then [finType of 'I_#|items M k|] else [finType of {ffun 'I_k -> 'I_M}].
Definition places : hash -> {set 'I_M} :=
  if distinct as d return ((if d then [finType of 'I_#|items M k|] else [finType of {ffun 'I_k -> 'I_M}]) -> {set 'I_M})
  then @numbered M k else @hits M k.

(* The probability tau i j that a message takes i set bits to j, if nothing recycles. *)
Definition tau i j : rat := mean (fun e => (#|[set x : 'I_M | (x < i)%N] :|: places e| == j)%:R).

Lemma some_hash : (0 < #|hash|)%N.
Proof.
rewrite /hash; case: distinct; first by rewrite card_ord card_items bin_gt0.
by rewrite card_ffun !card_ord expn_gt0 M0.
Qed.

Lemma few_places e : (#|places e| <= k)%N.
Proof.
move: e; rewrite /places /hash; case: distinct => e /=.
  by have := enum_valP e; rewrite inE => /eqP->.
by rewrite -[X in (_ <= X)%N]card_ord leq_imset_card.
Qed.

Lemma standard_moves_by_number h A B j : #|A| = #|B| -> standard_moves h A j = standard_moves h B j.
Proof.
move=> e; elim: h j => [|h IH] j.
  by rewrite (proj1 (standard_moves_recursion A j M0)) (proj1 (standard_moves_recursion B j M0)) e.
by rewrite (proj2 (standard_moves_recursion A j M0)) (proj2 (standard_moves_recursion B j M0)) IH; case: j => // j; rewrite IH.
Qed.

Lemma classic_moves_by_number A B j : #|A| = #|B| -> classic_moves k A j = classic_moves k B j.
Proof.
move=> e; have [out | /norP[]] := boolP ((j < #|A|)%N || (#|A| + k < j)%N).
  by rewrite !classic_moves0 // -e.
rewrite -!leqNgt => lo hi; have d : (j - #|A| <= k)%N by rewrite leq_subLR.
rewrite -{1}(subnKC lo) classic_movesE // {1}e.
have lo' : (#|B| <= j)%N by rewrite -e.
by rewrite -[j in RHS](subnKC lo') classic_movesE -e.
Qed.

Lemma card_first b : (b <= M)%N -> #|[set x : 'I_M | (x < b)%N]| = b.
Proof.
move=> le; rewrite cardsE -sum1_card (eq_bigl (fun x : 'I_M => (x < b)%N)) // -(big_ord_widen M (fun=> 1%N) le).
by rewrite sum1_card card_ord.
Qed.

Lemma moves_by_number A j : mean (fun e => (#|A :|: places e| == j)%:R) = tau #|A| j.
Proof.
have e : #|A| = #|[set x : 'I_M | (x < #|A|)%N]| by rewrite card_first // -[X in (_ <= X)%N]card_ord max_card.
rewrite /tau /places /hash; case: distinct; first exact: classic_moves_by_number e.
exact: standard_moves_by_number e.
Qed.

(* The messages of a sequence of hashes; whether none of them makes the filter recycle; and the bits after them. *)
Definition sets i (s : {ffun 'I_i -> hash}) : seq {set 'I_M} := [seq places (s a) | a <- enum 'I_i].
Definition fits i (s : {ffun 'I_i -> hash}) : bool := quiet sigma false set0 (sets s).
Definition bits i (s : {ffun 'I_i -> hash}) : {set 'I_M} := after sigma false set0 (sets s).

(* The probability that i messages set l bits and did not make the filter recycle; and that they set l bits, given that
   they did not. *)
Definition psi l i : rat := average (fun s : {ffun 'I_i -> hash} => (fits s && (#|bits s| == l))%:R).
Definition phi l i : rat := psi l i / \sum_(j < sigma.+1) psi j i.

Let union i (s : {ffun 'I_i -> hash}) : {set 'I_M} := \bigcup_a places (s a).


Lemma quiet_union (xs : seq {set 'I_M}) A : (#|A| <= sigma)%N ->
  quiet sigma false A xs = (#|A :|: \bigcup_(x <- xs) x| <= sigma)%N.
Proof.
elim: xs A => [|x xs IH] A le; first by rewrite big_nil setU0 le.
rewrite big_cons setUA [LHS]/= /next /recycles.
have [fit | over] := leqP #|A :|: x| sigma => /=; first by rewrite IH.
by symmetry; apply/negbTE; rewrite -ltnNge (leq_trans over) // subset_leq_card // subsetUl.
Qed.

Lemma fitsE i (s : {ffun 'I_i -> hash}) : fits s = (#|union s| <= sigma)%N.
Proof. by rewrite /fits quiet_union ?cards0 // set0U /sets big_map big_enum. Qed.

Lemma bitsE i (s : {ffun 'I_i -> hash}) : fits s -> bits s = union s.
Proof. by move=> fit; rewrite /bits bits_of_cycle // set0U /sets big_map big_enum. Qed.

Lemma psiE l i : psi l i = average (fun s : {ffun 'I_i -> hash} => ((#|union s| <= sigma)%N && (#|union s| == l))%:R).
Proof.
rewrite /psi /average; congr (_ / _); apply: eq_bigr => s _.
by rewrite -fitsE; case: (boolP (fits s)) => // fit; rewrite bitsE.
Qed.

Let all_mean i (f : {ffun 'I_i.+1 -> hash} -> rat) :
  average f = mean (fun e => average (fun s : {ffun 'I_i -> hash} => f (prepend (e, s)))).
Proof.
rewrite /average /mean -mulr_suml -mulrA -invfM -natrM !card_ffun !card_ord -expnSr; congr (_ / _).
rewrite -sum_all big_sequences (eq_bigl _ _ (fun e => in_setT e)); apply: eq_bigr => e _; exact: sum_all.
Qed.

Let average_exchange i (f : hash -> {ffun 'I_i -> hash} -> rat) :
  mean (fun e => average (f e)) = average (fun s => mean (fun e => f e s)).
Proof. by rewrite /average /mean -!mulr_suml exchange_big /= mulrAC. Qed.

Let eq_average i (f g : {ffun 'I_i -> hash} -> rat) : f =1 g -> average f = average g.
Proof. by move=> e; rewrite /average; congr (_ / _); apply: eq_bigr => s _. Qed.

Let mean_seq (r : seq nat) (f : nat -> hash -> rat) :
  mean (fun e => \sum_(j <- r) f j e) = \sum_(j <- r) mean (f j).
Proof. by rewrite /mean exchange_big /= mulr_suml. Qed.

Let size_le A : (#|A| <= M)%N. Proof. by rewrite -[X in (_ <= X)%N]card_ord max_card. Qed.

(* The probability that all places of i messages are b places together. *)
Let many b i : rat := average (fun s : {ffun 'I_i -> hash} => (#|union s| == b)%:R).

Let psi_many l i : (l <= sigma)%N -> psi l i = many l i.
Proof.
by move=> le; rewrite psiE; apply: eq_average => s; case: eqP => [-> | _]; rewrite ?le ?andbF.
Qed.

Let average_by_number i (h : nat -> rat) K : (forall s : {ffun 'I_i -> hash}, (#|union s| < K)%N || (h #|union s| == 0)) ->
  average (fun s : {ffun 'I_i -> hash} => h #|union s|) = \sum_(b < K) many b i * h b.
Proof.
move=> zero; rewrite /many /average; under [RHS]eq_bigr do rewrite mulrAC.
rewrite -mulr_suml; congr (_ / _); under [RHS]eq_bigr do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => s _ /=.
have [lt | le] := ltnP #|union s| K.
  rewrite (bigD1 (Ordinal lt)) //= eqxx mul1r big1 ?addr0 // => b ne.
  by rewrite (_ : _ == _ = false) ?mul0r //; apply: contraNF ne => /eqP e; apply/eqP/val_inj.
have := zero s; rewrite ltnNge le /= => /eqP->; rewrite big1 // => b _.
by rewrite gtn_eqF ?mul0r // (leq_trans _ le).
Qed.

Lemma tau_near b l : (b <= M)%N -> ~~ ((b <= l) && (l <= b + k))%N -> tau b l = 0.
Proof.
move=> bM out; rewrite /tau /mean big1 ?mul0r // => e _; rewrite (_ : _ == _ = false) //; apply: contraNF out => /eqP<-.
rewrite -{1 4}(card_first bM) subset_leq_card ?subsetUl //=.
by apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l few_places.
Qed.

Let sums_meet l (F : nat -> rat) : \sum_(j < l.+1 | (j <= k)%N) F j = \sum_(j < k.+1 | (j <= l)%N) F j.
Proof.
rewrite (big_ord_widen_cond (l + k).+1 (fun j => j <= k)%N F) ?ltnS ?leq_addr //.
rewrite (big_ord_widen_cond (l + k).+1 (fun j => j <= l)%N F) ?ltnS ?leq_addl //.
by apply: eq_bigl => j; rewrite !ltnS andbC.
Qed.

(* Dozier-FN (1), for k independent and for k distinct positions: psi l i, the probability that i messages set l bits and
   did not make the filter recycle, by a recursion over i. *)
Theorem levels_recursion l i :
  psi 0 0 = 1 /\ (psi l i = 0 \/ (l <= sigma)%N) /\
  ((l <= sigma)%N -> psi l i.+1 = \sum_(j < k.+1 | (j <= l)%N) psi (l - j) i * tau (l - j) l).
Proof.
split.
  rewrite psi_many // /many /average (eq_bigr (fun=> 1)); last by move=> s _; rewrite /union big_ord0 cards0 eqxx.
  by rewrite sumr_const divff // pnatr_eq0 card_ffun card_ord expn0.
split.
  have [le | lt] := leqP l sigma; [by right | left]; rewrite psiE /average big1 ?mul0r // => s _.
  by case: eqP => [e | _]; rewrite ?andbF // e leqNgt lt.
move=> le; rewrite psi_many // /many all_mean average_exchange.
rewrite (eq_average (g := fun s => tau #|union s| l)); last first.
  move=> s; rewrite -moves_by_number; apply: eq_mean => e; congr ((_ == _)%:R).
  by rewrite /union -/(covered places _) covered_prepend setUC.
rewrite (average_by_number (h := fun b => tau b l) (K := l.+1)); last first.
  by move=> s; have [// | lt] := ltnP #|union s| l.+1; rewrite tau_near // leqNgt lt.
rewrite (bigID (fun b : 'I_l.+1 => l <= b + k)%N) /= [X in _ + X]big1 ?addr0; last first.
  move=> b out; have [bM | Mb] := leqP b M; first by rewrite tau_near ?mulr0 // (negbTE out) andbF.
  by rewrite /many /average big1 ?mul0r // => s _; rewrite ltn_eqF // (leq_ltn_trans (size_le _)).
rewrite (reindex_inj rev_ord_inj) /= (eq_bigl (fun j : 'I_l.+1 => j <= k)%N); last first.
  by move=> j; rewrite subSS -leq_subLR subKn // -ltnS.
rewrite -(sums_meet l (fun j => psi (l - j) i * tau (l - j) l)); apply: eq_bigr => j _.
by rewrite subSS psi_many // (leq_trans (leq_subr _ _)).
Qed.

(* The mean of p over the sequences of i messages that did not make the filter recycle. *)
Definition given i (p : {ffun 'I_i -> hash} -> rat) : rat :=
  average (fun s : {ffun 'I_i -> hash} => (fits s)%:R * p s) / average (fun s : {ffun 'I_i -> hash} => (fits s)%:R).

Let psi_total i : \sum_(j < sigma.+1) psi j i = average (fun s : {ffun 'I_i -> hash} => (fits s)%:R).
Proof.
rewrite (eq_average (g := fun s => (#|union s| <= sigma)%N%:R)); last by move=> s; rewrite fitsE.
rewrite (average_by_number (h := fun b => (b <= sigma)%N%:R) (K := sigma.+1)).
  by apply: eq_bigr => b _; have le : (b <= sigma)%N := ltn_ord b; rewrite psi_many // le mulr1.
by move=> s; rewrite ltnS; case: leqP.
Qed.

Let given_number i (p : {ffun 'I_i -> hash} -> rat) (h : nat -> rat) : (forall s, fits s -> p s = h #|bits s|) ->
  given p = \sum_(l < sigma.+1) phi l i * h l.
Proof.
move=> ph; rewrite /given -psi_total.
have -> : \sum_(l < sigma.+1) phi l i * h l = (\sum_(l < sigma.+1) psi l i * h l) / \sum_(j < sigma.+1) psi j i.
  by rewrite mulr_suml; apply: eq_bigr => l _; rewrite /phi mulrAC.
apply: (congr1 (fun x => x / _)).
rewrite (eq_average (g := fun s => (#|union s| <= sigma)%N%:R * h #|union s|)); last first.
  by move=> s; rewrite -fitsE; case: (boolP (fits s)) => fit; rewrite ?mul0r // ph // bitsE.
rewrite (average_by_number (h := fun b => (b <= sigma)%N%:R * h b) (K := sigma.+1)).
  by apply: eq_bigr => b _; have le : (b <= sigma)%N := ltn_ord b; rewrite psi_many // le mul1r.
by move=> s; rewrite ltnS; case: leqP; rewrite ?mul0r.
Qed.

(* Dozier-FN (2), (3) and (4), for k independent and for k distinct positions, given that i messages did not make the
   filter recycle: phi l i is the probability of l set bits. One more message makes it recycle with the probability
   (3), and adds no bit with the probability (4). *)
Theorem levels_given i :
  [/\ forall l, (l <= sigma)%N -> given (fun s : {ffun 'I_i -> hash} => (#|bits s| == l)%:R) = phi l i,
      given (fun s : {ffun 'I_i -> hash} => mean (fun e => (recycles sigma (bits s) (places e))%:R)) =
        \sum_(l < sigma.+1 | (sigma < l + k)%N) phi l i * \sum_(sigma.+1 <= j < (l + k).+1) tau l j
    & given (fun s : {ffun 'I_i -> hash} => mean (fun e => (places e \subset bits s)%:R)) = \sum_(l < sigma.+1) phi l i * tau l l].
Proof.
split.
- move=> l le; rewrite (given_number (h := fun b => (b == l)%:R)) // (bigD1 (inord l)) //= inordK // eqxx mulr1.
  rewrite big1 ?addr0 // => b ne; rewrite (_ : _ == _ = false) ?mulr0 //.
  by apply: contraNF ne => /eqP<-; rewrite inord_val.
- rewrite (given_number (h := fun l => \sum_(sigma.+1 <= j < (l + k).+1) tau l j)) => [|s fit].
    rewrite [RHS]big_mkcond; apply: eq_bigr => l _; case: ltnP => // le.
    by rewrite [X in _ * X]big_geq ?mulr0.
  under [RHS]eq_bigr do rewrite -moves_by_number.
  rewrite -mean_seq; apply: eq_mean => e; rewrite /recycles.
  set c := #|bits s :|: places e|; have ck : (c <= #|bits s| + k)%N.
    by apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l few_places.
  have [lt | le] := ltnP sigma c.
    rewrite (big_rem c) ?mem_index_iota ?lt //= eqxx big1_seq ?addr0 // => j /andP[_].
    by rewrite mem_rem_uniq ?iota_uniq // inE eq_sym => /andP[/negbTE->].
  rewrite big1_seq // => j /andP[_]; rewrite mem_index_iota => /andP[lo _].
  by rewrite ltn_eqF // (leq_ltn_trans le).
- rewrite (given_number (h := fun l => tau l l)) // => s fit; rewrite -moves_by_number; apply: eq_mean => e.
  congr (nat_of_bool _)%:R; apply/idP/eqP => [sub | e']; first by rewrite (setUidPl sub).
  by apply/setUidPl/esym/eqP; rewrite eqEcard subsetUl e' leqnn.
Qed.
End Levels.
