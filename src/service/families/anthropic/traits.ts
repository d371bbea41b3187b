/**
 * How Anthropic's model generations differ in the requests they take. The API answers a 400 where a request does
 * not fit, and the list of models states only a part of this, so it is a table. Compared on 2026-11-22 with
 * platform.claude.com/docs: build-with-claude/thinking, /effort, /prompt-caching,
 * /mid-conversation-system-messages, and the migration guides of Opus 5.5, Sonnet 5.5 and Haiku 5.5.
 */
import type { Effort } from '../efforts.ts'

export interface ModelTraits {
  /** Takes `thinking: {type: "enabled", budget_tokens}`. */
  takesBudget: boolean
  /** Takes `thinking: {type: "adaptive"}`. */
  adapts: boolean
  /** How a request turns thinking off: by saying nothing, with a type of its own, or not at all. */
  off: 'silence' | 'disabled' | 'between_tools' | 'never'
  /** The values of `output_config.effort` from least to most; empty for a model without it. */
  efforts: readonly Effort[]
  /** Takes `temperature`, `top_p` and `top_k`. */
  samples: boolean
  /** Takes `tool_choice` of the types `any` and `tool`. */
  forcesTools: boolean
  /** Takes `role: "system"` inside `messages`. */
  takesSystemTurns: boolean
  /** Least tokens of a prompt that is cached. */
  leastCachedTokens: number
}

const upToHigh = ['low', 'medium', 'high'] as const
const withMax = [...upToHigh, 'max'] as const
const all = [...upToHigh, 'xhigh', 'max'] as const

const manual: ModelTraits = {
  takesBudget: true,
  adapts: false,
  off: 'silence',
  efforts: [],
  samples: true,
  forcesTools: true,
  takesSystemTurns: false,
  leastCachedTokens: 1024,
}
const adaptive: ModelTraits = {
  takesBudget: false,
  adapts: true,
  off: 'silence',
  efforts: all,
  samples: false,
  forcesTools: true,
  takesSystemTurns: true,
  leastCachedTokens: 1024,
}
/** Traits of the newest models. They also apply to names newer than this table: later models have kept them so far. */
const newest: ModelTraits = {
  ...adaptive,
  off: 'never',
  forcesTools: false,
  leastCachedTokens: 512,
}

/** The first match counts. Names may have a prefix of a gateway and a date at the end. */
const generations: readonly [RegExp, ModelTraits][] = [
  [
    /claude-(instant|2|3-5|3-haiku|3-opus|3-sonnet)/,
    { ...manual, takesBudget: false, leastCachedTokens: 2048 },
  ],
  [/haiku-4-5/, { ...manual, leastCachedTokens: 4096 }],
  [/opus-4-5/, { ...manual, efforts: upToHigh, leastCachedTokens: 4096 }],
  [/opus-4-6/, { ...manual, adapts: true, efforts: withMax, leastCachedTokens: 4096 }],
  [/sonnet-4-6/, { ...manual, adapts: true, efforts: withMax }],
  [/opus-4-7/, { ...adaptive, takesSystemTurns: false, leastCachedTokens: 2048 }],
  [
    /mythos-preview/,
    {
      ...adaptive,
      off: 'never',
      efforts: withMax,
      takesSystemTurns: false,
      leastCachedTokens: 4096,
    },
  ],
  [/opus-4-8/, adaptive],
  [/(opus|sonnet|haiku)-4|claude-3-7/, manual],
  [/sonnet-5(-\d{8})?$/, { ...adaptive, off: 'disabled' }],
  [/opus-5(-\d{8})?$/, { ...adaptive, off: 'disabled', leastCachedTokens: 512 }],
  [/(fable|mythos)-5(-\d{8})?$/, { ...newest, forcesTools: true }],
  [/haiku-5-5/, { ...newest, off: 'disabled' }],
  [/sonnet-5-5/, { ...newest, off: 'between_tools' }],
  [/claude/, newest],
]

/** @param model  another vendor's model behind this wire gets the oldest form, which such servers copy first */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase().replaceAll('.', '-')
  return generations.find(([pattern]) => pattern.test(name))?.[1] ?? manual
}
