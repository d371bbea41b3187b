/** What a person can do with local models: download, pause, delete and add them. For the window and the command line. */
import type { LocalModelInfo } from '../../shared/models/local-models.ts'
import { DashboardError, type Dashboard } from '../dashboard/dashboard.ts'
import type { LocalModel } from '../local/local-model.ts'
import { isModelFile, modelNameOf, sizeOfFile } from '../local/model-file.ts'
import { ProviderError } from '../providers/provider.ts'

/** @throws DashboardError for an unknown model and an unusable file */
export interface LocalModels {
  /** Installed or not: those that Modelport offers, the smallest first, then the user's own. */
  list(): Promise<LocalModelInfo[]>
  /** Begins or continues a download. Resolves when it has ended, with the model as it is then. */
  download(name: string): Promise<LocalModelInfo>
  /** Pauses a download, whichever process runs it. */
  pause(name: string): Promise<LocalModelInfo>
  /** Deletes a downloaded model. A file of the user's stays where it is; Modelport only forgets it. */
  remove(name: string): Promise<void>
  /** Adds a model file of the user's under its own name. @param file  an absolute path */
  add(file: string): Promise<LocalModelInfo>
}

export interface LocalModelsOptions {
  localModel: LocalModel
  dashboard: Pick<Dashboard, 'settings' | 'setSetting'>
  /** Resolves when the catalogue has the installed models as they are now. */
  whenListed(): Promise<void>
}

export function createLocalModels({
  localModel,
  dashboard,
  whenListed,
}: LocalModelsOptions): LocalModels {
  const list = () => localModel.models()
  const find = async (name: string) => {
    const model = (await list()).find((listed) => listed.name === name)
    if (model) return model
    const message = `There is no local model "${name}". “modelport local list” shows all.`
    throw new DashboardError('not_found', message, 'name')
  }
  const findOffered = async (name: string) => {
    const model = await find(name)
    if (model.origin !== 'own') return model
    const message = `"${name}" is a file of yours and needs no download.`
    throw new DashboardError('invalid', message, 'name')
  }
  const ownModels = async () => (await dashboard.settings()).localModelFiles
  /** Saving the setting also tells other processes that the installed models have changed. */
  const saveOwn = async (models: Awaited<ReturnType<typeof ownModels>>) => {
    await dashboard.setSetting('localModelFiles', models)
    // So that a router may list a model as soon as it is added.
    await whenListed()
  }

  return {
    list,
    async download(name) {
      const { state } = await findOffered(name)
      if (state.kind === 'installed') return await find(name)
      await localModel.downloadModel(name)
      const model = await find(name)
      if (model.state.kind === 'installed') await saveOwn(await ownModels())
      return model
    },
    async pause(name) {
      await findOffered(name)
      await localModel.pauseModel(name)
      return await find(name)
    },
    async remove(name) {
      const { origin } = await find(name)
      if (origin !== 'own') await localModel.deleteModel(name)
      await saveOwn((await ownModels()).filter((model) => model.name !== name))
    },
    async add(file) {
      const name = modelNameOf(file)
      const others = (await ownModels()).filter((model) => model.file !== file)
      if (others.some((model) => model.name === name)) {
        const message = `There is already a model named "${name}". Rename the file, then add it again.`
        throw new DashboardError('conflict', message, 'file')
      }
      const sizeBytes = await checkFile(file)
      const facts = await describe(localModel, file)
      await saveOwn([...others, { name, file, sizeBytes, facts }])
      return await find(name)
    },
  }
}

/** @returns its size in bytes */
async function checkFile(file: string): Promise<number> {
  const sizeBytes = await sizeOfFile(file)
  const isModel = sizeBytes !== null && (await isModelFile(file).catch(() => false))
  if (isModel) return sizeBytes
  const problem = sizeBytes === null ? 'The file cannot be read' : 'The file is not a model (GGUF)'
  throw new DashboardError('invalid', `${problem}: ${file}`, 'file')
}

async function describe(localModel: LocalModel, file: string) {
  try {
    return await localModel.describeFile(file)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'timeout') {
      throw new DashboardError('unreachable', `${error.message} Add the file again later.`)
    }
    const message = `The file is damaged or not a language model: ${file}`
    throw new DashboardError('invalid', message, 'file')
  }
}
