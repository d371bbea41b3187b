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
  connectMs: 'To connect',
  firstTokenMs: 'To the first token of a stream',
  betweenChunksMs: 'Between two parts of a stream',
  totalMs: 'For a whole answer',
}

export function timeLimitTexts(limits: OwnTimeLimits): TimeLimitTexts {
  return {
    connectMs: inSeconds(limits.connectMs),
    firstTokenMs: inSeconds(limits.firstTokenMs),
    betweenChunksMs: inSeconds(limits.betweenChunksMs),
    totalMs: inSeconds(limits.totalMs),
  }
}

/** What stands in the field while it is empty. */
export function defaultText(name: keyof TimeLimits): string {
  return inSeconds(defaultTimeLimits[name])
}

/** Words become a value the service refuses beside their field. */
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
