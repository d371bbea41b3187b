/** Jan's folder `threads`: `thread.json` and `messages.jsonl` for each. Times are seconds in some versions. */
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf, textOrNull } from '../../json-fields.ts'
import type { Found, ImportedConversation, ImportedFile, ImportedNode } from '../imported.ts'
import { dataFile, detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { readWhole, sourceLimits, type SourceFile } from '../source-files.ts'
import { linesOf } from './lines.ts'
import type { ChatReader } from './reader.ts'

const thread = /(?:^|\/)thread\.json$/

export const jan: ChatReader = {
  source: 'jan',
  claims: ({ files }) =>
    files.some(({ name }) => thread.test(name)) &&
    files.some(({ name }) => name.endsWith('messages.jsonl')),
  async *read({ files }): AsyncIterable<Found> {
    for (const file of files.filter(({ name }) => thread.test(name))) {
      const folder = file.name.slice(0, -'thread.json'.length)
      yield* threadIn(
        folder,
        file,
        files.find(({ name }) => name === `${folder}messages.jsonl`),
      )
    }
  },
}

async function* threadIn(
  folder: string,
  file: SourceFile,
  messages: SourceFile | undefined,
): AsyncIterable<Found> {
  const about = parseJsonOrNull((await readWhole(file, sourceLimits.valueBytes)).toString('utf8'))
  if (about === null) {
    yield { kind: 'warning', warning: `${file.name} is not valid JSON.` }
    return
  }
  const nodes: ImportedNode[] = []
  for await (const { line, number } of messages ? linesOf(messages) : []) {
    const message = parseJsonOrNull(line)
    if (message === null) {
      yield {
        kind: 'warning',
        warning: `Line ${number} of ${folder}messages.jsonl is not valid JSON.`,
      }
    } else nodes.push(janNode(fieldsOf(message), nodes.at(-1)?.id ?? null))
  }
  if (nodes.length > 0) {
    yield { kind: 'conversation', conversation: conversationOf(fieldsOf(about), nodes) }
  }
}

function conversationOf(about: WireFields, nodes: readonly ImportedNode[]): ImportedConversation {
  const [assistant] = listOf(about['assistants']).map(fieldsOf)
  return {
    source: 'jan',
    id: stringOf(about['id']) ?? '',
    title: titleOf(about['title']),
    createdAtMs: timeOf(about['created']) ?? nodes[0]?.createdAtMs ?? null,
    isPinned: fieldsOf(about['metadata'])['is_favorite'] === true,
    isArchived: false,
    systemPrompt: stringOf(assistant?.['instructions']),
    folder: null,
    project: null,
    tags: [],
    nodes: nodes.map((node) => {
      const model = stringOf(fieldsOf(assistant?.['model'])['id'])
      return node.role === 'assistant' ? { ...node, model: node.model ?? model } : node
    }),
    activeNodeId: nodes.at(-1)?.id ?? null,
  }
}

function janNode(message: WireFields, parentId: string | null): ImportedNode {
  const parts = listOf(message['content']).map(fieldsOf)
  const role =
    message['role'] === 'user' || message['role'] === 'assistant' ? message['role'] : 'hidden'
  return nodeOf({
    id: stringOf(message['id']) ?? '',
    parentId,
    role,
    text: parts
      .filter(({ type }) => type === 'text')
      .map(textOf)
      .join('\n\n'),
    model: stringOf(fieldsOf(message['metadata'])['model']),
    createdAtMs: timeOf(message['created_at']),
    details: parts.flatMap(detailsOf),
    files: parts.flatMap(filesOf),
  })
}

function textOf({ text }: WireFields): string {
  return textOrNull(fieldsOf(text)['value']) ?? textOrNull(text) ?? ''
}

function detailsOf(part: WireFields): MessageDetail[] {
  if (part['type'] === 'reasoning') return detailIf('reasoning', '', textOf(part))
  if (part['type'] !== 'tool_call') return []
  const name = stringOf(part['tool_name']) ?? 'tool'
  const result = part['output'] === undefined ? [] : [detail('tool_result', name, part['output'])]
  return [detail('tool_call', name, part['input']), ...result]
}

function filesOf(part: WireFields): ImportedFile[] {
  if (part['type'] !== 'image_url') return []
  const url = fieldsOf(part['image_url'])['url']
  return [dataFile(url) ?? missingFile('image')]
}
