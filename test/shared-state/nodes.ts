/** Two nodes of one test: two clients of one Redis server, in one process. */
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import { openValkeyState } from '../../src/service/shared-state/valkey/open-valkey-state.ts'
import { readValkeyUrl } from '../../src/service/shared-state/valkey/url.ts'
import type { SharedState, SharedStatus } from '../../src/service/shared-state/shared-state.ts'

export const sealingKey = randomBytes(32)

export interface SharedNode {
  state: SharedState
  /** Every change that was reported. */
  reported: SharedStatus[]
}

interface NodeOptions {
  sealingKey?: Buffer | null
  ca?: readonly string[]
}

/** A node that is connected to the others. @param atEnd  when it closes */
export async function connectNode(
  url: string,
  options: NodeOptions = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<SharedNode> {
  const node = await openNode(url, options, atEnd)
  // A start waits for the server for half a second only, which is too short on a busy machine.
  await vi.waitFor(() => expect(node.state.status().kind).toBe('connected'), 60_000)
  node.reported.length = 0
  return node
}

/** @param atEnd  when it closes */
export async function openNode(
  url: string,
  options: NodeOptions = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<SharedNode> {
  const address = readValkeyUrl(url)
  if (address === null) throw new Error(`${url} is no address`)
  const reported: SharedStatus[] = []
  const state = await openValkeyState({
    address,
    sealingKey: options.sealingKey === undefined ? sealingKey : options.sealingKey,
    ca: options.ca ?? [],
    clock: () => performance.now(),
    onStatus: (status) => reported.push(status),
  })
  atEnd(() => state.close())
  return { state, reported }
}
