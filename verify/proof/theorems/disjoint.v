(* Filters of sets of items, with the same hashing for all: their OR, and their AND.

   The space: T has all items, and h says which choice an item has. All functions h are equally likely. An item with the
   choice e has the positions places e. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard sequences search.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Filters.
Variables (T E P : finType) (places : E -> {set P}).
Implicit Types (h : {ffun T -> E}) (S : {set T}) (B : {set P}).

(* The bits that the items of S set. *)
Definition filter_of h S : {set P} := \bigcup_(x in S) places (h x).

Lemma filter_of_union c h (S : 'I_c -> {set T}) : \bigcup_d filter_of h (S d) = filter_of h (\bigcup_d S d).
Proof.
apply/setP => x; apply/bigcupP/bigcupP => [[d _ /bigcupP[y yS xy]] | [y /bigcupP[d _ yS] xy]].
  by exists y => //; apply/bigcupP; exists d.
by exists d => //; apply/bigcupP; exists y.
Qed.

Lemma card_disjoint c (S : 'I_c -> {set T}) : (forall d d', d != d' -> [disjoint S d & S d']) -> #|\bigcup_d S d| = (\sum_d #|S d|)%N.
Proof. by move=> dis; rewrite -sum1_card partition_disjoint_bigcup //; apply: eq_bigr => d _; rewrite sum1_card. Qed.

(* The items of S in some order. *)
Definition listed h S : {ffun 'I_#|S| -> E} := [ffun i => h (enum_val i)].

Lemma card_listed S (s : {ffun 'I_#|S| -> E}) : #|[set h | listed h S == s]| = (#|E| ^ (#|T| - #|S|))%N.
Proof.
have [S0 | [x0 x0S]] := set_0Vmem S.
  have none (i : 'I_#|S|) : False by have := ltn_ord i; rewrite [X in (_ < X)%N](_ : _ = 0%N) // S0 cards0.
  have -> : [set h | listed h S == s] = setT by apply/setP => h; rewrite !inE; apply/eqP/ffunP => i; case: (none i).
  by rewrite cardsT card_ffun S0 cards0 subn0.
pose F x : {set E} := if x \in S then [set s (enum_rank_in x0S x)] else setT.
have -> : #|[set h | listed h S == s]| = #|family (fun x => mem (F x))|.
  apply: eq_card => h; rewrite inE; apply/eqP/familyP => [hs x | hF].
    by rewrite /F; case: ifP => xS; rewrite inE // -hs ffunE enum_rankK_in.
  apply/ffunP => i; rewrite ffunE; have := hF (enum_val i).
  by rewrite /F enum_valP inE enum_valK_in => /eqP.
rewrite card_family foldrE big_map big_enum /= (bigID (mem S)) /= big1 => [|x xS]; last by rewrite /F xS cards1.
rewrite mul1n (eq_bigr (fun=> #|E|)) => [|x /negbTE xS]; last by rewrite /F xS cardsT.
rewrite prod_nat_const; congr (_ ^ _)%N; rewrite -cardsT -(cardsID S setT) setTI addKn cardsE; by apply: eq_card => x; rewrite [RHS]inE in_setT andbT.
Qed.

Lemma law_of_filter S B :
  (#|[set h | filter_of h S == B]| = #|[set s : {ffun 'I_#|S| -> E} | covered places s == B]| * #|E| ^ (#|T| - #|S|))%N.
Proof.
rewrite -sum_nat_const -sum1_card (partition_big (fun h => listed h S) (fun s => s \in [set s | covered places s == B])) /=.
  apply: eq_bigr => s; rewrite inE => /eqP sB; rewrite sum1_card -(card_listed s); apply: eq_card => h; rewrite !inE.
  rewrite unfold_in /= !inE andb_idl // => /eqP hs; rewrite -sB -hs; apply/eqP.
  rewrite /filter_of /covered [LHS]big_enum_val /=; apply: eq_bigr => i _; by rewrite ffunE.
move=> h; rewrite !inE => /eqP <-; apply/eqP; rewrite /filter_of /covered [RHS]big_enum_val /=; apply: eq_bigr => i _; by rewrite ffunE.
Qed.

(* Burns 3.1: let the sets of n d items share no item. The OR of their filters is a filter of as many items as the n d add
   up to: it has the law of the bits that so many choices set, for any hashing. *)
Theorem or_of_filters c (S : 'I_c -> {set T}) (n : 'I_c -> nat) B : (forall d, #|S d| = n d) ->
  (forall d d', d != d' -> [disjoint S d & S d']) -> (0 < #|E|)%N ->
  #|[set h | \bigcup_d filter_of h (S d) == B]|%:R / (#|E| ^ #|T|)%:R =
  #|[set s : {ffun 'I_(\sum_d n d) -> E} | covered places s == B]|%:R / (#|E| ^ (\sum_d n d))%:R :> rat.
Proof.
move=> sizes dis E0; have card : #|\bigcup_d S d| = (\sum_d n d)%N.
  by rewrite card_disjoint //; apply: eq_bigr.
have -> : [set h | \bigcup_d filter_of h (S d) == B] = [set h | filter_of h (\bigcup_d S d) == B].
  by apply/setP => h; rewrite !inE filter_of_union.
rewrite law_of_filter card natrM; have le : (\sum_d n d <= #|T|)%N by rewrite -card max_card.
have pow : (#|E| ^ #|T| = #|E| ^ (\sum_d n d) * #|E| ^ (#|T| - \sum_d n d))%N by rewrite -expnD subnKC.
have P0 : (#|E| ^ (#|T| - \sum_d n d))%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 E0.
by rewrite pow natrM -mulf_div divff ?mulr1.
Qed.
End Filters.

(* Burns (49): let sets of n d items share no item. The mean number of bits that are set in the standard filters of all of
   these sets. *)
Theorem mean_of_and (T : finType) m k c (S : 'I_c -> {set T}) (n : 'I_c -> nat) (N := (\sum_d n d)%N) : (0 < m)%N -> (0 < N * k)%N ->
  (forall d, #|S d| = n d) -> (forall d d', d != d' -> [disjoint S d & S d']) ->
  (\sum_(h : {ffun T -> {ffun 'I_k -> 'I_m}}) #|\bigcap_d filter_of (@hits m k) h (S d)|%:R) / #|{ffun T -> {ffun 'I_k -> 'I_m}}|%:R =
  (m ^ (N * k).-1)%:R^-1 * \prod_d ((m ^ (n d * k))%:R - (m.-1 ^ (n d * k))%:R) :> rat.
Proof.
move=> m0 N0 sizes dis; pose H := [finType of {ffun T -> {ffun 'I_k -> 'I_m}}]; have M0 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
pose q : rat := (m.-1)%:R / m%:R.
(* The functions that leave out the place x with all items of a set. *)
have out (x : 'I_m) (U : {set T}) : \sum_(h : H) (\prod_(y in U) (x \notin hits (h y))%:R) = (q ^+ k) ^+ #|U| * #|H|%:R.
  pose G y (e : {ffun 'I_k -> 'I_m}) : rat := if y \in U then (x \notin hits e)%:R else 1.
  transitivity (\sum_(h : H) \prod_y G y (h y)).
    by apply: eq_bigr => h _; rewrite big_mkcond.
  rewrite -(bigA_distr_bigA G) /=.
  have all : \sum_(e : {ffun 'I_k -> 'I_m}) 1 = (m ^ k)%:R :> rat by rewrite sumr_const card_throws.
  have none : \sum_(e : {ffun 'I_k -> 'I_m}) (x \notin hits e)%:R = q ^+ k * (m ^ k)%:R :> rat.
    have -> : q ^+ k * (m ^ k)%:R = (m.-1 ^ k)%:R by rewrite /q expr_div_n !natrX divfK // expf_neq0.
    have := card_avoid k [set x]; rewrite cards1 subn1 => <-; rewrite -sum1_card natr_sum [RHS]big_mkcond /=.
    by apply: eq_bigr => e _; rewrite inE disjoint_sym disjoints1; case: (x \in _).
  rewrite (bigID (mem U)) /= (eq_bigr (fun=> q ^+ k * (m ^ k)%:R)) => [|y yU]; last by rewrite -none; apply: eq_bigr => e _; rewrite /G yU.
  rewrite [X in _ * X](eq_bigr (fun=> (m ^ k)%:R)) => [|y /negbTE yU]; last by rewrite -all; apply: eq_bigr => e _; rewrite /G yU.
  rewrite !prodr_const exprMn -mulrA -exprD; congr (_ * _).
  by rewrite card_ffun card_throws [in RHS]natrX; congr (_ ^+ _); rewrite -(cardC (mem U)).
have all_hit (x : 'I_m) : \sum_(h : H) (x \in \bigcap_d filter_of (@hits m k) h (S d))%:R = #|H|%:R * \prod_d (1 - (q ^+ k) ^+ n d).
  pose Z (h : H) d : rat := \prod_(y in S d) (x \notin hits (h y))%:R.
  have inE' (h : H) : (x \in \bigcap_d filter_of (@hits m k) h (S d))%:R = \prod_d (- Z h d + 1).
    have Zd d : - Z h d + 1 = (x \in filter_of (@hits m k) h (S d))%:R.
      have [/bigcupP[y yS xy] | no] := boolP (x \in filter_of _ _ _).
        by rewrite /Z (bigD1 y) //= xy mul0r oppr0 add0r.
      rewrite /Z big1 ?addNr // => y yS; rewrite (_ : x \notin _) //; apply: contra no => xy; apply/bigcupP; by exists y.
    rewrite (eq_bigr _ (fun d _ => Zd d)); have [/bigcapP all | no] := boolP (x \in _).
      by rewrite big1 // => d _; rewrite all.
    have [d /negbTE xd] : exists d, x \notin filter_of (@hits m k) h (S d).
      apply/existsP; rewrite -negb_forall; apply: contra no => /forallP all; by apply/bigcapP => d _; exact: all.
    by rewrite (bigD1 d) //= xd mul0r.
  have expand (z : 'I_c -> rat) : \prod_d (- z d + 1) = \sum_(D : {ffun 'I_c -> bool}) \prod_d (if D d then - z d else 1).
    rewrite -(bigA_distr_bigA (fun d (b : bool) => if b then - z d else 1)) /=.
    by apply: eq_bigr => d _; rewrite big_bool.
  rewrite (eq_bigr _ (fun h _ => inE' h)); under eq_bigr => h _ do rewrite expand.
  have -> : \prod_d (1 - (q ^+ k) ^+ n d) = \prod_d (- ((q ^+ k) ^+ n d) + 1) by apply: eq_bigr => d _; rewrite addrC.
  rewrite expand mulr_sumr exchange_big /=; apply: eq_bigr => D _.
  pose part d := if D d then S d else set0; pose U := \bigcup_d part d.
  have apart d d' : d != d' -> [disjoint part d & part d'].
    by rewrite /part => ne; case: ifP => _; case: ifP => _; rewrite ?dis // ?disjoints_subset ?sub0set // setC0 subsetT.
  have prodZ (h : H) : \prod_d (if D d then - Z h d else 1) = (-1) ^+ #|[pred d | D d]| * \prod_(y in U) (x \notin hits (h y))%:R.
    rewrite -big_mkcond /= prodrN; congr (_ * _); rewrite partition_disjoint_bigcup // [LHS]big_mkcond /=.
    apply: eq_bigr => d _; rewrite /part /Z [d \in _](_ : _ = D d) //; by case: (D d); rewrite ?big_set0.
  rewrite (eq_bigr _ (fun h _ => prodZ h)) -mulr_sumr out -big_mkcond /= prodrN mulrA mulrC; congr (_ * (_ * _)).
  rewrite prodrXr; congr (_ ^+ _); rewrite card_disjoint // [RHS]big_mkcond /=; apply: eq_bigr => d _.
  by rewrite /part [d \in _](_ : _ = D d) //; case: (D d); rewrite ?sizes ?cards0.
rewrite (eq_bigr (fun h : H => \sum_(x : 'I_m) (x \in \bigcap_d filter_of (@hits m k) h (S d))%:R)) => [|h _]; last first.
  by rewrite -sum1_card natr_sum big_mkcond /=; apply: eq_bigr => x _; case: (_ \in _).
rewrite exchange_big /= (eq_bigr _ (fun x _ => all_hit x)) sumr_const card_ord -mulr_natl mulrC.
have H0 : #|H|%:R != 0 :> rat by rewrite card_ffun card_throws pnatr_eq0 -lt0n !expn_gt0 m0.
rewrite mulrCA mulKf //; have q1 d : 1 - (q ^+ k) ^+ n d = ((m ^ (n d * k))%:R - (m.-1 ^ (n d * k))%:R) / (m ^ (n d * k))%:R.
  have P0 : (m ^ (n d * k))%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
  by rewrite mulrBl divff // !natrX -expr_div_n -/q -exprM mulnC.
rewrite (eq_bigr _ (fun d _ => q1 d)) prodf_div.
have -> : \prod_d (m ^ (n d * k))%:R = m%:R * (m ^ (N * k).-1)%:R :> rat.
  by rewrite -natrM -expnS prednK // -natr_prod /N big_distrl /= expn_sum.
by rewrite invfM mulrCA mulVKf // mulrC.
Qed.
