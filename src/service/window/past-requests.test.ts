import { expect, test } from 'vitest'
import type { RequestContent } from '../../shared/requests/content.ts'
import { sampleRouter } from '../../../test/storage/samples.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { ServiceError } from '../errors.ts'
import { createPastRequests } from './past-requests.ts'

const messages = [{ role: 'user', content: 'What is a lighthouse?' }]
const stored: RequestContent = {
  requestId: 'request-1',
  routerId: 'router_old',
  startedAtMs: 1,
  request: JSON.stringify({ model: 'openai:gpt-5', messages, max_tokens: 40 }),
  isRequestCut: false,
  answer: null,
  isAnswerCut: false,
}

/** A storage with this content, without conversations. @returns the calls that were previewed */
function pastRequests(content: RequestContent | null) {
  const calls: ChatCall[] = []
  const router = sampleRouter({ id: 'router_new' })
  const past = createPastRequests({
    // Only what a preview reads.
    storage: {
      contents: { get: () => Promise.resolve(content) },
      conversations: { ofRequest: () => Promise.resolve(null) },
    } as unknown as Parameters<typeof createPastRequests>[0]['storage'],
    configuration: { current: () => ({ routers: new Map([[router.id, router]]) }) } as never,
    previewChat(call) {
      calls.push(call)
      throw new ServiceError('all_models_unavailable', 'No model is there.')
    },
    newId: () => 'preview-1',
  })
  return { past, calls }
}

test('another router gets the stored request without the model that it named', async () => {
  const { past, calls } = pastRequests(stored)
  await expect(past.preview({ id: 'request-1', routerId: 'router_new' })).rejects.toThrow(
    'No model is there.',
  )
  expect(calls).toMatchObject([
    { router: { id: 'router_new' }, body: { messages, max_tokens: 40 } },
  ])
  expect(calls[0]?.body).not.toHaveProperty('model')
})

test.each([
  ['is not stored', null],
  ['was cut', { ...stored, isRequestCut: true }],
])(
  'a request whose text %s is not replayed, and the error says what to do',
  async (_name, content) => {
    const { past, calls } = pastRequests(content)
    const preview = past.preview({ id: 'request-1', routerId: 'router_new' })
    await expect(preview).rejects.toThrow(DashboardError)
    await expect(preview).rejects.toThrow('Turn on content logging')
    expect(calls).toEqual([])
  },
)
