/** Connects who uses keys, and the spikes of keys and routers, to the storage, the log and the events. */
import {
  spikeKinds,
  type Dismissal,
  type SpikeKind,
  type UnexpectedCall,
} from '../../shared/requests/unexpected-call.ts'
import type { ApiKey, Router } from '../../shared/entities.ts'
import { findSpikes, type Owner } from '../alerts/spikes.ts'
import { dayMs, isUnexpected, usualDays } from '../alerts/unexpected-calls.ts'
import type { KeyUse } from '../http/checks/admission.ts'
import type { NewSighting } from '../storage/unexpected-call-store.ts'
import { KeyCallers } from './key-callers.ts'
import type { Workspace } from './workspace.ts'

interface Parts extends Pick<Workspace, 'storage' | 'configuration' | 'events' | 'now'> {
  log: Pick<Workspace['log'], 'noted' | 'failed'>
}

/** Often enough to end a misuse on its day, seldom enough to cost nothing. */
const checkMs = 600_000

export interface UnexpectedCalls {
  noteKeyUse(use: KeyUse): void
  /** Looks for spikes of today; also runs by itself every ten minutes. */
  findSpikes(): Promise<void>
  close(): Promise<void>
}

export function startUnexpectedCalls(workspace: Parts): UnexpectedCalls {
  const { storage, log, now } = workspace
  const callers = new KeyCallers({
    store: storage.unexpectedCalls,
    onNew: (sightings) => reportCallers(workspace, sightings),
    onError: (error) => log.failed('unexpected calls', error),
    now,
  })
  const findAll = async () => {
    for (const kind of spikeKinds) await reportSpikes(workspace, kind)
  }
  let finding: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    finding = findAll().catch((error: unknown) => log.failed('unexpected calls', error))
  }, checkMs).unref()
  return {
    noteKeyUse: (use) => callers.note(use),
    findSpikes: findAll,
    async close() {
      clearInterval(timer)
      await finding
      await callers.close()
    },
  }
}

/** Open unexpected calls, for users who can mark them as expected. */
export interface OpenUnexpectedCalls {
  list(): Promise<UnexpectedCall[]>
  /** @returns whether there were any */
  dismiss(dismissal: Dismissal): Promise<boolean>
}

export function openUnexpectedCalls({ storage, events, now }: Parts): OpenUnexpectedCalls {
  return {
    list: () => storage.unexpectedCalls.list(),
    async dismiss(dismissal) {
      const wasOpen = await storage.unexpectedCalls.dismiss(dismissal, now())
      events.emit('changed', { what: 'unexpected-calls' })
      return wasOpen
    },
  }
}

async function reportCallers(workspace: Parts, sightings: readonly NewSighting[]): Promise<void> {
  const { routers } = workspace.configuration.current()
  for (const sighting of sightings) {
    const { apiKeyId, kind, value, atMs } = sighting
    const routerSinceMs = kind === 'router' ? (routers.get(value)?.createdAtMs ?? null) : null
    if (!isUnexpected(sighting, routerSinceMs)) continue
    const owner = { ownerKind: 'key', ownerId: apiKeyId } as const
    const call = { ...owner, kind, lastAtMs: atMs, value, amount: null, usual: null }
    await workspace.storage.unexpectedCalls.report(call)
    tell(workspace, call)
  }
}

async function reportSpikes(workspace: Parts, kind: SpikeKind): Promise<void> {
  const { storage, now } = workspace
  const nowMs = now()
  const sinceMs = nowMs - (nowMs % dayMs) - usualDays * dayMs
  const amounts = await storage.unexpectedCalls.amounts(kind, sinceMs)
  const accepted = await storage.unexpectedCalls.accepted()
  const createdAtMs = (owner: Owner) => ownerOf(workspace, owner)?.createdAtMs ?? null
  for (const spike of findSpikes(amounts, { kind, nowMs, createdAtMs, accepted })) {
    const call = { ...spike, lastAtMs: nowMs, value: null }
    // It grows during the day.
    if (await storage.unexpectedCalls.report(call)) tell(workspace, call)
  }
}

function ownerOf({ configuration }: Parts, { ownerKind, ownerId }: Owner): ApiKey | Router | null {
  const { apiKeys, routers } = configuration.current()
  return (ownerKind === 'key' ? apiKeys : routers).get(ownerId) ?? null
}

/** Logs and reports a call. The log has no names and addresses. */
function tell(parts: Parts, call: Pick<UnexpectedCall, 'ownerKind' | 'ownerId' | 'kind'>): void {
  const { ownerKind, ownerId, kind } = call
  const name = ownerOf(parts, call)?.name ?? ''
  parts.log.noted('a call was not expected', { owner: ownerId, kind })
  parts.events.emit('changed', { what: 'unexpected-calls' })
  parts.events.emit('unexpected-call', { owner: { kind: ownerKind, id: ownerId, name }, kind })
}
