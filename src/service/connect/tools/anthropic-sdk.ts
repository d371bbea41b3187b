import { nodeLibrary, pythonLibrary } from './library.ts'

export const anthropicJavaScript = nodeLibrary({
  id: 'anthropic-js',
  name: 'Anthropic SDK for JavaScript',
  door: 'messages',
  userAgent: /^Anthropic\/JS /,
  documentation: 'https://github.com/anthropics/anthropic-sdk-typescript',
  text: (connection) => `import Anthropic from '@anthropic-ai/sdk'

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
})

export const anthropicPython = pythonLibrary({
  id: 'anthropic-python',
  name: 'Anthropic SDK for Python',
  door: 'messages',
  userAgent: /^(Async)?Anthropic\/Python /,
  documentation: 'https://github.com/anthropics/anthropic-sdk-python',
  text: (connection) => `import os
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
})
