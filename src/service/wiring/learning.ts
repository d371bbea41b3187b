/** Model statistics, feedback and signals: read at the start, saved in the background. */
import { builtInProvider } from '../../shared/models/provider-type.ts'
import { mostProofs, ProofAuthors } from '../chat/kept-answers/proof-authors.ts'
import type { LearnedFigures } from '../chat/learning/learned-figures.ts'
import { ModelStatistics } from '../chat/learning/model-statistics.ts'
import { SignalLabels } from '../chat/learning/signal-labels.ts'
import { fitOf } from '../routing/own-knowledge.ts'
import type { OwnKinds } from '../routing/own-kinds.ts'
import { openLiveFeedback } from '../storage/live-feedback.ts'
import type { StoredJudgedPrompt } from '../storage/judged-prompt-store.ts'
import type { StatisticsStore, Storage } from '../storage/storage.ts'
import { openLiveOwnKnowledge, type LiveOwnKnowledge } from './live-own-knowledge.ts'
import type { Workspace } from './workspace.ts'

/** Time between saves of the statistics. A crash loses those of this period, which fade within minutes anyway. */
const saveMs = 30_000
/** Few sessions are taken up again after a week. */
const sessionMs = 7 * 86_400_000

export interface Learning {
  statistics: ModelStatistics
  signals: SignalLabels
  /** Which model gave the proofs of reasoning that coding agents send back. */
  proofAuthors: ProofAuthors
  /** Corrects readings to the kinds of prompts that the router learnt; null when it learnt none. */
  ownKinds(routerId: string): OwnKinds | null
  /** All stored judged prompts. */
  judgedPrompts(): readonly StoredJudgedPrompt[]
  /** Saves the latest statistics and signals. */
  close(): Promise<void>
}

/** @param options  `hasOtherNodes`: reads again what they store. @throws StorageUnavailable */
export async function startLearning(
  workspace: Workspace,
  { hasOtherNodes = false } = {},
): Promise<Learning> {
  const { storage, configuration, deployments, upstreams, modelServers, log, now, clock } =
    workspace
  const { modelStatistics, routerStatistics } = storage
  const feedback = await openLiveFeedback({
    store: storage.feedback,
    onChange: storage.onChange,
    now,
    onError: (error) => log.failed('feedback', error),
  })
  const own = await openOwn(workspace)
  const statistics = new ModelStatistics({
    stored: { models: await modelStatistics.read(), routers: await routerStatistics.read() },
    pendingOf: (modelId) => deployments.pendingOf(modelId),
    feedbackOf: (modelId) => feedback.countsOf(modelId),
    ownOf: (modelId, routerId) => fitOf(own.of(routerId), modelId),
    loadOf: (providerId) => upstreams.loadOf(providerId),
    isCold: (candidate) => isCold(candidate, workspace),
    servers: modelServers,
    now,
  })
  const signals = new SignalLabels({
    store: storage.feedback,
    settings: () => configuration.current().settings,
    now,
    clock,
    onError: (error) => log.failed('signals', error),
  })
  const sinceMs = now() - sessionMs
  const proofs = await storage.ledger.givenProofs({ sinceMs, limit: mostProofs })
  const save = () =>
    Promise.all([
      saveFigures(statistics.models, modelStatistics),
      saveFigures(statistics.routers, routerStatistics),
    ]).catch((error: unknown) => log.failed('model statistics', error))
  const follow = () =>
    followOthers(statistics, storage).catch((error: unknown) =>
      log.failed('model statistics', error),
    )
  const timer = setInterval(() => void save().then(hasOtherNodes ? follow : null), saveMs)
  timer.unref()
  return {
    statistics,
    signals,
    proofAuthors: new ProofAuthors(proofs),
    ownKinds: (routerId) => own.of(routerId).kinds,
    judgedPrompts: () => own.prompts(),
    async close() {
      clearInterval(timer)
      feedback.close()
      own.close()
      await Promise.all([save(), signals.close()])
    },
  }
}

async function saveFigures<Figures>(
  figures: LearnedFigures<Figures>,
  store: StatisticsStore<Figures>,
): Promise<void> {
  const learned = figures.takeChanged()
  if (learned.length > 0) figures.saved(learned, await store.save(learned))
}

async function followOthers(
  { models, routers }: ModelStatistics,
  { modelStatistics, routerStatistics }: Storage,
): Promise<void> {
  models.follow(await modelStatistics.read())
  routers.follow(await routerStatistics.read())
}

/** Whether a model is cold, as its server's answers showed. The server is not asked. */
function isCold(
  { modelId, providerId }: { modelId: string; providerId: string },
  { localModel, modelServers }: Workspace,
): boolean {
  if (providerId === builtInProvider.id) {
    return localModel.isCold(modelId.slice(modelId.indexOf(':') + 1))
  }
  return modelServers.isLoaded(modelId) === false
}

/** Learns again when the catalogue or the configuration changes, because ratings may have changed. */
async function openOwn(workspace: Workspace): Promise<LiveOwnKnowledge> {
  const { storage, configuration, events, candidatesOf, log, now } = workspace
  const own = await openLiveOwnKnowledge({
    store: storage.judgedPrompts,
    onChange: storage.onChange,
    priorsNow: () => {
      const routers = [...configuration.current().routers.values()]
      const candidates = routers.flatMap((router) => candidatesOf(router))
      return new Map(candidates.map(({ modelId, quality }) => [modelId, quality]))
    },
    now,
    onError: (error) => log.failed('judged prompts', error),
  })
  const stopListening = events.on('changed', () => own.ratingsChanged())
  return {
    ...own,
    close() {
      stopListening()
      own.close()
    },
  }
}
