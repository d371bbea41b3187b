/**
 * The window's calls: with which input, and what each call does. A new call is one line in shared/ipc.ts and one in `handlers`; without it this does not compile.
 */
import { createHash, randomUUID } from 'node:crypto'
import { clipboard, dialog, type WebContents } from 'electron'
import type { z } from 'zod'
import type { Backups, Service } from '../service/service.ts'
import type { ConnectionState } from '../shared/app/connections.ts'
import type { LocalModelState } from '../shared/app/app-state.ts'
import { ipcCalls, type IpcAnswer, type IpcCallName, type IpcCalls } from '../shared/ipc.ts'
import type { ExportedConfiguration } from '../shared/app/exported-configuration.ts'
import { inputMessage } from '../shared/chat/input-messages.ts'
import { graceMs } from '../shared/app/key-rotation.ts'
import { appState } from './app-state.ts'
import type { Handlers } from './handlers.ts'
import { earlyHandlers, isEarlyCall, type EarlyCallName } from './early-calls.ts'
import { toFailure } from './failure.ts'
import { refused, type AnswerCall } from './ipc.ts'
import { chatHandlers } from './chat-handlers.ts'
import { mcpHandlers } from './mcp-handlers.ts'
import { sendPort, streamTestRun } from './chat-port.ts'
import type { QuickEntry } from './quick-entry/quick-entry.ts'
import type { ServiceHost } from './service-host.ts'
import type { Startup } from './startup/startup.ts'
import type { Updates } from './updates/updates.ts'
import type { MainWindow } from './window.ts'
import { t } from '../shared/strings/strings.ts'

/** The parts of the app around the service. */
interface Shell {
  window: MainWindow
  startup: Startup
  backups: Backups
  updates: Updates
  quickEntry: QuickEntry
}

/** @returns answers one call; calls that arrive before the service has started wait for it */
export function answerCalls(
  host: ServiceHost,
  { window, startup, updates, ...parts }: Shell,
): AnswerCall {
  const early = earlyHandlers(host, { window, updates, ...parts })
  const handlersOf = remember((service: Service) => ({
    ...early,
    ...createHandlers(service, window),
    ...startupHandlers(startup),
    'connections:list': () => listConnections(service, updates),
  }))
  return async (name, input, caller) => {
    if (!isCallName(name)) return refused('unknown_call', 'There is no such call.')
    // These work before the service has started, and after it failed to.
    if (isEarlyCall(name)) return answerCall(early, { name, input, caller })
    return answerCall(handlersOf(await host.running()), { name, input, caller })
  }
}

/** The handlers of the last service: a restore starts another one. */
function remember<Result>(create: (service: Service) => Result): (service: Service) => Result {
  let last: { service: Service; result: Result } | null = null
  return (service) => {
    if (last?.service !== service) last = { service, result: create(service) }
    return last.result
  }
}

function isCallName(name: unknown): name is IpcCallName {
  return typeof name === 'string' && Object.hasOwn(ipcCalls, name)
}

async function answerCall<Name extends IpcCallName>(
  handlers: Pick<Handlers, Name>,
  { name, input, caller }: { name: Name; input: unknown; caller: WebContents },
): Promise<IpcAnswer<Name>> {
  try {
    // The compiler cannot tell that this call's schema parses to this call's input.
    const parsed = ipcCalls[name].input.parse(input, { error: inputMessage }) as z.output<
      IpcCalls[Name]['input']
    >
    return { ok: true, value: await handlers[name](parsed, caller) }
  } catch (error) {
    return { ok: false, error: toFailure(error, name) }
  }
}

function catalogHandlers({
  dashboard,
}: Service): Pick<Handlers, `catalog:${string}` & IpcCallName> {
  const { catalog } = dashboard
  return {
    'catalog:state': () => catalog.state(),
    'catalog:check': () => catalog.check(),
    'catalog:apply': ({ token }) => catalog.apply(token),
    'catalog:reset': () => catalog.reset(),
  }
}

/** The results of requests, and the feedback on their answers. */
function requestHandlers({
  usage,
  pastRequests,
  dashboard,
}: Service): Pick<
  Handlers,
  `${'usage' | 'refusals' | 'unexpected' | 'findings' | 'sessions' | 'reconcile' | 'requests' | 'feedback'}:${string}` &
    IpcCallName
