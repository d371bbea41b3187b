/** LM Studio's folder `conversations`: a JSON file for each, and `user-files` beside it. Not documented by its makers. */
import { createHash } from 'node:crypto'
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf, textOrNull } from '../../json-fields.ts'
import type { Found, ImportedConversation, ImportedFile, ImportedNode } from '../imported.ts'
import { detail, detailIf, missingFile, nodeOf, timeOf, titleOf } from '../read-fields.ts'
import { readWhole, sourceLimits, type SourceFile } from '../source-files.ts'
import { foundIn, type ChatReader } from './reader.ts'

const conversation = /^(?:.*\/)?([^/]+)\.conversation\.json$/
const mostFileBytes = 67_108_864

export const lmStudio: ChatReader = {
  source: 'lm-studio',
  claims: ({ files }) => files.some(({ name }) => conversation.test(name)),
  async *read({ files }): AsyncIterable<Found> {
    const userFiles = await userFilesOf(files)
    for (const file of files) {
      const id = conversation.exec(file.name)?.[1]
      if (id === undefined) continue
      const bytes = await readWhole(file, sourceLimits.valueBytes)
      yield foundIn(bytes, file.name, (value) =>
        conversationOf(value, { id, folder: folderOf(file.name), userFiles }),
      )
    }
  },
}

/** The folders below `conversations`. */
function folderOf(name: string): string | null {
  const folders = name.split('/').slice(0, -1)
  const inside = folders.slice(folders.lastIndexOf('conversations') + 1)
  return inside.join('/') || null
}

async function userFilesOf(files: readonly SourceFile[]): Promise<Map<string, ImportedFile>> {
  const found = new Map<string, ImportedFile>()
  for (const file of files.filter(({ name }) => name.endsWith('.metadata.json'))) {
    const path = file.name.slice(0, -'.metadata.json'.length)
    const bytes = files.find(({ name }) => name === path)
    const text = (await readWhole(file, mostFileBytes)).toString('utf8')
    const { originalName, fileIdentifier } = fieldsOf(parseJsonOrNull(text))
    const id = stringOf(fileIdentifier) ?? path.split('/').at(-1) ?? path
    const name = stringOf(originalName) ?? id
    const read = bytes ? () => readWhole(bytes, mostFileBytes) : null
    found.set(id, { name, mediaType: null, read, text: null })
  }
  return found
}

interface Place {
  id: string
  folder: string | null
  userFiles: ReadonlyMap<string, ImportedFile>
}

function conversationOf(value: WireFields, { id, folder, userFiles }: Place): ImportedConversation {
  const messages = listOf(value['messages']).map(fieldsOf)
  const { nodes, endId } = nodesOf(messages, userFiles)
  return {
    source: 'lm-studio',
    id,
    title: titleOf(value['name']),
    createdAtMs: timeOf(value['createdAt']) ?? timeOf(Number(id)),
    isPinned: value['pinned'] === true,
    isArchived: false,
    systemPrompt: stringOf(value['systemPrompt']) ?? configuredPrompt(value),
    folder,
    project: null,
    tags: [],
    nodes,
    activeNodeId: endId,
  }
}

/**
 * The program has no ids. A message is known by its words and by what came before: one that replaces another is a branch
 * beside it. What follows a message stays its own when another of its versions is selected.
 */
function nodesOf(
  messages: readonly WireFields[],
  userFiles: Place['userFiles'],
): { nodes: ImportedNode[]; endId: string | null } {
  const nodes: ImportedNode[] = []
  let before = ''
  let endId: string | null = null
  for (const message of messages) {
    const ids: string[] = []
    for (const [index, value] of listOf(message['versions']).entries()) {
      const version = versionOf(fieldsOf(value), userFiles)
      const id = hashOf([before, version.role, version.text])
      ids.push(ids.includes(id) ? `${id}-${index}` : id)
      nodes.push(nodeOf({ ...version, id: ids[index] ?? id, parentId: endId }))
    }
    before = ids[0] ?? before
    endId = ids[selectedOf(message)] ?? endId
  }
  return { nodes, endId }
}

function hashOf(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16)
}

function selectedOf(message: WireFields): number {
  const index = message['currentlySelected']
  return typeof index === 'number' && index in listOf(message['versions']) ? index : 0
}

function configuredPrompt(value: WireFields): string | null {
  const fields = listOf(fieldsOf(value['perChatPredictionConfig'])['fields']).map(fieldsOf)
  return stringOf(fields.find(({ key }) => key === 'llm.prediction.systemPrompt')?.['value'])
}

function versionOf(
  version: WireFields,
  userFiles: Place['userFiles'],
): Pick<ImportedNode, 'role' | 'text' | 'model' | 'details' | 'files'> {
  const role =
    version['role'] === 'user' || version['role'] === 'assistant' ? version['role'] : 'hidden'
  const steps = listOf(version['steps']).map(fieldsOf)
  const blocks = version['type'] === 'multiStep' ? steps : [version]
  const parts = blocks.flatMap((step) =>
    listOf(step['content']).map((part) => ({ step, part: fieldsOf(part) })),
  )
  const said = parts.filter(({ step, part }) => part['type'] === 'text' && !isThinking(step))
  return {
    role,
    text: said.map(({ part }) => textOrNull(part['text']) ?? '').join(''),
    model: modelOf(version, steps),
    details: parts.flatMap(({ step, part }) => detailsOf(step, part)),
    files: parts.flatMap(({ part }) => {
      const name = stringOf(part['fileIdentifier'])
      if (part['type'] !== 'file' || name === null) return []
      return [userFiles.get(name) ?? missingFile(name)]
    }),
  }
}

function isThinking(step: WireFields): boolean {
  return fieldsOf(step['style'])['type'] === 'thinking'
}

function modelOf(version: WireFields, steps: readonly WireFields[]): string | null {
  const generated = steps.map((step) => stringOf(fieldsOf(step['genInfo'])['identifier']))
  const named = generated.findLast((model) => model !== null)
  return named ?? stringOf(fieldsOf(version['senderInfo'])['senderName'])
}

function detailsOf(step: WireFields, part: WireFields): MessageDetail[] {
  switch (part['type']) {
    case 'text':
      return isThinking(step) ? detailIf('reasoning', '', part['text']) : []
    case 'toolCallRequest':
      return [detail('tool_call', stringOf(part['name']) ?? 'tool', part['parameters'])]
    case 'toolCallResult':
      return [detail('tool_result', 'tool', part['content'])]
    default:
      return []
  }
}
