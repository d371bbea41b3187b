/** Vercel's AI SDK with its three providers: OpenAI-compatible, OpenAI (Responses) and Anthropic. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import { answerTasks, citySchema, joinPieces, leaveAtFirstPiece, weatherTool } from './tasks.mjs'

const models = {
  chat: ({ routerUrl, apiKey, model }) =>
    createOpenAICompatible({
      name: 'modelport',
      baseURL: `${routerUrl}/v1`,
      apiKey,
      supportsStructuredOutputs: true,
    })(model),
  responses: ({ routerUrl, apiKey, model }) =>
    createOpenAI({ baseURL: `${routerUrl}/v1`, apiKey }).responses(model),
  messages: ({ routerUrl, apiKey, model }) =>
    createAnthropic({ baseURL: `${routerUrl}/v1`, apiKey })(model),
}

const ask = (task) => ({
  model: models[task.door](task),
  prompt: task.prompt,
  maxOutputTokens: task.maxTokens,
  maxRetries: 0,
})

/** The SDK reports a stream's error here and not by throwing. */
function stream(task, more = {}) {
  let failure = null
  const result = streamText({
    ...ask(task),
    ...more,
    onError: ({ error }) => {
      failure = error
    },
  })
  const check = () => {
    if (failure !== null) throw failure
  }
  return { text: result.textStream, check }
}

const tasks = {
  plain: async (task) => ({ text: (await generateText(ask(task))).text }),
  stream: async (task) => {
    const { text, check } = stream(task)
    const joined = await joinPieces(text)
    check()
    return joined
  },
  abort: async (task) => {
    const leaving = new AbortController()
    const { text, check } = stream(task, { abortSignal: leaving.signal })
    const left = await leaveAtFirstPiece(text, () => leaving.abort())
    check()
    return left
  },
  tools: async (task) => {
    const { name, description, parameters } = weatherTool
    const calls = []
    const execute = (input) => {
      calls.push({ name, input })
      return task.toolResult
    }
    const tools = { [name]: tool({ description, inputSchema: jsonSchema(parameters), execute }) }
    const { text } = await generateText({ ...ask(task), tools, stopWhen: stepCountIs(3) })
    return { text, calls }
  },
  structured: async (task) => {
    const output = Output.object({ schema: jsonSchema(citySchema) })
    return { value: (await generateText({ ...ask(task), output })).output }
  },
}

await answerTasks({ chat: tasks, responses: tasks, messages: tasks })
