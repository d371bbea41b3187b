/** The notices in words. No provider's own text is in them: it may quote a key or a prompt. */
import type { BudgetAlert } from '../../shared/budget-alert.ts'
import { formatDay, formatUsd } from '../../shared/format.ts'
import type { IpcEvents } from '../../shared/ipc.ts'
import type { Notice } from './notices.ts'

const dayMs = 86_400_000
/** The endpoint's certificate is renewed 30 days before its end, so this is late. */
const leafWarningMs = 14 * dayMs
const authorityWarningMs = 30 * dayMs

/** A provider that only the user can help, or a problem of the storage. */
export function noticeOfAlarm({ message, providerId }: IpcEvents['alarm']): Notice {
  if (providerId === null) {
    return {
      switch: null,
      cause: `alarm:${message}`,
      title: 'Modelport needs attention',
      body: message,
      path: '/home',
    }
  }
  return {
    switch: 'notifyProviders',
    cause: `provider:${providerId}`,
    title: `${providerId} needs attention`,
    body: 'Its key was rejected, is missing or has no credit left. Click to fix it.',
    path: '/providers',
  }
}

export function noticeOfFallback(providerId: string): Notice {
  return {
    switch: 'notifyFallbacks',
    cause: `provider:${providerId}`,
    title: `${providerId} does not answer`,
    body: 'Other models have answered for it for more than a minute. Click to see its state.',
    path: '/providers',
  }
}

/** @returns null while no certificate is near its end */
export function noticeOfCertificate(
  { leafMs, authorityMs }: { leafMs: number; authorityMs: number },
  nowMs: number,
): Notice | null {
  const common = { switch: 'notifyCertificate', cause: 'certificate', path: '/settings' } as const
  if (leafMs - nowMs < leafWarningMs) {
    return {
      ...common,
      title: `The certificate ends on ${formatDay(leafMs)}`,
      body: 'Modelport could not renew it. Programs will refuse to connect from then on.',
    }
  }
  if (authorityMs - nowMs < authorityWarningMs) {
    return {
      ...common,
      title: `A new certificate authority comes on ${formatDay(authorityMs)}`,
      body: 'Programs that trust the current one must trust the new one from then on.',
    }
  }
  return null
}

/** @param alerts  of one budget and period, the lowest level first */
export function noticeOfBudget(alerts: readonly BudgetAlert[]): Notice | null {
  const alert = alerts.at(-1)
  if (!alert) return null
  const { owner, level, usedUsd, limitUsd, period } = alert
  const what = `${owner.kind === 'router' ? 'Router' : 'Key'} “${owner.name}”`
  const when = period.per === 'day' ? 'today' : 'this month'
  const used = `${formatUsd(usedUsd)} of ${formatUsd(limitUsd)} ${when} (UTC).`
  return {
    switch: 'notifyBudgets',
    cause: `budget:${owner.kind}:${owner.id}:${period.per}:${level}`,
    title:
      level === 100
        ? `${what} has used up its budget`
        : `${what} has used ${level} % of its budget`,
    body: level === 100 ? `${used} Requests that cost money are refused until it resets.` : used,
    path: owner.kind === 'router' ? `/routers/${owner.id}` : '/keys',
  }
}
