/**
 * Gemini's addresses: `POST /api/router/{router_id}/v1beta/models/{model}:generateContent` and
 * `:streamGenerateContent` answer like chat completions, in Gemini's form; `:countTokens` counts the tokens of a request,
 * counts against no limit and stores nothing. The model's name may have slashes and colons. All work below `/v1`, too,
 * which newer SDKs of Google use.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CountTokens } from '../../chat/token-counts/count-tokens.ts'
import {
  readCount,
  readGenerate,
  type ReadGemini,
} from '../../families/google/endpoint/read-request.ts'
import type {
  CountRequest,
  GenerateRequest,
} from '../../families/google/endpoint/request-schema.ts'
import { writeGeneration } from '../../families/google/endpoint/write-answer.ts'
import { GeminiEvents, type Framing } from '../../families/google/endpoint/write-stream.ts'
import { ServiceError } from '../../errors.ts'
import { checkBody } from '../answers/answering-endpoint.ts'
import { chatHandler, type ChatEndpointOptions } from '../answers/chat-endpoint.ts'
import { callOf, type AnswerIdentity } from '../answers/chat-exchange.ts'
import { callerOf, checkedOf } from '../checks/checked-request.ts'
import { rulesOf } from '../answers/request-forms.ts'
import { sentMeta } from '../answers/sent-meta.ts'
import type { StreamForm } from '../answers/sse.ts'

export interface GeminiOptions extends ChatEndpointOptions {
  countTokens: CountTokens
}

interface GeminiRead extends ReadGemini {
  framing: Framing
}

export function geminiRoutes(app: FastifyInstance, options: GeminiOptions): void {
  const generate = chatHandler<GeminiRead>(options, {
    form: 'gemini',
    read(request) {
      const { model, method } = addressOf(request)
      const isStreamed = method === 'streamGenerateContent'
      const { bodyText } = checkedOf(request)
      // Checked by its schema.
      const body = request.body as GenerateRequest
      const { alt } = Object(request.query) as Record<string, unknown>
      const framing = alt === 'sse' ? 'events' : 'list'
      return { ...readGenerate(body, { model, isStreamed }, bodyText), framing }
    },
    completion: (finished, { requestId, isExplained }, { names, showsThoughts }) =>
      writeGeneration(
        finished,
        { responseId: requestId, names, showsThoughts },
        sentMeta(finished, isExplained),
      ),
    streamForm,
  })
  app.post('/models/*', async (request, reply) => {
    const { method } = addressOf(request)
    if (method === 'countTokens') return await count(request, reply, options)
    if (method === 'generateContent' || method === 'streamGenerateContent') {
      return await generate(request, reply)
    }
    throw unknownMethod(request)
  })
}

/** Error for an unknown method. Without a method of Gemini, the address is that of one model, which is only read. */
function unknownMethod(request: FastifyRequest): ServiceError {
  if (rulesOf(checkedOf(request).form).isNamedByAddress) {
    return new ServiceError(
      'endpoint_not_found',
      'Of Gemini’s methods, a router has generateContent, streamGenerateContent and countTokens.',
    )
  }
  const headers = { allow: 'GET' }
  return new ServiceError('method_not_allowed', 'This address accepts only GET.', { headers })
}

/** The method follows the last colon. */
function addressOf({ params }: FastifyRequest): { model: string; method: string } {
  const { '*': address } = params as { '*': string }
  const colon = address.lastIndexOf(':')
  return { model: address.slice(0, Math.max(colon, 0)), method: address.slice(colon + 1) }
}

async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  options: GeminiOptions,
): Promise<FastifyReply> {
  checkBody(request, 'gemini_count', options)
  const { id: requestId, headers } = request
  const { bodyText } = checkedOf(request)
  // Checked by its schema.
  const content = readCount(request.body as CountRequest, addressOf(request).model, bodyText)
  const call = callOf({ requestId, caller: callerOf(request), headers, ...content })
  const { tokens, isEstimated } = await options.countTokens(call)
  return await reply
    .header('x-modelport-estimated', String(isEstimated))
    .send({ totalTokens: tokens })
}

function streamForm(
  { requestId, isExplained }: AnswerIdentity,
  { names, showsThoughts, framing }: GeminiRead,
): StreamForm {
  const events = new GeminiEvents(framing, { responseId: requestId, names, showsThoughts })
  return {
    deltas: (part) => events.deltas(part),
    end: (part) => events.end({ ...part, meta: sentMeta(part, isExplained) }),
    error: (error) => events.error(error),
    ending: events.ending,
    contentType: events.contentType,
    keepAlive: () => events.keepAlive(),
  }
}
