/** Frameworks that wrap the vendors' clients. */
import { openaiUrl } from '../tool.ts'
import { nodeLibrary, pythonLibrary } from './library.ts'

export const vercelAiSdk = nodeLibrary({
  id: 'ai-sdk',
  name: 'Vercel AI SDK',
  door: 'chat',
  userAgent: /^ai(-sdk)?\//,
  documentation: 'https://ai-sdk.dev/providers/openai-compatible-providers',
  text: (connection) => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const modelport = createOpenAICompatible({
  name: 'modelport',
  baseURL: '${openaiUrl(connection)}',
  apiKey: process.env.MODELPORT_API_KEY,
  includeUsage: true,
})

const { text } = await generateText({ model: modelport('auto'), prompt: 'Hello' })
console.log(text)
`,
})

export const langchainJavaScript = nodeLibrary({
  id: 'langchain-js',
  name: 'LangChain for JavaScript',
  door: 'chat',
  // It sends the user agent of OpenAI's SDK.
  userAgent: null,
  documentation: 'https://docs.langchain.com/oss/javascript/integrations/chat/openai',
  text: (connection) => `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: 'auto',
  apiKey: process.env.MODELPORT_API_KEY,
  configuration: { baseURL: '${openaiUrl(connection)}' },
})

const answer = await model.invoke('Hello')
console.log(answer.content)
`,
})

export const langchainPython = pythonLibrary({
  id: 'langchain-python',
  name: 'LangChain for Python',
  door: 'chat',
  userAgent: null,
  documentation: 'https://docs.langchain.com/oss/python/integrations/chat/openai',
  text: (connection) => `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model="auto",
    base_url="${openaiUrl(connection)}",
    api_key=os.environ["MODELPORT_API_KEY"],
)

print(model.invoke("Hello").content)
`,
})

export const llamaIndex = pythonLibrary({
  id: 'llamaindex',
  name: 'LlamaIndex',
  door: 'chat',
  userAgent: null,
  documentation: 'https://developers.llamaindex.ai/python/examples/llm/openai_like/',
  text: (connection) => `import os
from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    model="auto",
    api_base="${openaiUrl(connection)}",
    api_key=os.environ["MODELPORT_API_KEY"],
    is_chat_model=True,
    is_function_calling_model=True,
)

print(llm.complete("Hello"))
`,
})

export const litellm = pythonLibrary({
  id: 'litellm',
  name: 'LiteLLM',
  door: 'chat',
  userAgent: /^litellm\//,
  documentation: 'https://docs.litellm.ai/docs/providers/openai_compatible',
  text: (connection) => `import os
import litellm

answer = litellm.completion(
    model="openai/auto",
    api_base="${openaiUrl(connection)}",
    api_key=os.environ["MODELPORT_API_KEY"],
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)
`,
})
