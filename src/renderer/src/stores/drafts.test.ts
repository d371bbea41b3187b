import { expect, test } from 'vitest'
import { createDrafts } from './drafts.ts'

test('a draft stays until it is discarded, and the others stay with it', () => {
  const drafts = createDrafts<string>()
  drafts.keep('a', 'first')
  drafts.keep('b', 'second')
  drafts.keep('a', 'changed')
  drafts.discard('b')
  expect(drafts.useDrafts.getState()).toEqual({ a: 'changed' })
})

test('two kinds of forms never share a draft', () => {
  const routers = createDrafts<number>()
  const agents = createDrafts<string>()
  routers.keep('same id', 1)
  expect(agents.useDrafts.getState()).toEqual({})
})
