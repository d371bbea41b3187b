/** Anthropic's SDK for JavaScript. */
import Anthropic from '@anthropic-ai/sdk'
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema'
import { answerTasks, citySchema, joinPieces, leaveAtFirstPiece, weatherTool } from './tasks.mjs'

const connect = ({ routerUrl, apiKey }) =>
  new Anthropic({ baseURL: routerUrl, apiKey, maxRetries: 0 })

const ask = ({ model, prompt, maxTokens }) => ({
  model,
  max_tokens: maxTokens,
  messages: [{ role: 'user', content: prompt }],
})
const { parameters: input_schema, ...described } = weatherTool
const tools = [{ ...described, input_schema }]
const textOf = (event) =>
  event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''
const joined = ({ content }) =>
  content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')

const messages = {
  plain: async (task) => ({ text: joined(await connect(task).messages.create(ask(task))) }),
  stream: async (task) => joinPieces(connect(task).messages.stream(ask(task)), textOf),
  abort: async (task) => {
    const stream = connect(task).messages.stream(ask(task))
    return leaveAtFirstPiece(stream, () => stream.abort(), textOf)
  },
  tools: async (task) => {
    const client = connect(task)
    const first = await client.messages.create({ ...ask(task), tools })
    const called = first.content.filter(({ type }) => type === 'tool_use')
    const results = called.map(({ id }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: task.toolResult,
    }))
    const last = await client.messages.create({
      ...ask(task),
      tools,
      messages: [
        ...ask(task).messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: results },
      ],
    })
    return { text: joined(last), calls: called.map(({ name, input }) => ({ name, input })) }
  },
  structured: async (task) => {
    const answer = await connect(task).messages.parse({
      ...ask(task),
      output_config: { format: jsonSchemaOutputFormat(citySchema) },
    })
    return { value: answer.parsed_output }
  },
}

await answerTasks({ messages })
