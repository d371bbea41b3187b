/**
 * Words that show how much a prompt asks for, in the languages that most prompts are written in. A word counts by
 * its first six letters without accents, so `implement`, `implementing` and `implementieren` are one cue.
 */

/** The reasons, in words that a person reads; `asksForLittle` names those that make a prompt look easy. */
export const cueNames = [
  'proof',
  'formal maths',
  'technical terms',
  'system design',
  'weighing of arguments',
  'exact constraints',
  'completeness',
  'open research',
  'small talk',
  'a fact to look up',
  'a text to change',
  'a small scope',
  'everyday life',
  'an explanation',
  'conditions',
  'a program',
  'verse',
] as const
export type CueName = (typeof cueNames)[number]

const wordsOfCue: Readonly<Record<CueName, string>> = {
  proof: `prove proves proof proofs disprove derive derives derivation deduce theorem lemma corollary conjecture
    counterexample induction rigorous rigorously contradiction necessary sufficient iff bijection
    beweis beweise beweisen widerlege herleiten herleitung demontrer demontre prouver prouve deduire theoreme
    demuestra demostrar prueba deducir teorema dimostra dimostrare prova bewijs udowodnij dowod
    докажи докажите доказать выведи`,
  'formal maths': `eigenvalue eigenvector manifold homology cohomology topology topological hilbert banach galois
    lagrangian hamiltonian tensor stochastic martingale markov fourier laplace integral derivative differential
    polynomial modular modulo isomorphic isomorphism combinatorial combinatorics asymptotic convergence converges
    convergent diverges holomorphic analytic sigma lebesgue bayesian posterior likelihood estimator variance
    distribution matrix matrices determinant vector subgroup abelian prime primes integer integers irrational
    recurrence recursion closed-form bound bounds supremum infimum inequality probability expected
    eigenwert wahrscheinlichkeit gleichung matrice equation probabilite ecuacion probabilidad integrale`,
  'technical terms': `quantum relativistic entropy perturbation thermodynamic kinetics enzyme enantiomer
    stereochemistry pharmacokinetic pharmacology kinase receptor genome transcription metabolic pathway
    differential diagnosis contraindicated prognosis etiology pathophysiology hyponatremia arrhythmia sepsis
    tort liability jurisdiction indemnity statute statutory precedent fiduciary plaintiff injunction arbitration
    derivative hedge volatility covenant valuation amortization elasticity equilibrium heteroskedasticity
    regression instrumental endogeneity epistemology ontology hermeneutics phenomenology dialectic
    transformer backpropagation gradient convolutional attention
    schrodinger dirac feynman renormalization gauge symmetry supersymmetry decoherence entanglement
    hamiltonians eigenstates bose fermi superconducting superfluid plasma magnetohydrodynamic navier stokes turbulence
    reynolds chaotic lyapunov bifurcation soliton metric geodesic schwarzschild kerr cosmological inflation
    phonon semiconductor bandgap lattice spin orbital molecular ligand chirality diastereomer retrosynthesis
    nucleophilic electrophilic pericyclic catalysis catalytic spectroscopy nmr chromatography titration
    allosteric michaelis menten epigenetic methylation crispr splicing ribosome mitochondrial apoptosis phylogenetic
    hardy weinberg linkage microbiome cytokine immunoglobulin autoimmune hepatic renal nephrotic acidosis
    anticoagulation thrombosis stenosis myocardial infarction antibiotic resistance dosage titrate comorbid
    estoppel promissory consideration negligence causation proximate subrogation indemnify habeas certiorari
    constitutional proportionality antitrust gdpr fiduciaries insolvency bankruptcy escrow securities derivative
    arbitrage stochastic-volatility black-scholes convexity duration monetary fiscal keynesian externality
    nash equilibrium mechanism auction bayes heteroscedasticity endogenous identification counterfactual
    kant kantian hegel hegelian wittgenstein heidegger deontological utilitarian consequentialist dualism qualia
    phenomenal modal necessity supervenience historiography historiographical postcolonial semiotics morphology
    phonology syntax pragmatics etymology prosody
    lemmas functor monad category adjoint sheaf scheme cohomological homotopy fibration measurable ergodic
    elliptic diophantine riemann zeta galois-group sylow noetherian ideal module spectral operator compact
    paxos raft byzantine crdt vector-clock mvcc wal lsm btree btrees skiplist bloom cuckoo radix trie suffix
    mutex semaphore spinlock atomics memory-ordering happens-before epoch hazard coroutine borrow lifetime
    typechecker unification hindley milner ssa register allocation jit garbage collector vectorization cuda
    simplex convex lagrange kkt relaxation approximation np-complete reduction reducible automaton automata
    turing halting kolmogorov entropy-coding huffman zero-knowledge homomorphic lattice-based
    finite-element pid kalman nyquist bode impedance fatigue buckling moment torsion cantilever thermocouple`,
  'system design': `design architect architecture implement implementation distributed concurrent concurrency
    lock-free invariant invariants deadlock race consensus replicated replication shard sharding sharded
    transaction transactional isolation idempotent throughput scalable scalability scheduler compiler interpreter
    parser allocator kernel thread-safe asynchronous persistent migration migrate refactor vectorized simd
    protocol cryptographic authentication downtime backpressure rollback fault tolerant latency amortized
    complexity linearizable serializable eventual failover partition tenants optimizer profiler debugger
    bottleneck leak segfault undefined constraint-solver balanced incremental streaming lockless barrier
    entwirf entwerfen implementiere implementieren architektur verteilt nebenlaufig concois concevoir implemente
    architecture distribue disena disenar implementa distribuido progetta implementare distribuito ontwerp
    zaprojektuj спроектируй реализуй`,
  'weighing of arguments': `analyse analyze analysis critique critically evaluate assess appraise trade-off tradeoffs
    trade-offs conflicting conflict conflicts justify argue argument arguments counterargument counterarguments
    strategy strategic optimise optimize minimise minimize maximise maximize feasible reconcile ambiguous
    ambiguity dispute disputed disagree implications implication assumption assumptions sensitivity negotiate
    negotiation diagnose root-cause infer inference uncertainty consequences defend objection objections steelman
    weigh whether recommend prioritise prioritize stakeholders
    bewerte beurteile analysiere abwagen begrunde widerspruch strategie analyser evaluer justifier argumenter
    analiza evalua justifica argumenta analizza valuta giustifica beoordeel`,
  'exact constraints': `exact exactly precisely without never must only each every syllable syllables acrostic sonnet
    villanelle sestina palindrome palindromic iambic pentameter rhyme rhymes rhyming lipogram digits consecutive
    alphabetical decimal decimals constraint constraints satisfy satisfies satisfying simultaneously unique
    minimal minimum maximal maximum optimal least most fewest longest shortest pangram anagram backwards avoid
    genau exakt ohne niemals jede jeder jedes silben reim akrostichon exactement sans jamais chaque syllabes rime
    exactamente sin nunca cada silabas rima esattamente senza ogni sillabe zonder elke dokladnie bez ровно без`,
  completeness: `complete comprehensive detailed full entire production production-ready thorough thoroughly exhaustive
    edge-cases tests tested robust plan roadmap policy curriculum proposal framework end-to-end step-by-step
    schedule timetable specification
    vollstandig ausfuhrlich umfassend plan komplett complet detaille exhaustif completo detallado exhaustivo
    dettagliato volledig szczegolowy`,
  'open research': `unsolved open research novel state-of-the-art publishable dissertation grant hypothesis
    hypotheses consciousness unproven frontier breakthrough millennium undecidable np-hard
    forschung ungelost recherche investigacion ricerca`,
  'small talk': `hi hello hey thanks thank good morning evening night bye goodbye yo sup lol ok okay cool great nice
    please welcome cheers joke sorry yes
    hallo danke guten tschuss moin servus bonjour merci salut coucou bonsoir hola gracias buenos buenas adios
    ciao grazie buongiorno obrigado obrigada ola bom hoi dank dzieki czesc привет спасибо здравствуйте`,
  'a fact to look up': `capital spell spelling define definition synonym synonyms antonym meaning means mean convert
    abbreviation stands acronym who whom when wrote author painted invented discovered color colour symbol
    president currency population plural opposite name called located continent ocean river planet tallest largest
    biggest highest many year born die died founded
    hauptstadt bedeutet bedeutung heisst wer wann wieviel wie viele hauptstadte farbe schrieb capitale signifie
    quelle quel qui quand combien couleur ecrit definition capital significa quien cuando cuanto cuantos color
    escribio cual chi quando quanto quale colore scrisse significa hoofdstad wie wanneer stolica kto kiedy
    столица кто когда сколько`,
  'a text to change': `translate translation fix correct typo typos grammar rewrite rephrase paraphrase shorten
    summarise summarize summary extract list lists format uppercase lowercase capitalize sort alphabetize reply
    polite bullet bullets proofread rename remove replace copy reformat csv json tag classify label sentiment
    positive negative title subject polish tidy
    ubersetze ubersetzen korrigiere verbessere kurze zusammenfassung fasse schreibe umformulieren liste
    traduis traduire corrige resume raccourcis reformule liste extrais traduce traducir resumen acorta reescribe
    extrae traduci correggi riassumi accorcia elenca vertaal verbeter vat przetlumacz popraw stresc
    переведи исправь сократи перепиши`,
  'a small scope': `simple simply short quick quickly brief briefly small tiny basic beginner beginners example examples
    easy just single one word sentence line few two three only
    kurz einfach schnell beispiel satz wort ein eine einen court simple rapide bref exemple phrase mot corto
    simple rapido breve ejemplo frase palabra sencillo semplice esempio parola kort eenvoudig krotko prosty
    кратко простой`,
  'everyday life': `birthday recipe email mail dinner lunch breakfast dog cat puppy holiday vacation friend friends
    mother mom mum father dad grandma kids child invitation weather shopping groceries gift present party
    weekend neighbour neighbor colleague boss meeting tomorrow tonight coffee cake pizza pasta movie film song
    geburtstag rezept abendessen freund freundin urlaub einladung geschenk hund katze anniversaire recette ami
    vacances cadeau chien chat cumpleanos receta amigo vacaciones regalo perro gato compleanno ricetta amico
    vacanze regalo cane gatto verjaardag urodziny`,
  'an explanation': `explain explains describe description difference differences between overview introduce
    introduction what why how understand understanding tell about
    erklare erklaren beschreibe unterschied zwischen warum wie was explique expliquer decris difference entre
    pourquoi comment explica explicar describe diferencia entre por que como spiega differenza perche uitleg
    verschil wyjasnij roznica объясни почему как разница`,
  conditions: `if but while when unless given although though however where whose which such assuming assume suppose
    despite except whenever until before after both either neither nor provided instead rather even still also
    wenn aber wahrend obwohl falls sodass damit jedoch si mais lorsque tandis quand dont pourtant pero cuando
    mientras aunque donde se ma quando mentre sebbene als maar terwijl jesli ale gdy если но когда`,
  'a program': `python javascript typescript java rust golang sql html css bash shell regex script function class
    method variable loop array string strings code program programm query table column api endpoint json
    react node docker git git linux pandas numpy excel formula spreadsheet skript funktion fonction funcion`,
  verse: `poem haiku limerick sonnet villanelle sestina ballad ode stanza stanzas verse verses couplet quatrain
    gedicht strophe poeme poema soneto poesia lyrics rap song meter metre`,
}

