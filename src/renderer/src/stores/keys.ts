import { create } from 'zustand'
import type { ApiKey, ApiKeyInput, CreatedApiKey } from '../../../shared/entities.ts'
import type { RotationGrace } from '../../../shared/app/key-rotation.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useKeys = createListStore(() => call('keys:list'))

/** The `user-agent` of the last request of each key, by key id; null when it sent none. */
export const useKeyClients = create<Record<string, string | null>>(() => ({}))

/** The uses whose client is known or being read, so that each is read once. */
const readUses = new Map<string, number>()

/** Reads which program used each key last. A request that the ledger no longer has is skipped. */
export async function loadKeyClients(keys: readonly ApiKey[]): Promise<void> {
  await Promise.all(keys.map(loadClient))
}

async function loadClient({ id, lastUsedAtMs }: ApiKey): Promise<void> {
  if (lastUsedAtMs === null || readUses.get(id) === lastUsedAtMs) return
  readUses.set(id, lastUsedAtMs)
  const filter = { apiKeyId: id, fromMs: lastUsedAtMs, toMs: lastUsedAtMs + 1 }
  const requests = await call('requests:search', { filter, limit: 1 }).catch(() => [])
  const request = requests[0]
  if (request) useKeyClients.setState({ [id]: request.client })
}

/** A new key. The caller shows it once and then wipes it with `forgetKey`. */
export interface ShownKey {
  key: string
  readonly name: string
  /** The routers that accept the key. */
  readonly routers: ApiKey['routers']
}

/** Wipes the key from the object. */
export function forgetKey(shown: ShownKey): void {
  shown.key = ''
}

/** @throws CallError with the invalid field */
export async function createKey(input: ApiKeyInput): Promise<ShownKey> {
  return await shownOnce(call('keys:create', input))
}

/** Replaces a key. The old one works for the grace period. @throws CallError */
export async function rotateKey(id: string, grace: RotationGrace): Promise<ShownKey> {
  return await shownOnce(call('keys:rotate', { id, grace }))
}

async function shownOnce(created: Promise<CreatedApiKey>): Promise<ShownKey> {
  const { key, apiKey } = await created
  await useKeys.getState().load()
  return { key, name: apiKey.name, routers: apiKey.routers }
}

/** @throws CallError when the key does not exist */
export async function revokeKey(id: string): Promise<void> {
  await call('keys:revoke', { id })
  await useKeys.getState().load()
}

/** Tries to read the clipboard: no event tells when the system has handed its text to another process. */
const clipboardTries = 20
const clipboardPauseMs = 50

/**
 * Copies a new key.
 * @param pause  between two looks at the clipboard
 * @throws Error when the clipboard does not hold it afterwards
 */
export async function copyKey({ key }: ShownKey, pause = wait): Promise<void> {
  await navigator.clipboard.writeText(key)
  const sha256 = await sha256Of(key)
  for (let tried = 0; tried < clipboardTries; tried += 1) {
    if (await call('clipboard:holds', { sha256 })) return
    await pause()
  }
  throw new Error('The clipboard did not take the key. Select it and copy it with your keyboard.')
}

function wait(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, clipboardPauseMs))
}

async function sha256Of(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
