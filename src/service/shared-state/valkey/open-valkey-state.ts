/** Shares a node's state through Valkey. */
import { randomBytes } from 'node:crypto'
import type { ConnectionUse } from '../../../shared/app/open-connection.ts'
import { z } from 'zod'
import type { EntryKind, SharedState, SharedStatus, Topic } from '../shared-state.ts'
import { ValkeyConnection } from './connection.ts'
import { createSealing } from './sealing.ts'
import type { ValkeyAddress } from './url.ts'
import { ValkeyIdempotency } from './valkey-idempotency.ts'

/** Changes with the form of what is stored, so that two versions can use one Valkey. */
const version = 1
const readMs = 20
/** Delay of writes, shorter than a client needs for its next request. */
const flushMs = 10
const mostUnwritten = 200
const mostUnwrittenBytes = 4 * 1024 * 1024
/** A node without messages for this long is gone. */
const goneMs = 3_000

export interface ValkeyStateOptions {
  address: ValkeyAddress
  /** 32 bytes that all nodes have; without it, answers are not shared. */
  sealingKey: Buffer | null
  /** Additional certificate authorities, PEM. */
  ca: readonly string[]
  /** Monotonic milliseconds. */
  clock(): number
  /** Called once when Valkey can no longer be reached, and once when it can again. */
  onStatus(status: SharedStatus): void
  /** Null, or absent, where no data folder is open. */
  use?: ConnectionUse | null
}

/** Resolves when Valkey is connected, or after half a second without it. */
export async function openValkeyState(options: ValkeyStateOptions): Promise<SharedState> {
  const state = new ValkeyState(options)
  await state.start()
  return state
}

const messageSchema = z.tuple([z.string(), z.enum(['deployment', 'rate', 'node']), z.unknown()])

class ValkeyState implements SharedState {
  readonly isShared = true
  readonly canSeal: boolean
  readonly idempotency: ValkeyIdempotency
  readonly #options: ValkeyStateOptions
  readonly #node = randomBytes(9).toString('base64url')
  readonly #connection: ValkeyConnection
  readonly #prefix: string
  readonly #channel: string
  readonly #nameOf: (kind: string, id: string) => string
  readonly #sealing: ReturnType<typeof createSealing> | null
  readonly #listeners: { topic: Topic; listener: (message: unknown) => void }[] = []
  /** When the last message of each other node arrived. */
  readonly #others = new Map<string, number>()
  #lostReason: string | null = null
  readonly #unwritten: { kind: EntryKind; id: string; value: Buffer; ttlMs: number }[] = []
  #unwrittenBytes = 0
  #flushing: NodeJS.Timeout | null = null

  constructor(options: ValkeyStateOptions) {
    const { address, sealingKey, ca, clock, use = null } = options
    this.#options = options
    this.#sealing = sealingKey && createSealing(sealingKey)
    this.canSeal = this.#sealing !== null
    const sealing = this.#sealing
    // Nodes with different keys have different names, because they cannot read each other’s entries.
    const cluster = sealing === null ? '' : `:${sealing.hide('cluster').slice(0, 8)}`
    this.#prefix = `modelport:${version}${cluster}`
    // Channels, unlike keys, are the same in all databases of a server.
    this.#channel = `${this.#prefix}:${address.database}:nodes`
    this.#nameOf = (kind, id) => `${this.#prefix}:${kind}:${sealing ? sealing.hide(id) : id}`
    this.#connection = new ValkeyConnection({
      address,
      ca,
      use,
      channel: this.#channel,
      beat: () => this.#message('node', null),
      onMessage: (text) => this.#receive(text),
      onConnected: (isNewServer) => this.#connected(isNewServer),
      onLost: (reason) => this.#lost(reason),
    })
    this.idempotency = new ValkeyIdempotency({
      connection: this.#connection,
      sealing,
      nameOf: (id) => this.#nameOf('idempotency', id),
      clock,
    })
  }

  start(): Promise<void> {
    return this.#connection.start()
  }

  status(): SharedStatus {
    const nodes = 1 + this.#others.size
    if (this.#connection.isConnected) return { kind: 'connected', nodes }
    return { kind: 'disconnected', nodes, reason: this.#lostReason ?? 'it is not connected yet' }
  }

  publish(topic: Topic, message: unknown): void {
    this.#connection.send(['PUBLISH', this.#channel, this.#message(topic, message)])
  }

  subscribe(topic: Topic, listener: (message: unknown) => void): void {
    this.#listeners.push({ topic, listener })
  }

  async read(kind: EntryKind, id: string): Promise<Buffer | null> {
    const name = this.#nameOf(kind, id)
    try {
      const value = await this.#connection.askQuickly(['GET', name], readMs)
      if (!Buffer.isBuffer(value)) return null
      return this.#sealing ? this.#sealing.open(name, value) : value
    } catch {
      // Without the copy, this node uses its own memory.
      return null
    }
  }

  write(kind: EntryKind, id: string, entry: { value: Buffer; ttlMs: number }): void {
    this.#unwritten.push({ kind, id, ...entry })
    this.#unwrittenBytes += entry.value.length
    if (this.#unwritten.length >= mostUnwritten || this.#unwrittenBytes >= mostUnwrittenBytes) {
      return this.#flush()
    }
    this.#flushing ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  async close(): Promise<void> {
    this.idempotency.close()
    this.#flush()
    await this.#connection.close()
  }

  /** Writes all entries in one packet, because a packet costs more than its content. */
  #flush(): void {
    if (this.#flushing) clearTimeout(this.#flushing)
    this.#flushing = null
    this.#unwrittenBytes = 0
    const unwritten = this.#unwritten.splice(0)
    if (!this.#connection.isConnected) return
    this.#connection.store(
      unwritten.map(({ kind, id, value, ttlMs }) => {
        const name = this.#nameOf(kind, id)
        const stored = this.#sealing ? this.#sealing.seal(name, value) : value
        return { name, value: stored, ttlMs: Math.max(1, Math.round(ttlMs)) }
      }),
    )
  }

  #message(topic: Topic, message: unknown): string {
    return JSON.stringify([this.#node, topic, message])
  }

  #receive(text: string): void {
    const message = readMessage(text)
    if (message === null) return
    const [node, topic, content] = message
    if (node === this.#node) {
      // On its own beat, a node removes those that have been silent for too long.
      if (topic === 'node') this.#forgetGone()
      return
    }
    this.#others.set(node, this.#options.clock())
    for (const each of this.#listeners) if (each.topic === topic) each.listener(content)
  }

  #forgetGone(): void {
    const goneBeforeMs = this.#options.clock() - goneMs
    for (const [node, heardAtMs] of this.#others)
      if (heardAtMs < goneBeforeMs) this.#others.delete(node)
  }

  #connected(isNewServer: boolean): void {
    const wasLost = this.#lostReason !== null
    this.#lostReason = null
    // Other nodes may have been alive although no message arrived during the outage.
    for (const node of this.#others.keys()) this.#others.set(node, this.#options.clock())
    this.idempotency.connected(isNewServer)
    if (wasLost) this.#options.onStatus(this.status())
  }

  #lost(reason: string): void {
    this.#lostReason = reason
    this.#options.onStatus(this.status())
  }
}

function readMessage(text: string): z.infer<typeof messageSchema> | null {
  try {
    return messageSchema.parse(JSON.parse(text))
  } catch {
    // The message is of another program, or of a newer version.
    return null
  }
}
