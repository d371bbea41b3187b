/**
 * The examples in resources/agents. With the real built-in model, three whole and three streamed, the tests check order,
 * sums and form. With the fake provider they check the path through the steps.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type OpenAI from 'openai'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import type { AgentMeta } from '../../src/shared/chat/chat.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { FakeModelScript, FakeRequest } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

// A small model on a busy computer writes a few words per second.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const folder = path.resolve(import.meta.dirname, '../../resources/agents')
const files = readdirSync(folder).map((name) => path.join(folder, name))

/** Shortens the answers, because their content is not checked. JSON needs room for its closing brackets. */
function shortened(source: string): string {
  return source
    .split(/(?=- id: )/)
    .map((step) =>
      step.includes('json_schema') ? step : step.replaceAll(/max_tokens: \d+/g, 'max_tokens: 16'),
    )
    .join('')
}

async function applyAll({ service }: TestService, read: (source: string) => string) {
  for (const file of files) await service.dashboard.applyAgent(read(readFileSync(file, 'utf8')))
}

function metaOf(answer: object): AgentMeta {
  const meta = new Map<string, AgentMeta>(Object.entries(answer)).get('_meta')
  if (!meta) throw new Error('there is no _meta')
  return meta
}

interface Answered {
  text: string
  usage: OpenAI.CompletionUsage | null | undefined
  meta: AgentMeta
}

async function answerOf(openai: OpenAI, name: string, content: string): Promise<Answered> {
  const answer = await openai.chat.completions.create({
    model: `agent:${name}`,
    messages: [{ role: 'user', content }],
  })
  const text = answer.choices[0]?.message.content ?? ''
  return { text, usage: answer.usage, meta: metaOf(answer) }
}

