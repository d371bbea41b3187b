/**
 * Notes who uses each key: its programs, addresses and routers. A request costs three look-ups in memory; what is new
 * there goes to the storage, which knows what is really new. Whatever a caller sends, memory and writes are bounded.
 */
import { programOf } from '../alerts/caller-names.ts'
import type {
  NewSighting,
  Sighting,
  UnexpectedCallStore,
} from '../storage/unexpected-call-store.ts'
import type { KeyUse } from '../http/checks/admission.ts'
import { networkOf } from '../http/sockets/trusted-proxies.ts'

/** Different texts of a kind that are remembered of a key; the rest of the hour's are ignored when it is full. */
const mostTexts = 64
/** A crash loses what waits. */
const patienceMs = 1_000
/** Then everything counts as unseen, so that the storage learns what is still in use. */
const forgetMs = 3_600_000

export interface KeyCallersOptions {
  store: Pick<UnexpectedCallStore, 'see'>
  /** Called with callers that no node has stored before. */
  onNew(sightings: readonly NewSighting[]): Promise<void>
  onError(error: unknown): void
  /** Unix milliseconds. */
  now(): number
}

interface Seen {
  programs: Set<string | null>
  addresses: Set<string | null>
  routers: Set<string | null>
}

export class KeyCallers {
  readonly #options: KeyCallersOptions
  /** Callers since the start of the hour as the requests name them, by key. */
  readonly #seen = new Map<string, Seen>()
  #waiting: Sighting[] = []
  #timer: NodeJS.Timeout | null = null
  #storing: Promise<void> = Promise.resolve()
  readonly #forgetting: NodeJS.Timeout

  constructor(options: KeyCallersOptions) {
    this.#options = options
    this.#forgetting = setInterval(() => this.#seen.clear(), forgetMs).unref()
  }

  note({ apiKeyId, routerId, client, address }: KeyUse): void {
    const { programs, addresses, routers } = this.#seen.get(apiKeyId) ?? this.#begin(apiKeyId)
    if (isNew(programs, client)) this.#add({ apiKeyId, kind: 'program', value: programOf(client) })
    if (isNew(routers, routerId)) this.#add({ apiKeyId, kind: 'router', value: routerId })
    if (address !== '' && isNew(addresses, address)) {
      this.#add({ apiKeyId, kind: 'address', value: networkOf(address) })
    }
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    clearInterval(this.#forgetting)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#flush()
    await this.#storing
  }

  #begin(apiKeyId: string): Seen {
    const seen: Seen = { programs: new Set(), addresses: new Set(), routers: new Set() }
    this.#seen.set(apiKeyId, seen)
    return seen
  }

  #add(sighting: Omit<Sighting, 'atMs'>): void {
    this.#waiting.push({ ...sighting, atMs: this.#options.now() })
    this.#timer ??= setTimeout(() => this.#flush(), patienceMs).unref()
  }

  #flush(): void {
    this.#timer = null
    const sightings = this.#waiting
    this.#waiting = []
    if (sightings.length > 0) this.#storing = this.#storing.then(() => this.#store(sightings))
  }

  async #store(sightings: readonly Sighting[]): Promise<void> {
    const { store, onNew, onError } = this.#options
    try {
      // In one order on all nodes, so that their transactions do not wait for each other in a circle.
      const added = await store.see(sightings.toSorted(byName))
      if (added.length > 0) await onNew(added)
    } catch (error) {
      // The next use of these keys is stored.
      for (const { apiKeyId } of sightings) this.#seen.delete(apiKeyId)
      onError(error)
    }
  }
}

function isNew(texts: Set<string | null>, text: string | null): boolean {
  if (texts.has(text) || texts.size >= mostTexts) return false
  texts.add(text === null ? null : copyOf(text))
  return true
}

/** A header is a part of the request's head, and would keep all of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function byName(left: Sighting, right: Sighting): number {
  const [a, b] = [left, right].map(({ apiKeyId, kind, value }) => `${apiKeyId} ${kind} ${value}`)
  return (a ?? '') < (b ?? '') ? -1 : 1
}
