/** Notifications about fall-overs: one per provider and hour, because a failing provider affects every request. */
import { Notification } from 'electron'
import type { RequestRecord } from '../shared/entities.ts'
import { fallbackText } from '../shared/fallback.ts'

const quietMs = 3_600_000

type Answered = Pick<RequestRecord, 'fallbackFrom' | 'fallbackReason' | 'modelUsed' | 'source'>

interface Notice {
  title: string
  body: string
}

/** @returns gives the notice for a finished request; null when there is nothing new to say */
export function fallbackNotices(now: () => number): (request: Answered) => Notice | null {
  const lastAtMs = new Map<string, number>()
  return ({ fallbackFrom, fallbackReason, modelUsed, source }) => {
    // The chat window shows it under the answer.
    if (fallbackFrom === null || fallbackReason === null || source === 'chat') return null
    const provider = fallbackFrom.slice(0, fallbackFrom.indexOf(':'))
    const nowMs = now()
    const isQuiet = nowMs - (lastAtMs.get(provider) ?? -Infinity) < quietMs
    if (isQuiet) return null
    lastAtMs.set(provider, nowMs)
    return {
      title: `${provider} does not answer`,
      body: `${modelUsed} answered ${fallbackText({ from: fallbackFrom, reason: fallbackReason })}.`,
    }
  }
}

/** @param onClick  called when the user clicks the notification */
export function showNotice(notice: Notice, onClick: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({ ...notice, silent: true })
  notification.on('click', onClick)
  notification.show()
}
