import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Tool } from '../tool.ts'

export const openaiJavaScript: Tool = {
  id: 'openai-js',
  name: 'OpenAI SDK for JavaScript',
  kind: 'library',
  door: 'chat',
  userAgent: /^OpenAI\/JS /,
  verified: 'run',
  documentation: 'https://github.com/openai/openai-node',
  snippets: (connection) => [
    nodeEnvironment(connection),
    {
      title: 'Call the router',
      language: 'javascript',
      text: `import OpenAI from 'openai'

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
    },
  ],
}

export const openaiPython: Tool = {
  id: 'openai-python',
  name: 'OpenAI SDK for Python',
  kind: 'library',
  door: 'chat',
  userAgent: /^(Async)?OpenAI\/Python /,
  verified: 'run',
  documentation: 'https://github.com/openai/openai-python',
  snippets: (connection) => [
    pythonEnvironment(connection),
    {
      title: 'Call the router',
      language: 'python',
      text: `import os
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
    },
  ],
}

/** Node.js reads the authority from this variable at its start only. */
export function nodeEnvironment(connection: Connection) {
  const { key, caFile } = connection
  const variables = { MODELPORT_API_KEY: key, NODE_EXTRA_CA_CERTS: caFile }
  return environmentSnippet('Set the environment', variables, connection)
}

/** Python's clients replace their own roots with this file, so it has the system's as well. */
export function pythonEnvironment(connection: Connection) {
  const { key, caBundleFile } = connection
  const variables = { MODELPORT_API_KEY: key, SSL_CERT_FILE: caBundleFile }
  return environmentSnippet('Set the environment', variables, connection)
}
