/** Judgements that are derived from answers themselves, without a person's rating. */
import { z } from 'zod'

interface SignalKind {
  /** Name of the setting that switches the signal. */
  setting: string
  /** How much of a bad answer it counts as. */
  badWeight: number
  /** How much of a good answer the opposite counts as; null where the opposite is no signal. */
  goodWeight: number | null
}

/** Modelport's signals in the order in which the app lists them. */
export const signalKinds = {
  format: {
    setting: 'signalFormat',
    badWeight: 0.3,
    goodWeight: 0.05,
  },
  tool_call: {
    setting: 'signalToolCall',
    badWeight: 0.3,
    goodWeight: 0.05,
  },
  empty: {
    setting: 'signalEmpty',
    badWeight: 0.3,
    goodWeight: null,
  },
  cut_off: {
    setting: 'signalCutOff',
    badWeight: 0.1,
    goodWeight: null,
  },
  refused: {
    setting: 'signalRefused',
    badWeight: 0.1,
    goodWeight: null,
  },
  asked_again: {
    setting: 'signalAskedAgain',
    badWeight: 0.1,
    goodWeight: null,
  },
  step_repeated: {
    setting: 'signalStepRepeated',
    badWeight: 0.2,
    goodWeight: null,
  },
} as const satisfies Record<string, SignalKind>

export type SignalName = keyof typeof signalKinds
export type SignalSetting = (typeof signalKinds)[SignalName]['setting']

// The keys of the table.
export const signalNames = Object.keys(signalKinds) as [SignalName, ...SignalName[]]

/**
 * How much of a good answer one without a signal counts as. Without it, a model would be rated lower only because
 * it answers more requests. At a quality of 0.8, this balances one refused or empty answer in 50.
 */
export const unmarkedWeight = 0.02

/**
 * The maximum number of judged answers that all signals of a model together count as, because an answer that fits may
 * still be wrong.
 */
export const signalsCountAtMost = 5

/** A signal of one request, as its record names it. */
export const signalRecordSchema = z.strictObject({
  name: z.enum(signalNames),
  /** The model it counts for. With `asked_again` and `step_repeated`, the one that answered before. */
  model: z.string(),
  /** 1 counts as a good answer, 0 as a bad one. */
  label: z.number(),
  /** The number of judged answers it counts as. */
  weight: z.number(),
})
export type SignalRecord = z.infer<typeof signalRecordSchema>

/** @returns null where the opposite of the signal is none */
export function signalRecord(
  name: SignalName,
  model: string,
  isGood: boolean,
): SignalRecord | null {
  const { goodWeight, badWeight } = signalKinds[name]
  const weight = isGood ? goodWeight : badWeight
  return weight === null ? null : { name, model, label: Number(isGood), weight }
}
