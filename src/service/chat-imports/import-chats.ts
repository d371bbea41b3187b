/** Imports conversations of other programs, or says what an import would add. */
import { basename } from 'node:path'
import type { Attachment } from '../../shared/chat/attachments.ts'
import { isUnsaid } from '../../shared/chat/conversation-turns.ts'
import type { Conversation, ConversationMessage } from '../../shared/chat/conversations.ts'
import type { ChatSource, ImportReport } from '../../shared/chat/imports.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'
import { attach } from '../window/attachments/attach.ts'
import { ImportRefused, type ImportedPreset } from './imported.ts'
import { Losses } from './losses.ts'
import {
  importedId,
  missingDetail,
  type PreparedConversation,
  type PreparedFile,
  type PreparedTurn,
} from './prepare.ts'
import { readInWorker, type ReadMessage } from './read-in-worker.ts'

export interface ImportOptions {
  store: ConversationStore
  now: () => number
  /** Whether anything is written. */
  isDryRun: boolean
  /** Called with each conversation after it was imported, such as to show the progress. */
  onConversation?: (conversation: PreparedConversation) => void
}

/** A title for a conversation that has none and begins with a file. */
const unnamed = 'Imported conversation'
const mostNamed = 100

/** Imports a file or folder. A file that cannot be read is refused in the report, and nothing of it is written. */
export async function importChats(path: string, options: ImportOptions): Promise<ImportReport> {
  const report: ImportReport = {
    file: basename(path),
    source: null,
    refused: null,
    conversations: { added: 0, extended: 0, known: 0 },
    messages: 0,
    files: 0,
    presets: 0,
    losses: [],
    warnings: [],
  }
  const losses = new Losses()
  try {
    for await (const found of readInWorker(path)) await addFound(found, { report, losses, options })
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    // What was read before stays: the rest of the file is said to be missing.
    if (report.source === null) report.refused = error.message
    else report.warnings.push(error.message)
  }
  report.losses = losses.sentences()
  return report
}

interface Running {
  report: ImportReport
  losses: Losses
  options: ImportOptions
}

async function addFound(found: ReadMessage, running: Running): Promise<void> {
  const { report, losses, options } = running
  if (found.kind === 'end' || found.kind === 'refused') return
  report.source = found.source
  if (found.kind === 'warning') report.warnings.push(found.warning)
  else if (found.kind === 'preset') await addPreset(found.source, found.preset, running)
  else {
    losses.add(found.conversation)
    await addConversation(found.conversation, running)
    options.onConversation?.(found.conversation)
  }
}

async function addPreset(
  source: ChatSource,
  preset: ImportedPreset,
  { report, options: { store, isDryRun } }: Running,
): Promise<void> {
  const id = importedId(source, 'preset', preset.id)
  if ((await store.presets()).some((one) => one.id === id)) return
  report.presets += 1
  if (isDryRun) return
  const { systemPrompt } = preset
  const name = preset.name.slice(0, mostNamed)
  await store.savePreset({ id, name, systemPrompt, parameters: {}, routerId: null })
}

/** Adds what is new of a conversation in one transaction. What a person changed since an earlier import stays. */
async function addConversation(prepared: PreparedConversation, running: Running): Promise<void> {
  const { report, losses, options } = running
  const { store, now, isDryRun } = options
  const shown = await store.get(prepared.id)
  // One that was deleted comes back, with what it had.
  if (!shown && !isDryRun) await store.restore(prepared.id)
  const existing = shown ?? (isDryRun ? null : await store.get(prepared.id))
  const known = existing ? await store.messages(prepared.id) : []
  // Messages that were deleted stay deleted.
  const knownIds = new Set(existing ? await store.messageIds(prepared.id) : [])
  const added = prepared.turns.filter(({ id }) => !knownIds.has(id))
  const news = shown ? added : prepared.turns
  report.conversations[outcomeOf(shown !== null, news.length)] += 1
  report.messages += news.filter(isOfExport).length
  if (added.length === 0) return
  const setAside = setAsideOf(prepared, known)
  const messages: ConversationMessage[] = []
  for (const turn of added) {
    const { attachments, missing } = isDryRun ? foreseen(turn) : await attached(turn, options)
    report.files += turn.files.length - missing.length
    losses.addFiles(missing.length)
    const isSetAside = setAside.has(turn.id)
    messages.push(messageOf(turn, { attachments, missing, isSetAside, now: now() }))
  }
  if (isDryRun) return
  const conversation = existing ?? {
    ...conversationOf(prepared, now()),
    folderId: await folderIdOf(prepared, store),
  }
  await store.add(conversation, messages)
}

