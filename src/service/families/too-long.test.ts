/** Refusals of prompts that are too long, in each vendor's own words and over the wire that it uses. */
import { expect, test } from 'vitest'
import type { WireFormat } from '../providers/wire.ts'
import {
  readRefusal as anthropic,
  reportedError as ofAnthropic,
} from './anthropic/upstream/refusal.ts'
import { readRefusal as azure } from './azure/upstream/refusal.ts'
import { readRefusal as bedrock, reportedError as ofBedrock } from './bedrock/upstream/refusal.ts'
import { readRefusal as google, reportedError as ofGoogle } from './google/upstream/refusal.ts'
import { readRefusal as ollama } from './ollama/upstream/refusal.ts'
import { readRefusal as openAi } from './openai-chat/refusal.ts'
import { failureOf } from './openai-responses/upstream/failure.ts'

type Read = WireFormat['readRefusal']
const openAiBody = (message: string, code: string | null = null, param: string | null = null) => ({
  error: { message, code, param },
})
const anthropicBody = (message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
})

test.each<[string, Read, object]>([
  ['OpenAI', openAi, openAiBody('Too much.', 'context_length_exceeded')],
  ['Azure', azure, openAiBody('Too much.', 'context_length_exceeded')],
  [
    'OpenAI, of one message',
    openAi,
    openAiBody('String too long.', 'string_above_max_length', 'messages[1].content'),
  ],
  [
    'llama.cpp',
    openAi,
    { error: { message: 'the request exceeds the available context size', type: 'x' } },
  ],
  [
    'vLLM',
    openAi,
    openAiBody("This model's maximum context length is 8192 tokens. However, you requested 9000."),
  ],
  [
    'xAI',
    openAi,
    openAiBody("This model's maximum prompt length is 131072 but the request contains 140000."),
  ],
  [
    'Mistral',
    openAi,
    openAiBody('Prompt contains 4 tokens, too large for model with 3 maximum context length'),
  ],
  ['Moonshot', openAi, openAiBody('Your request exceeded model token limit: 8192')],
  ['Qwen', openAi, openAiBody('Range of input length should be [1, 129024]')],
  ['Anthropic', anthropic, anthropicBody('prompt is too long: 208310 tokens > 200000 maximum')],
  [
    'Anthropic, with the answer',
    anthropic,
    anthropicBody('input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'),
  ],
  [
    'Google',
    google,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message:
          'The input token count (1050000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  ],
  [
    'Bedrock',
    bedrock,
    { __type: 'ValidationException', message: 'Input is too long for requested model.' },
  ],
  ['Ollama', ollama, { error: 'the input length exceeds the context length' }],
])('%s', (_vendor, readRefusal, body) => {
  expect(readRefusal(400, JSON.stringify(body), {})).toMatchObject({
    kind: 'request',
    isTooLong: true,
  })
})

const validation = { message: 'Input is too long for requested model.' }
const tokenCount = 'The input token count (9) exceeds the maximum number of tokens allowed (8).'

test.each([
  ['Anthropic', ofAnthropic(anthropicBody('prompt is too long: 208310 tokens > 200000 maximum'))],
  ['Bedrock', ofBedrock('validationException', validation)],
  ['Google', ofGoogle({ error: { code: 400, status: 'INVALID_ARGUMENT', message: tokenCount } })],
  ['the Responses API', failureOf({ code: 'context_length_exceeded', message: 'Too much.' })],
])('an event of %s', (_vendor, error) => {
  expect(error).toMatchObject({ kind: 'request', isTooLong: true })
})

test.each<[string, Read, object]>([
  ['OpenAI', openAi, openAiBody('max_tokens is too large: 99999.', 'invalid_value')],
  [
    'OpenAI, of a tool,',
    openAi,
    openAiBody('String too long.', 'string_above_max_length', 'tools[0].function.description'),
  ],
  ['Anthropic', anthropic, anthropicBody('max_tokens: 64001 > 64000')],
  ['Ollama', ollama, { error: '"m" does not support tools' }],
])('another refusal of %s is not about the length', (_vendor, readRefusal, body) => {
  expect(readRefusal(400, JSON.stringify(body), {}).isTooLong).toBe(false)
})
