/**
 * One run of the model's process, seen from the service: it loads a file, then generates one answer at a time.
 * When the process ends, everything that waits for it fails.
 */
import type { ModelProcess } from './local-model.ts'
import type { ModelFileFacts } from '../../shared/models/local-models.ts'
import {
  readFromModel,
  type FromModel,
  type Generation,
  type Gpu,
  type LoadedFacts,
  type LoadRequest,
  type ToModel,
} from './protocol.ts'

/** The process is gone: it crashed, was killed, or hung and was ended. */
export class ModelProcessEnded extends Error {
  override readonly name = 'ModelProcessEnded'
}

/** The process is running and reports a failure. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

export type Piece = Extract<FromModel, { kind: 'delta' | 'done' | 'too-long' }>

/** A message, or null for the end of the process. */
type HostMessage = FromModel | null

/** A busy process that leaves a ping unanswered for this long is ended. */
const healthCheckMs = 10_000

export class ModelHost {
  readonly #process: ModelProcess
  readonly #listeners = new Set<(message: HostMessage) => void>()
  #hasEnded = false
  #lastId = 0

  /** @param onEnd  called once, when the process has ended */
  constructor(process: ModelProcess, onEnd: () => void) {
    this.#process = process
    process.onMessage((received) => {
      const message = readFromModel(received)
      if (message) this.#tell(message)
    })
    process.onExit(() => {
      if (this.#hasEnded) return
      this.#hasEnded = true
      onEnd()
      this.#tell(null)
    })
  }

  /** @throws ModelFailed when the file cannot be loaded, ModelProcessEnded */
  load(request: LoadRequest): Promise<LoadedFacts> {
    return this.#ask({ kind: 'load', ...request }, 'loaded')
  }

  /** @throws ModelFailed when the file is not a model, ModelProcessEnded */
  async describe(file: string): Promise<ModelFileFacts> {
    return (await this.#ask({ kind: 'describe', file }, 'described')).facts
  }

  /** @throws ModelFailed when llama.cpp cannot be started, ModelProcessEnded */
  async findGpu(): Promise<Gpu | null> {
    return (await this.#ask({ kind: 'find-gpu' }, 'gpu')).gpu
  }

  /**
   * Yields deltas, ended by `done` or `too-long`. Leaving the iteration or aborting the signal also ends the work.
   * @param onIdle  called when the process is free again, which may be after the iteration has ended
   * @throws ModelFailed, ModelProcessEnded; the signal's reason
   */
  async *generate(
    generation: Generation,
    { signal, onIdle }: { signal: AbortSignal; onIdle: () => void },
  ): AsyncGenerator<Piece, void> {
    const id = ++this.#lastId
    const inbox = new Inbox()
    this.#listen((message) => {
      if (message !== null && (!('id' in message) || message.id !== id)) return false
      inbox.push(message)
      const isLast = message?.kind !== 'delta'
      if (isLast) onIdle()
      return isLast
    })
    const abort = () => {
      this.#send({ kind: 'abort', id })
      inbox.wake()
    }
    signal.addEventListener('abort', abort, { once: true })
    this.#send({ kind: 'start', id, generation })
    let isOver = false
    try {
      while (!isOver) {
        // Also checked before waiting, because an abort while the consumer was busy had no waiter to wake.
        signal.throwIfAborted()
        await inbox.filled()
        signal.throwIfAborted()
        const message = inbox.shift()
        isOver = message?.kind !== 'delta'
        yield toPiece(message)
      }
    } finally {
      signal.removeEventListener('abort', abort)
      if (!isOver) abort()
    }
  }

  kill(): void {
    this.#process.kill()
  }

  #ask<Kind extends FromModel['kind']>(
    question: ToModel,
    kind: Kind,
  ): Promise<Extract<FromModel, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      this.#listen((message) => {
        if (message === null) reject(new ModelProcessEnded())
        else if (isOfKind(message, kind)) resolve(message)
        else if (message.kind === 'failed') reject(new ModelFailed(message.message))
        else return false
        return true
      })
      this.#send(question)
    })
  }

  #send(message: ToModel): void {
    this.#process.send(message)
  }

  #tell(message: HostMessage): void {
    for (const listener of this.#listeners) listener(message)
  }

  /** Passes messages to `hear` until it returns true for the last one, and checks that the process is alive. */
  #listen(hear: (message: HostMessage) => boolean): void {
    let isAlive = true
    const watch = setInterval(() => {
      if (!isAlive) this.kill()
      isAlive = false
      this.#send({ kind: 'ping' })
    }, healthCheckMs)
    const listener = (message: HostMessage) => {
      isAlive = true
      if (!hear(message)) return
      clearInterval(watch)
      this.#listeners.delete(listener)
    }
    this.#listeners.add(listener)
    if (this.#hasEnded) listener(null)
  }
}

function isOfKind<Kind extends FromModel['kind']>(
  message: FromModel,
  kind: Kind,
): message is Extract<FromModel, { kind: Kind }> {
  return message.kind === kind
}

/** Messages that arrived and have not been read yet. */
class Inbox {
  readonly #messages: HostMessage[] = []
  #wake = (): void => undefined

  push(message: HostMessage): void {
    this.#messages.push(message)
    this.wake()
  }

  /** The oldest message; null, the end of the process, always comes last. */
  shift(): HostMessage {
    return this.#messages.shift() ?? null
  }

  /** Resolves when there is a message, or `wake` was called. */
  async filled(): Promise<void> {
    if (this.#messages.length > 0) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
  }
}

function toPiece(message: HostMessage): Piece {
  switch (message?.kind) {
    case 'delta':
    case 'done':
    case 'too-long':
      return message
    case 'error':
      throw new ModelFailed(message.message)
    default:
      throw new ModelProcessEnded()
  }
}
