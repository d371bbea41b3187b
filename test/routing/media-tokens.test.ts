/** Images in a request count by the rule of each model's vendor, wherever tokens are estimated. */
import { beforeAll, describe, expect, test } from 'vitest'
import { previewSchema } from '../../src/shared/routers/preview.ts'
import { endOfGroup } from '../rules/end-of-group.ts'
import { startTestService, type TestService } from '../test-service.ts'

/** The first bytes of a picture of 1,024 by 1,024 pixels. */
const bytes = Buffer.alloc(40)
bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
bytes.writeUInt32BE(1_024, 16)
bytes.writeUInt32BE(1_024, 20)
const data = bytes.toString('base64')
const url = `data:image/png;base64,${data}`
const tokensAt = { 'gpt-4o': 765, 'claude-haiku-4-5': 1_369, 'gemini-2.5-flash': 1_032 }

const user = (content: unknown) => [{ role: 'user', content }]
const source = { type: 'base64', media_type: 'image/png', data }
const text = { type: 'text', text: 'What is it?' }
const inputText = { type: 'input_text', text: 'What is it?' }

/** Each door's own form of the same question, with an image or without. */
const doors: [path: string, bodyOf: (hasImage: boolean) => object][] = [
  [
    'chat/completions',
    (has) => ({
      messages: user([text, ...(has ? [{ type: 'image_url', image_url: { url } }] : [])]),
    }),
  ],
  [
    'v1/messages',
    (has) => ({
      messages: user([text, ...(has ? [{ type: 'image', source }] : [])]),
      max_tokens: 10,
    }),
  ],
  [
    'v1beta/models/auto:generateContent',
    (has) => ({
      contents: [
        {
          parts: [
            { text: 'What is it?' },
            ...(has ? [{ inlineData: { mimeType: 'image/png', data } }] : []),
          ],
        },
      ],
    }),
  ],
  [
    'v1/responses',
    (has) => ({
      input: user([inputText, ...(has ? [{ type: 'input_image', image_url: url }] : [])]),
    }),
  ],
]

let running: TestService
/** Requests with a row so far. */
let sent = 0
const atEnd = endOfGroup()
beforeAll(async () => {
  const models = Object.fromEntries(
    Object.keys(tokensAt).map((name) => [name, { usage: 'none' as const }]),
  )
  running = await startTestService({ models }, atEnd)
})

describe.each(doors)('at %s', (path, bodyOf) => {
  async function promptCosts(hasImage: boolean) {
    const headers = { 'x-modelport-preview': 'true' }
    const answer = await running.post(path, bodyOf(hasImage), { headers })
    const { decision } = previewSchema.parse(await answer.json())
    const costs = decision.ranked.map(({ model, estimate }) => [model, estimate.promptNanoUsd])
    return new Map(costs.map(([model, nanoUsd]) => [String(model), Number(nanoUsd)]))
  }

  test('each candidate’s estimate has the tokens of its vendor’s rule', async () => {
    const [without, withImage] = [await promptCosts(false), await promptCosts(true)]

    const added = Object.keys(tokensAt).map((name) => {
      const id = `fake:${name}`
      // 1,000 nano-dollars a token.
      return [name, ((withImage.get(id) ?? 0) - (without.get(id) ?? 0)) / 1_000]
    })
    expect(Object.fromEntries(added)).toEqual(tokensAt)
  })

  test('an answer without usage is billed with them', async () => {
    const tokens: (number | null | undefined)[] = []
    for (const hasImage of [false, true]) {
      await (await running.post(path, bodyOf(hasImage))).text()
      sent += 1
      const [row] = await running.ledger(sent)
      tokens.push(row?.estimatedPromptTokens)
    }

    expect(Number(tokens[1]) - Number(tokens[0])).toBe(tokensAt['gpt-4o'])
  })
})

test('count_tokens estimates with them', async () => {
  const count = async (content: unknown) => {
    const answer = await running.post('v1/messages/count_tokens', { messages: user(content) })
    return ((await answer.json()) as { input_tokens: number }).input_tokens
  }

  const added = (await count([text, { type: 'image', source }])) - (await count([text]))
  expect(added).toBe(tokensAt['gpt-4o'])
})
