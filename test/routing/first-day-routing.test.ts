/**
 * The first day: three providers with keys, nine models of the catalogue, and nobody has judged an answer. Every
 * choice rests on public ratings and on what the prompt looks like.
 */
import { expect, test } from 'vitest'
import { previewSchema, type Preview } from '../../src/shared/routers/preview.ts'
import {
  defaultWeights,
  routingSettingsSchema,
  type RoutingSettings,
} from '../../src/shared/routers/routing-settings.ts'
import type { StrategyName } from '../../src/shared/routers/strategy-names.ts'
import { startTestService, type TestService } from '../test-service.ts'

const models = {
  openai: ['gpt-5.4-mini', 'gpt-5.4-nano'],
  groq: ['openai/gpt-oss-20b', 'llama-3.1-8b-instant'],
  openrouter: [
    'anthropic/claude-opus-5.5',
    'anthropic/claude-sonnet-5',
    'google/gemini-3.1-flash-lite',
    'deepseek/deepseek-v4-flash',
  ],
} as const
const ids = [
  ...Object.entries(models).flatMap(([id, names]) => names.map((name) => `${id}:${name}`)),
  'local:smollm2-135m-instruct',
]

const prompts = {
  easy: 'hi there, thanks!',
  middling: 'Write a Python function that merges two sorted lists and explain its complexity.',
  hard: 'Design and implement a distributed, linearizable key-value store with Raft, prove its invariants under partitions, and derive the exact bound on failover latency.',
} as const
type Prompt = keyof typeof prompts

/** A new data folder; keys for three providers. */
async function startFirstDay(): Promise<TestService> {
  const scripts = Object.fromEntries(
    Object.values(models).flatMap((names) => names.map((name) => [name, {}])),
  )
  const started = await startTestService({ models: scripts })
  const { service, fake } = started
  for (const id of Object.keys(models)) {
    await service.dashboard.addProvider({ id, type: id, baseUrl: fake.url, apiKey: `sk-${id}` })
  }
  return started
}

/** The URL of a router of the nine models. */
async function routerOf(
  { service, origin }: TestService,
  strategy: StrategyName,
  settings: Partial<RoutingSettings>,
): Promise<string> {
  const routing = routingSettingsSchema.parse(settings)
  const router = await service.dashboard.createRouter({
    name: strategy,
    strategy,
    models: ids,
    routing,
  })
  return `${origin}/api/router/${router.id}/chat/completions`
}

function ask(
  { post }: TestService,
  url: string,
  { prompt, headers = {} }: { prompt: Prompt; headers?: Record<string, string> },
) {
  const body = { messages: [{ role: 'user', content: prompts[prompt] }] }
  return post(url, body, { headers })
}

async function preview(running: TestService, url: string, prompt: Prompt): Promise<Preview> {
  const answer = await ask(running, url, { prompt, headers: { 'x-modelport-preview': 'true' } })
  const found = previewSchema.parse(await answer.json())
  process.stdout.write(`${found.routerDecision}, ${prompt}: ${found.model}. ${found.why}\n`)
  return found
}

async function previews(strategy: StrategyName, settings: Partial<RoutingSettings> = {}) {
  const running = await startFirstDay()
  const url = await routerOf(running, strategy, settings)
  const easy = await preview(running, url, 'easy')
  const middling = await preview(running, url, 'middling')
  const hard = await preview(running, url, 'hard')
  expect(easy.why).toMatch(/It looks easy: [a-z, ]*small talk/)
  expect(hard.why).toMatch(/It looks hard: .*; expected quality \d+ of /)
  expect(new Set(easy.decision.ranked.map(({ model }) => model)).size).toBe(ids.length)
  return { easy, middling, hard }
}

test.each<[StrategyName, Partial<RoutingSettings>]>([
  // Of models at chosen efforts, one is the cheapest good one for easy and middling prompts.
  ['cost_optimized', { chooseEffort: false, qualityTolerance: 0.08 }],
  ['balanced', { weights: { ...defaultWeights, cost: 0.2, latency: 0.2 } }],
])(
  '%s sends an easy, a middling and a hard prompt to three models, the best to the hard one',
  async (strategy, settings) => {
    const { easy, middling, hard } = await previews(strategy, settings)
    expect(new Set([easy.model, middling.model, hard.model]).size).toBe(3)
    expect(hard.model).toMatch(/claude-(opus|sonnet)/)
  },
)

test('cost_optimized sends an easy prompt to a cheap model, and is careful with others at first', async () => {
  const { easy, middling, hard } = await previews('cost_optimized')
  expect(easy.model).toMatch(/flash/)
  expect([middling.model, hard.model]).toEqual([
    expect.stringMatching(/claude-(opus|sonnet)/),
    expect.stringMatching(/claude-(opus|sonnet)/),
  ])
})

test.each<[StrategyName, Partial<RoutingSettings>]>([
  ['cost_optimized', { qualityTolerance: 0.08 }],
  ['balanced', {}],
])(
  '%s, which may choose efforts, sends an easy and a hard prompt to different models',
  async (strategy, settings) => {
    const { easy, middling, hard } = await previews(strategy, settings)
    expect(hard.model).toMatch(/claude-(opus|sonnet)/)
    expect([easy.model, middling.model]).not.toContain(hard.model)
  },
)

test('balanced leaves the fast model, at its own weights, for a hard prompt only', async () => {
  const { easy, middling, hard } = await previews('balanced')
  expect(middling.model).toBe(easy.model)
  expect(hard.model).not.toBe(easy.model)
})

test('a request goes to the model that its preview names', async () => {
  const running = await startFirstDay()
  const url = await routerOf(running, 'cost_optimized', {})
  for (const prompt of ['easy', 'hard'] as const) {
    const { model } = await preview(running, url, prompt)
    const answer = await ask(running, url, { prompt })
    // Our own answer's form.
    expect(((await answer.json()) as { model: string }).model).toBe(model)
  }
})

test('quality_optimized takes a cheaper model where the best are about equal, as for easy prompts', async () => {
  const { easy, hard } = await previews('quality_optimized')
  expect(easy.model).not.toBe(hard.model)
  expect(hard.model).toMatch(/claude-(opus|sonnet)/)
})

test('latency_optimized leaves the fastest model where a hard prompt is too much for it', async () => {
  const { easy, hard } = await previews('latency_optimized', { qualityTolerance: 0.08 })
  expect(easy.model).not.toBe(hard.model)
})