> {
  return {
    'usage:report': (query) => usage.report(query),
    'usage:daily': () => usage.daily(),
    'usage:replay': (query) => usage.replay(query),
    'refusals:counts': (query) => usage.refusals.counts(query),
    'refusals:newest': (query) => usage.refusals.newest(query),
    'unexpected:list': () => usage.unexpectedCalls.list(),
    'unexpected:dismiss': (dismissal) => usage.unexpectedCalls.dismiss(dismissal),
    'findings:list': () => usage.findings.list(),
    'findings:dismiss': (dismissal) => usage.findings.dismiss(dismissal),
    'findings:probes': () => usage.findings.probes(),
    'findings:set-probe': (setting) => usage.findings.setProbe(setting),
    'sessions:list': (query) => usage.sessions.list(query),
    'sessions:get': (query) => usage.sessions.get(query),
    'sessions:pin': (pin) => usage.sessions.pin(pin),
    'sessions:export': ({ id }) => usage.sessions.export(id),
    'sessions:delete': ({ id }) => usage.sessions.delete(id),
    'sessions:broken': () => usage.sessions.broken(),
    'sessions:rules': () => usage.sessions.rules(),
    'sessions:proofs': () => usage.sessions.proofs(),
    'reconcile:run': ({ files, ...options }) => usage.reconcile(files, options),
    'reconcile:correct': (price) => dashboard.correctPrice(price),
    'requests:explain': ({ id }) => usage.explain(id),
    'requests:content': ({ id }) => usage.content(id),
    'requests:conversation': ({ id }) => pastRequests.conversation(id),
    'requests:preview': (query) => pastRequests.preview(query),
    'requests:search': (search) => usage.search(search),
    'requests:count': (filter) => usage.countMatches(filter),

    'feedback:give': (feedback) => dashboard.giveFeedback(feedback),
    'feedback:withdraw': (name) => dashboard.withdrawFeedback(name),
    'feedback:thumbs': ({ requestIds }) => dashboard.thumbs(requestIds),
  }
}

/** A build without a feed has no updates, which the service does not know. */
async function listConnections(service: Service, updates: Updates): Promise<ConnectionState[]> {
  const [states, { feedUrl }] = await Promise.all([service.connections.list(), updates.state()])
  return states.map((state) =>
    state.id === 'updates' ? { ...state, isOn: state.isOn && feedUrl !== null } : state,
  )
}

type StartupCallName = Extract<IpcCallName, `startup:${string}`>

function startupHandlers(startup: Startup): Pick<Handlers, StartupCallName> {
  return {
    'startup:get': () => startup.state(),
    'startup:change': (wanted) => startup.change(wanted),
  }
}

function createHandlers(
  service: Service,
  window: MainWindow,
): Omit<Handlers, EarlyCallName | StartupCallName | 'connections:list'> {
  const { dashboard, localModel } = service
  return {
    'app:state': () => appState(service),
    'endpoint:listen': ({ port }) => service.listen(port),
    'endpoint:pause': ({ isPaused }) => service.setPaused(isPaused),
    'secrets:retry': () => service.secrets.retry(),

    'local-model:choose-file': () => chooseModelFile(service, window),
    'local-model:download': () => localModel.download(),
    'local-model:retry': () => localModel.retry(),
    ...localModelsHandlers(service, window),

    ...providerHandlers(service),
    ...catalogHandlers(service),

    'routers:list': () => dashboard.routers(),
    'routers:create': (router) => dashboard.createRouter(router),
    'routers:update': ({ id, router }) => dashboard.updateRouter(id, router),
    'routers:changes': ({ id }) => dashboard.routerChanges(id),
    'routers:remove': ({ id }) => dashboard.removeRouter(id),

    ...agentHandlers(service),

    ...keyHandlers(service),
    ...connectHandlers(service),

    ...chatHandlers(service, window),
    ...mcpHandlers(service),

    ...requestHandlers(service),
    ...tuningHandlers(service),

    'webhook:test': () => service.testWebhook(),

    'trust:state': () => service.trust.state(),
    'trust:change': async ({ store, isTrusted }) => {
      await service.trust.change(store, isTrusted)
      return await service.trust.state()
    },
    'diagnostics:security': () => service.diagnostics.security(),
    'diagnostics:bundle': () => service.diagnostics.bundle(),
    'configuration:export': () => exportConfiguration(service),
    'settings:get': () => dashboard.settings(),
    'settings:set': ({ name, value }) => dashboard.setSetting(name, value),
  }
}

type ProviderCallName = Extract<IpcCallName, `${'providers' | 'models'}:${string}`>

function providerHandlers({ dashboard }: Service): Pick<Handlers, ProviderCallName> {
  return {
    'providers:types': () => dashboard.providerTypes(),
    'providers:list': () => dashboard.providers(),
    'providers:add': (provider) => dashboard.addProvider(provider),
    'providers:add-tested': (provider) => dashboard.addTestedProvider(provider),
    'providers:update': ({ id, changes }) => dashboard.updateProvider(id, changes),
    'providers:set-key': ({ id, apiKey }) => dashboard.setProviderKey(id, apiKey),
    'providers:add-key': ({ id, key }) => dashboard.addProviderKey(id, key),
    'providers:remove-key': ({ id, name }) => dashboard.removeProviderKey(id, name),
    'providers:test': ({ id }) => dashboard.testProvider(id),
    'providers:remove': ({ id }) => dashboard.removeProvider(id),
    'providers:discover': () => dashboard.findServers(),
    'providers:add-server': ({ baseUrl }) => dashboard.addServer(baseUrl),
    'providers:found-keys': () => dashboard.foundKeys(),
    'providers:add-found-key': ({ type }) => dashboard.addFoundKey(type),

    'models:list': () => dashboard.models(),
    'models:catalog': () => dashboard.listedModels(),
    'models:save': (model) => dashboard.saveModel(model),
  }
}

