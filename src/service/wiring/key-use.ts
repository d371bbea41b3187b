/**
 * Ends answers of revoked or expired keys, ends expired keys for good, and records when each key was last used.
 */
import { endOfKey } from '../../shared/app/key-rotation.ts'
import { ServiceError } from '../errors.ts'
import type { ActiveRequests } from '../http/answers/active-requests.ts'
import { lookEvery } from '../storage/look-again.ts'
import type { Workspace } from './workspace.ts'

const flushMs = 10_000
const expiryCheckMs = 1_000

export interface KeyUse {
  /** Stores the last uses. */
  close(): Promise<void>
}

export function trackKeyUse(workspace: Workspace, activeRequests: ActiveRequests): KeyUse {
  const { storage, configuration, events, log, now } = workspace
  let lastUsedAtMs: Record<string, number> = {}

  const isRefused = (apiKeyId: string) => {
    const key = configuration.current().apiKeys.get(apiKeyId)
    return !key || endOfKey(key, now()) !== null
  }
  const cut = () => {
    const reason = new ServiceError('invalid_api_key', 'The API key was revoked or has expired.')
    activeRequests.abortWhere(isRefused, reason)
  }
  let isEnding = false
  const endExpired = async () => {
    const nowMs = now()
    const keys = [...configuration.current().apiKeys.values()]
    const expired = keys.filter((key) => key.revokedAtMs === null && endOfKey(key, nowMs) !== null)
    if (isEnding || expired.length === 0) return
    isEnding = true
    try {
      for (const { id, expiresAtMs } of expired)
        await storage.configuration.revokeApiKey(id, expiresAtMs ?? nowMs)
      await configuration.refresh()
    } catch (error) {
      log.failed('expired keys', error)
    }
    isEnding = false
  }
  const flush = async () => {
    const uses = lastUsedAtMs
    lastUsedAtMs = {}
    if (Object.keys(uses).length === 0) return
    await storage.configuration
      .touchApiKeys(uses)
      .catch((error: unknown) => log.failed('key use', error))
  }

  events.on('request:finished', ({ apiKeyId, startedAtMs }) => {
    if (apiKeyId !== null) lastUsedAtMs[apiKeyId] = startedAtMs
  })
  configuration.onChange(cut)
  const stopExpiryChecks = lookEvery(expiryCheckMs, () => {
    cut()
    void endExpired()
  })
  const stopFlushing = lookEvery(flushMs, () => void flush())
  return {
    close() {
      stopExpiryChecks()
      stopFlushing()
      return flush()
    },
  }
}
