/** Conversations that come from another program's export. */
import { z } from 'zod'

/** The programs whose files can be read, by the names of their makers. */
export const chatSources = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  'lm-studio': 'LM Studio',
  librechat: 'LibreChat',
  cherry: 'Cherry Studio',
  jan: 'Jan',
  openai: 'OpenAI lines',
  modelport: 'Modelport',
} as const
export type ChatSource = keyof typeof chatSources

/** What an imported message had beside its text. */
export const messageDetailSchema = z.strictObject({
  kind: z.enum(['reasoning', 'tool_call', 'tool_result', 'document', 'source', 'missing_file']),
  /** The tool, the document, the source or the file; empty for reasoning. */
  title: z.string(),
  text: z.string(),
})
export type MessageDetail = z.output<typeof messageDetailSchema>

export const importedPartSchema = z.strictObject({
  /** The model that answered, as the other program named it; null on questions and where the export does not say. */
  model: z.string().nullable(),
  details: z.array(messageDetailSchema),
})
export type ImportedPart = z.output<typeof importedPartSchema>

/** A file or folder that a person chose in the dialog. The window knows only its id. */
export interface ChosenExport {
  id: string
  report: ImportReport
}

/** What an import of one file adds, or would add. */
export interface ImportReport {
  file: string
  /** Null when nothing of the file can be read. */
  source: ChatSource | null
  /** Why nothing can be imported; null when something can. */
  refused: string | null
  /** Conversations that are new; that exist and get new messages; that exist and are complete. */
  conversations: { added: number; extended: number; known: number }
  messages: number
  files: number
  presets: number
  /** What the other program has and Modelport does not keep, one sentence each. */
  losses: string[]
  /** What could not be read, one sentence each. */
  warnings: string[]
}
