import { nodeEnvironment, pythonEnvironment } from './openai-sdk.ts'
import type { Tool } from '../tool.ts'

export const anthropicJavaScript: Tool = {
  id: 'anthropic-js',
  name: 'Anthropic SDK for JavaScript',
  kind: 'library',
  door: 'messages',
  userAgent: /^Anthropic\/JS /,
  verified: 'run',
  documentation: 'https://github.com/anthropics/anthropic-sdk-typescript',
  snippets: (connection) => [
    nodeEnvironment(connection),
    {
      title: 'Call the router',
      language: 'javascript',
      text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${connection.routerUrl}',
  apiKey: process.env.MODELPORT_API_KEY,
  // Otherwise a key in ANTHROPIC_AUTH_TOKEN would be sent beside this one.
  authToken: null,
})

const message = await client.messages.create({
  model: 'auto',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(message.content, message._meta)
`,
    },
  ],
}

export const anthropicPython: Tool = {
  id: 'anthropic-python',
  name: 'Anthropic SDK for Python',
  kind: 'library',
  door: 'messages',
  userAgent: /^(Async)?Anthropic\/Python /,
  verified: 'run',
  documentation: 'https://github.com/anthropics/anthropic-sdk-python',
  snippets: (connection) => [
    pythonEnvironment(connection),
    {
      title: 'Call the router',
      language: 'python',
      text: `import os
from anthropic import Anthropic

# A key in ANTHROPIC_AUTH_TOKEN would be sent beside this one.
os.environ.pop("ANTHROPIC_AUTH_TOKEN", None)
client = Anthropic(
    base_url="${connection.routerUrl}",
    api_key=os.environ["MODELPORT_API_KEY"],
)

message = client.messages.create(
    model="auto",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content, message.model_extra["_meta"])
`,
    },
  ],
}
