/** What a tool is: a function from a connection to texts. Nothing here reads or writes files. */
import type { TokenLimits } from './token-limits.ts'
import type { Door, Snippet, ToolKind, Verified } from '../../shared/app/connect.ts'

/** The address, key and certificates that a tool is given. */
export interface Connection {
  /** `https://localhost:6778/api/router/router_…`; Anthropic's clients add `/v1/messages` themselves. */
  routerUrl: string
  key: string
  /** Modelport's authority alone: `NODE_EXTRA_CA_CERTS`, `curl --cacert`. */
  caFile: string
  /** The system's roots and Modelport's: `SSL_CERT_FILE`, `REQUESTS_CA_BUNDLE`. */
  caBundleFile: string
  /** Token limits of the router's models; null when none states them. */
  limits: TokenLimits
  /** The computer of the tool, for the shell's syntax. */
  platform: NodeJS.Platform
}

/** Location of the tool's files. */
export interface Home {
  /** The user's home folder. */
  dir: string
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
}

/** A configuration file of a tool. */
export interface ToolFile {
  /** Absolute. */
  path: string
  /** Other places that the tool reads; the first that exists is used instead. */
  otherPaths?: readonly string[]
  /**
   * The file's new text. Everything that is not Modelport's stays.
   * @param before  null when there is no file
   * @throws UnreadableFile for a text that is not in the file's format
   */
  edit(before: string | null): string
}

/** What a tool reads from its environment. */
export interface ToolEnvironment {
  set: Readonly<Record<string, string>>
  /** Variables that would lead the tool to another address or key. */
  unset: readonly string[]
}

export interface ToolProgram {
  command: string
  environment(connection: Connection): ToolEnvironment
  /** Arguments for what it does not read from its environment. Other users can see them: never a secret. */
  args?(connection: Connection): string[]
  /**
   * Configuration that the tool reads from a file only, in a folder whose parent a variable gives. `modelport run`
   * gives the tool a copy of that folder: the edited file, which never has a secret, and links to the user's other
   * files.
   */
  folder?: { variable: string; file(home: Home): ToolFile }
}

export interface Tool {
  /** A slug: `claude-code`. */
  id: string
  name: string
  kind: ToolKind
  door: Door
  /** Recognises the tool's requests; null when another tool's client sends them. */
  userAgent: RegExp | null
  verified: Verified
  /** The tool's own documentation of this configuration. */
  documentation: string
  snippets(connection: Connection): Snippet[]
  files?(connection: Connection, home: Home): ToolFile[]
  /** Its requests name the router's models, so a name that is none is refused. Others send fixed names. */
  namesModels?: true
  /** The program and its environment, for tools that `modelport run` can start. */
  program?: ToolProgram
  /** Sentences that the user should know. */
  notes?: readonly string[]
}

/** A tool that cannot be connected. */
export interface Obstacle {
  id: string
  name: string
  kind: ToolKind
  documentation: string
  /** The reason, in a sentence or two. */
  obstacle: string
}

/** Error for content that the file's format allows, but that its library cannot change in place. */
export const unsafeForm = 'Its form cannot be changed safely.'

/** A file that cannot be read, or is not in its format, so that an edit could destroy it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** The base URL for OpenAI's clients, which add `/chat/completions` or `/responses`. */
export function openaiUrl({ routerUrl }: Connection): string {
  return `${routerUrl}/v1`
}

/** The base URL that a door's clients expect. */
export function baseUrlOf(door: Door, connection: Connection): string {
  const addsItsOwn = door === 'messages' || door === 'gemini'
  return addsItsOwn ? connection.routerUrl : openaiUrl(connection)
}
