import { sdkClient } from '../sdk-client.ts'
import { anthropicErrors } from './error-types.ts'

export const liteLlm = sdkClient({
  id: 'litellm',
  name: 'LiteLLM',
  // Without the extra, calls with tools fail: LiteLLM imports a module that is not there.
  packages: { from: 'PyPI', versions: { 'litellm[mcp]': '1.106.2' } },
  program: 'litellm_python.py',
  doors: ['chat', 'responses', 'messages'],
  ownField: 'provider_specific_fields',
  // LiteLLM's own types have these names, too.
  errors: { chat: anthropicErrors, responses: anthropicErrors, messages: anthropicErrors },
})