async function streamOf(openai: OpenAI, name: string, content: string): Promise<Answered> {
  const stream = await openai.chat.completions.create({
    model: `agent:${name}`,
    messages: [{ role: 'user', content }],
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  let last: OpenAI.ChatCompletionChunk | null = null
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    last = chunk
  }
  return { text, usage: last?.usage, meta: metaOf(last ?? {}) }
}

const metaFields =
  'agent_name execution_id models_used steps_executed total_cost total_latency'.split(' ')

const article =
  'The bakery on the hill opens at six. Its owner, Ana, bakes bread and sells it until noon.'
const examples: [name: string, input: string, steps: RegExp][] = [
  ['summarise-then-translate', article, /^summary translation$/],
  ['draft-critique-revise', 'about the sea', /^draft( critique revision){1,2}$/],
  ['extract-to-json', 'Hi, Ana here, from Rome. See you on Monday!', /^facts$/],
  ['best-of-three', 'Name a fruit.', /^best best best best$/],
  ['map-over-list', 'apples, bread, rain', /^line line line$/],
  ['cascade', 'What is two and two?', /^quick check( thorough)?$/],
]

test('there are six examples, each named after its file', () => {
  const names = files.map((file) => path.basename(file, '.yaml'))

  expect(names.toSorted()).toEqual(examples.map(([name]) => name).toSorted())
  expect(
    files.filter(
      (file) => !readFileSync(file, 'utf8').includes(`name: ${path.basename(file, '.yaml')}\n`),
    ),
  ).toEqual([])
})

describe('with the built-in model', () => {
  let started: TestService
  let openai: OpenAI
  const atEnd = endOfGroup()
  beforeAll(async () => {
    const service = { cacheDir: findCacheDir(process.env) }
    started = await startTestService({ service }, atEnd)
    await applyAll(started, shortened)
    const routers = await started.service.dashboard.routers()
    const local = routers.find(({ name }) => name === 'Local')
    openai = started
      .openai()
      .withOptions({ baseURL: `${started.origin}/api/router/${local?.id}/v1`, timeout: 290_000 })
  })

  /** The rows of an execution's steps in the order of their start. */
  async function rowsOf({ execution_id: id }: AgentMeta): Promise<RequestRecord[]> {
    const rows = await started.service.usage.requests({ limit: 1_000 })
    return rows.filter(({ executionId }) => executionId === id).toReversed()
  }

  const ways = [
    { way: 'whole', ask: answerOf },
    { way: 'streamed', ask: streamOf },
  ]
  // One way for each: the two differ in what the caller gets, not in the steps.
  const cases = examples.flatMap(([name, input, steps], index) =>
    ways.slice(index % 2, (index % 2) + 1).map((way) => ({ name, input, steps, ...way })),
  )
  test.each(cases)(
    '$name, $way: the steps are in order and their sums exact',
    async ({ name, input, steps, ask }) => {
      const { text, usage, meta } = await ask(openai, name, input)
      let rows: RequestRecord[] = []
      const sum = (of: (row: RequestRecord) => number | null) =>
        rows.reduce((total, row) => total + (of(row) ?? 0), 0)
      const storedTokens = async () => {
        rows = await rowsOf(meta)
        return sum(({ reportedCompletionTokens }) => reportedCompletionTokens)
      }
      await expect.poll(storedTokens).toBe(usage?.completion_tokens)

      expect(text.trim()).not.toBe('')
      expect(rows.map(({ stepId }) => stepId).join(' ')).toMatch(steps)
      expect(Object.keys(meta).toSorted()).toEqual(metaFields)
      expect(meta).toMatchObject({
        agent_name: name,
        total_cost: sum(({ costNanoUsd }) => costNanoUsd) / 1e9,
        models_used: ['local:smollm2-135m-instruct'],
      })
      expect(usage).toEqual({
        prompt_tokens: sum(({ reportedPromptTokens }) => reportedPromptTokens),
        completion_tokens: sum(({ reportedCompletionTokens }) => reportedCompletionTokens),
        total_tokens:
          sum((row) => row.reportedPromptTokens) + sum((row) => row.reportedCompletionTokens),
      })
    },
  )

  test('JSON has the requested form', async () => {
    const { text } = await answerOf(openai, 'extract-to-json', 'Bob, Paris, on Friday')

    expect(JSON.parse(text)).toEqual({
      person: expect.any(String),
      place: expect.any(String),
      day: expect.any(String),
    })
  })
})

describe('with scripted models', () => {
  /** @param answers  texts by a part of the last message; the first match wins */
  async function startScripted(answers: [holds: string, ...texts: string[]][]) {
    const script: FakeModelScript = (request) => {
      const message = lastMessage(request)
      const found = answers.find(([holds]) => message.includes(holds))
      const [, ...texts] = found ?? ['', `? ${message}`]
      return { text: (texts.length > 1 ? found?.splice(1, 1)[0] : texts[0]) ?? '' }
    }
    const started = await startTestService({ models: { m: script } })
    await applyAll(started, (source) => source)
    return started
  }

  function lastMessage({ body }: FakeRequest): string {
    const messages = body?.['messages'] as { content: string }[] | undefined
    return messages?.at(-1)?.content ?? ''
  }

  async function run(started: TestService, name: string, input: string) {
    const { text } = await answerOf(started.openai(), name, input)
    const asked = started.fake.requests.map(lastMessage)
    return { text, requests: asked.length, asked }
  }

  test('a cascade keeps a quick answer that passes its check', async () => {
    const started = await startScripted([
      ['Is the answer right', '{"is_good": true}'],
      ['two and two', 'four'],
    ])

    expect(await run(started, 'cascade', 'two and two')).toMatchObject({
      text: 'four',
      requests: 2,
    })
  })

  test('a cascade replaces a quick answer that fails its check', async () => {
    const started = await startScripted([
      ['Is the answer right', '{"is_good": false}'],
      ['two and two', 'five', 'four'],
    ])

    expect(await run(started, 'cascade', 'two and two')).toMatchObject({
      text: 'four',
      requests: 3,
    })
  })

  test('the judge’s choice of three is the answer', async () => {
    const started = await startScripted([
      ['The question', '{"best": 2}'],
      ['fruit', 'one', 'two', 'three'],
    ])
    const { text, requests, asked } = await run(started, 'best-of-three', 'fruit')

    // The order of the three is random; the judge sees their numbers.
    expect(asked.at(-1)).toContain(`Answer 2: ${text}`)
    expect(requests).toBe(4)
  })

  test('JSON that does not match is sent back with the error', async () => {
    const fits = '{"person": "Ana", "place": "Rome", "day": "Monday"}'
    const started = await startScripted([
      ['does not fit', fits],
      ['Who writes', '{"person": "Ana"}'],
    ])
    const { text, requests, asked } = await run(started, 'extract-to-json', 'Ana')

    expect({ text, requests }).toEqual({ text: fits, requests: 2 })
    expect(asked[1]).toMatch(/^Your answer does not fit the schema: place: /)
  })

  test('a draft is revised until the editor accepts it', async () => {
    const started = await startScripted([
      ['The task was', '{"weakness": "dull", "is_good": true}'],
      ['Its greatest weakness: dull', 'second'],
      ['Write', 'first'],
    ])

    expect(await run(started, 'draft-critique-revise', 'the sea')).toMatchObject({
      text: 'second',
      requests: 3,
    })
  })

  test('each item of a list has one request, and the results are combined in order', async () => {
    const started = await startScripted([
      ['apples', 'Apples are red.'],
      ['rain', 'Rain is wet.'],
    ])

    expect((await run(started, 'map-over-list', 'apples, rain')).text.trim()).toBe(
      '1. Apples are red.\n2. Rain is wet.',
    )
  })
})
