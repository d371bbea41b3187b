/** The adapter for the Gemini API. The suite of all wires does requests, answers and errors. */
import { expect, onTestFinished, test } from 'vitest'
import { google } from './google.ts'

test('a request that cannot be sent has no adjustments, and is refused when it is sent', async () => {
  const provider = google.create({
    baseUrl: 'http://127.0.0.1:9/v1beta',
    apiKey: () => 'k',
    privateNetwork: false,
    options: {},
    now: () => 0,
    connector: () => () => {},
  })
  onTestFinished(() => provider.close())
  const content = [{ type: 'file' as const, file: { file_id: 'file-of-openai' } }]
  const body = { messages: [{ role: 'user' as const, content }] }

  expect(provider.leftOut?.(body, 'gemini-3.5-flash')).toEqual([])
  const answer = provider.complete(
    { model: 'gemini-3.5-flash', body },
    new AbortController().signal,
  )
  await expect(answer).rejects.toMatchObject({ name: 'ProviderError', kind: 'request' })
})
