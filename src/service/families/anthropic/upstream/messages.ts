/**
 * A conversation in OpenAI's form as Anthropic's turns. Everything between two answers of the model is one user
 * turn: the results of its tool calls first, as the API requires, then texts, images and documents. System
 * prompts at the beginning become `system`. A later one follows the user turn as a turn of its own, where the
 * model takes that, else it is a marked text in the user turn. It keeps its place in both forms, so the
 * conversation's cached prefix stays the same.
 */
import type {
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { ChatMessage } from '../../../../shared/chat/chat.ts'
import { inputBlocks, textBlocks, textOnly, withMark, type InputBlock } from './content.ts'
import type { LeftOut } from '../../left-out.ts'
import { thinkingBlocks } from '../thinking-blocks.ts'
import type { ModelTraits } from '../traits.ts'
import { alternatingTurns, asMarkedText, isSystem, splitSystem } from '../../turns.ts'
import { fieldsOf, stringOf, toolInput } from '../../../json-fields.ts'

export interface TurnContext {
  /** The provider's own name. */
  model: string
  traits: Pick<ModelTraits, 'takesSystemTurns'>
  leftOut: LeftOut
}

export interface Turns {
  system: TextBlockParam[]
  messages: MessageParam[]
}

type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

export function turnsOf(
  messages: readonly ChatMessage[],
  { model, traits, leftOut }: TurnContext,
): Turns {
  const { system, conversation } = splitSystem(messages)
  const turns: MessageParam[] = []
  for (const { isAnswer, messages: run } of alternatingTurns(conversation)) {
    if (isAnswer)
      pushTurn(
        turns,
        'assistant',
        run.flatMap((message) => answerBlocks(message, model)),
      )
    else turns.push(...userTurns(run, traits, leftOut))
  }
  const systemTexts = system.flatMap(systemBlocks)
  // The API requires a message; OpenAI's form allows system prompts alone.
  return turns.length === 0 && systemTexts.length > 0
    ? { system: [], messages: [{ role: 'user', content: systemTexts }] }
    : { system: systemTexts, messages: turns }
}

function pushTurn(
  turns: MessageParam[],
  role: 'user' | 'assistant',
  content: ContentBlockParam[],
): void {
  if (content.length > 0) turns.push({ role, content })
}

function userTurns(
  run: readonly ChatMessage[],
  { takesSystemTurns }: Pick<ModelTraits, 'takesSystemTurns'>,
  leftOut: LeftOut,
): MessageParam[] {
  const results = run.filter(isToolResult).map(resultBlock)
  const system = run.filter(isSystem)
  // A system turn must follow a user turn.
  const hasUser = results.length > 0 || run.some(({ role }) => role === 'user')
  const isSystemTurn = takesSystemTurns && hasUser
  const blocks = run.flatMap((message): ContentBlockParam[] => {
    if (message.role === 'user') return userBlocks(message)
    return isSystem(message) && !isSystemTurn ? asUserText(message) : []
  })
  const turns: MessageParam[] = []
  pushTurn(turns, 'user', [...results, ...blocks])
  const instructions = isSystemTurn ? system.flatMap(systemBlocks) : []
  if (instructions.length > 0) turns.push({ role: 'system', content: instructions })
  if (system.length > 0 && !isSystemTurn) {
    leftOut.send('messages', 'sent_as_user_text', 'the model takes no system prompt at this place')
  }
  return turns
}

function isToolResult({ role }: ChatMessage): boolean {
  return role === 'tool'
}

function userBlocks(message: ChatMessage): InputBlock[] {
  return withMark(inputBlocks(message.content), message)
}

function systemBlocks(message: ChatMessage): TextBlockParam[] {
  return withMark(textOnly(message.content), message)
}

function asUserText(message: ChatMessage): TextBlockParam[] {
  const text = textOnly(message.content)
    .map((block) => block.text)
    .join('\n')
  return withMark(textBlocks(asMarkedText(text)), message)
}

function resultBlock(message: ChatMessage): ToolResultBlockParam {
  const content = inputBlocks(message.content)
  const toolset_name = stringOf(message['toolset_name'])
  const block: ToolResultBlockParam = {
    type: 'tool_result',
    tool_use_id: toolUseId(message.tool_call_id ?? ''),
    ...(content.length === 0 ? {} : { content: shortened(content) }),
    ...(message['is_error'] === true ? { is_error: true } : {}),
    ...(toolset_name === null ? {} : { toolset_name }),
  }
  return withMark([block], message)[0] ?? block
}

/** The content in its shortest form: one text without a mark needs no list. */
function shortened(content: InputBlock[]): string | InputBlock[] {
  const [only] = content
  const isPlain = only?.type === 'text' && content.length === 1 && Object.keys(only).length === 2
  return isPlain ? only.text : content
}

/** Blocks of an answer. The model's thinking comes first, because the API refuses tool calls before it. */
function answerBlocks(message: ChatMessage, model: string): ContentBlockParam[] {
  const refusal = stringOf(message['refusal'])
  const blocks: ContentBlockParam[] = [
    ...textOnly(message.content),
    ...textBlocks(refusal ?? ''),
    ...(message.tool_calls ?? []).map(toolUse),
  ]
  const marked = withMark(blocks as (TextBlockParam | ToolUseBlockParam)[], message)
  return [...thinkingBlocks(message['reasoning_details'], model), ...marked]
}

function toolUse(call: ToolCall): ToolUseBlockParam {
  const { id, function: called, custom } = call
  const toolset_name = stringOf(call['toolset_name'])
  const caller = fieldsOf(call['caller'])
  return {
    type: 'tool_use',
    id: toolUseId(id),
    name: called?.name ?? custom?.name ?? '',
    input: custom === undefined ? toolInput(called?.arguments ?? '') : { input: custom.input },
    ...(toolset_name === null ? {} : { toolset_name }),
    // The caller's copy of what the wire gave out.
    ...('type' in caller
      ? { caller: caller as unknown as NonNullable<ToolUseBlockParam['caller']> }
      : {}),
  }
}

/** An id that the API accepts; other vendors' ids may have other characters. */
function toolUseId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_')
}
