/** Connects what one process keeps in memory to what several nodes share. */
import type { Burst } from '../chat/admission/burst.ts'
import { burstReportSchema } from '../chat/admission/burst.ts'
import { deploymentHintSchema } from '../chat/attempts/breaker.ts'
import type { AnswerCopies } from '../chat/kept-answers/response-cache.ts'
import type { ConversationMemory } from '../chat/learning/conversation-memory.ts'
import {
  recallConversations,
  type RecallConversation,
} from '../chat/learning/recall-conversation.ts'
import { localState, type SharedState, type SharedStatus } from '../shared-state/shared-state.ts'
import type { ValkeyAddress } from '../shared-state/valkey/url.ts'
import { readExtraRoots } from './trusted-roots.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

export interface SharedStateOptions {
  address: ValkeyAddress
  /** 32 bytes that all nodes have; null shares no answers. */
  sealingKey: Buffer | null
}

type NodeOptions = WorkspaceOptions & { shared?: SharedStateOptions | undefined }

/**
 * Opens the workspace of a locked data folder and what it shares; closing the workspace closes both. An unreachable Valkey delays this by half a second.
 * @throws as `openWorkspace`
 */
export async function openNode(
  options: NodeOptions,
): Promise<{ workspace: Workspace; shared: SharedState }> {
  const workspace = await openWorkspace({ ...options, isNode: true })
  if (!options.shared) return { workspace, shared: localState(workspace.storage.idempotency) }
  const shared = await connect(workspace, options, options.shared)
  const close = async () => {
    await shared.close()
    await workspace.close()
  }
  return { workspace: { ...workspace, close }, shared }
}

async function connect(
  workspace: Workspace,
  options: NodeOptions,
  { address, sealingKey }: SharedStateOptions,
): Promise<SharedState> {
  const { deployments, connectionLog: use, log, clock } = workspace
  // Loaded here, because a node on its own never needs the client.
  const { openValkeyState } = await import('../shared-state/valkey/open-valkey-state.ts')
  const server = `${address.host}:${address.port}`
  const shared = await openValkeyState({
    address,
    use,
    sealingKey,
    ca: await trustedRoots(address, options, (error) => log.failed('trusted roots', error)),
    clock,
    onStatus: (status) => log.noted(...statusLine(status, server)),
  })
  shared.subscribe('deployment', (message) => {
    const hint = deploymentHintSchema.safeParse(message)
    if (hint.success) deployments.follow(hint.data)
  })
  deployments.share((hint) => shared.publish('deployment', hint))
  return shared
}

/** Makes the burst limits hold for all nodes together. */
export function shareBurst(burst: Burst, shared: SharedState): void {
  if (!shared.isShared) return
  shared.subscribe('rate', (message) => {
    const report = burstReportSchema.safeParse(message)
    if (report.success) burst.follow(report.data)
  })
  burst.share({
    report: (report) => shared.publish('rate', report),
    nodesUnheard() {
      const status = shared.status()
      return status.kind === 'disconnected' ? status.nodes : null
    },
  })
}

/** Lets any node continue a conversation. Null for a node on its own. */
export function shareConversations(
  memory: ConversationMemory,
  shared: SharedState,
  { configuration, now }: Workspace,
): RecallConversation | null {
  if (!shared.isShared) return null
  return recallConversations({
    memory,
    copies: {
      read: (identity) => shared.read('conversation', identity),
      write: (identity, entry) => shared.write('conversation', identity, entry),
    },
    isPromptCachingOn: () => configuration.current().settings.promptCaching,
    now,
  })
}

/** @returns null where answers may not leave this process */
export function answerCopies(shared: SharedState): AnswerCopies | null {
  if (!shared.canSeal) return null
  return {
    read: (key) => shared.read('answer', key),
    write: (key, entry) => shared.write('answer', key, entry),
  }
}

/** Connects once, and says how that went. */
export async function askSharedState(
  address: ValkeyAddress,
  options: WorkspaceOptions,
): Promise<SharedStatus> {
  const { openValkeyState } = await import('../shared-state/valkey/open-valkey-state.ts')
  const shared = await openValkeyState({
    address,
    sealingKey: null,
    ca: await trustedRoots(address, options),
    clock: () => performance.now(),
    onStatus: () => {},
  })
  try {
    return shared.status()
  } finally {
    await shared.close()
  }
}

async function trustedRoots(
  { isTls }: ValkeyAddress,
  { env, extraCa = [] }: WorkspaceOptions,
  onError: (error: unknown) => void = () => {},
): Promise<string[]> {
  return isTls ? [...(await readExtraRoots(env, onError)), ...extraCa] : []
}

function statusLine(
  status: SharedStatus,
  server: string,
): [what: string, fields: Record<string, string>] {
  if (status.kind !== 'disconnected') return ['the shared state can be used again', { server }]
  return ['the shared state cannot be reached', { server, reason: status.reason }]
}
