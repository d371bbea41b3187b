import { sdkClient } from '../sdk-client.ts'
import { openAiErrors } from './error-types.ts'

export const langChainNode = sdkClient({
  id: 'langchain-node',
  name: 'LangChain (JavaScript)',
  packages: {
    from: 'npm',
    versions: {
      '@langchain/core': '1.4.0',
      '@langchain/openai': '1.6.0',
      '@langchain/anthropic': '1.5.11',
    },
  },
  program: 'langchain.mjs',
  doors: ['chat', 'responses', 'messages'],
  // Its package for Anthropic brings a version of the SDK without ServiceUnavailableError.
  errors: { chat: openAiErrors, responses: openAiErrors, messages: openAiErrors },
})
