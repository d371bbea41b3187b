/**
 * Chooses where the vendor may split the prompt into a cached prefix and the rest. A write costs more than an uncached
 * read and a cached read a tenth, so a mark pays only where a later request begins the same.
 * @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages'
import type { LeftOut } from '../../left-out.ts'

/** The API answers a 400 to more. */
const mostMarks = 4
/** One of them stays at the tools and the system prompt, which other conversations share. */
const mostInMessages = mostMarks - 1
const charactersPerToken = 3.6
/** Least tokens of an image or a document. */
const tokensOfOtherBlocks = 255

export interface MarkedPrompt {
  tools: ToolUnion[]
  system: TextBlockParam[]
  messages: MessageParam[]
}

interface Carrier {
  cache_control?: CacheControlEphemeral | null | undefined
}

/** Removes the marks above the limit. @returns how many marks the prompt has left */
export function limitMarks(prompt: MarkedPrompt, leftOut: LeftOut): number {
  const beginning = [...prompt.tools, ...prompt.system].filter(isMarked)
  const later = carriersOf(prompt.messages).filter(isMarked)
  const count = beginning.length + later.length
  if (count <= mostMarks) return count
  // A later mark includes the prefix of an earlier one.
  const keptLater = later.slice(-(beginning.length > 0 ? mostInMessages : mostMarks))
  const keptBeginning = beginning.slice(keptLater.length - mostMarks)
  const kept = new Set<Carrier>([...keptBeginning, ...keptLater])
  for (const carrier of [...beginning, ...later])
    if (!kept.has(carrier)) delete carrier.cache_control
  leftOut.leave(
    'cache_control',
    `the provider takes ${mostMarks} marks; the last ones are the most useful`,
  )
  return kept.size
}

/**
 * Marks the tools with the system prompt, the last user turn, and the one before it, where the previous
 * request ended. The API looks for a cached prefix at most 20 blocks before a mark, so without the last of these
 * a turn with many tool results would find nothing.
 */
export function markPrefix({ tools, system, messages }: MarkedPrompt, leastTokens: number): void {
  if (estimatedTokens({ tools, system, messages }) < leastTokens) return
  mark(system.at(-1) ?? tools.at(-1))
  for (const turn of messages.filter(({ role }) => role === 'user').slice(-2)) {
    mark(blocksOf([turn]).findLast(isCacheable))
  }
}

function mark(carrier: Carrier | undefined): void {
  if (carrier !== undefined) carrier.cache_control = { type: 'ephemeral' }
}

function isMarked(carrier: object): carrier is Carrier {
  return 'cache_control' in carrier && (carrier.cache_control ?? null) !== null
}

type CacheableBlock = Extract<ContentBlockParam, Carrier>

function isCacheable(block: ContentBlockParam): block is CacheableBlock {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking'
}

/** Every block that may have a mark, in the order of the prompt. */
function carriersOf(messages: readonly MessageParam[]): Carrier[] {
  return blocksOf(messages)
    .filter(isCacheable)
    .flatMap((block): Carrier[] => {
      const isList = block.type === 'tool_result' && Array.isArray(block.content)
      return isList ? [...(block.content as Carrier[]), block] : [block]
    })
}

function blocksOf(messages: readonly MessageParam[]): ContentBlockParam[] {
  return messages.flatMap(({ content }): ContentBlockParam[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )
}

function estimatedTokens({ tools, system, messages }: MarkedPrompt): number {
  let characters = tools.length === 0 ? 0 : JSON.stringify(tools).length
  for (const block of [...system, ...blocksOf(messages)]) characters += charactersOf(block)
  return characters / charactersPerToken
}

function charactersOf(block: ContentBlockParam): number {
  switch (block.type) {
    case 'text':
      return block.text.length
    case 'thinking':
      return block.thinking.length
    case 'tool_use':
      return JSON.stringify(block.input).length
    case 'tool_result':
      return typeof block.content === 'string'
        ? block.content.length
        : (block.content ?? []).reduce((sum, one) => sum + charactersOfInner(one), 0)
    default:
      return tokensOfOtherBlocks * charactersPerToken
  }
}

function charactersOfInner(block: object): number {
  return 'text' in block && typeof block.text === 'string'
    ? block.text.length
    : tokensOfOtherBlocks * charactersPerToken
}
