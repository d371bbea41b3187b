import { sdkClient } from '../sdk-client.ts'
import { openAiErrors } from './error-types.ts'

export const llamaIndex = sdkClient({
  id: 'llama-index',
  name: 'LlamaIndex (Python)',
  packages: {
    from: 'PyPI',
    versions: {
      'llama-index-core': '0.14.25',
      'llama-index-llms-openai-like': '0.8.1',
    },
  },
  program: 'llama_index_python.py',
  doors: ['chat'],
  errors: { chat: openAiErrors },
})
