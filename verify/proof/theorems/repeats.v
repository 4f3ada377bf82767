(* Filters whose messages repeat (Dozier-FN): false negatives over the arrivals of a cycle. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims machine recycling levels ranks chains cycles renewal.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Repeats.
Variables (D M k sigma : nat) (distinct retain : bool) (pr : rat) (q d : 'I_D -> rat).
Hypotheses (sM : (sigma < M)%N) (k0 : (0 < k)%N) (kM : distinct -> (k <= M)%N) (ks : retain -> (k <= sigma)%N).
Hypotheses (pr01 : 0 <= pr < 1) (q0 : forall i, 0 <= q i) (q1 : \sum_i q i = 1) (d0 : forall i, 0 <= d i) (d1 : \sum_i d i = 1).

Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).

(* The ranks that are disabled, as in renewal.v, and the set bits. *)
Definition state : finType := [finType of {set 'I_D} * {set 'I_M}].

(* An arrival is a repeat or a new message, as in renewal.v. With it come the hash of the message in this cycle, which
   matters if the message is not recorded, and its hash in the next cycle, which matters if the filter recycles and
   retains the message. *)
Definition event : finType := [finType of (bool * 'I_D) * (hash * hash)].
Implicit Types (x y : state) (v : event) (nu pi : state -> rat).

Definition weight v : rat := chance pr q d v.1 / (#|hash|%:R * #|hash|%:R).

(* The bits after an arrival, if the filter did not recycle. A message that is recorded sets no bit. *)
Definition filled x v : {set 'I_M} := if v.1.1 && (v.1.2 \in x.1) then x.2 else x.2 :|: places v.2.1.
Definition overflows x v : bool := (sigma < #|filled x v|)%N.

(* A filter that never recycles, and the filter that recycles when more than sigma bits are set. *)
Definition goes_on x v : state := (disables x.1 v.1, filled x v).
Definition after x v : state :=
  if overflows x v then (if retain then (disables set0 v.1, places v.2.2) else (set0, set0)) else goes_on x v.

(* A repeat of a message that is not recorded, and whose places are not all set. *)
Definition negative x v : rat := [&& v.1.1, v.1.2 \notin x.1 & ~~ (places v.2.1 \subset x.2)]%:R.

Let hash0 : (0 < #|hash|)%N.
Proof.
have M0 : (0 < M)%N := leq_ltn_trans (leq0n _) sM.
move: kM; rewrite /levels.hash; case: distinct => km; first by rewrite card_ord card_items bin_gt0 km.
by rewrite card_ffun !card_ord expn_gt0 M0.
Qed.

Let p01 : 0 <= pr <= 1. Proof. by have /andP[-> /ltW] := pr01. Qed.

Lemma weight_ge0 v : 0 <= weight v.
Proof. by rewrite divr_ge0 ?mulr_ge0 ?ler0n // chance_ge0. Qed.

Lemma weight_sum : \sum_v weight v = 1.
Proof.
rewrite /weight -(pair_bigA _ (fun a (h : hash * hash) => chance pr q d a / (#|hash|%:R * #|hash|%:R))) /=.
rewrite -[RHS](chance_sum pr q1 d1); apply: eq_bigr => a _.
by rewrite sumr_const card_prod -[_ *+ _]mulr_natr natrM divfK // mulf_neq0 // pnatr_eq0 -lt0n.
Qed.

Let some_rank : exists r, 0 < d r.
Proof.
apply/existsP; apply: contraT; rewrite negb_exists => /forallP none; have := d1; rewrite big1 => [/eqP|r _].
  by rewrite eq_sym oner_eq0.
by apply/eqP; have := none r; rewrite lt_neqAle d0 andbT negbK eq_sym.
Qed.

Lemma new_weight r (h : hash * hash) : 0 < d r -> 0 < weight ((false, r), h).
Proof.
move=> dr; rewrite divr_gt0 ?mulr_gt0 ?ltr0n // subr_gt0; have /andP[_] := pr01; exact.
Qed.

Lemma outside (B : {set 'I_M}) : (#|B| <= sigma)%N -> exists e, ~~ (places e \subset B).
Proof.
move=> Bs; move: kM; rewrite /levels.places /levels.hash; case: distinct => km.
  by apply: (@sets_leave M k sigma) => //; exact: km.
exact: (@throws_leave M k sigma).
Qed.

(* New messages that set bits come until the filter recycles. *)
Lemma until (P : state -> Prop) r (h : hash) : 0 < d r ->
  (forall x e, overflows x ((false, r), (e, h)) -> P x) ->
  (forall x e, ~~ overflows x ((false, r), (e, h)) -> P (after x ((false, r), (e, h))) -> P x) -> forall x, P x.
Proof.
move=> dr last more x; have [n] := ubnP (sigma - #|x.2|); elim: n x => // n IH x; rewrite ltnS => le.
have [lt | big] := leqP #|x.2| sigma; last first.
  by apply: (last x h); rewrite /overflows /filled /= (leq_trans big) // subset_leq_card // subsetUl.
have [e out] := outside lt; case over: (overflows x ((false, r), (e, h))); first exact: last over.
apply: (more x e); rewrite ?over //; apply: IH; rewrite /after over /goes_on /=.
have grown : (#|x.2| < #|x.2 :|: places e|)%N.
  by rewrite proper_card // properEneq subsetUl andbT; apply: contra out => /eqP->; exact: subsetUr.
apply: leq_trans le; apply: ltn_sub2l => //; apply: (leq_trans grown).
by move: over; rewrite /overflows /filled /= ltnNge => /negbFE.
Qed.

Lemma ends_once x : exists n, lasts weight after overflows n x < 1.
Proof.
have [r dr] := some_rank; have /card_gt0P[h _] := hash0.
apply: (@until (fun x => exists n, lasts weight after overflows n x < 1) r h dr) => {}x e over.
  by exists 1%N; apply: (lasts_step weight_ge0 weight_sum) (new_weight (e, h) dr) _; left.
move=> [n lt]; exists n.+1; apply: (lasts_step weight_ge0 weight_sum) (new_weight (e, h) dr) _; right; exact: lt.
Qed.

Lemma home : exists z, forall x, connect (leads weight after) x z.
Proof.
have [r dr] := some_rank; have /card_gt0P[h _] := hash0.
pose z : state := if retain then (disables set0 (false, r), places h) else (set0, set0).
exists z => x; apply: (@until (fun x => connect (leads weight after) x z) r h dr) => {}x e over.
  have -> : z = after x ((false, r), (e, h)) by rewrite /after over.
  by apply: connect1; apply: (leads_to after weight_ge0); exact: new_weight.
by apply: connect_trans; apply: connect1; apply: (leads_to after weight_ge0); exact: new_weight.
Qed.

(* Where cycles begin, if the states have the distribution pi. *)
Local Notation begins := (begins weight after overflows).

(* Dozier-FN (16), for the four filters. Arrivals preserve at least one distribution pi of the states. The theorem holds for
   each of them. Count the arrivals of a cycle among its first n, and the false negatives among these. As n grows, the
   means of both counts have limits. These limits are the mean numbers of arrivals and of false negatives of a cycle. In
   the long run, n arrivals have in the mean n times the quotient of the two limits as false negatives, with an error of
   at most a constant. *)
Theorem negatives_of_cycle :
  (exists pi, preserved weight after pi) /\
  forall pi, preserved weight after pi -> exists arrivals negatives K : rat,
    [/\ 0 < arrivals, converges (fun n => \sum_x begins pi x * cycle weight after overflows (fun _ _ => 1) n x) arrivals,
        converges (fun n => \sum_x begins pi x * cycle weight after overflows negative n x) negatives &
        forall n x, `|total weight after negative n x - n%:R * (negatives / arrivals)| <= K].
Proof.
split; first exact: (chain_preserves after weight_ge0 weight_sum (set0, set0)).
move=> pi pp; have [z reach] := home.
have [A [C [K [A0 limA limC long]]]] := cycle_rate weight_ge0 weight_sum ends_once pp reach negative.
exists A, C, K; split=> // e e0.
  have [n0 near] := limA e e0; exists n0 => n nn; have := near n nn; rewrite cycle_finds.
  by under [X in _ -> `|X - _| < _]eq_bigr => j _ do under eq_bigr => t _ do rewrite (mean_const weight_sum) mulr1.
by have [n0 near] := limC e e0; exists n0 => n nn; have := near n nn; rewrite cycle_finds.
Qed.

(* The probability that the arrival j + 1 of a cycle comes, which is E[A_{j+1}], and that it is a false negative, which is
   E[C_{j+1}]. *)
Definition comes pi j : rat := \sum_x finds weight after overflows (begins pi) j x.
Definition is_negative pi j : rat := \sum_x finds weight after overflows (begins pi) j x * mean weight (negative x).

(* Dozier-FN (17), for the four filters: the two means of (16) are the sums, over the arrivals of a cycle, of the
   probabilities that the arrival comes, and that it is a false negative. *)
Theorem negatives_by_arrival pi : preserved weight after pi ->
  (forall n, \sum_x begins pi x * cycle weight after overflows (fun _ _ => 1) n x = \sum_(j < n) comes pi j /\
             \sum_x begins pi x * cycle weight after overflows negative n x = \sum_(j < n) is_negative pi j) /\
  exists arrivals negatives K : rat,
    [/\ 0 < arrivals, converges (fun n => \sum_(j < n) comes pi j) arrivals,
        converges (fun n => \sum_(j < n) is_negative pi j) negatives &
        forall n x, `|total weight after negative n x - n%:R * (negatives / arrivals)| <= K].
Proof.
move=> pp; split=> [n|]; last by have [z reach] := home; exact: (cycle_rate weight_ge0 weight_sum ends_once pp reach negative).
rewrite !cycle_finds; split=> //; apply: eq_bigr => j _.
by apply: eq_bigr => t _; rewrite (mean_const weight_sum) mulr1.
Qed.

(* The probability that l bits are set after j arrivals, if the filter never recycles. *)
Definition bits_after nu j l : rat := \sum_(x : state | #|x.2| == l) finds weight goes_on (fun _ _ => false) nu j x.

Lemma never_more nu j x : (forall x, (sigma < #|x.2|)%N -> nu x = 0) ->
  finds weight after overflows nu j x = (#|x.2| <= sigma)%N%:R * finds weight goes_on (fun _ _ => false) nu j x.
Proof.
move=> small; elim: j x => [|j IH] x /=.
  by case: leqP => [_ | /small ->]; rewrite ?mul1r ?mul0r.
rewrite mulr_sumr; apply: eq_bigr => y _; rewrite IH.
have [yx | /negbTE no] := boolP (y.2 \subset x.2).
  have [xs | xs] := leqP #|x.2| sigma.
    rewrite (leq_trans (subset_leq_card yx) xs) !mul1r; congr (_ * _); apply: eq_mean => v.
    rewrite /after; case over: (overflows y v) => //=; case: eqP => // e; move: over.
    by rewrite /overflows -[filled y v]/(goes_on y v).2 e ltnNge xs.
  rewrite mul0r (_ : within _ _ _ _ _ = 0) ?mulr0 // /within /mean big1 // => v _.
  case over: (overflows y v) => /=; first by rewrite mulr0.
  rewrite /after over; case: eqP => [e | _]; last by rewrite mulr0.
  by move: over; rewrite /overflows -[filled y v]/(goes_on y v).2 e xs.
have grows v : goes_on y v == x = false.
  apply: contraFF no => /eqP <-; rewrite /goes_on /filled /=; case: ifP => _ //; exact: subsetUl.
rewrite (_ : within weight goes_on _ _ _ = 0) ?mulr0; last first.
  by rewrite /within /mean big1 // => v _; rewrite grows mulr0.
rewrite (_ : within _ _ _ _ _ = 0) ?mulr0 // /within /mean big1 // => v _.
by rewrite /after; case: (overflows y v); rewrite //= ?grows mulr0.
Qed.

Lemma begins_small pi x : (sigma < #|x.2|)%N -> begins pi x = 0.
Proof.
move=> big; rewrite /cycles.begins big1 ?mul0r // => y _; rewrite /renews /mean big1 ?mulr0 // => v _.
rewrite /after; case: (overflows y v) => /=; last by rewrite mulr0.
case: eqP => [e | _]; last by rewrite mulr0.
move: big ks; rewrite -e; case: retain => /=; last by rewrite cards0 ltn0.
have [M0 few] : (0 < M)%N /\ (#|places v.2.2| <= k)%N by split; [exact: leq_ltn_trans sM | exact: few_places].
by move=> lt /(_ isT) le; move: lt; rewrite ltnNge (leq_trans few le).
Qed.

(* Dozier-FN (20), for the four filters: the arrival j + 1 of a cycle comes with the probability that at most sigma bits are
   set after j arrivals, where the filter goes on from where cycles begin and never recycles. *)
Theorem arrival_comes pi j : comes pi j = \sum_(l < sigma.+1) bits_after (begins pi) j l.
Proof.
rewrite /comes (eq_bigr _ (fun x _ => never_more j x (@begins_small pi))).
rewrite (bigID (fun x : state => (#|x.2| <= sigma)%N)) /= [X in _ + X]big1 ?addr0 => [|x /negbTE ->]; last by rewrite mul0r.
rewrite (partition_big (fun x : state => inord #|x.2| : 'I_sigma.+1) predT) //=; apply: eq_bigr => l _.
apply: eq_big => [x | x /andP[-> _]]; last by rewrite mul1r.
apply/andP/eqP => [[xs /eqP <-] | xl]; first by rewrite inordK.
have xs : (#|x.2| <= sigma)%N by rewrite xl -ltnS ltn_ord.
by split=> //; rewrite -val_eqE /= inordK // xl.
Qed.
End Repeats.
