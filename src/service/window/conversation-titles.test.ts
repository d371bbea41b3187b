import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sampleConversation, sampleMessage } from '../../../test/sample-conversations.ts'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { demoModel } from '../../shared/models/provider-type.ts'
import type { TitleSource } from '../../shared/chat/conversations.ts'
import type { ChatCall, CompleteChat } from '../chat/chat-call.ts'
import type { Candidate } from '../routing/candidate.ts'
import { candidate } from '../../../test/routing/sample-candidates.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { Titles } from './conversation-titles.ts'

const free = { inputUsdPerMtok: 0, outputUsdPerMtok: 0 }
const here = candidate({ modelId: 'ollama:llama', isLocal: true, price: free })

interface Given {
  candidates?: Candidate[]
  titleSource?: TitleSource
  isOn?: boolean
  /** Answers the request with its title. */
  answer?: (signal: AbortSignal) => Promise<string>
}

function chatWith(answer: NonNullable<Given['answer']>, calls: ChatCall[]): CompleteChat {
  return {
    admit: async (call) => ({
      quota: null,
      cache: null,
      async complete(signal) {
        calls.push(call)
        const content = await answer(signal)
        const modelUsed = String(call.body.model)
        call.step?.onRecord(sampleRecord({ id: call.requestId, modelUsed }), sampleDetail())
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
        const meta = { modelUsed, cost: 0, latencyMs: 1, carbonGrams: 0 }
        const message = { role: 'assistant' as const, content, refusal: null }
        return {
          choices: [{ index: 0, message, finish_reason: 'stop' as const, logprobs: null }],
          model: modelUsed,
          usage,
          fallback: null,
          explain: () => sampleDetail(),
          meta: { ...meta, routerDecision: 'pinned' },
        }
      },
      stream: () => {
        throw new Error('a title is not streamed')
      },
    }),
  }
}

async function openTitles({
  candidates = [here],
  titleSource = 'words',
  isOn = true,
  answer = async () => 'Why tides rise twice',
}: Given = {}) {
  const { conversations: store, close } = await openStorage({ dataDir: temporaryFolder() })
  const calls: ChatCall[] = []
  const router = sampleRouter({ models: candidates.map(({ modelId }) => modelId) })
  const current = { routers: new Map([[router.id, router]]), settings: { titlesByModel: isOn } }
  const titles = new Titles({
    store,
    // Checked boundary: titles read the routers and their setting only.
    configuration: { current: () => current } as never,
    candidatesOf: () => candidates,
    completeChat: chatWith(answer, calls),
    newId: () => `request-${calls.length}`,
    onChanged: () => {},
    onBug: (error) => {
      throw error
    },
    idleMs: 10,
  })
  onTestFinished(async () => {
    await titles.close()
    await close()
  })
  const text = 'Why does the sea rise twice a day?'
  const [question, reply] = [sampleMessage({ text }), sampleMessage({ id: 'a', role: 'assistant' })]
  await store.add(sampleConversation({ title: text, titleSource }), [question, reply])
  const named = async () => (await store.get('c'))?.title
  return { titles, store, calls, named, words: text }
}

test('a conversation is named by a model of this computer, in the ledger as such', async () => {
  const { titles, store, calls, named } = await openTitles()
  titles.nameLater('c', true)
  await expect.poll(named).toBe('Why tides rise twice')
  expect((await store.get('c'))?.titleSource).toBe('model')
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({ source: 'title', cacheUse: 'none', apiKeyId: null })
  expect(calls[0]?.body).toMatchObject({ model: 'ollama:llama', max_tokens: 300 })
  expect(calls[0]?.router.routing).toMatchObject({ fallback: false, contentDays: null })
})

test.each<[string, Given]>([
  ['while the setting is off', { isOn: false }],
  ['over a title of a person', { titleSource: 'person' }],
  ['a second time', { titleSource: 'model' }],
  ['by a model elsewhere', { candidates: [candidate({ price: free })] }],
  ['by a model with a price', { candidates: [candidate({ isLocal: true })] }],
  [
    'by the model that comes with Modelport',
    {
      candidates: [candidate({ modelId: demoModel.id, isLocal: true, price: free })],
    },
  ],
  [
    'by a model of a server’s cloud',
    {
      candidates: [candidate({ modelId: 'ollama:gpt-oss:120b-cloud', isLocal: true, price: free })],
    },
  ],
])('nothing is named %s', async (_when, given) => {
  const { titles, calls, named, words } = await openTitles(given)
  titles.nameLater('c', true)
  await sleep(60)
  await titles.close()
  expect(calls).toEqual([])
  expect(await named()).toBe(words)
})

test('the first words stay when the model writes no title', async () => {
  const { titles, calls, named, words } = await openTitles({ answer: async () => 'Sure! “Tides”' })
  titles.nameLater('c', true)
  await expect.poll(() => calls.length).toBe(1)
  await titles.close()
  expect(await named()).toBe(words)
})

test('a title that a person gives meanwhile stays', async () => {
  let write: (title: string) => void = () => {}
  const answer = () => new Promise<string>((resolve) => (write = resolve))
  const { titles, store, calls, named } = await openTitles({ answer })
  titles.nameLater('c', true)
  await expect.poll(() => calls.length).toBe(1)
  await store.save(sampleConversation({ title: 'Mine', titleSource: 'person' }))
  write('Why tides rise twice')
  await titles.close()
  expect(await named()).toBe('Mine')
})

test('a question interrupts it, and it goes on when the answer has ended', async () => {
  let tries = 0
  const answer = async (signal: AbortSignal) => {
    tries += 1
    if (tries > 1) return 'Why tides rise twice'
    await sleep(60_000, null, { signal })
    return ''
  }
  const { titles, calls, named, words } = await openTitles({ answer })
  titles.nameLater('c', true)
  await expect.poll(() => calls.length).toBe(1)
  titles.interrupt()
  titles.nameLater('other', false)
  await sleep(60)
  expect([calls.length, await named()]).toEqual([1, words])
  titles.nameLater('other', true)
  await expect.poll(named).toBe('Why tides rise twice')
  expect(calls).toHaveLength(2)
})

test('the model that answered is asked, else the best one', async () => {
  const candidates = [
    here,
    candidate({
      modelId: 'ollama:big',
      isLocal: true,
      price: free,
      quality: { ...here.quality, points: 9999 },
    }),
  ]
  const best = await openTitles({ candidates })
  best.titles.nameLater('c', true)
  await expect.poll(() => best.calls[0]?.body.model).toBe('ollama:big')

  const used = await openTitles({ candidates })
  const meta = {
    requestId: 'r',
    modelUsed: 'ollama:llama',
    costUsd: 0,
    latencyMs: 1,
    carbonGrams: 0,
    routerDecision: 'pinned' as const,
    fallback: null,
  }
  await used.store.saveMessage('c', sampleMessage({ id: 'a', role: 'assistant', meta }))
  used.titles.nameLater('c', true)
  await expect.poll(() => used.calls[0]?.body.model).toBe('ollama:llama')
})
