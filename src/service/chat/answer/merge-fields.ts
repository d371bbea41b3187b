/**
 * Joins unknown fields of streamed deltas for a caller that requested the whole answer: `function_call`,
 * `audio`, `annotations`, `reasoning_details` and future fields.
 */
import { textOfPart, type AnswerContent, type WireFields } from '../../../shared/chat/chat.ts'
import { isExactNumber } from '../../exact-json.ts'

/** Fields whose text arrives in pieces; other fields keep the last value. */
const texts: ReadonlySet<string> = new Set([
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'arguments',
  'input',
  'text',
  'summary',
  'thinking',
  'data',
  'transcript',
])

type Fields = Record<string, unknown>

/** Changes `target`, which must belong to the caller; `fields` stays unchanged. Nulls replace nothing. */
export function mergeFields(target: Fields, fields: Readonly<Fields>): void {
  for (const name of Object.keys(fields)) {
    target[name] = merged(name, target[name], fields[name])
  }
}

/** Joins two texts into one text. If either side is a list of parts, the result is one list. */
export function mergeContent(before: AnswerContent | null, after: AnswerContent): AnswerContent {
  if (before === null) return after
  if (typeof before === 'string' && typeof after === 'string') return before + after
  return mergedParts(toParts(before), toParts(after))
}

function toParts(content: AnswerContent): readonly WireFields[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}

/** Merges parts. Text after plain text belongs to the same part. */
function mergedParts(before: readonly WireFields[], after: readonly WireFields[]): WireFields[] {
  const parts = [...before]
  for (const part of after) {
    const last = parts.at(-1)
    if (last && isPlainText(last) && isPlainText(part)) {
      parts.splice(-1, 1, { type: 'text', text: `${textOfPart(last)}${textOfPart(part)}` })
    } else parts.push(part)
  }
  return parts
}

function isPlainText(part: WireFields): boolean {
  return textOfPart(part) !== null && Object.keys(part).length === 2
}

function merged(name: string, before: unknown, after: unknown): unknown {
  if (after === null || after === undefined) return before ?? null
  if (typeof after === 'string') {
    return typeof before === 'string' && texts.has(name) ? before + after : after
  }
  if (Array.isArray(after)) return mergedList(Array.isArray(before) ? before : [], after)
  if (!isFields(after)) return after
  const target: Fields = isFields(before) ? before : {}
  mergeFields(target, after)
  return target
}

/** Merges lists. Items with the same `index` are pieces of one item; items without one are appended. */
function mergedList(list: unknown[], items: readonly unknown[]): unknown[] {
  for (const item of items) {
    if (!isFields(item)) {
      list.push(item)
      continue
    }
    const { index } = item
    const known = typeof index === 'number' ? list.find((each) => hasIndex(each, index)) : undefined
    if (isFields(known)) mergeFields(known, item)
    else list.push(merged('', undefined, item))
  }
  return list
}

function hasIndex(item: unknown, index: number): boolean {
  return isFields(item) && item['index'] === index
}

function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}
