import { create } from 'zustand'
import type {
  ConnectInput,
  ConnectionProblem,
  ConnectionStatus,
  RestoredFiles,
  Snippet,
  ToolConnection,
  WrittenFiles,
} from '../../../shared/app/connect.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import { call, toCallError, type CallError } from './client.ts'
import { createListStore } from './list.ts'

/** Tools that can be connected, and those that cannot. */
export const useTools = createListStore(() => call('connect:tools'))

/** Connections and requests that were refused in the last hour, newest first. */
export const useConnectionProblems = create<{ items: readonly ConnectionProblem[] }>(() => ({
  items: [],
}))

export async function loadConnectionProblems(): Promise<void> {
  useConnectionProblems.setState({ items: await call('connect:problems') })
}

/**
 * A new connection. Texts with the key are functions, so that nothing keeps it after `closeConnection`. Copying one makes
 * the key work.
 */
export interface OpenConnection extends Omit<ToolConnection, 'key' | 'snippets'> {
  copyKey: () => Promise<string>
  snippets: readonly (Omit<Snippet, 'text'> & { text: () => string; copy: () => Promise<string> })[]
}

interface ConnectionState {
  connection: OpenConnection | null
  error: CallError | null
  written: WrittenFiles | null
  restored: RestoredFiles | null
  /** Null until loaded. */
  status: ConnectionStatus | null
}

const closed: ConnectionState = {
  connection: null,
  error: null,
  written: null,
  restored: null,
  status: null,
}

/** The connection whose dialog is open. */
export const useConnection = create<ConnectionState>(() => closed)

let secret: Pick<ToolConnection, 'key' | 'snippets'> | null = null
/** Counts the dialogs, so that the answer for a closed one is dropped. */
let opened = 0

/** Plans a connection; its key works once it is written or copied. Never rejects. */
export async function openConnection(input: ConnectInput): Promise<void> {
  closeConnection()
  const mine = opened
  try {
    const { key, snippets, ...connection } = await call('connect:start', input)
    if (mine !== opened) return
    secret = { key, snippets }
    useConnection.setState({
      connection: {
        ...connection,
        copyKey: () => activated(() => secret?.key ?? ''),
        snippets: snippets.map(({ title, language }, index) => {
          const text = () => secret?.snippets[index]?.text ?? ''
          return { title, language, text, copy: () => activated(text) }
        }),
      },
    })
    await loadStatus()
  } catch (error) {
    if (mine === opened) useConnection.setState({ error: toCallError(error) })
  }
}

/** @throws CallError when the key cannot be made */
async function activated(text: () => string): Promise<string> {
  const id = useConnection.getState().connection?.id
  if (id !== undefined) await call('connect:activate', { id })
  return text()
}

/** Forgets the key; the tool keeps it. */
export function closeConnection(): void {
  opened += 1
  secret = null
  useConnection.setState(closed)
}

/** @throws CallError */
export async function writeToolFiles(): Promise<void> {
  const { connection } = useConnection.getState()
  if (!connection) return
  const written = await call('connect:write', { id: connection.id })
  useConnection.setState({ written, restored: null })
  await useTools.getState().load()
}

/** Restores the files of a tool and revokes the key in them. @throws CallError */
export async function undoToolFiles(toolId: string): Promise<void> {
  const restored = await call('connect:undo', { toolId })
  useConnection.setState({ written: null, restored })
  await useTools.getState().load()
}

/** A request with the key of the open connection ended. */
export function noteConnectionRequest({ apiKeyId }: RequestRecord): void {
  if (apiKeyId !== null && useConnection.getState().connection?.id === apiKeyId) void loadStatus()
}

export function noteConnectionProblems(items: readonly ConnectionProblem[]): void {
  useConnectionProblems.setState({ items })
  if (useConnection.getState().connection) void loadStatus()
}

/** Keeps the last status when it cannot be loaded: the dialog is about the connection. */
async function loadStatus(): Promise<void> {
  const mine = opened
  const id = useConnection.getState().connection?.id
  if (id === undefined) return
  const status = await call('connect:status', { id }).catch(() => null)
  if (mine === opened && status !== null) useConnection.setState({ status })
}
