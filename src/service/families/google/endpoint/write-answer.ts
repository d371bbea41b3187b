/** An answer of the inner form in Gemini's form: a whole one, or the pieces of a stream. */
import {
  contentText,
  type ChatDelta,
  type CompletionMessage,
  type WireFields,
} from '../../../../shared/chat/chat.ts'
import { readDataUrl } from '../../data-url.ts'
import { fieldsOf, listOf, stringOf, toolInput } from '../../../json-fields.ts'
import { reasoningFormat } from '../answer-parts.ts'
import { geminiFinishReason } from '../finish-reasons.ts'
import { writeUsage } from '../usage.ts'
import { parseExact } from '../../../exact-json.ts'
import type { ToolNames } from '../../tool-names.ts'
import type { WholeAnswer } from '../../written-answer.ts'

export interface GenerationOptions {
  /** Id of an answer that was not written by its provider. */
  responseId: string
  names: ToolNames
  showsThoughts: boolean
}

export function writeGeneration(
  { model, choices, usage, events = [] }: WholeAnswer,
  { responseId, names, showsThoughts }: GenerationOptions,
  meta: object,
): object {
  if (events.length === 1) {
    return { ...fieldsOf(parseExact(events[0] ?? '')), modelVersion: model, _meta: meta }
  }
  return {
    candidates: choices.map((choice) => {
      const { message } = choice
      const parts = [...deltaParts(message, showsThoughts), ...messageCalls(message, names)]
      return candidate(choice.index, parts, finishOf(choice))
    }),
    usageMetadata: writeUsage(usage),
    modelVersion: model,
    responseId,
    _meta: meta,
  }
}

/**
 * Writes a candidate with at least one part: Google's SDK drops an answer from its chat if one of its contents has
 * none.
 * @param finishReason  null before the end
 */
export function candidate(
  index: number,
  parts: readonly WireFields[],
  finishReason: string | null,
): WireFields {
  return {
    content: { parts: parts.length === 0 ? [{ text: '' }] : parts, role: 'model' },
    ...(finishReason === null ? {} : { finishReason }),
    index,
  }
}

/** Google's reason, if the provider is Google. */
export function finishOf(choice: WireFields): string {
  const own = stringOf(choice['native_finish_reason'])
  return geminiFinishReason(own ?? stringOf(choice['finish_reason']) ?? 'stop')
}

/** The parts of a piece of text, thoughts or pictures. Calls are whole only at their end. */
export function deltaParts(
  delta: ChatDelta | CompletionMessage,
  showsThoughts: boolean,
): WireFields[] {
  const thoughts = delta.reasoning_content ?? delta.reasoning ?? ''
  const text = contentText(delta.content) + (delta.refusal ?? '')
  const signature = signaturesOf(delta).get(null)
  return [
    ...(showsThoughts && thoughts !== '' ? [{ text: thoughts, thought: true }] : []),
    ...listOf(delta['images']).flatMap(imagePart),
    ...(text === '' && signature === undefined ? [] : [signed({ text }, signature)]),
  ]
}

export function callPart(
  { id, name, args }: { id: string; name: string; args: string },
  signature: string | undefined,
): WireFields {
  return signed({ functionCall: { id, name, args: toolInput(args) } }, signature)
}

/** Google's signatures by the ids of their calls; null is the text's. */
export function signaturesOf(delta: WireFields): Map<string | null, string> {
  const signatures = new Map<string | null, string>()
  for (const item of listOf(delta['reasoning_details']).map(fieldsOf)) {
    const data = stringOf(item['data'])
    if (item['format'] !== reasoningFormat || data === null) continue
    signatures.set(stringOf(item['id']), data)
  }
  return signatures
}

function messageCalls(message: CompletionMessage, names: ToolNames): WireFields[] {
  const signatures = signaturesOf(message)
  return (message.tool_calls ?? []).map((call) => {
    const { id, function: called } = call
    const { name = '', arguments: args = '' } = called ?? {}
    return callPart({ id, name: names.find(name).name, args }, signatures.get(id))
  })
}

function signed(part: WireFields, thoughtSignature: string | undefined): WireFields {
  return thoughtSignature === undefined ? part : { ...part, thoughtSignature }
}

function imagePart(image: unknown): WireFields[] {
  const inline = readDataUrl(stringOf(fieldsOf(fieldsOf(image)['image_url'])['url']) ?? '')
  return inline === null ? [] : [{ inlineData: { mimeType: inline.mediaType, data: inline.data } }]
}
