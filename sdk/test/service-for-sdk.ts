/** A running service whose authority is where the SDKs look for it, and the variables that their examples read. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defaultDataDir } from '../../src/service/data-folder/data-folder.ts'
import type { FakeModelScript } from '../../test/fake-provider.ts'
import { startTestService, type TestService } from '../../test/test-service.ts'

export interface ServiceForSdk extends TestService {
  /** The user's folders, as variables. */
  folders: Record<string, string>
  /** Environment of a program that uses an SDK: the folders, and Modelport's three variables. */
  environment: Record<string, string>
}

/** Asked for a story, it answers after 10 s; anything else at once. */
const answers: FakeModelScript = ({ body }) =>
  JSON.stringify(body).includes('story') ? { firstByteDelayMs: 10_000 } : { text: 'Paris.' }

/** Its streams break after some text. */
const broken: FakeModelScript = { fault: { kind: 'reset', afterEvents: 3 } }

const agent = {
  name: 'summarise',
  steps: [{ id: 'only', type: 'prompt', user: 'Summarise: {{ input }}' }],
}

/** @param atEnd  when everything ends, as for `startTestService` */
export async function startServiceForSdk(
  atEnd: (end: () => Promise<void>) => void,
): Promise<ServiceForSdk> {
  const home = mkdtempSync(path.join(tmpdir(), 'modelport-sdk-'))
  const folders = { HOME: home, XDG_CONFIG_HOME: path.join(home, 'config'), APPDATA: home }
  const started = await startTestService(
    {
      models: { 'fake-model': answers, broken, small: {} },
      service: { dataDir: dataFolderOf(folders) },
    },
    atEnd,
  )
  atEnd(() => rm(home, { recursive: true }))
  await started.service.dashboard.applyAgent(JSON.stringify(agent))
  await addEmbeddings(started)
  const environment = {
    ...folders,
    MODELPORT_API_KEY: started.apiKey,
    MODELPORT_ROUTER_ID: started.routerId,
    MODELPORT_BASE_URL: started.origin,
  }
  return { ...started, folders, environment }
}

/** The texts that `modelport connect` prints for a tool: its variables as shell commands, and its program. */
export async function snippetsOf(
  { service, routerId }: TestService,
  toolId: string,
): Promise<{ variables: string; program: string }> {
  const { snippets } = await service.dashboard.connect.connect({ toolId, routerId })
  // The first one installs the SDK.
  const [, variables, program] = snippets
  return { variables: variables?.text ?? '', program: program?.text ?? '' }
}

/** Adds a model for embeddings to the router. */
async function addEmbeddings({ service, fake, routerId }: TestService): Promise<void> {
  await service.dashboard.addProvider({
    id: 'vectors',
    type: 'openai-compatible',
    baseUrl: fake.url,
    apiKey: 'sk-fake-provider-key',
    options: { 'model.small': 'openai:text-embedding-3-small' },
  })
  await service.dashboard.updateRouter(routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:fake-model', 'fake:broken', 'vectors:small'],
  })
}

/** Modelport's own rule, with another home folder. */
function dataFolderOf(folders: Record<string, string>): string {
  const { HOME } = process.env
  process.env['HOME'] = folders['HOME']
  try {
    return defaultDataDir(folders)
  } finally {
    process.env['HOME'] = HOME
  }
}
