/**
 * A sequential test of a share: has the share of deviating answers risen above an honest one? It may look after every
 * answer, and may begin at any of them, because it restarts at each: the Shiryaev-Roberts statistic
 * `R = (R + 1) · L` with the likelihood ratio `L` of a deviating share against the honest one, mixed over some shares.
 *
 * While no answer deviates with more than the honest share (given all before it), `R - n` is a supermartingale. By Doob's
 * inequality the chance that R ever reaches `alarm` within n answers is at most `n / alarm`. With `alarm = 1e9` that is
 * one in 10,000 for 100,000 answers of a test, however they are spread over models: the chances of models add up.
 * docs/decisions/2026-11-28-model-that-answered.md
 */
export interface ShareTest {
  /** Highest share of honest answers that deviate. */
  honest: number
  /** Shares that a substitution may have; each has the same weight. */
  deviating: readonly number[]
}

const alarm = 1e9

/** Logarithms of R for each deviating share; -Infinity at first. */
type TestState = number[]

export function newState({ deviating }: ShareTest): TestState {
  return deviating.map(() => -Infinity)
}

/** The state after one more answer. */
export function afterAnswer(test: ShareTest, state: TestState, deviates: boolean): TestState {
  const { honest, deviating } = test
  return deviating.map((share, index) => {
    const ratio = deviates ? share / honest : (1 - share) / (1 - honest)
    const before = state[index] ?? -Infinity
    // log(exp(before) + 1), without an overflow.
    const restarted =
      before > 0 ? before + Math.log1p(Math.exp(-before)) : Math.log1p(Math.exp(before))
    return Math.min(mostLog, restarted + Math.log(ratio))
  })
}

/** A long substitution must not outweigh what follows for ever. */
const mostLog = 100

export function raisesAlarm(state: TestState): boolean {
  const sum = state.reduce((total, log) => total + Math.exp(log), 0)
  return sum / state.length >= alarm
}
