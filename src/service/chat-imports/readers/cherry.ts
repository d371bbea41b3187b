/**
 * Cherry Studio's backup of version 5 (`data.json` in a ZIP). Topics list messages, blocks hold their parts, and the
 * names stand in JSON inside JSON. The same file has API keys and MCP servers; nothing but the named fields is read.
 */
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf, textOrNull } from '../../json-fields.ts'
import {
  ImportRefused,
  type Found,
  type ImportedConversation,
  type ImportedFile,
  type ImportedNode,
} from '../imported.ts'
import { dataFile, detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { readWhole, sourceLimits, type SourceFile } from '../source-files.ts'
import type { ChatReader } from './reader.ts'

const backupFile = /(?:^|\/)data\.json$/
const mostFileBytes = 67_108_864

export const cherry: ChatReader = {
  source: 'cherry',
  claims: ({ files, first }) =>
    files.some(({ name }) => backupFile.test(name)) && 'indexedDB' in first,
  async *read({ files, first }): AsyncIterable<Found> {
    const version = first['version']
    if (typeof version !== 'number' || version > 5) {
      throw new ImportRefused('Only backups of Cherry Studio 1 (version 5 and older) can be read.')
    }
    const file = files.find(({ name }) => backupFile.test(name))
    if (!file) return
    const text = (await readWhole(file, sourceLimits.valueBytes)).toString('utf8')
    yield* foundInBackup(fieldsOf(parseJsonOrNull(text)), files)
  },
}

function* foundInBackup(backup: WireFields, files: readonly SourceFile[]): Iterable<Found> {
  const database = fieldsOf(backup['indexedDB'])
  const blocks = new Map(
    listOf(database['message_blocks']).map((block) => [
      stringOf(fieldsOf(block)['id']),
      fieldsOf(block),
    ]),
  )
  const { topics, assistants } = namesOf(backup)
  for (const assistant of assistants) {
    const systemPrompt = stringOf(assistant['prompt'])
    const name = titleOf(assistant['name']) ?? 'Cherry Studio'
    const id = stringOf(assistant['id']) ?? name
    if (systemPrompt !== null) yield { kind: 'preset', preset: { id, name, systemPrompt } }
  }
  for (const value of listOf(database['topics'])) {
    const topic = fieldsOf(value)
    const about = topics.get(stringOf(topic['id']) ?? '')
    const conversation = conversationOf(topic, about ?? { topic: {}, assistant: {} }, {
      blocks,
      files,
    })
    if (conversation.nodes.length > 0) yield { kind: 'conversation', conversation }
  }
}

interface About {
  topic: WireFields
  assistant: WireFields
}

function namesOf(backup: WireFields): { topics: Map<string, About>; assistants: WireFields[] } {
  const stored = fieldsOf(backup['localStorage'])['persist:cherry-studio']
  const list = fieldsOf(inner(fieldsOf(inner(stored))['assistants']))
  const assistants = [...listOf(list['assistants']), list['defaultAssistant']].map(fieldsOf)
  const topics = new Map<string, About>()
  for (const assistant of assistants) {
    for (const value of listOf(assistant['topics'])) {
      const topic = fieldsOf(value)
      topics.set(stringOf(topic['id']) ?? '', { topic, assistant })
    }
  }
  return { topics, assistants }
}

/** JSON that stands in a text. */
function inner(value: unknown): unknown {
  return typeof value === 'string' ? parseJsonOrNull(value) : value
}

interface Backup {
  blocks: ReadonlyMap<string | null, WireFields>
  files: readonly SourceFile[]
}

function conversationOf(topic: WireFields, about: About, backup: Backup): ImportedConversation {
  const messages = listOf(topic['messages']).map(fieldsOf)
  const parents = parentsOf(messages)
  const nodes = messages.map((message, at) => cherryNode(message, parents[at] ?? null, backup))
  return {
    source: 'cherry',
    id: stringOf(topic['id']) ?? '',
    title: titleOf(about.topic['name']),
    createdAtMs: timeOf(about.topic['createdAt']) ?? nodes[0]?.createdAtMs ?? null,
    isPinned: about.topic['pinned'] === true,
    isArchived: false,
    systemPrompt: stringOf(about.topic['prompt']) ?? stringOf(about.assistant['prompt']),
    folder: titleOf(about.assistant['name']),
    project: null,
    tags: [],
    nodes,
    activeNodeId: shownOf(messages).at(-1) ?? null,
  }
}

/** Answers name their question; a question follows the shown answer before it. */
function parentsOf(messages: readonly WireFields[]): (string | null)[] {
  const known = new Set(messages.map(({ id }) => stringOf(id)))
  return messages.map((message, at) => {
    const asked = stringOf(message['askId'])
    if (message['role'] === 'assistant' && asked !== null && known.has(asked)) return asked
    return shownOf(messages.slice(0, at)).at(-1) ?? null
  })
}

/** Of several answers to one question, one is shown. */
function shownOf(messages: readonly WireFields[]): string[] {
  const last = messages.at(-1)
  const asked = stringOf(last?.['askId'])
  if (asked === null) return last ? [stringOf(last['id']) ?? ''] : []
  const answers = messages.filter(({ askId }) => askId === asked)
  const shown = answers.find(({ foldSelected }) => foldSelected === true) ?? answers.at(-1)
  return shown ? [stringOf(shown['id']) ?? ''] : []
}

function cherryNode(message: WireFields, parentId: string | null, backup: Backup): ImportedNode {
  const own = listOf(message['blocks']).map((id) => backup.blocks.get(stringOf(id)) ?? {})
  const role =
    message['role'] === 'user' || message['role'] === 'assistant' ? message['role'] : 'hidden'
  const texts = own.filter(({ type }) => type === 'main_text' || type === 'code')
  const model = stringOf(fieldsOf(message['model'])['id']) ?? stringOf(message['modelId'])
  return nodeOf({
    id: stringOf(message['id']) ?? '',
    parentId,
    role,
    text:
      texts.map(({ content }) => textOrNull(content) ?? '').join('\n\n') ||
      (textOrNull(message['content']) ?? ''),
    model: role === 'assistant' ? model : null,
    createdAtMs: timeOf(message['createdAt']),
    details: own.flatMap(detailsOf),
    files: own.flatMap((block) => filesOf(block, backup.files)),
  })
}

function detailsOf(block: WireFields): MessageDetail[] {
  if (block['type'] === 'thinking') return detailIf('reasoning', '', block['content'])
  if (block['type'] !== 'tool') return []
  const name = stringOf(block['toolName']) ?? 'tool'
  const parts = listOf(fieldsOf(block['content'])['content']).map(fieldsOf)
  const written = parts.map(({ text }) => textOrNull(text) ?? '').join('\n')
  const result = written || (stringOf(block['content']) ?? '')
  return [detail('tool_call', name, block['arguments']), ...detailIf('tool_result', name, result)]
}

function filesOf(block: WireFields, files: readonly SourceFile[]): ImportedFile[] {
  if (block['type'] !== 'image' && block['type'] !== 'file') return []
  const data = dataFile(block['url'])
  if (data) return [data]
  const file = fieldsOf(block['file'])
  const stored = stringOf(file['name'])
  const name = stringOf(file['origin_name']) ?? stored
  const found = files.find((one) => stored !== null && one.name.endsWith(`Data/Files/${stored}`))
  if (!found) return [missingFile(name)]
  return [
    {
      name: name ?? found.name,
      mediaType: null,
      read: () => readWhole(found, mostFileBytes),
      text: null,
    },
  ]
}
