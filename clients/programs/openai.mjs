/** openai-node, over chat completions and over Responses. */
import OpenAI from 'openai'
import { answerTasks, citySchema, joinPieces, leaveAtFirstPiece, weatherTool } from './tasks.mjs'

const connect = ({ routerUrl, apiKey }) =>
  new OpenAI({ baseURL: `${routerUrl}/v1`, apiKey, maxRetries: 0 })

const ask = ({ model, prompt, maxTokens }) => ({
  model,
  max_completion_tokens: maxTokens,
  messages: [{ role: 'user', content: prompt }],
})
const chatText = ({ choices }) => choices[0]?.delta.content

const chat = {
  plain: async (task) => {
    const { choices } = await connect(task).chat.completions.create(ask(task))
    return { text: choices[0].message.content }
  },
  stream: async (task) =>
    joinPieces(
      await connect(task).chat.completions.create({ ...ask(task), stream: true }),
      chatText,
    ),
  abort: async (task) => {
    const stream = await connect(task).chat.completions.create({ ...ask(task), stream: true })
    return leaveAtFirstPiece(stream, () => stream.controller.abort(), chatText)
  },
  tools: async (task) => {
    const calls = []
    const runner = connect(task).chat.completions.runTools({
      ...ask(task),
      tools: [
        {
          type: 'function',
          function: {
            ...weatherTool,
            parse: JSON.parse,
            function: (input) => {
              calls.push({ name: weatherTool.name, input })
              return task.toolResult
            },
          },
        },
      ],
    })
    return { text: await runner.finalContent(), calls }
  },
  structured: async (task) => {
    const answer = await connect(task).chat.completions.parse({
      ...ask(task),
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', strict: true, schema: citySchema },
      },
    })
    return { value: JSON.parse(answer.choices[0].message.content) }
  },
}

const input = ({ model, prompt, maxTokens }) => ({
  model,
  input: prompt,
  max_output_tokens: maxTokens,
})
const deltaText = ({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')

const responses = {
  plain: async (task) => {
    const { output_text: text } = await connect(task).responses.create(input(task))
    return { text }
  },
  stream: async (task) =>
    joinPieces(await connect(task).responses.create({ ...input(task), stream: true }), deltaText),
  abort: async (task) => {
    const stream = await connect(task).responses.create({ ...input(task), stream: true })
    return leaveAtFirstPiece(stream, () => stream.controller.abort(), deltaText)
  },
  tools: async (task) => {
    const client = connect(task)
    const tools = [{ type: 'function', strict: true, ...weatherTool }]
    const question = [{ role: 'user', content: task.prompt }]
    const first = await client.responses.create({ ...input(task), input: question, tools })
    const called = first.output.filter(({ type }) => type === 'function_call')
    const outputs = called.map(({ call_id }) => ({
      type: 'function_call_output',
      call_id,
      output: task.toolResult,
    }))
    const conversation = [...question, ...first.output, ...outputs]
    const last = await client.responses.create({ ...input(task), input: conversation, tools })
    const calls = called.map(({ name, arguments: text }) => ({ name, input: JSON.parse(text) }))
    return { text: last.output_text, calls }
  },
  structured: async (task) => {
    const answer = await connect(task).responses.parse({
      ...input(task),
      text: { format: { type: 'json_schema', name: 'city', strict: true, schema: citySchema } },
    })
    return { value: JSON.parse(answer.output_text) }
  },
}

await answerTasks({ chat, responses })
