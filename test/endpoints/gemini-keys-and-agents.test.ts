/** Tests which keys Gemini's form accepts, and that agents answer in it. */
import { expect, test } from 'vitest'
import { apply, echo, twoSteps } from '../agents/sample-agent.ts'
import { startTestService } from '../test-service.ts'

const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const path = 'v1beta/models/auto:generateContent'
const noBearer = { authorization: '' }

test('a key is in x-goog-api-key or a bearer, never in the address, and two different keys are a 400', async () => {
  const { post, apiKey } = await startTestService()
  const statusOf = async (place: string, headers: Record<string, string>) =>
    (await post(place, body, { headers })).status

  expect(await statusOf(path, {})).toBe(200)
  expect(
    await statusOf(path, { authorization: `Bearer ${apiKey}`, 'x-goog-api-key': apiKey }),
  ).toBe(200)
  expect(await statusOf(path, { 'x-goog-api-key': 'mp_other' })).toBe(400)
  expect(await statusOf(`${path}?key=${apiKey}`, noBearer)).toBe(401)
})

test('a wrong key is refused in Google’s form', async () => {
  const { post } = await startTestService()

  const answer = await post(path, body, { headers: noBearer })

  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({
    error: { code: 401, status: 'UNAUTHENTICATED', details: [{ reason: 'INVALID_API_KEY' }] },
  })
})

test('an agent answers in this form, too, whole and streamed', async () => {
  const started = await startTestService({ models: { one: echo } })
  await apply(started, twoSteps)
  const { models } = started.gemini()
  const request = { model: 'agent:test', contents: 'Hello' }

  const whole = await models.generateContent(request)
  const texts: string[] = []
  for await (const event of await models.generateContentStream(request)) {
    texts.push(event.text ?? '')
  }

  expect(whole).toMatchObject({ modelVersion: 'agent:test', text: '<two <one Hello>>' })
  expect(texts.join('')).toBe('<two <one Hello>>')
})
