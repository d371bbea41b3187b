/** Describes unexpected calls, each in one sentence: what happened, to which key or router, when, and what to do. */
import type { ApiKey, Router } from '../../../../shared/entities.ts'
import {
  formatCount,
  formatDateTime,
  formatDay,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { thisComputer, type UnexpectedCall } from '../../../../shared/requests/unexpected-call.ts'
import { searchOfFilter } from '../../usage/request-links.ts'
import type { AttentionAction, AttentionPoint } from './attention-point.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface Owners {
  unexpectedCalls: readonly UnexpectedCall[]
  keys: readonly ApiKey[]
  routers: readonly Router[]
}

export function unexpectedPoints({ unexpectedCalls, keys, routers }: Owners): AttentionPoint[] {
  return unexpectedCalls.flatMap((call) => {
    const { ownerKind, ownerId, kind } = call
    const key = keys.find(({ id }) => id === ownerId)
    const owner = ownerKind === 'key' ? key : routers.find(({ id }) => id === ownerId)
    // A revoked key can only be refused.
    const isOver = key !== undefined && key.revokedAtMs !== null && kind !== 'refusals'
    if (owner === undefined || isOver) return []
    const { name } = owner
    const what =
      ownerKind === 'key' ? t('The key {name}', { name }) : t('The router {name}', { name })
    return {
      id: `unexpected-${ownerId}-${kind}`,
      tone: 'warn',
      text: wordsOf(call, what, routers),
      action: { kind: 'expected', label: t('It was me'), call },
      others: linksOf(call),
    }
  })
}

function linksOf({ ownerKind, ownerId }: UnexpectedCall): AttentionAction[] {
  const filter = ownerKind === 'key' ? { apiKeyId: ownerId } : { routerId: ownerId }
  const requests = { label: t('Show requests'), to: '/activity', search: searchOfFilter(filter) }
  const remedy =
    ownerKind === 'key'
      ? { label: t('Rotate or revoke'), to: '/connect', search: { show: 'keys' } }
      : { label: t('Change limits'), to: `/routers/${ownerId}`, search: { tab: 'limits' } }
  return [requests, remedy].map((link) => ({ kind: 'link', ...link }))
}

function wordsOf(call: UnexpectedCall, what: string, routers: readonly Router[]): string {
  const { kind, value, lastAtMs, amount, usual } = call
  const when = formatDateTime(lastAtMs)
  const day = formatDay(lastAtMs)
  switch (kind) {
    case 'program':
      return t('{what} was used by another program for the first time: {caller}, {when}.', {
        what,
        caller: withOthers(value ?? '', call),
        when,
      })
    case 'address': {
      const address = value === thisComputer ? t('this computer') : (value ?? '')
      return t('{what} was used from another address for the first time: {caller}, {when}.', {
        what,
        caller: withOthers(address, call),
        when,
      })
    }
    case 'router': {
      const router = routers.find(({ id }) => id === value)?.name ?? value ?? ''
      return t('{what} was used with another router for the first time: {caller}, {when}.', {
        what,
        caller: withOthers(router, call),
        when,
      })
    }
    case 'refusals':
      return t(
        '{what} had {amount} refused requests on {day}. The second-highest of the 28 days before had {usual}.',
        { what, amount: formatCount(amount), usual: formatCount(usual), day },
      )
    case 'spend':
      return t(
        '{what} spent {amount} on {day}. The second-highest of the 28 days before had {usual}.',
        { what, amount: formatUsd(amount), usual: formatUsd(usual), day },
      )
  }
}

function withOthers(caller: string, { others }: UnexpectedCall): string {
  return others === 0 ? caller : t('{caller} and {others} more', { caller, others })
}
