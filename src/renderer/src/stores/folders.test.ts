import { expect, test } from 'vitest'
import { sampleConversation } from '../../../../test/sample-conversations.ts'
import { sectionsOf } from './folders.ts'

test('each conversation is in one section: pinned, its folder, or none', () => {
  const work = { id: 'work', name: 'Work', presetId: null }
  const empty = { id: 'empty', name: 'Zoo', presetId: null }
  const one = (id: string, folderId: string | null, pinnedAtMs: number | null = null) =>
    sampleConversation({ id, folderId, pinnedAtMs })
  const sections = sectionsOf(
    [one('a', null), one('b', 'work'), one('c', 'work', 5), one('d', 'deleted'), one('e', 'work')],
    [work, empty],
  )
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
  expect(ids(sections.pinned)).toEqual(['c'])
  expect(sections.folders.map(({ conversations }) => ids(conversations))).toEqual([['b', 'e'], []])
  expect(ids(sections.others)).toEqual(['a', 'd'])
})
