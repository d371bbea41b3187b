/** Forms of requests that tell what they are for, whichever client sends them. */
import type { ChatMessage, ChatRequest, WireFields } from '../../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../../json-fields.ts'

/** A text that asks for something says so at its beginning, or at its end. */
const openingCharacters = 1_500
/** A question, an answer and a repair. */
const mostTurnsOfCheck = 3
const mostTokensOfProbe = 4

/** What ends a verdict, by the version of the check. */
const endsOfVerdict: ReadonlySet<string> = new Set(['</block>', '</severity>'])

/**
 * A classifier of Claude Code that decides whether an action may run. Its first look stops at the end of the verdict;
 * its second look thinks first, and asks for the verdict at the end of its text.
 * @param isClaudeCode  for other programs, the stop word alone may mean something else
 */
export function isSafetyCheck(body: ChatRequest, isClaudeCode: boolean): boolean {
  const stopsAtVerdict = [body.stop ?? []].flat().some((word) => endsOfVerdict.has(word))
  if (hasTools(body) || !(isClaudeCode || stopsAtVerdict) || asksForTitle(body)) return false
  const turns = body.messages.filter(({ role }) => role !== 'system' && role !== 'developer')
  if (turns.length > mostTurnsOfCheck) return false
  return (isClaudeCode && (stopsAtVerdict || asksForVerdict(turns))) || isOfClassifier(body)
}

function asksForVerdict(turns: readonly ChatMessage[]): boolean {
  const last = turns.at(-1)
  const text = last === undefined ? '' : (textsOf(last).at(-1) ?? '')
  return /\brespond with <(?:block|severity)>/i.test(text.slice(-openingCharacters))
}

function isOfClassifier({ messages }: ChatRequest): boolean {
  return messages.some((message) =>
    textsOf(message).some((text) => text.includes('<classifier_system_prompt>')),
  )
}

export function isProbe({ max_tokens, max_completion_tokens }: ChatRequest): boolean {
  return (max_completion_tokens ?? max_tokens ?? Infinity) <= mostTokensOfProbe
}

export function hasTools({ tools }: ChatRequest): boolean {
  return (tools?.length ?? 0) > 0
}

const titles = new Set(['title', 'branch', 'branch_name'])

/** Whether the answer is nothing but a title or the name of a branch, by its schema. */
export function asksForTitle({ response_format: format }: ChatRequest): boolean {
  const { schema } = fieldsOf(fieldsOf(format)['json_schema'])
  const fields = Object.keys(fieldsOf(fieldsOf(schema)['properties']))
  return fields.length > 0 && fields.every((field) => titles.has(field))
}

/** The beginning of the last text that the person's side sent. */
export function lastOpening({ messages }: ChatRequest): string {
  const last = messages.findLast(({ role }) => role === 'user')
  const text = last === undefined ? '' : (textsOf(last).at(-1) ?? '')
  return text.trimStart().slice(0, openingCharacters)
}

export function textsOf({ content }: ChatMessage): readonly string[] {
  if (typeof content === 'string') return [content]
  return (content ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

/** A client's own name for something; null unless it is one short printable text. */
export function nameOf(value: unknown): string | null {
  const text = stringOf(value)
  return text !== null && /^[\x20-\x7e]{1,128}$/.test(text) ? text : null
}

/** JSON in a string, as clients put it into headers and metadata. */
export function jsonFields(value: unknown): WireFields {
  if (typeof value !== 'string' || value.length > 8_192 || !value.startsWith('{')) return {}
  try {
    return fieldsOf(JSON.parse(value))
  } catch {
    return {}
  }
}
