/**
 * The content blocks of one answer as deltas of OpenAI's form. A whole answer consists of blocks that are
 * complete when they start; in a stream, pieces follow. Blocks of the vendor's server tools are not passed on:
 * the text after them and its citations carry what they found.
 */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import {
  ProviderError,
  type UpstreamDelta,
  type UpstreamToolCall,
} from '../../../providers/provider.ts'
import { fieldsOf, parseJsonOrNull, stringOf } from '../../../json-fields.ts'
import { reasoningFormat } from '../thinking-blocks.ts'

export interface AnsweredRequest {
  /** The provider's own name. */
  model: string
  /** Names of the tools whose input is one text. */
  customTools: ReadonlySet<string>
}

interface OpenBlock {
  /** The model that signs the thinking. */
  model: string
  type: unknown
  /** Position among the blocks of its kind. */
  place: number
  /** Position in the whole content where a text begins. */
  startsAt: number
  citations: WireFields[]
  /** The input of a tool so far: of a custom tool all of it, else its length only matters. */
  input: string
  customTool: string | null
}

export class AnswerBlocks {
  readonly #customTools: ReadonlySet<string>
  readonly #model: string
  readonly #open = new Map<unknown, OpenBlock>()
  #textLength = 0
  #reasoningCount = 0
  #toolCount = 0

  constructor({ model, customTools }: AnsweredRequest) {
    this.#model = model
    this.#customTools = customTools
  }

  start(index: unknown, value: unknown): UpstreamDelta | null {
    const fields = fieldsOf(value)
    const { type } = fields
    const open = this.#opened(index, fields)
    switch (type) {
      case 'text':
        for (const citation of listOf(fields['citations'])) open.citations.push(fieldsOf(citation))
        return this.#text(fields['text'])
      case 'thinking':
        return reasoning(open, fields['thinking'], fields['signature'])
      case 'redacted_thinking':
        return {
          reasoning_details: [detail(open, 'reasoning.encrypted', { data: fields['data'] })],
        }
      case 'tool_use':
        return { tool_calls: [this.#startedCall(open, fields)] }
      default:
        return null
    }
  }

  add(index: unknown, value: unknown): UpstreamDelta | null {
    const open = this.#open.get(index)
    const fields = fieldsOf(value)
    if (open === undefined)
      throw new ProviderError('invalid_response', 'the answer has an unknown form')
    switch (fields['type']) {
      case 'text_delta':
        return this.#text(fields['text'])
      case 'thinking_delta':
        return reasoning(open, fields['thinking'], undefined)
      case 'signature_delta':
        return reasoning(open, undefined, fields['signature'])
      case 'citations_delta':
        open.citations.push(fieldsOf(fields['citation']))
        return null
      case 'input_json_delta':
        return toolInput(open, stringOf(fields['partial_json']) ?? '')
      default:
        return null
    }
  }

  stop(index: unknown): UpstreamDelta | null {
    const open = this.#open.get(index)
    if (open === undefined) return null
    this.#open.delete(index)
    if (open.type === 'tool_use') return endedCall(open)
    if (open.citations.length === 0) return null
    const span = { start_index: open.startsAt, end_index: this.#textLength }
    return { annotations: open.citations.map((citation) => annotation(citation, span)) }
  }

  #opened(index: unknown, { type, name }: WireFields): OpenBlock {
    const isReasoning = type === 'thinking' || type === 'redacted_thinking'
    const isTool = type === 'tool_use'
    const customTool = isTool && this.#customTools.has(String(name)) ? String(name) : null
    const place = isReasoning ? this.#reasoningCount : this.#toolCount
    if (isReasoning) this.#reasoningCount += 1
    if (isTool) this.#toolCount += 1
    const open = {
      model: this.#model,
      type,
      place,
      startsAt: this.#textLength,
      citations: [],
      input: '',
      customTool,
    }
    this.#open.set(index, open)
    return open
  }

  #text(value: unknown): UpstreamDelta | null {
    const content = stringOf(value)
    if (content === null) return null
    this.#textLength += content.length
    return { content }
  }

  #startedCall(open: OpenBlock, fields: WireFields): UpstreamToolCall {
    const { id, input } = fields
    const name = stringOf(fields['name']) ?? ''
    const whole = Object.keys(fieldsOf(input)).length > 0 ? JSON.stringify(input) : ''
    open.input = whole
    return {
      index: open.place,
      ...(typeof id === 'string' ? { id } : {}),
      ...(open.customTool === null
        ? { type: 'function', function: { name, arguments: whole } }
        : { type: 'custom', custom: { name, input: '' } }),
      ...passedBack(fields),
    }
  }
}

/** Fields of a call that the API wants back with it. */
function passedBack({ toolset_name, caller }: WireFields): WireFields {
  const { type } = fieldsOf(caller)
  return {
    ...(typeof toolset_name === 'string' ? { toolset_name } : {}),
    ...(type === undefined || type === 'direct' ? {} : { caller }),
  }
}

function toolInput(open: OpenBlock, piece: string): UpstreamDelta | null {
  if (piece === '' || open.type !== 'tool_use') return null
  if (open.customTool !== null) {
    open.input += piece
    return null
  }
  open.input = piece
  return { tool_calls: [{ index: open.place, function: { arguments: piece } }] }
}

/** The end of a call. One without input has the arguments `{}`; a custom tool's input is complete only now. */
function endedCall({ place, input, customTool }: OpenBlock): UpstreamDelta | null {
  if (customTool !== null) {
    // An answer that reached its limit can end within the JSON.
    const { input: text } = fieldsOf(parseJsonOrNull(input))
    const given = typeof text === 'string' ? text : input
    return { tool_calls: [{ index: place, custom: { input: given } }] }
  }
  return input === '' ? { tool_calls: [{ index: place, function: { arguments: '{}' } }] } : null
}

function reasoning(open: OpenBlock, thinking: unknown, signature: unknown): UpstreamDelta | null {
  const text = stringOf(thinking)
  const signed = stringOf(signature)
  if (text === null && signed === null) return null
  const pieces = { text: text ?? '', ...(signed === null ? {} : { signature: signed }) }
  const delta: UpstreamDelta = { reasoning_details: [detail(open, 'reasoning.text', pieces)] }
  return text === null ? delta : { reasoning_content: text, ...delta }
}

function detail({ place, model }: OpenBlock, type: string, fields: WireFields): WireFields {
  return { type, ...fields, format: reasoningFormat, model, index: place }
}

/** A web page in OpenAI's form, any other source in Anthropic's, both with the cited stretch of the answer. */
function annotation(
  citation: WireFields,
  span: { start_index: number; end_index: number },
): WireFields {
  if (citation['type'] !== 'web_search_result_location') return { ...citation, ...span }
  const { url, title, cited_text } = citation
  return { type: 'url_citation', url_citation: { url, title, cited_text, ...span } }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
