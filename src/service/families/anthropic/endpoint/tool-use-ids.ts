/**
 * Ids of tool calls as Anthropic's API takes them back, unique within an answer. Claude Code treats `X_1` beside `X`
 * as a part of one call, so no id is another one with `_` and digits at its end.
 */
export class ToolUseIds {
  readonly #used = new Set<string>()
  /** Ids without the ending, of those that have it. */
  readonly #stems = new Set<string>()

  /** @param id  as the upstream sent it */
  add(id: string): string {
    const fit = id.replaceAll(/[^\w-]/g, '_')
    let unique = fit
    for (let count = 1; this.#isTaken(unique); count += 1) unique = `${fit}-${count}`
    this.#used.add(unique)
    const stem = stemOf(unique)
    if (stem !== null) this.#stems.add(stem)
    return unique
  }

  #isTaken(id: string): boolean {
    const stem = stemOf(id)
    return this.#used.has(id) || this.#stems.has(id) || (stem !== null && this.#used.has(stem))
  }
}

function stemOf(id: string): string | null {
  return /^(.+)_\d+$/.exec(id)?.[1] ?? null
}
