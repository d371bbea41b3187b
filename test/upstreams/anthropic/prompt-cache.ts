/**
 * The accounting of Anthropic's prompt cache, as its documentation states it
 * (platform.claude.com/docs/en/build-with-claude/prompt-caching, compared 2026-11-22):
 * - The prompt is tools, system, messages, in this order. A mark ends a prefix; an entry is written at each mark.
 * - For each mark, the longest entry is looked up at the mark and at up to 20 blocks before it.
 * - Prefixes below the model's minimum are not cached. An entry lives 5 minutes or an hour after its last use.
 * - `input_tokens` counts only what follows the last cached mark.
 */
import { hash } from 'node:crypto'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'

const lookback = 20
const lifetimeMs = { '5m': 300_000, '1h': 3_600_000 }
type Lifetime = keyof typeof lifetimeMs

export interface CacheAccount {
  /** Tokens neither read from the cache nor written to it. */
  input: number
  read: number
  written5m: number
  written1h: number
}

interface Entry {
  expiresAtMs: number
  lifetime: Lifetime
}

interface Prefix {
  /** Hash of the prompt up to and including this block. */
  key: string
  tokens: number
  mark: Lifetime | null
}

export class FakePromptCache {
  readonly #entries = new Map<string, Entry>()
  readonly #leastTokens: number
  readonly #now: () => number

  /** @param leastTokens  the model's minimum */
  constructor(leastTokens: number, now: () => number) {
    this.#leastTokens = leastTokens
    this.#now = now
  }

  account(body: MessageCreateParamsBase): CacheAccount {
    const prefixes = prefixesOf(body)
    const total = prefixes.at(-1)?.tokens ?? 0
    const marks = prefixes
      .map((prefix, place) => ({ ...prefix, place }))
      .filter(({ mark, tokens }) => mark !== null && tokens >= this.#leastTokens)
    const read = Math.max(0, ...marks.map(({ place }) => this.#hitBefore(prefixes, place)))
    const account = { input: 0, read, written5m: 0, written1h: 0 }
    let end = read
    for (const { key, tokens, mark } of marks) {
      const lifetime = mark ?? '5m'
      this.#entries.set(key, { lifetime, expiresAtMs: this.#now() + lifetimeMs[lifetime] })
      const written = Math.max(0, tokens - end)
      if (lifetime === '1h') account.written1h += written
      else account.written5m += written
      end = Math.max(end, tokens)
    }
    return { ...account, input: total - end }
  }

  /** The tokens of the longest entry at the block or up to 20 blocks before it; using it renews it. */
  #hitBefore(prefixes: readonly Prefix[], place: number): number {
    for (let at = place; at >= Math.max(0, place - lookback); at -= 1) {
      const { key = '', tokens = 0 } = prefixes[at] ?? {}
      const entry = this.#entries.get(key)
      if (entry === undefined || entry.expiresAtMs < this.#now()) continue
      entry.expiresAtMs = this.#now() + lifetimeMs[entry.lifetime]
      return tokens
    }
    return 0
  }
}

function prefixesOf({
  model,
  tools = [],
  system = [],
  messages,
}: MessageCreateParamsBase): Prefix[] {
  const blocks: object[] = [
    ...tools,
    ...(typeof system === 'string' ? [{ type: 'text', text: system }] : system),
    ...messages.flatMap(({ role, content }) =>
      (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({
        role,
        ...block,
      })),
    ),
  ]
  const prefixes: Prefix[] = []
  let key = model
  let tokens = 0
  for (const block of blocks) {
    const { cache_control: mark, ...content } = block as {
      cache_control?: { ttl?: Lifetime } | null
    }
    const text = JSON.stringify(content)
    key = hash('sha256', `${key} ${text}`)
    tokens += Math.ceil(text.length / 4)
    prefixes.push({ key, tokens, mark: mark ? (mark.ttl ?? '5m') : null })
  }
  return prefixes
}
