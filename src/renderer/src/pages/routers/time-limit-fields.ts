/** A router's time limits as form input: seconds as text, empty for the default. */
import {
  defaultTimeLimits,
  timeLimitNames,
  type OwnTimeLimits,
  type TimeLimits,
} from '../../../../shared/routers/time-limits.ts'
import { errorOf, type CallError } from '../../stores/client.ts'
import { t } from '../../../../shared/strings/strings.ts'

export type TimeLimitTexts = Readonly<Record<keyof TimeLimits, string>>

export const timeLimitLabels: TimeLimitTexts = {
  connectMs: t('Connection'),
  firstTokenMs: t('First token of a stream'),
  betweenChunksMs: t('Gap within a stream'),
  totalMs: t('Whole answer'),
}

export function timeLimitTexts(limits: OwnTimeLimits): TimeLimitTexts {
  return {
    connectMs: inSeconds(limits.connectMs),
    firstTokenMs: inSeconds(limits.firstTokenMs),
    betweenChunksMs: inSeconds(limits.betweenChunksMs),
    totalMs: inSeconds(limits.totalMs),
  }
}

/** The placeholder: the default in seconds. */
export function defaultText(name: keyof TimeLimits): string {
  return inSeconds(defaultTimeLimits[name])
}

/** Invalid text becomes a value that the service rejects with a message for the field. */
export function readTimeLimits(texts: TimeLimitTexts): OwnTimeLimits {
  const limits: OwnTimeLimits = {}
  for (const name of timeLimitNames) {
    const text = texts[name].trim()
    if (text !== '') limits[name] = Math.round(Number(text) * 1000)
  }
  return limits
}

/** The message for this limit; null when the error is about another field. */
export function timeLimitError(error: CallError | null, name: keyof TimeLimits): string | null {
  return error?.field?.endsWith(`.${name}`) ? errorOf(error, 'timeLimits') : null
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '' : String(ms / 1000)
}
