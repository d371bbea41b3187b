/** Reads a file that a person attaches, and stores its content once. */
import { createHash } from 'node:crypto'
import { attachmentLimits, type Attachment } from '../../../shared/chat/attachments.ts'
import { formatBytes } from '../../../shared/strings/format.ts'
import { DashboardError } from '../../dashboard/dashboard.ts'
import { IsolatedRunFailed, runIsolated } from '../../isolated-worker.ts'
import type { ConversationStore } from '../../storage/conversation-store.ts'
import type { ReadFile } from './read-file.ts'

export interface AttachedFile {
  name: string
  bytes: Uint8Array
}

const limitMs = 20_000
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 }
/** A page with fewer characters of text is most likely a scan. */
const leastTextPerPage = 200
const longestName = 255

interface KeepOptions {
  store: Pick<ConversationStore, 'saveBlob'>
  now: () => number
}

/** Stores a text like a file. @returns its SHA-256 */
export function keepText(text: string, options: KeepOptions): Promise<string> {
  return keep(Buffer.from(text), text, options)
}

async function keep(
  bytes: Uint8Array,
  text: string | null,
  { store, now }: KeepOptions,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await store.saveBlob({ sha256, data: Buffer.from(bytes).toString('base64'), text }, now())
  return sha256
}

/** @throws DashboardError invalid for a file that is too large, empty, broken or of an unknown kind */
export async function attach(
  { name, bytes }: AttachedFile,
  { store, now }: KeepOptions,
): Promise<Attachment> {
  refuseSize(name, bytes.byteLength)
  const { text, lacksText = false, ...file } = await read(name, bytes)
  if (text !== null && text.length > attachmentLimits.characters) {
    throw refused(`${name} has more text than a message can carry. Attach a part of it.`)
  }
  if (file.kind === 'text' && (text ?? '').trim() === '') {
    throw refused(`${name} has no text that Modelport can read. Attach it as a PDF or as pictures.`)
  }
  const sha256 = await keep(bytes, text, { store, now })
  const isScan = file.kind === 'pdf' && (text ?? '').length < leastTextPerPage * (file.pages ?? 1)
  const sentAs = file.kind === 'image' || isScan || lacksText ? 'file' : 'text'
  const hasText = text !== null && text !== ''
  return { sha256, name: storedName(name), bytes: bytes.byteLength, ...file, hasText, sentAs }
}

/** Names of imported files can be empty or of any length. The end has what tells the kind. */
function storedName(name: string): string {
  return name.trim().slice(-longestName).toWellFormed() || 'file'
}

function refuseSize(name: string, bytes: number): void {
  if (bytes === 0) throw refused(`${name} is empty.`)
  if (bytes <= attachmentLimits.bytes) return
  const most = formatBytes(attachmentLimits.bytes)
  throw refused(`${name} has ${formatBytes(bytes)}. A file can have ${most} at most.`)
}

async function read(name: string, bytes: Uint8Array): Promise<ReadFile> {
  const entry = new URL(
    import.meta.url.endsWith('.ts') ? './file-worker.ts' : './file-worker.js',
    import.meta.url,
  )
  const run = { entry, name: 'attached file', workerData: bytes, limitMs, resourceLimits }
  try {
    // Checked boundary: the worker's only message.
    const file = (await runIsolated(run)) as ReadFile | null
    if (file) return file
  } catch (error) {
    if (!(error instanceof IsolatedRunFailed)) throw error
    const why = error.isTooLong ? 'takes too long to read' : 'is damaged or protected'
    throw refused(`${name} ${why}.`)
  }
  throw refused(
    `Modelport cannot read ${name}. Attach an image, a PDF, a .docx, an .xlsx or a text file.`,
  )
}

function refused(message: string): DashboardError {
  return new DashboardError('invalid', message)
}
