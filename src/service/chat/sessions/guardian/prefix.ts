/**
 * What a vendor caches of a request, as hashes: tools, system prompt, each message, in any of the forms. Cache marks are
 * left out, a lone text block counts as its text, and thinking is left out, because clients and vendors remove it.
 */
import { hash } from 'node:crypto'
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { Chain } from './chain.ts'

/** The place in a system prompt is told to about this many characters. */
export const systemBlock = 1_024

export interface Prefix {
  tools: { chain: number; sorted: number; count: number }
  system: Chain
  messages: Chain
  /** The chain of as many messages as the request before had; null when there are fewer. */
  messagesBefore: number | null
  thoughts: number
  effort: string
}

/** @param before  the prefix that it will be compared with; null for none */
export function prefixOf(body: WireFields, before: Prefix | null): Prefix {
  const { system, instructions, systemInstruction } = body
  const all = listOf(body['messages'] ?? body['input'] ?? body['contents'])
  const isFirstMessage = (one: unknown) => !isInstruction(one)
  const start = all.findIndex(isFirstMessage)
  const leading = start === -1 ? all : all.slice(0, start)
  const messages = new Chain()
  let messagesBefore: number | null = before?.messages.length === 0 ? messages.last : null
  let thoughts = 0
  for (const message of all.slice(leading.length)) {
    const { text, thoughts: found } = readMessage(message)
    thoughts += found
    if (text === null) continue
    messages.add(text)
    if (messages.length === before?.messages.length) messagesBefore = messages.last
  }
  return {
    tools: readTools(listOf(body['tools'])),
    system: readSystem([system ?? instructions ?? systemInstruction, ...leading]),
    messages,
    messagesBefore,
    thoughts,
    effort: effortOf(body),
  }
}

function isInstruction(message: unknown): boolean {
  const { role } = fieldsOf(message)
  return role === 'system' || role === 'developer'
}

/** Tools that the model searches for are not part of the prefix. */
function readTools(tools: readonly unknown[]): Prefix['tools'] {
  const texts = tools
    .filter((tool) => fieldsOf(tool)['defer_loading'] !== true)
    .map((tool) => textOf(tool))
  return {
    chain: hashOf(texts.join('\n')),
    sorted: hashOf(texts.toSorted().join('\n')),
    count: texts.length,
  }
}

function readSystem(parts: readonly unknown[]): Chain {
  const text = parts.flatMap((part) => (part === undefined ? [] : systemTexts(part))).join('\n')
  const chain = new Chain()
  for (let start = 0; start < text.length; start += systemBlock) {
    chain.add(text.slice(start, start + systemBlock))
  }
  return chain
}

/** The texts of an instruction. Claude Code's line of attribution differs from request to request. */
function systemTexts(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  const { content, parts } = fieldsOf(part)
  const blocks = Array.isArray(part) ? part : (content ?? parts)
  if (typeof blocks === 'string') return [blocks]
  return listOf(blocks)
    .map((block) => stringOf(fieldsOf(block)['text']) ?? textOf(block))
    .filter((text) => !text.startsWith('x-anthropic-billing-header'))
}

const thinking: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking'])

/** Bedrock's blocks have their type as their only field. */
function isThought({ type, reasoningContent }: WireFields): boolean {
  return thinking.has(type) || reasoningContent !== undefined
}

/** The text is null for an item that is nothing but thinking. */
function readMessage(message: unknown): { text: string | null; thoughts: number } {
  const {
    content,
    reasoning,
    reasoning_content,
    reasoning_details,
    thinking: thought,
    ...rest
  } = fieldsOf(message)
  if (rest['type'] === 'reasoning') return { text: null, thoughts: 1 }
  const told = [reasoning, reasoning_content, reasoning_details, thought]
  const apart = told.filter((field) => field !== undefined).length
  if (!Array.isArray(content)) return { text: textOf({ ...rest, content }), thoughts: apart }
  const blocks = listOf(content).filter((block) => fieldsOf(block)['cachePoint'] === undefined)
  const shown = blocks.filter((block) => !isThought(fieldsOf(block)))
  const [first] = shown
  const { text } = fieldsOf(first)
  const isLoneText = shown.length === 1 && typeof text === 'string'
  return {
    text: textOf({ ...rest, content: isLoneText ? text : shown }),
    thoughts: apart + blocks.length - shown.length,
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  const text = JSON.stringify(value)
  return text.includes('"cache_control"') ? JSON.stringify(value, withoutMarks) : text
}

function withoutMarks(name: string, value: unknown): unknown {
  return name === 'cache_control' ? undefined : value
}

/** How hard the model is asked to think: it has caches of its own for each. */
function effortOf(body: WireFields): string {
  const { budget_tokens: budget } = fieldsOf(body['thinking'])
  const named =
    fieldsOf(body['output_config'])['effort'] ??
    body['reasoning_effort'] ??
    fieldsOf(body['reasoning'])['effort'] ??
    budget
  return typeof named === 'string' || typeof named === 'number' ? String(named) : ''
}

function hashOf(text: string): number {
  return hash('sha1', text, 'buffer').readUInt32LE(0)
}
