/** Modelport's own export of one conversation as JSON, for each of the files. */
import type { WireFields } from '../../../shared/chat/chat.ts'
import { endOf, turnsOf } from '../../../shared/chat/conversation-turns.ts'
import { parametersSchema, type Instructions } from '../../../shared/chat/conversations.ts'
import { messageDetailSchema, type MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, stringOf, textOrNull } from '../../json-fields.ts'
import type { Ending, ImportedConversation, ImportedNode, LostPart } from '../imported.ts'
import { complete, detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
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
  const last = turnsOf(nodes.map(placed)).at(-1)
  const { parameters, lost } = settingsOf(value)
  return {
    source: 'modelport',
    id: stringOf(value['id']) ?? '',
    title: titleOf(value['title']),
    createdAtMs: timeOf(value['createdAtMs']),
    isPinned: timeOf(value['pinnedAtMs']) !== null,
    isArchived: false,
    systemPrompt: stringOf(value['systemPrompt']),
    parameters,
    lost: [...lost, ...messages.flatMap(lostOfAnswer)],
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
    ending: endingOf(message),
    isSetAside: message['isSetAside'] === true,
  })
}

/** An answer that was streaming ended with the export. */
function endingOf({ state, error, errorDetail }: WireFields): Ending {
  if (state !== 'failed' && state !== 'stopped' && state !== 'streaming') return complete
  return {
    state: state === 'failed' ? 'failed' : 'stopped',
    error: stringOf(error),
    errorDetail: stringOf(errorDetail),
  }
}

/** A file does not switch tools on. */
function settingsOf(value: WireFields): {
  parameters: Instructions['parameters']
  lost: LostPart[]
} {
  const read = parametersSchema.safeParse(value['parameters'] ?? {})
  const { tools, ...parameters } = read.data ?? {}
  const origin = ['routerId', 'agent', 'preset', 'folderId'].map((name) => value[name] ?? null)
  const lost: LostPart[] = []
  if (origin.some((one) => one !== null)) lost.push('origin')
  if (tools) lost.push('tools')
  if (!read.success) lost.push('parameters')
  return { parameters, lost }
}

function lostOfAnswer({ meta, agentMeta, toolSteps, citations }: WireFields): LostPart[] {
  const hasFigures = (meta ?? agentMeta ?? null) !== null
  return [
    ...(hasFigures ? ['figures' as const] : []),
    ...(listOf(toolSteps).length > 0 ? ['calls' as const] : []),
    ...(listOf(citations).length > 0 ? ['citations' as const] : []),
  ]
}

function idsOf(message: WireFields): Pick<ImportedNode, 'id' | 'parentId'> {
  return { id: stringOf(message['id']) ?? '', parentId: stringOf(message['parentId']) }
}

/** What tells which branch was shown. */
function placed({ id, parentId, role, text, details, ending, isSetAside }: ImportedNode) {
  return {
    id,
    parentId,
    role: role === 'user' ? ('user' as const) : ('assistant' as const),
    text,
    state: ending.state,
    isSetAside: isSetAside === true,
    imported: { model: null, details: [...details] },
  }
}

const kinds = messageDetailSchema.shape.kind.options

function detailOf({ kind: named, title, text }: WireFields): MessageDetail[] {
  const kind = kinds.find((one) => one === named)
  return kind === undefined ? [] : [detail(kind, textOrNull(title) ?? '', text)]
}

function stepOf({ tool: named, arguments: args, result }: WireFields): MessageDetail[] {
  const tool = stringOf(named) ?? 'tool'
  return [detail('tool_call', tool, args), ...detailIf('tool_result', tool, result)]
}
