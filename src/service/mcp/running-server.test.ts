import { expect, test } from 'vitest'
import type { Connection, ConnectOptions } from './connection.ts'
import { RunningServer } from './running-server.ts'

/** A server whose lists wait for the test. */
function startServer() {
  const events: string[] = []
  const lists: PromiseWithResolvers<[]>[] = []
  let news: Pick<ConnectOptions, 'onToolsChanged'> | null = null
  // Only these two are used here.
  const connection = {
    listTools: () => {
      const list = Promise.withResolvers<[]>()
      lists.push(list)
      return list.promise
    },
    close: async () => {},
  } as unknown as Connection
  const server = new RunningServer({
    open: async (given) => {
      news = given
      return connection
    },
    onListed: async () => void events.push('listed'),
    onStateChanged: () => {},
  })
  const use = (name: string) => server.use(async () => void events.push(name))
  const answer = async (nth: number) => {
    await expect.poll(() => lists.length).toBe(nth)
    lists[nth - 1]?.resolve([])
  }
  return { server, events, lists, use, answer, changeTools: () => news?.onToolsChanged() }
}

test('each use waits for the list, also one that begins while it is read', async () => {
  const { server, events, use, answer, lists } = startServer()
  const first = use('first')
  await expect.poll(() => lists.length).toBe(1)
  const second = use('second')
  await answer(1)
  await Promise.all([first, second])

  expect(events).toEqual(['listed', 'first', 'second'])
  await server.close()
})

test('tools that change while the list is read are read again before the next use', async () => {
  const { server, events, use, answer, lists, changeTools } = startServer()
  const first = use('first')
  await expect.poll(() => lists.length).toBe(1)
  changeTools()
  const second = use('second')
  await answer(1)
  await first
  await answer(2)
  await second

  expect(events).toEqual(['listed', 'first', 'listed', 'second'])
  await server.close()
})

test('a list that cannot be read ends all uses that wait for it, and is asked for again', async () => {
  const { server, use, answer, lists } = startServer()
  const both = [use('first'), use('second')]
  await expect.poll(() => lists.length).toBe(1)
  lists[0]?.reject(new Error('no list'))
  for (const one of both) await expect(one).rejects.toThrow('no list')

  const third = use('third')
  await answer(2)
  await third
  await server.close()
})
