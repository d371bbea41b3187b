/** LibreChat's export of one conversation as JSON: a tree or a flat list, for each of the files. */
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, stringOf, textOrNull } from '../../json-fields.ts'
import type { ImportedConversation, ImportedNode } from '../imported.ts'
import { detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { conversationsIn, type ChatReader } from './reader.ts'

export const librechat: ChatReader = {
  source: 'librechat',
  claims: ({ first }) =>
    'conversationId' in first && ('messagesTree' in first || 'messages' in first),
  read: ({ files }) =>
    conversationsIn(
      files.filter(({ name }) => name.endsWith('.json')),
      conversationOf,
    ),
}

function conversationOf(value: WireFields): ImportedConversation {
  const options = fieldsOf(value['options'])
  const messages = flattened(listOf(value['messagesTree'] ?? value['messages']))
  return {
    source: 'librechat',
    id: stringOf(value['conversationId']) ?? '',
    title: titleOf(value['title']),
    createdAtMs: timeOf(messages[0]?.['createdAt']),
    isPinned: false,
    isArchived: value['isArchived'] === true,
    systemPrompt: stringOf(options['promptPrefix']) ?? stringOf(options['system']),
    folder: null,
    project: null,
    tags: listOf(value['tags']).filter((tag) => typeof tag === 'string'),
    nodes: messages.map(librechatNode),
    activeNodeId: null,
  }
}

/** Without recursion: chains are thousands of messages deep. */
function flattened(tree: readonly unknown[]): WireFields[] {
  const messages: WireFields[] = []
  const waiting = tree.map(fieldsOf).toReversed()
  for (let message = waiting.pop(); message; message = waiting.pop()) {
    messages.push(message)
    waiting.push(...listOf(message['children']).map(fieldsOf).toReversed())
  }
  return messages
}

function librechatNode(message: WireFields): ImportedNode {
  const parts = listOf(message['content']).map(fieldsOf)
  const texts = parts.filter(({ type }) => type === 'text').map(textOf)
  return nodeOf({
    id: stringOf(message['messageId']) ?? '',
    parentId: stringOf(message['parentMessageId']),
    role: message['isCreatedByUser'] === true ? 'user' : 'assistant',
    text: stringOf(message['text']) ?? texts.join('\n\n'),
    model: stringOf(message['model']),
    createdAtMs: timeOf(message['createdAt']),
    details: parts.flatMap(detailsOf),
    files: [
      ...listOf(message['files']).map((file) => missingFile(fieldsOf(file)['filename'])),
      ...parts
        .filter(({ type }) => type === 'image_file')
        .map((part) => missingFile(fieldsOf(part['image_file'])['filename'])),
    ],
  })
}

function textOf({ text }: WireFields): string {
  return textOrNull(text) ?? textOrNull(fieldsOf(text)['value']) ?? ''
}

function detailsOf(part: WireFields): MessageDetail[] {
  if (part['type'] === 'think') return detailIf('reasoning', '', textOrNull(part['think']))
  if (part['type'] !== 'tool_call') return []
  const { name, args, output } = fieldsOf(part['tool_call'])
  const tool = stringOf(name) ?? 'tool'
  return [detail('tool_call', tool, args), ...detailIf('tool_result', tool, output)]
}
