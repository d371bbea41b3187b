/** Connects alerts about budgets to finished requests, events and the user's webhook. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionOff } from '../../shared/app/open-connection.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import { BudgetAlerts, type WatchedBudget } from '../alerts/budget-alerts.ts'
import { Webhook, WebhookFailed, type WebhookOptions } from '../alerts/webhook.ts'
import { createIds } from '../ids.ts'
import { createOutboundFetch } from '../local/outbound-fetch.ts'
import { isLoopback } from '../providers/address-guard.ts'
import type { Outbound } from '../providers/outbound.ts'
import type { Workspace } from './workspace.ts'

export interface RunningBudgetAlerts {
  /** Sends an example to the webhook. @throws WebhookFailed */
  testWebhook(): Promise<void>
  close(): Promise<void>
}

export function startBudgetAlerts(workspace: Workspace): RunningBudgetAlerts {
  const { storage, events, log, now } = workspace
  const webhook = createWebhook(workspace)
  const alerts = new BudgetAlerts({
    store: storage.budgetAlerts,
    isDelivered: () => workspace.configuration.current().settings.alertWebhook !== null,
    onAlerts(news) {
      events.emit('budget-alerts', news)
      webhook.deliver()
    },
    onError: (error) => log.failed('budget alerts', error),
    newId: createIds(now),
    now,
  })
  const stops = [
    events.on('request:finished', (record) => alerts.check(chargedBy(workspace, record))),
    // Requests reserve their highest possible cost, so a budget refuses before all of it is spent.
    events.on('budget:refused', (refusal) =>
      alerts.check(chargedBy(workspace, refusal), refusal.neededNanoUsd),
    ),
  ]
  // Those that waited when the service ended.
  webhook.deliver()
  return {
    async testWebhook() {
      if (workspace.connectionLog.isOff('alertWebhook')) {
        throw new WebhookFailed(connectionOff('alertWebhook'), false)
      }
      await webhook.test()
    },
    async close() {
      for (const stop of stops) stop()
      await alerts.close()
      await webhook.close()
    },
  }
}

/** The budgets that apply to the request, whose figures are in memory since it asked for its reservation. */
function chargedBy(
  { configuration, storage, now }: Workspace,
  { routerId, apiKeyId }: Pick<RequestRecord, 'routerId' | 'apiKeyId'>,
): WatchedBudget[] {
  const { routers, apiKeys, keyRotations } = configuration.current()
  const router = routers.get(routerId)
  const key = apiKeyId === null ? undefined : apiKeys.get(apiKeyId)
  const keyIds = key && (keyRotations.get(key.id) ?? [key.id])
  const owners = [
    router && { kind: 'router' as const, entity: router, id: router.id, spenderIds: [router.id] },
    // The rotations of a key share its budget, stored under the first.
    key && {
      kind: 'key' as const,
      entity: key,
      id: keyIds?.[0] ?? key.id,
      spenderIds: keyIds ?? [],
    },
  ]
  return owners.flatMap((one) => {
    if (!one || (one.entity.budgetUsdPerDay === null && one.entity.budgetUsdPerMonth === null))
      return []
    const { kind, id, spenderIds, entity } = one
    const figures = storage.budgets.known({ kind, id, spenderIds }, now())
    return figures === null
      ? []
      : [{ owner: { kind, id, name: entity.name }, budget: entity, figures }]
  })
}

function createWebhook(workspace: Workspace): Webhook {
  const { storage, configuration, connectionLog, outbound, events, log, now } = workspace
  return new Webhook({
    store: storage.budgetAlerts,
    address() {
      const { alertWebhook, alertWebhookPrivateNetwork } = configuration.current().settings
      if (alertWebhook === null || connectionLog.isOff('alertWebhook')) return null
      return { url: alertWebhook, privateNetwork: alertWebhookPrivateNetwork }
    },
    fetch: createGuardedFetch(outbound),
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    onGiveUp({ level, owner }, problem) {
      log.noted('a budget alert was not delivered', {
        level: String(level),
        owner: owner.id,
        problem,
      })
      const message = `The webhook for budget alerts failed: ${problem}.`
      events.emit('alarm', { message, providerId: null })
    },
    onError: (error) => log.failed('webhook', error),
    now,
  })
}

/** The guard of providers' addresses: none in a private network unless the user allows it, and no clear text. */
function createGuardedFetch(outbound: Outbound): WebhookOptions['fetch'] {
  const anywhere = createOutboundFetch(outbound, 'alertWebhook')
  const inPrivateNetwork = createOutboundFetch(outbound, 'alertWebhook', { privateNetwork: true })
  return async ({ url, privateNetwork }, init) => {
    const address = new URL(url)
    if (address.protocol !== 'https:' && !privateNetwork && !isLoopback(address)) {
      throw new WebhookFailed('use https, so that alerts are not sent unencrypted', false)
    }
    return await (privateNetwork ? inPrivateNetwork : anywhere)(url, init)
  }
}
