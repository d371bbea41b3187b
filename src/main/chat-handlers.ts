/** The main process' handlers of the chat. */
import { randomUUID } from 'node:crypto'
import type { WebContents } from 'electron'
import type { ChatAnswer, Service } from '../service/service.ts'
import type { ChatSent } from '../shared/chat/chat-calls.ts'
import type { Handlers } from './handlers.ts'
import { streamAnswer } from './chat-port.ts'
import { otherPages } from './own-windows.ts'
import { QueuedMessages } from './queued-messages.ts'
import type { MainWindow } from './window.ts'
import { openChatExports } from './chat-exports.ts'

type ChatCallName = Extract<keyof Handlers, `${'conversations' | 'chat'}:${string}`>

export function chatHandlers(service: Service, window: MainWindow): Pick<Handlers, ChatCallName> {
  const { conversations } = service
  const exports = openChatExports(service, window)
  const queued = new QueuedMessages()
  return {
    'conversations:list': () => conversations.list(),
    'conversations:messages': ({ id, mostTurns }) => conversations.threadText(id, mostTurns),
    'conversations:change': ({ id, changes }) => conversations.change(id, changes),
    'conversations:remove': ({ id }) => conversations.remove(id),
    'conversations:restore': ({ id }) => conversations.restore(id),
    'conversations:search': ({ text }) => conversations.search(text),

    'chat:send': async ({ queuedId, ...input }, caller) =>
      deliver(await queued.sendOnce(queuedId, () => conversations.send(input)), caller),
    'chat:preview': (input) => conversations.preview(input),
    'chat:again': async (input, caller) => deliver(await conversations.again(input), caller),
    'chat:edit': async (input, caller) => deliver(await conversations.edit(input), caller),
    'chat:continue': async (input, caller) => deliver(await conversations.continue(input), caller),
    'chat:show': async ({ conversationId, messageId }, caller) => {
      await conversations.show(conversationId, messageId)
      // The caller shows it already.
      for (const page of otherPages(caller))
        page.send('modelport:event', 'changed', { what: 'conversations' })
    },
    'chat:correct': ({ conversationId, messageId, text }) =>
      conversations.correct(conversationId, messageId, text),
    'chat:remove-message': ({ conversationId, messageId }) =>
      conversations.removeMessage(conversationId, messageId),
    'chat:restore-messages': ({ ids }) => conversations.restoreMessages(ids),
    'chat:drafts': () => conversations.drafts(),
    'chat:save-draft': async (saved, caller) => {
      const { conversationId, sendsQueue: _sendsQueue, ...changed } = saved
      await conversations.saveDraft(conversationId, changed)
      for (const page of otherPages(caller)) page.send('modelport:event', 'draft', saved)
    },
    'chat:attach': (file) => conversations.attach(file),
    'chat:attachment-readers': (attachment) => conversations.readersOf(attachment),
    'chat:attachment-data': ({ sha256 }) => conversations.attachmentData(sha256),
    'chat:choose-exports': ({ what }) => exports.choose(what),
    'chat:import': ({ ids }) => exports.import(ids),
    'chat:presets': () => conversations.presets(),
    'chat:save-preset': (preset) => conversations.savePreset(preset),
    'chat:remove-preset': ({ id }) => conversations.removePreset(id),
    'chat:prompts': () => conversations.prompts(),
    'chat:save-prompt': (prompt) => conversations.savePrompt(prompt),
    'chat:remove-prompt': ({ id }) => conversations.removePrompt(id),
    'chat:folders': () => conversations.folders(),
    'chat:save-folder': (folder) => conversations.saveFolder(folder),
    'chat:remove-folder': ({ id }) => conversations.removeFolder(id),
  }
}

/** Streams the answer to the page that asked for it, and to the other windows. */
function deliver(answer: ChatAnswer, caller: WebContents): ChatSent {
  const streamId = randomUUID()
  const sent = {
    conversation: answer.conversation,
    question: answer.question,
    answer: answer.answer,
    streamId,
  }
  const others = otherPages(caller)
  for (const page of others) page.send('modelport:event', 'answer-begun', sent)
  streamAnswer(answer, streamId, [caller, ...others])
  return sent
}
