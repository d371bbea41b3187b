import { sdkClient } from '../sdk-client.ts'

const callErrors = {
  401: 'APICallError',
  404: 'APICallError',
  429: 'APICallError',
  503: 'APICallError',
} as const

export const aiSdk = sdkClient({
  id: 'ai-sdk',
  name: 'Vercel AI SDK',
  packages: {
    from: 'npm',
    versions: {
      ai: '7.0.173',
      '@ai-sdk/openai-compatible': '3.0.92',
      '@ai-sdk/openai': '4.0.118',
      '@ai-sdk/anthropic': '4.0.105',
      zod: '4.6.7',
    },
  },
  program: 'ai-sdk.mjs',
  doors: ['chat', 'responses', 'messages'],
  errors: { chat: callErrors, responses: callErrors, messages: callErrors },
})
