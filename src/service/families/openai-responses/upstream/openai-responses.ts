/**
 * OpenAI's Responses API. Some models are served only there, and reasoning is kept between turns: it comes
 * back encrypted and is sent with the next request. docs/wires.md has the table of fields.
 */
import { HttpProvider } from '../../../providers/http-provider.ts'
import { EventReader } from '../../../providers/sse.ts'
import type { HttpConnection, Wire, WireFormat } from '../../../providers/wire.ts'
import { openAiFormat } from '../../openai-chat/openai-chat.ts'
import { OriginalReader } from '../../original-reader.ts'
import { readAnswer } from '../answer.ts'
import { originalWire } from '../form.ts'
import { ResponseEvents } from './events.ts'
import { leftOutOf } from './left-out.ts'
import { fitOriginal } from './fit-original.ts'
import { originalBody } from './original.ts'
import { toRequestBody } from './request.ts'
import { parseExact } from '../../../exact-json.ts'

/** Capabilities of the chat form without a field here. */
export const responsesLacks = ['n', 'seed', 'audio'] as const

export const openAiResponses: Wire = {
  create: (connection) => new HttpProvider(connection, responsesFormat(connection)),
  lacks: responsesLacks,
}

/** Key, errors and the list of models are as in the chat form. */
export function responsesFormat(connection: HttpConnection): WireFormat {
  return {
    ...openAiFormat(connection),
    originalWire,
    fitOriginal,
    takesChatForm: false,
    chatRequest(request, isStreamed) {
      const path = '/responses'
      if (request.original !== undefined) {
        const { headers } = request.original
        const body = originalBody(request, request.original, isStreamed)
        return { path, body, isStreamed, headers }
      }
      const body = JSON.stringify(toRequestBody(request, isStreamed))
      return { path, body, isStreamed }
    },
    leftOut: leftOutOf,
    newEvents: () => new EventReader(),
    newReader({ original }) {
      const reader = new ResponseEvents()
      return original === undefined ? reader : new OriginalReader(reader)
    },
    readWhole(body, { original }) {
      const answer = readAnswer(parseExact(body))
      return original === undefined ? answer : { ...answer, events: [body] }
    },
  }
}
