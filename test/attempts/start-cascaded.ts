/** A service whose router has a cascade, with the requests and readings that tests need. */
import type { RouterInput } from '../../src/shared/entities.ts'
import type { ExplainedDetail } from '../../src/shared/requests/detail.ts'
import { routingSettingsSchema, type Cascade } from '../../src/shared/routers/routing-settings.ts'
import type { FakeModelScript, FakeProvider } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

/** The usage as a provider reports it. */
export const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
})

/** Nano-dollars per token of each model. The fake router sets equal prices, so the models are saved again. */
export const nanoUsd = { a: [100, 400], b: [150, 600], strong: [3_000, 15_000] } as const

/** Two cheap models whose answers must agree, or only `a` with the check `accept`. */
export const agreeing: Cascade = { tiers: [{ models: ['fake:a', 'fake:b'], accept: 'agree' }] }
export const alone = (accept: Cascade['tiers'][number]['accept']): Cascade => ({
  tiers: [{ models: ['fake:a'], accept }],
})

export interface Cascaded {
  a?: FakeModelScript
  b?: FakeModelScript
  strong?: FakeModelScript
  cascade?: Cascade
  router?: Partial<RouterInput>
}

/** Each model's answer if a test does not set it. */
export const answers = {
  a: { text: 'Paris', usage: usage(10, 2) },
  b: { text: ' **paris**.', usage: usage(11, 3) },
  strong: { text: 'Paris, of course', usage: usage(12, 5) },
}

/** A router of three models. With `cascade`, the cheap `a` and `b` are tried before the strong one. */
export async function startCascaded(given: Cascaded = {}): Promise<TestService> {
  const { cascade = agreeing, router, ...scripts } = given
  const models = { ...answers, ...scripts }
  const routing = routingSettingsSchema.parse({ cascade })
  // The strong model is first in the router's own order.
  const ids = ['fake:strong', 'fake:a', 'fake:b']
  const upstream = await startTestService({ models, router: { models: ids, routing, ...router } })
  for (const [name, [input, output]] of Object.entries(nanoUsd))
    await upstream.service.dashboard.saveModel({
      id: `fake:${name}`,
      inputUsdPerMtok: input / 1_000,
      outputUsdPerMtok: output / 1_000,
      contextTokens: 100_000,
      capabilities: ['tools', 'json', 'n'],
      energyWhPerKtok: 1,
    })
  return upstream
}

/** The total cost of these models' answers. */
export function costOf(...models: (keyof typeof answers)[]): number {
  return models.reduce((sum, name) => {
    const { prompt_tokens, completion_tokens } = answers[name].usage
    return sum + prompt_tokens * nanoUsd[name][0] + completion_tokens * nanoUsd[name][1]
  }, 0)
}

/** The models that received a request, in order. */
export function asked({ requests }: FakeProvider): (string | null)[] {
  return requests.map(({ model }) => model)
}

interface Answer {
  model: string
  choices: { message: { content: string } }[]
  usage: { prompt_tokens: number; completion_tokens: number }
  _meta: { modelUsed: string; cost: number; routerDecision: string; decision?: ExplainedDetail }
}

/** @returns the answer, which includes its decision */
export async function ask({ post }: TestService, body: object = hello): Promise<Answer> {
  const answer = await post('chat/completions', body, {
    headers: { 'x-modelport-explain': 'true' },
  })
  // The form of Modelport's own answer.
  return (await answer.json()) as Answer
}
