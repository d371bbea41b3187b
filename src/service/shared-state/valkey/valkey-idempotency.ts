/**
 * Idempotency keys over all nodes. `SET NX` lets exactly one request of an id begin. Its node holds the id under a token
 * and renews it: only this node can store the answer, and a node that crashes blocks the id for 30 seconds. While Valkey
 * cannot be reached, only first attempts begin, because two nodes could run a repeated request twice. Requests in progress
 * continue, and their node stores ids and answers again when Valkey is back, even if it is empty.
 *
 * Answers are encrypted. Without a sealing key, or after Valkey restarted empty, only the node with the answer returns
 * it; at other nodes, `begin` fails.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ExpiringMemory } from '../../storage/expiring-memory.ts'
import type {
  AnswerOwner,
  IdempotencyState,
  IdempotencyStore,
  IdempotentRecord,
  SentAnswer,
} from '../../storage/idempotency-store.ts'
import { StorageUnavailable } from '../../storage/storage-errors.ts'
import type { ValkeyConnection } from './connection.ts'
import type { Sealing } from './sealing.ts'

export interface ValkeyIdempotencyOptions {
  connection: Pick<ValkeyConnection, 'ask' | 'send'>
  sealing: Sealing | null
  /** The name of an id's entry. */
  nameOf(id: string): string
  /** Monotonic milliseconds. */
  clock(): number
}

const askMs = 1_000
const heldForMs = 30_000
const renewEveryMs = 5_000
const storedForMs = 10 * 60_000
/** Time after a restart of Valkey in which every node has put its running ids back. */
const settleMs = 1_000
const bounds = { maxEntries: 10_000, maxBytes: 64 * 1024 * 1024 }

/** Replaces an entry unless it belongs to another token. */
const replaceOwn = `
  local current = redis.call('get', KEYS[1])
  if current and current ~= ARGV[1] then return 0 end
  redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])
  return 1`
const removeOwn = `
  if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end
  return 1`

const headSchema = z.union([
  z.strictObject({ state: z.literal('running'), body: z.string(), token: z.string() }),
  z.strictObject({ state: z.literal('finished'), body: z.string() }),
])
type Head = z.infer<typeof headSchema>

const answerHeadSchema = z.strictObject({
  isStreamed: z.boolean(),
  headers: z.record(z.string(), z.string()),
})

interface OwnEntry {
  name: string
  /** The entry as it is in Valkey while this node has the id. */
  running: Buffer
  /** The entry to be stored; null while the request runs. */
  finished: Buffer | null
  /** Resolves to the entry that Valkey had already; null: this node has the id. */
  claimed: Promise<Buffer | null>
}

interface FinishedEntry extends AnswerOwner {
  name: string
  bodySha256: string
  answer: SentAnswer
}

export class ValkeyIdempotency implements IdempotencyStore {
  readonly #options: ValkeyIdempotencyOptions
  /** Ids of this node's requests, until their end is stored. */
  readonly #held = new Map<string, OwnEntry>()
  /** This node's answers. */
  readonly #finished: ExpiringMemory<FinishedEntry>
  readonly #renewing: NodeJS.Timeout
  #beginsAtMs = 0

  constructor(options: ValkeyIdempotencyOptions) {
    this.#options = options
    this.#finished = new ExpiringMemory({ ...bounds, clock: options.clock })
    this.#renewing = setInterval(() => this.#renew(), renewEveryMs).unref()
  }

  /** @throws StorageUnavailable when Valkey does not answer, or another node has the only copy of the answer */
  async begin(record: IdempotentRecord): Promise<IdempotencyState> {
    const { id } = record
    const own = this.#finished.get(id)
    if (own) return { kind: 'finished', bodySha256: own.bodySha256, answer: own.answer }
    // Of simultaneous requests at this node, only the first sends a command to Valkey.
    const asked = this.#held.get(id)
    const held = asked ?? this.#claim(record)
    const found = await held.claimed
    if (found !== null) return this.#stateOf(found, held.name, record)
    return asked ? this.#stateOf(asked.running, asked.name, record) : { kind: 'begun' }
  }

