/**
 * Claude's data export: `conversations.json` (or shards of it) and `projects/*.json`. Older exports have no parents, so
 * messages follow each other. No export names the model.
 */
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf, textOrNull } from '../../json-fields.ts'
import type { Found, ImportedConversation, ImportedFile, ImportedNode } from '../imported.ts'
import { detail, detailIf, missingFile, nodeOf, textFile, timeOf, titleOf } from '../read-fields.ts'
import { readWhole, type SourceFile } from '../source-files.ts'
import { conversationsIn, listFile, type ChatReader } from './reader.ts'

const project = /(?:^|\/)projects\/[^/]+\.json$/
const mostProjectBytes = 67_108_864
/** The parent of a first message. */
const noParent = /^0{8}-0{4}-[04]0{3}-[08]0{3}-0{12}$/

export const claude: ChatReader = {
  source: 'claude',
  claims: ({ first }) => 'chat_messages' in first,
  async *read({ files }) {
    yield* conversationsIn(
      files.filter(({ name }) => listFile.test(name)),
      conversationOf,
    )
    for (const file of files) if (project.test(file.name)) yield* presetOf(file)
  },
}

async function* presetOf(file: SourceFile): AsyncIterable<Found> {
  const text = (await readWhole(file, mostProjectBytes)).toString('utf8')
  const { uuid, name, prompt_template: prompt } = fieldsOf(parseJsonOrNull(text))
  const systemPrompt = stringOf(prompt)
  if (systemPrompt === null) return
  const preset = { id: stringOf(uuid) ?? file.name, name: titleOf(name) ?? 'Claude', systemPrompt }
  yield { kind: 'preset', preset }
}

function conversationOf(value: WireFields): ImportedConversation {
  const messages = listOf(value['chat_messages']).map(fieldsOf)
  const hasParents = messages.some((message) => 'parent_message_uuid' in message)
  const nodes = messages.map((message, at) => {
    const before = stringOf(messages[at - 1]?.['uuid'])
    return claudeNode(message, hasParents ? parentOf(message) : before)
  })
  return {
    source: 'claude',
    id: stringOf(value['uuid']) ?? '',
    title: titleOf(value['name']),
    createdAtMs: timeOf(value['created_at']),
    isPinned: value['is_starred'] === true,
    isArchived: false,
    systemPrompt: null,
    folder: null,
    project: null,
    tags: [],
    nodes,
    activeNodeId: nodes.at(-1)?.id ?? null,
  }
}

function parentOf(message: WireFields): string | null {
  const parent = stringOf(message['parent_message_uuid'])
  return parent === null || noParent.test(parent) ? null : parent
}

function claudeNode(message: WireFields, parentId: string | null): ImportedNode {
  const blocks = blocksOf(message)
  const texts = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOrNull(text) ?? '')
  const written = texts.join('\n\n').trim()
  return nodeOf({
    id: stringOf(message['uuid']) ?? '',
    parentId,
    role: message['sender'] === 'assistant' ? 'assistant' : 'user',
    text: blocks.length > 0 ? written : (textOrNull(message['text']) ?? ''),
    createdAtMs: timeOf(message['created_at']),
    details: [...blocks.flatMap(detailsOf), ...artifactsOf(blocks)],
    files: [
      ...listOf(message['attachments']).map(attachmentOf),
      ...[...listOf(message['files']), ...blocks.filter(isFile)].map((file) =>
        missingFile(fieldsOf(file)['file_name'] ?? fieldsOf(file)['file_uuid']),
      ),
    ],
  })
}

/** `content` may be a list, or the same list as JSON text. */
function blocksOf({ content }: WireFields): WireFields[] {
  const list = typeof content === 'string' ? parseJsonOrNull(content) : content
  if (Array.isArray(list)) return list.map(fieldsOf)
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
}

function isFile({ type }: WireFields): boolean {
  return type === 'image' || type === 'document'
}

function attachmentOf(value: unknown): ImportedFile {
  const { file_name: name, extracted_content: content } = fieldsOf(value)
  const text = stringOf(content)
  return text === null ? missingFile(name) : textFile(name, text)
}

/** What the person never saw, such as injected prompts and token budgets, has no detail. */
function detailsOf(block: WireFields): MessageDetail[] {
  const name = stringOf(block['name']) ?? 'tool'
  switch (block['type']) {
    case 'thinking':
      return detailIf('reasoning', '', block['thinking'])
    case 'tool_use':
      return [detail('tool_call', name, block['input'])]
    case 'tool_result':
      return detailIf('tool_result', name, resultOf(block['content']))
    case 'text':
      return listOf(block['citations']).flatMap((citation) => {
        const { title, url } = fieldsOf(fieldsOf(citation)['details'])
        return detailIf('source', stringOf(title) ?? '', url)
      })
    default:
      return []
  }
}

function resultOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => {
      const { title, url, text } = fieldsOf(part)
      return [title, url, text].filter((one) => typeof one === 'string').join('\n')
    })
    .join('\n\n')
}

/** Artifacts in the state after all changes of this message's calls. */
function artifactsOf(blocks: readonly WireFields[]): MessageDetail[] {
  const artifacts = new Map<string, { title: string; content: string }>()
  for (const block of blocks) {
    if (block['type'] !== 'tool_use' || block['name'] !== 'artifacts') continue
    const input = fieldsOf(block['input'])
    const id = stringOf(input['id']) ?? ''
    const before = artifacts.get(id)
    const title = stringOf(input['title']) ?? before?.title ?? id
    const whole = textOrNull(input['content'])
    const oldText = textOrNull(input['old_str']) ?? ''
    const newText = textOrNull(input['new_str']) ?? ''
    const content = whole ?? (before?.content ?? '').replace(oldText, () => newText)
    artifacts.set(id, { title, content })
  }
  return [...artifacts.values()].flatMap(({ title, content }) =>
    detailIf('document', title, content),
  )
}
