import {
  sampleAttachment,
  sampleConversation,
  sampleMessage,
  sampleToolStep,
  samplePreset,
  sampleQueued,
} from '../sample-conversations.ts'
import { expect, test } from 'vitest'
import type { Storage } from '../../src/service/storage/storage.ts'
import type { AgentMeta } from '../../src/shared/chat/chat.ts'
import type { AnswerMeta } from '../../src/shared/chat/conversations.ts'
import { sampleDetail, sampleRecord } from './samples.ts'

type Use = () => Storage

export function describeConversations(storage: Use): void {
  const conversation = sampleConversation({
    id: 'conversation-1',
    title: 'France',
    routerId: 'router_a',
  })
  const meta: AnswerMeta = {
    requestId: 'request-1',
    modelUsed: 'openai:gpt-5',
    costUsd: 0.000123456,
    latencyMs: 812.5,
    carbonGrams: 0.0125,
    routerDecision: 'pinned',
    fallback: { from: 'openai:gpt-5.5', reason: 'rate_limit' },
  }

  test('lists the most recently updated first and keeps the time of creation', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    await conversations.save({ ...conversation, id: 'conversation-2', updatedAtMs: 5 })
    await conversations.save({ ...conversation, title: 'Paris', updatedAtMs: 9 })
    const listed = await conversations.list()
    expect(listed.map(({ id }) => id)).toEqual(['conversation-1', 'conversation-2'])
    expect(await conversations.get('conversation-1')).toEqual({
      ...conversation,
      title: 'Paris',
      updatedAtMs: 9,
    })
    const preset = { id: 'preset-1', version: 'v1' }
    await conversations.save({ ...conversation, agent: 'news', preset })
    expect(await conversations.get('conversation-1')).toMatchObject({ agent: 'news', preset })
    expect(await conversations.get('conversation-none')).toBeNull()
  })

  test('a model names a conversation whose title is its first words, and no other', async () => {
    const { conversations } = storage()
    await conversations.save({ ...conversation, titleSource: 'words' })
    expect(await conversations.nameByModel(conversation.id, 'About France')).toBe(true)
    const named = { title: 'About France', titleSource: 'model' }
    expect(await conversations.get(conversation.id)).toMatchObject(named)
    expect(await conversations.nameByModel(conversation.id, 'Again')).toBe(false)
    await conversations.save({ ...conversation, title: 'Mine', titleSource: 'person' })
    expect(await conversations.nameByModel(conversation.id, 'Again')).toBe(false)
    expect((await conversations.get(conversation.id))?.title).toBe('Mine')
  })

  test('keeps messages in the order in which they were added, whatever the clock', async () => {
    const { conversations } = storage()
    const question = sampleMessage({ createdAtMs: 500 })
    const answer = sampleMessage({
      id: 'message-2',
      role: 'assistant',
      createdAtMs: 400,
      meta,
      routerId: 'router_a',
      sources: [{ kind: 'source', title: 'Paris', text: 'https://paris.example/' }],
      citations: [{ source: 0, at: 5 }],
    })
    await conversations.save(conversation)
    await conversations.saveMessage(conversation.id, question)
    await conversations.saveMessage(conversation.id, { ...answer, state: 'streaming', meta: null })
    await conversations.saveMessage(conversation.id, sampleMessage({ id: 'message-3' }))
    await conversations.saveMessage(conversation.id, answer)
    const messages = await conversations.messages(conversation.id)
    expect(messages).toEqual([question, answer, sampleMessage({ id: 'message-3' })])
  })

  test('a long conversation is read in pieces, and its end alone', async () => {
    const { conversations } = storage()
    const long = Array.from({ length: 502 }, (_, index) =>
      sampleMessage({
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        role: index % 2 === 0 ? 'user' : 'assistant',
      }),
    )
    await conversations.add(conversation, long)
    const read = async (mostTurns: number | null) => {
      const { pieces, isWhole } = await conversations.threadText(conversation.id, mostTurns)
      const messages = pieces.map((piece): unknown[] => JSON.parse(piece) as unknown[])
      return { isWhole, lengths: messages.map(({ length }) => length), all: messages.flat() }
    }
    expect(await read(null)).toEqual({ isWhole: true, lengths: [500, 2], all: long })
    expect(await read(200)).toMatchObject({ isWhole: true, lengths: [500, 2] })
    const [first, ...others] = long.slice(-4)
    const end = [{ ...first, parentId: null }, ...others]
    expect(await read(2)).toEqual({ isWhole: false, lengths: [4], all: end })
    expect(await conversations.threadText('none', 2)).toEqual({ pieces: [], isWhole: true })
  })

  test('lists presets and prompts by name, and replaces and removes them', async () => {
    const { conversations } = storage()
    const preset = samplePreset()
    const bare = samplePreset({ id: 'preset-2', name: 'a', parameters: {}, routerId: null })
    await conversations.savePreset(preset)
    await conversations.savePreset(bare)
    expect(await conversations.presets()).toEqual([bare, preset])
    await conversations.savePreset({ ...preset, name: 'A', systemPrompt: '' })
    await conversations.removePreset(bare.id)
    expect(await conversations.presets()).toEqual([{ ...preset, name: 'A', systemPrompt: '' }])

    const prompt = { id: 'p', name: 'Translate', text: 'Translate into {{language}}' }
    await conversations.savePrompt(prompt)
    await conversations.savePrompt({ ...prompt, text: 'Into {{language}}' })
    expect(await conversations.prompts()).toEqual([{ ...prompt, text: 'Into {{language}}' }])
    await conversations.removePrompt(prompt.id)
    expect(await conversations.prompts()).toEqual([])
  })

  test('keeps conversations in folders, also while a folder is deleted', async () => {
    const { conversations } = storage()
    const work = { id: 'f', name: 'Work', presetId: null }
    await conversations.saveFolder({ id: 'g', name: 'garden', presetId: 'preset-1' })
    await conversations.saveFolder(work)
    await conversations.saveFolder({ ...work, name: 'Desk' })
    const names = async () => (await conversations.folders()).map(({ name }) => name)
    expect(await names()).toEqual(['Desk', 'garden'])
    await conversations.save({ ...conversation, folderId: 'f' })
    await conversations.removeFolder('f')
    expect(await names()).toEqual(['garden'])
    await conversations.saveFolder(work)
    expect(await conversations.get(conversation.id)).toMatchObject({ folderId: 'f' })
  })

  test('finds the conversation with the answer of a request', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    await conversations.saveMessage(conversation.id, sampleMessage({ role: 'assistant', meta }))
    expect(await conversations.ofRequest(meta.requestId)).toEqual(
      await conversations.get(conversation.id),
    )
    expect(await conversations.ofRequest('request-none')).toBeNull()
  })

  test('the requests of a conversation are found', async () => {
    const { conversations, ledger } = storage()
    await conversations.save(conversation)
    await conversations.saveMessage(conversation.id, sampleMessage({ id: 'request-1' }))
    for (const id of ['request-1', 'request-2'])
      await ledger.append(sampleRecord({ id }), sampleDetail())

    const filter = { conversationId: conversation.id }
    const found = await ledger.search({ filter, after: null, offset: 0, limit: 9 })
    expect(found.map(({ id }) => id)).toEqual(['request-1'])
  })

  test('keeps the six fields of an agent’s answer', async () => {
    const { conversations } = storage()
    const agentMeta: AgentMeta = {
      execution_id: 'execution-1',
      agent_name: 'news',
      steps_executed: 3,
      total_cost: 0.000_123_456,
      total_latency: 812.5,
      models_used: ['openai:gpt-5', 'local:a'],
    }
    const answer = sampleMessage({ role: 'assistant', agentMeta })
    await conversations.save(conversation)
    await conversations.saveMessage(conversation.id, { ...answer, agentMeta: null })
    await conversations.saveMessage(conversation.id, answer)
    expect(await conversations.messages(conversation.id)).toEqual([answer])
  })

  test('keeps which answer is set aside', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    const answer = sampleMessage({ id: 'message-2', role: 'assistant', meta })
    await conversations.saveMessage(conversation.id, { ...answer, isSetAside: true })
    expect(await conversations.messages(conversation.id)).toMatchObject([{ isSetAside: true }])
    // An answer that grows meanwhile keeps it.
    await conversations.saveMessage(conversation.id, answer)
    expect(await conversations.messages(conversation.id)).toMatchObject([{ isSetAside: true }])
    await conversations.setAside([answer.id], false)
    expect(await conversations.messages(conversation.id)).toEqual([answer])
  })

  test('shows a message in place of its siblings', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    const of = (id: string, parentId: string | null, role: 'user' | 'assistant' = 'user') =>
      sampleMessage({ id, parentId, role })
    const all = [of('q', null), of('a', 'q', 'assistant'), of('b', 'q', 'assistant'), of('p', null)]
    for (const message of [...all, of('c', 'a'), of('r', null)])
      await conversations.saveMessage(conversation.id, message)
    await conversations.removeMessages(['r'], 5)
    const aside = async () =>
      (await conversations.messages(conversation.id))
        .filter(({ isSetAside }) => isSetAside)
        .map(({ id }) => id)

    expect(await conversations.show(conversation.id, 'b')).toBe(true)
    expect(await aside()).toEqual(['a'])
    expect(await conversations.show(conversation.id, 'a')).toBe(true)
    expect(await conversations.show(conversation.id, 'q')).toBe(true)
    expect(await aside()).toEqual(['b', 'p'])
    for (const gone of ['r', 'unknown'])
      expect(await conversations.show(conversation.id, gone)).toBe(false)
    expect(await conversations.show('another', 'q')).toBe(false)
    await conversations.restoreMessages(['r'])
    expect(await aside()).toEqual(['b', 'p'])
  })

  test('a removed conversation comes back with its messages, until it is purged', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    await conversations.saveMessage(conversation.id, sampleMessage())
    await conversations.saveDraft(conversation.id, { text: 'And', attachments: [], queue: [] })
    expect(await conversations.remove(conversation.id, 5)).toBe(true)
    expect(await conversations.list()).toEqual([])
    expect(await conversations.get(conversation.id)).toBeNull()
    await conversations.purge(4)
    await conversations.restore(conversation.id)
    expect(await conversations.list()).toEqual([conversation])
    expect(await conversations.messages(conversation.id)).toEqual([sampleMessage()])

    await conversations.remove(conversation.id, 5)
    await conversations.purge(5)
    await conversations.restore(conversation.id)
    expect(await conversations.list()).toEqual([])
    expect(await conversations.messages(conversation.id)).toEqual([])
    expect(await conversations.drafts()).toEqual({})
    expect(await conversations.remove(conversation.id, 5)).toBe(false)
  })

  test('removed messages come back in their places, until they are purged', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    const thread = [
      sampleMessage(),
      sampleMessage({ id: 'message-2', parentId: 'message-1', role: 'assistant' }),
    ]
    for (const message of thread) await conversations.saveMessage(conversation.id, message)
    await conversations.removeMessages(['message-2'], 5)
    expect(await conversations.messages(conversation.id)).toEqual([sampleMessage()])
    await conversations.restoreMessages(['message-2'])
    expect(await conversations.messages(conversation.id)).toEqual(thread)
    await conversations.removeMessages(['message-2'], 5)
    await conversations.purge(5)
    await conversations.restoreMessages(['message-2'])
    expect(await conversations.messages(conversation.id)).toEqual([sampleMessage()])
  })

  test('finds words of a title or of a message in any branch, also inside scripts without spaces', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    const texts = [
      'The Pharos of Alexandria',
      '我们住在北京大学附近',
      'เราเรียนภาษาไทยกัน',
      '100 % stone',
    ]
    for (const [index, text] of texts.entries()) {
      const id = `message-${index}`
      await conversations.saveMessage(conversation.id, sampleMessage({ id, text }))
    }
    while ((await conversations.indexMessages()) > 0);
    const found = async (text: string) =>
      (await conversations.search(text)).map(({ messageId }) => messageId)
    expect(await found('pharos OF alex')).toEqual(['message-0'])
    expect(await found('alexandria  pharos')).toEqual(['message-0'])
    expect(await found('北京')).toEqual(['message-1'])
    expect(await found('京大学')).toEqual(['message-1'])
    expect(await found('ภาษา')).toEqual(['message-2'])
    expect(await found('100 %')).toEqual(['message-3'])
    expect(await found('FRAN')).toEqual([null])
    expect(await found('"\'(')).toEqual([])
    expect(await found('nothing')).toEqual([])
    await conversations.removeMessages(['message-0'], 1)
    expect(await found('pharos')).toEqual([])
  })

  test('finds all words of a title in any order, without accents and case', async () => {
    const { conversations } = storage()
    await conversations.save({ ...conversation, title: 'Überblick: Budget meeting' })
    const isFound = async (text: string) => (await conversations.search(text)).length === 1
    expect(await isFound('meeting budget')).toBe(true)
    expect(await isFound('überblick')).toBe(true)
    expect(await isFound('UBERBLICK  meet')).toBe(true)
    expect(await isFound('budget lunch')).toBe(false)
    await conversations.remove(conversation.id, 1)
    expect(await isFound('budget')).toBe(false)
  })

  test('keeps a prompt, parameters, a pin and drafts', async () => {
    const { conversations } = storage()
    const own = { systemPrompt: 'Be brief.', parameters: { temperature: 0.5 }, pinnedAtMs: 7 }
    await conversations.save({ ...conversation, ...own })
    expect(await conversations.list()).toEqual([{ ...conversation, ...own }])
    const empty = { text: '', attachments: [], queue: [] }
    await conversations.saveDraft('new', { ...empty, text: 'Wh' })
    await conversations.saveDraft('new', { ...empty, text: 'What' })
    await conversations.saveDraft(conversation.id, { ...empty, queue: [sampleQueued()] })
    expect(await conversations.drafts()).toEqual({
      new: { ...empty, text: 'What' },
      [conversation.id]: { ...empty, queue: [sampleQueued()] },
    })
    await conversations.saveDraft(conversation.id, empty)
    expect(await conversations.drafts()).toEqual({ new: { ...empty, text: 'What' } })
  })

  test('changes one part of a draft and leaves the others', async () => {
    const { conversations } = storage()
    const queue = [sampleQueued()]
    const attachments = [sampleAttachment()]
    await conversations.saveDraft('new', { queue })
    await conversations.saveDraft('new', { text: 'What' })
    await conversations.saveDraft('new', { attachments })
    expect(await conversations.drafts()).toEqual({ new: { text: 'What', attachments, queue } })
    await conversations.saveDraft('new', { text: '', attachments: [] })
    expect(await conversations.drafts()).toEqual({ new: { text: '', attachments: [], queue } })
    await conversations.saveDraft('new', { queue: [] })
    expect(await conversations.drafts()).toEqual({})
  })

  test('keeps the content of a file once, until no message and no draft has it', async () => {
    const { conversations } = storage()
    const file = sampleAttachment()
    const other = sampleAttachment({ sha256: 'b'.repeat(64), name: 'Fahrplan.pdf', pages: 2 })
    await conversations.save(conversation)
    const question = sampleMessage({ attachments: [file, other] })
    await conversations.saveMessage(conversation.id, question)
    await conversations.saveDraft('new', { text: '', attachments: [file], queue: [] })
    for (const { sha256 } of [file, other, file])
      await conversations.saveBlob({ sha256, data: 'YQ==', text: null }, 5)
    expect(await conversations.messages(conversation.id)).toEqual([question])
    expect(await conversations.drafts()).toEqual({
      new: { text: '', attachments: [file], queue: [] },
    })
    while ((await conversations.indexMessages()) > 0);
    expect(await conversations.search('fahrplan')).toMatchObject([{ messageId: question.id }])

    await conversations.removeMessages([question.id], 6)
    await conversations.purge(5)
    expect(await conversations.blob(other.sha256)).toMatchObject({ data: 'YQ==', text: null })
    await conversations.purge(6)
    expect(await conversations.blob(other.sha256)).toBeNull()
    expect(await conversations.blob(file.sha256)).toMatchObject({ data: 'YQ==' })
    const queue = [sampleQueued({ attachments: [file] })]
    await conversations.saveDraft('new', { text: '', attachments: [], queue })
    await conversations.purge(7)
    expect(await conversations.blob(file.sha256)).not.toBeNull()
    await conversations.saveDraft('new', { text: '', attachments: [], queue: [] })
    await conversations.purge(4)
    expect(await conversations.blob(file.sha256)).not.toBeNull()
    await conversations.purge(7)
    expect(await conversations.blob(file.sha256)).toBeNull()
  })

  test('keeps the whole result of a tool as long as its answer', async () => {
    const { conversations } = storage()
    const wholeResult = 'c'.repeat(64)
    await conversations.save(conversation)
    const toolSteps = [sampleToolStep(), sampleToolStep({ id: 'call_2', wholeResult })]
    const answer = sampleMessage({ role: 'assistant', toolSteps })
    await conversations.saveMessage(conversation.id, answer)
    await conversations.saveBlob({ sha256: wholeResult, data: 'YQ==', text: 'a' }, 5)
    await conversations.purge(6)
    expect(await conversations.blob(wholeResult)).toMatchObject({ text: 'a' })
    await conversations.removeMessages([answer.id], 7)
    await conversations.purge(7)
    expect(await conversations.blob(wholeResult)).toBeNull()
  })

  test('drops a message of a conversation that was removed in the meantime', async () => {
    const { conversations } = storage()
    await conversations.saveMessage('conversation-gone', sampleMessage())
    expect(await conversations.messages('conversation-gone')).toEqual([])
  })

  test('marks answers that a crash cut off as stopped, and keeps their text', async () => {
    const { conversations } = storage()
    await conversations.save(conversation)
    const cutOff = sampleMessage({ role: 'assistant', state: 'streaming', text: 'The cap' })
    await conversations.saveMessage(conversation.id, cutOff)
    expect(await conversations.stopInterrupted()).toBe(1)
    expect(await conversations.messages(conversation.id)).toEqual([{ ...cutOff, state: 'stopped' }])
    expect(await conversations.stopInterrupted()).toBe(0)
  })
}
