/** The signals of answers in words. */
import { joinSentences } from '../strings/join.ts'
import { t } from '../strings/strings.ts'
import { signalKinds, type SignalName, type SignalRecord } from './signals.ts'

const words: Readonly<Record<SignalName, { bad: string; good: string | null }>> = {
  format: {
    bad: t('the answer is not the JSON that the request asked for'),
    good: t('the answer is the JSON that the request asked for'),
  },
  tool_call: {
    bad: t('the arguments of a tool call do not match its definition'),
    good: t('the arguments of every tool call match its definition'),
  },
  empty: {
    bad: t('the answer is empty'),
    good: null,
  },
  cut_off: {
    bad: t('the answer was cut off before the length that the request allows'),
    good: null,
  },
  refused: {
    bad: t('the model refused or its answer was filtered'),
    good: null,
  },
  asked_again: {
    bad: t('this request repeats a question that the model answered within the last five minutes'),
    good: null,
  },
  step_repeated: {
    bad: t('this request repeats an agent’s step, because the model’s answer failed its check'),
    good: null,
  },
}

export function signalInWords({ name, label }: Pick<SignalRecord, 'name' | 'label'>): string {
  const { good, bad } = words[name]
  return label === 1 && good !== null ? good : bad
}

/** `Weight: 0.3 bad ratings, or 0.05 good ones.` */
export function signalHint(name: SignalName, hint: string): string {
  const { badWeight, goodWeight } = signalKinds[name]
  const weights =
    goodWeight === null
      ? t('Weight: {badWeight} bad ratings.', { badWeight })
      : t('Weight: {badWeight} bad ratings, or {goodWeight} good ones.', {
          badWeight,
          goodWeight,
        })
  return joinSentences([hint, weights])
}
