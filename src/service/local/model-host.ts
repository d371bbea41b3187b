/**
 * One life of the model's process, seen from the service: it loads a file, then makes one answer at a
 * time. Everything that waits for a process that has ended is told so.
 */
import type { ModelProcess } from './local-model.ts'
import { readFromModel, type FromModel, type Generation, type ToModel } from './protocol.ts'

/** The process is gone: it crashed, was killed, or hung and was ended. */
export class ModelProcessEnded extends Error {
  override readonly name = 'ModelProcessEnded'
}

/** The process lives and says that it could not. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

export type Piece = Extract<FromModel, { kind: 'delta' | 'done' | 'too-long' }>

/** A message, or null for the end of the process. */
type Heard = FromModel | null

/** A process that is to work and leaves a ping unanswered for this long is ended. */
const healthCheckMs = 10_000

export class ModelHost {
  readonly #process: ModelProcess
  readonly #listeners = new Set<(heard: Heard) => void>()
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
  load(file: string, contextTokens: number): Promise<{ threads: number }> {
    return new Promise((resolve, reject) => {
      this.#listen((heard) => {
        if (heard === null) reject(new ModelProcessEnded())
        else if (heard.kind === 'loaded') resolve({ threads: heard.threads })
        else if (heard.kind === 'load-failed') reject(new ModelFailed(heard.message))
        else return false
        return true
      })
      this.#send({ kind: 'load', file, contextTokens })
    })
  }

  /**
   * Deltas, ended by `done` or `too-long`. Leaving the iteration, or the signal, ends the work too.
   * @param onIdle  called when the process is free again, which may be after the iteration has ended
   * @throws ModelFailed, ModelProcessEnded; the signal's reason
   */
  async *generate(
    generation: Generation,
    { signal, onIdle }: { signal: AbortSignal; onIdle: () => void },
  ): AsyncGenerator<Piece, void> {
    const id = ++this.#lastId
    const inbox = new Inbox()
    this.#listen((heard) => {
      if (heard !== null && (!('id' in heard) || heard.id !== id)) return false
      inbox.push(heard)
      const isLast = heard?.kind !== 'delta'
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
        // Also before: an abort while the consumer was busy found nobody waiting to be woken.
        signal.throwIfAborted()
        await inbox.filled()
        signal.throwIfAborted()
        const heard = inbox.shift()
        isOver = heard?.kind !== 'delta'
        yield toPiece(heard)
      }
    } finally {
      signal.removeEventListener('abort', abort)
      if (!isOver) abort()
    }
  }

  kill(): void {
    this.#process.kill()
  }

  #send(message: ToModel): void {
    this.#process.send(message)
  }

  #tell(heard: Heard): void {
    for (const listener of this.#listeners) listener(heard)
  }

  /** Hands over what is heard until `hear` says it was the last, and watches over the process meanwhile. */
  #listen(hear: (heard: Heard) => boolean): void {
    let isAlive = true
    const watch = setInterval(() => {
      if (!isAlive) this.kill()
      isAlive = false
      this.#send({ kind: 'ping' })
    }, healthCheckMs)
    const listener = (heard: Heard) => {
      isAlive = true
      if (!hear(heard)) return
      clearInterval(watch)
      this.#listeners.delete(listener)
    }
    this.#listeners.add(listener)
    if (this.#hasEnded) listener(null)
  }
}

/** What was heard and not yet taken. */
class Inbox {
  readonly #heard: Heard[] = []
  #wake = (): void => undefined

  push(heard: Heard): void {
    this.#heard.push(heard)
    this.wake()
  }

  /** The oldest; null, the end of the process, is only ever the last. */
  shift(): Heard {
    return this.#heard.shift() ?? null
  }

  /** Resolves when there is something to take, or `wake` was called. */
  async filled(): Promise<void> {
    if (this.#heard.length > 0) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
  }
}

function toPiece(heard: Heard): Piece {
  switch (heard?.kind) {
    case 'delta':
    case 'done':
    case 'too-long':
      return heard
    case 'error':
      throw new ModelFailed(heard.message)
    default:
      throw new ModelProcessEnded()
  }
}
