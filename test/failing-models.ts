/** Models that fail, others behind the same router, and what a caller sees of them. */
import { onTestFinished } from 'vitest'
import { errorReply, startFakeProvider, type FakeModelScript } from './fake-provider.ts'
import { hello, type TestService } from './test-service.ts'

/** A model that can answer, and one that cannot. */
export const works = { text: 'Second answers.' }
export const fails = { reply: errorReply(500) }

/** A question whose answer is to come as a stream. */
export const streamed = { ...hello, stream: true }

/** A second provider behind the same router: `other:<name>` for each of its models. */
export async function addOther(
  { service, fake, routerId }: TestService,
  models: Readonly<Record<string, FakeModelScript>>,
  first: readonly string[],
) {
  const other = await startFakeProvider({ models, tls: false })
  onTestFinished(() => other.close())
  await service.dashboard.addProvider({
    id: 'other',
    type: 'openai-compatible',
    baseUrl: other.url,
    apiKey: 'sk-other-provider-key',
  })
  const added = Object.keys(models).map((name) => `other:${name}`)
  for (const id of added) {
    await service.dashboard.saveModel({
      id,
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      contextTokens: 100_000,
    })
  }
  const router = { name: 'Two', strategy: 'priority' as const, models: [...first, ...added] }
  await service.dashboard.updateRouter(routerId, router)
  return { fake, other }
}

/** @returns what a caller sees of each answer, in the order asked: one after the other */
export async function postTimes({ post }: TestService, times: number) {
  const answers = []
  for (let time = 0; time < times; time += 1) {
    const answer = await post('chat/completions', hello)
    answers.push({
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      shouldRetry: answer.headers.get('x-should-retry'),
      body: await answer.text(),
    })
  }
  return answers
}
