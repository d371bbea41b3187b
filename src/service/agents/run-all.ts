/** Runs tasks at the same time and cancels all of them when one fails. */

/** The abort reason of tasks that are cancelled because another one failed. */
export class NoLongerNeeded extends Error {
  override readonly name = 'NoLongerNeeded'

  constructor() {
    super('another step failed')
  }
}

/** Tasks of one group. The first failure cancels the others and is thrown once all have ended. */
export class TaskGroup {
  readonly #outer: AbortSignal
  readonly #controller = new AbortController()
  readonly #running: Promise<unknown>[] = []
  #failure: { error: unknown } | null = null
  readonly signal: AbortSignal

  constructor(outer: AbortSignal) {
    this.#outer = outer
    this.signal = AbortSignal.any([outer, this.#controller.signal])
  }

  add<Result>(task: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = task(this.signal)
    this.#running.push(
      running.catch((error: unknown) => {
        this.#failure ??= { error }
        this.#controller.abort(new NoLongerNeeded())
      }),
    )
    return running
  }

  /** Resolves when all added tasks have ended. @throws the first failure; the outer signal's reason */
  async end(): Promise<void> {
    await Promise.all(this.#running)
    if (this.#failure) throw this.#failure.error
    this.#outer.throwIfAborted()
  }
}

/**
 * Runs at most `limit` items at a time and starts them in order.
 * @returns the results in the order of the items. @throws the first failure, once all have ended
 */
export async function runAll<Item, Result>(
  items: readonly Item[],
  { limit, signal }: { limit: number; signal: AbortSignal },
  run: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const group = new TaskGroup(signal)
  for (let worker = 0; worker < Math.min(limit, items.length); worker += 1) {
    void group
      .add(async (inner) => {
        for (const [index, item] of waiting) {
          inner.throwIfAborted()
          results[index] = await run(item, index, inner)
        }
      })
      // Thrown by `end`.
      .catch(() => {})
  }
  await group.end()
  return results
}
