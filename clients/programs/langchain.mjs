/** LangChain for JavaScript, with its OpenAI and Anthropic packages. */
import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { answerTasks, citySchema, joinPieces, leaveAtFirstPiece, weatherTool } from './tasks.mjs'

const openAi = ({ routerUrl, apiKey, model, maxTokens }, useResponsesApi) =>
  new ChatOpenAI({
    model,
    apiKey,
    maxTokens,
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${routerUrl}/v1` },
  })
const models = {
  chat: (task) => openAi(task, false),
  responses: (task) => openAi(task, true),
  messages: ({ routerUrl, apiKey, model, maxTokens }) =>
    new ChatAnthropic({ model, apiKey, maxTokens, maxRetries: 0, anthropicApiUrl: routerUrl }),
}
const connect = (task) => models[task.door](task)
const textOf = (message) => message.text

const tasks = {
  plain: async (task) => ({ text: textOf(await connect(task).invoke(task.prompt)) }),
  stream: async (task) => joinPieces(await connect(task).stream(task.prompt), textOf),
  abort: async (task) => {
    const leaving = new AbortController()
    const stream = await connect(task).stream(task.prompt, { signal: leaving.signal })
    return leaveAtFirstPiece(stream, () => leaving.abort(), textOf)
  },
  tools: async (task) => {
    const { name, description, parameters } = weatherTool
    const model = connect(task).bindTools([{ name, description, schema: parameters }])
    const question = new HumanMessage(task.prompt)
    const first = await model.invoke([question])
    const results = first.tool_calls.map(
      ({ id }) => new ToolMessage({ content: task.toolResult, tool_call_id: id }),
    )
    const last = await model.invoke([question, first, ...results])
    return {
      text: textOf(last),
      calls: first.tool_calls.map((call) => ({ name: call.name, input: call.args })),
    }
  },
  structured: async (task) => {
    const schema = { title: 'city', ...citySchema }
    return { value: await connect(task).withStructuredOutput(schema).invoke(task.prompt) }
  },
}

await answerTasks({ chat: tasks, responses: tasks, messages: tasks })
