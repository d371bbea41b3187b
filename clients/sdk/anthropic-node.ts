import { sdkClient } from '../sdk-client.ts'
import { anthropicErrors } from './error-types.ts'

export const anthropicNode = sdkClient({
  id: 'anthropic-node',
  name: '@anthropic-ai/sdk',
  packages: { from: 'npm', versions: { '@anthropic-ai/sdk': '1.12.0' } },
  program: 'anthropic.mjs',
  doors: ['messages'],
  errors: { messages: anthropicErrors },
})
