/** The notices in words. No provider's own text is in them: it may quote a key or a prompt. */
import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'
import { certificateProblem, type CertificateEnds } from '../../shared/app/certificate-ends.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import { brokenCacheOf } from '../../shared/requests/broken-cache.ts'
import { culpritWords } from '../../shared/requests/cache-words.ts'
import { formatDay, formatUsd } from '../../shared/strings/format.ts'
import type { ToolApproval } from '../../shared/chat/tool-approvals.ts'
import type { IpcEvents } from '../../shared/ipc.ts'
import type { UnexpectedCallNews, UnexpectedKind } from '../../shared/requests/unexpected-call.ts'
import type { Notice } from './notices.ts'
import { t } from '../../shared/strings/strings.ts'

/** A provider that only the user can help, or a problem of the storage. */
export function noticeOfAlarm({ message, providerId }: IpcEvents['alarm']): Notice {
  if (providerId === null) {
    return {
      switch: null,
      cause: `alarm:${message}`,
      title: t('Modelport needs attention'),
      body: message,
      path: '/home',
    }
  }
  return {
    switch: 'notifyProviders',
    cause: `provider:${providerId}`,
    title: t('{providerId} needs attention', { providerId }),
    body: t('Its key was rejected, is missing or has no credit left. Click to fix it.'),
    path: '/models?view=providers',
  }
}

/** A turn of the chat that waits for the user. Arguments and the conversation's title are not in it. */
export function noticeOfApproval({ id, about }: Pick<ToolApproval, 'id' | 'about'>): Notice {
  return {
    switch: null,
    cause: `approval:${id}`,
    title: t('A conversation waits for you'),
    body:
      about.kind === 'call'
        ? t('Allow {tool} of “{server}”?', { tool: about.tool.name, server: about.server })
        : t('Let this turn go on?'),
    path: '/chat',
  }
}

export function noticeOfFallback(providerId: string): Notice {
  return {
    switch: 'notifyFallbacks',
    cause: `provider:${providerId}`,
    title: t('{providerId} does not answer', { providerId }),
    body: t('Other models have answered for it for more than a minute. Click to see its state.'),
    path: '/models?view=providers',
  }
}

/** @returns null while no certificate is near its end */
export function noticeOfCertificate(ends: CertificateEnds, nowMs: number): Notice | null {
  const problem = certificateProblem(ends, nowMs)
  if (problem === null) return null
  const common = {
    switch: 'notifyCertificate',
    cause: 'certificate',
    path: '/settings/server',
  } as const
  const day = formatDay(problem.atMs)
  if (problem.kind === 'leaf') {
    return {
      ...common,
      title: t('The certificate ends on {day}', { day }),
      body: t('Modelport could not renew it. Programs will refuse to connect from then on.'),
    }
  }
  return {
    ...common,
    title: t('A new certificate authority comes on {day}', { day }),
    body: t('Programs that trust the current one must trust the new one from then on.'),
  }
}

/** @param alerts  of one budget and period, the lowest level first */
export function noticeOfBudget(alerts: readonly BudgetAlert[]): Notice | null {
  const alert = alerts.at(-1)
  if (!alert) return null
  const { owner, level, usedUsd, limitUsd, period } = alert
  const what =
    owner.kind === 'router'
      ? t('Router “{name}”', { name: owner.name })
      : t('Key “{name}”', { name: owner.name })
  const when = period.per === 'day' ? t('today') : t('this month')
  const used = t('{usedUsd} of {limitUsd} {when} (UTC).', {
    usedUsd: formatUsd(usedUsd),
    limitUsd: formatUsd(limitUsd),
    when,
  })
  return {
    switch: 'notifyBudgets',
    cause: `budget:${owner.kind}:${owner.id}:${period.per}:${level}`,
    title:
      level === 100
        ? t('{what} has used up its budget', { what })
        : t('{what} has used {level} % of its budget', { what, level }),
    body:
      level === 100
        ? t('{used} Requests that cost money are refused until it resets.', { used })
        : used,
    path: owner.kind === 'router' ? `/routers/${owner.id}` : '/connect?show=keys',
  }
}

/** @returns null for a request that raised no alarm */
export function noticeOfBrokenCache(record: RequestRecord): Notice | null {
  const broken = brokenCacheOf(record)
  if (broken === null) return null
  const { session, client } = broken
  return {
    switch: 'notifyUnexpectedCalls',
    cause: `cache:${session}`,
    title: t('A session of {client} lost its prompt cache', { client }),
    body: culpritWords(broken) ?? t('Its steps cost more than they should. Click to see them.'),
    path: `/activity?view=sessions&session=${encodeURIComponent(session)}`,
  }
}

/** The notice names no client address, because notifications are shown on locked screens. */
export function noticeOfUnexpectedCall({ owner, kind }: UnexpectedCallNews): Notice {
  const bodies: Readonly<Record<UnexpectedKind, string>> = {
    program: t('Another program used it for the first time. Click to see which.'),
    address: t('It was used from another address for the first time. Click to see it.'),
    router: t('It was used with another router for the first time. Click to see which.'),
    refusals: t('Far more requests than usual were refused today. Click to see them.'),
    spend: t('It spent far more than usual today. Click to see it.'),
  }
  return {
    switch: 'notifyUnexpectedCalls',
    cause: `unexpected:${owner.id}:${kind}`,
    title:
      owner.kind === 'router'
        ? t('Unexpected use of the router “{name}”', { name: owner.name })
        : t('Unexpected use of the key “{name}”', { name: owner.name }),
    body: bodies[kind],
    path: '/home',
  }
}
