/** Modelport's own export of one conversation as JSON, for each of the files. */
import type { WireFields } from '../../../shared/chat/chat.ts'
import { endOf, turnsOf } from '../../../shared/chat/conversation-turns.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, stringOf, textOrNull } from '../../json-fields.ts'
import type { ImportedConversation, ImportedNode } from '../imported.ts'
import { detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { conversationsIn, type ChatReader } from './reader.ts'

export const modelport: ChatReader = {
  source: 'modelport',
  claims: ({ first }) => first['modelport'] === 1,
  read: ({ files }) =>
    conversationsIn(
      files.filter(({ name }) => name.endsWith('.json')),
      conversationOf,
    ),
}

function conversationOf(value: WireFields): ImportedConversation {
  const messages = listOf(value['messages']).map(fieldsOf)
  const nodes = messages.map(modelportNode)
  const last = turnsOf(messages.map(placed)).at(-1)
  return {
    source: 'modelport',
    id: stringOf(value['id']) ?? '',
    title: titleOf(value['title']),
    createdAtMs: timeOf(value['createdAtMs']),
    isPinned: timeOf(value['pinnedAtMs']) !== null,
    isArchived: false,
    systemPrompt: stringOf(value['systemPrompt']),
    folder: null,
    project: null,
    tags: [],
    nodes,
    activeNodeId: last ? endOf(last).id : null,
  }
}

function modelportNode(message: WireFields): ImportedNode {
  const imported = fieldsOf(message['imported'])
  const attachments = listOf(message['attachments']).map(fieldsOf)
  return nodeOf({
    ...idsOf(message),
    role: message['role'] === 'user' ? 'user' : 'assistant',
    text: textOrNull(message['text']) ?? '',
    model: stringOf(fieldsOf(message['meta'])['modelUsed']) ?? stringOf(imported['model']),
    createdAtMs: timeOf(message['createdAtMs']),
    details: [
      ...listOf(imported['details']).map(fieldsOf).flatMap(detailOf),
      ...listOf(message['toolSteps']).map(fieldsOf).flatMap(stepOf),
      ...listOf(message['sources'])
        .map(fieldsOf)
        .flatMap(({ title, text }) => detailIf('source', stringOf(title) ?? '', text)),
    ],
    files: attachments.map(({ name }) => missingFile(name)),
  })
}

function idsOf(message: WireFields): Pick<ImportedNode, 'id' | 'parentId'> {
  return { id: stringOf(message['id']) ?? '', parentId: stringOf(message['parentId']) }
}

/** What tells which branch was shown. */
function placed(message: WireFields) {
  return {
    ...idsOf(message),
    role: message['role'] === 'user' ? ('user' as const) : ('assistant' as const),
    state: message['state'] === 'failed' ? ('failed' as const) : ('complete' as const),
    text: textOrNull(message['text']) ?? '',
    isSetAside: message['isSetAside'] === true,
  }
}

const kinds = ['reasoning', 'tool_call', 'tool_result', 'document', 'source'] as const

function detailOf({ kind: named, title, text }: WireFields): MessageDetail[] {
  const kind = kinds.find((one) => one === named)
  return kind === undefined ? [] : detailIf(kind, textOrNull(title) ?? '', text)
}

function stepOf({ tool: named, arguments: args, result }: WireFields): MessageDetail[] {
  const tool = stringOf(named) ?? 'tool'
  return [detail('tool_call', tool, args), ...detailIf('tool_result', tool, result)]
}
