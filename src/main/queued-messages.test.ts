import { expect, test } from 'vitest'
import { QueuedMessages } from './queued-messages.ts'

test('a queued message that two windows ask for at once is sent once', async () => {
  const queued = new QueuedMessages()
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = queued.sendOnce('a', () => promise)
  const second = queued.sendOnce('a', async () => 'again')
  resolve('sent')
  expect(await first).toBe('sent')
  await expect(second).rejects.toMatchObject({ code: 'already_sent' })
  await expect(queued.sendOnce('a', async () => 'again')).rejects.toThrow('was sent')
})

test('one that is refused to the first window is sent by the second, so that it is not lost', async () => {
  const queued = new QueuedMessages()
  const { promise, reject } = Promise.withResolvers<string>()
  const first = queued.sendOnce('a', () => promise)
  const second = queued.sendOnce('a', async () => 'sent')
  reject(new Error('The daily limit is reached.'))
  await expect(first).rejects.toThrow('daily limit')
  expect(await second).toBe('sent')
})

test('one that was refused can be sent again, and messages without a queue are not counted', async () => {
  const queued = new QueuedMessages()
  const refuse = () => Promise.reject(new Error('The daily limit is reached.'))
  await expect(queued.sendOnce('a', refuse)).rejects.toThrow('daily limit')
  expect(await queued.sendOnce('a', async () => 'sent')).toBe('sent')
  expect(await queued.sendOnce(null, async () => 'one')).toBe('one')
  expect(await queued.sendOnce(null, async () => 'two')).toBe('two')
})