  async finish(record: IdempotentRecord, answer: SentAnswer | null): Promise<void> {
    const { id, apiKeyId, routerId, bodySha256 } = record
    const held = this.#held.get(id)
    if (!held) return
    if (answer === null) {
      this.#held.delete(id)
      await this.#run(['EVAL', removeOwn, 1, held.name, held.running])
      return
    }
    const finished = { apiKeyId, routerId, bodySha256, answer, name: held.name }
    this.#finished.put(id, finished, { bytes: answer.body.length, ttlMs: storedForMs })
    // Too large to be stored: the next request may use the id again.
    if (this.#finished.get(id) === null) return await this.finish(record, null)
    held.finished = this.#finishedEntry(held.name, record, answer)
    await this.#keep(id, held)
  }

  keepOnly(mayStay: (owner: AnswerOwner) => boolean): void {
    this.#finished.forgetWhere((finished) => {
      if (mayStay(finished)) return false
      this.#options.connection.send(['DEL', finished.name])
      return true
    })
  }

  /** Puts the ids of this node back. @param isNewServer  Valkey may have lost them */
  connected(isNewServer: boolean): void {
    if (isNewServer) this.#beginsAtMs = this.#options.clock() + settleMs
    this.#renew()
  }

  close(): void {
    clearInterval(this.#renewing)
    this.#finished.close()
  }

  /** @throws StorageUnavailable while the other nodes may still put their ids back */
  #claim({ id, bodySha256, isFirstAttempt }: IdempotentRecord): OwnEntry {
    if (!isFirstAttempt && this.#options.clock() < this.#beginsAtMs)
      throw new StorageUnavailable('Valkey was restarted a moment ago.')
    const name = this.#options.nameOf(id)
    const token = randomBytes(12).toString('base64url')
    const running = entryOf({ state: 'running', body: this.#hidden(bodySha256), token })
    const asked = this.#ask(name, running)
    // A first attempt is held without an answer of Valkey, too, and its entry is put there later.
    const claimed = isFirstAttempt ? asked.catch(() => null) : asked
    const held = { name, running, finished: null, claimed }
    this.#held.set(id, held)
    held.claimed.then(
      (found) => found !== null && this.#held.delete(id),
      () => this.#held.delete(id),
    )
    return held
  }

  async #ask(name: string, running: Buffer): Promise<Buffer | null> {
    const { connection } = this.#options
    try {
      const command = ['SET', name, running, 'NX', 'GET', 'PX', heldForMs] as const
      const found = await connection.ask(command, askMs)
      return Buffer.isBuffer(found) ? found : null
    } catch (error) {
      // The claim may have arrived although its answer did not.
      connection.send(['EVAL', removeOwn, 1, name, running])
      throw error
    }
  }

  #stateOf(found: Buffer, name: string, record: IdempotentRecord): IdempotencyState {
    const { head, sealed } = readEntry(found)
    const bodySha256 = this.#bodyOf(head, record)
    if (head.state === 'running') return { kind: 'running', bodySha256 }
    const opened = sealed.length === 0 ? null : this.#options.sealing?.open(name, sealed)
    if (opened) return { kind: 'finished', bodySha256, answer: readAnswer(opened) }
    throw new StorageUnavailable('Another node has the answer of this id.')
  }

  #renew(): void {
    for (const [id, held] of this.#held) {
      const isOutdated = held.finished !== null && this.#finished.get(id) === null
      if (isOutdated) this.#held.delete(id)
      else void this.#keep(id, held)
    }
  }

  /** Stores the id's state; an answer that cannot be stored now is stored at the next renewal. */
  async #keep(id: string, held: OwnEntry): Promise<void> {
    const { name, running, finished } = held
    const [entry, ttlMs] = finished ? [finished, storedForMs] : [running, heldForMs]
    const isStored = await this.#run(['EVAL', replaceOwn, 1, name, running, entry, ttlMs])
    if (!isStored || finished === null || this.#held.get(id) !== held) return
    this.#held.delete(id)
  }

  /** @returns false without an answer */
  async #run(command: Parameters<ValkeyConnection['ask']>[0]): Promise<boolean> {
    try {
      await this.#options.connection.ask(command, askMs)
      return true
    } catch {
      return false
    }
  }

  #finishedEntry(name: string, { bodySha256 }: IdempotentRecord, answer: SentAnswer): Buffer {
    const head = { state: 'finished' as const, body: this.#hidden(bodySha256) }
    const { body, ...described } = answer
    const plain = Buffer.concat([Buffer.from(`${JSON.stringify(described)}\n`), body])
    return entryOf(head, this.#options.sealing?.seal(name, plain))
  }

  #hidden(bodySha256: string): string {
    return this.#options.sealing?.hide(bodySha256) ?? bodySha256
  }

  /** Hash of the entry's body: the record's own when the bodies are equal, empty otherwise. */
  #bodyOf(head: Head, { bodySha256 }: IdempotentRecord): string {
    return head.body === this.#hidden(bodySha256) ? bodySha256 : ''
  }
}

/** One line of JSON, and the sealed answer after it. */
function entryOf(head: Head, sealed: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), sealed])
}

/** @throws StorageUnavailable for an entry of another form */
function readEntry(entry: Buffer): { head: Head; sealed: Buffer } {
  const end = entry.indexOf('\n')
  const head = headSchema.safeParse(parsed(entry.subarray(0, Math.max(0, end))))
  if (head.success) return { head: head.data, sealed: entry.subarray(end + 1) }
  throw new StorageUnavailable('Valkey has an entry of another form.', { cause: head.error })
}

function readAnswer(plain: Buffer): SentAnswer {
  const end = plain.indexOf('\n')
  const described = answerHeadSchema.parse(parsed(plain.subarray(0, end)))
  return { ...described, body: plain.subarray(end + 1) }
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString())
  } catch {
    return null
  }
}
