/** The actions of the dashboard that connect tools, and what they need. */
import type {
  ConnectionProblem,
  ConnectionStatus,
  ConnectInput,
  ListedTool,
  RestoredFiles,
  SampleCalls,
  ToolConnection,
  WrittenFiles,
} from '../../shared/app/connect.ts'
import type { RunFile } from '../connect/tool-files.ts'
import type { Home, ToolEnvironment } from '../connect/tool.ts'

export interface ConnectActions {
  /** All tools, in the order in which they are shown. */
  tools(): Promise<ListedTool[]>
  /**
   * Creates a key for the tool, and everything that its user needs. The key is revoked after an hour without use, or
   * by the next call for this tool and router, unless it was used or is in a file.
   * @throws DashboardError not_found; invalid for a tool that cannot connect
   */
  connect(input: ConnectInput): Promise<ToolConnection>
  /**
   * Same as `connect`, with a key that opens nothing until `activate` or `write`.
   * @throws DashboardError not_found; invalid for a tool that cannot connect
   */
  prepare(input: ConnectInput): Promise<ToolConnection>
  /**
   * Makes the key of a prepared connection work. Does nothing the second time.
   * @param id  a connection of this process; @throws DashboardError not_found
   */
  activate(id: string): Promise<void>
  /**
   * How to call a router by hand. Creates no key.
   * @throws DashboardError not_found; invalid when the port is not known yet
   */
  samples(routerId: string): Promise<SampleCalls>
  /**
   * Writes the files as `connect` showed them, and keeps copies.
   * @param id  a connection of this process
   * @throws DashboardError not_found; invalid when a file cannot be changed; conflict when one changed in the meantime
   */
  write(id: string): Promise<WrittenFiles>
  /**
   * Restores the tool's files as they were before the first `write`, and revokes their key.
   * @throws DashboardError not_found when there are none; conflict when another program or person changed one
   */
  undo(toolId: string): Promise<RestoredFiles>
  /** @param id  any key; @throws DashboardError not_found */
  status(id: string): Promise<ConnectionStatus>
  /** Requests that the endpoint refused in the last hour, newest first. */
  problems(): Promise<ConnectionProblem[]>
  /**
   * Creates a key for one run of the tool. The caller revokes it when the tool has ended; if it cannot, the key
   * expires after a week.
   * @throws DashboardError not_found; invalid for a tool that does not read its environment, or whose file cannot be
   * edited
   */
  prepareRun(input: ConnectInput): Promise<PreparedRun>
}

/** A tool that can be started. */
export interface PreparedRun {
  /** The id of the key. */
  id: string
  command: string
  /** Arguments placed before those of the caller; never a secret. */
  args: readonly string[]
  environment: ToolEnvironment
  /** A file that the tool gets beside the environment; null for most tools. */
  file: RunFile | null
  documentation: string
  /** For the person who starts it, before it starts. */
  notes: readonly string[]
}

/** What connecting tools needs besides the dashboard's other parts. */
export interface ConnectOptions {
  dataDir: string
  /** Location of the tools' files; the user's own home if undefined. */
  home: Home | undefined
  endpoint: { current(): Promise<{ url: string | null; isRunning: boolean }> }
  problems: { list(): Promise<ConnectionProblem[]> }
}
