import { sdkClient } from '../sdk-client.ts'
import { anthropicErrors } from './error-types.ts'

export const anthropicPython = sdkClient({
  id: 'anthropic-python',
  name: 'anthropic (Python)',
  packages: {
    from: 'PyPI',
    versions: {
      anthropic: '2.12.0',
    },
  },
  program: 'anthropic_python.py',
  doors: ['messages'],
  errors: { messages: anthropicErrors },
})
