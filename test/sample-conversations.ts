/** Conversations and messages for tests of the service and of the window. */
import type { Attachment } from '../src/shared/chat/attachments.ts'
import type {
  Conversation,
  ConversationMessage,
  Preset,
  QueuedMessage,
} from '../src/shared/chat/conversations.ts'
import type { ToolStep } from '../src/shared/chat/tools.ts'

export function sampleConversation(over: Partial<Conversation> = {}): Conversation {
  return {
    id: 'c',
    title: 'Old',
    titleSource: 'person',
    routerId: null,
    agent: null,
    systemPrompt: '',
    parameters: {},
    folderId: null,
    pinnedAtMs: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    source: null,
    preset: null,
    ...over,
  }
}

export function sampleMessage(over: Partial<ConversationMessage> = {}): ConversationMessage {
  return {
    id: 'message-1',
    parentId: null,
    role: 'user',
    text: 'What is the capital of France?',
    attachments: [],
    createdAtMs: 1,
    state: 'complete',
    error: null,
    errorDetail: null,
    isSetAside: false,
    routerId: null,
    meta: null,
    agentMeta: null,
    imported: null,
    toolSteps: [],
    sources: [],
    citations: [],
    ...over,
  }
}

export function samplePreset(over: Partial<Preset> = {}): Preset {
  return {
    id: 'preset-1',
    name: 'Translator',
    systemPrompt: 'Translate into French.',
    parameters: { temperature: 0.2, reasoningEffort: 'low' },
    routerId: 'router_a',
    ...over,
  }
}

export function sampleAttachment(over: Partial<Attachment> = {}): Attachment {
  return {
    sha256: 'a'.repeat(64),
    name: 'notes.txt',
    bytes: 1,
    kind: 'text',
    mediaType: 'text/plain',
    pages: null,
    hasText: true,
    sentAs: 'text',
    ...over,
  }
}

export function sampleQueued(over: Partial<QueuedMessage> = {}): QueuedMessage {
  return {
    id: 'queued-1',
    taken: { routerId: 'router_a', model: 'openai:gpt-5' },
    text: 'And of Italy?',
    attachments: [],
    ...over,
  }
}

export function sampleToolStep(over: Partial<ToolStep> = {}): ToolStep {
  return {
    id: 'call_1',
    requestId: 'a',
    textEnd: 5,
    calledAs: 'Files__read',
    server: 'Files',
    tool: 'read',
    arguments: '{"path":"a"}',
    wire: {},
    marks: { readsPrivate: true, readsForeign: false, sendsOut: false },
    outcome: 'done',
    allowedBy: 'once',
    startedAtMs: 1,
    latencyMs: 2,
    bytes: 3,
    result: 'abc',
    wholeResult: null,
    ...over,
  }
}

/** Messages that follow each other: an answer its question, and a question the message before it. */
export function threadOf(messages: readonly ConversationMessage[]): ConversationMessage[] {
  return messages.map((message, index) => {
    const before = messages.slice(0, index)
    const parent =
      message.role === 'user' ? before.at(-1) : before.findLast(({ role }) => role === 'user')
    return { ...message, parentId: parent?.id ?? null }
  })
}
