/**
 * Two connections to Valkey: one for commands, one that listens to the nodes' channel. No command waits longer than the
 * caller's limit, and while Valkey cannot be reached, commands fail at once. A server that accepts connections and does
 * not answer counts as unreachable: twice a second, each node publishes a beat, which must be answered on one connection and
 * arrive on the other.
 */
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates, type ConnectionOptions as TlsOptions } from 'node:tls'
import { Redis, type RedisOptions } from 'ioredis'
import { openConnection, type ConnectionUse } from '../../../shared/app/open-connection.ts'
import { StorageUnavailable } from '../../storage/storage-errors.ts'
import type { ValkeyAddress } from './url.ts'

export interface ConnectionOptions {
  address: ValkeyAddress
  /** Additional certificate authorities, PEM. */
  ca: readonly string[]
  channel: string
  use: ConnectionUse | null
  /** The message that each node sends twice a second. */
  beat(): string
  onMessage(text: string): void
  /** Called when both connections work. @param isNewServer  it may have lost what was stored before */
  onConnected(isNewServer: boolean): void
  /** @param reason  contains no password */
  onLost(reason: string): void
}

export type Command = readonly [name: string, ...values: (string | number | Buffer)[]]

export interface StoredEntry {
  name: string
  value: Buffer
  /** Whole milliseconds. */
  ttlMs: number
}

const beatMs = 500
/** Counted in beats, because a busy process notices answers late. */
const mostUnansweredBeats = 2
const mostUnheardBeats = 4
const startMs = 500
const closeMs = 500
const noAnswer = 'it did not answer'
/** Commands without a reply. More would fill the memory while the server is slow. */
const mostUnanswered = 1_000

export class ValkeyConnection {
  readonly #options: ConnectionOptions
  readonly #commands: Redis
  readonly #listener: Redis
  readonly #ready = new Set<Redis>()
  #state: 'connected' | 'lost' | 'closed' | 'starting' = 'starting'
  #lastError = noAnswer
  #isNewServer = false
  #runId: string | null = null
  #unanswered = 0
  #unansweredBeats = 0
  #unheardBeats = 0
  /** A command was too slow: until the next answered beat, `askQuickly` fails at once. */
  #isSlow = false
  #beating: NodeJS.Timeout | null = null
  #onStarted = () => {}

