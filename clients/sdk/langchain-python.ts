import { sdkClient } from '../sdk-client.ts'

function ownErrors(vendor: string) {
  return {
    401: `${vendor}AuthenticationError`,
    404: `${vendor}ModelNotFoundError`,
    429: `${vendor}RateLimitError`,
    503: `${vendor}APIError`,
  }
}

export const langChainPython = sdkClient({
  id: 'langchain-python',
  name: 'LangChain (Python)',
  packages: {
    from: 'PyPI',
    versions: {
      'langchain-core': '1.7.2',
      'langchain-openai': '1.7.3',
      'langchain-anthropic': '1.7.7',
    },
  },
  program: 'langchain_python.py',
  doors: ['chat', 'responses', 'messages'],
  errors: {
    chat: ownErrors('OpenAI'),
    responses: ownErrors('OpenAI'),
    messages: ownErrors('Anthropic'),
  },
})