/** Adds the folder when it is missing. */
async function folderIdOf(
  { source, folder }: PreparedConversation,
  store: Pick<ConversationStore, 'folders' | 'saveFolder'>,
): Promise<string | null> {
  if (folder === null) return null
  const id = importedId(source, 'folder', folder)
  if (!(await store.folders()).some((one) => one.id === id)) {
    await store.saveFolder({ id, name: folder.slice(0, mostNamed), presetId: null })
  }
  return id
}

/** Whether the export has it: a question that stands for a missing one is not counted. */
function isOfExport({ role, text, files, details }: PreparedTurn): boolean {
  return role === 'assistant' || !isUnsaid({ text, attachments: files }) || details.length > 0
}

function outcomeOf(exists: boolean, added: number): 'added' | 'extended' | 'known' {
  if (!exists) return 'added'
  return added > 0 ? 'extended' : 'known'
}

/** Everything beside the shown branch. At a fork that is shown already, the branch on the screen stays. */
function setAsideOf(
  { turns, activeId }: PreparedConversation,
  known: readonly ConversationMessage[],
): Set<string> {
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const shown = new Map<string | null, string>()
  for (const { parentId, id } of turns) shown.set(parentId, id)
  for (let turn = byId.get(activeId ?? ''); turn; turn = byId.get(turn.parentId ?? '')) {
    shown.set(turn.parentId, turn.id)
  }
  const onScreen = new Set<string | null>()
  for (const { parentId, id, isSetAside } of known) {
    if (isSetAside) continue
    shown.set(parentId, id)
    onScreen.add(parentId)
  }
  const aside = turns.filter(({ id, parentId, isSetAside }) => {
    const isBeside = shown.get(parentId) !== id
    return onScreen.has(parentId) ? isBeside : (isSetAside ?? isBeside)
  })
  return new Set(aside.map(({ id }) => id))
}

interface AttachedFiles {
  attachments: Attachment[]
  missing: PreparedFile[]
}

/** Without reading the files: those that the export contains. */
function foreseen({ files }: PreparedTurn): AttachedFiles {
  return { attachments: [], missing: files.filter(({ bytes }) => bytes === null) }
}

async function attached({ files }: PreparedTurn, options: ImportOptions): Promise<AttachedFiles> {
  const attachments: Attachment[] = []
  const missing: PreparedFile[] = []
  for (const file of files) {
    const attachment = await attachedOrNull(file, options)
    if (attachment) attachments.push(attachment)
    else missing.push(file)
  }
  return { attachments, missing }
}

/** @returns null for a file that the export lacks, and for a kind that the chat cannot keep */
async function attachedOrNull(
  { name, bytes }: PreparedFile,
  options: ImportOptions,
): Promise<Attachment | null> {
  if (bytes === null) return null
  try {
    return await attach({ name, bytes }, options)
  } catch (error) {
    if (error instanceof DashboardError) return null
    throw error
  }
}

interface Stored extends AttachedFiles {
  isSetAside: boolean
  now: number
}

function messageOf(
  turn: PreparedTurn,
  { attachments, missing, isSetAside, now }: Stored,
): ConversationMessage {
  const { id, parentId, role, text, model, createdAtMs, ending } = turn
  return {
    id,
    parentId,
    role,
    text,
    attachments,
    createdAtMs: createdAtMs ?? now,
    ...ending,
    isSetAside,
    routerId: null,
    meta: null,
    agentMeta: null,
    imported: { model, details: [...turn.details, ...missing.map(missingDetail)] },
    toolSteps: [],
    sources: [],
    citations: [],
  }
}

function conversationOf(
  prepared: PreparedConversation,
  now: number,
): Omit<Conversation, 'folderId'> {
  const { id, source, turns, systemPrompt, createdAtMs, isPinned } = prepared
  const times = turns.map((turn) => turn.createdAtMs).filter((time) => time !== null)
  const question = turns
    .find(({ text }) => text !== '')
    ?.text.trim()
    .split('\n')[0]
  return {
    id,
    title: prepared.title ?? (question ? question.slice(0, mostNamed) : unnamed),
    titleSource: 'person',
    routerId: null,
    agent: null,
    systemPrompt: systemPrompt ?? '',
    parameters: prepared.parameters ?? {},
    pinnedAtMs: isPinned ? now : null,
    createdAtMs: createdAtMs ?? times[0] ?? now,
    updatedAtMs: times.reduce((newest, time) => Math.max(newest, time), createdAtMs ?? 0) || now,
    source,
    preset: null,
  }
}
