import type { AppState } from '../../../shared/app/app-state.ts'
import type { IpcEvents } from '../../../shared/ipc.ts'
import { raiseAlarm } from './alarms.ts'
import { noteFinishedStep, refreshAgents } from './agents.ts'
import { useApp } from './app.ts'
import { noteConnectionProblems, noteConnectionRequest } from './connections.ts'
import { noteClock } from './clock.ts'
import { connectChat, followElsewhere, refreshChat, useConversations } from './chat.ts'
import { listen } from './client.ts'
import { useKeys } from './keys.ts'
import { useLocalModels } from './local-models.ts'
import { loadLastAnswer, noteAnswer } from './last-answer.ts'
import { loadToolApprovals, noteToolApprovals, useMcpServers } from './mcp-servers.ts'
import { loadModels } from './models.ts'
import { noteRefusals } from './refusals.ts'
import { useFindings, useProbes } from './findings.ts'
import { useBrokenCaches } from './broken-caches.ts'
import { useUnexpectedCalls } from './unexpected-calls.ts'
import { useProviders, useProviderTypes } from './providers.ts'
import { noteRequestForReports, reloadReports } from './reports.ts'
import { noteListedRequest } from './request-list.ts'
import { useRouters } from './routers.ts'
import { useSettings } from './settings.ts'
import { noteSessionRequest } from './sessions.ts'
import { noteTuningRun } from './tuning.ts'
import { loadDrafts, noteDraft } from './unsent-messages.ts'

const readAgain: Record<IpcEvents['changed']['what'], () => Promise<void>> = {
  providers: () => useProviders.getState().load(),
  models: loadModels,
  routers: () => useRouters.getState().load(),
  agents: refreshAgents,
  keys: () => useKeys.getState().load(),
  conversations: refreshChat,
  refusals: noteRefusals,
  settings: () => useSettings.getState().load(),
  'unexpected-calls': () => useUnexpectedCalls.getState().load(),
  findings: () => useFindings.getState().load(),
  // Only the composer and Settings need them.
  mcp: async () => {
    if (useMcpServers.getState().items) await useMcpServers.getState().load()
  },
  'broken-caches': () => useBrokenCaches.getState().load(),
}

/** Loads the stores and keeps them up to date. @returns a function that disconnects them */
export function connectStores(): () => void {
  connectChat(window)
  const stops = [
    listen('app:state', noteState),
    listen('draft', noteDraft),
    listen('answer-begun', (sent) => void followElsewhere(sent)),
    listen('changed', ({ what }) => void readAgain[what]()),
    listen('request:finished', noteFinishedStep),
    listen('request:finished', (request) => {
      noteRequestForReports()
      noteListedRequest()
      noteAnswer(request)
      noteConnectionRequest(request)
      noteSessionRequest(request)
    }),
    listen('tool-approvals', noteToolApprovals),
    listen('tuning:progress', noteTuningRun),
    listen('local-models', (items) => useLocalModels.setState({ items, error: null })),
    listen('connection-problems', noteConnectionProblems),
    listen('alarm', raiseAlarm),
    listen('clock', noteClock),
    whenShown(reloadReports),
  ]
  void useApp.getState().load()
  void useConversations.getState().load()
  void loadDrafts()
  void loadToolApprovals()
  void useProviderTypes.getState().load()
  void useProbes.getState().load()
  void useLocalModels.getState().load()
  void loadLastAnswer()
  const lists = ['providers', 'models', 'routers', 'agents', 'keys', 'settings'] as const
  for (const what of [...lists, 'unexpected-calls', 'findings', 'broken-caches'] as const) {
    void readAgain[what]()
  }
  return () => stops.forEach((stop) => stop())
}

function noteState(state: AppState): void {
  const wasReadOnly = Boolean(useApp.getState().state?.storage.outage)
  useApp.setState({ state, error: null })
  if (!wasReadOnly || state.storage.outage) return
  // Requests that waited in memory are in the ledger now.
  noteRequestForReports()
  noteListedRequest()
}

/** Calls it each time the window appears again. @returns a function that stops it */
function whenShown(act: () => void): () => void {
  const onChange = () => {
    if (!document.hidden) act()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
