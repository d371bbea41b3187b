/** The addresses below a router, as the description of the API lists them. */
import type { RequestForm } from '../answers/request-forms.ts'
import type { AnswerName } from './answer-schemas.ts'

export interface Operation {
  method: 'get' | 'post'
  /** Below the router's address and below `/v1`. */
  path: string
  operationId: string
  summary: string
  /** The schema that checks the body; absent without one. */
  form?: RequestForm
  /** One of these. */
  answers: readonly AnswerName[]
  /** The events of a stream, in words; absent where nothing streams. */
  stream?: string
  /** Form of errors and keys; OpenAI's if absent. `Either`: Anthropic's with the header `anthropic-version`. */
  family?: 'Anthropic' | 'Either' | 'Google'
  /** The one place below the router's address; `/v1` and none at all if absent. */
  base?: '/v1beta'
  /** Parameters in the path and the query. */
  parameters?: readonly object[]
}

const id = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
})
const query = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
})
const chunks = (schema: string) =>
  `Each \`data:\` line is a ${schema}, \`_meta\` is on the last one. Then follows \`data: [DONE]\`.`

const geminiModel = id(
  'model',
  'As `model` elsewhere: `auto`, `<provider>:<model_name>`, `agent:<slug>`',
)
const gemini = (method: string) =>
  ({
    path: `/models/{model}:${method}`,
    base: '/v1beta',
    family: 'Google',
    parameters: [geminiModel],
  }) as const

export const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Answers a chat with the model that the router chooses',
    form: 'chat',
    answers: ['ChatCompletion', 'Preview'],
    stream: chunks('ChatCompletionChunk'),
  },
  {
    method: 'post',
    path: '/completions',
    operationId: 'createCompletion',
    summary: 'Answers a legacy text completion with a chat model',
    form: 'completions',
    answers: ['TextCompletion', 'Preview'],
    stream: chunks('TextCompletion'),
  },
  {
    method: 'post',
    path: '/responses',
    operationId: 'createResponse',
    summary: 'Answers a request in the form of OpenAI’s Responses API',
    form: 'responses',
    answers: ['Response', 'Preview'],
    stream: 'The events of the Responses API; `_meta` in the response of the last one.',
  },
  {
    method: 'post',
    path: '/messages',
    operationId: 'createMessage',
    summary: 'Answers a request in the form of Anthropic’s Messages API',
    form: 'messages',
    answers: ['Message', 'Preview'],
    stream: 'The events of the Messages API; `_meta` on `message_stop`.',
    family: 'Anthropic',
  },
  {
    method: 'post',
    path: '/messages/count_tokens',
    operationId: 'countTokens',
    summary: 'Counts the tokens of a request; counts against no limit',
    form: 'token_count',
    answers: ['TokenCount'],
    family: 'Anthropic',
  },
  {
    method: 'post',
    ...gemini('generateContent'),
    operationId: 'generateContent',
    summary: 'Answers a request in Gemini’s form; also below /v1',
    form: 'gemini',
    answers: ['GenerateContentResponse', 'Preview'],
  },
  {
    method: 'post',
    ...gemini('streamGenerateContent'),
    operationId: 'streamGenerateContent',
    summary: 'The same as a stream: a JSON list, or events with alt=sse; also below /v1',
    form: 'gemini',
    answers: ['GenerateContentResponseList', 'Preview'],
    stream:
      'With `alt=sse`, each `data:` line is a GenerateContentResponse, `_meta` is on the last one.',
    parameters: [
      geminiModel,
      query('alt', '`sse` for server-sent events', { type: 'string', enum: ['sse', 'json'] }),
    ],
  },
  {
    method: 'post',
    ...gemini('countTokens'),
    operationId: 'countGeminiTokens',
    summary:
      'Counts the tokens of a request in Gemini’s form; counts against no limit; also below /v1',
    form: 'gemini_count',
    answers: ['GeminiTokenCount'],
  },
  {
    method: 'post',
    path: '/embeddings',
    operationId: 'createEmbeddings',
    summary: 'Returns the vectors of texts',
    form: 'embeddings',
    answers: ['Embeddings', 'Preview'],
  },
  {
    method: 'get',
    path: '/models',
    operationId: 'listModels',
    summary: 'Lists the accepted values of "model"',
    answers: ['ModelList', 'AnthropicModelPage'],
    family: 'Either',
    parameters: [
      query('limit', 'Entries of a page, in Anthropic’s form', {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 20,
      }),
      query('after_id', 'The entry before the page, in Anthropic’s form', { type: 'string' }),
      query('before_id', 'The entry after the page, in Anthropic’s form', { type: 'string' }),
    ],
  },
  {
    method: 'get',
    path: '/models/{id}',
    operationId: 'getModel',
    summary: 'Returns one model',
    answers: ['Model', 'AnthropicModel'],
    family: 'Either',
    parameters: [id('id', 'Slashes raw or as %2F')],
  },
  {
    method: 'get',
    path: '/requests/{request_id}',
    operationId: 'getRequest',
    summary: 'Returns the record of a request that the same key sent',
    answers: ['RequestRecord'],
    parameters: [id('request_id', 'The header x-request-id of its answer')],
  },
]
