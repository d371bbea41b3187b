/**
 * Sessions of a coding agent in the Messages form, with faults, and a vendor that caches them as Anthropic does: the
 * longest prefix that an earlier request wrote, for each effort apart.
 */
import type { ChatUsage, WireFields } from '../../src/shared/chat/chat.ts'
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'

export type Fault = 'lifted system messages' | 'clock' | 'reordered tools' | 'effort' | null

const tools = ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Task', 'Write'].map((name) => ({
  name,
  description: `${name} does what its name says. `.repeat(60),
  input_schema: { type: 'object', properties: { input: { type: 'string' } } },
}))
const instructions = 'You are an agent that works on a repository. '.repeat(700)
const reminder = { role: 'system', content: 'Remember that the plan has changed.' }

/** The client's request of a step, from 0. A fault of the client shows at every third step. */
export function clientRequest(step: number, fault: Fault): WireFields {
  const isFaulty = step % 3 === 2
  const time = new Date(Date.UTC(2026, 10, 28, 9, step)).toISOString()
  const clock = fault === 'clock' && isFaulty ? `The time is ${time}. ` : ''
  const turn = fault === 'reordered tools' && isFaulty ? step % tools.length : 0
  const listed = [...tools.slice(turn), ...tools.slice(0, turn)]
  const efforts = ['high', 'high', `level ${step}`]
  return {
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330' },
      { type: 'text', text: instructions.slice(0, 5_000) + clock + instructions.slice(5_000) },
    ],
    tools: listed,
    ...(fault === 'effort' && { output_config: { effort: efforts[step % 3] } }),
    messages: messagesOf(step),
  }
}

/** The last message has a mark, and is a block for that; thinking of old turns is gone. */
function messagesOf(step: number): object[] {
  const messages: object[] = [{ role: 'user', content: 'Add a retry to the upload.' }]
  for (let nth = 0; nth < step; nth += 1) {
    const id = `toolu_${nth}`
    const thought = { type: 'thinking', thinking: 'It may be in the client.', signature: 's' }
    const call = { type: 'tool_use', id, name: 'Read', input: { input: `file ${nth}` } }
    messages.push({ role: 'assistant', content: nth > step - 4 ? [thought, call] : [call] })
    const content = `${nth} `.repeat(900)
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] })
    if (nth % 3 === 1) messages.push(reminder)
  }
  return messages.map((message, index) =>
    index === messages.length - 1 ? marked(message) : message,
  )
}

/** With a mark at its end, for which a text becomes a block. */
function marked(message: object): object {
  const { content } = fieldsOf(message)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const mark = { cache_control: { type: 'ephemeral' } }
  const last = { ...fieldsOf(blocks.at(-1)), ...mark }
  return { ...message, content: [...blocks.slice(0, -1), last] }
}

function textIn(content: unknown): string {
  return typeof content === 'string' ? content : String(fieldsOf(listOf(content)[0])['text'])
}

/** What LiteLLM 1.91.0 made of such a request: every message of the role `system` went to the system prompt. */
export function withLiftedMessages(body: WireFields): WireFields {
  const isSystem = (message: unknown) => fieldsOf(message)['role'] === 'system'
  const messages = listOf(body['messages'])
  const lifted = messages
    .filter(isSystem)
    .map((message) => ({ type: 'text', text: textIn(fieldsOf(message)['content']) }))
  return {
    ...body,
    system: [...listOf(body['system']), ...lifted],
    messages: messages.filter((message) => !isSystem(message)),
  }
}

const charactersPerToken = 4

export class VendorCache {
  /** The parts of each request, by effort. */
  readonly #written = new Map<string, string[][]>()

  usageOf(body: WireFields): ChatUsage {
    const effort = JSON.stringify(body['output_config'] ?? null)
    const parts = partsOf(body)
    const known = this.#written.get(effort) ?? []
    const read = Math.max(0, ...known.map((before) => sharedCharacters(before, parts)))
    this.#written.set(effort, [...known, parts])
    const tokens = (characters: number) => Math.round(characters / charactersPerToken)
    const prompt_tokens = tokens(parts.join('').length)
    const cached_tokens = tokens(read)
    const cache_write_tokens = prompt_tokens - cached_tokens
    return {
      prompt_tokens,
      completion_tokens: 300,
      total_tokens: prompt_tokens + 300,
      prompt_tokens_details: { cached_tokens, cache_write_tokens },
    }
  }
}

/** Thinking of old turns is not counted, and marks and the attribution change nothing. */
function partsOf(body: WireFields): string[] {
  const [, ...system] = listOf(body['system'])
  const withoutMark = (name: string, value: unknown) =>
    name === 'cache_control' ? undefined : value
  const contentOf = (message: unknown) => {
    const { content } = fieldsOf(message)
    return listOf(content).filter((block) => fieldsOf(block)['type'] !== 'thinking')
  }
  const messages = listOf(body['messages']).map((message) => {
    const { role, content } = fieldsOf(message)
    return JSON.stringify(
      [role, typeof content === 'string' ? content : contentOf(message)],
      withoutMark,
    )
  })
  return [JSON.stringify(body['tools']), JSON.stringify(system), ...messages]
}

function sharedCharacters(before: readonly string[], parts: readonly string[]): number {
  let characters = 0
  for (const [index, part] of parts.entries()) {
    if (before[index] !== part) break
    characters += part.length
  }
  return characters
}
