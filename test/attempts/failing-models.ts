/** Models that fail and models that answer behind one router, and the caller's view of them. */
import { onTestFinished } from 'vitest'
import { errorReply, startFakeProvider, type FakeModelScript } from '../fake-provider.ts'
import { hello, type TestService } from '../test-service.ts'

/** A model that answers, and one that fails. */
export const works = { text: 'Second answers.' }
export const fails = { reply: errorReply(500) }

/** A question with a streamed answer. */
export const streamed = { ...hello, stream: true }

/** A second provider of the same router, with the model `other:<name>` for each of its models. */
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

/** Sends the requests one after the other. @returns the caller's view of each answer, in that order */
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
