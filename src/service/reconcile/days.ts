/** Days of a time zone. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface Days {
  /** The day that a moment belongs to: `2026-11-01`. */
  dayOf: (atMs: number) => string
  /** The moment at which a day begins. */
  startOf: (day: string) => number
  /** Whether its days begin at whole hours of UTC. */
  isWholeHours: boolean
}

/** @param timeZone  IANA name */
export function daysIn(timeZone: string): Days {
  const offsetOf = offsetsOf(timeZone)
  const dayOf = (atMs: number) => utcDay(atMs + offsetOf(atMs))
  return {
    dayOf,
    startOf(day) {
      const utcMs = Date.parse(`${day}T00:00:00Z`)
      // The offset at the start may differ from the one some hours later, when clocks change.
      const firstMs = utcMs - offsetOf(utcMs)
      return utcMs - offsetOf(firstMs)
    },
    isWholeHours: [0, 6].every((month) => offsetOf(Date.UTC(2026, month)) % hourMs === 0),
  }
}

export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

export function dayAfter(day: string, count = 1): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + count * dayMs)
}

/** The offset from UTC in ms, east positive. Clocks change at whole quarters of an hour, so each is asked for once. */
function offsetsOf(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  return (atMs) => {
    const quarter = Math.floor(atMs / (hourMs / 4))
    const kept = known.get(quarter)
    if (kept !== undefined) return kept
    const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value
    const [, sign, hours = '0', minutes = '0'] = /GMT([-+])(\d\d):(\d\d)/.exec(name ?? '') ?? []
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
    known.set(quarter, offset)
    return offset
  }
}