type KeyCallName = Extract<IpcCallName, `${'keys' | 'clipboard'}:${string}`>

function keyHandlers({ dashboard }: Service): Pick<Handlers, KeyCallName> {
  return {
    'keys:list': () => dashboard.apiKeys(),
    'keys:create': (apiKey) => dashboard.createApiKey(apiKey),
    'keys:revoke': ({ id }) => dashboard.revokeApiKey(id),
    'keys:rotate': ({ id, grace }) => dashboard.rotateApiKey(id, graceMs[grace]),
    'clipboard:holds': async ({ sha256 }) => {
      const text = await clipboard.readText()
      return createHash('sha256').update(text).digest('hex') === sha256
    },
  }
}

function connectHandlers({
  dashboard,
}: Service): Pick<Handlers, `connect:${string}` & IpcCallName> {
  const { connect } = dashboard
  return {
    'connect:tools': () => connect.tools(),
    'connect:start': (input) => connect.prepare(input),
    'connect:activate': ({ id }) => connect.activate(id),
    'connect:samples': ({ routerId }) => connect.samples(routerId),
    'connect:write': ({ id }) => connect.write(id),
    'connect:undo': ({ toolId }) => connect.undo(toolId),
    'connect:status': ({ id }) => connect.status(id),
    'connect:problems': () => connect.problems(),
  }
}

function localModelsHandlers(
  { localModels, log }: Service,
  window: MainWindow,
): Pick<Handlers, `local-models:${string}` & IpcCallName> {
  return {
    'local-models:list': () => localModels.list(),
    'local-models:download': ({ name }) => {
      // The list shows how the download goes, and how it ends.
      localModels.download(name).catch((error: unknown) => log.failed('local models', error))
    },
    'local-models:pause': async ({ name }) => void (await localModels.pause(name)),
    'local-models:remove': ({ name }) => localModels.remove(name),
    'local-models:add-file': async () => {
      const file = await askForModelFile(window)
      return file === null ? null : await localModels.add(file)
    },
  }
}

function tuningHandlers({ tuning }: Service): Pick<Handlers, `tuning:${string}` & IpcCallName> {
  return {
    'tuning:plan': (input) => tuning.plan(input),
    'tuning:start': (input) => tuning.start(input),
    'tuning:stop': ({ id }) => tuning.stop(id),
    'tuning:resume': (input) => tuning.resume(input),
    'tuning:apply': (input) => tuning.apply(input),
    'tuning:list': () => tuning.list(),
    'tuning:result': ({ id }) => tuning.result(id),
    'tuning:export': async ({ id }) =>
      (await tuning.export(id)).map((prompt) => `${JSON.stringify(prompt)}\n`).join(''),
    'tuning:forget': ({ id }) => tuning.forget(id),
  }
}

type AgentCallName = Extract<IpcCallName, `agents:${string}`>

function agentHandlers({ agents }: Service): Pick<Handlers, AgentCallName> {
  return {
    'agents:list': () => agents.list(),
    'agents:get': ({ name }) => agents.get(name),
    'agents:check': ({ source }) => agents.check(source),
    'agents:save': ({ source, edited }) => agents.save(source, edited),
    'agents:remove': ({ name }) => agents.remove(name),
    'agents:executions': (query) => agents.executions(query),
    'agents:execution': ({ id }) => agents.execution(id),
    'agents:run': (input, caller) => {
      const streamId = randomUUID()
      sendPort(
        caller,
        streamId,
        streamTestRun((tell) => agents.run(input, tell)),
      )
      return { streamId }
    },
  }
}

async function exportConfiguration({ dashboard }: Service): Promise<ExportedConfiguration> {
  const document = await dashboard.exportConfiguration()
  const { providers, models, routers, agents } = document
  return {
    text: `${JSON.stringify(document, null, 2)}\n`,
    providers: providers.length,
    models: models.length,
    routers: routers.length,
    agents: agents.length,
  }
}

async function chooseModelFile(service: Service, window: MainWindow): Promise<LocalModelState> {
  const file = await askForModelFile(window)
  if (file === null) return service.localModel.state()
  await service.dashboard.setSetting('localModelFile', file)
  // The model uses the new file with the setting; loading it shows whether it is a model.
  return service.localModel.retry()
}

/** @returns null when the user closed the dialog */
async function askForModelFile(window: MainWindow): Promise<string | null> {
  const parent = window.current()
  if (parent === null) return null
  const { filePaths } = await dialog.showOpenDialog(parent, {
    title: t('Choose a model file'),
    filters: [{ name: t('GGUF models'), extensions: ['gguf'] }],
    properties: ['openFile'],
  })
  return filePaths[0] ?? null
}
