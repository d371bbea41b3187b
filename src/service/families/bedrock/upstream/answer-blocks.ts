/** The content blocks of one answer as deltas of OpenAI's form: whole blocks, or the pieces of a stream. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import type { UpstreamDelta } from '../../../providers/provider.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf } from '../../../json-fields.ts'
import { reasoningFormat } from '../../anthropic/thinking-blocks.ts'

/** A tool call whose input is arriving. */
interface OpenCall {
  /** Position among the calls. */
  place: number
  isCustom: boolean
  hasInput: boolean
  /** All input of a custom tool so far; empty for others. */
  input: string
}

export interface BlocksOptions {
  /** Names of the tools whose input is one text. */
  customTools: ReadonlySet<string>
  /** Whether the model's reasoning can be sent back to it. */
  isClaude: boolean
}

export class AnswerBlocks {
  readonly #options: BlocksOptions
  readonly #calls = new Map<unknown, OpenCall>()
  /** Position of each reasoning block among its kind, by the index of the block. */
  readonly #reasoning = new Map<unknown, number>()
  #callCount = 0

  constructor(options: BlocksOptions) {
    this.#options = options
  }

  /** The deltas of a block that arrived whole. */
  whole(index: number, value: unknown): UpstreamDelta[] {
    const { text, toolUse, reasoningContent, citationsContent } = fieldsOf(value)
    if (typeof text === 'string') return text === '' ? [] : [{ content: text }]
    if (toolUse !== undefined) return this.#wholeCall(index, fieldsOf(toolUse))
    if (citationsContent !== undefined) return cited(fieldsOf(citationsContent))
    return reasoningContent === undefined
      ? []
      : present(this.#reasoned(index, wholeReasoning(fieldsOf(reasoningContent))))
  }

  /** Reads a block's start; only calls have something in it. Calls of AWS's own tools are not the caller's. */
  start(index: unknown, value: unknown): UpstreamDelta | null {
    const toolUse = fieldsOf(fieldsOf(value)['toolUse'])
    const id = stringOf(toolUse['toolUseId'])
    const name = stringOf(toolUse['name'])
    if (id === null || name === null || toolUse['type'] === 'server_tool_use') return null
    const isCustom = this.#options.customTools.has(name)
    const place = this.#callCount
    this.#callCount += 1
    this.#calls.set(index, { place, isCustom, hasInput: false, input: '' })
    const called = isCustom
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } }
    return { tool_calls: [{ index: place, id, ...called }] }
  }

  add(index: unknown, value: unknown): UpstreamDelta | null {
    const { text, toolUse, reasoningContent, citation } = fieldsOf(value)
    if (typeof text === 'string') return text === '' ? null : { content: text }
    if (toolUse !== undefined) return this.#addInput(index, fieldsOf(toolUse)['input'])
    if (reasoningContent !== undefined) return this.#reasoned(index, fieldsOf(reasoningContent))
    return citation === undefined ? null : { annotations: [annotation(fieldsOf(citation))] }
  }

  /** Ends a block. A call without input has the arguments `{}`; the input of a custom tool is complete only now. */
  stop(index: unknown): UpstreamDelta | null {
    const call = this.#calls.get(index)
    if (call === undefined) return null
    this.#calls.delete(index)
    const { place, isCustom, hasInput, input } = call
    if (isCustom) return { tool_calls: [{ index: place, custom: { input: customInput(input) } }] }
    return hasInput ? null : { tool_calls: [{ index: place, function: { arguments: '{}' } }] }
  }

  #addInput(index: unknown, value: unknown): UpstreamDelta | null {
    const call = this.#calls.get(index)
    if (call === undefined || typeof value !== 'string' || value === '') return null
    call.hasInput = true
    if (!call.isCustom) {
      return { tool_calls: [{ index: call.place, function: { arguments: value } }] }
    }
    call.input += value
    return null
  }

  #wholeCall(index: number, toolUse: WireFields): UpstreamDelta[] {
    const started = this.start(index, { toolUse })
    const input = JSON.stringify(toolUse['input'] ?? {})
    return present(started, this.#addInput(index, input), this.stop(index))
  }

  /** @param pieces  Converse's text, signature and encrypted reasoning */
  #reasoned(index: unknown, pieces: WireFields): UpstreamDelta | null {
    const text = stringOf(pieces['text'])
    const signature = stringOf(pieces['signature'])
    const data = stringOf(pieces['redactedContent'])
    if (text === null && signature === null && data === null) return null
    const shown = text === null ? {} : { reasoning_content: text }
    if (!this.#options.isClaude) return text === null ? null : shown
    const place = this.#reasoning.get(index) ?? this.#reasoning.size
    this.#reasoning.set(index, place)
    const end = { format: reasoningFormat, index: place }
    if (data !== null) return { reasoning_details: [{ type: 'reasoning.encrypted', data, ...end }] }
    const signed = signature === null ? {} : { signature }
    const detail = { type: 'reasoning.text', text: text ?? '', ...signed, ...end }
    return { ...shown, reasoning_details: [detail] }
  }
}

function present(...deltas: (UpstreamDelta | null)[]): UpstreamDelta[] {
  return deltas.filter((delta) => delta !== null)
}

/** A whole block in the form of a stream's pieces. */
function wholeReasoning({ reasoningText, redactedContent }: WireFields): WireFields {
  return { ...fieldsOf(reasoningText), redactedContent }
}

function cited({ content, citations }: WireFields): UpstreamDelta[] {
  const text = listOf(content)
    .map((each) => stringOf(fieldsOf(each)['text']) ?? '')
    .join('')
  const annotations = listOf(citations).map((each) => annotation(fieldsOf(each)))
  return [
    ...(text === '' ? [] : [{ content: text }]),
    ...(annotations.length === 0 ? [] : [{ annotations }]),
  ]
}

/** A web page in OpenAI's form, any other source in AWS's. */
function annotation(citation: WireFields): WireFields {
  const { url } = fieldsOf(fieldsOf(citation['location'])['web'])
  if (typeof url !== 'string') return { type: 'citation', ...citation }
  return { type: 'url_citation', url_citation: { url, title: citation['title'] ?? url } }
}

/** An answer that reached its limit can end within the JSON; then it is what came. */
function customInput(input: string): string {
  const { input: text } = fieldsOf(parseJsonOrNull(input))
  return typeof text === 'string' ? text : input
}
