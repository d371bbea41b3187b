import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

async function newWithRequest() {
  const modelport = newModelport()
  const { dataDir } = modelport
  const storage = await openStorage({ dataDir })
  await storage.ledger.append(sampleRecord({ id: 'request-1' }), sampleDetail())
  await storage.close()
  return {
    ...modelport,
    /** Good and bad answers of all models, over all kinds of prompts. */
    async judged(): Promise<[number, number]> {
      const opened = await openStorage({ dataDir })
      const counts = await opened.feedback.counts(Date.now())
      await opened.close()
      const sum = (values: number[]) => Math.round(values.reduce((all, one) => all + one, 0))
      return [sum(counts.flatMap(({ good }) => good)), sum(counts.flatMap(({ bad }) => bad))]
    },
  }
}

test('rates a request, replaces the rating and removes it', async () => {
  const { run, json, judged } = await newWithRequest()
  expect((await run(['feedback', 'request-1', 'up'])).stdout).toBe('Rated as good.\n')
  expect(await judged()).toEqual([1, 0])
  expect(await json('feedback', 'request-1', 'down')).toEqual([
    { requestId: 'request-1', verdict: 'down' },
  ])
  expect(await judged()).toEqual([0, 1])
  expect((await run(['feedback', 'request-1', 'none'])).code).toBe(0)
  expect(await judged()).toEqual([0, 0])
})

test('explains why a request cannot be rated', async () => {
  const { run } = await newWithRequest()
  expect(await run(['feedback', 'request-9', 'up'])).toMatchObject({
    code: 1,
    stderr: 'modelport: There is no request request-9.\n',
  })
  expect((await run(['feedback', 'request-1', 'none'])).code).toBe(1)
  expect((await run(['feedback', 'request-1', 'great'])).code).toBe(2)
})

test('forgets the feedback on a model that its provider changed', async () => {
  const { run, json, judged } = await newWithRequest()
  await json('feedback', 'request-1', 'up')
  expect((await run(['model', 'forget', 'openai:gpt-5'])).stdout).toBe(
    'Forgot the feedback and the grades of openai:gpt-5.\n',
  )
  expect(await judged()).toEqual([0, 0])
  expect((await run(['model', 'forget', 'openai:gpt-5'])).code).toBe(1)
})

test('forgets the grades of a model in tuning runs, and keeps those of others', async () => {
  const { run, dataDir } = await newWithRequest()
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  await storage.judgedPrompts.add('r1', [
    {
      id: randomUUID(),
      atMs: 0,
      topics: topicNames.map(() => 1 / topicNames.length),
      difficulty: 0,
      confidence: 0,
      form: [],
      kind: null,
      errorRate: 0,
      answers: ['openai:gpt-5', 'groq:other'].map((modelId) => ({
        modelId,
        startLogit: 0,
        grade: 1,
      })),
    },
  ])

  expect((await run(['model', 'forget', 'openai:gpt-5'])).code).toBe(0)

  const [left] = await storage.judgedPrompts.list()
  expect(left?.answers.map(({ modelId }) => modelId)).toEqual(['groq:other'])
})
