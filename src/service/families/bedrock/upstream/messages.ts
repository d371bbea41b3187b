/**
 * A conversation in OpenAI's form as Converse's. Converse takes turns that alternate and begin with the user's.
 * Everything between two answers of the model is one user turn, in which the results of tools come first.
 * System prompts at the beginning become `system`; a later one is a marked text in the user turn, so that it
 * keeps its place and the cached prefix stays the same.
 */
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import type { LeftOut } from '../../left-out.ts'
import { contentBlocks, textBlocks, type ContentContext } from './content.ts'
import type {
  CachePoint,
  ContentBlock,
  Document,
  Message,
  ResultBlock,
  SystemBlock,
} from './converse.ts'
import { stringOf, toolInput } from '../../../json-fields.ts'
import { alternatingTurns, asMarkedText, isSystem, splitSystem } from '../../turns.ts'
import { reasoningBlocks } from './reasoning-blocks.ts'

export interface TurnsContext extends ContentContext {
  /** The cache point of a system prompt; like `cachePointOf` otherwise. */
  systemCachePointOf: (carrier: WireFields) => CachePoint | null
  /**
   * False when the request offers no tool: Converse then refuses the earlier calls and their results, so both
   * are sent as text.
   */
  hasTools: boolean
  isClaude: boolean
  leftOut: LeftOut
}

interface Turns {
  system: SystemBlock[]
  messages: Message[]
}

/** A message with its place in the request. */
interface Placed extends Pick<ChatMessage, 'role'> {
  message: ChatMessage
  path: string
}

export function turnsOf(messages: readonly ChatMessage[], context: TurnsContext): Turns {
  const placed = messages.map((message, place): Placed => ({
    role: message.role,
    message,
    path: `messages[${place}]`,
  }))
  const { system, conversation } = splitSystem(placed)
  const turns: Message[] = []
  for (const { isAnswer, messages: run } of alternatingTurns(conversation)) {
    if (isAnswer) pushTurn(turns, 'assistant', answerBlocks(run, context))
    else pushTurn(turns, 'user', userBlocks(run, context))
  }
  return {
    system: system.flatMap(({ message }) => systemBlocks(message, context)),
    messages: startingWithUser(turns, context),
  }
}

/** Adds a turn. One without content is left out, and its neighbours become one. */
function pushTurn(turns: Message[], role: 'user' | 'assistant', content: ContentBlock[]): void {
  if (content.length === 0) return
  const last = turns.at(-1)
  if (last?.role === role) last.content?.push(...content)
  else turns.push({ role, content })
}

function startingWithUser(turns: Message[], { leftOut }: TurnsContext): Message[] {
  if (turns[0]?.role !== 'assistant') return turns
  const reason = 'Bedrock does not accept conversations that begin with an answer'
  leftOut.send('messages', 'sent_as_second_turn', reason)
  return [{ role: 'user', content: [{ text: '(The conversation begins.)' }] }, ...turns]
}

function systemBlocks(message: ChatMessage, context: TurnsContext): SystemBlock[] {
  const parts = typeof message.content === 'string' ? [message.content] : (message.content ?? [])
  const blocks = parts.flatMap((part): SystemBlock[] => {
    const [block] = textBlocks(typeof part === 'string' ? part : (stringOf(part['text']) ?? ''))
    const mark = typeof part === 'string' ? null : context.systemCachePointOf(part)
    return block === undefined ? [] : withMark<SystemBlock>([block], mark)
  })
  return withMark(blocks, context.systemCachePointOf(message))
}

function withMark<Block>(blocks: Block[], mark: CachePoint | null): (Block | CachePoint)[] {
  return mark === null || blocks.length === 0 ? blocks : [...blocks, mark]
}

function userBlocks(run: readonly Placed[], context: TurnsContext): ContentBlock[] {
  const results = run.filter(({ message }) => isToolResult(message))
  const others = run.filter(({ message }) => !isToolResult(message))
  return withText([
    ...results.flatMap((each) => resultBlocks(each, context)),
    ...others.flatMap(({ message, path }) =>
      isSystem(message)
        ? asUserText(message, context)
        : withMark(
            contentBlocks(message.content, `${path}.content`, context),
            context.cachePointOf(message),
          ),
    ),
  ])
}

