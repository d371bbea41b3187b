/** Sample calls to paste. The key comes from `MODELPORT_API_KEY`. */

export interface CallTarget {
  /** The address of the endpoint, `https://localhost:6778`. */
  url: string
  routerId: string
  /** The file of Modelport's certificate authority. */
  caFile: string
  caBundleFile: string
}

/** The base URL for OpenAI SDKs. */
export function routerUrl({ url, routerId }: Pick<CallTarget, 'url' | 'routerId'>): string {
  return `${url}/api/router/${routerId}/v1`
}

export function curlSnippet(target: CallTarget): string {
  return `curl --cacert ${shellWord(target.caFile)} \\
  ${routerUrl(target)}/chat/completions \\
  -H "Authorization: Bearer $MODELPORT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"messages": [{"role": "user", "content": "Hello"}]}'`
}

export function openaiNodeSnippet(target: CallTarget): string {
  return `// ask.mjs. Run: NODE_EXTRA_CA_CERTS=${shellWord(target.caFile)} node ask.mjs
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${routerUrl(target)}',
  apiKey: process.env.MODELPORT_API_KEY,
})
const completion = await client.chat.completions.create({
  model: '',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(completion.choices[0].message.content, completion._meta)`
}

export function openaiPythonSnippet(target: CallTarget): string {
  return `# ask.py. Run: SSL_CERT_FILE=${shellWord(target.caBundleFile)} python ask.py
import os
from openai import OpenAI

client = OpenAI(
    base_url="${routerUrl(target)}",
    api_key=os.environ["MODELPORT_API_KEY"],
)
completion = client.chat.completions.create(
    model="",
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content, completion.model_extra["_meta"])`
}

/** A path as one word of a POSIX shell. */
function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
