/**
 * ChatGPT's data export: `conversations.json` or its shards, as ZIP or folder. A conversation is a map of nodes with
 * parents; `children` is missing in some. Fields as in exports of 2023 to 2026 (OpenAI does not document them).
 */
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import type { WireFields } from '../../../shared/chat/chat.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf, textOrNull } from '../../json-fields.ts'
import type { ImportedConversation, ImportedFile, ImportedNode } from '../imported.ts'
import { dataFile, detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { readWhole, type SourceFile } from '../source-files.ts'
import { conversationsIn, listFile, type ChatReader } from './reader.ts'

const mostNameBytes = 67_108_864
const latestCanvas = 'latest'

export const chatgpt: ChatReader = {
  source: 'chatgpt',
  claims: ({ first }) => 'mapping' in first,
  async *read({ files }) {
    const assets = await assetsOf(files)
    yield* conversationsIn(files.filter(isConversations), (value) => conversationOf(value, assets))
  },
}

function isConversations({ name }: SourceFile): boolean {
  return listFile.test(name)
}

type Assets = (pointer: string, name: string | null) => ImportedFile

/** Finds files by their ids: `<id>.dat` with a list of names, or `<id>-<name>` in older exports. */
async function assetsOf(files: readonly SourceFile[]): Promise<Assets> {
  const list = files.find(({ name }) => name.endsWith('conversation_asset_file_names.json'))
  const names = list
    ? fieldsOf(parseJsonOrNull((await readWhole(list, mostNameBytes)).toString('utf8')))
    : {}
  const found = new Map<string, SourceFile>()
  for (const file of files) {
    const id = /(?:^|\/)(file[-_][A-Za-z0-9]+)/.exec(file.name)?.[1]
    if (id !== undefined) found.set(id, file)
  }
  return (pointer, known) => {
    const id = pointer.replace(/^[\w-]+:\/\//, '').replace(/[#?].*$/, '')
    const file = found.get(id)
    if (!file) return missingFile(known ?? id)
    const base = file.name.split('/').at(-1) ?? id
    const name = known ?? stringOf(names[base]) ?? base.slice(id.length + 1)
    return { name, mediaType: null, read: () => readWhole(file, mostNameBytes), text: null }
  }
}

function conversationOf(value: WireFields, assets: Assets): ImportedConversation {
  const entries = Object.entries(fieldsOf(value['mapping']))
  const canvases = new Map<string, Canvas>()
  const project = stringOf(value['gizmo_id'])
  return {
    source: 'chatgpt',
    id: stringOf(value['conversation_id']) ?? stringOf(value['id']) ?? '',
    title: titleOf(value['title']),
    createdAtMs: timeOf(value['create_time']),
    isPinned: value['is_starred'] === true || timeOf(value['pinned_time']) !== null,
    isArchived: value['is_archived'] === true,
    systemPrompt: null,
    folder: null,
    project: project?.startsWith('g-p-') ? project : null,
    tags: [],
    nodes: entries.map(([id, node]) => chatgptNode(id, fieldsOf(node), { assets, canvases })),
    activeNodeId: stringOf(value['current_node']),
  }
}

interface Surrounding {
  assets: Assets
  /** Each canvas after the updates so far, by its id; updates without one change the latest. */
  canvases: Map<string, Canvas>
}

function chatgptNode(id: string, node: WireFields, around: Surrounding): ImportedNode {
  const message = fieldsOf(node['message'])
  const parentId = stringOf(node['parent'])
  const author = fieldsOf(message['author'])
  const role = roleOf(message, author)
  if (role === 'hidden') return nodeOf({ id, parentId, role })
  const metadata = fieldsOf(message['metadata'])
  const { text, details, files } = contentOf(message, around)
  const isVisible = role === 'user' || (role === 'assistant' && isForEverybody(message))
  const tool = stringOf(author['name']) ?? stringOf(message['recipient']) ?? 'tool'
  const kind = role === 'tool' ? 'tool_result' : 'tool_call'
  return nodeOf({
    id,
    parentId,
    role,
    text: isVisible ? withoutMarks(text) : '',
    model: stringOf(metadata['model_slug']),
    createdAtMs: timeOf(message['create_time']),
    details: [
      ...details,
      ...(isVisible ? [] : detailIf(kind, tool, text)),
      ...canvasOf(message, text, around.canvases),
      ...sourcesOf(metadata),
    ],
    files: [...files, ...attachmentsOf(metadata, files, around.assets)],
  })
}

function roleOf(message: WireFields, author: WireFields): ImportedNode['role'] {
  const metadata = fieldsOf(message['metadata'])
  const isHidden =
    metadata['is_visually_hidden_from_conversation'] === true ||
    metadata['is_user_system_message'] === true ||
    message['weight'] === 0
  const role = author['role']
  if (isHidden) return 'hidden'
  return role === 'user' || role === 'assistant' || role === 'tool' ? role : 'hidden'
}

function isForEverybody(message: WireFields): boolean {
  const recipient = stringOf(message['recipient']) ?? 'all'
  return recipient === 'all'
}

interface Content {
  text: string
  details: MessageDetail[]
  files: ImportedFile[]
}

function contentOf(message: WireFields, { assets }: Surrounding): Content {
  const content = fieldsOf(message['content'])
  const none = { text: '', details: [], files: [] }
  switch (content['content_type']) {
    case 'thoughts':
      return { ...none, details: listOf(content['thoughts']).flatMap(thoughtOf) }
    case 'reasoning_recap':
    case 'user_editable_context':
    case 'model_editable_context':
      return none
    case 'tether_quote':
      return { ...none, details: detailIf('source', titleIn(content), content['text']) }
    case 'tether_browsing_display':
      return { ...none, details: detailIf('tool_result', 'browser', content['result']) }
    default:
      return partsOf(content, assets)
  }
}

function titleIn(content: WireFields): string {
  return stringOf(content['title']) ?? stringOf(content['url']) ?? ''
}

function thoughtOf(value: unknown): MessageDetail[] {
  const { summary, content } = fieldsOf(value)
  const texts = [stringOf(summary), stringOf(content)].filter((text) => text !== null)
  return detailIf('reasoning', '', texts.join('\n'))
}

function partsOf(content: WireFields, assets: Assets): Content {
  const texts: string[] = []
  const files: ImportedFile[] = []
  for (const part of listOf(content['parts'])) {
    if (typeof part === 'string') texts.push(part)
    else {
      const fields = fieldsOf(part)
      const text = stringOf(fields['text'])
      if (text !== null) texts.push(text)
      files.push(...pointedFiles(fields, assets))
    }
  }
  const text = texts.filter((one) => one !== '').join('\n\n')
  return { text: text || (textOrNull(content['text']) ?? ''), details: [], files }
}

/** Images, and the sounds and frames of voice talks, which exports lack. */
function pointedFiles(part: WireFields, assets: Assets): ImportedFile[] {
  const pointer = stringOf(part['asset_pointer'])
  if (pointer !== null) return [dataFile(pointer) ?? assets(pointer, null)]
  const sound = fieldsOf(part['audio_asset_pointer'])
  const named = stringOf(sound['asset_pointer'])
  return named === null ? [] : [assets(named, null)]
}

function attachmentsOf(
  metadata: WireFields,
  pointed: readonly ImportedFile[],
  assets: Assets,
): ImportedFile[] {
  return listOf(metadata['attachments']).flatMap((value) => {
    const { id, name } = fieldsOf(value)
    const file = assets(stringOf(id) ?? '', stringOf(name))
    return pointed.some((one) => one.name === file.name) ? [] : [file]
  })
}

interface Canvas {
  name: string
  text: string
}

/** Each state of a canvas replaces the one before; its last one is a document of the answer. */
function canvasOf(
  message: WireFields,
  text: string,
  canvases: Map<string, Canvas>,
): MessageDetail[] {
  const recipient = stringOf(message['recipient'])
  const change = fieldsOf(parseJsonOrNull(text))
  const { textdoc_id: id } = fieldsOf(fieldsOf(message['metadata'])['canvas'])
  if (recipient === 'canmore.create_textdoc') {
    const name = stringOf(change['name']) ?? 'canvas'
    const canvas = { name, text: textOrNull(change['content']) ?? '' }
    canvases.set(latestCanvas, canvas)
    canvases.set(stringOf(id) ?? latestCanvas, canvas)
    return [detail('document', name, canvas.text)]
  }
  const canvas = canvases.get(stringOf(id) ?? latestCanvas) ?? canvases.get(latestCanvas)
  if (recipient !== 'canmore.update_textdoc' || !canvas) return []
  for (const update of listOf(change['updates']))
    canvas.text = replaced(canvas.text, fieldsOf(update))
  return detailIf('document', canvas.name, canvas.text)
}

/** The pattern is a regular expression of the other program; `.*` alone replaces all, others are looked up as text. */
function replaced(state: string, update: WireFields): string {
  const pattern = stringOf(update['pattern'])
  const replacement = textOrNull(update['replacement']) ?? ''
  if (pattern === null) return state
  if (pattern === '.*') return replacement
  const literal = pattern.replaceAll(/\\([^A-Za-z0-9])/g, '$1')
  return update['multiple'] === true
    ? state.replaceAll(literal, () => replacement)
    : state.replace(literal, () => replacement)
}

function sourcesOf(metadata: WireFields): MessageDetail[] {
  return listOf(metadata['content_references']).flatMap((reference) => {
    const fields = fieldsOf(reference)
    const items = [...listOf(fields['items']), fields].map(fieldsOf)
    return items.flatMap(({ title, url }) => detailIf('source', stringOf(title) ?? '', url))
  })
}

/**
 * Texts without the private characters that stand for citations and other parts of the program's window. What a mark shows
 * inside the sentence stays.
 */
function withoutMarks(text: string): string {
  return text
    .replaceAll(/\ue200([^\ue201]*)\ue201/g, (_mark, inside: string) => shownIn(inside))
    .replaceAll(/[\ue200-\ue2ff]/g, '')
    .replaceAll(/【[^】]{0,40}†[^】]{0,80}】/g, '')
    .trimEnd()
}

/**
 * With `|` for U+E202: the word of `entity|["city","Paris","capital"]`, and the title of `url|title|address`. Others show
 * nothing.
 */
function shownIn(mark: string): string {
  const [kind, first = ''] = mark.split('\ue202')
  if (kind === 'url') return first
  return kind === 'entity' ? (stringOf(listOf(parseJsonOrNull(first))[1]) ?? '') : ''
}
