import { describe, expect, test } from 'vitest'
import {
  ancestorsOf,
  endOf,
  endOfThread,
  keptAnswer,
  siblingsOf,
  subtreeOf,
  turnsOf,
  type Placed,
} from './conversation-turns.ts'

let count = 0

function message(role: Placed['role'], given: Partial<Placed> = {}): Placed {
  count += 1
  const own = { id: `message-${count}`, parentId: null, role, text: `Text ${count}` }
  return { ...own, state: 'complete', isSetAside: false, ...given }
}

/** The path of texts that is shown. */
function shown(messages: readonly Placed[]): string[] {
  return turnsOf(messages).map((turn) => `${turn.question.id}→${endOf(turn).id}`)
}

describe('the shown path', () => {
  const under = (parent: Placed, role: Placed['role'], id: string) =>
    message(role, { id, parentId: parent.id })
  const q1 = message('user', { id: 'q1' })
  const a1 = under(q1, 'assistant', 'a1')
  const b1 = under(q1, 'assistant', 'b1')
  const q2 = under(a1, 'user', 'q2')
  const a2 = under(q2, 'assistant', 'a2')
  const q3 = under(b1, 'user', 'q3')

  test('a turn is a question with its answers', () => {
    expect(turnsOf([message('assistant'), q1, a1, b1])).toEqual([
      { question: q1, questions: [q1], answers: [a1, b1] },
    ])
  })

  test('follows the kept answer', () => {
    const aside = { ...b1, isSetAside: true }
    expect(shown([q1, a1, aside, q2, a2, q3])).toEqual(['q1→a1', 'q2→a2'])
    expect(shown([q1, { ...a1, isSetAside: true }, b1, q2, a2, q3])).toEqual(['q1→b1', 'q3→q3'])
  })

  test('has the question that is not set aside, and the last one when all are', () => {
    const edited = under(a1, 'user', 'q4')
    const aside = { ...q2, isSetAside: true }
    expect(shown([q1, a1, aside, a2, edited])).toEqual(['q1→a1', 'q4→q4'])
    expect(shown([q1, a1, aside, a2])).toEqual(['q1→a1', 'q2→a2'])
  })

  test('goes on after a question whose answers all failed, or that has none', () => {
    const failedAnswer = { ...under(q1, 'assistant', 'f'), state: 'failed' as const }
    expect(shown([q1, failedAnswer, under(failedAnswer, 'user', 'q5')])).toEqual(['q1→f', 'q5→q5'])
    expect(shown([q1, under(q1, 'user', 'q6')])).toEqual(['q1→q1', 'q6→q6'])
  })

  test('an answer’s ancestors are its own path, and a subtree is all that follows', () => {
    const all = [q1, a1, b1, q2, a2, q3]
    expect(ancestorsOf(all, a2)).toEqual([q1, a1, q2])
    expect(subtreeOf(all, a1.id)).toEqual([a1, q2, a2])
    expect(siblingsOf(all, b1)).toEqual([a1, b1])
  })
})

const first = message('assistant')
const second = message('assistant')
const setAside = { ...first, isSetAside: true }
const failed = message('assistant', { state: 'failed' })
const stoppedEmpty = message('assistant', { state: 'stopped', text: '' })

describe('the kept answer', () => {
  test('is the last one that is not set aside', () => {
    expect(keptAnswer([first, second])).toBe(second)
    expect(keptAnswer([second, setAside])).toBe(second)
  })

  test('is not a failed one beside it', () => {
    expect(keptAnswer([first, failed])).toBe(first)
  })

  test('is the replaced answer when the new one failed', () => {
    expect(keptAnswer([setAside, failed])).toBe(setAside)
  })

  test('is the replaced answer when the new one was stopped before its first word', () => {
    expect(keptAnswer([setAside, stoppedEmpty])).toBe(setAside)
  })

  test('is a partial answer that was stopped', () => {
    const partial = message('assistant', { state: 'stopped' })

    expect(keptAnswer([partial])).toBe(partial)
  })

  test('may be an image or details without a text, as other programs store them', () => {
    const png = { sha256: 'a', name: 'cat.png', bytes: 1, mediaType: 'image/png', pages: null }
    const attachment = { ...png, kind: 'image', hasText: false, sentAs: 'file' } as const
    const image = message('assistant', { text: '', attachments: [attachment] })
    const detail = { kind: 'document', title: 'Plan', text: '# Plan' } as const
    const imported = { model: null, details: [detail] }
    const document = message('assistant', { text: '', imported })

    expect(keptAnswer([{ ...first, isSetAside: true }, image])).toBe(image)
    expect(keptAnswer([{ ...first, isSetAside: true }, document])).toBe(document)
    expect(keptAnswer([{ ...image, state: 'streaming' }])).toBeNull()
  })

  test('is null when no answer has text', () => {
    expect(keptAnswer([])).toBeNull()
    expect(keptAnswer([failed, stoppedEmpty])).toBeNull()
  })
})

test('the end of a thread is a thread with the versions of its turns', () => {
  const ids = ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']
  const path = ids.map((id, index) =>
    message(id.startsWith('q') ? 'user' : 'assistant', { id, parentId: ids[index - 1] ?? null }),
  )
  const other = message('assistant', { id: 'b2', parentId: 'q2', isSetAside: true })

  const end = endOfThread([...path, other], 2)

  expect(end.map(({ id }) => id)).toEqual(['q2', 'a2', 'b2', 'q3', 'a3'])
  expect(shown(end)).toEqual(['q2→a2', 'q3→a3'])
  expect(endOfThread([], 2)).toEqual([])
})
