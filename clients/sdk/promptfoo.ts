import { sdkClient } from '../sdk-client.ts'

const errors = { 401: 'Error', 404: 'Error', 429: 'Error', 503: 'Error' } as const

export const promptfoo = sdkClient({
  id: 'promptfoo',
  name: 'promptfoo',
  packages: { from: 'npm', versions: { promptfoo: '0.123.1' } },
  program: 'promptfoo-cli.mjs',
  doors: ['chat', 'responses', 'messages'],
  without: { stream: 'never streams', abort: 'never streams', tools: 'runs no tools' },
  errors: { chat: errors, responses: errors, messages: errors },
})
