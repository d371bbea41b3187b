/** One candidate of an answer: its parts as deltas of one choice. */
import { createHash } from 'node:crypto'
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { passedValue } from '../../../providers/passed-fields.ts'
import type { ProviderChunk, UpstreamDelta } from '../../../providers/provider.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { reasoningFormat } from '../answer-parts.ts'
import { Citations } from './citations.ts'
import { finishReason } from '../finish-reasons.ts'
import { readLogprobs } from './logprobs.ts'

type Choice = ProviderChunk['choices'][number]

export interface AnswerContext {
  customTools: ReadonlySet<string>
  /** Google's id of the answer; empty without one. */
  responseId: string
}

export class CandidateReader {
  readonly #index: number
  readonly #citations = new Citations()
  /** The visible text so far, for the positions of citations. */
  readonly #text: string[] = []
  #calls = 0
  #images = 0
  #serverParts = 0
  /** The items of `reasoning_details`, and whether the last one is a text that the next thought continues. */
  #details = 0
  #isThinking = false

  constructor(index: number) {
    this.#index = index
  }

  /** The choices for one event, in order. */
  read(candidate: WireFields, context: AnswerContext): Choice[] {
    const choices: Choice[] = []
    for (const part of listOf(fieldsOf(candidate['content'])['parts'])) {
      const delta = this.#deltaOf(fieldsOf(part), context)
      if (delta !== null) choices.push(this.#choice(delta))
    }
    const annotations =
      candidate['groundingMetadata'] === undefined
        ? []
        : this.#citations.read(candidate, this.#text.join(''))
    if (annotations.length > 0) choices.push(this.#choice({ annotations }))
    this.#end(choices, candidate)
    return choices
  }

  #choice(delta: UpstreamDelta): Choice {
    return { index: this.#index, delta, finish_reason: null }
  }

  /** Adds the end, if any, to the last piece. */
  #end(choices: Choice[], candidate: WireFields): void {
    const reason = stringOf(candidate['finishReason'])
    const logprobs = readLogprobs(candidate['logprobsResult'])
    if (reason === null && logprobs === null) return
    const last = choices.at(-1) ?? this.#choice({})
    if (choices.length === 0) choices.push(last)
    if (logprobs !== null) last.logprobs = logprobs
    if (reason === null) return
    last.finish_reason = finishReason(reason, this.#calls > 0)
    // OpenRouter's name for the vendor's own reason, which says more than `content_filter`.
    if (last.finish_reason === 'content_filter') last['native_finish_reason'] = reason
  }

  #deltaOf(part: WireFields, context: AnswerContext): UpstreamDelta | null {
    const { text, thought, functionCall, inlineData, thoughtSignature } = part
    const signature = stringOf(thoughtSignature)
    if (thought === true) return this.#thought(stringOf(text), signature)
    this.#isThinking = false
    if (functionCall !== undefined) return this.#call(fieldsOf(functionCall), signature, context)
    if (inlineData !== undefined) return this.#image(fieldsOf(inlineData), signature)
    const visible = stringOf(text)
    if (visible === null) return this.#rest(part, signature)
    this.#text.push(visible)
    return signature === null
      ? { content: visible }
      : { content: visible, reasoning_details: [this.#signed(signature)] }
  }

  /** A picture among the thoughts is a draft, which Google shows nowhere. */
  #thought(text: string | null, signature: string | null): UpstreamDelta | null {
    if (text === null && signature === null) return null
    if (!this.#isThinking) this.#details += 1
    this.#isThinking = true
    const item = {
      type: 'reasoning.text',
      text: text ?? '',
      ...(signature === null ? {} : { signature }),
      format: reasoningFormat,
      index: this.#details - 1,
    }
    return { ...(text === null ? {} : { reasoning_content: text }), reasoning_details: [item] }
  }

  #call(
    { id, name, args }: WireFields,
    signature: string | null,
    { customTools, responseId }: AnswerContext,
  ): UpstreamDelta {
    const called = stringOf(name) ?? ''
    const text = JSON.stringify(passedValue(args ?? {}))
    const index = this.#calls
    this.#calls += 1
    const callId = stringOf(id) ?? this.#idOf(responseId || hashOf(called + text), index)
    const call = customTools.has(called)
      ? { type: 'custom', custom: { name: called, input: stringOf(fieldsOf(args)['input']) ?? '' } }
      : { type: 'function', function: { name: called, arguments: text } }
    return {
      tool_calls: [{ index, id: callId, ...call }],
      ...(signature === null ? {} : { reasoning_details: [this.#signed(signature, callId)] }),
    }
  }

  /** Models before Gemini 3 and Vertex AI give calls no ids, and callers need one. */
  #idOf(answer: string, index: number): string {
    return this.#index === 0 ? `call_${answer}_${index}` : `call_${answer}_${this.#index}_${index}`
  }

  /** Writes an image in the form of OpenRouter's answers with pictures. */
  #image({ mimeType, data }: WireFields, signature: string | null): UpstreamDelta | null {
    const base64 = stringOf(data)
    if (base64 === null) return this.#rest({}, signature)
    const url = `data:${stringOf(mimeType) ?? 'image/png'};base64,${base64}`
    const index = this.#images
    this.#images += 1
    return {
      images: [{ type: 'image_url', image_url: { url }, index }],
      ...(signature === null ? {} : { reasoning_details: [this.#signed(signature)] }),
    }
  }

  /** The steps of Google's code execution, and signatures without a text. */
  #rest(
    { executableCode, codeExecutionResult }: WireFields,
    signature: string | null,
  ): UpstreamDelta | null {
    const step =
      executableCode === undefined
        ? codeExecutionResult && { codeExecutionResult }
        : { executableCode }
    const delta: UpstreamDelta = {}
    if (step) {
      delta['code_execution'] = [{ ...fieldsOf(passedValue(step)), index: this.#serverParts }]
      this.#serverParts += 1
    }
    if (signature !== null) delta['reasoning_details'] = [this.#signed(signature)]
    return step || signature !== null ? delta : null
  }

  #signed(data: string, id?: string): WireFields {
    const index = this.#details
    this.#details += 1
    return {
      type: 'reasoning.encrypted',
      data,
      ...(id === undefined ? {} : { id }),
      format: reasoningFormat,
      index,
    }
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
