/** The schemas that check bodies, by form. The description of the API contains the same ones. */
import { z } from 'zod'
import { chatRequestSchema } from '../../shared/chat.ts'
import { embeddingsRequestSchema } from '../../shared/embeddings.ts'
import { completionsJsonSchema } from '../families/openai-completions/endpoint/request-schema.ts'
import { geminiJsonSchemas } from '../families/google/endpoint/request-schema.ts'
import { messagesJsonSchemas } from '../families/anthropic/endpoint/request-schema.ts'
import { responsesJsonSchema } from '../families/openai-responses/endpoint/request-schema.ts'

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
