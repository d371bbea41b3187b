/** Open WebUI's "Export chats": a JSON list. Messages are a map with parents; `childrenIds` goes stale and is not read. */
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, stringOf, textOrNull } from '../../json-fields.ts'
import type { ImportedConversation, ImportedFile, ImportedNode } from '../imported.ts'
import { dataFile, detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { conversationsIn, type ChatReader } from './reader.ts'

export const openWebui: ChatReader = {
  source: 'open-webui',
  claims: ({ first }) => 'history' in fieldsOf(first['chat']),
  read: ({ files }) =>
    conversationsIn(
      files.filter(({ name }) => name.endsWith('.json')),
      conversationOf,
    ),
}

function conversationOf(value: WireFields): ImportedConversation {
  const chat = fieldsOf(value['chat'])
  const history = fieldsOf(chat['history'])
  return {
    source: 'open-webui',
    id: stringOf(value['id']) ?? stringOf(chat['id']) ?? '',
    title: titleOf(value['title']) ?? titleOf(chat['title']),
    createdAtMs: timeOf(value['created_at']) ?? timeOf(chat['timestamp']),
    isPinned: value['pinned'] === true,
    isArchived: value['archived'] === true,
    systemPrompt: stringOf(chat['system']) ?? stringOf(fieldsOf(chat['params'])['system']),
    folder: stringOf(value['folder_id']),
    project: null,
    tags: listOf(chat['tags'] ?? fieldsOf(value['meta'])['tags']).filter(
      (tag) => typeof tag === 'string',
    ),
    nodes: Object.entries(fieldsOf(history['messages'])).map(([id, message]) =>
      openWebuiNode(id, fieldsOf(message)),
    ),
    activeNodeId: stringOf(history['currentId']),
  }
}

function openWebuiNode(id: string, message: WireFields): ImportedNode {
  const role =
    message['role'] === 'user' || message['role'] === 'assistant' ? message['role'] : 'hidden'
  const output = listOf(message['output']).map(fieldsOf)
  const content = cutDetails(textOrNull(message['content']) ?? '')
  return nodeOf({
    id,
    parentId: stringOf(message['parentId']),
    role,
    text: content.text || output.flatMap(outputText).join('\n\n'),
    model: stringOf(message['model']),
    createdAtMs: timeOf(message['timestamp']),
    details: [
      // Newer versions store both; the list has the whole of it.
      ...(output.length > 0 ? output.flatMap(outputDetails) : content.details),
      ...listOf(message['sources']).flatMap(sourceOf),
    ],
    files: listOf(message['files']).flatMap(fileOf),
  })
}

const block = /<details type="(\w+)"([^>]*)>([\s\S]*?)<\/details>\s*/g

/** Reasoning and tool calls, which older versions write into the text, and the text without them. */
function cutDetails(content: string): { text: string; details: MessageDetail[] } {
  const details = [...content.matchAll(block)].flatMap(([, type, attributes = '', body = '']) => {
    if (type !== 'reasoning') return callOf(attributes)
    const written = body.replace(/<summary>[\s\S]*?<\/summary>/, '')
    return detailIf('reasoning', '', unescaped(written).replaceAll(/^> ?/gm, '').trim())
  })
  return { text: content.replaceAll(block, '').trim(), details }
}

function callOf(attributes: string): MessageDetail[] {
  const of = (name: string) => {
    const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
    return value === undefined ? null : unescaped(value)
  }
  const name = of('name') ?? 'tool'
  return [
    ...detailIf('tool_call', name, of('arguments')),
    ...detailIf('tool_result', name, of('result')),
  ]
}

function unescaped(text: string): string {
  const characters: Record<string, string> = {
    lt: '<',
    gt: '>',
    quot: '"',
    '#x27': "'",
    '#39': "'",
  }
  return text
    .replaceAll(/&(lt|gt|quot|#x27|#39);/g, (_, name: string) => characters[name] ?? '')
    .replaceAll('&amp;', '&')
}

function textsOf(list: unknown): string {
  return listOf(list)
    .map((part) => textOrNull(fieldsOf(part)['text']) ?? '')
    .join('\n')
    .trim()
}

function outputText(item: WireFields): string[] {
  return item['type'] === 'message' ? [textsOf(item['content'])] : []
}

function outputDetails(item: WireFields): MessageDetail[] {
  const name = stringOf(item['name']) ?? 'tool'
  switch (item['type']) {
    case 'reasoning':
      return detailIf('reasoning', '', textsOf(item['content']) || textsOf(item['summary']))
    case 'function_call':
      return [detail('tool_call', name, item['arguments'])]
    case 'function_call_output':
      return detailIf('tool_result', name, stringOf(item['output']) ?? textsOf(item['output']))
    default:
      return []
  }
}

function sourceOf(value: unknown): MessageDetail[] {
  const { source, document } = fieldsOf(value)
  const { name, url } = fieldsOf(source)
  const title = stringOf(name) ?? ''
  return detailIf('source', title, stringOf(url) ?? listOf(document).join('\n\n'))
}

/** Files stay on the server; the text that it read from them may be in the export. */
function fileOf(value: unknown): ImportedFile[] {
  const file = fieldsOf(value)
  const inside = fieldsOf(file['file'])
  const name = stringOf(file['name']) ?? stringOf(inside['filename'])
  const data = dataFile(file['url'], name)
  return [data ?? missingFile(name, fieldsOf(inside['data'])['content'])]
}
