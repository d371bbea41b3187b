/** The forms of bodies: what checks one, where its family's clients send a key, and how they read an error. */
import type { ErrorObject } from 'ajv'
import { z } from 'zod'
import { chatRequestSchema } from '../../../shared/chat/chat.ts'
import { embeddingsRequestSchema } from '../../../shared/models/embeddings.ts'
import type { ServiceError } from '../../errors.ts'
import { messagesJsonSchemas } from '../../families/anthropic/endpoint/request-schema.ts'
import { anthropicErrors } from '../../families/anthropic/endpoint/write-error.ts'
import { openAiErrors, type ErrorForm } from '../../families/error-form.ts'
import { geminiJsonSchemas } from '../../families/google/endpoint/request-schema.ts'
import { geminiErrors } from '../../families/google/endpoint/write-error.ts'
import { completionsJsonSchema } from '../../families/openai-completions/endpoint/request-schema.ts'
import { responsesJsonSchema } from '../../families/openai-responses/endpoint/request-schema.ts'
import { responsesErrors } from '../../families/openai-responses/endpoint/write-error.ts'
import { refuseUnfitMessages } from './chat-messages.ts'
import { embeddingsRefusal } from '../refusals/embeddings-refusal.ts'

export interface FormRules {
  /** The schema's name in the description of the API, which contains it. */
  schemaName: string
  schema: object
  /** A body with more values (members of objects and items of lists) is refused before it is parsed. */
  mostValues?: number
  /** Fields that the form leaves out and reports, although other forms refuse them. */
  withheld?: readonly string[]
  /** Checks what a schema cannot express. @throws ServiceError */
  check?(body: object): void
  /** Words for what the schema found; absent: those of its most useful finding. */
  refusal?(body: unknown, errors: readonly ErrorObject[]): ServiceError
  /** Header in which the family's clients send a key, if not as a bearer. */
  keyHeader?: 'x-api-key' | 'x-goog-api-key'
  /** Whether the address, not the body, names the model and the method. */
  isNamedByAddress?: true
  /** A header besides `x-request-id` in which the family's clients find the request's id. */
  requestIdHeader?: 'request-id'
  errors: ErrorForm
}

const anthropic = {
  keyHeader: 'x-api-key',
  requestIdHeader: 'request-id',
  withheld: ['fallbacks'],
  errors: anthropicErrors,
} as const
const google = {
  keyHeader: 'x-goog-api-key',
  isNamedByAddress: true,
  errors: geminiErrors,
} as const

export const requestForms = {
  chat: {
    schemaName: 'ChatCompletionRequest',
    schema: z.toJSONSchema(chatRequestSchema, { target: 'draft-7', io: 'input' }),
    check: refuseUnfitMessages,
    errors: openAiErrors,
  },
  completions: {
    schemaName: 'TextCompletionRequest',
    schema: completionsJsonSchema,
    errors: openAiErrors,
  },
  embeddings: {
    schemaName: 'EmbeddingsRequest',
    schema: z.toJSONSchema(embeddingsRequestSchema, { target: 'draft-7', io: 'input' }),
    // Clients such as LangChain send texts as lists of tokens. OpenAI takes 300,000 tokens in one request. Counting,
    // parsing and checking 310,000 tokens takes 10 ms; as many members of objects take 150 ms.
    mostValues: 320_000,
    refusal: embeddingsRefusal,
    errors: openAiErrors,
  },
  messages: { schemaName: 'MessageRequest', schema: messagesJsonSchemas.messages, ...anthropic },
  token_count: {
    schemaName: 'TokenCountRequest',
    schema: messagesJsonSchemas.tokenCount,
    ...anthropic,
  },
  responses: {
    schemaName: 'ResponseRequest',
    schema: responsesJsonSchema,
    errors: responsesErrors,
  },
  gemini: { schemaName: 'GenerateContentRequest', schema: geminiJsonSchemas.generate, ...google },
  gemini_count: { schemaName: 'CountTokensRequest', schema: geminiJsonSchemas.count, ...google },
} as const satisfies Record<string, FormRules>

export type RequestForm = keyof typeof requestForms

export function rulesOf(form: RequestForm): FormRules {
  return requestForms[form]
}
