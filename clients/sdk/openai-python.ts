import { sdkClient } from '../sdk-client.ts'
import { openAiErrors } from './error-types.ts'

export const openAiPython = sdkClient({
  id: 'openai-python',
  name: 'openai (Python)',
  packages: {
    from: 'PyPI',
    versions: {
      openai: '3.54.0',
    },
  },
  program: 'openai_python.py',
  doors: ['chat', 'responses'],
  errors: { chat: openAiErrors, responses: openAiErrors },
})
