import { sdkClient } from '../sdk-client.ts'
import { openAiErrors } from './error-types.ts'

export const openAiNode = sdkClient({
  id: 'openai-node',
  name: 'openai (Node)',
  packages: { from: 'npm', versions: { openai: '7.55.0' } },
  program: 'openai.mjs',
  doors: ['chat', 'responses'],
  errors: { chat: openAiErrors, responses: openAiErrors },
})
