/** The command line of promptfoo: a configuration file with one prompt and one test, and its file of results. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { answerTasks, citySchema } from './tasks.mjs'

const providers = {
  chat: ({ model, routerUrl, apiKey, maxTokens }) => ({
    id: `openai:chat:${model}`,
    config: { apiBaseUrl: `${routerUrl}/v1`, apiKey, max_tokens: maxTokens },
  }),
  responses: ({ model, routerUrl, apiKey, maxTokens }) => ({
    id: `openai:responses:${model}`,
    config: { apiBaseUrl: `${routerUrl}/v1`, apiKey, max_output_tokens: maxTokens },
  }),
  messages: ({ model, routerUrl, apiKey, maxTokens }) => ({
    id: `anthropic:messages:${model}`,
    config: { apiBaseUrl: routerUrl, apiKey, max_tokens: maxTokens },
  }),
}

const start = 'node_modules/promptfoo/dist/src/main.js'
const quiet = ['--no-cache', '--no-write', '--no-table', '--no-progress-bar', '--no-share']
const env = {
  ...process.env,
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_SELF_HOSTED: '1',
  // Otherwise a refusal is repeated after its `retry-after`, which can be hours.
  PROMPTFOO_DISABLE_ADAPTIVE_SCHEDULER: 'true',
}

async function evaluate(task, config = {}) {
  const provider = providers[task.door](task)
  Object.assign(provider.config, { maxRetries: 0, ...config })
  const file = { prompts: [task.prompt], providers: [provider], tests: [{ vars: { unused: '' } }] }
  await writeFile('promptfooconfig.json', JSON.stringify(file))
  await rm('results.json', { force: true })
  const args = [start, 'eval', '-c', 'promptfooconfig.json', '-o', 'results.json', ...quiet]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => (printed += piece))
  }
  await once(child, 'close')
  const text = await readFile('results.json', 'utf8').catch(() => null)
  if (text === null) throw new Error(`no results: ${printed}`)
  const [{ response, error }] = JSON.parse(text).results.results
  if (response?.output === undefined) throw failure(error ?? printed)
  return response.output
}

/** `API error: 503 …` with the body behind it, `…, status 503, type …`, or `…: HTTP 429 …`. */
function failure(text) {
  const [, status] = /(?:API error:|, status|HTTP) (\d{3})\b/.exec(text) ?? []
  return Object.assign(new Error(text), { status: Number(status) })
}

const format = { type: 'json_schema', name: 'city', schema: citySchema }
const structured = {
  chat: {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'city', strict: true, schema: citySchema },
    },
  },
  responses: { response_format: { ...format, strict: true } },
  messages: { output_format: { type: 'json_schema', schema: citySchema } },
}

const tasks = {
  plain: async (task) => ({ text: await evaluate(task) }),
  structured: async (task) => {
    const output = await evaluate(task, structured[task.door])
    return { value: typeof output === 'string' ? JSON.parse(output) : output }
  },
}

await answerTasks({ chat: tasks, responses: tasks, messages: tasks })
