import { openaiUrl } from '../tool.ts'
import { nodeLibrary, pythonLibrary } from './library.ts'

export const openaiJavaScript = nodeLibrary({
  id: 'openai-js',
  name: 'OpenAI SDK for JavaScript',
  door: 'chat',
  userAgent: /^OpenAI\/JS /,
  documentation: 'https://github.com/openai/openai-node',
  text: (connection) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${openaiUrl(connection)}',
  apiKey: process.env.MODELPORT_API_KEY,
})

const completion = await client.chat.completions.create({
  model: 'auto',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(completion.choices[0].message.content, completion._meta)
`,
})

export const openaiPython = pythonLibrary({
  id: 'openai-python',
  name: 'OpenAI SDK for Python',
  door: 'chat',
  userAgent: /^(Async)?OpenAI\/Python /,
  documentation: 'https://github.com/openai/openai-python',
  text: (connection) => `import os
from openai import OpenAI

client = OpenAI(
    base_url="${openaiUrl(connection)}",
    api_key=os.environ["MODELPORT_API_KEY"],
)

completion = client.chat.completions.create(
    model="auto",
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content, completion.model_extra["_meta"])
`,
})
