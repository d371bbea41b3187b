/** The schemas that check bodies, by form. The description of the API contains the same ones. */
import { z } from 'zod'
import { chatRequestSchema } from '../../shared/chat.ts'
import { embeddingsRequestSchema } from '../../shared/embeddings.ts'
import { completionsJsonSchema } from '../doors/completions/request-schema.ts'
import { geminiJsonSchemas } from '../doors/gemini/request-schema.ts'
import { messagesJsonSchemas } from '../doors/messages/request-schema.ts'
import { responsesJsonSchema } from '../doors/responses/request-schema.ts'

export const requestSchemas = {
  chat: z.toJSONSchema(chatRequestSchema, { target: 'draft-7', io: 'input' }),
  completions: completionsJsonSchema,
  embeddings: z.toJSONSchema(embeddingsRequestSchema, { target: 'draft-7', io: 'input' }),
  messages: messagesJsonSchemas.messages,
  token_count: messagesJsonSchemas.tokenCount,
  responses: responsesJsonSchema,
  gemini: geminiJsonSchemas.generate,
  gemini_count: geminiJsonSchemas.count,
}
