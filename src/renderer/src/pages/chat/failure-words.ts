import { formatRelativeTime } from '../../../../shared/strings/format.ts'

/** The error of an answer with its times as people say them: `It resets in 7 hours.` */
export function failureWords(error: string, nowMs: number): string {
  return error.replaceAll(
    /\bat (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g,
    (_at, time: string) => formatRelativeTime(Date.parse(time), nowMs),
  )
}