/** Adds a text beside a document, which Converse takes only next to one. */
function withText(blocks: ContentBlock[]): ContentBlock[] {
  const documents = blocks.flatMap(({ document }) => document ?? [])
  const hasText = blocks.some(({ text }) => text !== undefined)
  if (documents.length === 0 || hasText) return blocks
  const names = documents.map(({ name }) => name).join(', ')
  return [{ text: `Attached: ${names}` }, ...blocks]
}

function asUserText(message: ChatMessage, context: TurnsContext): ContentBlock[] {
  const text = systemBlocks(message, context)
    .flatMap((block) => block.text ?? [])
    .join('\n')
  if (text === '') return []
  const reason = 'Bedrock takes system prompts at the beginning only'
  context.leftOut.send('messages', 'sent_as_user_text', reason)
  return withMark<ContentBlock>([{ text: asMarkedText(text) }], context.cachePointOf(message))
}

function isToolResult({ role }: ChatMessage): boolean {
  return role === 'tool' || role === 'function'
}

function resultBlocks({ message, path }: Placed, context: TurnsContext): ContentBlock[] {
  const content = contentBlocks(message.content, `${path}.content`, context)
  const mark = content.findLast((block) => block.cachePoint !== undefined)
  const id = callId(message.tool_call_id ?? message.name ?? '')
  const blocks = content.filter(({ cachePoint }) => cachePoint === undefined)
  const cachePoint =
    context.cachePointOf(message) ?? (mark?.cachePoint ? { cachePoint: mark.cachePoint } : null)
  if (!context.hasTools)
    return withMark<ContentBlock>([{ text: `Result of the call ${id}:` }, ...blocks], cachePoint)
  const status = message['is_error'] === true ? ({ status: 'error' } as const) : {}
  const result = blocks.flatMap((block) => asResult(block))
  const toolResult = {
    toolUseId: id,
    content: result.length === 0 ? [{ text: '(empty)' }] : result,
    ...status,
  }
  return withMark<ContentBlock>([{ toolResult }], cachePoint)
}

/** A block of a result, which takes texts, images, documents and videos. */
function asResult({ text, image, document, video }: ContentBlock): ResultBlock[] {
  if (text !== undefined) return [{ text }]
  if (image !== undefined) return [{ image }]
  if (document !== undefined) return [{ document }]
  return video === undefined ? [] : [{ video }]
}

/** Blocks of an answer. The reasoning comes first, because models refuse tool calls before it. */
function answerBlocks(run: readonly Placed[], context: TurnsContext): ContentBlock[] {
  return run.flatMap(({ message, path }) => {
    const blocks: ContentBlock[] = [
      ...contentBlocks(message.content, `${path}.content`, context),
      ...textBlocks(stringOf(message['refusal']) ?? ''),
      ...(message.tool_calls ?? []).flatMap((call) => callBlock(call, context)),
    ]
    const reasoning = context.isClaude ? reasoningBlocks(message['reasoning_details']) : []
    return [...reasoning, ...withMark(blocks, context.cachePointOf(message))]
  })
}

function callBlock(
  { id, function: called, custom }: NonNullable<ChatMessage['tool_calls']>[number],
  { hasTools }: TurnsContext,
): ContentBlock[] {
  const name = called?.name ?? custom?.name ?? ''
  const text = called?.arguments ?? custom?.input ?? ''
  if (!hasTools) return [{ text: `Call ${callId(id)} of ${name}: ${text}` }]
  // What was parsed from JSON is a document.
  const input = custom === undefined ? (toolInput(text) as Document) : { input: text }
  return [{ toolUse: { toolUseId: callId(id), name, input } }]
}

/** An id that Converse accepts: at most 64 characters, without those that other vendors' ids may have. */
function callId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_').slice(-64)
}
