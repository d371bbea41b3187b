import { sdkClient } from '../sdk-client.ts'

const errors = { 401: 'LlmError', 404: 'LlmError', 429: 'LlmError', 503: 'LlmError' } as const

export const llm = sdkClient({
  id: 'llm',
  name: 'llm',
  packages: { from: 'PyPI', versions: { llm: '0.36' } },
  program: 'llm_cli.py',
  doors: ['chat'],
  // llm exits with the status in its message.
  errors: { chat: errors },
})
