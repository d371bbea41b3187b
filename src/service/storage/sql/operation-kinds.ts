/** Lists the functions of a database's stores, and how each engine runs them. */
import type { Ledger, Storage } from '../storage.ts'

/** The parts of `Storage` that are more than statements on a database. */
type NodeParts =
  | 'isShared'
  | 'budgets'
  | 'close'
  | 'health'
  | 'figures'
  | 'idempotency'
  | 'onChange'
  | 'onConfigurationHint'

export type StoreName = Exclude<keyof Storage, NodeParts>

/** The ledger stores its rows in groups. */
type FunctionName<Name extends StoreName> = Name extends 'ledger'
  ? Exclude<keyof Ledger, 'append'> | 'appendAll'
  : keyof Storage[Name]

/**
 * How an operation runs: writes are grouped into transactions, each read has its own transaction, and an
 * operation that runs `alone` has none.
 */
export type OperationKind = 'read' | 'alone' | 'write'

/** Every function of every store. */
export const operationKinds = {
  configuration: {
    read: 'read',
    version: 'read',
    insertProvider: 'write',
    updateProvider: 'write',
    raiseKeyRevision: 'write',
    removeProvider: 'write',
    setListedModels: 'write',
    saveModel: 'write',
    insertRouter: 'write',
    updateRouter: 'write',
    removeRouter: 'write',
    routerChanges: 'read',
    insertApiKey: 'write',
    revokeApiKey: 'write',
    expireApiKey: 'write',
    touchApiKeys: 'write',
    setSetting: 'write',
    saveAgent: 'write',
    removeAgent: 'write',
    agentVersions: 'read',
    apply: 'write',
  },
  quota: { take: 'write', giveBack: 'write' },
  budgetAlerts: { add: 'write', waiting: 'read', settle: 'write' },
  ledger: {
    appendAll: 'write',
    get: 'read',
    list: 'read',
    endsOfKey: 'read',
    newestOfKeys: 'read',
    ofExecution: 'read',
    ofSession: 'read',
    sessions: 'read',
    brokenCaches: 'read',
    givenProofs: 'read',
    subagentSteps: 'read',
    forgetSession: 'write',
    page: 'read',
    // It only reads, but keeps its place among the writes: ordinary reads run after later writes.
    costsByDay: 'write',
    usage: 'read',
    report: 'read',
    modelSpans: 'read',
    search: 'read',
    countMatches: 'read',
    prune: 'alone',
  },
  contents: { save: 'write', get: 'read', ofRouter: 'read', prune: 'write' },
  executions: {
    begin: 'write',
    end: 'write',
    areRunning: 'read',
    get: 'read',
    list: 'read',
    figures: 'read',
    renewLeases: 'write',
    interruptExpired: 'write',
  },
  conversations: {
    list: 'read',
    get: 'read',
    ofRequest: 'read',
    messages: 'read',
    threadText: 'read',
    search: 'read',
    drafts: 'read',
    presets: 'read',
    blob: 'read',
    prompts: 'read',
    folders: 'read',
    messageIds: 'read',
    indexMessages: 'write',
    save: 'write',
    nameByModel: 'write',
    add: 'write',
    remove: 'write',
    restore: 'write',
    saveMessage: 'write',
    setAside: 'write',
    show: 'write',
    removeMessages: 'write',
    restoreMessages: 'write',
    purge: 'write',
    saveDraft: 'write',
    savePreset: 'write',
    saveBlob: 'write',
    removePreset: 'write',
    savePrompt: 'write',
    removePrompt: 'write',
    saveFolder: 'write',
    removeFolder: 'write',
    stopInterrupted: 'write',
  },
  modelStatistics: { read: 'read', save: 'write' },
  routerStatistics: { read: 'read', save: 'write' },
  feedback: {
    give: 'write',
    withdraw: 'write',
    addSignals: 'write',
    forget: 'write',
    given: 'read',
    judged: 'read',
    version: 'read',
    counts: 'read',
  },
  findings: {
    report: 'write',
    resolve: 'write',
    list: 'read',
    dismiss: 'write',
    documents: 'read',
    saveDocuments: 'write',
  },
  mcp: {
    servers: 'read',
    saveServer: 'write',
    removeServer: 'write',
    tools: 'read',
    saveTools: 'write',
    saveCall: 'write',
    callsOf: 'read',
    endInterrupted: 'write',
  },
  judgedPrompts: {
    add: 'write',
    list: 'read',
    remove: 'write',
    forgetModel: 'write',
    apply: 'write',
    applied: 'read',
    version: 'read',
  },
  tuningRuns: {
    create: 'write',
    get: 'read',
    list: 'read',
    resume: 'write',
    renew: 'write',
    wantStop: 'write',
    end: 'write',
    prompts: 'read',
    requests: 'read',
    reserve: 'write',
    settle: 'write',
    grade: 'write',
    remove: 'write',
  },
  shadowSamples: {
    spent: 'read',
    reserve: 'write',
    settle: 'write',
    countUngraded: 'write',
    add: 'write',
    ofRouter: 'read',
    repeated: 'read',
    summaries: 'read',
    forget: 'write',
  },
  sessionProofs: { addShadowStep: 'write', shadowSteps: 'read', splitSessions: 'read' },
  refusals: {
    add: 'write',
    counts: 'read',
    newest: 'read',
    get: 'read',
    prune: 'write',
  },
  unexpectedCalls: {
    see: 'write',
    report: 'write',
    list: 'read',
    dismiss: 'write',
    accepted: 'read',
    amounts: 'read',
    prune: 'write',
  },
  maintenance: {
    backup: 'alone',
    check: 'read',
    checkMoney: 'read',
    rebuildTotals: 'alone',
    reserveSpace: 'alone',
    probe: 'write',
  },
} as const satisfies { [Name in StoreName]: Record<FunctionName<Name>, OperationKind> }
