import { expect, test } from 'vitest'
import { CallError } from './client.ts'
import { createListStore } from './list.ts'

test('the later of two parallel loads wins, whichever ends last', async () => {
  const ends: ((items: string[]) => void)[] = []
  const useList = createListStore(() => new Promise<string[]>((resolve) => ends.push(resolve)))
  const first = useList.getState().load()
  const second = useList.getState().load()
  ends[1]?.(['new'])
  ends[0]?.(['old'])
  await Promise.all([first, second])
  expect(useList.getState().items).toEqual(['new'])
})

test('a load that a later one replaced waits for it', async () => {
  const ends: ((items: string[]) => void)[] = []
  const useList = createListStore(() => new Promise<string[]>((resolve) => ends.push(resolve)))
  const first = useList.getState().load()
  const second = useList.getState().load()
  setTimeout(() => ends[1]?.(['new']))
  ends[0]?.(['old'])
  await first
  expect(useList.getState().items).toEqual(['new'])
  await second
})

test('a failed load keeps the previous list and the error', async () => {
  let isBroken = false
  const useList = createListStore(async () => {
    if (isBroken) throw new CallError({ code: 'x', message: 'The database is busy.', field: null })
    return ['item']
  })
  await useList.getState().load()
  isBroken = true
  await useList.getState().load()
  expect(useList.getState()).toMatchObject({
    items: ['item'],
    error: { message: 'The database is busy.' },
  })
})
