(* The recycling filter of one phase, as a machine: its bits, and what a message does to them.

   A message is the set of its places. It is compared with the bits, which says new or repeat, and sets them; when more
   than sigma bits are set the filter clears, and sets the message's places again if it retains. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Machine.
Variables (P : finType) (sigma : nat) (retain : bool).
Implicit Types (bits x : {set P}) (later : seq {set P}).

Definition recycles bits x : bool := (sigma < #|bits :|: x|)%N.
Definition next bits x : {set P} := if recycles bits x then (if retain then x else set0) else bits :|: x.
Definition after bits later : {set P} := foldl next bits later.

(* Whether no message of later makes the filter recycle. *)
Fixpoint quiet bits later : bool := if later is x :: rest then ~~ recycles bits x && quiet (next bits x) rest else true.

Lemma quiet_grows bits later : quiet bits later -> bits \subset after bits later.
Proof.
elim: later bits => [|x later IH] bits //= /andP[/negbTE no q].
by apply: subset_trans (IH _ q); rewrite /next no subsetUl.
Qed.

(* No false negative within a cycle: a message that was recorded is recognised until the filter recycles. *)
Theorem recognised_within_cycle bits x later :
  retain || ~~ recycles bits x -> quiet (next bits x) later -> x \subset after (next bits x) later.
Proof.
move=> kept q; apply: subset_trans (quiet_grows q); rewrite /next.
by case: ifP kept => [_ | _ _]; [rewrite orbF => -> | exact: subsetUr].
Qed.

(* Within a cycle, a message that is recognised changes nothing, and neither does any number of such messages. *)
Theorem repeats_set_nothing bits later : (#|bits| <= sigma)%N -> all (fun x => x \subset bits) later ->
  quiet bits later /\ after bits later = bits.
Proof.
move=> le; elim: later => [|x later IH] //= /andP[xb all].
have same : bits :|: x = bits by apply/setUidPl.
have no : recycles bits x = false by rewrite /recycles same ltnNge le.
by rewrite /next no same; have [q a] := IH all; rewrite q a.
Qed.

(* Within a cycle, the set bits are the union of the bits of the messages, in whatever order the messages come. *)
Theorem bits_of_cycle bits later : quiet bits later -> after bits later = bits :|: \bigcup_(x <- later) x.
Proof.
elim: later bits => [|x later IH] bits /=; first by rewrite big_nil setU0.
by move=> /andP[/negbTE no q]; rewrite (IH _ q) /next no big_cons setUA.
Qed.

(* After each message at most sigma bits are set, if a message has at most sigma places or is not retained. *)
Theorem never_above bits x : ~~ retain || (#|x| <= sigma)%N -> (#|next bits x| <= sigma)%N.
Proof.
rewrite /next /recycles; case: ltnP => // _; case: retain => //= _.
by rewrite cards0.
Qed.
End Machine.

(* The filter with one position and no retaining: its chain on the states 0, ..., sigma. *)
Section OnePosition.
Variables M sigma : nat.
Hypothesis sM : (sigma < M)%N.

(* The share of the places that take a filter of a bits to one of b: a place that is set, a new one, or the recycling. *)
Definition moves (a b : nat) : rat :=
  (a == b)%:R * (a%:R / M%:R) + ((if a == sigma then 0%N else a.+1) == b)%:R * ((M - a)%:R / M%:R).

Let M0 : (M%:R : rat) != 0. Proof. by rewrite pnatr_eq0 -lt0n (leq_ltn_trans _ sM). Qed.

(* The probabilities of the moves are the probabilities by which the machine changes its number of set bits. *)
Theorem moves_of_machine (bits : {set 'I_M}) b : (#|bits| <= sigma)%N -> (b <= sigma)%N ->
  moves #|bits| b = (#|[set y : 'I_M | #|next sigma false bits [set y]| == b]|)%:R / M%:R.
Proof.
move=> le bs; rewrite -[X in _ = X%:R / _]sum1_card natr_sum big_mkcond (bigID (mem bits)) /= mulrDl; congr (_ + _).
  rewrite (eq_bigr (fun=> (#|bits| == b)%:R)) => [|y yb]; last first.
    have same : bits :|: [set y] = bits by apply/setUidPl; rewrite sub1set.
    by rewrite inE /next /recycles same ltnNge le; case: (_ == b).
  by rewrite sumr_const -[_ *+ #|_|]mulr_natr mulrA.
rewrite (eq_bigr (fun=> ((if #|bits| == sigma then 0%N else #|bits|.+1) == b)%:R)) => [|y yb]; last first.
  have more : #|bits :|: [set y]| = #|bits|.+1 by rewrite setUC cardsU1 yb.
  rewrite inE /next /recycles more ltnS [#|bits| == sigma]eqn_leq le /=.
  by case: leqP => _; rewrite ?cards0 ?more; case: (_ == b).
rewrite sumr_const -[_ *+ #|_|]mulr_natr mulrA; congr (_ * _%:R / _).
have <- : #|~: bits| = (M - #|bits|)%N by rewrite [LHS]cardsCs setCK card_ord.
by apply: eq_card => y; rewrite !inE.
Qed.

Let h (b : nat) : rat := (M - b)%:R^-1.
Let total : rat := \sum_(b < sigma.+1) h b.
Let Mb b : (b <= sigma)%N -> (M - b)%:R != 0 :> rat.
Proof. by move=> bs; rewrite pnatr_eq0 subn_eq0 -ltnNge (leq_ltn_trans bs). Qed.

(* A distribution that the moves preserve has weights in proportion to 1/(M - b). *)
Theorem stationary (pi : nat -> rat) :
  (forall b, (b <= sigma)%N -> \sum_(a < sigma.+1) pi a * moves a b = pi b) <->
  (forall b, (b <= sigma)%N -> pi b * (M - b)%:R = pi sigma * (M - sigma)%:R).
Proof.
have into b : (b <= sigma)%N -> \sum_(a < sigma.+1) pi a * moves a b =
    pi b * (b%:R / M%:R) + (if b is b'.+1 then pi b' * (M - b')%:R / M%:R else pi sigma * (M - sigma)%:R / M%:R).
  move=> bs; under eq_bigr => a _ do rewrite /moves mulrDr.
  rewrite big_split /=; congr (_ + _).
    rewrite (bigD1 (inord b)) //= inordK ?ltnS // eqxx mul1r big1 ?addr0 // => a.
    by rewrite -val_eqE /= inordK ?ltnS // => /negbTE ->; rewrite mul0r mulr0.
  case: b bs => [_ | b bs].
    rewrite (bigD1 ord_max) //= eqxx eqxx mul1r mulrA big1 ?addr0 // => a.
    by rewrite -val_eqE /= => /negbTE ->; rewrite mul0r mulr0.
  rewrite (bigD1 (inord b)) //= inordK ?(ltnW bs) ?ltnS 1?ltnW // (ltn_eqF bs) eqxx mul1r mulrA big1 ?addr0 // => a.
  rewrite -val_eqE /= inordK ?ltnS 1?ltnW // => /negbTE ab.
  by case: ifP => _; rewrite ?eqSS ?ab mul0r mulr0.
have bal b (x y : rat) : (b <= sigma)%N -> (x * (b%:R / M%:R) + y / M%:R = x) <-> (y = x * (M - b)%:R).
  move=> bs; have bM : (b <= M)%N by rewrite ltnW // (leq_ltn_trans bs).
  rewrite natrB // mulrBr; split=> [e | ->].
    apply/eqP; rewrite eq_sym subr_eq -(divfK M0 (x * M%:R)) mulfK // -{1}e mulrDl divfK // mulrA divfK //.
    by rewrite addrC.
  by rewrite mulrBl mulfK // mulrA addrC subrK.
split=> [st b bs | pr b bs].
  have step a : (a < sigma)%N -> pi a * (M - a)%:R = pi a.+1 * (M - a.+1)%:R.
    by move=> lt; have := st a.+1 lt; rewrite into // => /(bal _ _ _ lt).
  have up d : (b + d <= sigma)%N -> pi b * (M - b)%:R = pi (b + d)%N * (M - (b + d))%:R.
    elim: d => [|d IH] le; first by rewrite addn0.
    by rewrite addnS in le *; rewrite (IH (ltnW le)) step.
  by have := up (sigma - b)%N; rewrite subnKC // => ->.
by case: b bs => [|b] bs; rewrite into //; apply/(bal _ _ _ bs); rewrite !pr // ltnW.
Qed.

(* Dozier-FP (19): the rate with one position is the mean of b/M over the distribution that the moves preserve. *)
Theorem one_position_rate (pi : nat -> rat) :
  (forall b, (b <= sigma)%N -> \sum_(a < sigma.+1) pi a * moves a b = pi b) -> \sum_(b < sigma.+1) pi b = 1 ->
  \sum_(b < sigma.+1) pi b * (b%:R / M%:R) = \sum_(b < sigma.+1) b%:R / (M%:R * (M - b)%:R * total) /\
  \sum_(b < sigma.+1) pi b * (b%:R / M%:R) = 1 - sigma.+1%:R / (M%:R * total).
Proof.
move=> /stationary pr one; set c := pi sigma * (M - sigma)%:R in pr.
have piE (b : 'I_sigma.+1) : pi b = c * h b.
  have bs : (b <= sigma)%N by rewrite -ltnS ltn_ord.
  by apply: (mulIf (Mb bs)); rewrite pr // /h divfK ?Mb.
have c1 : c * total = 1 by rewrite /total mulr_sumr -one; apply: eq_bigr => b _; rewrite piE.
have t0 : total != 0 by apply: contra_eq_neq c1 => ->; rewrite mulr0 eq_sym oner_eq0.
have cE : c = total^-1 by apply: (mulIf t0); rewrite c1 mulVf.
have first : \sum_(b < sigma.+1) pi b * (b%:R / M%:R) = \sum_(b < sigma.+1) b%:R / (M%:R * (M - b)%:R * total).
  by apply: eq_bigr => b _; rewrite piE cE /h !invfM mulrC -!mulrA; congr (_ * (_ * _)); rewrite mulrC.
split=> //; rewrite (eq_bigr (fun b : 'I_sigma.+1 => pi b - c / M%:R)) => [|b _].
  by rewrite sumrB one sumr_const card_ord cE -[_ *+ _]mulr_natl invfM [M%:R^-1 * _]mulrC.
have bs : (b <= sigma)%N by rewrite -ltnS ltn_ord.
rewrite -(pr _ bs) natrB; last by rewrite ltnW // (leq_ltn_trans bs).
by rewrite mulrBr [in RHS]mulrBl mulfK // opprB addrCA subrr addr0 mulrA.
Qed.
End OnePosition.
