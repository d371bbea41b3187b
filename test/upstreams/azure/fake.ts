/** OpenAI's chat form as Azure serves it, at both of its addresses, for the suite of all wires. */
import { jsonReply, type FakeFormat, type RecordedRequest } from '../harness.ts'
import { openAiFormat } from '../openai-chat/fake.ts'

const newerPath = /^\/openai\/v1\/chat\/completions$/
const olderPath =
  /^\/openai\/deployments\/([^/]+)\/chat\/completions\?api-version=\d{4}-\d{2}-\d{2}(-preview)?$/
const deployments = '/openai/deployments?api-version=2023-03-15-preview'

/** The same request at OpenAI's own address. */
function atOpenAi(request: RecordedRequest): RecordedRequest {
  const key = request.headers['api-key']
  const headers =
    typeof key === 'string'
      ? { ...request.headers, authorization: `Bearer ${key}` }
      : request.headers
  return { ...request, path: '/v1/chat/completions', headers }
}

/** What Azure sends before the first piece of a stream: the filter's results for the prompt, without a choice. */
const promptFilter = Buffer.from(
  `data: ${JSON.stringify({
    choices: [],
    created: 0,
    id: '',
    model: '',
    object: '',
    prompt_filter_results: [
      { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
    ],
  })}\n\n`,
)

export const azureFormat: FakeFormat = {
  ...openAiFormat,
  route(request) {
    if (request.path === deployments) return 'models'
    const isChat = newerPath.test(request.path) || olderPath.test(request.path)
    return isChat ? openAiFormat.route(atOpenAi(request)) : null
  },
  problems(request) {
    const hasKey = request.headers['api-key'] !== undefined
    const hasToken = request.headers.authorization !== undefined
    const both = hasKey && hasToken ? ['a key and a token'] : []
    return [...both, ...openAiFormat.problems(atOpenAi(request))]
  },
  stream(answer, request) {
    const { headers, events } = openAiFormat.stream(answer, request)
    return { headers, events: [promptFilter, ...events] }
  },
  models: (names) =>
    jsonReply(200, {
      object: 'list',
      data: [
        ...names.map((id) => ({ id, model: 'gpt-5', status: 'succeeded', object: 'deployment' })),
        { id: 'not-ready', model: 'gpt-5', status: 'creating', object: 'deployment' },
      ],
    }),
  rateLimited: jsonReply(429, {
    error: {
      code: '429',
      message: 'Requests to the ChatCompletions_Create Operation are limited.',
    },
  }),
}
