/** The results of tool calls as Gemini's function responses. */
import type { ChatMessage } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { CalledNames } from '../answer-parts.ts'
import { partsOf } from './parts.ts'
import type { GeminiPart, GeminiResponsePart } from './rest.ts'
import type { TranslationContext } from './traits.ts'

type ResultContext = TranslationContext & { names: CalledNames }

/** @throws ProviderError request for a result without a call */
export function resultParts(results: readonly ChatMessage[], context: ResultContext): GeminiPart[] {
  const called = results.map((message) => ({ message, ...callOf(message, context.names) }))
  return called
    .toSorted((one, other) => one.order - other.order)
    .flatMap((each) => resultOf(each, context))
}

interface Called {
  id: string | null
  name: string
  order: number
}

function callOf({ tool_call_id, name }: ChatMessage, names: CalledNames): Called {
  const id = tool_call_id ?? null
  const call = id === null ? undefined : names.get(id)
  const called = call?.name ?? name
  if (called === undefined) {
    throw new ProviderError('request', 'a tool message names no tool call of this conversation')
  }
  return { id, name: called, order: call?.order ?? names.size }
}

function resultOf(
  { message, id, name }: Called & { message: ChatMessage },
  { traits, dialect }: ResultContext,
): GeminiPart[] {
  const parts = partsOf(message.content)
  const output = parts.flatMap(({ text }) => text ?? []).join('')
  const media = parts.filter(({ text }) => text === undefined)
  const nested = traits.nestsMedia ? media.filter(isNestable) : []
  const result: GeminiPart = {
    functionResponse: {
      ...(dialect.hasCallIds && id !== null ? { id } : {}),
      name,
      response: message['is_error'] === true ? { error: output } : { output },
      ...(nested.length === 0 ? {} : { parts: nested.map(nestedPart) }),
    },
  }
  return [result, ...media.filter((part) => !nested.includes(part))]
}

/** Whether a part can be inside a result. Other media, and all media for older models, follow as parts of their own. */
function isNestable({ inlineData, fileData }: GeminiPart): boolean {
  const mimeType = inlineData?.mimeType ?? fileData?.mimeType ?? ''
  return mimeType.startsWith('image/') || mimeType === 'application/pdf'
}

function nestedPart({ inlineData, fileData }: GeminiPart): GeminiResponsePart {
  if (inlineData !== undefined) return { inlineData }
  return fileData === undefined ? {} : { fileData }
}
