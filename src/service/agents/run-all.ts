/** Work side by side, of which nothing goes on once one part failed. */

/** The reason of what was cut off because something beside it failed: nobody waits for it any more. */
export class NoLongerNeeded extends Error {
  override readonly name = 'NoLongerNeeded'

  constructor() {
    super('another step failed')
  }
}

/** Tasks of one group: the first failure cuts off the others, and is told once all of them are over. */
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

  /** Resolves once all that was added is over. @throws the first failure; the outer signal's reason */
  async end(): Promise<void> {
    await Promise.all(this.#running)
    if (this.#failure) throw this.#failure.error
    this.#outer.throwIfAborted()
  }
}

/**
 * At most `limit` at a time, in their order.
 * @returns what each gave, in their order. @throws the first failure, once all are over
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
      // Told by `end`.
      .catch(() => {})
  }
  await group.end()
  return results
}
