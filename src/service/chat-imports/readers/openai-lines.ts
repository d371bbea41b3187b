/** JSON lines in the form of OpenAI's fine-tuning files and request logs: `messages` for each line. */
import { createHash } from 'node:crypto'
import type { WireFields } from '../../../shared/chat/chat.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf, textOrNull } from '../../json-fields.ts'
import type { Found, ImportedConversation, ImportedFile, ImportedNode } from '../imported.ts'
import { dataFile, detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { linesOf } from './lines.ts'
import type { ChatReader } from './reader.ts'

export const openaiLines: ChatReader = {
  source: 'openai',
  claims: ({ files, first }) =>
    files.some(({ name }) => name.endsWith('.jsonl')) && Array.isArray(first['messages']),
  async *read({ files }): AsyncIterable<Found> {
    const sameLines = new Map<string, number>()
    for (const file of files.filter(({ name }) => name.endsWith('.jsonl'))) {
      for await (const { line, number } of linesOf(file)) {
        yield foundInLine(line, `Line ${number} of ${file.name}`, sameLines)
      }
    }
  },
}

function foundInLine(line: string, what: string, sameLines: Map<string, number>): Found {
  const value = fieldsOf(parseJsonOrNull(line))
  const messages = listOf(value['messages']).map(fieldsOf)
  const nodes = nodesOf(messages, stringOf(value['model']))
  if (nodes.length === 0) return { kind: 'warning', warning: `${what} has no messages.` }
  const hash = createHash('sha256').update(JSON.stringify(value['messages'])).digest('hex')
  const before = sameLines.get(hash) ?? 0
  sameLines.set(hash, before + 1)
  // A line without an id is known by its messages; the same line again is another conversation.
  const id = stringOf(value['id']) ?? `${hash}-${before}`
  return { kind: 'conversation', conversation: conversationOf(value, { id, messages, nodes }) }
}

function conversationOf(
  value: WireFields,
  { id, messages, nodes }: { id: string; messages: readonly WireFields[]; nodes: ImportedNode[] },
): ImportedConversation {
  const systems = messages.filter(({ role }) => role === 'system' || role === 'developer')
  return {
    source: 'openai',
    id,
    title: titleOf(value['title']),
    createdAtMs: timeOf(value['created']),
    isPinned: false,
    isArchived: false,
    systemPrompt: systems.map(textOf).filter(Boolean).join('\n\n') || null,
    folder: null,
    project: null,
    tags: [],
    nodes,
    activeNodeId: nodes.at(-1)?.id ?? null,
  }
}

function nodesOf(messages: readonly WireFields[], model: string | null): ImportedNode[] {
  const nodes: ImportedNode[] = []
  for (const message of messages) {
    const role = message['role']
    if (role !== 'user' && role !== 'assistant' && role !== 'tool') continue
    const text = textOf(message)
    nodes.push(
      nodeOf({
        id: String(nodes.length),
        parentId: nodes.at(-1)?.id ?? null,
        role,
        text: role === 'tool' ? '' : text,
        model: role === 'assistant' ? model : null,
        details: [
          ...detailIf('reasoning', '', message['reasoning_content']),
          ...listOf(message['tool_calls']).map(callOf),
          ...(role === 'tool'
            ? [detail('tool_result', stringOf(message['name']) ?? 'tool', text)]
            : []),
        ],
        files: listOf(message['content']).flatMap(filesOf),
      }),
    )
  }
  return nodes
}

/** A text, a list of parts, or nothing beside tool calls. */
function textOf({ content }: WireFields): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOrNull(fieldsOf(part)['text']) ?? '')
    .filter(Boolean)
    .join('\n\n')
}

function callOf(value: unknown) {
  const call = fieldsOf(fieldsOf(value)['function'])
  return detail('tool_call', stringOf(call['name']) ?? 'tool', call['arguments'])
}

function filesOf(part: unknown): ImportedFile[] {
  const { type, image_url: image, file, input_audio: audio } = fieldsOf(part)
  if (type === 'image_url') return [dataFile(fieldsOf(image)['url']) ?? missingFile('image')]
  if (type === 'input_audio')
    return [missingFile(`sound.${stringOf(fieldsOf(audio)['format']) ?? 'wav'}`)]
  if (type !== 'file') return []
  const { file_data: data, filename } = fieldsOf(file)
  return [dataFile(data, filename) ?? missingFile(filename)]
}