const tableSize = 2 ** 16
/** The number of letters of a word that count. */
export const keyLetters = 6

const hashStart = 0x811c9dc5
const hashPrime = 0x01000193
export const keyStart = hashStart

export function addToKey(key: number, letter: number): number {
  return Math.imul(key ^ letter, hashPrime)
}

/** @returns the place of the word's cue in `cueNames` plus one; 0 for none */
export function cueOf(key: number): number {
  return cueByKey[placeOf(key)] ?? 0
}

function placeOf(key: number): number {
  return (key ^ (key >>> 16)) & (tableSize - 1)
}

const accented = 'àáâãäåçèéêëìíîïñòóôõöøùúûüýÿąćęłńśźżœß'
const plain = 'aaaaaaceeeeiiiinoooooouuuuyyacelnszzos'
const plainByCode = new Map(
  Array.from({ length: accented.length }, (_, at) => [
    accented.charCodeAt(at),
    plain.charCodeAt(at),
  ]),
)

/** A letter in lower case and without its accent. */
export function withoutAccent(char: number): number {
  if (char < 128) return char >= 65 && char <= 90 ? char | 32 : char
  const lower = isUpperWide(char) ? char + 32 : char
  return plainByCode.get(lower) ?? lower
}

/** Upper case of Latin-1 and of Cyrillic. */
function isUpperWide(char: number): boolean {
  return (char >= 0xc0 && char <= 0xde) || (char >= 0x410 && char <= 0x42f)
}

const cueByKey = new Uint8Array(tableSize)
for (const [index, name] of cueNames.entries()) {
  for (const word of wordsOfCue[name].split(/[\s-]+/)) {
    let key = keyStart
    for (let at = 0; at < Math.min(word.length, keyLetters); at += 1) {
      key = addToKey(key, withoutAccent(word.charCodeAt(at)))
    }
    cueByKey[placeOf(key)] ||= index + 1
  }
}
