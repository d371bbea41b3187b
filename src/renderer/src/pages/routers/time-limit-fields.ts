/** A router's time limits as the form writes them: seconds in text fields, empty for the default. */
import {
  defaultTimeLimits,
  timeLimitNames,
  type OwnTimeLimits,
  type TimeLimits,
} from '../../../../shared/time-limits.ts'
import { errorOf, type CallError } from '../../stores/client.ts'

export type TimeLimitTexts = Readonly<Record<keyof TimeLimits, string>>

export const timeLimitLabels: TimeLimitTexts = {
  connectMs: 'Connect',
  firstTokenMs: 'First token of a stream',
  betweenChunksMs: 'Between two chunks of a stream',
  totalMs: 'Whole answer',
}

export function timeLimitTexts(limits: OwnTimeLimits): TimeLimitTexts {
  return {
    connectMs: inSeconds(limits.connectMs),
    firstTokenMs: inSeconds(limits.firstTokenMs),
    betweenChunksMs: inSeconds(limits.betweenChunksMs),
    totalMs: inSeconds(limits.totalMs),
  }
}

/** The placeholder of the empty field. */
export function defaultText(name: keyof TimeLimits): string {
  return inSeconds(defaultTimeLimits[name])
}

/** Text that is no number becomes a value that the service refuses, with the error beside its field. */
export function readTimeLimits(texts: TimeLimitTexts): OwnTimeLimits {
  const limits: OwnTimeLimits = {}
  for (const name of timeLimitNames) {
    const text = texts[name].trim()
    if (text !== '') limits[name] = Math.round(Number(text) * 1000)
  }
  return limits
}

/** What an error says of this limit; null when it is about something else. */
export function timeLimitError(error: CallError | null, name: keyof TimeLimits): string | null {
  return error?.field?.endsWith(`.${name}`) ? errorOf(error, 'timeLimits') : null
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '' : String(ms / 1000)
}
