import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import type { CompleteChat } from '../chat/chat-call.ts'
import { candidate } from '../../../test/routing/sample-candidates.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { setProbe, startAnswerProbes } from './answer-probes.ts'

const dayMs = 86_400_000
const modelId = 'reseller:gpt-5.4'
const price = { inputUsdPerMtok: 2, outputUsdPerMtok: 10 }

async function startProbes(reportedPromptTokens: (day: number) => number = () => 100) {
  const storage = await openStorage({ dataDir: temporaryFolder() })
  const clock = { nowMs: Date.UTC(2026, 10, 28, 12) }
  const firstDay = Math.floor(clock.nowMs / dayMs)
  const sent: string[] = []
  const found: number[] = []
  const completeChat: CompleteChat = {
    admit: async (call) => ({
      quota: null,
      cache: null,
      async complete() {
        sent.push(`${call.source} ${call.body.model}`)
        const day = Math.floor(clock.nowMs / dayMs) - firstDay
        const row = sampleRecord({
          id: call.requestId,
          source: 'probe',
          modelUsed: modelId,
          startedAtMs: clock.nowMs,
          reportedPromptTokens: reportedPromptTokens(day),
        })
        await storage.ledger.append(row, sampleDetail())
        call.step?.onRecord(row, sampleDetail())
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
        const meta = { modelUsed: modelId, cost: 0, latencyMs: 1, carbonGrams: 0 }
        const figures = { model: modelId, usage, fallback: null, explain: () => sampleDetail() }
        return { choices: [], ...figures, meta: { ...meta, routerDecision: 'pinned' } }
      },
      stream: () => {
        throw new Error('a probe is not streamed')
      },
    }),
  }
  const router = sampleRouter({ models: [modelId] })
  const configuration = { current: () => ({ routers: new Map([[router.id, router]]) }) }
  const probes = startAnswerProbes(
    {
      storage,
      // Checked boundary: probes read the routers only.
      configuration: configuration as never,
      candidatesOf: () => [
        candidate({ modelId, providerId: 'reseller', price: { ...price, tiers: [] } }),
      ],
      now: () => clock.nowMs,
      log: {
        failed: (what, error) => {
          throw new Error(what, { cause: error })
        },
      },
    },
    completeChat,
    async ({ evidence }) => void found.push(evidence.factor ?? 0),
  )
  onTestFinished(async () => {
    await probes.close()
    await storage.close()
  })
  const switchTo = (capUsdPerDay: number | null) =>
    setProbe(storage.findings, { providerId: 'reseller', capUsdPerDay })
  return { probes, clock, sent, found, switchTo }
}

test('nothing is sent until the probe is switched on, and after it is switched off', async () => {
  const { probes, clock, sent, switchTo } = await startProbes()
  await probes.run()
  expect(sent).toEqual([])
  await switchTo(0.01)
  await switchTo(null)
  clock.nowMs += dayMs
  await probes.run()
  expect(sent).toEqual([])
})

test('one request a day is sent, with its own source', async () => {
  const { probes, clock, sent, switchTo } = await startProbes()
  await switchTo(0.01)
  await probes.run()
  await probes.run()
  expect(sent).toEqual([`probe ${modelId}`])
  clock.nowMs += dayMs
  await probes.run()
  expect(sent).toHaveLength(2)
})

test('a probe that could cost more than the cap is not sent', async () => {
  const { probes, sent, switchTo } = await startProbes()
  // 600 tokens of the prompt and 64 of the answer: 0.00184 dollars.
  await switchTo(0.0018)
  await probes.run()
  expect(sent).toEqual([])
  await switchTo(0.0019)
  await probes.run()
  expect(sent).toHaveLength(1)
})

test('another count of the same text is a finding', async () => {
  const { probes, clock, found, switchTo } = await startProbes((day) => (day < 2 ? 100 : 140))
  await switchTo(0.01)
  for (let day = 0; day < 4; day += 1) {
    await probes.run()
    clock.nowMs += dayMs
  }
  expect(found).toEqual([1.4])
})
