/** Frameworks that wrap the vendors' clients. */
import { openaiUrl, type Tool } from '../tool.ts'
import { nodeEnvironment, pythonEnvironment } from './openai-sdk.ts'

export const vercelAiSdk: Tool = {
  id: 'ai-sdk',
  name: 'Vercel AI SDK',
  kind: 'library',
  door: 'chat',
  userAgent: /^ai(-sdk)?\//,
  verified: 'run',
  documentation: 'https://ai-sdk.dev/providers/openai-compatible-providers',
  snippets: (connection) => [
    nodeEnvironment(connection),
    {
      title: 'Call the router',
      language: 'javascript',
      text: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
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
    },
  ],
}

export const langchainJavaScript: Tool = {
  id: 'langchain-js',
  name: 'LangChain for JavaScript',
  kind: 'library',
  door: 'chat',
  // It sends the user agent of OpenAI's SDK.
  userAgent: null,
  verified: 'run',
  documentation: 'https://docs.langchain.com/oss/javascript/integrations/chat/openai',
  snippets: (connection) => [
    nodeEnvironment(connection),
    {
      title: 'Call the router',
      language: 'javascript',
      text: `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: 'auto',
  apiKey: process.env.MODELPORT_API_KEY,
  configuration: { baseURL: '${openaiUrl(connection)}' },
})

const answer = await model.invoke('Hello')
console.log(answer.content)
`,
    },
  ],
}

export const langchainPython: Tool = {
  id: 'langchain-python',
  name: 'LangChain for Python',
  kind: 'library',
  door: 'chat',
  userAgent: null,
  verified: 'run',
  documentation: 'https://docs.langchain.com/oss/python/integrations/chat/openai',
  snippets: (connection) => [
    pythonEnvironment(connection),
    {
      title: 'Call the router',
      language: 'python',
      text: `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model="auto",
    base_url="${openaiUrl(connection)}",
    api_key=os.environ["MODELPORT_API_KEY"],
)

print(model.invoke("Hello").content)
`,
    },
  ],
}

export const llamaIndex: Tool = {
  id: 'llamaindex',
  name: 'LlamaIndex',
  kind: 'library',
  door: 'chat',
  userAgent: null,
  verified: 'run',
  documentation: 'https://developers.llamaindex.ai/python/examples/llm/openai_like/',
  snippets: (connection) => [
    pythonEnvironment(connection),
    {
      title: 'Call the router',
      language: 'python',
      text: `import os
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
    },
  ],
}

export const litellm: Tool = {
  id: 'litellm',
  name: 'LiteLLM',
  kind: 'library',
  door: 'chat',
  userAgent: /^litellm\//,
  verified: 'run',
  documentation: 'https://docs.litellm.ai/docs/providers/openai_compatible',
  snippets: (connection) => [
    pythonEnvironment(connection),
    {
      title: 'Call the router',
      language: 'python',
      text: `import os
import litellm

answer = litellm.completion(
    model="openai/auto",
    api_base="${openaiUrl(connection)}",
    api_key=os.environ["MODELPORT_API_KEY"],
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)
`,
    },
  ],
}