  constructor(options: ConnectionOptions) {
    this.#options = options
    const redisOptions = redisOptionsOf(options)
    const open = () => openConnection('valkey', options.use, () => new Redis(redisOptions))
    this.#commands = open()
    this.#listener = open()
    this.#follow(this.#commands, () => this.#identify())
    this.#follow(this.#listener, () => this.#listen())
    this.#listener.on('message', (_channel, text) => {
      this.#unheardBeats = 0
      options.onMessage(text)
    })
  }

  get isConnected(): boolean {
    return this.#state === 'connected'
  }

  /** Resolves when connected, or after half a second: an unreachable server does not keep a node from starting. */
  async start(): Promise<void> {
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
    const connected = new Promise<void>((resolve) => (this.#onStarted = resolve))
    // The clients connect again by themselves, and `#follow` handles their errors.
    for (const redis of [this.#commands, this.#listener]) redis.connect().catch(() => {})
    const isConnected = new AbortController()
    const tooLate = sleep(startMs, undefined, { signal: isConnected.signal }).catch(() => {})
    await Promise.race([connected, tooLate])
    isConnected.abort()
    if (this.#state === 'starting') this.#lost(this.#lastError)
  }

  /**
   * Sends one command.
   * @throws StorageUnavailable without an answer within the limit, at once while disconnected
   */
  async ask(command: Command, limitMs: number): Promise<unknown> {
    const reply = this.#run(command)
    // The answer may come, or fail, after the limit.
    reply.catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#isSlow = true
        reject(new StorageUnavailable(`Valkey did not answer within ${limitMs} ms.`))
      }, limitMs)
    })
    try {
      return await Promise.race([reply, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Like `ask`, but fails at once while Valkey is slow: for values that are not worth a wait. */
  async askQuickly(command: Command, limitMs: number): Promise<unknown> {
    if (this.#isSlow) throw new StorageUnavailable('Valkey is slow.')
    return await this.ask(command, limitMs)
  }

  /** Sends a command whose result does not matter. */
  send(command: Command): void {
    this.#run(command).catch(() => {})
  }

  /** Stores entries in one packet; they are lost when there is no connection. */
  store(entries: readonly StoredEntry[]): void {
    if (!this.isConnected || this.#unanswered + entries.length > mostUnanswered) return
    const pipeline = this.#commands.pipeline()
    for (const { name, value, ttlMs } of entries) pipeline.set(name, value, 'PX', ttlMs)
    this.#unanswered += entries.length
    pipeline
      .exec()
      .catch(() => {})
      .finally(() => (this.#unanswered -= entries.length))
  }

  async close(): Promise<void> {
    if (this.#beating) clearInterval(this.#beating)
    // So that the last commands arrive.
    if (this.isConnected) await this.ask(['PING'], closeMs).catch(() => {})
    this.#state = 'closed'
    for (const redis of [this.#commands, this.#listener]) {
      ignoreFurtherErrors(redis)
      redis.disconnect()
    }
  }

  async #run([name, ...values]: Command): Promise<unknown> {
    if (!this.isConnected) throw new StorageUnavailable('Valkey cannot be reached.')
    if (this.#unanswered >= mostUnanswered) throw new StorageUnavailable('Valkey is too slow.')
    this.#unanswered += 1
    try {
      return await this.#commands.callBuffer(name, ...values)
    } catch (cause) {
      throw new StorageUnavailable('Valkey did not run the command.', { cause })
    } finally {
      this.#unanswered -= 1
    }
  }

  #follow(redis: Redis, prepare: () => Promise<boolean>): void {
    redis.on('error', (error: Error & { code?: string }) => {
      ignoreFurtherErrors(redis)
      this.#lastError = error.message || (error.code ?? error.name)
    })
    redis.on('ready', () => {
      this.#options.use?.opens('valkey')
      prepare().then(
        (isNewServer) => this.#isReady(redis, isNewServer),
        () => redis.disconnect(true),
      )
    })
    redis.on('close', () => {
      this.#ready.delete(redis)
      // Before the first connection, `start` reports the failure once.
      if (this.#state === 'connected') this.#lost(this.#lastError)
    })
  }

  #isReady(redis: Redis, isNewServer: boolean): void {
    this.#ready.add(redis)
    this.#isNewServer ||= isNewServer
    if (this.#ready.size < 2 || this.#state === 'closed') return
    this.#state = 'connected'
    this.#isSlow = false
    this.#lastError = 'it closed the connection'
    this.#unansweredBeats = 0
    this.#unheardBeats = 0
    this.#onStarted()
    this.#options.onConnected(this.#isNewServer)
    this.#isNewServer = false
    this.#beat()
  }

  /** @returns whether the server is another process than before */
  async #identify(): Promise<boolean> {
    const information = await this.#commands.info('server')
    const runId = /^run_id:(\w+)/m.exec(information)?.[1] ?? null
    const isNewServer = this.#runId !== null && this.#runId !== runId
    this.#runId = runId
    return isNewServer
  }

  async #listen(): Promise<boolean> {
    await this.#listener.subscribe(this.#options.channel)
    return false
  }

  #lost(reason: string): void {
    this.#state = 'lost'
    this.#options.onLost(reason)
  }

  #beat(): void {
    if (!this.isConnected) return
    if (this.#unheardBeats >= mostUnheardBeats) return this.#reconnect(this.#listener)
    if (this.#unansweredBeats >= mostUnansweredBeats) return this.#reconnect(this.#commands)
    this.#unheardBeats += 1
    this.#unansweredBeats += 1
    const { channel, beat } = this.#options
    const answered = () => {
      this.#unansweredBeats = 0
      this.#isSlow = false
    }
    // Without an answer, one of the next beats connects again.
    this.#run(['PUBLISH', channel, beat()]).then(answered, () => {})
  }

  #reconnect(redis: Redis): void {
    if (!this.isConnected) return
    this.#lost(noAnswer)
    this.#ready.delete(redis)
    ignoreFurtherErrors(redis)
    redis.disconnect(true)
  }
}

/**
 * The client listens for one error of each connection. A further one, such as a TLS alert that answers the end of an
 * unfinished handshake, would end the process.
 */
function ignoreFurtherErrors(redis: Redis): void {
  // The type is that of a client that has connected at least once.
  const { stream } = redis as Partial<Pick<Redis, 'stream'>>
  stream?.on('error', () => {})
}

function redisOptionsOf({ address, ca }: ConnectionOptions): Omit<RedisOptions, 'replyMapping'> {
  const { host, port, isTls, username, password, database } = address
  return {
    host,
    port,
    db: database,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(isTls ? { tls: tlsOptions(host, ca) } : {}),
    // All replies have the same form with Redis 7 and Valkey 8.
    protocol: 2,
    lazyConnect: true,
    connectTimeout: 2_000,
    disconnectTimeout: 500,
    keepAlive: 10_000,
    // Nothing waits for a lost connection, and nothing is sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(50 * attempts, 500),
  }
}

/** Options of TLS. Node refuses a server name that is an address. */
function tlsOptions(host: string, ca: readonly string[]): TlsOptions {
  return { ca: [...rootCertificates, ...ca], ...(isIP(host) === 0 && { servername: host }) }
}
